"""Compare the Harmony solver with its own parts, board by board."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import solvent
from benchmarks.harmony_boards import BoardClass, Size, spoil
from benchmarks.harmony_contenders import (
    BASE,
    CONTENDERS,
    WITH_TESTS,
    WITHOUT_TESTS,
    Contender,
    wait_for_quiet,
)
from benchmarks.measures import Run, median_of, summarise
from benchmarks.repeats import take_turns
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.core.events import ignore
from solvent.harmony.model import Board

WARM_UP = Size(4, 12)
WARM_UP_SEEDS = range(1000, 1004)
"""Beyond the seeds that are measured."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Say what each contender may spend on one board."""

    seconds: float | None = 10.0
    """The portfolio's time."""
    slow_seconds: float | None = 2.0
    """Everybody else's."""
    nodes: int | None = None
    """Everybody's nodes, for runs that must repeat exactly."""
    patience: int | None = 3
    """A slow contender that decides none of so many boards sits out the rest of the class; None is for ever."""

    def of(self, contender: Contender) -> Budget:
        """Return the budget of one contender."""
        return Budget(seconds=self.slow_seconds if contender.slow else self.seconds, nodes=self.nodes)


def warm_up() -> None:
    """Import everything, so that nobody pays for it on the clock."""
    for seed in WARM_UP_SEEDS:
        for board in (WARM_UP.generate(seed), spoil(WARM_UP.generate(seed), seed)):
            for contender in CONTENDERS:
                contender.attempt(board, Budget(seconds=1.0), ignore)
    wait_for_quiet()
    gc.freeze()  # what is loaded by now stays; collecting need not look at it again


def run_class(
    boards: BoardClass, limits: Limits, contenders: Sequence[Contender] = CONTENDERS
) -> Iterator[tuple[int, list[Run]]]:
    """Let all contenders try each board in turn; yields how many boards are done and the runs on the last one.

    Who goes first changes from board to board, so that what else the machine does hits them alike.
    """
    tried: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    for index, (name, board) in enumerate(boards.boards.items()):
        runs = []
        gc.collect()  # so that nobody pays for what the board before left behind
        for contender in take_turns(contenders, index):
            hopeless = tried[contender.name] == limits.patience and decided[contender.name] == 0
            if contender.slow and hopeless:
                continue
            run = run_one(boards.name, name, board, contender, limits.of(contender))
            runs.append(run)
            # Only the first few boards can make a contender sit out; one answer among them and it stays.
            if limits.patience is None or tried[contender.name] < limits.patience:
                tried[contender.name] += 1
            decided[contender.name] += run.decided
        yield index + 1, runs


def run_one(group: str, name: str, board: Board, contender: Contender, budget: Budget) -> Run:
    """Let one contender try one board."""
    wait_for_quiet()
    began = time.perf_counter()
    outcome = contender.attempt(board, budget, ignore)
    seconds = time.perf_counter() - began
    check_seconds = None
    if outcome.certificate is not None:
        began = time.perf_counter()
        solvent.check(board, outcome.certificate)
        check_seconds = time.perf_counter() - began
    return Run(
        group=group,
        instance=name,
        contender=contender.name,
        verdict=outcome.verdict,
        seconds=seconds,
        certified=outcome.certificate is not None,
        check_seconds=check_seconds,
        nodes=int(outcome.stats.get("nodes", 0)),
        answered_by=outcome.stats.get("answered_by"),
        reason=outcome.reason,
        tests=outcome.stats.get("invalidity_tests", {}),
    )


def report(classes: Sequence[BoardClass], runs: Sequence[Run], limits: Limits) -> dict[str, Any]:
    """Gather everything the tables show and the JSON file holds, except machine and commit."""
    return {
        "limits": asdict(limits),
        "classes": [
            {"name": group.name, "instances": len(group.boards), "left_out": group.left_out} for group in classes
        ],
        "summary": [row for group in classes for row in _summary_rows(group.name, runs)],
        "invalidity_tests": count_tests(run for run in runs if run.contender == WITH_TESTS),
        "worth_of_tests": [row for group in classes if (row := worth_of_tests(group.name, runs))],
        "disagreements": find_disagreements(runs),
        "runs": [run.as_json() for run in runs],
    }


def _summary_rows(group: str, runs: Sequence[Run]) -> Iterator[dict[str, Any]]:
    here = [run for run in runs if run.group == group]
    base = [run for run in here if run.contender == BASE]
    for contender in CONTENDERS:
        own = [run for run in here if run.contender == contender.name]
        if own:
            yield summarise(own, base)


def count_tests(runs: Iterable[Run]) -> list[dict[str, Any]]:
    """Add up what each invalidity test did in these runs, in the order the tests are called."""
    total: dict[str, dict[str, float]] = {}
    for run in runs:
        for name, count in run.tests.items():
            entry = total.setdefault(name, {"calls": 0, "hits": 0, "seconds": 0.0})
            for key in entry:
                entry[key] += count[key]
    rows = sorted(total.items(), key=lambda item: -item[1]["calls"])  # a test is called when those before did not fire
    return [{"test": name, **entry, "hit_rate": entry["hits"] / entry["calls"]} for name, entry in rows]


def worth_of_tests(group: str, runs: Sequence[Run]) -> dict[str, Any] | None:
    """Compare the search with and without its tests, on the boards of one class that both decided.

    Seconds are compared where both found a plan: for a NO, only the search with tests also writes a proof.
    """
    pairs: dict[str, dict[str, Run]] = {}
    for run in runs:
        if run.group == group and run.contender in (WITH_TESTS, WITHOUT_TESTS):
            pairs.setdefault(run.instance, {})[run.contender] = run
    tried = [(pair[WITH_TESTS], pair[WITHOUT_TESTS]) for pair in pairs.values() if len(pair) == 2]
    if not tried:
        return None
    both = [(tested, bare) for tested, bare in tried if tested.decided and bare.decided]
    planned = [pair for pair in both if pair[0].verdict is Verdict.YES]
    return {
        "class": group,
        "tried": len(tried),
        "both": len(both),
        "only_with": sum(tested.decided and not bare.decided for tested, bare in tried),
        "only_without": sum(bare.decided and not tested.decided for tested, bare in tried),
        "nodes_with": median_of([tested.nodes for tested, _ in both]),
        "nodes_without": median_of([bare.nodes for _, bare in both]),
        "nodes_ratio": _ratio_of_medians(both, lambda run: run.nodes),
        "seconds_ratio": _ratio_of_medians(planned, lambda run: run.seconds),
    }


def _ratio_of_medians(pairs: Sequence[tuple[Run, Run]], number: Callable[[Run], float]) -> float | None:
    one = median_of([number(bare) for _, bare in pairs])
    base = median_of([number(tested) for tested, _ in pairs])
    return one / base if one is not None and base else None


def find_disagreements(runs: Iterable[Run]) -> list[str]:
    """Return the boards that one contender calls solvable and another impossible: a bug if there is any."""
    verdicts: dict[tuple[str, str], set[Verdict]] = {}
    for run in runs:
        verdicts.setdefault((run.group, run.instance), set()).add(run.verdict)
    return [f"{group}, {name}" for (group, name), said in verdicts.items() if {Verdict.YES, Verdict.NO} <= said]
