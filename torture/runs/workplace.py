"""Where runs are disturbed: a corpus, what an undisturbed run makes of it, and what must hold at the end."""

from __future__ import annotations

import contextlib
import csv
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from batch.faults_command import Commands, Running
from batch.faults_store import contents, query
from batch.hostile import install
from helpers.command import Ran
from helpers.processes import PATIENCE, looking
from torture.campaign import Tally

STORE = "results/validation.db"
REFERENCE = "reference/validation.db"
NEWEST_TABLE = """
    SELECT item.number, item.name, read_as, run_answer.question, verdict, cause, certified
    FROM item
    LEFT JOIN run_answer ON run_answer.run = item.run AND run_answer.number = item.number
    LEFT JOIN answer ON answer.id = run_answer.answer
    WHERE item.run = (SELECT max(id) FROM run) ORDER BY 1, 4
"""
CODES = (0, 1)
"""How a run over the corpus ends by itself: 1 says that the solver of an instance has a bug."""


class Failure(Exception):
    """Say what went wrong, by its kind."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(what)
        self.kind = kind


class Workplace:
    """Hold a corpus with what an undisturbed run makes of it, and start commands on it."""

    def __init__(self, folder: Path, tally: Tally, write: Callable[[Path], tuple[str, ...]]) -> None:
        _unmount_below(folder)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder = folder.resolve()
        self.tally = tally
        self.environment = {**install(folder), "COLUMNS": "80"}
        self.commands = Commands(folder, self.environment)
        self.words = write(folder)
        self.store = folder / STORE
        ran = self.commands.run(*self.words, store=REFERENCE)
        if ran.code not in CODES:
            raise RuntimeError(f"an undisturbed run ended with {ran.code}: {ran.err}")
        self.code = ran.code
        self.expected = contents(folder / REFERENCE)
        self.table = query(folder / REFERENCE, NEWEST_TABLE)
        """A row for each instance and question, as an undisturbed run has them."""

    def close(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextlib.contextmanager
    def fresh_store(self) -> Iterator[None]:
        """Begin without a store, and leave no process behind."""
        shutil.rmtree(self.store.parent, ignore_errors=True)
        for leftover in (*self.folder.glob("*.out"), *self.folder.glob("*.err")):
            leftover.unlink()
        yield
        left = self.commands.processes()
        if left:
            raise Failure("hung", f"processes that nobody waits for go on: {left}")

    def start(self, *more: str, store: str = STORE, **how: Any) -> Running:
        """Start the run."""
        return self.commands.start(*self.words, *more, store=store, **how)

    def finish(self, *more: str, store: str = STORE) -> Ran:
        """Run the same command, undisturbed, to its end."""
        ran = self.commands.run(*self.words, *more, store=store)
        if ran.code not in CODES or "Traceback" in ran.err:
            raise Failure("crashed", f"going on ended with {ran.code}: {ran.err[-1500:]}")
        return ran

    def command(self, *words: str, code: int | None = 0) -> Ran:
        """Run another command of Solvent to its end; with a code, it must end with that."""
        done = subprocess.run(
            [sys.executable, "-m", "solvent", *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
        )
        if "Traceback" in done.stderr or (code is not None and done.returncode != code):
            raise Failure("crashed", f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-1500:]}")
        return Ran(done.returncode, done.stdout, done.stderr)

    def stored_keys(self, store: Path | None = None) -> set[str]:
        """Return the keys of all answers that are committed."""
        return {key for (key,) in query(store or self.store, "SELECT key FROM answer")}

    def require_kept(self, before: set[str], store: Path | None = None) -> None:
        """Make sure that what was committed then is there still."""
        lost = before - self.stored_keys(store)
        if lost:
            raise Failure("lost", f"{len(lost)} answers that were stored are gone")

    def require_same_table(self, store: str = STORE) -> None:
        """Make sure that a store is whole, and its newest run says the same as one that nobody disturbed."""
        found = contents(self.folder / store)
        table = query(self.folder / store, NEWEST_TABLE)
        if table != self.table:
            missing, more = Counter(self.table) - Counter(table), Counter(table) - Counter(self.table)
            raise Failure("lost", f"the table differs: without {list(missing)[:5]}, but with {list(more)[:5]}")
        doubled = [key for key, times in Counter(row[:2] for row in found.answers).items() if times > 1]
        if doubled:
            raise Failure("lost", f"answers are stored twice: {doubled[:5]}")
        self.command("check", "--store", store)

    def require_same_store(self, store: str = STORE) -> None:
        """Make sure that a store holds exactly what that of an undisturbed run holds, but for times."""
        found = contents(self.folder / store)
        for name in ("runs", "instances", "items", "answers", "links"):
            if getattr(found, name) != getattr(self.expected, name):
                one, other = set(map(repr, getattr(found, name))), set(map(repr, getattr(self.expected, name)))
                raise Failure("lost", f"{name} differ: {sorted(one ^ other)[:4]}")
        self.require_same_table(store)

    def require_csv(self, path: Path) -> None:
        """Make sure that a table has a line for each answer, once."""
        with path.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.DictReader(lines))
        if len(rows) != len(self.table):
            raise Failure("lost", f"the CSV table has {len(rows)} lines, expected {len(self.table)}")


def wait_for_a_moment(place: Workplace, running: Running, dice: Random) -> str:
    """Wait a while, and return until what: some time, the workers, the first commits, or some number of them."""
    kind = dice.choice(["time", "workers", "store", "written"])
    if kind == "time":
        pause(running, dice.uniform(0.0, 1.8))
    elif kind == "workers":  # before the first answer is stored
        running.wait_for(running.workers)
    elif kind == "store":
        running.wait_for(place.store.exists)
    else:
        log = place.store.with_name(f"{place.store.name}-wal")
        sizes: list[int | None] = [None]
        changes = dice.randint(1, 12)

        def written_often_enough() -> bool:
            with contextlib.suppress(FileNotFoundError):
                size = log.stat().st_size
                if size != sizes[-1]:
                    sizes.append(size)
            return len(sizes) > changes

        running.wait_for(written_often_enough)
    pause(running, dice.choice([0.0, dice.uniform(0.0, 0.05), dice.uniform(0.0, 0.4)]))
    return kind


def pause(running: Running, seconds: float) -> None:
    """Let a command go on for a while; shorter if it ends."""
    began = next(looking())
    running.wait_for(lambda: next(looking()) - began >= seconds)


def is_finished(store: Path) -> bool:
    """Tell whether the newest run has come to its end."""
    return query(store, "SELECT state FROM run ORDER BY id DESC LIMIT 1") == [("finished",)]


def end(process: int | None, number: int) -> bool:
    """Send a signal to a process; False if it was gone already."""
    if process is None:
        return False
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return False
    return True


def _unmount_below(folder: Path) -> None:
    """Take away the small disks that a campaign left which was killed."""
    with contextlib.suppress(OSError), open("/proc/self/mounts", encoding="utf-8") as lines:
        for place in [Path(line.split()[1]) for line in lines]:
            if place.is_relative_to(folder.resolve()):
                subprocess.run(["umount", "-l", str(place)], check=False, capture_output=True)
