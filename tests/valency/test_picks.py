"""Fixed picks: which modules they mean, when they are ignored, and that they count like everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from torture.judges.valency import Edge, Twin, as_list, fills

import solvent
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Answer, Verdict
from solvent.valency.model import (
    BEST,
    EXCLUDED,
    FIRST,
    FORCE,
    SKIP,
    WEIGHTED,
    Bonds,
    Count,
    Module,
    Pick,
    Region,
    Staging,
)
from solvent.valency.orbitals import build_cache
from solvent.valency.rules import place
from valency.stagings import colours, on_row, plain_modules, random_staging

RIGHT, LEFT = 0b0001, 0b0100
"""Orbitals of a row."""


def named(key: str, name: str, **bonds: int) -> Module:
    return Module(key, name, (Bonds(**bonds),))  # type: ignore[arg-type]


ENDS = (
    named("begin", "end", boundary_mask=LEFT),
    named("finish", "end", boundary_mask=RIGHT),
    named("middle", "inside", orbital_mask=LEFT | RIGHT),
    named("any", "inside"),
)
"""On a row: one module that fits only its first node, one its last, one only those between, and one all of them."""


def filled(staging: Staging, **options: object) -> list[int]:
    """Return what an answer puts on each node; brute force knows that fill too."""
    answer = solvent.ask(staging, **options)
    assert answer.verdict is Verdict.YES, staging
    assert answer.certificate is not None
    modules: list[int] = answer.certificate["modules"]
    assert modules in [as_list(Twin(staging), fill) for fill in fills(staging)]
    return modules


def verdict_of(staging: Staging) -> Verdict:
    answer: Answer = solvent.ask(staging)
    return answer.verdict


@pytest.mark.parametrize("seeds", [range(200), *slow([range(200, up_to(350, deep=600))])], ids=str)
def test_neighbours_and_picks_come_to_the_same_as_by_brute_force(seeds: range):
    for seed in seeds:
        staging = random_staging(seed)
        twin, cache = Twin(staging), build_cache(staging)
        placement = place(staging, cache)
        columns = [(each.source, each.source_orbital, each.target, each.target_orbital) for each in cache.edges]
        rows = [zip(*(column.tolist() for column in each), strict=True) for each in columns]
        assert [Edge(layer, *row) for layer, each in enumerate(rows) for row in each] == twin.edges
        assert [masks.tolist() for masks in cache.masks] == twin.masks
        assert {node: set(modules) for node, modules in placement.picked.items()} == twin.picked
        for node in twin.open:
            assert set(placement.placeable(node).nonzero()[0].tolist()) == twin.placeable[node]


class TestWhatAPickMeans:
    def test_a_key_means_that_module_alone(self):
        modules = (named("a", "b"), named("b", "c"), named("c", "b"))
        for seed in range(10):
            assert filled(on_row(3, modules, picks=(Pick(1, "b"),), seed=seed))[1] == 1

    def test_a_name_means_every_module_of_that_name_that_fits(self):
        seen = {filled(on_row(4, ENDS, picks=(Pick(1, "inside"),), seed=seed))[1] for seed in range(30)}
        assert seen == {2, 3}
        assert {filled(on_row(4, ENDS, picks=(Pick(0, "inside"),), seed=seed))[0] for seed in range(10)} == {3}

    @pytest.mark.parametrize(("selection", "module"), [(FIRST, 0), (BEST, 2)])
    def test_the_first_or_the_one_with_most_orbitals_in_common(self, selection: str, module: int):
        modules = (named("a", "x"), named("b", "x", orbital_mask=RIGHT), named("c", "x", orbital_mask=LEFT | RIGHT))
        for seed in range(10):
            staging = on_row(3, modules, picks=(Pick(1, "x"),), pick_selection=selection, seed=seed)
            assert filled(staging)[1] == module

    def test_the_best_is_the_first_of_equals(self):
        modules = (named("a", "x"), named("b", "x", orbital_mask=LEFT), named("c", "x", orbital_mask=RIGHT))
        for seed in range(10):
            assert filled(on_row(3, modules, picks=(Pick(1, "x"),), pick_selection=BEST, seed=seed))[1] == 1

    def test_the_first_that_fits_not_the_first_of_all(self):
        staging = on_row(3, ENDS, picks=(Pick(2, "end"),), pick_selection=FIRST)
        assert filled(staging)[2] == 1

    def test_a_weighted_pick_falls_back_on_whatever_works(self):
        # Of three modules named x only the lightest agrees with its neighbour.
        modules = (
            Module("a", "x", (Bonds(neighbours=(0b1, None, 0b1)),), weight=100),
            Module("b", "x", (Bonds(neighbours=(0b10, None, 0b10)),), weight=100),
            Module("c", "x", (Bonds(),), weight=0),
            Module("d", "d", (Bonds(neighbours=(0b100, None, 0b100)),)),
        )
        for seed in range(10):
            staging = on_row(2, modules, picks=(Pick(0, "x"), Pick(1, "d")), seed=seed)
            assert filled(staging) == [2, 3]

    @pytest.mark.parametrize("selection", [FIRST, BEST])
    def test_a_selection_is_final_even_if_nothing_works_with_it(self, selection: str):
        loner = Module("loner", "x", (Bonds(neighbours=(0b10, None, 0b10)),))
        picks = (Pick(0, "x"), Pick(1, "x"))
        staging = on_row(2, (loner, named("other", "x")), picks=picks, pick_selection=selection)
        assert verdict_of(staging) is Verdict.NO
        assert filled(replace(staging, pick_selection=WEIGHTED)) != [0, 0]

    def test_weights_decide_among_the_modules_of_a_name(self):
        modules = (Module("a", "x", (Bonds(),), weight=9), Module("b", "x", (Bonds(),), weight=1))
        held = [filled(on_row(2, modules, picks=(Pick(0, "x"),), seed=seed))[0] for seed in range(200)]
        assert 160 <= held.count(0) <= 196  # 180 expected


class TestPicksThatAreIgnored:
    def test_a_name_that_no_module_has(self):
        staging = on_row(3, colours(2, 4), picks=(Pick(1, "nobody"),))
        assert filled(staging) in ([0, 1, 0], [1, 0, 1])
        assert any("nobody" in remark for remark in remarks(staging))

    def test_a_pick_on_a_null_slot(self):
        staging = on_row(1, plain_modules(1, least=0), picks=(Pick(0, "m0"),))
        assert filled(staging) == [-2]
        assert any("m0" in remark for remark in remarks(staging))

    def test_a_pick_on_a_null_slot_does_not_count(self):
        assert verdict_of(on_row(1, plain_modules(1, least=1), picks=(Pick(0, "m0"),))) is Verdict.NO

    def test_one_that_does_not_fit_is_skipped(self):
        staging = on_row(3, ENDS, picks=(Pick(1, "end"),), pick_misfit=SKIP)
        assert filled(staging)[1] in (2, 3)
        assert any("end" in remark for remark in remarks(staging))

    def test_a_pick_that_counts_is_not_remarked_on(self):
        assert remarks(on_row(3, ENDS, picks=(Pick(1, "inside"),))) == []


class TestForce:
    def test_one_that_does_not_fit_stands_there_all_the_same(self):
        seen = {filled(on_row(3, ENDS, picks=(Pick(1, "end"),), pick_misfit=FORCE, seed=seed))[1] for seed in range(20)}
        assert seen == {0, 1}

    @pytest.mark.parametrize(("selection", "expected"), [(FIRST, 0), (BEST, 1)])
    def test_the_selection_is_among_all_that_have_the_name(self, selection: str, expected: int):
        up = 0b1000
        modules = (named("a", "x", orbital_mask=up), named("b", "x", orbital_mask=up | LEFT), named("free", "free"))
        staging = on_row(3, modules, picks=(Pick(1, "x"),), pick_selection=selection, pick_misfit=FORCE)
        assert filled(staging)[1] == expected

    def test_force_is_not_needed_where_one_fits(self):
        for seed in range(10):
            assert filled(on_row(3, ENDS, picks=(Pick(0, "end"),), pick_misfit=FORCE, seed=seed))[0] == 0

    def test_neighbours_must_still_agree(self):
        up = 0b1000
        forced = Module("forced", "forced", (Bonds(orbital_mask=up, neighbours=(0b10,)),))
        staging = on_row(2, (forced, *plain_modules(2)), picks=(Pick(0, "forced"),), pick_misfit=FORCE)
        assert filled(staging) == [0, 1]
        both = on_row(2, (forced, *plain_modules(2)), picks=(Pick(0, "forced"), Pick(1, "m1")), pick_misfit=FORCE)
        assert verdict_of(both) is Verdict.NO

    def test_a_node_that_nothing_fits_can_be_filled_by_force(self):
        up = 0b1000
        modules = (named("never", "never", orbital_mask=up),)
        assert verdict_of(on_row(2, modules)) is Verdict.NO
        forced = on_row(2, modules, picks=(Pick(0, "never"), Pick(1, "never")), pick_misfit=FORCE)
        assert filled(forced) == [0, 0]
        assert verdict_of(on_row(2, modules, picks=(Pick(0, "never"),), pick_misfit=FORCE)) is Verdict.NO


class TestExcluded:
    MODULES = (Module("door", "door", (Bonds(),), placement=EXCLUDED), *plain_modules(1))

    def test_only_a_pick_places_it(self):
        for seed in range(10):
            assert filled(on_row(4, self.MODULES, seed=seed)) == [1] * 4
        assert filled(on_row(4, self.MODULES, picks=(Pick(2, "door"),))) == [1, 1, 0, 1]

    def test_no_minimum_can_be_met_without_picks(self):
        asked = Count(0b1, least=1)
        assert verdict_of(on_row(3, self.MODULES, constraints=(asked,))) is Verdict.NO
        picked = on_row(3, self.MODULES, constraints=(asked,), picks=(Pick(0, "door"),))
        assert filled(picked) == [0, 1, 1]


class TestPicksCount:
    def test_toward_the_most(self):
        modules = (*plain_modules(1, most=2), named("rest", "rest"))
        picks = (Pick(0, "m0"), Pick(3, "m0"))
        for seed in range(10):
            assert filled(on_row(4, modules, picks=picks, seed=seed)) == [0, 1, 1, 0]
        assert verdict_of(on_row(4, modules, picks=(*picks[:1], Pick(1, "m0"), *picks[1:]))) is Verdict.NO

    def test_toward_the_least(self):
        alone = Module("a", "a", (Bonds(neighbours=(0b10, None, 0b10)),), least=2)
        staging = on_row(3, (alone, named("b", "b")), picks=(Pick(0, "a"),))
        assert filled(staging) == [0, 1, 0]

    def test_in_count_constraints(self):
        modules = plain_modules(2)
        staging = on_row(3, modules, picks=(Pick(1, "m0"),), constraints=(Count(0b1, 1, 1),))
        assert filled(staging) == [1, 0, 1]
        elsewhere = on_row(3, modules, picks=(Pick(1, "m0"),), constraints=(Count(0b1, 1, 1, (0, 2)),))
        assert sorted(filled(elsewhere)) == [0, 0, 1]


def test_a_region_s_weights_do_not_overrule_a_pick():
    region = Region((0,), weights=((0, 0.0),))
    for seed in range(5):
        assert filled(on_row(2, plain_modules(2), picks=(Pick(0, "m0"),), regions=(region,), seed=seed))[0] == 0


@pytest.mark.parametrize("selection", [WEIGHTED, FIRST, BEST])
@pytest.mark.parametrize("misfit", [SKIP, FORCE])
@pytest.mark.parametrize("seeds", [range(40), *slow([range(40, up_to(150, deep=400))])], ids=str)
def test_every_way_of_picking_gives_the_verdict_of_brute_force(selection: str, misfit: str, seeds: range):
    seen = set()
    for seed in seeds:
        staging = random_staging(seed)
        if staging.picks:
            staging = replace(staging, pick_selection=selection, pick_misfit=misfit)
            expected = next(fills(staging, any_filler=True), None) is not None
            assert verdict_of(staging) is (Verdict.YES if expected else Verdict.NO), (seed, selection, misfit)
            seen.add(expected)
    assert seen == {True, False}


def remarks(staging: Staging) -> list[str]:
    from solvent.registry import domain_of

    return list(domain_of(staging).remarks(staging))  # type: ignore[attr-defined]
