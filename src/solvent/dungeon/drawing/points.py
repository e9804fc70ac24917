"""Draw the abstract graph of a dungeon over its map: points of interest, edges with costs, and the abstract plan.

Every gate counts as open. A point shows how far the goal is from it then; an edge shows how long the walk along it is.
The abstract plan is drawn as the walk it stands for. Edges that are on no point's way to the goal are thin.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec import structs

from solvent.drawing.markup import Markup, join
from solvent.drawing.palette import FAINT_INK, INK, WHITE
from solvent.drawing.phrases import counted
from solvent.drawing.shapes import Outlined, arrow_head, circle, path, put, write_outlined, write_point
from solvent.drawing.shapes import Point as Spot
from solvent.dungeon.abstraction import Abstraction, Edge, TooLarge
from solvent.dungeon.abstraction.parts import Point
from solvent.dungeon.drawing.colours import PLAN
from solvent.dungeon.drawing.map import draw_map
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.terrain import Sheet
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.drawing.walk import bend, draw_walk, middle_of_bend
from solvent.dungeon.events import parse_run
from solvent.dungeon.model import RETURN, STEPS, Dungeon, Place
from solvent.dungeon.rooms import is_room_graph
from solvent.dungeon.rules import Game

MAX_THIN_EDGES = 1_500
"""More edges than this would cover the map: then only those on a way to the goal are drawn."""
KEY = ("Rings: points, with the moves left. Blue: the abstract plan.", "Arrows: where to go on, and how far it is.")
MAX_COSTS = 250
"""More costs than this cannot be read."""


def draw_points(dungeon: Dungeon, overlay: Overlay, *, bare: bool = False) -> str:
    """Draw the points of interest and what leads from one to the next; where only rooms are known, their graph."""
    try:
        abstraction: Abstraction | None = Abstraction(dungeon)
        said = ""
    except TooLarge as error:
        abstraction, said = None, f"The abstract graph is left out: {error}."
    if is_room_graph(dungeon):
        from solvent.dungeon.drawing.graph import draw_graph

        places = [] if abstraction is None else list(plan_places(abstraction))
        return draw_graph(dungeon, structs.replace(overlay, path=tuple(places)), bare=bare)

    def above(sheet: Sheet) -> tuple[Iterable[Markup], list[str]]:
        if abstraction is None:
            return [], [said]
        return list(_draw(abstraction, sheet)), [_caption(abstraction), *KEY]

    return draw_map(dungeon, overlay, above=above, bare=bare)


def plan_places(abstraction: Abstraction) -> Iterator[Place]:
    """Yield the tiles of the abstract plan, the first one first; nothing if there is no plan."""
    plan = abstraction.plan
    if plan is None:
        return
    game = Game(abstraction.dungeon)
    place = abstraction.points[abstraction.start].place
    yield place
    for move in (move for leg in plan for move in parse_run(leg.moves)):
        if move in STEPS:
            found = game.landing(place, move)
            assert found is not None, "the abstract plan walks over tiles"
            place = found[0]
        else:
            place = abstraction.dungeon.start if move == RETURN else abstraction.dungeon.ways[int(move)].target
        yield place


def _caption(abstraction: Abstraction) -> str:
    edges = {(min(edge.source, edge.target), max(edge.source, edge.target)) for edge in abstraction.edges}
    counts = f"{counted(len(abstraction.points), 'point')} of interest, {counted(len(edges), 'edge')}"
    left = abstraction.points[abstraction.start].distance_to_goal
    if left is None:
        return f"{counts}. No way to the goal, even with every gate open."
    return f"{counts}. With every gate open, the goal is {counted(left, 'move')} away."


def _draw(abstraction: Abstraction, sheet: Sheet) -> Iterator[Markup]:
    unit = max(1.0, 0.8 / sheet.scale)
    on_the_way = abstraction.next_edges
    both_ways = {(edge.source, edge.target) for edge in abstraction.edges if not edge.returns}
    drawn = [
        edge for edge in abstraction.edges if edge.source < edge.target or (edge.target, edge.source) not in both_ways
    ]
    used = {frozenset((edge.source, edge.target)) for edge in on_the_way}
    thin = [edge for edge in drawn if not edge.returns and frozenset((edge.source, edge.target)) not in used]
    if len(thin) <= MAX_THIN_EDGES:
        lines = "".join(_line(abstraction, edge, sheet) for edge in thin)
        if lines:
            yield path(lines, stroke=FAINT_INK, stroke_width=unit, opacity=0.4)
    lines = "".join(_line(abstraction, edge, sheet) for edge in on_the_way)
    heads = "".join(_head(abstraction, edge, sheet, unit) for edge in on_the_way if edge.cost > 1)
    if lines:
        yield path(lines, stroke=INK, stroke_width=1.6 * unit, opacity=0.75)
        yield path(heads, fill=INK, opacity=0.75) if heads else Markup("")
    places = list(plan_places(abstraction))
    if len(places) > 1:
        yield draw_walk(places, sheet.middle, PLAN, width=max(3.0, 2.4 / sheet.scale))
    costs = [edge for edge in on_the_way if edge.cost > 1]
    if len(costs) <= MAX_COSTS:
        size = 10 * unit
        texts = [_cost(abstraction, edge, sheet, size) for edge in costs]
        yield from write_outlined(texts, size, fill=FAINT_INK, bold=True, text_anchor="middle")
    for point in abstraction.points:
        yield _draw_point(point, sheet, unit)


def _ends(abstraction: Abstraction, edge: Edge, sheet: Sheet) -> tuple[Spot, Spot]:
    return sheet.middle(abstraction.points[edge.source].place), sheet.middle(abstraction.points[edge.target].place)


def _line(abstraction: Abstraction, edge: Edge, sheet: Sheet) -> str:
    start, end = _ends(abstraction, edge, sheet)
    return bend(start, end) if edge.way is not None or edge.returns else f"M{write_point(start)}L{write_point(end)}"


def _middle(abstraction: Abstraction, edge: Edge, sheet: Sheet) -> Spot:
    start, end = _ends(abstraction, edge, sheet)
    if edge.way is not None or edge.returns:
        return middle_of_bend(start, end)
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def _head(abstraction: Abstraction, edge: Edge, sheet: Sheet, unit: float) -> str:
    start, end = _ends(abstraction, edge, sheet)
    length = math.dist(start, end) or 1.0
    way = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tip = end[0] - way[0] * 9 * unit, end[1] - way[1] * 9 * unit
    return arrow_head(tip, way, back=7 * unit, side=4 * unit)


def _cost(abstraction: Abstraction, edge: Edge, sheet: Sheet, size: float) -> Outlined:
    x, y = _middle(abstraction, edge, sheet)
    return Outlined(str(edge.cost), x, y + size / 3)


def _draw_point(point: Point, sheet: Sheet, unit: float) -> Markup:
    x, y = sheet.middle(point.place)
    left = (
        "no way to the goal"
        if point.distance_to_goal is None
        else f"{counted(point.distance_to_goal, 'move')} to the goal"
    )
    names = ", ".join(point.names or point.kinds)
    title = f"point {point.number}: {names}; {left}"
    ring = circle(0, 0, 6 * unit, fill="none", stroke=WHITE, stroke_width=4 * unit)
    ring += circle(0, 0, 6 * unit, fill="none", stroke=PLAN, stroke_width=1.8 * unit)
    shown = "–" if point.distance_to_goal is None else str(point.distance_to_goal)
    size = 9 * unit
    aside = min(TILE * 0.45, 12 * unit)
    number = write_outlined([Outlined(shown, aside, aside)], size, fill=PLAN, bold=True, text_anchor="middle")
    return put(join([ring, *number]), x, y, title=title)
