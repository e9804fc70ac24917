"""Faults of tasks: each is found, named with its place, all at once; what has none is never refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from solvent.core.errors import BadOption
from solvent.valency.model import (
    HEX_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Connected,
    Count,
    Graph,
    Lattice,
    Layer,
    Look,
    Module,
    Orbital,
    OrbitalSet,
    Path,
    Pick,
    Region,
    Rules,
    Separation,
    Staging,
    Transform,
)
from solvent.valency.orbitals import build_cache
from solvent.valency.validation import faults, has_neighbour, require_valid
from valency.stagings import random_staging
from valency.strategies import one_pixel, stagings

NAN, INFINITE = float("nan"), float("inf")
SQUARE = Layer("tiles", SQUARE_ORBITALS)
PLAIN = Module("a", "a", (Bonds(),))
GOOD = Staging(Rules((SQUARE,), (PLAIN, replace(PLAIN, key="b"))), Lattice(3, 3))


def with_module(**said: Any) -> Staging:
    return replace(GOOD, rules=replace(GOOD.rules, modules=(replace(PLAIN, **said), replace(PLAIN, key="b"))))


def with_bonds(*said: Any) -> Staging:
    return with_module(bonds=(Bonds(*said),))


def with_orbitals(*orbitals: Orbital, threshold: float = 22.5, cluster: Any = None) -> Staging:
    rules = replace(GOOD.rules, layers=(Layer("tiles", OrbitalSet(orbitals, threshold)),))
    return replace(GOOD, rules=rules, cluster=cluster or GOOD.cluster)


def with_graph(positions: Any, edges: Any, orbitals: Any = None, names: tuple[str, ...] = ()) -> Staging:
    return replace(GOOD, cluster=Graph(positions, edges, orbitals, names))


THREE = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
WRONG: dict[str, tuple[Staging, str]] = {
    "no layers": (replace(GOOD, rules=Rules((), (replace(PLAIN, bonds=()),))), "rules.layers: expected from 1 to 8"),
    "same layer": (
        replace(GOOD, rules=Rules((SQUARE, SQUARE), (replace(PLAIN, bonds=(Bonds(),) * 2),))),
        "rules.layers[1].name",
    ),
    "no orbitals": (with_orbitals(), "orbitals: expected from 1 to 64"),
    "many orbitals": (with_orbitals(*(Orbital(str(n)) for n in range(65))), "expected from 1 to 64 orbitals, found 65"),
    "zero direction": (with_orbitals(Orbital("x", (0.0, 0.0, 0.0))), "not all 0"),
    "NaN direction": (with_orbitals(Orbital("x", (NAN, 0.0, 0.0))), "orbitals[0].direction"),
    "threshold": (with_orbitals(Orbital("x"), threshold=NAN), "degrees from 0 to 180, found nan"),
    "no modules": (replace(GOOD, rules=Rules((SQUARE,), ())), "rules.modules: expected from 1 to 4096"),
    "same key": (replace(GOOD, rules=Rules((SQUARE,), (PLAIN, PLAIN))), "modules[1].key: expected a key of its own"),
    "empty key": (with_module(key=""), "modules[0].key"),
    "control character": (with_module(name="a\n"), "without control characters, found 'a\\n'"),
    "surrogate": (with_module(name="\ud800"), "modules[0].name"),
    "weight": (with_module(weight=NAN), "modules[0].weight: expected 0, or a number from 1e-12 to 1e12, found nan"),
    "infinite weight": (with_module(weight=INFINITE), "found inf"),
    "negative weight": (with_module(weight=-0.5), "found -0.5"),
    "weights": (replace(GOOD, rules=Rules((SQUARE,), (replace(PLAIN, weight=0.0),))), "a weight above 0"),
    "least": (with_module(least=-1), "modules[0].least"),
    "most": (with_module(least=2, most=1), "modules[0].most: expected at least 2"),
    "placement": (with_module(placement="often"), "placement: expected normal, filler or excluded"),
    "tags": (with_module(tags=("x", "x")), "tags[1]"),
    "properties": (with_module(properties=(("b", 1), ("a", 1))), "properties sorted by name"),
    "property": (with_module(properties=(("a", NAN),)), "properties.a"),
    "large property": (with_module(properties=(("a", 10**30),)), "63 bits"),
    "transform": (with_module(transforms=(Transform(scale=(1.0, NAN, 1.0)),)), "transforms[0].scale"),
    "colour": (with_module(look=Look(colour="#12345g")), "look.colour"),
    "glyph": (with_module(look=Look(glyph="ab")), "look.glyph"),
    "turns": (with_module(look=Look(quarter_turns=4)), "look.turns"),
    "picture": (with_module(look=Look(picture=one_pixel()[:40])), "look.picture"),
    "layers of bonds": (with_module(bonds=()), "bonds: expected bonds in 1 layers, found 0"),
    "mask outside": (with_bonds(16), "as orbital mask a mask of 4 orbitals, found 16"),
    "boundary and need": (with_bonds(1, 1), "bonds.tiles.right"),
    "wildcard alone": (with_bonds(0, 0, 2), "bonds.tiles.down: expected a wildcard only where"),
    "empty list": (with_bonds(0, 0, 0, (None, 0)), "bonds.tiles.down"),
    "module outside": (with_bonds(0, 0, 0, (4,)), "bonds.tiles.right"),
    "long lists": (with_bonds(0, 0, 0, (None,) * 5), "at most 4 orbitals, found 5"),
    "no cells": (replace(GOOD, cluster=Lattice(0, 3)), "lattice.size"),
    "many cells": (replace(GOOD, cluster=Lattice(2001, 2000)), "1 to 4000000 cells"),
    "kind": (replace(GOOD, cluster=Lattice(3, 3, kind="round")), "kind: expected square or hex"),
    "hexagons with squares": (replace(GOOD, cluster=Lattice(3, 3, kind="hex")), "orbitals of a hexagonal lattice"),
    "squares with hexagons": (with_orbitals(*HEX_ORBITALS.orbitals), "kind: expected hex"),
    "deep hexagons": (with_orbitals(*HEX_ORBITALS.orbitals, cluster=Lattice(2, 2, 2, "hex")), "depth 1"),
    "odd hexagons": (
        with_orbitals(*HEX_ORBITALS.orbitals, cluster=Lattice(2, 3, 1, "hex", (False, True, False))),
        "an even height",
    ),
    "no direction": (with_orbitals(Orbital("x")), "a direction of whole numbers"),
    "crooked": (with_orbitals(Orbital("x", (0.5, 0.0, 0.0)), Orbital("y", (-0.5, 0.0, 0.0))), "whole numbers"),
    "same direction": (
        with_orbitals(Orbital("x", (1.0, 0.0, 0.0)), Orbital("y", (1.0, 0.0, 0.0)), Orbital("z", (-1.0, 0.0, 0.0))),
        "orbitals[1].direction: expected a direction of its own",
    ),
    "no way back": (with_orbitals(Orbital("x", (1.0, 0.0, 0.0))), "leads back from x"),
    "no nodes": (with_graph(np.empty((0, 3)), []), "from 1 to 4000000 nodes, found 0"),
    "NaN position": (with_graph([(0, 0, 0), (NAN, 0, 0)], [(0, 1)]), "graph.nodes[1].position"),
    "infinite position": (with_graph([(0, 0, 0), (INFINITE, 0, 0)], [(0, 1)]), "graph.nodes[1].position"),
    "names": (with_graph(THREE, [], names=("a", "b")), "a name for each of 3 nodes"),
    "same name": (with_graph(THREE, [], names=("a", "b", "a")), "nodes[2].id"),
    "node outside": (with_graph(THREE, [(0, 1), (0, 3)]), "edges[1]: expected nodes from 0 to 2, found [0, 3]"),
    "loop": (with_graph(THREE, [(1, 1)]), "not from one to itself"),
    "same edge": (with_graph(THREE, [(0, 1), (1, 0)]), "edges[1]: expected each two nodes joined once"),
    "too close": (with_graph([(0, 0, 0), (1e-200, 0, 0)], [(0, 1)]), "at least 1e-15 apart"),
    "layers of edges": (with_graph(THREE, [(0, 1)], [[[0, 2], [0, 2]]]), "orbitals in 1 layers, found 2"),
    "orbital outside": (with_graph(THREE, [(0, 1)], [[[0, 4]]]), "numbers of orbitals"),
    "one end": (with_graph(THREE, [(0, 1)], [[[0, -1]]]), "an orbital at both ends"),
    "orbital twice": (
        with_graph(THREE, [(0, 1), (0, 2)], [[[0, 2]], [[0, 2]]]),
        "edges[1]: expected one edge on orbital right of node 0 in layer tiles",
    ),
    "pick outside": (replace(GOOD, picks=(Pick(9, "a"),)), "picks.at[0].node"),
    "pick twice": (replace(GOOD, picks=(Pick(1, "a"), Pick(1, "b"))), "at most one pick"),
    "pick order": (replace(GOOD, picks=(Pick(2, "a"), Pick(1, "b"))), "sorted by node"),
    "selection": (replace(GOOD, pick_selection="some"), "picks.selection"),
    "misfit": (replace(GOOD, pick_misfit="some"), "picks.misfit"),
    "count of nobody": (replace(GOOD, constraints=(Count(0, 1),)), "constraints[0].count.modules"),
    "count of others": (replace(GOOD, constraints=(Count(4),)), "some of the 2 modules, found 4"),
    "count bounds": (replace(GOOD, constraints=(Count(1, 3, 2),)), "constraints[0].count.most"),
    "count nodes": (replace(GOOD, constraints=(Count(1, nodes=(0, 9)),)), "count.nodes[1]"),
    "exits": (replace(GOOD, constraints=(Connected(1, ((1,),)),)), "exits of 2 modules in 1 layers"),
    "exit outside": (replace(GOOD, constraints=(Connected(1, ((16, 0),)),)), "exits of a on orbitals of layer tiles"),
    "path outside": (replace(GOOD, constraints=(Path(0, 9, 1),)), "constraints[0].path.to"),
    "path to a null slot": (replace(GOOD, cluster=Lattice(1, 1), constraints=(Path(0, 0, 1),)), "that has a neighbour"),
    "distance": (replace(GOOD, constraints=(Separation(1, 0),)), "separation.distance"),
    "no constraint": (replace(GOOD, constraints=("count",)), "a Count, Connected, Path, Separation"),  # type: ignore[arg-type]
    "empty region": (replace(GOOD, regions=(Region(()),)), "regions[0].nodes"),
    "two regions": (replace(GOOD, regions=(Region((0, 1)), Region((2, 1)))), "regions[1].nodes[1]"),
    "region seed": (replace(GOOD, regions=(Region((0,), -1),)), "regions[0].seed"),
    "region weights": (replace(GOOD, regions=(Region((0,), weights=((1, 1.0), (0, 1.0))),)), "regions[0].weights"),
    "region weight": (replace(GOOD, regions=(Region((0,), weights=((1, NAN),)),)), "regions[0].weights.b"),
    "priorities": (replace(GOOD, priorities=(1.0,)), "a priority for each of 9 nodes"),
    "priority": (replace(GOOD, priorities=(0.0,) * 8 + (NAN,)), "priorities[8]"),
    "seed": (replace(GOOD, seed=-1), "seed: expected a whole number from 0"),
    "large seed": (replace(GOOD, seed=2**63), "seed"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_fault_is_named_with_its_place(name: str):
    staging, message = WRONG[name]
    assert any(message in said for said in faults(staging)), faults(staging)
    with pytest.raises(BadOption, match="this task cannot be used: "):
        require_valid(staging)


def test_all_faults_are_said_at_once_but_not_without_end():
    assert len(faults(with_module(weight=NAN, least=-1, placement="x"))) == 3
    many = replace(GOOD, rules=Rules((SQUARE,), tuple(replace(PLAIN, key=str(n), least=-1) for n in range(100))))
    assert faults(many)[-1] == "and 80 more"


@given(stagings())
def test_what_is_right_is_left_alone(staging: Staging):
    assert faults(staging) == []
    require_valid(staging)


@pytest.mark.parametrize("seed", range(200))
def test_whether_a_node_has_a_neighbour_is_told_as_by_the_orbital_cache(seed: int):
    staging = random_staging(seed)
    assert faults(staging) == []
    cache = build_cache(staging)
    assert [has_neighbour(staging, node) for node in range(cache.nodes)] == cache.open_nodes.tolist()


def test_edges_in_several_layers_and_back_to_the_same_node_are_fine():
    two = replace(GOOD, rules=Rules((SQUARE, replace(SQUARE, name="b")), (replace(PLAIN, bonds=(Bonds(), Bonds())),)))
    both = Graph(THREE, [(0, 1), (1, 0)], [[[0, 2], [0, 2]], [[1, 3], [-1, -1]]])
    assert faults(replace(two, cluster=both)) == []


def test_a_million_cells_cost_no_more_than_nine(monkeypatch: pytest.MonkeyPatch):
    """The cells of a lattice need no look each: nothing of their number is ever made."""

    def refuse(*_: object) -> None:
        raise AssertionError("the orbital cache of a lattice is not needed here")

    monkeypatch.setattr("solvent.valency.validation.constraints.build_cache", refuse)
    assert faults(replace(GOOD, cluster=Lattice(1000, 1000), constraints=(Path(0, 999_999, 1),))) == []
