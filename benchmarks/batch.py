"""Measure `solvent validate`: how it scales over cores, what it costs beside solving, what it holds, how it goes on.

Every run is a process of its own with a store of its own, as anybody would start it. Importing
a solver is on the clock, once for each worker.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import solvent
from benchmarks.batch_runs import BatchRun, Used, measure, scratch, spin, validate
from benchmarks.measures import median_of

DECILES = tuple(tenth / 10 for tenth in range(1, 11))
FEW = 40
"""How many instances a run has that shows what starting alone costs."""
SYMMETRIES = 8
SPIN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Corpus:
    """Say what is validated."""

    name: str
    question: str
    count: int
    make: Callable[[int], Iterator[str]]
    """Yields the texts of as many instances as asked for, all solvable and no two alike."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Say how much is measured."""

    scaling: Corpus
    rounds: int
    small: tuple[Corpus, ...]
    jobs: tuple[int, ...]
    """Numbers of workers to compare, the first with the others."""


def make_plan(*, quick: bool) -> Plan:
    """Return what is measured; `quick` is a glance."""
    boards, puzzles = (400, 160) if quick else (10_000, 10_000)
    return Plan(
        scaling=Corpus("Star Battle 10-2", "unique", 80 if quick else 1_600, lambda count: make_puzzles(10, 2, count)),
        rounds=1 if quick else 3,
        small=(
            Corpus("Harmony 3×3 K=6", "solvable", boards, make_boards),
            Corpus("Star Battle 8-1", "unique", puzzles, lambda count: make_puzzles(8, 1, count)),
        ),
        jobs=(1, 2),
    )


def make_boards(count: int, *, cols: int = 3, swaps: int = 6) -> Iterator[str]:
    """Yield Harmony boards of three rows, nine tiles and six swaps unless told otherwise, all solvable."""
    seen: set[int] = set()  # hashes are small, and whoever is taken for another by mistake is just left out
    seed = 0
    while len(seen) < count:
        text = solvent.format(solvent.generate("harmony", rows=3, cols=cols, swaps=swaps, seed=seed))
        seed += 1
        if hash(text) not in seen:
            seen.add(hash(text))
            yield text


def make_puzzles(size: int, stars: int, count: int) -> Iterator[str]:
    """Yield Star Battle puzzles with one solution: generated ones, each turned and mirrored."""
    seen: set[str] = set()
    seed = 0
    while len(seen) < count:
        head, *rows = solvent.format(solvent.generate("starbattle", size=size, stars=stars, seed=seed)).split()[1:]
        seed += 1
        for text in _turned_and_mirrored(rows):
            # The names of regions are given anew, so that two that look alike are alike.
            text = solvent.format(solvent.parse(f"{size} {head}\n{text}\n", domain="starbattle"))
            if text not in seen and len(seen) < count:
                seen.add(text)
                yield text


def _turned_and_mirrored(rows: Sequence[str]) -> Iterator[str]:
    for _ in range(SYMMETRIES // 2):
        yield "\n".join(rows)
        yield "\n".join(row[::-1] for row in rows)
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]


def write_corpus(corpus: Corpus, folder: Path, count: int | None = None) -> Path:
    """Write the instances of a corpus into a new folder, one file each."""
    folder.mkdir()
    for number, text in enumerate(corpus.make(corpus.count if count is None else count)):
        (folder / f"{number:05}.txt").write_text(text)
    return folder


def run_scaling(plan: Plan, tell: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Yield a row for each number of workers: the same corpus, round by round in turning order.

    Beside each run, as many processes that only count tell what the machine has to give at that time.
    """
    corpus = plan.scaling
    runs: dict[int, list[BatchRun]] = {jobs: [] for jobs in plan.jobs}
    turns: dict[int, list[int]] = {jobs: [] for jobs in plan.jobs}
    with scratch() as place:
        tell(f"{corpus.name}: making {corpus.count:,}")
        folder = write_corpus(corpus, place / "corpus")
        validate(write_corpus(corpus, place / "few", FEW), corpus.question, 1, place / "few.db")
        for number in range(plan.rounds):
            for jobs in plan.jobs if number % 2 == 0 else plan.jobs[::-1]:
                tell(f"{corpus.name}: round {number + 1} of {plan.rounds}, {jobs} at once")
                before = spin(jobs, SPIN_SECONDS)
                runs[jobs].append(validate(folder, corpus.question, jobs, place / f"{number}-{jobs}.db"))
                turns[jobs].append(before + spin(jobs, SPIN_SECONDS))
    for jobs, several in runs.items():
        alone = runs[plan.jobs[0]]
        yield {
            "corpus": corpus.name,
            "jobs": jobs,
            "instances": corpus.count,
            "answered": [len(run.solved) for run in several],
            "seconds": [round(run.used.seconds, 3) for run in several],
            "rate": median_of([run.rate for run in several]),
            "ratio": median_of([run.rate / first.rate for run, first in zip(several, alone, strict=True)]),
            "steady_ratio": median_of(
                [run.steady_rate / first.steady_rate for run, first in zip(several, alone, strict=True)]
            ),
            "machine_ratio": median_of(
                [each / first for each, first in zip(turns[jobs], turns[plan.jobs[0]], strict=True)]
            ),
            "cpu_ms_an_answer": median_of([1000 * run.used.cpu_seconds / corpus.count for run in several]),
        }


def run_small(plan: Plan, tell: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    """Yield a row for each corpus of small instances and number of workers, with a run that goes on and a peer."""
    for corpus in plan.small:
        with scratch() as place:
            tell(f"{corpus.name}: making {corpus.count:,}")
            folder = write_corpus(corpus, place / "corpus")
            few = write_corpus(corpus, place / "few", FEW)
            validate(few, corpus.question, 1, place / "warm.db")
            for jobs in plan.jobs:
                tell(f"{corpus.name}: {jobs} at once")
                start = validate(few, corpus.question, jobs, place / f"few-{jobs}.db")
                run = validate(folder, corpus.question, jobs, place / f"{jobs}.db")
                tell(f"{corpus.name}: {jobs} at once, again")
                start_again = validate(few, corpus.question, jobs, place / f"few-{jobs}.db")
                again = validate(folder, corpus.question, jobs, place / f"{jobs}.db")
                tell(f"{corpus.name}: {jobs} at once, a plain process pool")
                peer = measure_alternative(folder, corpus.question, jobs)
                yield describe_small(corpus, run, start, again.used, start_again.used, peer)


def measure_alternative(folder: Path, question: str, jobs: int) -> Used:
    """Have a plain process pool do the same."""
    return measure([sys.executable, "-m", "benchmarks.batch_alternative", str(folder), question, str(jobs)])


def describe_small(
    corpus: Corpus, run: BatchRun, start: BatchRun, again: Used, start_again: Used, peer: Used
) -> dict[str, Any]:
    """Make a row of a run, of one with few instances that shows what starting costs, and of what it is compared with.

    Processor time an answer is what the long run took more than the short one, so that neither starting counts nor
    whatever else the machine does.
    """
    more = max(1, len(run.solved) - len(start.solved))
    solving = run.solving_cpu_seconds - start.solving_cpu_seconds
    in_all = run.used.cpu_seconds - start.used.cpu_seconds
    leader = None
    if run.used.leader_cpu_seconds is not None and start.used.leader_cpu_seconds is not None:
        leader = (run.used.leader_cpu_seconds - start.used.leader_cpu_seconds) / more * 1e6
    return {
        "corpus": corpus.name,
        "jobs": run.jobs,
        "instances": corpus.count,
        "answered": [len(run.solved)],
        "seconds": [round(run.used.seconds, 3)],
        "rate": run.rate,
        "solving_ms": 1000 * run.solving_cpu_seconds / max(1, len(run.solved)),
        "steady": run.steady_shares,
        "rest": run.rest,
        "cpu_beside_solving": 1 - solving / in_all if in_all > 0 else None,
        "leader_us_an_answer": leader,
        "start_seconds": start.used.seconds,
        "start_cpu_seconds": start.used.cpu_seconds,
        "megabytes": run.megabytes_at(DECILES),
        "again_seconds": again.seconds,
        "again_us_an_instance": 1e6 * (again.cpu_seconds - start_again.cpu_seconds) / more,
        "peer_seconds": peer.seconds,
        "peer_ratio": peer.seconds / run.used.seconds,
        "peer_cpu_ratio": peer.cpu_seconds / run.used.cpu_seconds,
    }


def report(scaling: Sequence[dict[str, Any]], small: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Put everything together, with a line for each run that did not answer everything."""
    wrong = [
        f"{row['corpus']} with {row['jobs']} at once: {row['instances']:,} instances, {answered:,} answers"
        for row in (*scaling, *small)
        for answered in row["answered"]
        if answered != row["instances"]
    ]
    return {"scaling": list(scaling), "small": list(small), "wrong": wrong}
