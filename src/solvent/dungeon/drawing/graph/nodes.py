"""The rooms of a graph as boxes: what is written in them, what lies there, and how large that makes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, INK, WHITE, Paint, mix
from solvent.drawing.shapes import Point, group, label, put, rect, with_tooltip
from solvent.drawing.text_width import text_width, wrap_text
from solvent.dungeon.drawing.colours import DANGER, PLAN, REACH, sphere_tint
from solvent.dungeon.drawing.graph.joins import RoomGraph
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import names_in
from solvent.dungeon.drawing.switches import looks_of
from solvent.dungeon.drawing.things import draw_absent, draw_block, draw_goal, draw_pickup, draw_player, draw_start
from solvent.dungeon.drawing.walk import walk_paint
from solvent.dungeon.events import describe_pickup, describe_switch
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rooms import Area
from solvent.dungeon.rules import Game

Sign = tuple[Markup, bool, str]
"""A sign, whether it is faint, and what it is."""

MAX_SIGNS = 9
"""In one node; the others are counted."""
_ROW, _STEP = 5, 26
"""Signs in a row, and the room each has."""
_NAME, _LABEL = 13, 11
"""Sizes of letters."""
_WIDEST_TEXT = 132.0
_LINE = {_NAME: 16, _LABEL: 13}


class Box(Struct, frozen=True):
    """Hold what a room shows."""

    area: Area
    name: tuple[str, ...]
    """Lines of its name."""
    labels: tuple[str, ...]
    """Lines of what is said of it."""
    signs: tuple[Sign, ...]
    title: str
    """All of that, where something was cut; else empty."""

    size: tuple[float, float]
    """Width and height."""

    @property
    def text_height(self) -> float:
        """Return how much of the box its words take."""
        return _text_height(self.name, self.labels)


class Node(Struct, frozen=True):
    """Hold a room as it stands in the picture."""

    box: Box
    x: float
    y: float

    @property
    def area(self) -> Area:
        """Return the room."""
        return self.box.area

    @property
    def width(self) -> float:
        """Return how wide it is."""
        return self.box.size[0]

    @property
    def height(self) -> float:
        """Return how high it is."""
        return self.box.size[1]

    def rim(self, towards: Point) -> Point:
        """Return where a line from its middle to another point leaves it."""
        across, down = towards[0] - self.x, towards[1] - self.y
        wide, high = self.width / 2, self.height / 2
        share = min(wide / abs(across) if across else 1.0, high / abs(down) if down else 1.0, 1.0)
        return self.x + across * share, self.y + down * share


def find_boxes(dungeon: Dungeon, graph: RoomGraph, overlay: Overlay) -> list[Box]:
    """Return what the rooms of a graph show, in their order."""
    signs = _signs(dungeon, graph, overlay)
    boxes = []
    for number, area in enumerate(graph.nodes):
        said = ", ".join(area.labels)
        name = wrap_text(area.name, _WIDEST_TEXT, _NAME, lines=2, bold=area.given)
        labels = wrap_text(said, _WIDEST_TEXT, _LABEL, lines=2)
        cut = " ".join(name) != " ".join(area.name.split()) or " ".join(labels) != " ".join(said.split())
        title = f"{area.name}: {said}" if said else area.name
        size = _size(name, labels, len(signs[number]), bold=area.given)
        boxes.append(Box(area, tuple(name), tuple(labels), tuple(signs[number]), title if cut else "", size))
    return boxes


def _text_height(name: Sequence[str], labels: Sequence[str]) -> float:
    words = len(name) * _LINE[_NAME] + len(labels) * _LINE[_LABEL]
    return words + 6 if words else 6


def _size(name: Sequence[str], labels: Sequence[str], signs: int, *, bold: bool) -> tuple[float, float]:
    shown = min(signs, MAX_SIGNS + 1)
    rows = -(-shown // _ROW)
    widths = [text_width(line, _NAME, bold=bold) for line in name]
    widths += [text_width(line, _LABEL) for line in labels]
    width = max(34.0, *(width + 14 for width in widths), min(shown, _ROW) * _STEP + 10)
    return float(round(width)), _text_height(name, labels) + rows * _STEP + (4 if rows else 2)


def _signs(dungeon: Dungeon, graph: RoomGraph, overlay: Overlay) -> dict[int, list[Sign]]:
    names, state, game = names_in(dungeon), overlay.state, Game(dungeon)
    found: dict[int, list[Sign]] = defaultdict(list)

    def add(place: Place, sign: Markup, name: str, *, faint: bool = False) -> None:
        if place in graph.node_of:
            found[graph.node_of[place]].append((sign, faint, name))

    if dungeon.played:
        add(state.place, draw_player(), "the player")
    else:
        add(dungeon.start, draw_start(), "start")
    shut = not game.meets(state, dungeon.goal_rule)
    for goal in dungeon.goals:
        add(goal, draw_goal(shut=shut), "goal")
    for number, pickup in enumerate(dungeon.pickups):
        name = describe_pickup(pickup, dungeon.rules.bombs_per_pickup)
        absent = number not in state.taken and not game.meets(state, pickup.rule)
        sign = draw_absent(pickup, names) if absent else draw_pickup(pickup, names)
        add(pickup.place, sign, name, faint=number in state.taken)
    for switch in dungeon.switches:
        looks = looks_of(dungeon, switch, names.switch_letters[switch.name])
        near = [switch.place, *switch.reach]
        place = next((place for place in near if place in graph.node_of), switch.place)
        add(place, looks[game.switch_state(state, switch.name)], describe_switch(switch))
    for place in game.block_places(state):
        add(place, draw_block(), "block")
    return found


def draw_node(node: Node, overlay: Overlay, *, visited: bool) -> Markup:
    """Draw a room: its box, its words, and what lies in it."""
    x, y = node.x - node.width / 2, node.y - node.height / 2
    ink: Paint = INK if node.area.given else FAINT_INK
    rim, width, dashes = (walk_paint(overlay.lost) if visited else ink), (3.0 if visited else 1.6), None
    if any(place in overlay.danger for place in node.area.places):
        rim, width, dashes = DANGER, 4.0, "8 5"
    if overlay.target in node.area.places:
        rim, width = PLAN, 5.0
    look = {"stroke": rim, "stroke_width": width, "stroke_dasharray": dashes}
    parts = [rect(x, y, node.width, node.height, rx=8, fill=_fill(node, overlay), **look)]
    foot = y + 3.0
    for line in node.box.name:
        foot += _LINE[_NAME]
        parts.append(label(line, node.x, foot - 3, _NAME, bold=node.area.given, text_anchor="middle", fill=ink))
    for line in node.box.labels:
        foot += _LINE[_LABEL]
        parts.append(label(line, node.x, foot - 3, _LABEL, text_anchor="middle", fill=FAINT_INK))
    parts.extend(_draw_signs(node.box.signs, node.x, y + node.box.text_height + _STEP / 2))
    return group(with_tooltip(parts, node.box.title))


def _fill(node: Node, overlay: Overlay) -> Paint:
    sphere = overlay.sphere_of(node.area.places)
    if sphere is not None:
        return sphere_tint(sphere)
    return mix(REACH, WHITE, 0.3) if any(place in overlay.reach for place in node.area.places) else WHITE


def _draw_signs(signs: Sequence[Sign], middle: float, top: float) -> Iterator[Markup]:
    shown = signs[: MAX_SIGNS if len(signs) > MAX_SIGNS + 1 else MAX_SIGNS + 1]
    for index, (sign, faint, title) in enumerate(shown):
        row, column = divmod(index, _ROW)
        in_row = min(_ROW, len(signs) - row * _ROW, MAX_SIGNS + 1 - row * _ROW)
        x = middle + (column - (in_row - 1) / 2) * _STEP
        yield put(sign, x, top + row * _STEP, size=0.76, faint=faint, title=title)
    if len(shown) < len(signs):
        more = f"+{len(signs) - len(shown)}"
        right = middle + ((_ROW - 1) / 2) * _STEP
        yield label(more, right, top + _STEP + 4, 12, text_anchor="middle", fill=FAINT_INK)
