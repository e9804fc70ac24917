"""Say where the rooms and lines of a graph stand: as on the map where there is one, else in layers from the start."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from solvent.drawing.curves import Curve, quadratic, runs_through, straight
from solvent.drawing.detours import find_detour, round_corners
from solvent.drawing.layered import lay_out_in_layers
from solvent.drawing.layout import Size, place_boxes
from solvent.drawing.shapes import Point
from solvent.dungeon.drawing.graph.joins import RoomGraph, find_room_graph
from solvent.dungeon.drawing.graph.lines import SIGN_STEP, Line, find_lines, joined
from solvent.dungeon.drawing.graph.nodes import Box, Node, find_boxes
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.terrain import lay_out
from solvent.dungeon.model import Dungeon, Way
from solvent.dungeon.rooms import is_single_tile

MAX_BENT = 1200
"""With more nodes than this, lines go straight; trying bends would take long."""
_BENDS = (0, 45, -45, 90, -90, 150, -150, 230, -230)
_LARGE_BEND = 100
"""A line that must bend further is led around the boxes instead, if that can be."""
_DETOUR = 150
"""How far beyond its ends a detour looks for boxes."""
_SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
"""How far along a line its signs may stand."""
_SPREAD = 60


class GraphPicture(Struct, frozen=True):
    """Hold a graph of rooms as it stands in the picture."""

    graph: RoomGraph
    nodes: list[Node]
    lines: list[Line]
    curves: list[Curve]
    """By line, from its one end to its other."""
    middles: list[Point]
    """By line: where its signs stand."""


def place_graph(dungeon: Dungeon, overlay: Overlay) -> GraphPicture:
    """Return the rooms and lines of a dungeon where they stand in the picture."""
    graph = find_room_graph(dungeon)
    boxes, lines = find_boxes(dungeon, graph, overlay), find_lines(graph)
    sizes, labels = [box.size for box in boxes], [line.label_size(dungeon) for line in lines]
    places = place_boxes(sizes, _places_on_map(dungeon, graph), joined(lines), labels)
    if places is not None:
        return _place_as_on_map(graph, boxes, lines, labels, places)
    placed = lay_out_in_layers(sizes, joined(lines), labels, start=graph.node_of.get(dungeon.start, 0))
    nodes = [Node(box, x, y) for box, (x, y) in zip(boxes, placed.middles, strict=True)]
    curves, middles = [], []
    for curve, middle in zip(placed.curves, placed.labels, strict=True):
        assert curve is not None, "no join leads from a room to itself"
        curves.append(curve)
        middles.append(curve.along(curve.length() / 2)[0] if middle is None else middle)
    return GraphPicture(graph, nodes, lines, curves, middles)


def _places_on_map(dungeon: Dungeon, graph: RoomGraph) -> dict[int, Point]:
    """Return the middles of rooms on the map; a room of which only the name is known has no place there."""
    sheet = lay_out(dungeon)
    known: dict[int, Point] = {}
    corners = {room.name: room for room in dungeon.rooms if not is_single_tile(dungeon, room.corner[0])}
    for number, area in enumerate(graph.nodes):
        room = corners.get(area.name) if area.given else None
        if room is not None:
            floor, row, column = room.corner
            ends = [sheet.middle(room.corner), sheet.middle((floor, row + room.height - 1, column + room.width - 1))]
        elif area.places and not is_single_tile(dungeon, area.places[0][0]):
            ends = [sheet.middle(place) for place in area.places]
        else:
            continue
        known[number] = (sum(x for x, _ in ends) / len(ends), sum(y for _, y in ends) / len(ends))
    return known


def _place_as_on_map(
    graph: RoomGraph, boxes: Sequence[Box], lines: Sequence[Line], labels: Sequence[Size], places: Sequence[Point]
) -> GraphPicture:
    nodes = [Node(box, round(x, 1), round(y, 1)) for box, (x, y) in zip(boxes, places, strict=True)]
    together: dict[tuple[int, int], list[int]] = {}
    for number, line in enumerate(lines):
        together.setdefault((min(line.one, line.other), max(line.one, line.other)), []).append(number)
    curves: dict[int, Curve] = {}
    found = _Boxes(nodes)
    for (one, other), numbers in together.items():
        bend, hits = _free_bend(found, one, other)
        for index, number in enumerate(numbers):
            aside = bend + (index - (len(numbers) - 1) / 2) * _SPREAD
            curve = _curve(nodes[one], nodes[other], aside)
            if (hits or abs(bend) > _LARGE_BEND) and len(numbers) == 1:
                curve = _detour(found, one, other) or curve
            curves[number] = curve if lines[number].one == one else curve.reversed()
    ordered = [curves[number] for number in range(len(lines))]
    return GraphPicture(graph, nodes, list(lines), ordered, _place_signs(nodes, ordered, labels))


def _place_signs(nodes: Sequence[Node], curves: Sequence[Curve], labels: Sequence[Size]) -> list[Point]:
    """Return where the signs of each line stand: about its middle, and on no room or other sign where that can be."""
    boxes = [(node.x, node.y, node.width / 2, node.height / 2) for node in nodes]
    middles: list[Point] = [curve.along(curve.length() / 2)[0] for curve in curves]
    # Short lines have the least choice.
    for number in sorted(range(len(curves)), key=lambda each: (curves[each].length(), each)):
        wide, high = labels[number][0] / 2 + 2, labels[number][1] / 2 + 2
        if labels[number][0] == 0:
            continue
        length = curves[number].length()
        for share in _SHARES:
            x, y = curves[number].along(length * share)[0]
            if all(abs(y - b) >= high + h or abs(x - a) >= wide + w for a, b, w, h in boxes):
                middles[number] = x, y
                break
        boxes.append((*middles[number], wide, high))
    return middles


def _curve(one: Node, other: Node, bend: float) -> Curve:
    across, down = other.x - one.x, other.y - one.y
    length = math.hypot(across, down) or 1.0
    # The control point of a curve lies twice as far out as the curve goes; ends are moved out to the boxes' rims.
    middle = (one.x + other.x) / 2 - down / length * bend, (one.y + other.y) / 2 + across / length * bend
    return quadratic(one.rim(middle), middle, other.rim(middle))


class _Boxes:
    """Find the boxes of rooms near a line without looking at all of them."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.order = sorted(range(len(nodes)), key=lambda number: (nodes[number].x, number))
        self.xs = [nodes[number].x for number in self.order]
        self.boxes = [(node.x, node.y, node.width / 2, node.height / 2) for node in nodes]
        self.widest = max((box[2] for box in self.boxes), default=0.0)

    def near(self, one: int, other: int, distance: float) -> list[tuple[float, float, float, float]]:
        """Return the boxes of other rooms that a line between two may come near to."""
        left, right = sorted((self.nodes[one].x, self.nodes[other].x))
        top, bottom = sorted((self.nodes[one].y, self.nodes[other].y))
        first = bisect_left(self.xs, left - distance - self.widest)
        last = bisect_right(self.xs, right + distance + self.widest)
        close = (self.boxes[number] for number in self.order[first:last] if number not in (one, other))
        return [box for box in close if top - distance - box[3] < box[1] < bottom + distance + box[3]]


def _free_bend(boxes: _Boxes, one: int, other: int) -> tuple[float, int]:
    """Return how far to bend a line so that it passes below as few other boxes as possible, and below how many."""
    nodes = boxes.nodes
    best, fewest = 0.0, len(nodes)
    if len(nodes) > MAX_BENT:
        return best, 0
    for bend in _BENDS:
        points = _curve(nodes[one], nodes[other], bend).points()
        near = boxes.near(one, other, abs(bend) + 10)
        hits = sum(runs_through(points, (x, y, wide + 6, high + 6)) for x, y, wide, high in near)
        if hits < fewest:
            best, fewest = bend, hits
        if not hits:
            break
    return best, fewest


def _detour(boxes: _Boxes, one: int, other: int) -> Curve | None:
    """Lead a line around the boxes between its ends."""
    start, end = boxes.nodes[one], boxes.nodes[other]
    points = find_detour((start.x, start.y), (end.x, end.y), boxes.near(one, other, _DETOUR))
    if points is None:
        return None
    points[0], points[-1] = start.rim(points[1]), end.rim(points[-2])
    return round_corners(points)


def routes_of_ways(dungeon: Dungeon, picture: GraphPicture, numbers: Sequence[int]) -> dict[int, tuple[Curve, Point]]:
    """Return for ways, by number, the line between the middles of their rooms, and where their gate stands on it."""
    between: dict[tuple[int, int], list[int]] = {}
    for number, line in enumerate(picture.lines):
        between.setdefault((line.one, line.other), []).append(number)
        between.setdefault((line.other, line.one), []).append(number)
    routes = {}
    for way_number in numbers:
        way = dungeon.ways[way_number]
        one, other = picture.graph.node_of[way.source], picture.graph.node_of[way.target]
        choices = between.get((one, other), [])
        if not choices:
            continue
        number = min(choices, key=lambda choice: (_unlike(picture.lines[choice], one, way), choice))
        line, curve = picture.lines[number], picture.curves[number]
        curve = curve if line.one == one else curve.reversed()
        ends = [(picture.nodes[node].x, picture.nodes[node].y) for node in (one, other)]
        whole = Curve((straight(ends[0], curve.start), *curve.pieces, straight(curve.end, ends[1])))
        routes[way_number] = whole, _spot_of_gate(dungeon, line, picture.middles[number], way.gate)
    return routes


def _unlike(line: Line, source: int, way: Way) -> tuple[bool, bool]:
    """Say how little a line is like a way."""
    gates = (line.there if line.one == source else line.back) or ()
    return line.kind != way.kind, (way.gate not in gates) if way.gate is not None else bool(gates)


def _spot_of_gate(dungeon: Dungeon, line: Line, middle: Point, gate: int | None) -> Point:
    """Return where a gate stands among the signs of a line."""
    signs = line.signs(dungeon)
    at = next((index for index, (sign, _) in enumerate(signs) if sign == gate), (len(signs) - 1) / 2)
    return middle[0] + (at - (len(signs) - 1) / 2) * SIGN_STEP, middle[1]
