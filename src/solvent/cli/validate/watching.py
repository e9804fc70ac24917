"""`solvent validate --watch`: look at the files again and again, and validate what changed.

Files are polled: that needs no further package and works on every file system, network drives and containers included.
A look at 10,000 files takes 0.1 s, and the pause between two looks grows with it, so that watching stays cheap.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from solvent.cli import exits
from solvent.cli.configured import current_configuration, require_valid
from solvent.cli.output import complain, say
from solvent.core.errors import ConfigurationError, SolventError
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.run import Validation
    from solvent.batch.settings import RunOptions, Settings

POLL_SECONDS = 0.5
"""Between two looks, if a look takes next to no time."""
SHARE_OF_TIME = 0.05
"""How much of the time looking may take."""
SETTLING_SECONDS = 0.2
"""How long files must stay the same after a change: editors write a file in several steps."""
UNRECOGNISED = "not recognised"

Stamp = tuple[int, int, int]
Verdicts = dict[str, str]
"""The status of each question about a file; of a file without an instance, why there is none."""
Stopping = Callable[["Validation"], AbstractContextManager[list[int]]]


@dataclass(slots=True)
class Watch:
    """Hold what is watched, and what is known about it."""

    paths: Sequence[str]
    settings: Settings
    options: RunOptions
    stopping: Stopping
    domain: str | None = None
    without: Sequence[str] = ()
    exclude: Sequence[str] = ()
    known: dict[str, Verdicts] = field(default_factory=dict)

    def files(self) -> dict[str, Stamp]:
        """Return every file there is, with what changes when it is written."""
        from solvent.batch.sources.find import find_files

        found = find_files(self.paths, domain=self.domain, without=self.without, exclude=self.exclude)
        configuration = current_configuration()
        others = [] if configuration is None else configuration.files()
        return {path: stamp for path in (*found, *others) if (stamp := _stamp(path)) is not None}

    def validate(self, paths: Sequence[str]) -> dict[str, Verdicts]:
        """Validate some paths; Ctrl-C raises KeyboardInterrupt once the run is in order."""
        from solvent.batch.library import open_run
        from solvent.batch.rows import row_of
        from solvent.batch.sources.find import find_sources, with_mappings

        sources = find_sources(paths, domain=self.domain, without=self.without, exclude=self.exclude)
        configuration = current_configuration()
        if configuration is not None:
            sources = with_mappings(sources, configuration.mapping_for)
        found: dict[str, Verdicts] = {}
        options = replace(self.options, token=f"watch {os.getpid()} {time.time_ns()}")
        with open_run(sources, self.settings, options) as validation, self.stopping(validation) as signals, validation:
            for validated in validation:
                row = row_of(validated.reading, validated.question, validated.outcome)
                verdicts = found.setdefault(row.name, {})
                if row.question is None:
                    verdicts[""] = row.status or UNRECOGNISED
                else:
                    verdicts[row.question] = row.status or "not asked"
        if signals:
            raise KeyboardInterrupt
        return found


def watch(watching: Watch) -> int:
    """Validate everything, then what changes, until Ctrl-C; returns the exit code."""
    try:
        before = watching.files()
        _validate(watching, watching.paths, "")
        say(f"Watching {counted(len(before), 'file')}; Ctrl-C ends.")
        while True:
            after = _wait_for_change(watching, before)
            changed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
            before = after
            _take_change(watching, changed)
    except KeyboardInterrupt:
        complain("stopped watching; every answer is kept")
        return exits.CANCELLED


def _wait_for_change(watching: Watch, before: Mapping[str, Stamp]) -> dict[str, Stamp]:
    """Return the files after a change, once they stay the same."""
    while True:
        began = time.process_time()
        after = watching.files()
        took = time.process_time() - began
        if after != before:
            break
        time.sleep(max(POLL_SECONDS, took / SHARE_OF_TIME))
    while True:
        time.sleep(SETTLING_SECONDS)
        settled = watching.files()
        if settled == after:
            return after
        after = settled


def _take_change(watching: Watch, changed: set[str]) -> None:
    configuration = current_configuration()
    if configuration is not None and configuration.file in changed:
        _restart(configuration.file)
        return
    mappings = set() if configuration is None else set(configuration.files())
    if changed & mappings:
        say(f"{_now()}  {', '.join(sorted(changed & mappings))} changed: everything again")
        _validate(watching, watching.paths, "")
        return
    levels, others = set(), False
    for path in changed:
        was = watching.known.get(path)
        if os.path.exists(path):
            levels.add(path)
        elif was is not None and UNRECOGNISED not in was.values():
            say(f"{_now()}  {path}  removed (was {_told(was)})")
            del watching.known[path]
        else:
            others = True
    if levels:
        others |= UNRECOGNISED in _validate(watching, sorted(levels), ", ".join(sorted(levels)))
    if others:  # a tile set, a graph, a mapping beside: any level may go by it
        _validate(watching, watching.paths, "other files")


def _validate(watching: Watch, paths: Sequence[str], what: str) -> set[str]:
    """Validate paths and say what changed; returns every status there was."""
    from solvent.batch.rows import STATUSES

    try:
        found = watching.validate(paths)
    except SolventError as error:  # such as a folder that is gone for a moment
        complain(error)
        return set()
    rows = [
        (name, question, watching.known.get(name, {}).get(question), status)
        for name, verdicts in found.items()
        for question, status in verdicts.items()
        if watching.known.get(name, {}).get(question) != status and status != UNRECOGNISED
    ]
    first = not watching.known
    watching.known.update(found)
    shown = [row for row in rows if row[3] != "PASS"] if first else rows
    _say_rows(shown)
    if first or not rows:
        every = [status for verdicts in watching.known.values() for status in verdicts.values()]
        occurring = (each for each in STATUSES if each in every)
        totals = ", ".join(f"{every.count(each)} {each}" for each in occurring)
        say(f"{_now()}  {f'{what}: no verdict changed; ' if what else ''}{totals or 'no levels'}")
    return {status for verdicts in found.values() for status in verdicts.values()}


def _say_rows(rows: Iterable[tuple[str, str, str | None, str]]) -> None:
    listed = list(rows)
    widest = max((len(name) for name, *_ in listed), default=0)
    wide = max((len(question) for _, question, *_ in listed), default=0)
    for name, question, was, status in listed:
        said = status if was is None else f"{was} -> {status}"
        say(f"{_now()}  {name:<{widest}}  {question:<{wide}}  {said}".rstrip())


def _restart(file: str) -> None:
    """Begin anew by the changed configuration; one that cannot be used is waited for."""
    from solvent.configuration import load

    try:
        require_valid(load(file))
    except ConfigurationError as error:
        complain(error)
        return
    say(f"{_now()}  {file} changed: starting again")
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *_words()])  # noqa: S606


def _words() -> list[str]:
    """Return the words that start this command again."""
    return [*sys.orig_argv[1:]]


def _stamp(path: str) -> Stamp | None:
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino


def _told(verdicts: Mapping[str, Any]) -> str:
    return ", ".join(f"{question} {status}".strip() for question, status in verdicts.items())


def _now() -> str:
    return time.strftime("%H:%M:%S")
