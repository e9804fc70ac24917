"""What can be filled where not all can: right as far as it goes, and nothing called impossible that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from torture.judges.valency import Twin, is_right_partially, most_filled

import solvent
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Answer, Cause, Verdict
from solvent.valency.model import NULL_SLOT, UNSOLVABLE, Bonds, Module, Pick, Staging
from valency.stagings import colouring, colours, on_row, on_square, plain_modules, random_staging
from valency.test_explaining import Clash
from valency.test_solver import staging_for


def left_out(answer: Answer) -> list[Mapping[str, Any]]:
    assert answer.verdict is Verdict.YES
    assert answer.certificate is not None
    assert answer.certificate["form"] == "partial"
    listed: list[Mapping[str, Any]] = answer.certificate["left_out"]
    return listed


def fill_of(staging: Staging, answer: Answer) -> dict[int, int]:
    """Return the filled nodes; null slots and left-out nodes are where they must be."""
    assert answer.certificate is not None
    modules = answer.certificate["modules"]
    missing = [each["node"] for each in left_out(answer)]
    assert sorted(missing) == [v for v, m in enumerate(modules) if m == UNSOLVABLE]
    fill = {v: m for v, m in enumerate(modules) if m >= 0}
    twin = Twin(staging)
    assert sorted([*fill, *missing]) == twin.open
    assert all(modules[v] == NULL_SLOT for v in range(twin.size) if v not in twin.open)
    return fill


def assert_right(staging: Staging, answer: Answer) -> None:
    twin = Twin(staging)
    assert is_right_partially(twin, fill_of(staging, answer)), staging
    earlier: list[int] = []
    for each in left_out(answer):
        if each.get("proof"):
            assert_impossible(twin, each, earlier)
        earlier.append(each["node"])


def assert_impossible(twin: Twin, each: Mapping[str, Any], earlier: list[int]) -> None:
    """Tell by brute force whether a node clashes with others, none of them left out before."""
    node, nodes = each["node"], each["nodes"]
    assert node in nodes
    assert not set(nodes) & set(earlier)
    assert {"node": node} in each["elements"] or {"pick": node} in each["elements"]
    clash = Clash(twin, each)
    assert not clash.can_be_avoided(clash.elements)
    assert most_filled(twin, nodes) < len(nodes)


def fillable_nodes(staging: Staging, answer: Answer) -> list[int]:
    """Return the left-out nodes that could simply be filled, all else staying as it is."""
    twin, fill = Twin(staging), fill_of(staging, answer)
    missing = [v for v in twin.open if v not in fill]
    return [v for v in missing if any(is_right_partially(twin, {**fill, v: m}) for m in twin.candidates(v))]


@pytest.mark.parametrize("part", [0, *slow(range(1, 3))])
def test_random_stagings(part: int):
    seen: Counter[str] = Counter()
    for seed in range(150 * part, 150 * (part + 1)):
        staging = random_staging(seed)
        answer = solvent.ask(staging, "partial")
        assert_right(staging, answer)
        twin, missing = Twin(staging), left_out(answer)
        best = most_filled(twin)
        assert len(twin.open) - len(missing) <= best
        assert all(each.get("proof") for each in missing), seed  # there is time enough to prove each
        assert bool(missing) is (best < len(twin.open)), seed
        assert fillable_nodes(staging, answer) == [], seed
        seen["all" if not missing else "best" if len(twin.open) - len(missing) == best else "fewer"] += 1
    assert seen["all"] > 30
    assert seen["best"] > 30
    assert seen["fewer"] < 0.25 * seen["best"]  # as few as can be is not promised, but nearly so


@pytest.mark.parametrize("solver", ["entropy", "frontier", "scanline", "priority", "constraint", "lazy"])
def test_every_solver_leaves_out_only_what_it_must_say(solver: str):
    for seed in range(up_to(30, deep=100)):
        staging = staging_for(solver, seed)
        assert_right(staging, solvent.ask(staging, "partial", solver=solver))


def test_with_few_nodes_to_spend_nothing_false_is_said():
    seen: Counter[Verdict] = Counter()
    for seed in range(up_to(40, deep=100)):
        staging = random_staging(seed)
        for nodes in (0, 3, 10, 30):
            answer = solvent.ask(staging, "partial", nodes=nodes)
            seen[answer.verdict] += 1
            if answer.verdict is Verdict.YES:
                assert_right(staging, answer)
            else:
                assert answer.reason is not None
                assert answer.reason.cause is Cause.NODES
    assert seen[Verdict.NO] == 0
    assert min(seen[Verdict.YES], seen[Verdict.UNKNOWN]) > 20


class TestKnown:
    def test_an_odd_cycle_in_two_colours_misses_one(self):
        staging = colouring(7, [(v, (v + 1) % 7) for v in range(7)], 2)
        answer = solvent.ask(staging, "partial")
        assert_right(staging, answer)
        assert len(left_out(answer)) == 1

    def test_a_node_that_nothing_fits_is_left_out_and_its_neighbours_are_not(self):
        # Everything wants a neighbour on both sides, so the ends of a row stay empty.
        modules = (Module("m", "m", (Bonds(orbital_mask=0b0101),)),)
        staging = on_row(6, modules)
        answer = solvent.ask(staging, "partial")
        assert answer.certificate is not None
        assert answer.certificate["modules"] == [UNSOLVABLE, 0, 0, 0, 0, UNSOLVABLE]
        assert_right(staging, answer)

    def test_a_pick_that_clashes_with_another(self):
        staging = on_square(5, 5, colours(2, 4), picks=(Pick(0, "c0"), Pick(1, "c0")))
        answer = solvent.ask(staging, "partial")
        assert_right(staging, answer)
        assert len(left_out(answer)) == most_missing(staging)

    def test_a_maximum_leaves_the_rest_empty(self):
        staging = on_row(5, plain_modules(1, most=3))
        answer = solvent.ask(staging, "partial")
        assert_right(staging, answer)
        assert len(left_out(answer)) == 2

    def test_minimums_are_not_asked_for(self):
        staging = on_row(3, plain_modules(1, least=9))
        answer = solvent.ask(staging, "partial")
        assert left_out(answer) == []


def most_missing(staging: Staging) -> int:
    twin = Twin(staging)
    return len(twin.open) - most_filled(twin)
