"""Write a fill as a Tiled map, in JSON or XML: with the tilesets that its rules came from, or one made of its modules.

A tileset that is made has one tile for each module. In XML it holds their pictures; a file in JSON names its pictures
and cannot hold them, so there the tiles have names, classes and properties only. Give each tile the picture of its
module as it is before it is turned: turns and mirrors are in the cells.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.core.file_access import output_folder
from solvent.formats.tiled.writing import VERSIONS, to_properties, to_xml
from solvent.valency.art import GODOT, HEXAGONAL, ISOMETRIC, STAGGERED, Art, TileSheet, turn_bits
from solvent.valency.drawing.faces import module_paints
from solvent.valency.drawing.pictures import Pixels, read_pictures
from solvent.valency.exports.module_data import ModuleData, all_properties, summarise
from solvent.valency.model import HEX, Graph, Lattice, Module, PropertyValue
from solvent.valency.notation.pictures import write_png
from solvent.valency.notation.staggered import staggered_cells

FIRST_TILE = 1
CELL_WITHOUT_PICTURE = 16
"""Pixels of a cell where no module has a picture."""
GRAPH_REFUSED = "a Tiled map holds lattices only; write this graph as graphml, json or csv"


def write_tiled(data: ModuleData, picture: str | None = None) -> bytes:
    """Write a lattice as a map in JSON that Tiled opens; a graph raises BadOption. What is not filled is empty.

    `picture` names a file beside it with the modules as `picture_row` has them, if there is one.
    """
    made = _make_map(data)
    if picture is not None and not _has_tiles(data):
        [tileset] = made["tilesets"]
        side, count = tileset["tilewidth"], tileset["tilecount"]
        tileset |= {"image": picture, "imagewidth": side * count, "imageheight": side, "columns": count}
    return (json.dumps(made, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def write_tiled_xml(data: ModuleData) -> bytes:
    """Write a lattice as a map in XML that Tiled opens, with the pictures of modules inside if they have no tileset."""
    picture = None if _has_tiles(data) else write_png(picture_row(data.staging.rules.modules))
    return to_xml(_make_map(data), picture).encode("utf-8", "xmlcharrefreplace")


def _has_tiles(data: ModuleData) -> bool:
    art = data.staging.rules.art
    return art is not None and art.editor != GODOT and bool(art.sheets)


def _make_map(data: ModuleData) -> dict[str, Any]:
    rules, lattice = data.staging.rules, data.staging.cluster
    side = _side(rules.modules)
    art = rules.art if _has_tiles(data) else None
    if art is not None:
        cells = require_tiles(rules.modules, len(art.layers))
        frame, tilesets, names = _frame(art), [_known_tileset(sheet, art) for sheet in art.sheets], art.layers
    else:
        turned = (turn_bits(module.look.quarter_turns, module.look.mirrored) for module in rules.modules)
        cells = np.array([[FIRST_TILE + number | bits] for number, bits in enumerate(turned)], dtype=np.int64)
        frame, tilesets, names = {"tilewidth": side, "tileheight": side}, [_own_tileset(data, side)], ("modules",)
        if isinstance(lattice, Lattice) and lattice.kind == HEX:
            frame |= {"orientation": HEXAGONAL, "staggeraxis": "y", "staggerindex": "odd", "hexsidelength": side // 2}
        elif rules.art is not None and rules.art.orientation == ISOMETRIC:
            frame["orientation"] = ISOMETRIC
    grids, size = lay_cells(data, art)
    layers = list(_layers(grids, cells, names))
    summary = summarise(data)
    # As text: Tiled has whole numbers of 32 bits only.
    summed = {"seed": str(data.seed)} | {
        name: summary[name] for name in ("resolved", "unsolvable", "null", "minimums_met")
    }
    return {
        "type": "map",
        **VERSIONS,
        "orientation": "orthogonal",
        **frame,
        "renderorder": "right-down",
        "infinite": False,
        "width": size[0],
        "height": size[1],
        "nextlayerid": len(layers) + 1,
        "nextobjectid": 1,
        "properties": to_properties(summed),
        "layers": layers,
        "tilesets": tilesets,
    }


def require_tiles(modules: Sequence[Module], layers: int) -> npt.NDArray[np.int64]:
    """Return the tile of each module in each layer; a module without tiles raises BadOption."""
    for module in modules:
        if len(module.look.tiles) != layers:
            raise BadOption(f"the module {module.key} has no tile in the tilesets of these rules (look.tiles)")
    return np.array([module.look.tiles for module in modules], dtype=np.int64).reshape(len(modules), layers)


def lay_cells(data: ModuleData, art: Art | None) -> tuple[list[npt.NDArray[np.int64]], tuple[int, int]]:
    """Return which module stands in each cell of a map, floor by floor, -1 for none, and the map's width and height."""
    cluster = data.staging.cluster
    by_columns = art is not None and art.stagger_axis == "x"
    if isinstance(cluster, Graph):
        if art is None or art.orientation != STAGGERED:
            raise BadOption(GRAPH_REFUSED)
        found = staggered_cells(cluster, by_columns=by_columns)
        if found is None:
            raise BadOption(
                "a staggered map holds only graphs that were made as one; write this one as graphml or json"
            )
        columns, rows, size = found
        floor = np.full((size[1], size[0]), -1, dtype=np.int64)
        floor[rows, columns] = data.modules
        return [floor], size
    floors = data.modules.reshape(cluster.depth, cluster.height, cluster.width)
    if cluster.kind == HEX and by_columns:
        floors = floors.transpose(0, 2, 1)
    return list(floors), (floors.shape[2], floors.shape[1])


def _layers(
    grids: Sequence[npt.NDArray[np.int64]], cells: npt.NDArray[np.int64], names: Sequence[str]
) -> Iterator[dict[str, Any]]:
    for z, grid in enumerate(grids):
        for number, name in enumerate(names):
            floor = f"floor {z}" if len(names) == 1 else f"floor {z} {name}"
            held = np.where(grid >= 0, cells[grid, number], 0)
            yield {
                "id": z * len(names) + number + 1,
                "name": floor if len(grids) > 1 else name,
                "type": "tilelayer",
                "x": 0,
                "y": 0,
                "width": grid.shape[1],
                "height": grid.shape[0],
                "opacity": 1,
                "visible": z == 0,
                "data": held.reshape(-1).tolist(),
            }


def _frame(art: Art) -> dict[str, Any]:
    frame: dict[str, Any] = {
        "orientation": art.orientation,
        "tilewidth": art.cell_size[0],
        "tileheight": art.cell_size[1],
    }
    if art.orientation in (HEXAGONAL, STAGGERED):
        frame |= {"staggeraxis": art.stagger_axis, "staggerindex": "odd"}
    if art.orientation == HEXAGONAL:
        frame["hexsidelength"] = art.hex_side
    return frame


def seen_from_output(name: str, art: Art) -> str:
    """Return the name of a file of the art as seen from the folder that is written to."""
    folder = output_folder()
    if folder is None or art.folder is None:
        return name
    try:
        return os.path.relpath(os.path.join(art.folder, name), folder).replace(os.sep, "/")
    except (ValueError, OSError):  # another drive
        return name


def _known_tileset(sheet: TileSheet, art: Art) -> dict[str, Any]:
    if sheet.source:
        return {"firstgid": sheet.first, "source": seen_from_output(sheet.source, art)}
    tileset: dict[str, Any] = {
        "firstgid": sheet.first,
        "name": sheet.name,
        "tilewidth": sheet.tile_size[0],
        "tileheight": sheet.tile_size[1],
        "spacing": sheet.spacing,
        "margin": sheet.margin,
        "tilecount": sheet.count,
        "columns": sheet.columns,
    }
    if any(sheet.offset):
        tileset["tileoffset"] = {"x": sheet.offset[0], "y": sheet.offset[1]}
    if sheet.image:
        tileset["image"] = seen_from_output(sheet.image, art)
        tileset["imagewidth"], tileset["imageheight"] = sheet.image_size
        across, down = sheet.tile_size[0] + sheet.spacing, sheet.tile_size[1] + sheet.spacing
        if min(across, down) > 0:  # files of old versions do not say how many tiles there are
            columns = max(1, (sheet.image_size[0] - 2 * sheet.margin + sheet.spacing) // across)
            rows = max(1, (sheet.image_size[1] - 2 * sheet.margin + sheet.spacing) // down)
            tileset["columns"] = sheet.columns or columns
            tileset["tilecount"] = sheet.count or tileset["columns"] * rows
    if sheet.pictures:
        tileset["tiles"] = [{"id": number, "image": seen_from_output(name, art)} for number, name in sheet.pictures]
    return tileset


def _own_tileset(data: ModuleData, side: int) -> dict[str, Any]:
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


def _side(modules: Sequence[Module]) -> int:
    pictures = [pixels for pixels in read_pictures(modules) if pixels is not None]
    return max((max(pixels.shape[:2]) for pixels in pictures), default=CELL_WITHOUT_PICTURE)


def picture_row(modules: Sequence[Module]) -> Pixels:
    """Return the pictures of all modules side by side, as they are before they are turned."""
    plain = [replace(one, look=replace(one.look, quarter_turns=0, mirrored=False)) for one in modules]
    side, paints = _side(modules), module_paints(tuple(plain))
    row = np.zeros((side, side * len(plain), 4), dtype=np.uint8)
    for number, (pixels, paint) in enumerate(zip(read_pictures(plain), paints, strict=True)):
        cell = row[:, number * side : (number + 1) * side]
        cell[:] = [*paint, 255] if pixels is None else _enlarge(pixels, side)
    return row


def _enlarge(pixels: Pixels, side: int) -> Pixels:
    rows, columns = np.arange(side) * pixels.shape[0] // side, np.arange(side) * pixels.shape[1] // side
    enlarged: Pixels = pixels[rows][:, columns]
    return enlarged
