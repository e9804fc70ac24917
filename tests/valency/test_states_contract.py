"""Solvers as functions over states, as PCGEx has them: what they are given, and what becomes of what they set."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.core.errors import BadOption
from solvent.valency.authoring import RuleBook, region
from solvent.valency.model import NULL_SLOT, Staging
from solvent.valency.rules import agreement
from solvent.valency.solver import orders
from solvent.valency.solver.contract import SolverAllocations, ValencyState, states_solver

Solve = Callable[[list[ValencyState], SolverAllocations], object]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setattr(orders, "_registered", {})

    def ask(staging: Staging, solve: Solve, question: str = "solvable", **said: Any) -> Any:
        orders.register(states_solver("mine", solve, **said))
        return solvent.ask(staging, question, solver="mine")

    return ask


def lanes(**task: Any) -> Staging:
    book = RuleBook("square")
    book.module("grass", sockets={"*": "grass"}, weight=4)
    book.module("lane", sockets={"left": "lane", "right": "lane", "*": "grass"}, rotations=2)
    book.module("bend", sockets={"down": "lane", "right": "lane", "*": "grass"}, rotations=4)
    return book.on_grid(6, 5, **task)


def lowest_entropy_first(states: list[ValencyState], allocations: SolverAllocations) -> None:
    random = Random(allocations.attempt)
    waiting = [state for state in states if state.resolved_module == -1]
    while waiting:
        state = min(waiting, key=lambda one: len(allocations.valid_modules(one.node_index, states)))
        waiting.remove(state)
        found = allocations.valid_modules(state.node_index, states)
        state.resolved_module = random.choice(found) if found else -3


def test_what_it_resolves_is_kept(ask):
    kept: list[int] = []

    def solve(states: list[ValencyState], allocations: SolverAllocations) -> None:
        for state in states:
            state.resolved_module = 0
        kept[:] = [state.resolved_module for state in states]

    answer = ask(lanes(), solve)
    assert answer.certificate["modules"] == kept == [0] * 30
    assert answer.stats["solver"] == "mine"


def test_it_is_given_the_cluster_and_the_rules(ask):
    staging = lanes(seed=9, picks={(2, 2): "bend 1"}, regions=[region([(0, 0)], seed=5, weights={"grass": 3})])
    seen: list[int] = []

    def solve(states: list[ValencyState], allocations: SolverAllocations) -> None:
        cache = allocations.orbital_cache
        assert [state.node_index for state in states] == list(range(30))
        assert (states[14].resolved_module, states[14].is_fixed) == (4, True)
        assert {state.resolved_module for state in states if state.node_index != 14} == {-1}
        assert cache.max_orbitals == 4
        assert [cache.neighbor(7, orbital) for orbital in range(4)] == [8, 13, 6, 1]
        assert [cache.neighbor(0, orbital) for orbital in range(4)] == [1, 6, -1, -1]
        assert cache.node_orbital_masks[0] == 0b11
        assert (allocations.seed, allocations.node_seed(0), allocations.node_seed(1)) == (9, 5, 9)
        assert (allocations.weight(0, 0), allocations.weight(1, 0)) == (12, 4)
        for orbital, node in ((0, 15), (1, 20), (2, 13), (3, 8)):
            agrees = agreement(allocations.rules, 0, orbital, (orbital + 2) % 4)[4]
            assert allocations.valid_modules(node, states) == np.flatnonzero(agrees).tolist()
        with pytest.raises(ValueError, match="read-only"):
            cache.flat_orbital_to_neighbor[0] = 3
        states[14].resolved_module = 0  # a fixed pick stays
        seen.append(1)

    answer = ask(staging, solve)
    assert seen
    assert answer.verdict is Verdict.YES
    assert answer.certificate["modules"][14] == 4


@pytest.mark.parametrize("module", [0, 3, -1, -3])
def test_what_it_gets_wrong_is_mended(ask, module: int):
    def solve(states: list[ValencyState], _allocations: SolverAllocations) -> None:
        for state in states:
            state.resolved_module = module

    assert ask(lanes(picks={(2, 2): "bend 1"}), solve).verdict is Verdict.YES


def test_one_that_gives_up_leaves_what_it_could_not_resolve(ask):
    def solve(states: list[ValencyState], allocations: SolverAllocations) -> None:
        lowest_entropy_first(states, allocations)
        states[3].resolved_module = -3

    answer = ask(lanes(), solve, "partial", gives_up=True)
    assert answer.certificate["modules"][3] == -3
    data = solvent.export(lanes(), answer, "csv").decode().splitlines()
    column = data[0].split(",").index("module_data")
    assert data[4].split(",")[column] == "-3"
    assert ask(lanes(), solve, gives_up=True).verdict is Verdict.UNKNOWN


def test_null_slots_stay(ask):
    book = RuleBook("square")
    book.module("a")
    staging = book.on_graph([(0, 0), (1, 0), (9, 9)], [(0, 1)])

    def solve(states: list[ValencyState], _allocations: SolverAllocations) -> None:
        assert states[2].resolved_module == NULL_SLOT
        for state in states:
            state.resolved_module = 0

    assert ask(staging, solve).certificate["modules"] == [0, 0, NULL_SLOT]


@pytest.mark.parametrize("found", [99, -4, "grass", None, 1.5, True])
def test_nonsense_is_told_off(ask, found: Any):
    def solve(states: list[ValencyState], _allocations: SolverAllocations) -> None:
        states[7].resolved_module = found

    with pytest.raises(BadOption, match=r"resolved_module of \(1, 1\) to be a module from 0 to 6, or -1, -2 or -3"):
        ask(lanes(), solve)
    with pytest.raises(BadOption, match="a function of states"):
        states_solver("mine", found)
