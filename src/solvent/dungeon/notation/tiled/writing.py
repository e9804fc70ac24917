"""Write dungeons as Tiled maps: one tile layer, one layer of objects, floors side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from solvent.core.errors import BadOption
from solvent.dungeon.model import NOTHING, ONE_WAYS, WALL, WATER, Dungeon
from solvent.dungeon.notation.editor.objects import TERRAIN_NAMES, PlacedObject
from solvent.dungeon.notation.editor.settings import write_settings
from solvent.dungeon.notation.editor.writing import describe_objects
from solvent.formats.json_layout import lay_out_json
from solvent.formats.png import PALETTE, write_png
from solvent.formats.tiled.cells import MAX_CELLS
from solvent.formats.tiled.writing import VERSIONS, to_properties, to_xml

LETTERS = tuple(TERRAIN_NAMES)
"""Terrain in the order of its tiles."""
TILE = 16
"""Pixels along a tile."""
_COLOURS = {"wall": (58, 58, 66), "floor": (226, 218, 200), "water": (92, 148, 214), "mark": (150, 120, 60)}
_BETWEEN = 1
"""Tiles left free between floors."""

Corners = list[tuple[int, int]]


def format_tmj(dungeon: Dungeon) -> str:
    """Write a map in JSON. JSON cannot hold a picture, so Tiled marks its tiles as missing theirs."""
    return lay_out_json(_map(dungeon)) + "\n"


def format_tmx(dungeon: Dungeon) -> str:
    """Write a map in XML, with a picture of its tiles inside."""
    return to_xml(_map(dungeon), draw_tiles(LETTERS))


def _map(dungeon: Dungeon) -> dict[str, Any]:
    settings = write_settings(dungeon)
    objects, cells, width, height = _lay_out(dungeon)
    tiles = [
        {
            "id": number,
            "type": TERRAIN_NAMES[letter],
            "properties": to_properties({"terrain": TERRAIN_NAMES[letter], "walk": letter not in (WALL, WATER)}),
        }
        for number, letter in enumerate(LETTERS)
    ]
    layer = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    return {
        "type": "map",
        **VERSIONS,
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "compressionlevel": -1,
        "infinite": False,
        "width": width,
        "height": height,
        "tilewidth": TILE,
        "tileheight": TILE,
        "nextlayerid": 3,
        "nextobjectid": len(objects) + 1,
        "properties": to_properties(settings),
        "tilesets": [
            {
                "firstgid": 1,
                "name": "terrain",
                "tilewidth": TILE,
                "tileheight": TILE,
                "tilecount": len(LETTERS),
                "columns": 0,
                "margin": 0,
                "spacing": 0,
                "tiles": tiles,
            }
        ],
        "layers": [
            {
                "id": 1,
                "name": "terrain",
                "type": "tilelayer",
                **layer,
                "width": width,
                "height": height,
                "data": [gid for row in cells for gid in row],
            },
            {
                "id": 2,
                "name": "objects",
                "type": "objectgroup",
                **layer,
                "draworder": "index",
                "objects": [
                    {
                        "id": int(thing.id),
                        "name": thing.name,
                        "type": thing.kind,
                        "x": thing.corner[1] * TILE,
                        "y": thing.corner[0] * TILE,
                        "width": thing.width * TILE,
                        "height": thing.height * TILE,
                        "rotation": 0,
                        "visible": True,
                        **({"properties": to_properties(thing.properties)} if thing.properties else {}),
                    }
                    for thing in objects
                ],
            },
        ],
    }


def _lay_out(dungeon: Dungeon) -> tuple[list[PlacedObject], list[list[int]], int, int]:
    """Return objects, rows of tile numbers, width and height of a map that has all floors side by side."""
    corners, width, height = _shelve(dungeon)
    number = {letter: at for at, letter in enumerate(LETTERS, 1)} | {NOTHING: 0}
    cells = [[0] * width for _ in range(height)]
    for floor, (top, left) in zip(dungeon.floors, corners, strict=True):
        for row, line in enumerate(floor.terrain):
            cells[top + row][left : left + len(line)] = [number[letter] for letter in line]
    objects = []
    for thing in describe_objects(dungeon):
        top, left = corners[thing.floor]
        objects.append(replace(thing, floor=0, corner=(top + thing.corner[0], left + thing.corner[1])))
    if len(dungeon.floors) > 1 or dungeon.floors[0].name:
        for floor, corner in zip(dungeon.floors, corners, strict=True):
            rows, columns = len(floor.terrain), len(floor.terrain[0])
            id = str(len(objects) + 1)
            objects.append(PlacedObject(id, "floor", floor.name, 0, corner, rows, columns, corner))
    return objects, cells, width, height


def _shelve(dungeon: Dungeon) -> tuple[Corners, int, int]:
    """Put floors on shelves, tall ones first; return their corners, and the size of the whole."""
    sizes = [(len(floor.terrain), len(floor.terrain[0])) for floor in dungeon.floors]
    area = sum((rows + _BETWEEN) * (columns + _BETWEEN) for rows, columns in sizes)
    limit = max(int(area**0.5 * 1.3), *(columns for _, columns in sizes))
    corners: Corners = [(0, 0)] * len(sizes)
    top = left = shelf = width = 0
    for at in sorted(range(len(sizes)), key=lambda at: (-sizes[at][0], at)):
        rows, columns = sizes[at]
        if left and left + columns > limit:
            top, left, shelf = top + shelf + _BETWEEN, 0, 0
        corners[at] = (top, left)
        shelf, width, left = max(shelf, rows), max(width, left + columns), left + columns + _BETWEEN
    height = top + shelf
    if width * height > MAX_CELLS:
        raise BadOption(f"floors that lie side by side within {MAX_CELLS:,} cells; these need {width} x {height}")
    return corners, width, height


def draw_tiles(letters: Sequence[str]) -> bytes:
    """Draw tiles side by side as a PNG, so that Tiled shows maps as they are; the same tiles give the same bytes."""
    rows = []
    for y in range(TILE):
        row = bytearray([0])
        for letter in letters:
            row.extend(_pixel(letter, x, y) for x in range(TILE))
        rows.append(bytes(row))
    colours = b"".join(bytes(colour) for colour in _COLOURS.values())
    return write_png((TILE * len(letters), TILE), PALETTE, b"".join(rows), [(b"PLTE", colours)])


def _pixel(letter: str, x: int, y: int) -> int:
    """Return the number of a pixel's colour."""
    names = list(_COLOURS)
    if letter in ONE_WAYS:
        along = {"^": y, "v": TILE - 1 - y, "<": x, ">": TILE - 1 - x}[letter]
        across = x if letter in "^v" else y
        is_arrow = 3 <= along <= 12 and abs(2 * across - TILE + 1) <= along - 2
        return names.index("mark" if is_arrow else "floor")
    return {"#": names.index("wall"), "~": names.index("water")}.get(letter, names.index("floor"))
