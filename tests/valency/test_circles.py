"""Fills without circles: what a search for them begins with, and broad floors that come apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import solvent
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.valency.authoring import RuleBook
from solvent.valency.model import Acyclic, Connected, Lattice, Staging
from solvent.valency.solver.constraints.circles import Circles
from solvent.valency.solver.formula import Formula
from solvent.valency.solver.network import boot
from solvent.valency.solver.node_sets import NodeSet
from solvent.valency.solver.refuting import placeable


@pytest.mark.parametrize(
    ("size", "periodic", "expected"),
    [((4, 3, 1), False, 6), ((5, 5, 1), True, 25), ((3, 3, 3), False, 36), ((7, 1, 1), False, 0)],
)
def test_a_search_begins_with_every_square_once(size: tuple[int, int, int], periodic: bool, expected: int):
    book = RuleBook("cubic" if size[2] > 1 else "square")
    book.module("floor", sockets={"*": "floor"})
    wraps = (periodic, periodic, False)
    staging = Staging(book.build(), Lattice(*size, periodic=wraps), constraints=(Acyclic(1),))
    network = boot(staging)
    inside = NodeSet(network, np.arange(network.nodes))
    (limit,) = network.limits
    assert isinstance(limit, Circles)
    squares = limit.likely_consequences(Formula(network, inside, placeable(network, inside.nodes)))
    corners = set()
    for square in squares:
        ends = [node for side in square.edges.sides() for node in side[0].tolist()]
        assert sorted(Counter(ends).values()) == [2, 2, 2, 2]
        corners.add(frozenset(ends))
    assert len(corners) == len(squares) == expected


@pytest.mark.parametrize("seed", slow([0]))
def test_broad_floors_come_apart(seed: int):
    (example,) = (one for one in solvent.examples("valency") if one.name == "rooms")
    staging = solvent.parse(example.text, domain="valency")
    joined = staging.constraints[0]
    assert isinstance(joined, Connected)
    asked = Acyclic(joined.modules, joined.exits)
    answer = solvent.ask(replace(Staging(staging.rules, Lattice(24, 24), constraints=(asked,)), seed=seed), nodes=10**7)
    assert answer.verdict is Verdict.YES
