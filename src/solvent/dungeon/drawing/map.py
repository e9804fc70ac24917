"""Draw the map of a dungeon as SVG: its floors with all that stands on them, and walks over it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import structs

from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, INK, WHITE, Paint, mix
from solvent.drawing.paper import draw_paper
from solvent.drawing.phrases import plural
from solvent.drawing.shapes import Point, circle, group, path, put, rect
from solvent.dungeon.drawing.colours import DANGER, GROUND, PLAN, REACH, STONE_EDGE, sphere_tint
from solvent.dungeon.drawing.doors import Door, Link, sort_ways
from solvent.dungeon.drawing.key import lettering_for
from solvent.dungeon.drawing.overlay import Overlay
from solvent.dungeon.drawing.room_names import draw_room_names
from solvent.dungeon.drawing.signs import Names, gate_is_open, names_in
from solvent.dungeon.drawing.spots import Spot, halves, opening, spots_in_door, spots_on_link, spots_on_tiles
from solvent.dungeon.drawing.switches import draw_far_mark, far_places, looks_of, states_of
from solvent.dungeon.drawing.terrain import Sheet, cover_rows, draw_terrain, lay_out
from solvent.dungeon.drawing.things import (
    TILE,
    draw_absent,
    draw_block,
    draw_cross,
    draw_end,
    draw_gate,
    draw_goal,
    draw_pickup,
    draw_player,
    draw_start,
    letters,
)
from solvent.dungeon.drawing.walk import bend, draw_no_return, draw_numbers, draw_walk, middle_of_bend, walk_paint
from solvent.dungeon.events import describe_need, describe_pickup, describe_switch
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rooms import is_single_tile, pieces, rooms_of
from solvent.dungeon.rules import Game, State, walk_from

MAX_MARKED = 200
"""Pieces of a sphere that have its number on them."""
Above = Callable[[Sheet], tuple[Iterable[Markup], Sequence[str]]]
"""What is drawn over a map, given where its tiles lie on the sheet, and lines about it."""


def draw_map(dungeon: Dungeon, overlay: Overlay, *, above: Above | None = None, bare: bool = False) -> str:
    """Draw all floors, what the overlay shows on them, and what comes `above` all that, with captions of its own."""
    sheet = lay_out(dungeon, ruled=not bare)
    lettering = lettering_for(dungeon, overlay)
    marks: Iterable[Markup] = ()
    if above is not None:
        marks, captions = above(sheet)
        lettering = structs.replace(lettering, captions=[*lettering.captions, *captions])
    drawn = group([*_draw_sheet(dungeon, overlay, sheet), *marks], transform=f"scale({sheet.scale:g})")
    return draw_paper(sheet.pixels, [drawn], lettering, bare=bare)


def _draw_sheet(dungeon: Dungeon, overlay: Overlay, sheet: Sheet) -> Iterator[Markup]:
    names = names_in(dungeon)
    doors, links = sort_ways(dungeon)
    size = sign_size(sheet)
    game = Game(dungeon)
    yield from draw_terrain(dungeon, sheet, rooms_of(dungeon))
    yield from _draw_reach(overlay, sheet)
    yield from _draw_spheres(overlay, sheet)
    for door in doors:
        yield _draw_doorway(door, overlay, sheet)
    yield from _draw_links(game, links, overlay, sheet, names)
    # Walks pass below gates and things, so that one still sees what they are.
    yield from _draw_walks(overlay, sheet)
    for door in doors:
        yield from _draw_leaves(game, door, overlay, sheet, names)
    for spot in spots_on_tiles(dungeon, sheet):
        yield _draw_slab(game, spot, overlay, names)
    yield from _draw_things(game, links, overlay, sheet, names, size)
    yield from draw_room_names(dungeon, sheet, doors, links)
    yield from _draw_marks(dungeon, overlay, sheet, size)


def sign_size(sheet: Sheet) -> float:
    """Return how large signs are: they grow against the scale of a big map, into the free floor around them."""
    return {1.0: 1.0, 0.75: 1.1}.get(sheet.scale, 1.3)


def _draw_reach(overlay: Overlay, sheet: Sheet) -> Iterator[Markup]:
    floors: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for floor, row, column in sorted(overlay.reach):
        floors[floor][row].append(column)
    for floor, rows in floors.items():
        tiles = path(cover_rows(rows), fill=REACH, fill_opacity=0.75, shape_rendering="crispEdges")
        yield put(tiles, *sheet.corners[floor])


def _draw_spheres(overlay: Overlay, sheet: Sheet) -> Iterator[Markup]:
    """Yield the tiles of each sphere in its tint, and its number once for each piece of floor."""
    size = 11 / sheet.scale
    for number, sphere in enumerate(overlay.spheres):
        floors: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for floor, row, column in sorted(sphere.places):
            floors[floor][row].append(column)
        for floor, rows in floors.items():
            look = {"fill": sphere_tint(number), "shape_rendering": "crispEdges"}
            yield put(path(cover_rows(rows), **look), *sheet.corners[floor])
        marked = [
            letters(str(number), x - TILE / 2 + 7 / sheet.scale, y - TILE / 2 + 11 / sheet.scale, size, FAINT_INK)
            for piece in pieces(sorted(sphere.places))
            for x, y in [sheet.middle(piece[0])]
        ]
        yield group(marked[:MAX_MARKED])


# gates, doors and links


def _draw_slab(game: Game, spot: Spot, overlay: Overlay, names: Names) -> Markup:
    gate = game.dungeon.gates[spot.gate]
    opened = gate_is_open(game, spot.gate, overlay.state)
    slab = draw_gate(gate, names, spot.width, spot.height, opened=opened, marked=spot.gate in overlay.shut)
    return put(slab, spot.x, spot.y, title=describe_need(gate))


def _draw_doorway(door: Door, overlay: Overlay, sheet: Sheet) -> Markup:
    reached = any(end in overlay.reach for end in door.near) and any(end in overlay.reach for end in door.far)
    return draw_doorway(door, sheet, mix(GROUND, REACH, 0.75) if reached else GROUND)


def draw_doorway(door: Door, sheet: Sheet, fill: Paint) -> Markup:
    """Draw the floor of a doorway through what stands between its ends."""
    x, y, width, height = opening(door, sheet)
    dashes = "5 4" if door.kind == "passage" else None
    sides = (
        f"M{x:g} {y:g}v{height:g}M{x + width:g} {y:g}v{height:g}"
        if door.upright
        else f"M{x:g} {y:g}h{width:g}M{x:g} {y + height:g}h{width:g}"
    )
    floor = rect(x, y, width, height, fill=fill)
    return floor + path(sides, stroke=STONE_EDGE, stroke_width=2.5, stroke_dasharray=dashes)


def _draw_leaves(game: Game, door: Door, overlay: Overlay, sheet: Sheet, names: Names) -> Iterator[Markup]:
    """Yield the gates in a doorway, and an arrow if it leads only one way."""
    for spot in spots_in_door(door, sheet):
        yield _draw_slab(game, spot, overlay, names)
    yield draw_door_arrow(door, sheet)


def draw_door_arrow(door: Door, sheet: Sheet) -> Markup:
    """Draw an arrow in the half of a doorway where it does not begin; nothing if it leads both ways."""
    if bool(door.there) == bool(door.back):
        return Markup("")
    left, top, across, down = halves(door, sheet)[1 if door.there else 0]
    return _draw_arrow((left + across / 2, top + down / 2), (0 if door.there else 180) + (90 if door.upright else 0))


def _draw_arrow(middle: Point, turn: float) -> Markup:
    """Draw the direction of a way that leads only one way."""
    return put(path("M-9 -8L8 0L-9 8z", fill=FAINT_INK), *middle, turn=turn)


def _draw_links(game: Game, links: Sequence[Link], overlay: Overlay, sheet: Sheet, names: Names) -> Iterator[Markup]:
    for link in links:
        yield draw_link(link, sheet)
        for spot in spots_on_link(link, sheet):
            yield _draw_slab(game, spot, overlay, names)


def draw_link(link: Link, sheet: Sheet) -> Markup:
    """Draw the line of a link, with an arrow if it leads only one way."""
    width = 2 / sheet.scale
    start, end = sheet.middle(link.source), sheet.middle(link.target)
    route = sheet.routes.get(link.number)
    line = bend(start, end, link.lane) if route is None else route[0].write()
    # White below the dashes keeps them in sight on walls.
    drawn = path(line, stroke=WHITE, stroke_width=2 * width, opacity=0.55)
    drawn += path(line, stroke=FAINT_INK, stroke_width=width, stroke_dasharray=f"{3 * width:g} {2 * width:g}")
    if link.back is not None:
        return drawn
    if route is not None:
        middle, degrees = route[0].along(route[0].length() * 0.75)
        return drawn + _draw_arrow(middle, degrees)
    x, y = middle_of_bend(start, end, link.lane)
    turn = math.atan2(end[1] - start[1], end[0] - start[0])
    forth = 26 if link.gate is not None else 0
    return drawn + _draw_arrow((x + forth * math.cos(turn), y + forth * math.sin(turn)), math.degrees(turn))


# what lies and stands on tiles


def _draw_things(
    game: Game, links: Sequence[Link], overlay: Overlay, sheet: Sheet, names: Names, size: float
) -> Iterator[Markup]:
    dungeon, state = game.dungeon, overlay.state
    for place in far_places(dungeon):
        yield put(draw_far_mark(), *sheet.middle(place), title="a lever can be worked from here")
    signs: dict[Place, list[tuple[Markup, bool, str]]] = defaultdict(list)
    for place, sign, title, more in things_on_tiles(dungeon, names, links):
        if title != "start" or not dungeon.played:
            signs[place].append((_look(game, state, sign, more), more.get("pickup") in state.taken, title))
    for block, moved in zip(dungeon.blocks, state.moved, strict=True):
        signs[block.place].append((draw_block(), bool(moved), "block"))
        if moved:
            signs[walk_from(block.place, moved)].append((draw_block(), False, "block"))
    for place, found in signs.items():
        for (sign, faint, title), (x, y, part) in zip(
            found, arrange(len(found), sheet.middle(place), size), strict=False
        ):
            yield put(sign, x, y, size=part, faint=faint, title=title)


def _look(game: Game, state: State, sign: Markup, more: dict[str, Any]) -> Markup:
    """Return how something looks in a state of the game."""
    if "switch" in more:
        looks: dict[str, Markup] = more["looks"]
        return looks[game.switch_state(state, more["switch"])]
    if "absent" in more and more["pickup"] not in state.taken:
        return sign if game.meets(state, game.dungeon.pickups[more["pickup"]].rule) else Markup(more["absent"])
    if "shut" in more and not game.meets(state, game.dungeon.goal_rule):
        return Markup(more["shut"])
    return sign


def things_on_tiles(
    dungeon: Dungeon, names: Names, links: Sequence[Link]
) -> Iterator[tuple[Place, Markup, str, dict[str, Any]]]:
    """Yield what lies and stands on tiles: the place, the sign, the title, and what may change it.

    That is the number of a `pickup`, and how it looks while it is `absent`, if it appears; the name of a `switch` with
    its `looks` by state; a `goal` is one, and may look `shut`.
    """
    ends: dict[tuple[Place, str], list[str]] = defaultdict(list)
    for link in links:
        for place, number in ((link.source, link.number), (link.target, link.back)):
            if link.kind == "door" and is_single_tile(dungeon, place[0]):
                continue  # a room of which only the name is known: its line says as much
            ends[place, link.kind] += [] if number is None else [str(number)]
    for (place, kind), numbers in ends.items():
        ways = f", {plural(len(numbers), 'way')} {', '.join(numbers)}" if numbers else ""
        yield place, draw_end(kind), f"{kind}{ways}", {}
    for switch in dungeon.switches:
        looks = looks_of(dungeon, switch, names.switch_letters[switch.name])
        first = looks[states_of(dungeon, switch.name)[0]]
        yield switch.place, first, describe_switch(switch), {"switch": switch.name, "looks": looks}
    yield dungeon.start, draw_start(), "start", {}
    rule = dungeon.goal_rule
    title = "goal" if rule is None else f"goal, needs {describe_requirement(rule)}"
    for goal in dungeon.goals:
        yield goal, draw_goal(), title, {"goal": True} | ({} if rule is None else {"shut": draw_goal(shut=True)})
    for number, pickup in enumerate(dungeon.pickups):
        name = describe_pickup(pickup, dungeon.rules.bombs_per_pickup)
        absent = {} if pickup.rule is None else {"absent": draw_absent(pickup, names)}
        yield pickup.place, draw_pickup(pickup, names), name, {"pickup": number, **absent}


def arrange(count: int, middle: Point, size: float) -> list[tuple[float, float, float]]:
    """Return x, y and size of signs that share a tile; no more than there is room for."""
    x, y = middle
    if count == 1:
        return [(x, y, size)]
    across = 2 if count <= 4 else 3
    part = round(size * (0.62 if across == 2 else 0.44), 2)
    lines = min(-(-count // across), across)
    step = TILE * size / across
    places = [divmod(index, across) for index in range(min(count, across * across))]
    return [
        (round(x + (column - (across - 1) / 2) * step, 1), round(y + (row - (lines - 1) / 2) * step, 1), part)
        for row, column in places
    ]


# what the overlay shows


def _draw_walks(overlay: Overlay, sheet: Sheet) -> Iterator[Markup]:
    width = max(3.0, 2.4 / sheet.scale)
    if overlay.played.moves:
        walk = overlay.played
        yield draw_walk(walk.places, sheet.middle, INK, width=width * 0.8, faint=True, moves=walk.moves)
    if len(overlay.path) > 1:
        yield draw_walk(overlay.path, sheet.middle, PLAN, width=width)
    if overlay.walk is not None and overlay.walk.moves:
        walk = overlay.walk
        yield draw_walk(walk.places, sheet.middle, walk_paint(overlay.lost), width=width, moves=walk.moves)


def _draw_marks(dungeon: Dungeon, overlay: Overlay, sheet: Sheet, size: float) -> Iterator[Markup]:
    """Yield what points at single tiles: dangers, the player, numbers of events, where a hint wants one to go."""
    side = TILE - 4
    for place in sorted(overlay.danger):
        x, y = sheet.middle(place)
        dashes = {"stroke": DANGER, "stroke_width": 3, "stroke_dasharray": "6 4"}
        yield rect(x - side / 2, y - side / 2, side, side, rx=5, fill=DANGER, fill_opacity=0.2, **dashes)
    walk = overlay.walk
    if dungeon.played:
        yield put(draw_player(), *sheet.middle(overlay.state.place), size=size, title="the player")
    if walk is not None and overlay.lost:
        if walk.moves:
            yield draw_no_return(walk, sheet.middle, size=size)
        yield put(draw_cross(), *sheet.middle(walk.places[-1]), size=size, title="stuck")
    if walk is not None:
        yield from draw_numbers(walk.events, sheet.middle, walk_paint(overlay.lost), size=max(1.0, 0.8 / sheet.scale))
    if overlay.target is not None:
        for paint, width in ((WHITE, 7), (PLAN, 4)):
            ring = {"fill": "none", "stroke": paint, "stroke_width": width}
            yield circle(*sheet.middle(overlay.target), TILE * 0.62 * size, **ring)
