"""Place the nodes of a graph in a picture.

Boxes stand about where a map has them, and never overlap. Nodes without size stand where springs pull them. Boxes that
are on no map are for `solvent.drawing.layered`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from solvent.drawing.shapes import Point

Size = tuple[float, float]

GAP = 52.0
"""The least distance between two nodes, in at least one direction."""
_BESIDE_LABEL = 18.0
"""How much of a line is seen on each side of its label."""
MAX_PUSHED = 1200
"""With more nodes than this, comparing each with each takes too long."""
_MAX_SAMPLED = 150
"""Nodes whose neighbours are looked at to choose the scale of a map."""
_ROUNDS = 400
_MOST_COMPARED = 4_000_000
"""Pairs of nodes that are looked at in all rounds together: about a second."""
MAX_SPRUNG = 300
"""Nodes that springs arrange; more stand in rings around the first."""
_SPRING_ROUNDS = 200
_GRAVITY = 0.1
"""How strongly the middle pulls, so that parts without an edge between them stay on one page."""


def place_boxes(
    sizes: Sequence[Size],
    known: Mapping[int, Point],
    edges: Sequence[tuple[int, int]],
    labels: Sequence[Size] | None = None,
) -> list[Point] | None:
    """Return the middle of each box, as near to its place on the map as the others let it.

    Between boxes that an edge joins there is room for its label.
    `known` are middles on the map of those that are on it, in any unit. None if fewer than half are on it, or if it is
    so crowded that finding room would take long.
    """
    if len(known) * 2 < len(sizes) or len(sizes) > MAX_PUSHED:
        return None
    near = _neighbours(edges)
    for others in near.values():
        others.sort()
    middles = _push_apart(_scaled(sizes, known), sizes, _gaps(edges, labels or ()))
    if middles is None:
        return None
    for node in _from_placed(len(sizes), middles, near):
        anchors = [middles[other] for other in near[node] if other in middles] or list(middles.values())[:1]
        middles[node] = _free_place(node, anchors[0], middles, sizes)
    return [middles[node] for node in range(len(sizes))]


def _gaps(edges: Sequence[tuple[int, int]], labels: Sequence[Size]) -> dict[tuple[int, int], float]:
    """Return how much room there is across between two nodes that stand beside each other, where it is more than usual.

    That is what the widest label between them needs, with something of the line to be seen on both sides of it.
    """
    gaps: dict[tuple[int, int], float] = {}
    for (one, other), (width, _) in zip(edges, labels, strict=False):
        wanted = width + 2 * _BESIDE_LABEL
        if width and wanted > gaps.get((one, other), GAP):
            gaps[one, other] = gaps[other, one] = wanted
    return gaps


def overlap(
    one: Point, size: Size, other: Point, other_size: Size, gap: float = GAP, wide_gap: float | None = None
) -> Point | None:
    """Return how deep two nodes with a gap around reach into each other, across and down; None if they do not."""
    across = (size[0] + other_size[0]) / 2 + (gap if wide_gap is None else wide_gap) - abs(one[0] - other[0])
    down = (size[1] + other_size[1]) / 2 + gap - abs(one[1] - other[1])
    return (across, down) if across > 0.01 and down > 0.01 else None


def _scaled(sizes: Sequence[Size], known: Mapping[int, Point]) -> dict[int, Point]:
    """Shrink the map so far that about half of the nodes just find room beside their neighbours."""
    needs = []
    sampled = list(known.items())[:: max(1, len(known) // _MAX_SAMPLED)]
    for node, (x, y) in sampled:
        hardest = 0.0
        for other, (other_x, other_y) in known.items():
            if node == other:
                continue
            across, down = abs(x - other_x), abs(y - other_y)
            wide = (sizes[node][0] + sizes[other][0]) / 2 + GAP
            high = (sizes[node][1] + sizes[other][1]) / 2 + GAP
            if across or down:
                hardest = max(hardest, min(wide / across if across else math.inf, high / down if down else math.inf))
        needs.append(hardest)
    needs.sort()
    scale = needs[len(needs) // 2] if needs and needs[len(needs) // 2] > 0 else 1.0
    return {node: (x * scale, y * scale) for node, (x, y) in known.items()}


def _push_apart(
    middles: dict[int, Point], sizes: Sequence[Size], gaps: Mapping[tuple[int, int], float]
) -> dict[int, Point] | None:
    """Push overlapping nodes away from each other, the shorter way, until none are left; None if that takes long."""
    widest = max((sizes[node][0] for node in middles), default=0.0)
    widest_gap = max(gaps.values(), default=GAP)
    compared = 0
    for _ in range(_ROUNDS):
        calm = True
        nodes = sorted(middles, key=lambda node: (middles[node][0], node))
        for index, node in enumerate(nodes):
            x, y = middles[node]
            width, height = sizes[node]
            reach, high = x + (width + widest) / 2 + widest_gap, height / 2 + GAP
            for following in range(index + 1, len(nodes)):
                other = nodes[following]
                other_x, other_y = middles[other]
                if other_x > reach:
                    compared += following - index
                    break  # what was pushed here in this round is seen in the next
                if abs(other_y - y) >= high + sizes[other][1] / 2:
                    continue
                depth = overlap((x, y), (width, height), (other_x, other_y), sizes[other], GAP, gaps.get((node, other)))
                if depth is None:
                    continue
                calm = False
                if depth[0] < depth[1]:
                    shift = math.copysign(depth[0] / 2 + 0.01, other_x - x)
                    x, other_x = x - shift, other_x + shift
                else:
                    shift = math.copysign(depth[1] / 2 + 0.01, other_y - y)
                    y, other_y = y - shift, other_y + shift
                middles[node], middles[other] = (x, y), (other_x, other_y)
        if calm:
            return middles
        if compared > _MOST_COMPARED:
            return None
    return None


def _from_placed(count: int, middles: Mapping[int, Point], near: Mapping[int, list[int]]) -> list[int]:
    """Return the nodes that have no place yet, those beside placed ones first."""
    order: list[int] = []
    seen = set(middles)
    waiting = sorted(middles)
    for node in waiting:  # grows while it is walked through
        for other in near[node]:
            if other not in seen:
                seen.add(other)
                order.append(other)
                waiting.append(other)
    return order + [node for node in range(count) if node not in seen]


def _free_place(node: int, anchor: Point, middles: Mapping[int, Point], sizes: Sequence[Size]) -> Point:
    """Return a free place as near as possible to another node."""
    for ring in range(1, 200):
        for step in range(8 * ring):
            angle = 2 * math.pi * step / (8 * ring) + math.pi / 4
            place = (anchor[0] + 60 * ring * math.cos(angle), anchor[1] + 45 * ring * math.sin(angle))
            if all(overlap(place, sizes[node], middles[o], sizes[o]) is None for o in middles):
                return place
    widest = max(middles.values())
    return widest[0] + sizes[node][0] + 2000, anchor[1]


def spring_apart(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """Find places for nodes without size, an edge being about 1 long: edges pull, and all nodes push."""
    import numpy as np  # only pictures of graphs need it

    points = np.array(_in_rings(count, edges)).reshape(count, 2)
    if 3 <= count <= MAX_SPRUNG:
        first, second = np.array(edges, dtype=np.int64).reshape(-1, 2).T
        for number in range(_SPRING_ROUNDS):
            apart = points[:, None, :] - points[None, :, :]
            square = np.maximum((apart**2).sum(axis=2), 1e-4)
            force = (apart / square[:, :, None]).sum(axis=1)
            pull = (points[second] - points[first]) * np.hypot(*(points[second] - points[first]).T)[:, None]
            force -= _GRAVITY * (points - points.mean(axis=0))
            np.add.at(force, first, pull)
            np.add.at(force, second, -pull)
            strength = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
            reach = np.minimum(strength, 0.5 * (1 - number / _SPRING_ROUNDS)) / strength
            points = points + force * reach[:, None]
    return [(x, y) for x, y in points.tolist()]


def _in_rings(count: int, edges: Iterable[tuple[int, int]]) -> list[Point]:
    """Place each part of the graph beside the last: its first node in the middle, the others around it by distance."""
    points: list[Point] = [(0.0, 0.0)] * count
    right = 0.0
    for rings in _parts(count, _neighbours(edges)):
        radii = [0.0]
        for ring in rings[1:]:
            radii.append(max(radii[-1] + 1, len(ring) / (2 * math.pi)))
        for ring, radius in zip(rings, radii, strict=True):
            for index, node in enumerate(ring):
                angle = 2 * math.pi * (index + 0.5 * (len(ring) % 2)) / len(ring)
                points[node] = right + radii[-1] + radius * math.cos(angle), radius * math.sin(angle)
        right += 2 * radii[-1] + 1.5
    return points


def _parts(count: int, near: Mapping[int, list[int]], start: int = 0) -> Iterator[list[list[int]]]:
    """Yield each connected part as layers: its first node, those one edge away, and so on."""
    seen: set[int] = set()
    for first in [start, *range(count)] if count else []:
        layers, layer = [], [] if first in seen else [first]
        while layer:
            layers.append(layer)
            seen.update(layer)
            layer = list(dict.fromkeys(other for node in layer for other in near[node] if other not in seen))
        if layers:
            yield layers


def _neighbours(edges: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    near: dict[int, list[int]] = defaultdict(list)
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    return near
