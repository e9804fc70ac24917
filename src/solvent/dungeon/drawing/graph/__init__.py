"""Draw the rooms of a dungeon and what joins them as SVG.

1. `joins` finds the rooms and what joins them.
2. `nodes` says what a room shows, `lines` what a join shows.
3. `placing` says where they stand.
4. `passages` numbers the walk along the lines.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from solvent.drawing.legend import Entry
from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, INK
from solvent.drawing.paper import draw_paper
from solvent.drawing.shapes import Point, badge, badge_width, circle, label, path, put
from solvent.dungeon.drawing.graph.lines import LinePainter, draw_arrow, draw_direction
from solvent.dungeon.drawing.graph.nodes import draw_node
from solvent.dungeon.drawing.graph.passages import (
    Passage,
    find_passages,
    find_returns,
    numbers_by_line,
    passage_of_move,
)
from solvent.dungeon.drawing.graph.placing import GraphPicture, place_graph
from solvent.dungeon.drawing.key import lettering_for
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.signs import names_in
from solvent.dungeon.drawing.things import draw_cross
from solvent.dungeon.drawing.walk import bend, few_numbers, middle_of_bend, no_return_bars, walk_paint
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game

__all__ = ["draw_graph", "place_graph"]

MARGIN = 30
_NUMBER = 0.85
"""How large numbers on lines are."""
_RING = 8.5
"""The radius of the ring around the number of a sphere."""
_DISTANCES = (12.0, 8.0, 20.0, 28.0, 36.0, 46.0, 58.0, 72.0, 12.0)
"""How far from a room a number may stand; the nearest that is free."""


def draw_graph(dungeon: Dungeon, overlay: Overlay, *, bare: bool = False) -> str:
    """Draw the rooms as boxes with what they hold, the joins as lines with what they ask for."""
    picture = place_graph(dungeon, overlay)
    nodes = picture.nodes
    passages = find_passages(dungeon, picture.graph, picture.lines, overlay.walk)
    points = [point for curve in picture.curves for point in curve.points()]
    left = min(*(n.x - n.width / 2 for n in nodes), *(x for x, _ in points), math.inf)
    top = min(*(n.y - n.height / 2 for n in nodes), *(y for _, y in points), math.inf)
    right = max(*(n.x + n.width / 2 for n in nodes), *(x for x, _ in points), -math.inf)
    bottom = max(*(n.y + n.height / 2 for n in nodes), *(y for _, y in points), -math.inf)
    visited = {picture.graph.node_of.get(place) for place in overlay.walk.places} if overlay.walk is not None else set()
    elements = [
        *_draw_lines(dungeon, picture, overlay, passages),
        *_draw_returns(picture, overlay),
        *(draw_node(node, overlay, visited=number in visited) for number, node in enumerate(nodes)),
        *_draw_numbers(dungeon, picture, overlay, passages),
        *_draw_spheres(picture, overlay),
        *_draw_loss(picture, overlay, passages),
    ]
    size = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    drawn = put(elements, MARGIN - left, MARGIN - top)
    numbers = passage_of_move(picture.graph, overlay.walk)
    lettering = lettering_for(dungeon, overlay, on_map=False, numbers=numbers, more=list(_arrows(dungeon, picture)))
    return draw_paper(size, [drawn], lettering, bare=bare)


def _arrows(dungeon: Dungeon, picture: GraphPicture) -> Iterator[Entry]:
    """Yield what the arrows on lines mean, where there are some."""
    if any(line.back is None or line.there is None for line in picture.lines):
        yield Entry("leads one way only", put(draw_arrow(FAINT_INK), 0, 0, size=1.3))
    if any(direction for line in picture.lines for _, direction in line.signs(dungeon)):
        yield Entry("bars the way in this direction only", put(draw_direction(FAINT_INK), 0, 0, size=1.4))


def _draw_lines(
    dungeon: Dungeon, picture: GraphPicture, overlay: Overlay, passages: Sequence[Passage]
) -> Iterator[Markup]:
    painter = LinePainter(Game(dungeon), names_in(dungeon), overlay)
    walked = {passage.line for passage in passages}
    for number, line in enumerate(picture.lines):
        yield from painter.draw(line, picture.curves[number], picture.middles[number], walked=number in walked)


def _draw_returns(picture: GraphPicture, overlay: Overlay) -> Iterator[Markup]:
    """Yield returns to the start as dashed arcs, each with its number."""
    paint = walk_paint(overlay.lost)
    for (one, other), numbers in find_returns(picture.graph, overlay.walk).items():
        start, end = picture.nodes[one], picture.nodes[other]
        ends = (start.x - start.width / 4, start.y), (end.x - end.width / 4, end.y)
        yield path(bend(*ends), stroke=paint, stroke_width=2.6, stroke_dasharray="6 6", fill="none")
        title = f"return to the start, number {', '.join(map(str, numbers))}"
        yield put(badge(few_numbers(numbers, 2), paint, size=_NUMBER), *middle_of_bend(*ends), title=title)


def _draw_numbers(
    dungeon: Dungeon, picture: GraphPicture, overlay: Overlay, passages: Sequence[Passage]
) -> Iterator[Markup]:
    """Yield the numbers of the walk on its lines, each where the player leaves a room, and none on another."""
    paint = walk_paint(overlay.lost)
    taken: list[tuple[float, float, float]] = [
        (x, y, line.label_size(dungeon)[0] / 2)
        for line, (x, y) in zip(picture.lines, picture.middles, strict=True)
        if line.signs(dungeon)
    ]
    taken += [(x, y, _RING) for _, (x, y) in _sphere_marks(picture, overlay)]
    for (number, forth), numbers in numbers_by_line(passages).items():
        curve = picture.curves[number] if forth else picture.curves[number].reversed()
        text = few_numbers(numbers, 2)
        half = badge_width(text, size=_NUMBER) / 2 + 1
        for distance in _DISTANCES:
            (x, y), _ = curve.along(min(distance, curve.length() / 2))
            if all(abs(x - other) >= half + wide or abs(y - down) >= 17 for other, down, wide in taken):
                break
        taken.append((x, y, half))
        title = f"walked as number {', '.join(map(str, numbers))}" if len(numbers) > 2 else ""
        yield put(badge(text, paint, size=_NUMBER), x, y, title=title)


def _draw_spheres(picture: GraphPicture, overlay: Overlay) -> Iterator[Markup]:
    """Yield the number of the sphere that each room is in, on its corner."""
    for sphere, at in _sphere_marks(picture, overlay):
        yield put(sphere_mark(sphere), *at)


def _sphere_marks(picture: GraphPicture, overlay: Overlay) -> Iterator[tuple[int, Point]]:
    """Yield the sphere of each room that is in one, and the corner of the room."""
    for node in picture.nodes:
        sphere = overlay.sphere_of(node.area.places)
        if sphere is not None:
            yield sphere, (node.x - node.width / 2 - 2, node.y - node.height / 2 - 2)


def sphere_mark(number: int) -> Markup:
    """Draw the number of a sphere in a ring."""
    ring = circle(0, 0, _RING, fill="#FFFFFF", stroke=INK, stroke_width=1.2)
    return ring + label(str(number), 0, 3.8, 11 if number < 10 else 9, text_anchor="middle", fill=INK)


def _draw_loss(picture: GraphPicture, overlay: Overlay, passages: Sequence[Passage]) -> Iterator[Markup]:
    """Yield where a walk is lost."""
    walk = overlay.walk
    if walk is None or not overlay.lost:
        return
    end = picture.graph.node_of.get(walk.places[-1])
    if end is None:
        return
    node = picture.nodes[end]
    yield put(draw_cross(), node.x - node.width / 2, node.y + node.height / 2, title="stuck")
    if passages and len(walk.places) > 1 and picture.graph.node_of.get(walk.places[-2]) != end:
        last = passages[-1]
        curve = picture.curves[last.line] if last.forth else picture.curves[last.line].reversed()
        (x, y), turn = curve.along(-14)
        yield put(no_return_bars(), x, y, turn=turn)
