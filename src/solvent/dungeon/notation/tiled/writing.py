"""Write dungeons as Tiled maps: one tile layer, one layer of objects, floors side by side."""

from __future__ import annotations

import base64
from typing import Any
from xml.sax.saxutils import escape

from solvent.core.errors import BadOption
from solvent.dungeon.model import NOTHING, WALL, WATER, Dungeon
from solvent.dungeon.notation.editor.files import write_json
from solvent.dungeon.notation.editor.objects import MAX_CELLS, TERRAIN_NAMES, PlacedObject, Reference
from solvent.dungeon.notation.editor.settings import write_settings
from solvent.dungeon.notation.editor.writing import describe_objects
from solvent.dungeon.notation.tiled.picture import TILE, draw_tiles

LETTERS = tuple(TERRAIN_NAMES)
"""Terrain in the order of its tiles."""
_VERSION, _TILED_VERSION = "1.10", "1.10.2"
_BETWEEN = 1
"""Tiles left free between floors."""

Corners = list[tuple[int, int]]


def write_tmj(dungeon: Dungeon) -> str:
    """Write a map in JSON. JSON cannot hold a picture, so Tiled marks its tiles as missing theirs."""
    settings = write_settings(dungeon)
    objects, cells, width, height = _lay_out(dungeon)
    tiles = [
        {
            "id": number,
            "type": TERRAIN_NAMES[letter],
            "properties": _properties({"terrain": TERRAIN_NAMES[letter], "walk": letter not in (WALL, WATER)}),
        }
        for number, letter in enumerate(LETTERS)
    ]
    layer = {"opacity": 1, "visible": True, "x": 0, "y": 0}
    written = {
        "type": "map",
        "version": _VERSION,
        "tiledversion": _TILED_VERSION,
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
        "properties": _properties(settings),
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
                        **({"properties": _properties(thing.properties)} if thing.properties else {}),
                    }
                    for thing in objects
                ],
            },
        ],
    }
    return write_json(written) + "\n"


def write_tmx(dungeon: Dungeon) -> str:
    """Write a map in XML, with a picture of its tiles inside."""
    settings = write_settings(dungeon)
    objects, cells, width, height = _lay_out(dungeon)
    size = f'width="{width}" height="{height}"'
    tile = f'tilewidth="{TILE}" tileheight="{TILE}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<map version="{_VERSION}" tiledversion="{_TILED_VERSION}" orientation="orthogonal" renderorder="right-down" '
        f'{size} {tile} infinite="0" nextlayerid="3" nextobjectid="{len(objects) + 1}">',
        *_xml_properties(settings, " "),
        f' <tileset firstgid="1" name="terrain" {tile} tilecount="{len(LETTERS)}" columns="{len(LETTERS)}">',
        f'  <image format="png" width="{TILE * len(LETTERS)}" height="{TILE}">',
        f'   <data encoding="base64">{base64.b64encode(draw_tiles(LETTERS)).decode()}</data>',
        "  </image>",
    ]
    for number, letter in enumerate(LETTERS):
        lines.append(f'  <tile id="{number}" type="{TERRAIN_NAMES[letter]}">')
        lines += _xml_properties({"terrain": TERRAIN_NAMES[letter], "walk": letter not in (WALL, WATER)}, "   ")
        lines.append("  </tile>")
    lines += [" </tileset>", f' <layer id="1" name="terrain" {size}>', '  <data encoding="csv">']
    lines.append(",\n".join(",".join(map(str, row)) for row in cells))
    lines += ["  </data>", " </layer>", ' <objectgroup draworder="index" id="2" name="objects">']
    for thing in objects:
        name = f' name="{_quoted(thing.name)}"' if thing.name else ""
        place = f'x="{thing.corner[1] * TILE}" y="{thing.corner[0] * TILE}"'
        area = f'width="{thing.width * TILE}" height="{thing.height * TILE}"'
        said = _xml_properties(thing.properties, "   ")
        opening = f'  <object id="{thing.id}"{name} type="{thing.kind}" {place} {area}'
        lines += [f"{opening}>", *said, "  </object>"] if said else [f"{opening}/>"]
    lines += [" </objectgroup>", "</map>"]
    return "\n".join(lines) + "\n"


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
        corner = (top + thing.corner[0], left + thing.corner[1])
        centre = (top + thing.centre[0], left + thing.centre[1])
        objects.append(
            PlacedObject(
                thing.id, thing.kind, thing.name, 0, corner, thing.height, thing.width, centre, thing.properties
            )
        )
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


def _properties(said: dict[str, Any] | Any) -> list[dict[str, Any]]:
    return [
        {"name": name, "type": type, "value": value}
        for name, (type, value) in sorted((name, _typed(value)) for name, value in said.items())
    ]


def _typed(value: Any) -> tuple[str, Any]:
    if isinstance(value, Reference):
        return "object", int(value.id)
    return {bool: "bool", int: "int"}.get(type(value), "string"), value


def _xml_properties(said: dict[str, Any] | Any, indent: str) -> list[str]:
    if not said:
        return []
    lines = []
    for one in _properties(said):
        type = "" if one["type"] == "string" else f' type="{one["type"]}"'
        value = str(one["value"]).lower() if one["type"] == "bool" else _quoted(str(one["value"]))
        lines.append(f'{indent} <property name="{one["name"]}"{type} value="{value}"/>')
    return [f"{indent}<properties>", *lines, f"{indent}</properties>"]


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
