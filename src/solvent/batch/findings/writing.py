"""Make the files: one pass over a run feeds all of them, and each is there as a whole or not at all."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from solvent.batch.findings.entry import Entries, Entry
from solvent.batch.findings.writer import About, Writer
from solvent.version import __version__

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow


class Format(NamedTuple):
    """Name a format and what writes it."""

    module: str
    writer: str
    text: str
    """What it is, for the help of a command."""


FORMATS: Mapping[str, Format] = {
    "junit": Format("junit", "JUnitWriter", "JUnit XML, which Jenkins, GitLab and others show as tests"),
    "sarif": Format("sarif", "SarifWriter", "SARIF 2.1.0, which code scanning and editors read"),
    "gitlab": Format("gitlab", "GitLabWriter", "GitLab's code quality report"),
    "markdown": Format("markdown", "MarkdownWriter", "a summary in Markdown"),
    "github": Format("github", "GitHubWriter", "GitHub's annotations"),
}


class Target(NamedTuple):
    """Say what is written where."""

    format: str
    path: str
    """A file, or `-` for the stream that is given."""
    append: bool = False
    """Whether to write at the end of a file that others write to as well."""


def write_findings(
    targets: Collection[Target],
    standard_output: IO[bytes],
    *,
    store: Store | None,
    run: RunRow | None,
    named: Collection[int] = (),
    exit_code: int | None = None,
    mapping_for: Callable[[str], str | None] = lambda _path: None,
) -> None:
    """Write what a run found to all targets; raises OSError if one cannot be written, and then makes no file.

    `named` are the numbers of unrecognised files that were meant to be instances, where that is known; `mapping_for`
    tells by which mapping a file was read. Without a store there was nothing to ask, and the files say so.
    """
    if not targets:
        return
    entries: Iterable[Entry] = ()
    about = About(version=__version__, timestamp=_moment(time.time()), exit_code=exit_code)
    if store is not None and run is not None:
        entries, about = Entries(store, run, named=named, mapping_for=mapping_for), _about(store, run, exit_code)
    with contextlib.ExitStack() as stack:
        writers = [_open(target, about, standard_output, stack) for target in targets]
        for entry in entries:
            for writer in writers:
                writer.add(entry)
        for writer in writers:
            writer.end()


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def _about(store: Store, run: RunRow, exit_code: int | None) -> About:
    from solvent.batch.store.reading import count_remarks
    from solvent.registry import all_domains

    remarks = [
        (domain.name, remark, files)
        for domain in all_domains()
        if domain.remarks_matter
        for remark, files in count_remarks(store, run.id, domain.name)[0]
    ]
    return About(
        version=__version__,
        timestamp=_moment(run.began),
        state=run.state,
        exit_code=exit_code,
        command=run.command,
        remarks=remarks,
    )


def _open(target: Target, about: About, standard_output: IO[bytes], stack: contextlib.ExitStack) -> Writer:
    chosen = FORMATS[target.format]
    module = importlib.import_module(f"solvent.batch.findings.{chosen.module}")
    file = stack.enter_context(_opened(target, standard_output))
    writer: Writer = getattr(module, chosen.writer)(file, about)
    return writer


@contextlib.contextmanager
def _opened(target: Target, standard_output: IO[bytes]) -> Iterator[IO[str]]:
    if target.path == "-":
        text = io.TextIOWrapper(standard_output, encoding="utf-8", errors="replace", newline="\n")
        try:
            yield text
            text.flush()
        finally:
            text.detach()  # the stream is the caller's to close
        return
    path = Path(target.path)
    if target.append or (path.exists() and not path.is_file()):  # a device or a pipe takes no other name
        with path.open("a", encoding="utf-8", errors="replace", newline="\n") as file:
            yield file
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
