"""Write a fill as a Tiled map in JSON: one tile layer for each floor, and a tileset with one tile for each module.

A file of this kind names its pictures and cannot hold them, so the tiles have names, classes and properties but no
pictures. Give each tile the picture of its module as it is before it is turned: turns and mirrors are in the cells.
"""

from __future__ import annotations

import json
from typing import Any

from solvent.core.errors import BadOption
from solvent.formats.tiled.writing import VERSIONS, to_properties
from solvent.valency.drawing.pictures import read_pictures
from solvent.valency.exports.module_data import ModuleData, all_properties, summarise
from solvent.valency.model import HEX, Lattice, Look, PropertyValue

FLIPPED_ACROSS, FLIPPED_DOWN, FLIPPED_DIAGONALLY = 0x80000000, 0x40000000, 0x20000000
"""Bits of a cell: mirrored left to right, mirrored top to bottom, and before both swapped along the main diagonal."""
FIRST_TILE = 1
CELL_WITHOUT_PICTURE = 16
"""Pixels of a cell where no module has a picture."""
_TURNS = (
    0,
    FLIPPED_DIAGONALLY | FLIPPED_DOWN,
    FLIPPED_ACROSS | FLIPPED_DOWN,
    FLIPPED_DIAGONALLY | FLIPPED_ACROSS,
)


def turn_bits(look: Look) -> int:
    """Return how a cell says that its picture is turned, anticlockwise, and then mirrored."""
    return _TURNS[look.quarter_turns % 4] ^ (FLIPPED_ACROSS if look.mirrored else 0)


def write_tiled(data: ModuleData) -> bytes:
    """Write a lattice as a map that Tiled opens; a graph raises BadOption. What is not filled is an empty cell."""
    lattice = data.staging.cluster
    if not isinstance(lattice, Lattice):
        raise BadOption("a Tiled map holds lattices only; write this graph as graphml, json or csv")
    modules = data.staging.rules.modules
    cells = [FIRST_TILE + number | (turn_bits(module.look)) for number, module in enumerate(modules)]
    pictures = [pixels for pixels in read_pictures(modules) if pixels is not None]
    side = max((max(pixels.shape[:2]) for pixels in pictures), default=CELL_WITHOUT_PICTURE)
    floor = lattice.width * lattice.height
    layers = []
    for z in range(lattice.depth):
        held = data.modules[z * floor : (z + 1) * floor].tolist()
        layers.append(
            {
                "id": z + 1,
                "name": f"floor {z}" if lattice.depth > 1 else "modules",
                "type": "tilelayer",
                "x": 0,
                "y": 0,
                "width": lattice.width,
                "height": lattice.height,
                "opacity": 1,
                "visible": z == 0,
                "data": [cells[number] if number >= 0 else 0 for number in held],
            }
        )
    shape: dict[str, Any] = {"orientation": "orthogonal"}
    if lattice.kind == HEX:
        shape = {"orientation": "hexagonal", "staggeraxis": "y", "staggerindex": "odd", "hexsidelength": side // 2}
    summary = summarise(data)
    # As text: Tiled has whole numbers of 32 bits only.
    summed = {"seed": str(data.seed)} | {
        name: summary[name] for name in ("resolved", "unsolvable", "null", "minimums_met")
    }
    held_map = {
        "type": "map",
        **VERSIONS,
        **shape,
        "renderorder": "right-down",
        "infinite": False,
        "width": lattice.width,
        "height": lattice.height,
        "tilewidth": side,
        "tileheight": side,
        "nextlayerid": lattice.depth + 1,
        "nextobjectid": 1,
        "properties": to_properties(summed),
        "layers": layers,
        "tilesets": [_tileset(data, side)],
    }
    return (json.dumps(held_map, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _tileset(data: ModuleData, side: int) -> dict[str, Any]:
    rules = data.staging.rules
    tiles = []
    for number, (module, properties) in enumerate(zip(rules.modules, all_properties(data.staging), strict=True)):
        own: dict[str, PropertyValue] = {**properties, "module key": module.key, "module weight": module.weight}
        if module.tags:
            own["module tags"] = ", ".join(module.tags)
        tiles.append({"id": number, "type": module.name, "properties": to_properties(own)})
    return {
        "firstgid": FIRST_TILE,
        "name": rules.name or "modules",
        "columns": 0,
        "margin": 0,
        "spacing": 0,
        "tilewidth": side,
        "tileheight": side,
        "tilecount": len(tiles),
        "grid": {"orientation": "orthogonal", "width": 1, "height": 1},
        "tiles": tiles,
    }
