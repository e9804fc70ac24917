"""The clock and a cancellation end the looking for a step; nothing is shown then that depends on the machine."""

from __future__ import annotations

import pytest

import solvent
from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Budget, Cancellation
from solvent.starbattle.generator import generate
from solvent.starbattle.hints import verifier
from solvent.starbattle.hints.application import OutOfWork, Stopped, Work
from solvent.starbattle.hints.path import explained, walk
from solvent.starbattle.hints.position import position_of
from solvent.starbattle.hints.steps import SearchRecord, StepLimits, next_step
from solvent.starbattle.hints.verifier import Verification, Verifier
from solvent.starbattle.model import Puzzle

LATE = Reason(Cause.TIME, "limit 0 s")


def test_work_looks_at_the_clock_now_and_then():
    looks = []

    def stop() -> Reason | None:
        looks.append(work.spent)
        return LATE if work.spent > 3 * Work.UNITS_BETWEEN_CHECKS else None

    def spend_much() -> None:
        for _ in range(100_000):
            work.spend()

    work = Work(stop=stop)
    with pytest.raises(Stopped) as caught:
        spend_much()
    assert caught.value.reason is LATE
    assert 4 <= len(looks) <= 6
    with pytest.raises(OutOfWork):
        Work(5, stop=lambda: LATE).spend(6)  # what was allowed is counted first, so that it is the same everywhere


def test_a_walk_that_is_stopped_ends_nowhere():
    position = position_of(generate(size=6, stars=1, seed=3))
    assert walk(position) is not None
    assert walk(position, stop=lambda: LATE) is None


def test_a_check_that_the_clock_ends_shows_nothing_at_all(monkeypatch: pytest.MonkeyPatch):
    """The next proposal may be provable in time, but a faster machine would have shown the first."""

    def too_slow(puzzle: Puzzle, cell: int, value: str, *, budget: object) -> Verification:
        return Verification(verifier.Status.INCONCLUSIVE, cell, value, 0, True, False, 1, LATE)

    monkeypatch.setattr(verifier, "check_forced", too_slow)
    with pytest.raises(Stopped):
        next_step(position_of(generate(size=6, stars=1, seed=3)), Verifier(), StepLimits(), SearchRecord())


def test_a_spent_budget_leaves_the_other_proof():
    puzzle = generate(size=6, stars=1, seed=3)
    proved = Finding(Verdict.YES, solvent.ask(puzzle, "unique").certificate)
    assert explained(puzzle, proved, Budget().start()).certificate["form"] == "explained chain"
    cancellation = Cancellation()
    cancellation.cancel()
    left = explained(puzzle, proved, Budget(cancellation=cancellation).start())
    assert left.certificate is proved.certificate
    assert left.because == "There is no step-by-step proof: cancelled."
