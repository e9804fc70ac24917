"""The checker accepts what is true, and says of everything else which rule it breaks."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.engine.sat import SatSolver
from solvent.proof.certificate import make_certificate
from solvent.valency.checker import MAX_VIOLATIONS, clauses, violations
from solvent.valency.checker.certificate_schema import read_refutation
from solvent.valency.checker.clauses import CheckingLimits
from solvent.valency.checker.formula import Formula
from solvent.valency.checker.neighbours import Surroundings
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import make_formula
from solvent.valency.model import (
    HEX,
    HEX_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Connected,
    Count,
    Graph,
    Lattice,
    Layer,
    Module,
    Orbital,
    OrbitalSet,
    Path,
    Pick,
    Rules,
    Separation,
    Staging,
)

RIGHT, DOWN, LEFT, UP = range(4)
SQUARE_LAYER = Layer("ground", SQUARE_ORBITALS)
ANY = Bonds()


def module(key: str, bonds: Bonds = ANY, **said: Any) -> Module:
    return Module(key, said.pop("name", key), (bonds,), **said)


def staging(modules: list[Module], cluster: Any = None, *, layers: tuple[Layer, ...] = (SQUARE_LAYER,), **said: Any):
    """Return a staging, on a row of three cells unless another cluster is given."""
    return Staging(Rules(layers, tuple(modules)), cluster or Lattice(3, 1), **said)


def filling(modules: list[int]) -> dict[str, Any]:
    return make_certificate("valency", "solvable", Verdict.YES, "assignment", modules=modules)


def wrong(problem: Staging, modules: list[int]) -> list[str]:
    return violations(problem, filling(modules))


def only(found: list[str]) -> str:
    assert len(found) == 1, found
    return found[0]


# What fits


def test_a_module_has_a_neighbour_on_each_orbital_it_wants():
    problem = staging([module("a", Bonds(orbital_mask=1 << RIGHT)), module("b")])
    assert wrong(problem, [0, 0, 1]) == []
    assert only(wrong(problem, [1, 1, 0])) == "'a' does not fit node 2 (x 2, y 0)"


def test_a_module_has_no_neighbour_on_its_boundary():
    problem = staging([module("a", Bonds(boundary_mask=1 << RIGHT)), module("b")])
    assert wrong(problem, [1, 1, 0]) == []
    assert only(wrong(problem, [1, 0, 1])) == "'a' does not fit node 1 (x 1, y 0)"


def test_a_wildcard_wants_some_neighbour():
    problem = staging([module("a", Bonds(orbital_mask=1 << LEFT, wildcard_mask=1 << LEFT)), module("b")])
    assert wrong(problem, [1, 0, 0]) == []
    assert only(wrong(problem, [0, 1, 1])) == "'a' does not fit node 0 (x 0, y 0)"


def test_a_wildcard_counts_even_where_it_is_not_said_to_be_wanted():
    problem = staging([module("a", Bonds(wildcard_mask=1 << LEFT)), module("b")])
    assert wrong(problem, [1, 0, 0]) == []
    assert only(wrong(problem, [0, 1, 1])) == "'a' does not fit node 0 (x 0, y 0)"


def test_a_module_fits_in_every_layer():
    layers = (SQUARE_LAYER, Layer("pipes", OrbitalSet((Orbital("in"), Orbital("out")))))
    modules = [Module("a", "a", (ANY, Bonds(orbital_mask=0b10))), Module("b", "b", (ANY, ANY))]
    cluster = Graph(
        positions=[[0, 0, 0]] * 3,
        edges=[[0, 1], [1, 2]],
        orbitals=[[[RIGHT, LEFT], [1, 0]], [[RIGHT, LEFT], [-1, -1]]],
    )
    problem = staging(modules, cluster, layers=layers)
    assert wrong(problem, [0, 1, 1]) == []
    assert only(wrong(problem, [1, 0, 1])) == "'a' does not fit node 1"


def test_a_node_without_neighbours_stays_empty():
    problem = staging([module("a")], Graph(positions=[[0, 0, 0], [1, 0, 0], [5, 5, 5]], edges=[[0, 1]]))
    assert wrong(problem, [0, 0, -2]) == []
    assert only(wrong(problem, [0, 0, 0])) == "node 2 has no neighbour and must hold -2"
    assert only(wrong(problem, [0, -2, -2])) == "node 1 holds -2, which is no module"
    picked = replace(problem, picks=(Pick(2, "a"),))
    assert wrong(picked, [0, 0, -2]) == []
    assert only(wrong(replace(problem, constraints=(Count(1, 3),)), [0, 0, -2])).startswith("there must be at least 3")


# What agrees


def test_agreement_is_needed_from_both_sides():
    accepts_all = module("a")
    picky = module("b", Bonds(neighbours=(None, None, 0b10, None)))
    problem = staging([accepts_all, picky])
    assert wrong(problem, [0, 0, 0]) == []
    assert (
        only(wrong(problem, [0, 1, 0]))
        == "'b' on node 1 (x 1, y 0) does not accept 'a' on node 0 (x 0, y 0), its orbital 'left'"
    )
    graph = Graph(positions=[[0, 0, 0]] * 2, edges=[[1, 0]], orbitals=[[[LEFT, RIGHT]]], names=("hall", "den"))
    found = only(wrong(staging([accepts_all, picky], graph), [0, 1]))
    assert found == "'b' on node 1 ('den') does not accept 'a' on node 0 ('hall'), its orbital 'left'"


def test_what_is_not_said_of_an_orbital_accepts_anything():
    problem = staging([module("a", Bonds(neighbours=(0b01,))), module("b")])
    assert wrong(problem, [1, 0, 0]) == []
    assert "its orbital 'right'" in only(wrong(problem, [0, 1, 1]))


def test_layers_agree_each_for_itself():
    layers = (SQUARE_LAYER, Layer("pipes", SQUARE_ORBITALS))
    strict = Bonds(neighbours=(0b01, None, None, None))
    problem = staging([Module("a", "a", (ANY, strict)), Module("b", "b", (ANY, ANY))], layers=layers)
    assert wrong(problem, [1, 0, 0]) == []
    assert only(wrong(problem, [0, 1, 1])).endswith("its orbital 'right' of layer 'pipes'")


def test_on_a_ring_of_one_a_module_agrees_with_itself():
    hates_itself = module("a", Bonds(neighbours=(0b10, None, None, None)))
    problem = staging([hates_itself, module("b")], Lattice(1, 1, periodic=(True, False, False)))
    assert wrong(problem, [1]) == []
    assert "'a' on node 0 (x 0, y 0) does not accept 'a' on node 0 (x 0, y 0)" in only(wrong(problem, [0]))
    assert Surroundings(problem).masks[0].tolist() == [1 << RIGHT | 1 << LEFT]
    assert wrong(replace(problem, cluster=Lattice(1, 1)), [-2]) == []


def test_on_a_ring_of_two_each_is_beside_the_other_twice():
    needs_b_left = module("a", Bonds(neighbours=(None, None, 0b10, None)))
    needs_a_right = module("b", Bonds(neighbours=(0b01, None, None, None)))
    problem = staging([needs_b_left, needs_a_right], Lattice(2, 1, periodic=(True, False, False)))
    assert wrong(problem, [0, 1]) == []
    assert len(wrong(problem, [0, 0])) == 2
    assert wrong(problem, [1, 0]) == []
    edges = next(Surroundings(problem).kinds())
    assert list(zip(edges.nodes.tolist(), edges.others.tolist(), strict=True)) == [(0, 1), (1, 0)]


def test_a_lattice_may_have_depth_and_wrap_around():
    cubic = OrbitalSet((Orbital("above", (0, 0, 1)), Orbital("below", (0, 0, -1)), *SQUARE_ORBITALS.orbitals))
    problem = staging([module("a")], Lattice(2, 3, 2, periodic=(False, True, False)), layers=(Layer("air", cubic),))
    surroundings = Surroundings(problem)
    for orbital, expected in ((0, 9), (1, -1), (2, -1), (3, 5), (4, 2), (5, 1)):
        assert surroundings.beside(0, orbital, np.array([3]))[0].tolist() == [expected]


# Which edges there are


def test_hexagons_have_six_neighbours_in_even_and_odd_rows():
    problem = staging([module("a")], Lattice(3, 4, kind=HEX), layers=(Layer("tiles", HEX_ORBITALS),))
    surroundings = Surroundings(problem)

    def beside(x: int, y: int) -> list[int]:
        return [int(surroundings.beside(0, orbital, np.array([x + 3 * y]))[0][0]) for orbital in range(6)]

    # right, down-right, down-left, left, up-left, up-right
    assert beside(1, 1) == [2 + 3, 2 + 6, 1 + 6, 0 + 3, 1 + 0, 2 + 0]
    assert beside(1, 2) == [2 + 6, 1 + 9, 0 + 9, 0 + 6, 0 + 3, 1 + 3]
    assert beside(0, 0) == [1, 3, -1, -1, -1, -1]
    ring = replace(problem, cluster=Lattice(3, 4, kind=HEX, periodic=(True, True, False)))
    surroundings = Surroundings(ring)
    assert beside(0, 0) == [1, 0 + 3, 2 + 3, 2, 2 + 9, 0 + 9]


def test_edges_take_the_orbital_they_point_along():
    positions = [[0, 0, 0], [1, 0.2, 0], [0.1, 2, 0], [-1, -1, 0]]
    problem = staging([module("a")], Graph(positions=positions, edges=[[0, 1], [2, 0], [0, 3]]))
    surroundings = Surroundings(problem)
    assert surroundings.masks[0].tolist() == [1 << RIGHT | 1 << DOWN, 1 << LEFT, 1 << UP, 0]
    assert surroundings.open.tolist() == [True, True, True, False]
    others, backs = surroundings.beside(0, DOWN, np.array([0, 1]))
    assert (others.tolist(), backs.tolist()) == ([2, -1], [UP, -1])


def test_the_better_aligned_edge_crowds_the_other_out():
    positions = [[0, 0, 0], [3, 1, 0], [3, 0.5, 0], [9, 3, 0]]
    problem = staging([module("a"), module("b")], Graph(positions=positions, edges=[[0, 1], [0, 2], [1, 3]]))
    surroundings = Surroundings(problem)
    assert surroundings.beside(0, RIGHT, np.array([0]))[0].tolist() == [2]
    assert surroundings.beside(0, RIGHT, np.array([1]))[0].tolist() == [3], "a crowded edge takes no place"
    assert surroundings.beside(0, LEFT, np.array([1]))[0].tolist() == [-1]
    alike = replace(problem, cluster=Graph(positions=[[0, 0, 0], [1, 0, 0], [2, 0, 0]], edges=[[2, 0], [0, 1]]))
    assert Surroundings(alike).open.tolist() == [True, False, True], "of two alike the first stays"


def test_an_edge_points_along_an_orbital_at_both_ends():
    skewed = OrbitalSet((Orbital("right", (1, 0, 0)), Orbital("left", (-1, 0.3, 0))))
    for slant, matched in ((0, True), (0.3, False), (-0.3, True)):
        cluster = Graph(positions=[[0, 0, 0], [1, slant, 0]], edges=[[0, 1]])
        problem = staging([module("a")], cluster, layers=(Layer("slope", skewed),))
        assert Surroundings(problem).open.tolist() == [matched, matched]


def test_an_edge_without_a_direction_is_none():
    positions = [[0, 0, 0], [0, 0, 0], [1e200, 0, 0], [1e-200, 0, 0]]
    problem = staging([module("a")], Graph(positions=positions, edges=[[0, 1], [0, 2], [0, 3]]))
    assert wrong(problem, [-2] * 4) == []


# Picks


TWO_REDS = [
    module("red end", Bonds(boundary_mask=1 << RIGHT), name="red"),
    module("red", Bonds(orbital_mask=1 << LEFT), name="scarlet"),
    module("red both", Bonds(orbital_mask=1 << LEFT | 1 << RIGHT), name="red"),
    module("red any", name="red"),
    module("blue", placement="excluded"),
]


def picking(pick: Pick, selection: str = "weighted", misfit: str = "skip", modules: list[Module] = TWO_REDS) -> Staging:
    return staging(modules, picks=(pick,), pick_selection=selection, pick_misfit=misfit)


def test_a_pick_by_name_means_any_that_fits():
    problem = picking(Pick(1, "red end"))  # a key: just that one, which does not fit
    assert wrong(problem, [3, 3, 3]) == []
    by_name = [replace(one, key=f"{number}", name=one.name) for number, one in enumerate(TWO_REDS)]
    problem = picking(Pick(1, "red"), modules=by_name)
    assert wrong(problem, [3, 2, 3]) == wrong(problem, [3, 3, 3]) == []
    assert only(wrong(problem, [3, 1, 3])) == "node 1 (x 1, y 0) is picked to hold '2' or '3', but holds '1'"


def test_a_key_comes_before_a_name():
    problem = picking(Pick(1, "red"))
    assert wrong(problem, [3, 1, 3]) == []
    assert only(wrong(problem, [3, 3, 3])) == "node 1 (x 1, y 0) is picked to hold 'red', but holds 'red any'"


def test_first_and_best_mean_one_of_those_that_fit():
    modules = [replace(one, key=f"{number}") for number, one in enumerate(TWO_REDS)]
    modules.insert(0, replace(modules[3], key="plain"))  # fits anywhere, wants nothing
    first = picking(Pick(1, "red"), "first", modules=modules)
    best = picking(Pick(1, "red"), "best", modules=modules)
    assert wrong(first, [0, 0, 0]) == [] != wrong(best, [0, 0, 0])
    assert wrong(best, [0, 3, 0]) == [] != wrong(first, [0, 3, 0])


def test_a_misfit_is_skipped_or_forced():
    modules = [replace(one, key=f"{number}") for number, one in enumerate(TWO_REDS)]
    modules = [*modules[:3], module("other"), modules[4]]
    skipped = picking(Pick(0, "scarlet"), modules=modules)
    assert wrong(skipped, [3, 3, 3]) == []
    assert only(wrong(skipped, [1, 3, 3])) == "'1' does not fit node 0 (x 0, y 0)"
    forced = replace(skipped, pick_misfit="force")
    assert wrong(forced, [1, 3, 3]) == []
    assert only(wrong(forced, [3, 3, 3])) == "node 0 (x 0, y 0) is picked to hold '1', but holds 'other'"
    both = picking(Pick(0, "red"), "best", "force", modules[1:])
    assert wrong(both, [1, 2, 2]) == [], "forced, the one with most in common"


def test_a_forced_pick_still_agrees_with_its_neighbours():
    lonely = module("a", Bonds(orbital_mask=1 << UP, neighbours=(0b01, None, None, None)))
    problem = picking(Pick(0, "a"), misfit="force", modules=[lonely, module("b")])
    assert "does not accept" in only(wrong(problem, [0, 1, 1]))


def test_an_excluded_module_stands_only_where_it_is_picked():
    problem = picking(Pick(1, "blue"))
    assert wrong(problem, [3, 4, 3]) == []
    assert only(wrong(problem, [4, 4, 3])) == "node 0 (x 0, y 0) holds 'blue', which only a pick may place"


def test_a_pick_of_an_unknown_name_is_ignored():
    assert wrong(picking(Pick(1, "nobody"), misfit="force"), [3, 3, 3]) == []


# Fillers


FILLER = module("filler", placement="filler")


def test_a_filler_stands_only_where_nothing_else_could():
    shy = module("a", Bonds(neighbours=(0b01, None, 0b01, None)))  # wants fillers beside it
    problem = staging([FILLER, shy])
    assert wrong(problem, [1, 0, 1]) == []
    found = wrong(problem, [0, 0, 1])
    assert only(found) == "node 0 (x 0, y 0) holds the filler 'filler' where 'a' could stand"


def test_a_picked_filler_may_stay():
    problem = staging([FILLER, module("a")], picks=(Pick(1, "filler"),))
    assert wrong(problem, [1, 0, 1]) == []
    assert only(wrong(problem, [0, 0, 1])).startswith("node 0")


def test_a_filler_on_a_ring_of_one_may_be_needed():
    hates_itself = module("a", Bonds(neighbours=(0b01, None, None, None)))
    problem = staging([FILLER, hates_itself], Lattice(1, 1, periodic=(True, False, False)))
    assert wrong(problem, [0]) == []


@pytest.mark.parametrize(
    ("changes", "needed"),
    [
        ({"most": 1}, True),
        ({"most": 2}, False),
        ({"constraints": (Count(0b10, most=1),)}, True),
        ({"constraints": (Count(0b10, most=0, nodes=(0, 1)),)}, True),
        ({"constraints": (Count(0b10, most=1, nodes=(2,)),)}, False),
        ({"constraints": (Count(0b01, least=2),)}, True),
        ({"constraints": (Count(0b01, least=1),)}, False),
        ({"constraints": (Separation(0b10, 2),)}, False),
        ({"constraints": (Separation(0b10, 3),)}, True),
        ({"constraints": (Connected(0b10),)}, True),
        ({"constraints": (Connected(0b10, ((0, 0),)),)}, True),
        ({"constraints": (Connected(0b11),)}, False),
        ({"constraints": (Connected(0b01),)}, False),
        ({"constraints": (Connected(0b11, ((15, 1 << LEFT),)),)}, True),
        ({"constraints": (Path(0, 0, 0b01),)}, True),
        ({"constraints": (Path(2, 2, 0b10),)}, False),
        ({"constraints": (Path(0, 1, 0b11),)}, False),
        ({"constraints": (Path(0, 2, 0b11),)}, False),
        ({"constraints": (Path(0, 1, 0b01),)}, True),
    ],
)
def test_a_filler_stays_where_a_count_or_constraint_needs_it(changes: dict[str, Any], needed: bool):
    """Fillers left and in the middle, the other module at the right: could it stand at the left as well?"""
    other = module("a", most=changes.get("most"))
    problem = staging([FILLER, other], constraints=changes.get("constraints", ()), picks=(Pick(1, "filler"),))
    assert wrong(replace(problem, picks=(Pick(0, "filler"), Pick(1, "filler"))), [0, 0, 1]) == [], (
        "no rule is broken yet"
    )
    assert (wrong(problem, [0, 0, 1]) == []) == needed


def test_a_filler_that_holds_others_together_is_needed():
    """A cross of five: the middle joins the arms, an arm joins nobody."""
    cross = Graph(
        positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], edges=[[0, 1], [0, 2], [0, 3], [0, 4]]
    )
    problem = staging([FILLER, module("road"), module("wall")], cross, constraints=(Connected(0b011),))
    walls_kept = replace(problem, constraints=(Connected(0b011), Count(0b010, most=4)))
    assert wrong(walls_kept, [0, 1, 1, 1, 1]) == [], "no wall may part the arms, and there are enough roads"
    found = wrong(walls_kept, [1, 0, 1, 1, 1])
    assert only(found) == "node 1 holds the filler 'filler' where 'wall' could stand"
    for exits, needed in (((), False), (((15, 15 & ~(1 << RIGHT), 0),), True)):  # may a road lead to the right?
        path = replace(problem, constraints=(Path(1, 2, 0b011, exits), Count(0b100, 2, 2)))
        assert (wrong(path, [0, 1, 1, 2, 2]) == []) == needed


# Counts and constraints


def test_modules_are_counted():
    problem = staging([module("a", least=1, most=2), module("b")])
    assert wrong(problem, [0, 1, 0]) == []
    assert only(wrong(problem, [1, 1, 1])) == "there must be at least 1 of 'a', but there are 0"
    assert only(wrong(problem, [0, 0, 0])) == "there may be at most 2 of 'a', but there are 3"


def test_constraints_count_among_their_nodes():
    problem = staging([module("a"), module("b")], constraints=(Count(0b10, 1, 1, nodes=(0, 1, 1)),))
    assert wrong(problem, [1, 0, 1]) == []
    assert only(wrong(problem, [0, 0, 1])) == "there must be at least 1 of what constraint 0 counts, but there are 0"
    assert only(wrong(problem, [1, 1, 0])) == "there may be at most 1 of what constraint 0 counts, but there are 2"


def test_connected_modules_hang_together():
    problem = staging([module("wall"), module("road")], constraints=(Connected(0b10),))
    assert wrong(problem, [0, 1, 1]) == wrong(problem, [0, 0, 0]) == []
    found = only(wrong(problem, [1, 0, 1]))
    assert found == (
        "constraint 0: its modules stand in 2 pieces; node 0 (x 0, y 0) and node 2 (x 2, y 0) are not connected"
    )


def test_exits_must_meet():
    exits = ((0, 1 << RIGHT, 1 << LEFT),)
    problem = staging([module("wall"), module("east"), module("west")], constraints=(Connected(0b110, exits),))
    assert wrong(problem, [0, 1, 2]) == []
    assert "2 pieces" in only(wrong(problem, [0, 2, 1]))
    assert "2 pieces" in only(wrong(problem, [0, 1, 1]))


def test_a_path_joins_its_ends():
    problem = staging([module("wall"), module("road")], constraints=(Path(0, 2, 0b10),))
    assert wrong(problem, [1, 1, 1]) == []
    assert only(wrong(problem, [1, 0, 1])) == "constraint 0: no path joins node 0 (x 0, y 0) and node 2 (x 2, y 0)"
    assert only(wrong(problem, [0, 1, 1])) == "constraint 0: node 0 (x 0, y 0) holds none of its modules"
    assert wrong(replace(problem, constraints=(Path(1, 1, 0b10),)), [0, 1, 0]) == []


def test_separated_modules_are_far_apart():
    row = Lattice(6, 1)
    for distance in range(8):
        problem = staging([module("wall"), module("tower")], row, constraints=(Separation(0b10, distance),))
        for other in range(1, 6):
            modules = [1, *(1 if node == other else 0 for node in range(1, 6))]
            assert (wrong(problem, modules) == []) == (other >= distance)
    found = wrong(staging([module("a")], constraints=(Separation(0b1, 2),)), [0, 0, 0])
    assert found[0] == "constraint 0: node 0 (x 0, y 0) and node 1 (x 1, y 0) are fewer than 2 edges apart"


# What is no fill at all


def test_the_list_has_one_module_for_each_node():
    problem = staging([module("a")])
    assert only(wrong(problem, [0, 0])) == "expected one module for each of 3 nodes, found 2"
    assert only(wrong(problem, [0, 0, 1])) == "node 2 (x 2, y 0) holds 1, which is no module"
    assert only(wrong(problem, [0, -3, 0])) == "node 1 (x 1, y 0) holds -3, which is no module"


def test_no_more_violations_than_anyone_would_read():
    problem = staging([module("a", Bonds(boundary_mask=15))], Lattice(10, 10))
    found = wrong(problem, [0] * 100)
    assert len(found) == MAX_VIOLATIONS + 1
    assert found[-1] == "there are more violations, which are not listed"


JUNK = (None, True, 1.5, float("nan"), 10**30, "x", [[]], [True], [0.0], [None], [10**30], {"a": 1}, [[[[[]]]]], [-4])


def test_malformed_bodies_are_violations():
    problem, refutation = clash()
    partly = partial([-3, 1, 1], [{"node": 0}])
    for body in (filling([0, 0, 0]), refutation, partly):
        for key in body.keys() - {"solvent", "domain", "question", "verdict", "form"}:
            for value in JUNK:
                if key != "minimal" or value is not True:
                    assert violations(problem, {**body, key: value}), (key, value)
            without = {other: value for other, value in body.items() if other != key}
            assert violations(problem, without) or key in ("cuts", "minimal")
        for key in ("form", "question", "verdict"):
            for value in JUNK:
                assert violations(problem, {**body, key: value})


def test_malformed_elements_cuts_and_reasons_are_violations():
    problem, refutation = clash()
    kinds = ("node", "pick", "edge", "apart", "least", "most", "constraint", "riddle")
    for value in (*JUNK, [0, 0], [0, 0, 0, 0], [7, 0, 0], [0, 10**6, 0], [0, 0, 63], 10**6, -1, [9, 9, 9]):
        for kind in kinds:
            spoilt = {**refutation, "elements": [*refutation["elements"], {kind: value}]}
            assert violations(problem, spoilt), (kind, value)
        assert violations(problem, {**refutation, "elements": [*refutation["elements"], value]})
        assert violations(problem, {**refutation, "cuts": [value]})
        assert violations(problem, {**refutation, "cuts": [{"constraint": 0, "inside": value}]})
        assert violations(problem, {**refutation, "nodes": [0, 1, value]})
        assert violations(problem, partial([-3, 1, 1], [value]))
    assert "one kind" in only(violations(problem, {**refutation, "elements": [{}]}))
    assert "one kind" in only(violations(problem, {**refutation, "elements": [{"node": 0, "pick": 0}]}))


def test_an_odd_staging_is_a_violation_and_never_a_crash():
    fine = staging([module("a")])
    odd = [
        replace(fine, cluster=Lattice(0, 3)),
        replace(fine, cluster=Lattice(3, 1, kind="round")),
        replace(fine, cluster=Lattice(3, 1, kind=HEX)),
        replace(fine, cluster=Graph(positions=[[0, 0, 0]], edges=[[0, 1]])),
        replace(fine, cluster=Graph(positions=[[0, 0, 0]], edges=[[0, 0]])),
        replace(fine, cluster=Graph(positions=[[float("nan"), 0, 0], [1, 0, 0]], edges=[[0, 1]])),
        replace(fine, cluster=Graph(positions=[[0, 0, 0], [1, 0, 0]], edges=[[0, 1], [1, 0]])),
        replace(fine, cluster=Graph(positions=[[0, 0, 0]] * 2, edges=[[0, 1]], orbitals=[[[0, -1]]])),
        replace(fine, cluster=Graph(positions=[[0, 0, 0]] * 2, edges=[[0, 1]], orbitals=[[[0, 4]]])),
        replace(fine, cluster=Graph(positions=[[0, 0, 0]] * 2, edges=[[0, 1]] * 2, orbitals=[[[0, 1]], [[0, 2]]])),
        replace(fine, cluster=Graph(positions=[[0, 0, 0]] * 2, edges=[[0, 1]], orbitals=[[[0, 1], [0, 1]]])),
        replace(fine, picks=(Pick(3, "a"),)),
        replace(fine, picks=(Pick(0, "a"), Pick(0, "a"))),
        replace(fine, pick_selection="worst"),
        replace(fine, pick_misfit="weep"),
        replace(fine, constraints=(Path(0, 9, 1),)),
        replace(fine, constraints=(Count(1, nodes=(-1,)),)),
        replace(fine, constraints=(Connected(-1),)),
        replace(fine, constraints=(Connected(1, ((0, 0),)),)),
        staging([module("a", Bonds(orbital_mask=1 << 64))]),
        staging([Module("a", "a", ())]),
        staging([module("a")], layers=(Layer("l", OrbitalSet((Orbital("r", (1, 0, 0)),))),)),
        staging([module("a")], layers=(Layer("l", OrbitalSet((Orbital("r", (0.5, 0, 0)), Orbital("l")))),)),
    ]
    for problem in odd:
        for certificate in (filling([0, 0, 0]), clash()[1], partial([0, 0, 0], [])):
            found = violations(problem, certificate)
            assert found
            assert found[0].startswith("the staging is malformed: "), problem
    assert wrong(staging([]), [0, 0, 0]), "no modules at all"
    assert wrong(staging([], Lattice(1, 1)), [-2]) == []


# Refutations


def refutation_of(problem: Staging, nodes: list[int], elements: list[dict[str, Any]], cuts: Any = ()) -> dict[str, Any]:
    """Return the certificate with whatever proof there is; the nodes, elements and cuts may well be wrong."""
    body = make_certificate(
        "valency", "solvable", Verdict.NO, "refutation", nodes=nodes, elements=elements, cuts=list(cuts), proof="0\n"
    )
    made = make_formula(Placing(problem), read_refutation(body), CheckingLimits())
    if isinstance(made, Formula):
        with SatSolver(made.clauses.formula(), with_proof=True) as solver:
            if solver.solve(Budget().start())[0] is False:
                body["proof"] = solver.proof()
    return body


def clash() -> tuple[Staging, dict[str, Any]]:
    """Return three cells of which no two neighbours may be alike, the ends picked to differ, and the refutation."""
    a = module("a", Bonds(neighbours=(0b10, None, 0b10, None)))
    b = module("b", Bonds(neighbours=(0b01, None, 0b01, None)))
    problem = staging([a, b], picks=(Pick(0, "a"), Pick(2, "b")))
    elements = [{"pick": 0}, {"node": 1}, {"pick": 2}, {"edge": [0, 0, RIGHT]}, {"edge": [0, 2, LEFT]}]
    return problem, {**refutation_of(problem, [0, 1, 2], elements), "minimal": True}


def test_a_refutation_is_accepted_and_needs_each_of_its_elements():
    problem, refutation = clash()
    assert violations(problem, refutation) == []
    assert violations(problem, {key: value for key, value in refutation.items() if key != "cuts"}) == []
    for number in range(len(refutation["elements"])):
        spoilt = copy.deepcopy(refutation)
        del spoilt["elements"][number]
        if refutation["elements"][number] != {"node": 1}:  # an edge says already that both ends are filled if one is
            assert "does not follow" in only(violations(problem, spoilt))
    assert violations(replace(problem, picks=(Pick(0, "a"), Pick(2, "a"))), refutation)
    assert "without the empty clause" in only(violations(problem, {**refutation, "proof": ""}))


def test_an_edge_may_be_named_from_either_end():
    problem, refutation = clash()
    refutation["elements"][3:] = [{"edge": [0, 1, LEFT]}, {"edge": [0, 1, RIGHT]}]
    assert violations(problem, refutation) == []


@pytest.mark.parametrize(
    ("nodes", "sentence"),
    [
        ([0, 1], "an element names node 2, which the refutation is not about"),
        ([0, 2, 1], "expected the nodes of the refutation in rising order"),
        ([0, 1, 1, 2], "expected the nodes of the refutation in rising order"),
        ([0, 1, 2, 3], "the refutation is about node 3, but the last is 2"),
    ],
)
def test_the_nodes_of_a_refutation_are_open_nodes_in_order(nodes: list[int], sentence: str):
    problem, refutation = clash()
    assert sentence in violations(problem, {**refutation, "nodes": nodes})
    slot = staging([module("a")], Graph(positions=[[0, 0, 0], [1, 0, 0], [9, 9, 0]], edges=[[0, 1]]))
    assert "stays empty" in only(violations(slot, refutation_of(slot, [2], [{"node": 2}])))


@pytest.mark.parametrize(
    ("element", "sentence"),
    [
        ({"pick": 1}, "an element names the pick on node 1 (x 1, y 0), which has none"),
        ({"edge": [0, 0, LEFT]}, "an element names an edge of node 0 on orbital 2 of layer 0: there is none"),
        ({"edge": [1, 0, RIGHT]}, "an element names orbital 0 of layer 1, which there is not"),
        ({"edge": [0, 0, 4]}, "an element names orbital 4 of layer 0, which there is not"),
        ({"most": 0}, "an element names the most there may be of 'a', which is any number"),
        ({"most": 2}, "an element names most 2, which there is not"),
        ({"least": 2}, "an element names least 2, which there is not"),
        ({"constraint": 0}, "constraint 0 is a separation, of which an element names two nodes"),
        ({"constraint": 2}, "an element names constraint 2, which there is not"),
        ({"apart": [0, 0, 0]}, "an element keeps node 0 apart from itself"),
        ({"apart": [0, 0, 2]}, "node 0 (x 0, y 0) and node 2 (x 2, y 0) are not fewer than 2 edges apart"),
        ({"apart": [1, 0, 1]}, "an element names constraint 1 as a separation, which it is not"),
        ({"node": 5}, "an element names node 5, which the refutation is not about"),
    ],
)
def test_elements_speak_of_what_there_is(element: dict[str, Any], sentence: str):
    problem, refutation = clash()
    problem = replace(problem, constraints=(Separation(0b10, 2), Count(0b11)))
    refutation["elements"].append(element)
    assert only(violations(problem, refutation)) == sentence


def test_what_is_counted_is_named_once():
    problem, refutation = clash()
    refutation["elements"] += [{"least": 0}, {"least": 0}]
    assert only(violations(problem, refutation)) == "the element least 0 is given twice"


def test_counts_are_refuted():
    problem = staging([module("a", most=1), module("b", most=1)])
    nodes = [{"node": node} for node in range(3)]
    full = refutation_of(problem, [0, 1, 2], [*nodes, {"most": 0}, {"most": 1}])
    assert violations(problem, full) == []
    assert violations(problem, refutation_of(problem, [0, 1, 2], [*nodes, {"most": 0}]))
    rare = staging([module("a", Bonds(boundary_mask=1 << LEFT), least=2), module("b")])
    assert violations(rare, refutation_of(rare, [0], [{"least": 0}])) == []
    assert violations(rare, refutation_of(rare, [], [{"least": 0}])) == []
    one = staging([replace(rare.rules.modules[0], least=1), module("b")])
    assert violations(one, refutation_of(one, [], [{"least": 0}])), "the node at the left may hold one"
    assert violations(one, refutation_of(one, [1, 2], [{"least": 0}]))
    few = staging([module("a"), module("b")], constraints=(Count(0b10, 3, 1, nodes=(0, 1)),))
    assert violations(few, refutation_of(few, [0, 1], [{"constraint": 0}])) == []
    assert violations(few, refutation_of(few, [], [{"constraint": 0}])) == []
    assert violations(few, refutation_of(staging([module("a")]), [0], [{"node": 0}]))


def test_a_node_that_a_pick_fills_with_what_is_excluded_is_not_refuted():
    problem = staging([module("a", placement="excluded")], Lattice(2, 1), picks=(Pick(0, "a"), Pick(1, "a")))
    assert wrong(problem, [0, 0]) == []
    assert violations(problem, refutation_of(problem, [0], [{"node": 0}]))


def test_separations_are_refuted():
    problem = staging([module("a")], constraints=(Separation(0b1, 3),))
    elements = [{"node": 0}, {"node": 2}, {"apart": [0, 2, 0]}]
    assert violations(problem, refutation_of(problem, [0, 2], elements)) == []
    assert violations(problem, refutation_of(problem, [0, 2], elements[:1] + elements[2:]))


def parted(constraint: Connected | Path) -> Staging:
    """Return a row of three with roads picked at its ends and a wall between them."""
    picks = (Pick(0, "road"), Pick(1, "wall"), Pick(2, "road"))
    return staging([module("wall"), module("road")], picks=picks, constraints=(constraint,))


ALL_PICKS = [{"pick": node} for node in range(3)]


def test_connected_is_refuted_by_a_cut():
    problem = parted(Connected(0b10))
    elements = [*ALL_PICKS, {"constraint": 0}]
    cut = {"constraint": 0, "inside": [0], "from": 0, "to": 2}
    fine = refutation_of(problem, [0, 1, 2], elements, [cut])
    assert violations(problem, fine) == []
    assert violations(problem, refutation_of(problem, [0, 1, 2], elements, []))
    for spoilt, sentence in (
        ({**cut, "inside": [1]}, "a cut for constraint 0 does not part 0 from 2"),
        ({**cut, "inside": [0, 1, 2]}, "a cut for constraint 0 does not part 0 from 2"),
        ({"constraint": 0, "inside": [0]}, "a cut for constraint 0 does not part None from None"),
        ({**cut, "inside": [0, 9]}, "a cut for constraint 0 has nodes inside that the refutation is not about"),
        ({**cut, "constraint": 1}, "a cut is for constraint 1, which is no element that has cuts"),
    ):
        assert only(violations(problem, {**fine, "cuts": [spoilt]})) == sentence
    narrow = refutation_of(problem, [0, 2], [ALL_PICKS[0], ALL_PICKS[2], {"constraint": 0}], [cut])
    assert "an edge leads from a cut" in only(violations(problem, narrow))
    unnamed = {**fine, "elements": ALL_PICKS}
    assert only(violations(problem, unnamed)) == "a cut is for constraint 0, which is no element that has cuts"


def test_a_path_is_refuted_by_a_cut():
    problem = parted(Path(0, 2, 0b10))
    elements = [*ALL_PICKS, {"constraint": 0}]
    cut = {"constraint": 0, "inside": [0, 1]}
    fine = refutation_of(problem, [0, 1, 2], elements, [cut])
    assert violations(problem, fine) == []
    assert "names no others" in only(violations(problem, {**fine, "cuts": [{**cut, "from": 0, "to": 2}]}))
    assert "does not part 0 from 2" in only(violations(problem, {**fine, "cuts": [{**cut, "inside": [1]}]}))
    assert "node 2, which the refutation is not about" in violations(problem, {**fine, "nodes": [0, 1]})[0]


def test_a_formula_beyond_measure_is_refused():
    problem = staging([module("a", least=10_000, most=10_000)], Lattice(200, 100))
    for element in ({"most": 0}, {"least": 0}):
        body = {"nodes": list(range(20_000)), "elements": [element], "proof": "0\n"}
        certificate = make_certificate("valency", "solvable", Verdict.NO, "refutation", **body)
        assert "too large to check" in only(violations(problem, certificate))


def test_small_formulas_together_may_be_too_large():
    problem, _ = clash()
    limits = CheckingLimits(words=100)
    body = {"nodes": [0], "elements": [{"node": 0}], "proof": "0\n"}
    assert isinstance(make_formula(Placing(problem), read_refutation(body), limits), Formula)
    found = make_formula(Placing(problem), read_refutation({**body, "nodes": [0, 1, 2]}), limits)
    assert isinstance(found, list)
    assert "too large" in only(found)
    spread = replace(problem, constraints=(Separation(1, 3),))
    apart = read_refutation({**body, "nodes": [0, 2], "elements": [{"apart": [0, 0, 2]}]})
    found = make_formula(Placing(spread), apart, CheckingLimits(steps=3))
    assert isinstance(found, list)
    assert "too large" in only(found)
    assert clauses.MAX_WORDS < clauses.MAX_WORDS_TOGETHER


# Fills with nodes left out


def partial(modules: list[int], left_out: list[Any]) -> dict[str, Any]:
    return make_certificate("valency", "partial", Verdict.YES, "partial", modules=modules, left_out=left_out)


def reason(node: int, **changes: Any) -> dict[str, Any]:
    _, refutation = clash()
    body = {key: refutation[key] for key in ("nodes", "elements", "proof")}
    return {"node": node, **body, **changes}


def test_nodes_may_be_left_out_with_or_without_a_reason():
    problem, _ = clash()
    assert violations(problem, partial([0, -3, 1], [{"node": 1}])) == []
    assert violations(problem, partial([0, -3, 1], [reason(1)])) == []
    assert violations(problem, partial([-3, 0, 1], [reason(0)])) == []
    assert violations(problem, partial([-3] * 3, [reason(2), {"node": 0}, {"node": 1}])) == []


def test_all_left_out_nodes_are_listed_once():
    problem, _ = clash()
    for left_out in ([], [{"node": 0}], [{"node": 1}, {"node": 1}], [{"node": 1}, {"node": 0}]):
        assert "each once" in only(violations(problem, partial([0, -3, 1], left_out)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"nodes": [0, 2]}, "its proof is not about it"),
        ({"elements": [{"pick": 0}, {"node": 0}]}, "its proof does not say that it must be filled"),
        ({"proof": "0\n", "elements": [{"node": 1}]}, "line 1: the empty clause does not follow by unit propagation"),
        ({"elements": [{"node": 1}, {"least": 0}]}, "least cannot show that a node had to be left out"),
        ({"elements": [{"node": 1}, {"constraint": 0}]}, "constraint 0 cannot show that a node had to be left out"),
    ],
)
def test_a_reason_is_a_proof_about_the_node(changes: dict[str, Any], sentence: str):
    problem, _ = clash()
    problem = replace(problem, constraints=(Connected(0),))
    found = only(violations(problem, partial([0, -3, 1], [reason(1, **changes)])))
    assert found == f"node 1 (x 1, y 0), left out: {sentence}"


def test_half_a_reason_is_none():
    problem, _ = clash()
    for missing in ("proof", "nodes", "elements"):
        half = reason(1)
        del half[missing]
        assert "proof" in only(violations(problem, partial([0, -3, 1], [half])))


def test_a_reason_is_not_about_nodes_left_out_before():
    problem, _ = clash()
    body = partial([-3, -3, 1], [{"node": 0}, reason(1)])
    assert "which was left out before it" in only(violations(problem, body))
    body["left_out"].reverse()
    assert violations(problem, body) == []


def test_the_least_of_a_count_shows_nothing_of_a_node():
    problem = staging([module("a"), module("b")], constraints=(Count(0b10, 3, 1),))
    elements = [{"node": 0}, {"constraint": 0}]
    full = refutation_of(problem, [0, 1, 2], elements)
    assert violations(problem, full) == []
    left = {"node": 0, **{key: full[key] for key in ("nodes", "elements", "proof")}}
    assert "left out: " in only(violations(problem, partial([-3, 0, 0], [left])))


def test_a_partial_fill_keeps_what_more_modules_cannot_mend():
    problem, _ = clash()
    assert "does not accept" in violations(problem, partial([0, 0, -3], [{"node": 2}]))[0]
    assert "is picked to hold" in only(violations(problem, partial([1, 0, -3], [{"node": 2}])))
    counted = staging([module("a", least=3, most=1), FILLER], constraints=(Connected(0b1), Separation(0b1, 2)))
    assert violations(counted, partial([0, 1, -3], [{"node": 2}])) == []
    assert "at most 1 of 'a'" in only(violations(counted, partial([0, 1, 0], [])))
    assert "fewer than 2" in violations(counted, partial([0, 0, -3], [{"node": 2}]))[1]
