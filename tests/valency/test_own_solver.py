"""Solvers of anyone's own: used as given, mended where they are wrong, and told off when they make no sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.valency.authoring import RuleBook
from solvent.valency.model import Staging
from solvent.valency.solver import orders
from solvent.valency.solver.task import Task

NODES = 36


def chessboard() -> Staging:
    rules = RuleBook("square")
    rules.module("black", bonds={"*": ["white"]})
    rules.module("white", bonds={"*": ["black"]})
    return rules.on_grid(6, 6)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Ask with a solver that does what it is told."""
    monkeypatch.setattr(orders, "_registered", {})

    def ask(fill: Callable[[Task], Any], question: str = "solvable", **said: Any) -> Any:
        facts = {"name": "mine", "title": "does as it is told", "fill": lambda self, task: fill(task), **said}
        orders.register(type("Mine", (), facts)())
        return solvent.ask(chessboard(), question, solver="mine")

    return ask


right = np.indices((6, 6)).sum(axis=0).ravel() % 2


def test_a_right_fill_is_kept(ask):
    answer = ask(lambda task: right)
    assert answer.certificate["modules"] == right.tolist()
    assert answer.stats["solver"] == "mine"


@pytest.mark.parametrize(
    "given",
    [
        np.zeros(NODES, dtype=np.int64),
        np.full(NODES, 99),
        np.full(NODES, 10**12),
        np.full(NODES, -77),
        np.full(NODES, -3),
        np.where(np.arange(NODES) == 20, 1 - right, right),
        [0] * NODES,
    ],
)
@pytest.mark.parametrize("question", ["solvable", "partial"])
def test_what_is_wrong_is_mended(ask, given, question):
    answer = ask(lambda task: given, question)
    assert answer.verdict is Verdict.YES
    assert sorted(set(answer.certificate["modules"])) == [0, 1]


@pytest.mark.parametrize("given", [np.zeros(NODES, dtype=np.int64), np.full(NODES, -77), np.full(NODES, 99)])
def test_one_that_gives_up_is_not_mended(ask, given):
    assert ask(lambda task: given, gives_up=True).verdict is Verdict.UNKNOWN
    answer = ask(lambda task: given, "partial", gives_up=True)
    assert answer.stats["over_budget"] == answer.certificate["modules"].count(-3) > 0


@pytest.mark.parametrize(
    "given", [None, np.zeros(3, dtype=np.int64), np.zeros(NODES), np.zeros((6, 6), dtype=np.int64), ["black"] * NODES]
)
def test_nonsense_is_told_off(ask, given):
    with pytest.raises(BadOption, match="solver 'mine': expected a row of 36 whole numbers"):
        ask(lambda task: given)


@pytest.mark.parametrize("order", [[0] * NODES, [5, 3], list(range(NODES)), np.arange(NODES)[::-1], []])
def test_any_order_of_nodes_will_do(ask, order):
    assert ask(lambda task: task.collapse(order)).verdict is Verdict.YES


def test_a_node_that_is_not_there_is_told(ask):
    with pytest.raises(BadOption, match="expected nodes from 0 to 35, found 36"):
        ask(lambda task: task.collapse(range(NODES + 1)))


def test_what_everyone_shares_cannot_be_written_to(ask):
    with pytest.raises(ValueError, match="read-only"):
        ask(lambda task: task.roots.fill(0))
    assert solvent.ask(chessboard()).verdict is Verdict.YES


@pytest.mark.parametrize("name", ["auto", "entropy"])
def test_names_that_are_taken(name):
    with pytest.raises(BadOption, match="is built in"):
        orders.register(type("Mine", (), {"name": name, "title": "", "fill": lambda self, task: None})())
