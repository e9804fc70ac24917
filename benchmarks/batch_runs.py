"""Run a command as a process of its own and see what it takes: time, processor time, memory, and what it stored."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import PROJECT

SECONDS_BETWEEN_SAMPLES = 0.02
STEADY_FROM = 0.1
"""The share of answers after which all workers are at work, with their kernels loaded."""


@dataclass(frozen=True, slots=True)
class Used:
    """Hold what a process and all it started took."""

    seconds: float
    """From its start to its end."""
    cpu_seconds: float
    """Of the process and everything it started."""
    leader_cpu_seconds: float | None
    """Of the process alone; None where the system does not tell."""
    samples: Sequence[tuple[float, float]]
    """Times since 1970, and the megabytes that the process alone held then."""
    finished: bool = True
    """Whether it came to its end; it did not if it was interrupted."""
    printed: str = ""
    """What it wrote to its standard output."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Hold what one answer took, as the store says."""

    finished: float
    """When, in seconds since 1970."""
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class BatchRun:
    """Hold one run over a corpus."""

    jobs: int
    used: Used
    solved: Sequence[Solved]
    """In the order in which they were finished."""
    reading_seconds: float = 0.0
    """What workers spent on reading the instances."""

    @property
    def rate(self) -> float:
        """Return the answers a second, starting and ending included."""
        return len(self.solved) / self.used.seconds

    @property
    def steady_rate(self) -> float:
        """Return the answers a second while all workers were at work."""
        rest, seconds = self._steady()
        return len(rest) / seconds

    @property
    def rest(self) -> float:
        """Return the share of the workers' time that went into no instance, starting and ending included."""
        at_work = sum(one.seconds for one in self.solved) + self.reading_seconds
        return 1 - at_work / (self.jobs * self.used.seconds)

    @property
    def steady_shares(self) -> dict[str, float]:
        """Return the shares of the workers' time while all were at work: solving, reading, and the rest.

        Nobody keeps when an instance was read, so reading is taken to go on evenly.
        """
        rest, seconds = self._steady()
        at_hand = self.jobs * seconds
        solving = sum(one.seconds for one in rest) / at_hand
        reading = self.reading_seconds * len(rest) / len(self.solved) / at_hand
        return {"solving": solving, "reading": reading, "rest": 1 - solving - reading}

    @property
    def solving_cpu_seconds(self) -> float:
        """Return the processor time that went into instances."""
        return sum(one.cpu_seconds for one in self.solved)

    def megabytes_at(self, shares: Sequence[float]) -> list[float] | None:
        """Return what the leader held when these shares of the answers were there; None where nobody could look."""
        if not self.used.samples or not self.solved:
            return None
        found = []
        for share in shares:
            then = self.solved[max(0, round(share * len(self.solved)) - 1)].finished
            found.append(min(self.used.samples, key=lambda sample: abs(sample[0] - then))[1])
        return found

    def _steady(self) -> tuple[Sequence[Solved], float]:
        first = int(STEADY_FROM * (len(self.solved) - 1))
        rest = self.solved[first + 1 :]
        return rest, max(1e-9, self.solved[-1].finished - self.solved[first].finished)


def validate(corpus: Path, question: str, jobs: int, store: Path) -> BatchRun:
    """Run `solvent validate` over a folder, as anybody would."""
    words = [str(corpus), "--ask", question, "--jobs", str(jobs), "--store", str(store), "--quiet"]
    used = measure([sys.executable, "-m", "solvent", "validate", *words])
    return BatchRun(jobs, used, *read_store(store))


SPIN = """
import sys, time
turns, until = 0, time.perf_counter() + float(sys.argv[1])
while time.perf_counter() < until:
    turns += sum(range(100)) > 0
print(turns)
"""
"""Count for a while how often a little sum can be made."""


def spin(jobs: int, seconds: float) -> int:
    """Return how much so many processes get done together that do nothing but count: what the machine has to give."""
    command = [sys.executable, "-c", SPIN, str(seconds)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(jobs)]
    return sum(int(process.communicate()[0]) for process in processes)


def measure(command: Sequence[str], *, every: float = SECONDS_BETWEEN_SAMPLES, interruptible: bool = False) -> Used:
    """Run a command to its end, looking at it from outside; raises RuntimeError if it fails.

    An interruption ends it. With `interruptible` it is asked to end, as Ctrl-C does, and what it took is returned.
    """
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as printed:
        began = time.perf_counter()
        # In a session of its own, so that Ctrl-C reaches it only from here.
        process = subprocess.Popen(
            command, cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors, start_new_session=True
        )
        samples: list[tuple[float, float]] = []
        leader_cpu: float | None = None
        interrupted = False
        try:
            while True:
                try:
                    ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                    if ended:
                        break
                    with contextlib.suppress(OSError, IndexError):  # it may be gone by now, or nobody tells
                        samples.append((time.time(), held_megabytes(process.pid)))
                        leader_cpu = own_cpu_seconds(process.pid)
                    time.sleep(every)
                except KeyboardInterrupt:
                    if not interruptible or interrupted:
                        raise
                    interrupted = True
                    process.send_signal(signal.SIGINT)
        except BaseException:
            process.kill()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
        if process.returncode and not interrupted:
            errors.seek(0)
            told = errors.read()[-2000:].decode(errors="replace")
            raise RuntimeError(f"{' '.join(command)} ended with exit code {process.returncode}: {told}")
        printed.seek(0)
        said = printed.read().decode(errors="replace")
    cpu_seconds = usage.ru_utime + usage.ru_stime
    return Used(seconds, cpu_seconds, leader_cpu, samples, finished=not process.returncode, printed=said)


def held_megabytes(process: int) -> float:
    """Return the megabytes that a process holds; OSError where the system does not tell."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def own_cpu_seconds(process: int) -> float:
    """Return the processor time of a process without that of its children; OSError where the system does not tell."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def read_store(store: Path) -> tuple[list[Solved], float]:
    """Return what a store says about the answers YES of its first run, and how long reading took."""
    with contextlib.closing(sqlite3.connect(store)) as connection:
        answers = connection.execute(
            "SELECT DISTINCT answer.id, finished, seconds, cpu_seconds FROM answer JOIN run_answer"
            " ON run_answer.answer = answer.id WHERE run = 1 AND verdict = 'YES' ORDER BY finished"
        ).fetchall()
        (reading_seconds,) = connection.execute("SELECT sum(seconds) FROM item WHERE run = 1").fetchone()
    return [Solved(*row[1:]) for row in answers], reading_seconds or 0.0


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Give a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="solvent-bench-") as folder:
        yield Path(folder)
