"""Write a fill as a Godot 4 scene (.tscn): a TileMapLayer for each layer and floor, with the tileset that it is from.

Rules that were read from a Godot tileset name that file. For those from Tiled, and for modules with pictures of their
own, the scene holds a tileset: from the same picture, or with the pictures inside it.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.formats.godot import quote
from solvent.valency.art import (
    FLIPPED_ACROSS,
    FLIPPED_DIAGONALLY,
    FLIPPED_DOWN,
    FLIPS,
    GODOT,
    HEXAGONAL,
    ISOMETRIC,
    ORTHOGONAL,
    SIXTHS,
    STAGGERED,
    Art,
    TileSheet,
    turn_bits,
)
from solvent.valency.exports.module_data import ModuleData
from solvent.valency.exports.tiled import lay_cells, picture_row, require_tiles, seen_from_output
from solvent.valency.model import HEX, Graph, Lattice, Module
from solvent.valency.notation.godot import ALTERNATIVE, COLUMNS

LONGEST_SIDE = 32_767
"""Cells of a layer are numbers of 16 bits with a sign."""
_FLIP_ACROSS, _FLIP_DOWN, _TRANSPOSE = 1 << 12, 1 << 13, 1 << 14
"""Bits of an alternative tile."""
_SHAPES = {ORTHOGONAL: 0, ISOMETRIC: 1, STAGGERED: 1, HEXAGONAL: 3}
_CELL = struct.Struct("<hhHHHH")


def write_godot(data: ModuleData) -> bytes:
    """Write a lattice, or a staggered map, as a scene that Godot 4.3 opens; any other graph raises BadOption."""
    rules, cluster = data.staging.rules, data.staging.cluster
    art = rules.art if rules.art is not None and rules.art.sheets else None
    if isinstance(cluster, Graph) and (art is None or art.orientation != STAGGERED):
        raise BadOption("a Godot scene holds lattices only; write this graph as graphml, json or csv")
    grids, size = lay_cells(data, art)
    if max(size) > LONGEST_SIDE:
        raise BadOption(f"a Godot layer has at most {LONGEST_SIDE} cells along a side")
    if art is None:
        return _scene(data, grids, _own_cells(rules.modules), ("tiles",), list(_own_tileset(data)))
    cells = require_tiles(rules.modules, len(art.layers))
    alternatives = [dict(module.properties).get(ALTERNATIVE, 0) for module in rules.modules]
    places = np.array(
        [[_place(int(gid), art, alternatives[number]) for gid in row] for number, row in enumerate(cells.tolist())],
        dtype=np.int64,
    )
    used = sorted({int(gid) & ~FLIPS for row in cells.tolist() for gid in row if gid})
    if art.editor == GODOT:
        return _scene(data, grids, places, art.layers, list(_known_tileset(art)))
    return _scene(data, grids, places, art.layers, list(_tileset_of_sheets(art, used)))


def _place(gid: int, art: Art, alternative: object) -> tuple[int, int, int, int]:
    """Return the source, column and row of a tile, and which alternative it is; -1 for no tile."""
    plain = gid & ~FLIPS
    if not plain:
        return -1, 0, 0, 0
    if art.orientation == HEXAGONAL and gid & SIXTHS:
        raise BadOption("Godot does not turn hexagons by 60 degrees; write this map as tmx")
    at, sheet = next((at, one) for at, one in reversed(list(enumerate(art.sheets))) if one.first <= plain)
    columns = sheet_columns(sheet)
    row, column = divmod(plain - sheet.first, columns)
    source = sheet.number if art.editor == GODOT else at
    if art.editor == GODOT and isinstance(alternative, int) and alternative:
        return source, column, row, alternative
    return source, column, row, _flip_bits(gid)


def sheet_columns(sheet: TileSheet) -> int:
    """Return how many tiles a row of a picture has."""
    if sheet.columns:
        return sheet.columns
    across = sheet.tile_size[0] + sheet.spacing
    return max(1, (sheet.image_size[0] - 2 * sheet.margin + sheet.spacing) // max(1, across))


def _flip_bits(gid: int) -> int:
    return (
        (_FLIP_ACROSS if gid & FLIPPED_ACROSS else 0)
        | (_FLIP_DOWN if gid & FLIPPED_DOWN else 0)
        | (_TRANSPOSE if gid & FLIPPED_DIAGONALLY else 0)
    )


def _own_cells(modules: Sequence[Module]) -> npt.NDArray[np.int64]:
    looks = [module.look for module in modules]
    return np.array(
        [[(0, at, 0, _flip_bits(turn_bits(look.quarter_turns, look.mirrored)))] for at, look in enumerate(looks)],
        dtype=np.int64,
    )


def _scene(
    data: ModuleData,
    grids: Sequence[npt.NDArray[np.int64]],
    places: npt.NDArray[np.int64],
    names: Sequence[str],
    tileset: list[str],
) -> bytes:
    """Write the scene; `places` has source, column, row and alternative of each module in each layer."""
    lines = ["[gd_scene format=4]", "", *tileset]
    root = data.staging.rules.name or "Fill"
    lines += [f'[node name={quote(_node_name(root))} type="Node2D"]', ""]
    reference = next(line.removeprefix("; tile_set = ") for line in lines if line.startswith("; tile_set = "))
    lines = [line for line in lines if not line.startswith("; tile_set = ")]
    seen: set[str] = set()
    for z, grid in enumerate(grids):
        for number, name in enumerate(names):
            title = _unique(_node_name(name if len(grids) == 1 else f"floor {z} {name}"), seen)
            lines += [
                f'[node name={quote(title)} type="TileMapLayer" parent="."]',
                *([] if z == 0 else ["visible = false"]),
                f"tile_map_data = PackedByteArray({quote(_cells(grid, places[:, number]))})",
                f"tile_set = {reference}",
                "",
            ]
    return "\n".join(lines).encode("utf-8", "backslashreplace")


def _cells(grid: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> str:
    """Return the cells of a layer: a format number, then column, row, source, atlas column and row, alternative."""
    rows, columns = np.nonzero(grid >= 0)
    packed = bytearray(struct.pack("<H", 0))
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        source, x, y, alternative = places[grid[row, column]].tolist()
        if source >= 0:
            packed += _CELL.pack(column, row, source, x, y, alternative)
    return base64.b64encode(bytes(packed)).decode()


def _known_tileset(art: Art) -> Iterator[str]:
    path = seen_from_output(art.sheets[0].source or "tileset.tres", art)
    yield f'[ext_resource type="TileSet" path={quote(path)} id="1_tiles"]'
    yield ""
    yield '; tile_set = ExtResource("1_tiles")'


def _tileset_of_sheets(art: Art, used: Sequence[int]) -> Iterator[str]:
    """Yield a tileset whose sources are the pictures of Tiled's tilesets."""
    for sheet in art.sheets:
        if not sheet.image:
            raise BadOption(f"the tileset {sheet.name or sheet.first} has no picture of all its tiles, as Godot needs")
    for at, sheet in enumerate(art.sheets):
        folder = sheet.source.replace("\\", "/").rpartition("/")[0]
        image = seen_from_output(f"{folder}/{sheet.image}" if folder else sheet.image, art)
        yield f'[ext_resource type="Texture2D" path={quote(image)} id="{at}_image"]'
    yield ""
    for at, sheet in enumerate(art.sheets):
        beyond = art.sheets[at + 1].first if at + 1 < len(art.sheets) else FLIPS
        mine = [gid - sheet.first for gid in used if sheet.first <= gid < beyond]
        yield from _atlas(f"atlas_{at}", f'ExtResource("{at}_image")', sheet, mine)
    yield from _tileset(art, [f"atlas_{at}" for at in range(len(art.sheets))])


def _atlas(name: str, texture: str, sheet: TileSheet, tiles: Sequence[int]) -> Iterator[str]:
    yield f'[sub_resource type="TileSetAtlasSource" id="{name}"]'
    yield f"texture = {texture}"
    if sheet.margin:
        yield f"margins = Vector2i({sheet.margin}, {sheet.margin})"
    if sheet.spacing:
        yield f"separation = Vector2i({sheet.spacing}, {sheet.spacing})"
    yield f"texture_region_size = Vector2i({sheet.tile_size[0]}, {sheet.tile_size[1]})"
    columns = sheet_columns(sheet)
    for tile in tiles:
        yield f"{tile % columns}:{tile // columns}/0 = 0"
    yield ""


def _tileset(art: Art, atlases: Sequence[str]) -> Iterator[str]:
    yield '[sub_resource type="TileSet" id="tileset"]'
    yield f"tile_size = Vector2i({art.cell_size[0]}, {art.cell_size[1]})"
    if art.orientation != ORTHOGONAL:
        yield f"tile_shape = {_SHAPES[art.orientation]}"
    if art.orientation == ISOMETRIC:
        yield "tile_layout = 5"
    if art.orientation in (HEXAGONAL, STAGGERED) and art.stagger_axis == "x":
        yield "tile_offset_axis = 1"
    for at, name in enumerate(atlases):
        yield f'sources/{at} = SubResource("{name}")'
    yield ""
    yield '; tile_set = SubResource("tileset")'


def _own_tileset(data: ModuleData) -> Iterator[str]:
    """Yield a tileset that holds the pictures of modules, side by side in one image."""
    modules = data.staging.rules.modules
    pixels = picture_row(modules)
    side, width = pixels.shape[0], pixels.shape[1]
    if width > COLUMNS:
        raise BadOption(f"a picture in a Godot scene is at most {COLUMNS} pixels wide, and these modules need {width}")
    packed = base64.b64encode(pixels.tobytes()).decode()
    yield '[sub_resource type="Image" id="image"]'
    yield f'data = {{"data": PackedByteArray("{packed}"), "format": "RGBA8", "height": {side}, '
    yield f'"mipmaps": false, "width": {width}}}'
    yield ""
    yield '[sub_resource type="ImageTexture" id="texture"]'
    yield 'image = SubResource("image")'
    yield ""
    sheet = TileSheet(tile_size=(side, side), columns=len(modules))
    yield from _atlas("atlas_0", 'SubResource("texture")', sheet, range(len(modules)))
    lattice = data.staging.cluster
    is_hex = isinstance(lattice, Lattice) and lattice.kind == HEX
    yield from _tileset(Art(HEXAGONAL if is_hex else ORTHOGONAL, (side, side)), ["atlas_0"])


def _node_name(name: str) -> str:
    """Return a name that a node may have: Godot keeps . : @ / " and % for other things."""
    plain = "".join("_" if letter in '.:@/"%\\' or not letter.isprintable() else letter for letter in name)
    return plain.strip()[:60] or "Layer"


def _unique(name: str, seen: set[str]) -> str:
    number, found = 2, name
    while found in seen:
        found, number = f"{name} {number}", number + 1
    seen.add(found)
    return found
