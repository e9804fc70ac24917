"""Write dungeons as Tiled maps: one tile layer, one layer of objects, floors side by side."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from solvent.core.errors import BadOption
from solvent.dungeon.model import NOTHING, WALL, WATER, Dungeon
from solvent.dungeon.notation.editor.objects import TERRAIN_NAMES, PlacedObject
from solvent.dungeon.notation.editor.settings import write_settings
from solvent.dungeon.notation.editor.writing import describe_objects
from solvent.dungeon.notation.tiled.picture import TILE, draw_tiles
from solvent.formats.json_layout import lay_out_json
from solvent.formats.tiled.cells import MAX_CELLS
from solvent.formats.tiled.writing import VERSIONS, to_properties, to_xml

LETTERS = tuple(TERRAIN_NAMES)
"""Terrain in the order of its tiles."""
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
