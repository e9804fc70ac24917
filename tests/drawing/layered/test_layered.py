"""Layered layouts: nothing overlaps, no edge runs below a node, few edges cross, and the same graph looks the same."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from solvent.drawing.curves import Curve, count_crossings, runs_through
from solvent.drawing.layered import Placed, lay_out_in_layers
from solvent.drawing.layered.ordering import count_crossings as count_in_layers
from solvent.drawing.layered.ordering import reduce_crossings
from solvent.drawing.layered.ranks import neighbours, rank_nodes, walk_order
from solvent.drawing.layered.stack import build_stack
from solvent.drawing.layout import overlap


def random_graph(seed: int, count: int, more: int) -> list[tuple[int, int]]:
    """Return a connected graph like that of a dungeon: a tree of neighbours, and some edges that close circles."""
    chance = random.Random(seed)
    edges = [(chance.randrange(max(0, node - 5), node), node) for node in range(1, count)]
    for _ in range(more):
        one = chance.randrange(count)
        edges.append((one, min(count - 1, one + chance.randrange(1, 6))))
    return edges


def grid(rows: int, columns: int) -> list[tuple[int, int]]:
    across = [(r * columns + c, r * columns + c + 1) for r in range(rows) for c in range(columns - 1)]
    return across + [(r * columns + c, (r + 1) * columns + c) for r in range(rows - 1) for c in range(columns)]


def sizes_of(count: int) -> list[tuple[float, float]]:
    chance = random.Random(count)
    return [(float(chance.randrange(30, 150)), float(chance.randrange(20, 80))) for _ in range(count)]


def curves_of(placed: Placed) -> list[Curve]:
    return [curve for curve in placed.curves if curve is not None]


@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_nothing_overlaps_and_no_edge_runs_below_a_node(seed: int, labelled: bool):
    count = 30
    edges, sizes = random_graph(seed, count, 14), sizes_of(count)
    labels = [
        (28.0 * (number % 3), 26.0 if number % 3 else 0.0) if labelled else (0.0, 0.0) for number in range(len(edges))
    ]
    placed = lay_out_in_layers(sizes, edges, labels)
    boxes = list(zip(placed.middles, sizes, strict=True))
    boxes += [(at, size) for at, size in zip(placed.labels, labels, strict=True) if at is not None and size[0]]
    for (one, size), (other, other_size) in combinations(boxes, 2):
        assert overlap(one, size, other, other_size, gap=3) is None
    for (source, target), curve in zip(edges, placed.curves, strict=True):
        if curve is None:
            assert source == target
            continue
        for node, ((x, y), (width, height)) in enumerate(zip(placed.middles, sizes, strict=True)):
            box = (x, y, width / 2 - 0.3, height / 2 - 0.3)
            assert not runs_through(curve.points(), box), (source, target, node)


def test_edges_lead_from_the_rim_of_their_source_to_that_of_their_target():
    edges, sizes = random_graph(3, 20, 9), sizes_of(20)
    placed = lay_out_in_layers(sizes, edges)
    for (source, target), curve in zip(edges, placed.curves, strict=True):
        if curve is None:
            continue
        for node, (x, y) in ((source, curve.start), (target, curve.end)):
            (middle, down), (width, height) = placed.middles[node], sizes[node]
            across, along = abs(x - middle) - width / 2, abs(y - down) - height / 2
            assert max(across, along) == pytest.approx(0, abs=0.2)


def test_the_same_graph_looks_the_same():
    edges = random_graph(8, 40, 20)
    assert lay_out_in_layers(sizes_of(40), edges) == lay_out_in_layers(sizes_of(40), edges)


@pytest.mark.parametrize(
    ("edges", "most"),
    [
        ([(node // 3, node) for node in range(1, 60)], 0),
        ([(node, (node + 1) % 15) for node in range(15)], 0),
        (grid(3, 4), 0),
        (grid(5, 6), 4),
        ([(one, other) for one in range(3) for other in range(3, 6)], 3),
        (random_graph(1, 25, 8), 3),
        (random_graph(1, 60, 18), 10),
        (random_graph(1, 120, 36), 25),
    ],
    ids=["tree", "circle", "grid 3x4", "grid 5x6", "K3,3", "25", "60", "120"],
)
def test_few_edges_cross(edges: list[tuple[int, int]], most: int):
    count = max(map(max, edges)) + 1
    placed = lay_out_in_layers([(60.0, 30.0)] * count, edges)
    assert count_crossings(curves_of(placed)) <= most


def test_layers_lead_away_from_the_start():
    placed = lay_out_in_layers([(40.0, 20.0)] * 5, [(3, 1), (1, 0), (0, 2), (2, 4)], start=3)
    order = sorted(range(5), key=lambda node: sum(placed.middles[node]))
    assert order == [3, 1, 0, 2, 4]


def test_parts_that_nothing_joins_stand_apart_and_all_is_on_the_page():
    sizes = sizes_of(9)
    placed = lay_out_in_layers(sizes, [(0, 1), (1, 2), (4, 5), (7, 7)], start=4)
    for (x, y), (width, height) in zip(placed.middles, sizes, strict=True):
        assert x - width / 2 >= -0.1
        assert y - height / 2 >= -0.1
        assert x + width / 2 <= placed.width + 0.1
        assert y + height / 2 <= placed.height + 0.1
    for one, other in combinations(range(9), 2):
        assert overlap(placed.middles[one], sizes[one], placed.middles[other], sizes[other], gap=5) is None
    assert placed.curves[3] is None


def test_nothing_and_a_single_node_are_graphs_too():
    assert lay_out_in_layers([], []).middles == []
    alone = lay_out_in_layers([(50.0, 30.0)], [(0, 0)])
    assert (alone.width, alone.height, alone.middles) == (50.0, 30.0, [(25.0, 15.0)])


def test_crossings_counted_in_layers_are_those_of_the_picture():
    edges = random_graph(5, 40, 30)
    near = neighbours(40, edges)
    stack = build_stack(
        40, edges, rank_nodes(40, edges, walk_order(near, 0, deep=False)), labelled=[False] * len(edges)
    )
    before = count_in_layers(stack)
    after = reduce_crossings(stack)
    assert after == count_in_layers(stack) < before


def test_a_large_graph_is_laid_out_with_little_work():
    edges = random_graph(2, 640, 160)
    placed = lay_out_in_layers([(80.0, 40.0)] * 640, edges)
    assert len(placed.middles) == 640
