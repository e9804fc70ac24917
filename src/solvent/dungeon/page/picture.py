"""Draw a dungeon in pieces: the ground, each gate open and shut, each thing for itself.

The pieces are those of the drawings, in the units of their sheet, so that a page looks like a picture that was saved.
They are SVG elements as text. Nothing here depends on the moves played, and none of it is drawn twice in a row.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from solvent.drawing.dark import dark_colours
from solvent.drawing.markup import Markup
from solvent.drawing.palette import WHITE, Paint, as_hex, heat_paint, mix, relative_luminance
from solvent.drawing.shapes import put
from solvent.dungeon.drawing.colours import DANGER, GROUND, PLAN, REACH
from solvent.dungeon.drawing.doors import Door, Link, sort_ways
from solvent.dungeon.drawing.heat import LEVELS
from solvent.dungeon.drawing.key import signs_on_map
from solvent.dungeon.drawing.map import arrange, draw_door_arrow, draw_doorway, draw_link, sign_size, things_on_tiles
from solvent.dungeon.drawing.room_names import draw_room_names
from solvent.dungeon.drawing.signs import Names, names_in
from solvent.dungeon.drawing.spots import Spot, spots_in_door, spots_on_link, spots_on_tiles
from solvent.dungeon.drawing.switches import draw_far_mark, far_places
from solvent.dungeon.drawing.terrain import Sheet, draw_terrain, lay_out
from solvent.dungeon.drawing.things import (
    TILE,
    draw_block,
    draw_bomb,
    draw_gate,
    draw_item,
    draw_key,
    draw_player,
)
from solvent.dungeon.drawing.walk import no_return_bars
from solvent.dungeon.events import describe_need, name_place
from solvent.dungeon.model import USE, Dungeon, Place
from solvent.dungeon.page.editing.palette import list_palette
from solvent.dungeon.rooms import is_room_graph, rooms_of

KEPT = 8
"""Dungeons whose pictures are kept: a player makes many moves in one."""
LAID_OVER = ("#fff", "#1b1b1b", "#8c8c8c")
"""Colours that the page's own marks have."""
SPHERES = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#8c8c8c")
"""Colours of what is reached when, in turn: those of Okabe and Ito, told apart with every kind of sight."""
DARK_GROUND = "#1b1b1b"
CONTRAST = 4.5
"""Of what is to be read, against the ground."""
ABOVE = 24.0
"""Room above a place of which only the name is known."""


def draw_picture(dungeon: Dungeon) -> dict[str, Any]:
    """Return the pieces of a dungeon's picture, with an `id` that only equal pictures share.

    `dark` says what each of its colours becomes on a dark ground, `legend` what each sign means.
    """
    return _drawn(replace(dungeon, played=()))


@lru_cache(maxsize=KEPT)
def _drawn(dungeon: Dungeon) -> dict[str, Any]:
    names = names_in(dungeon)
    doors, links = sort_ways(dungeon)
    sheet = _sheet_of(dungeon, links)
    heat = [as_hex(heat_paint(level / (LEVELS - 1))) for level in range(LEVELS)]
    picture = {
        "tile": TILE,
        "width": sheet.width,
        "height": sheet.height,
        "scale": sheet.scale,
        "sign": sign_size(sheet),
        "floors": [
            {"name": floor.name, "x": x, "y": y, "rows": len(floor.terrain), "columns": len(floor.terrain[0])}
            for floor, (x, y) in zip(dungeon.floors, sheet.corners, strict=True)
        ],
        "ground": "".join(_ground(dungeon, sheet, doors, links)),
        "above": "".join(draw_room_names(dungeon, sheet, doors, links)),
        "gates": _gates(dungeon, sheet, names, doors, links),
        "things": list(_things(dungeon, sheet, names, links)),
        "blocks": [list(block.place) for block in dungeon.blocks],
        "ways": list(_ways(dungeon)),
        "levers": list(_levers(dungeon)),
        "start": list(dungeon.start),
        "returns": dungeon.rules.home == "always",
        "signs": _signs(dungeon, names),
        "legend": [{"words": words, "sign": sign} for words, sign in signs_on_map(dungeon)],
        "paints": {
            "laid_over": LAID_OVER,
            "spheres": SPHERES,
            "plan": as_hex(PLAN),
            "danger": as_hex(DANGER),
            "reach": as_hex(REACH),
            "heat": heat,
        },
    }
    written = msgspec.json.encode(picture, enc_hook=str)  # markup becomes plain text
    return {
        "id": hashlib.blake2s(written, digest_size=8).hexdigest(),
        # On a dark ground it is the light end of the scale that stands out.
        "dark": _dark([written.decode(), *(each["sign"] for each in list_palette())])
        | dict(zip(heat, reversed(heat), strict=True)),
        **msgspec.json.decode(written),
    }


def _dark(pieces: list[str]) -> dict[str, str]:
    """Return what colours become on a dark ground: what can be read on white can be read there, vivid as it is."""
    ground = relative_luminance(_paint(DARK_GROUND)) + 0.05
    found = dark_colours(pieces)
    for colour, dark in found.items():
        if 1.05 / (relative_luminance(_paint(colour)) + 0.05) < CONTRAST:
            continue
        paint, share = _paint(dark), 0.0
        while (relative_luminance(mix(paint, WHITE, share)) + 0.05) / ground < CONTRAST:
            share += 0.05
        found[colour] = as_hex(mix(paint, WHITE, share)) if share else dark
    return found


def _paint(colour: str) -> Paint:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _sheet_of(dungeon: Dungeon, links: list[Link]) -> Sheet:
    """Lay out the floors; rooms of which only the names are known stand as in the graph of rooms."""
    if not is_room_graph(dungeon):
        return lay_out(dungeon)
    from solvent.dungeon.drawing.graph import place_graph
    from solvent.dungeon.drawing.graph.placing import routes_of_ways
    from solvent.dungeon.drawing.overlay import read_overlay

    picture = place_graph(dungeon, read_overlay(dungeon, None, None, None))
    points = [point for curve in picture.curves for point in curve.points()]
    xs = [x for x, _ in points] + [node.x + side * node.width / 2 for node in picture.nodes for side in (-1, 1)]
    ys = [y for _, y in points] + [node.y + side * TILE / 2 for node in picture.nodes for side in (-1, 1)]
    left, top = min(xs), min(ys) - ABOVE
    corners = [(0.0, 0.0)] * len(dungeon.floors)
    for node in picture.nodes:
        corners[node.area.places[0][0]] = (node.x - left - TILE / 2, node.y - top - TILE / 2)
    routes = {
        number: (curve.mapped(lambda point: (point[0] - left, point[1] - top)), (x - left, y - top))
        for number, (curve, (x, y)) in routes_of_ways(dungeon, picture, [link.number for link in links]).items()
    }
    return Sheet(tuple(corners), max(xs) - left, max(ys) - top, 1.0, named=True, routes=routes)


def _ground(dungeon: Dungeon, sheet: Sheet, doors: list[Door], links: list[Link]) -> Iterator[str]:
    yield from draw_terrain(dungeon, sheet, rooms_of(dungeon), numbered=False)  # the page has rulers that stay in sight
    for door in doors:
        yield draw_doorway(door, sheet, GROUND)
        yield draw_door_arrow(door, sheet)
    for link in links:
        yield draw_link(link, sheet)
    for place in far_places(dungeon):
        yield put(draw_far_mark(), *sheet.middle(place))


def _gates(dungeon: Dungeon, sheet: Sheet, names: Names, doors: list[Door], links: list[Link]) -> list[dict[str, str]]:
    """Return each gate in its two looks, wherever it stands."""
    spots: dict[int, list[Spot]] = defaultdict(list)
    for spot in (
        *spots_on_tiles(dungeon, sheet),
        *(spot for door in doors for spot in spots_in_door(door, sheet)),
        *(spot for link in links for spot in spots_on_link(link, sheet)),
    ):
        spots[spot.gate].append(spot)

    def draw(number: int, *, opened: bool) -> str:
        gate = dungeon.gates[number]
        slabs = ((draw_gate(gate, names, spot.width, spot.height, opened=opened), spot) for spot in spots[number])
        return "".join(put(slab, spot.x, spot.y, title=describe_need(gate)) for slab, spot in slabs)

    return [
        {"name": describe_need(gate), "shut": draw(number, opened=False), "open": draw(number, opened=True)}
        for number, gate in enumerate(dungeon.gates)
    ]


def _things(dungeon: Dungeon, sheet: Sheet, names: Names, links: list[Link]) -> Iterator[dict[str, Any]]:
    """Yield what lies and stands on tiles: `pickup`, `switch` and `goal` say what it is, and what would change it.

    `looks` has how a switch looks in each state, `absent` how a pickup looks that is not there yet, `shut` a goal that
    cannot be entered yet.
    """
    at: dict[Place, list[tuple[Markup, str, dict[str, Any]]]] = defaultdict(list)
    for place, sign, title, more in things_on_tiles(dungeon, names, links):
        at[place].append((sign, title, more))
    for place, found in at.items():
        spots = arrange(len(found), sheet.middle(place), sign_size(sheet))
        for (sign, title, more), (x, y, size) in zip(found, spots, strict=False):
            for name in ("absent", "shut"):
                if name in more:
                    more[name] = put(more[name], x, y, size=size, title=title)
            if "looks" in more:
                more["looks"] = {
                    state: put(look, x, y, size=size, title=f"{title}: {state}")
                    for state, look in more["looks"].items()
                }
            yield {"at": list(place), "sign": put(sign, x, y, size=size, title=title), **more}


def _ways(dungeon: Dungeon) -> Iterator[dict[str, Any]]:
    names = {place: room.name for room in rooms_of(dungeon) if room.given for place in room.places}
    for way in dungeon.ways:
        words = f"{way.kind} to {name_place(dungeon, way.target, names)}"
        yield {"from": list(way.source), "to": list(way.target), "words": words}


def _levers(dungeon: Dungeon) -> Iterator[dict[str, Any]]:
    """Yield the levers: the move that works each, where it is, from where it can be worked, and words for a button."""
    for number, switch in enumerate(dungeon.switches):
        if switch.kind == "lever":
            to = f": {switch.sets}" if switch.sets else ""
            reach = [list(place) for place in switch.reach]
            words = f"pull the lever of {switch.name}{to}"
            yield {"move": f"{USE}{number}", "at": list(switch.place), "from": reach, "words": words}


def _signs(dungeon: Dungeon, names: Names) -> dict[str, Any]:
    """Return signs around the origin: what moves, and what may be in hand."""
    items = {p.name for p in dungeon.pickups if p.kind == "item"} | set(dungeon.rules.items)
    letters = names.item_letters
    return {
        "player": draw_player(),
        "block": draw_block(),
        "no_return": no_return_bars(),
        "bomb": draw_bomb(),
        "keys": {colour: draw_key(paint, names.key_letters[colour]) for colour, paint in names.key_paints.items()},
        "items": {item: draw_item(letters.get(item, item[:1].upper())) for item in sorted(items)},
    }
