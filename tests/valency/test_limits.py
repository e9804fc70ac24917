"""Every piece of work on a large task looks at the limits: getting ready, filling, and checking what was found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import solvent
from solvent import asking
from solvent.core.answer import Cause, Certificate, Verdict
from solvent.core.budget import Cancellation
from solvent.core.errors import NotChecked
from solvent.registry import get_domain
from solvent.valency.model import Lattice, Staging

SIDE = 250
FEW_LOOKS = (0, 1, 2, 5, 10, 20)


class AfterLooks(Cancellation):
    """Cancel after it was looked at so often; count the looks."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.allowed = looks
        self.looks = 0

    @property
    def requested(self) -> bool:
        self.looks += 1
        return self.looks > self.allowed


@cache
def task(side: int) -> Staging:
    examples = (solvent.parse(example.text, domain="valency") for example in solvent.examples("valency"))
    staging = next(
        each
        for each in examples
        if isinstance(each.cluster, Lattice) and each.cluster.depth == 1 and not each.constraints
    )
    return Staging(staging.rules, replace(staging.cluster, width=side, height=side), seed=1)


@cache
def certificate(side: int) -> Certificate:
    answer = solvent.ask(task(side))
    assert answer.certificate is not None
    return answer.certificate


def looks_of_a_check(side: int) -> int:
    counting = AfterLooks(1 << 40)
    solvent.check(task(side), certificate(side), cancellation=counting)
    return counting.looks


@pytest.mark.parametrize("question", ["solvable", "partial"])
@pytest.mark.parametrize("looks", FEW_LOOKS)
def test_a_question_ends_at_whichever_look_it_is_cancelled(question: str, looks: int):
    answer = solvent.ask(task(SIDE), question, cancellation=AfterLooks(looks))
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason is not None
    assert answer.reason.cause is Cause.CANCELLED


@pytest.mark.parametrize("looks", FEW_LOOKS)
def test_a_check_ends_at_whichever_look_it_is_cancelled(looks: int):
    with pytest.raises(NotChecked, match="cancelled"):
        solvent.check(task(SIDE), certificate(SIDE), cancellation=AfterLooks(looks))


def test_looks_at_the_limits_grow_with_the_task():
    """The work between two looks is bounded, so a task with more nodes is looked at more often."""
    small, large = looks_of_a_check(SIDE), looks_of_a_check(3 * SIDE)
    assert small > 20
    assert large > 1.5 * small


def test_a_want_of_memory_in_the_checker_is_not_a_rejection(monkeypatch: pytest.MonkeyPatch):
    def run_out(*_: Any, **__: Any) -> None:
        raise MemoryError

    proof = certificate(20)
    monkeypatch.setattr("solvent.valency.checker.wellformed.find_malformed", run_out)
    with pytest.raises(NotChecked, match="out of memory"):
        asking.find_violations(get_domain("valency"), task(20), proof)


def test_nodes_are_one_limit_for_the_whole():
    for question in ("solvable", "partial"):
        answer = solvent.ask(task(SIDE), question, nodes=1000)
        assert answer.verdict is Verdict.UNKNOWN
        assert answer.reason is not None
        assert answer.reason.cause is Cause.NODES
