"""What is remarked on: edges and picks that take no part, by the names of their nodes."""

from __future__ import annotations

from solvent.valency.model import (
    SQUARE_ORBITALS,
    Bonds,
    Graph,
    Lattice,
    Layer,
    Module,
    Pick,
    Rules,
    Staging,
)
from solvent.valency.rules import remarks

RULES = Rules((Layer("ways", SQUARE_ORBITALS),), (Module("a", "a", (Bonds(),)), Module("b", "b", (Bonds(1),))))


def star(*ends: tuple[float, float], names: tuple[str, ...] = ()) -> Graph:
    """Return a graph whose first node has an edge to each of the others."""
    positions = [(0.0, 0.0, 0.0), *((x, y, 0.0) for x, y in ends)]
    return Graph(positions, [(0, n) for n in range(1, len(positions))], names=names)  # type: ignore[arg-type]


def test_one_edge_or_many_that_point_nowhere():
    one = Staging(RULES, star((1, 0), (1, 1), names=("Alder", "Birch", "Cedar")))
    assert remarks(one) == ["1 edge (Alder to Cedar) points along no orbital of layer 'ways' and is left out."]
    two = Staging(RULES, star((1, 0), (1, 1), (-1, 1)))
    assert remarks(two) == [
        "2 edges (node 0 to node 2, node 0 to node 3) point along no orbital of layer 'ways' and are left out."
    ]
    many = Staging(RULES, star(*[(1 + n, 1 + n) for n in range(1234)]))
    [said] = remarks(many)
    assert said.startswith("1,234 edges (node 0 to node 1, ")
    assert ", node 0 to node 5, …) point along" in said


def test_edges_that_others_crowd_out():
    better = "left out of layer 'ways': another edge fits the same orbital better."
    assert remarks(Staging(RULES, star((1, 0), (1, 0.1)))) == [f"1 edge (node 0 to node 2) is {better}"]
    assert remarks(Staging(RULES, star((1, 0.2), (1, 0), (1, 0.1)))) == [
        f"2 edges (node 0 to node 1, node 0 to node 3) are {better}"
    ]


def test_picks_that_count_for_nothing():
    row = Staging(RULES, Lattice(3, 1), picks=(Pick(0, "x"), Pick(1, "y"), Pick(2, "b")))
    assert remarks(row) == [
        "Fixed picks ignored, no module has that name: 'x' on (0, 0), 'y' on (1, 0).",
        "Fixed pick ignored, no module of that name fits there: 'b' on (2, 0).",
    ]
    assert remarks(Staging(RULES, Lattice(3, 1), picks=(Pick(0, "b"),))) == []
