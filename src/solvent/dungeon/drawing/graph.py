"""Draw the rooms of a dungeon and what joins them as SVG."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from solvent.drawing.layout import place_boxes
from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, INK, WHITE, Paint, mix
from solvent.drawing.paper import draw_paper
from solvent.drawing.phrases import shorten
from solvent.drawing.shapes import Point, badge, label, path, put, rect, write_point
from solvent.dungeon.drawing.colours import DANGER, PLAN, REACH, SEA
from solvent.dungeon.drawing.joins import Join, RoomGraph, find_room_graph
from solvent.dungeon.drawing.key import lettering_for
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import Names, gate_is_open, names_in
from solvent.dungeon.drawing.terrain import lay_out
from solvent.dungeon.drawing.things import (
    draw_block,
    draw_cross,
    draw_end,
    draw_gate,
    draw_goal,
    draw_pickup,
    draw_plate,
    draw_player,
    draw_start,
    edge_paint,
)
from solvent.dungeon.drawing.walk import few_numbers, no_return_bars, walk_paint
from solvent.dungeon.events import name_gate, name_pickup
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rooms import Area, is_single_tile
from solvent.dungeon.rules import Game

Sign = tuple[Markup, bool, str]
"""A sign, whether it is faint, and what it is."""

MAX_SIGNS = 9
"""In one node; the others are counted."""
MAX_BENT = 400
"""With more nodes than this, lines go straight; trying bends would take long."""
_ROW, _STEP = 5, 26
_BENDS = (0, 45, -45, 90, -90, 150, -150, 230, -230)


class Node(Struct, frozen=True):
    """Hold a room as it stands in the picture."""

    area: Area
    x: float
    y: float
    width: float
    height: float
    name: str
    signs: tuple[Sign, ...]


def draw_graph(dungeon: Dungeon, overlay: Overlay, *, bare: bool = False) -> str:
    """Draw the rooms as boxes with what they hold, the joins as lines with what they ask for."""
    graph = find_room_graph(dungeon)
    nodes = place_rooms(dungeon, graph, overlay)
    left, top = min(n.x - n.width / 2 for n in nodes), min(n.y - n.height / 2 for n in nodes)
    right, bottom = max(n.x + n.width / 2 for n in nodes), max(n.y + n.height / 2 for n in nodes)
    margin = 30
    visited = {graph.node_of.get(place) for place in overlay.walk.places} if overlay.walk is not None else set()
    elements = [
        *_draw_joins(dungeon, graph, nodes, overlay),
        *(line for n, node in enumerate(nodes) for line in _draw_node(node, overlay, visited=n in visited)),
        *_draw_marks(graph, nodes, overlay),
    ]
    size = right - left + 2 * margin, bottom - top + 2 * margin
    drawn = put(elements, margin - left, margin - top)
    return draw_paper(size, [drawn], lettering_for(dungeon, overlay, on_map=False), bare=bare)


# where nodes stand and what is in them


def place_rooms(dungeon: Dungeon, graph: RoomGraph, overlay: Overlay) -> list[Node]:
    """Return the nodes of the graph where they stand in the picture, in their order."""
    signs = _signs(dungeon, graph, overlay)
    names = [_name(area) for area in graph.nodes]
    sizes = [_size(name, len(signs[number])) for number, name in enumerate(names)]
    sheet = lay_out(dungeon)
    known: dict[int, Point] = {}
    corners = {room.name: room for room in dungeon.rooms}
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
    edges = [(join.source, join.target) for join in graph.joins]
    middles = place_boxes(sizes, known, edges, graph.node_of.get(dungeon.start, 0))
    return [
        Node(area, round(x, 1), round(y, 1), *sizes[number], names[number], tuple(signs[number]))
        for number, (area, (x, y)) in enumerate(zip(graph.nodes, middles, strict=True))
    ]


def _name(area: Area) -> str:
    labels = f" · {', '.join(area.labels)}" if area.labels else ""
    return shorten(area.name + labels, 26) if area.given else area.name


def _size(name: str, signs: int) -> tuple[float, float]:
    shown = min(signs, MAX_SIGNS + 1)
    rows = -(-shown // _ROW)
    width = max(34.0, 7.4 * len(name) + 18, min(shown, _ROW) * _STEP + 14)
    return width, (22 if name else 8) + rows * _STEP + (6 if rows else 4)


def _signs(dungeon: Dungeon, graph: RoomGraph, overlay: Overlay) -> dict[int, list[Sign]]:
    names, state = names_in(dungeon), overlay.state
    found: dict[int, list[Sign]] = defaultdict(list)

    def add(place: Place, sign: Markup, name: str, *, faint: bool = False) -> None:
        if place in graph.node_of:
            found[graph.node_of[place]].append((sign, faint, name))

    if dungeon.played:
        add(state.place, draw_player(), "the player")
    else:
        add(dungeon.start, draw_start(), "start")
    for goal in dungeon.goals:
        add(goal, draw_goal(), "goal")
    for number, pickup in enumerate(dungeon.pickups):
        name = name_pickup(pickup, dungeon.rules.bombs_per_pickup)
        add(pickup.place, draw_pickup(pickup, names), name, faint=number in state.taken)
    for switch in dungeon.switches:
        plate = draw_plate(names.switch_letters[switch.name], on=switch.name in state.on)
        add(switch.place, plate, f"switch {switch.name}")
    for block in dungeon.blocks:
        add(block.place, draw_block(), "block")
    return found


# joins


def _draw_joins(dungeon: Dungeon, graph: RoomGraph, nodes: Sequence[Node], overlay: Overlay) -> Iterator[Markup]:
    names, game = names_in(dungeon), Game(dungeon)
    together: dict[tuple[int, int], list[Join]] = defaultdict(list)
    for join in graph.joins:
        together[min(join.source, join.target), max(join.source, join.target)].append(join)
    walked = _walked(graph, overlay)
    for (one, other), joins in together.items():
        steps = _free_bend(nodes, one, other)
        spread = 30
        for index, join in enumerate(joins):
            bend = steps + (index - (len(joins) - 1) / 2) * spread * 2
            curve = _curve(nodes[one], nodes[other], bend)
            if join.source != one:
                curve = curve[::-1]
            thick = (join.source, join.target) in walked or (join.both and (join.target, join.source) in walked)
            yield from _draw_join(dungeon, join, curve, names, game, overlay, thick=thick)


def _draw_join(
    dungeon: Dungeon,
    join: Join,
    curve: Sequence[Point],
    names: Names,
    game: Game,
    overlay: Overlay,
    *,
    thick: bool,
) -> Iterator[Markup]:
    start, control, end = map(write_point, curve)
    line = f"M{start}Q{control} {end}"
    paint: Paint = FAINT_INK
    if join.gates:
        paint = edge_paint(dungeon.gates[join.gates[0]], names)
    elif join.wet:
        paint = mix(SEA, (0, 60, 110), 0.6)
    dashes = "7 5" if join.kind in ("stairs", "warp", "passage") else None
    if thick:
        yield path(line, stroke=walk_paint(overlay.lost), stroke_width=9, opacity=0.35)
    yield path(line, stroke=paint, stroke_width=2.6, stroke_dasharray=dashes)
    signs = []
    for number in join.gates[:3]:
        gate = dungeon.gates[number]
        opened = gate_is_open(game, number, overlay.state)
        slab = draw_gate(gate, names, 28, 28, opened=opened, marked=number in overlay.shut)
        signs.append((slab, 0.8, name_gate(gate)))
    if join.wet:
        pool = rect(-12, -12, 24, 24, rx=4, fill=SEA, stroke="#3A7CA5")
        signs.append((pool + path("M-9 1q4.5 -6 9 0t9 0", stroke="#1D5B85"), 0.8, ""))
    if join.kind in ("stairs", "warp"):
        signs.append((draw_end(join.kind), 0.7, join.kind))
    # A join of one direction shows its signs before its arrow, so that two of them stay apart.
    length = math.dist(curve[0], curve[2]) + 1
    middle = 0.5 if join.both or not signs else max(0.2, 0.5 - 13 / length)
    x, y = _along(curve, middle)
    for index, (sign, size, title) in enumerate(signs):
        yield put(sign, x + (index - (len(signs) - 1) / 2) * 26, y, size=size, title=title)
    if not join.both:
        tip = min(0.86, 0.5 + 15 / length) if signs else 0.5
        at, ahead = _along(curve, tip), _along(curve, tip + 0.02)
        turn = math.degrees(math.atan2(ahead[1] - at[1], ahead[0] - at[0]))
        yield put(path("M-8 -7L8 0L-8 7z", fill=paint, stroke=WHITE), *at, turn=turn)


def _curve(one: Node, other: Node, bend: float) -> tuple[Point, Point, Point]:
    across, down = other.x - one.x, other.y - one.y
    length = math.hypot(across, down) or 1.0
    # The control point of a curve lies twice as far out as the curve goes; ends are moved out to the boxes' rims.
    middle = (one.x + other.x) / 2 - down / length * bend, (one.y + other.y) / 2 + across / length * bend
    return _rim(one, middle), middle, _rim(other, middle)


def _rim(node: Node, towards: Point) -> Point:
    across, down = towards[0] - node.x, towards[1] - node.y
    share = min(
        node.width / 2 / abs(across) if across else math.inf, node.height / 2 / abs(down) if down else math.inf, 1.0
    )
    return node.x + across * share, node.y + down * share


def _along(curve: Sequence[Point], share: float) -> Point:
    (a, b), (c, d), (e, f) = curve
    rest = 1 - share
    return (
        rest * rest * a + 2 * rest * share * c + share * share * e,
        rest * rest * b + 2 * rest * share * d + share * share * f,
    )


def _free_bend(nodes: Sequence[Node], one: int, other: int) -> float:
    """Return how far to bend a line so that it passes below as few other boxes as possible."""
    best, fewest = 0.0, math.inf
    if len(nodes) > MAX_BENT:
        return best
    reach_x = sorted((nodes[one].x, nodes[other].x))
    reach_y = sorted((nodes[one].y, nodes[other].y))
    close = [
        node
        for number, node in enumerate(nodes)
        if number not in (one, other)
        and reach_x[0] - 250 - node.width < node.x < reach_x[1] + 250 + node.width
        and reach_y[0] - 250 - node.height < node.y < reach_y[1] + 250 + node.height
    ]
    for bend in _BENDS:
        curve = _curve(nodes[one], nodes[other], bend)
        points = [_along(curve, step / 16) for step in range(1, 16)]
        hits = sum(
            abs(x - node.x) < node.width / 2 + 6 and abs(y - node.y) < node.height / 2 + 6
            for node in close
            for x, y in points
        )
        if hits < fewest:
            best, fewest = bend, hits
        if not hits:
            break
    return best


# nodes and marks


def _draw_node(node: Node, overlay: Overlay, *, visited: bool) -> Iterator[Markup]:
    x, y = node.x - node.width / 2, node.y - node.height / 2
    reached = any(place in overlay.reach for place in node.area.places)
    ink: Paint = INK if node.area.given else FAINT_INK
    rim, width = (walk_paint(overlay.lost), 3.0) if visited else (ink, 1.6)
    dashes = None
    if any(place in overlay.danger for place in node.area.places):
        rim, width, dashes = DANGER, 4, "8 5"
    if overlay.target in node.area.places:
        rim, width = PLAN, 5
    fill = mix(REACH, WHITE, 0.3) if reached else WHITE
    line = {"stroke": rim, "stroke_width": width, "stroke_dasharray": dashes}
    yield rect(x, y, node.width, node.height, rx=8, fill=fill, **line)
    if node.name:
        yield label(node.name, node.x, y + 16, 13, bold=node.area.given, text_anchor="middle", fill=ink)
    top = y + (22 if node.name else 8) + _STEP / 2
    shown = node.signs[: MAX_SIGNS if len(node.signs) > MAX_SIGNS + 1 else MAX_SIGNS + 1]
    for index, (sign, faint, title) in enumerate(shown):
        row, column = divmod(index, _ROW)
        in_row = min(_ROW, len(node.signs) - row * _ROW, MAX_SIGNS + 1 - row * _ROW)
        middle = node.x + (column - (in_row - 1) / 2) * _STEP
        yield put(sign, middle, top + row * _STEP, size=0.76, faint=faint, title=title)
    if len(shown) < len(node.signs):
        right = node.x + ((_ROW - 1) / 2) * _STEP
        more = f"+{len(node.signs) - len(shown)}"
        yield label(more, right, top + _STEP + 4, 12, text_anchor="middle", fill=FAINT_INK)


def _draw_marks(graph: RoomGraph, nodes: Sequence[Node], overlay: Overlay) -> Iterator[Markup]:
    """Yield the numbers of events on their rooms, and where a walk is lost."""
    walk = overlay.walk
    if walk is None:
        return
    at: dict[int, list[int]] = defaultdict(list)
    for event in walk.events:
        # What happens at a gate between two rooms stands on the one that is entered.
        entered = (graph.node_of[place] for place in walk.places[event.move :] if place in graph.node_of)
        number = next(entered, None)
        if number is not None:
            at[number].append(event.number)
    for number, numbers in at.items():
        node = nodes[number]
        sign = badge(few_numbers(numbers, 4), walk_paint(overlay.lost))
        yield put(sign, node.x + node.width / 2 - 4, node.y - node.height / 2)
    if not overlay.lost:
        return
    ends = [graph.node_of.get(place) for place in walk.places]
    if ends[-1] is not None:
        node = nodes[ends[-1]]
        yield put(draw_cross(), node.x - node.width / 2, node.y + node.height / 2, title="stuck")
        before = next((end for end in reversed(ends) if end is not None and end != ends[-1]), None)
        if before is not None and len(ends) > 1 and ends[-2] != ends[-1]:
            start = nodes[before]
            turn = math.atan2(node.y - start.y, node.x - start.x)
            x, y = _rim(node, (start.x, start.y))
            at_rim = x - 12 * math.cos(turn), y - 12 * math.sin(turn)
            yield put(no_return_bars(), *at_rim, turn=math.degrees(turn))


def _walked(graph: RoomGraph, overlay: Overlay) -> set[tuple[int, int]]:
    """Return the pairs of nodes between which the walk goes."""
    if overlay.walk is None:
        return set()
    nodes = [graph.node_of[place] for place in overlay.walk.places if place in graph.node_of]
    return {(a, b) for a, b in pairwise(nodes) if a != b}
