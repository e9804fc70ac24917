"""Layouts of graphs: boxes never overlap, nodes stay apart, and the same graph always looks the same."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from solvent.drawing.layout import MAX_PUSHED, MAX_SPRUNG, overlap, place_boxes, spring_apart


@pytest.mark.parametrize("known", ["all", "half", "none", "stacked"])
def test_layouts_of_random_graphs_never_overlap(known: str):
    for seed in range(6):
        chance = random.Random(seed)
        count = 40
        sizes = [(chance.uniform(30, 180), chance.uniform(20, 90)) for _ in range(count)]
        points = {n: (chance.uniform(0, 900), chance.uniform(0, 900)) for n in range(count)}
        if known == "half":
            points = {n: points[n] for n in range(count // 2)}
        elif known == "none":
            points = {}
        elif known == "stacked":
            points = dict.fromkeys(range(count), (5.0, 5.0))
        edges = [(chance.randrange(count), chance.randrange(count)) for _ in range(60)]
        middles = place_boxes(sizes, points, edges, 0)
        for a, b in combinations(range(count), 2):
            assert overlap(middles[a], sizes[a], middles[b], sizes[b], gap=20) is None


def test_very_many_boxes_stand_in_rows_and_columns_without_overlapping():
    count = MAX_PUSHED + 20
    sizes = [(60.0, 30.0)] * count
    edges = [(n // 3, n) for n in range(1, count)]
    for known in ({}, {n: (float(n % 7), float(n)) for n in range(count)}):
        middles = place_boxes(sizes, known, edges, 0)
        for a, b in combinations(range(count), 2):
            assert overlap(middles[a], sizes[a], middles[b], sizes[b], gap=20) is None


def test_columns_lead_from_the_start_to_the_right():
    middles = place_boxes([(40.0, 20.0)] * 5, {}, [(3, 1), (1, 0), (0, 2), (2, 4)], 3)
    assert [node for _, node in sorted((x, node) for node, (x, _) in enumerate(middles))] == [3, 1, 0, 2, 4]


@pytest.mark.parametrize("count", [0, 1, 2, 12, MAX_SPRUNG + 1])
def test_nodes_without_size_stay_apart(count: int):
    edges = [(n, (n + 1) % count) for n in range(count)]
    points = spring_apart(count, edges)
    assert len(points) == count
    assert points == spring_apart(count, edges)
    distances = [math.dist(a, b) for a, b in combinations(points, 2)]
    assert not distances or min(distances) > 0.002 * max(distances)


def test_parts_without_an_edge_between_them_stay_on_one_page():
    points = spring_apart(6, [(0, 1), (2, 3), (4, 5)])
    assert max(math.dist(a, b) for a, b in combinations(points, 2)) < 15
