"""Layouts of graphs: boxes never overlap, nodes stay apart, and the same graph always looks the same."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from solvent.drawing.layout import MAX_PUSHED, MAX_SPRUNG, overlap, place_boxes, spring_apart


@pytest.mark.parametrize("known", ["all", "half", "stacked"])
def test_boxes_on_a_map_never_overlap(known: str):
    for seed in range(6):
        chance = random.Random(seed)
        count = 40
        sizes = [(chance.uniform(30, 180), chance.uniform(20, 90)) for _ in range(count)]
        points = {n: (chance.uniform(0, 900), chance.uniform(0, 900)) for n in range(count)}
        if known == "half":
            points = {n: points[n] for n in range(count // 2)}
        elif known == "stacked":
            points = dict.fromkeys(range(count), (5.0, 5.0))
        edges = [(chance.randrange(count), chance.randrange(count)) for _ in range(60)]
        middles = place_boxes(sizes, points, edges)
        assert middles is not None or known == "stacked", "where all stand on one spot, no place is as on the map"
        for a, b in combinations(range(count if middles else 0), 2):
            assert overlap(middles[a], sizes[a], middles[b], sizes[b], gap=20) is None


def test_boxes_keep_their_directions_on_the_map():
    places = {number: (float(number % 20) * 30, float(number // 20) * 30) for number in range(400)}
    middles = place_boxes([(60.0, 30.0)] * 400, places, [])
    assert middles is not None
    for number in range(399):
        if number % 20 < 19:
            assert middles[number][0] < middles[number + 1][0]
        if number < 380:
            assert middles[number][1] < middles[number + 20][1]


def test_without_a_map_or_with_too_many_boxes_there_are_no_places():
    assert place_boxes([(40.0, 20.0)] * 5, {0: (1.0, 1.0)}, [(0, 1)]) is None
    many = MAX_PUSHED + 1
    assert place_boxes([(40.0, 20.0)] * many, {n: (float(n), 0.0) for n in range(many)}, []) is None


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
