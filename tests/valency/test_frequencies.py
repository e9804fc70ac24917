"""Weights are followed: exactly where modules do not care about each other, roughly where they do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.valency.authoring import RuleBook, region
from solvent.valency.model import Bonds, Module, Region, Staging
from valency.stagings import on_row, on_square, plain_modules

SOLVERS = ("auto", "entropy", "frontier", "scanline", "constraint", "lazy")


def weighted(*weights: float) -> tuple[Module, ...]:
    modules = plain_modules(len(weights))
    return tuple(replace(module, weight=weight) for module, weight in zip(modules, weights, strict=True))


def held(staging: Staging, **options: object) -> list[int]:
    answer = solvent.ask(staging, **options)
    assert answer.verdict is Verdict.YES
    assert answer.certificate is not None
    modules: list[int] = answer.certificate["modules"]
    return modules


def surprise(seen: Counter[int], expected: dict[int, float]) -> float:
    """Return Pearson's chi-square of what was seen."""
    total = sum(seen.values())
    return sum((seen[m] - share * total) ** 2 / (share * total) for m, share in expected.items())


@pytest.mark.parametrize("solver", SOLVERS)
def test_free_modules_stand_in_proportion_to_their_weights(solver: str):
    seen: Counter[int] = Counter()
    for seed in range(4):
        seen.update(held(on_square(40, 40, weighted(1, 2, 3, 10)), solver=solver, seed=seed))
    # Three degrees of freedom: above 16.3 once in a thousand; the draw is the same every time.
    assert surprise(seen, {0: 1 / 16, 1: 2 / 16, 2: 3 / 16, 3: 10 / 16}) < 16.3


def test_only_proportions_matter():
    staging = on_square(12, 12, weighted(1, 2, 5))
    assert held(staging) == held(on_square(12, 12, weighted(4, 8, 20)))


@pytest.mark.parametrize("weights", [(1e-9, 1.0), (1.0, 1e9), (1e-9, 1e9)])
def test_weights_of_very_different_size(weights: tuple[float, float]):
    assert set(held(on_square(10, 10, weighted(*weights)))) == {1}


class TestWeightZero:
    @pytest.mark.parametrize("solver", SOLVERS)
    def test_is_not_chosen_where_something_else_is_left(self, solver: str):
        assert set(held(on_square(15, 15, weighted(0, 1, 0, 1)), solver=solver)) == {1, 3}

    def test_is_chosen_where_nothing_else_is_left(self):
        loner = Module("a", "a", (Bonds(neighbours=(0b10,) * 4),))
        nothing = Module("b", "b", (Bonds(),), weight=0.0)
        modules = held(on_row(9, (loner, nothing)))
        assert 4 <= modules.count(1) <= 6

    def test_is_chosen_to_meet_a_minimum(self):
        modules = (Module("a", "a", (Bonds(),), weight=0.0, least=5), *plain_modules(1))
        assert held(on_row(12, modules)).count(0) >= 5


class TestRegions:
    def test_weights_are_multiplied_within(self):
        staging = on_square(60, 60, weighted(1, 1))
        nodes = tuple(range(1800))
        fill = held(replace(staging, regions=(Region(nodes, weights=((0, 9.0),)),)))
        inside, outside = Counter(fill[:1800]), Counter(fill[1800:])
        assert surprise(inside, {0: 0.9, 1: 0.1}) < 10.8  # one degree of freedom, once in a thousand
        assert surprise(outside, {0: 0.5, 1: 0.5}) < 10.8

    def test_nothing_changes_outside(self):
        staging = on_square(20, 20, weighted(1, 2, 3))
        regions = [Region(tuple(range(100)), weights=((2, factor),)) for factor in (1.0, 0.0)]
        plain, changed = (held(replace(staging, regions=(region,))) for region in regions)
        assert plain[100:] == changed[100:]
        assert 2 not in changed[:100]
        assert 2 in plain[:100]


def test_neighbours_that_care_keep_rare_modules_rare():
    # Stripes: each of two modules likes to stand beside itself; a third goes anywhere.
    rules = (
        Module("sea", "sea", (Bonds(neighbours=(0b101,) * 4),), weight=8.0),
        Module("land", "land", (Bonds(neighbours=(0b110,) * 4),), weight=8.0),
        Module("coast", "coast", (Bonds(),), weight=1.0),
    )
    seen: Counter[int] = Counter()
    for seed in range(5):
        seen.update(held(on_square(30, 30, rules), seed=seed))
    assert seen[2] < 0.5 * sum(seen.values())
    assert min(seen[0], seen[1]) > 0.1 * sum(seen.values())


def test_a_weight_of_zero_in_a_region_is_for_want_of_anything_else():
    rules = RuleBook("square")
    rules.module("a", weight=1, bonds={"*": ["a", "c"]})
    rules.module("c", weight=1e-9, bonds={"*": ["a", "c"]})
    rules.module("d", weight=1e9, bonds={"*": ["d"]})
    everywhere = [(x, y) for x in range(8) for y in range(8)]
    task = rules.on_grid(8, 8, picks={(0, 0): "c"}, regions=[region(nodes=everywhere, weights={"a": 0})])
    for balance in (False, True):
        assert set(solvent.ask(task, balance=balance).certificate["modules"]) == {1}
