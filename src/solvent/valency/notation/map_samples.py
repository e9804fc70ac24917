"""Tiled maps as samples: what stands beside what in a map that somebody drew, with its tilesets and their pictures.

A cell holds the tiles of all layers that can be seen, one above the other, and so does a module. Orthogonal and
isometric maps are squares, hexagonal ones hexagons, staggered ones diamonds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
from msgspec import structs

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.drawing.palette import PAPER, as_hex
from solvent.formats.companion_files import require_relative
from solvent.formats.tiled.maps import read_map
from solvent.formats.tiled.model import Layer as TileLayer
from solvent.formats.tiled.model import TiledMap
from solvent.formats.tiled.parsing import TERRAIN_LISTS, read_tiled
from solvent.formats.tiled.terrain_sets import Sheet, TerrainTile, TerrainTileSet, read_terrain_sets
from solvent.valency.art import FLIPS, HEXAGONAL, ORIENTATIONS, ORTHOGONAL, STAGGERED, Art, TileSheet, read_turns
from solvent.valency.model import MAX_MODULES, Look
from solvent.valency.notation.hex_turns import name_turn, turn_hexagon
from solvent.valency.notation.pictures import (
    Pixels,
    ReadBeside,
    average_colour,
    read_png,
    require_tile_size,
    write_png,
)
from solvent.valency.notation.samples import DIAMONDS, EMPTY, HEXAGONS, NO_CELL, SQUARES, Cells, Sample, Symbol

MAX_CELLS = 4_000_000
Remark = Callable[[str], None]
Gids = npt.NDArray[np.uint32]


def read_map_sample(
    text: str, path: Path | None, *, read_beside: ReadBeside | None = None, remark: Remark = lambda _message: None
) -> Sample:
    """Read a map as a sample; tilesets, and with `read_beside` pictures, are looked for beside `path`."""
    drawn = read_map(text, path, as_drawn=True)
    tilesets = read_terrain_sets(text, path)
    layers = list(_tile_layers(drawn.layers, remark))
    if not layers:
        raise ParseError("a tile layer that can be seen", **drawn.where)
    gids = _gather(drawn, layers)
    cells, stacks = _number(gids)
    if len(stacks) > MAX_MODULES:
        raise ParseError(f"at most {MAX_MODULES} different cells in a map to learn from", len(stacks), **drawn.where)
    names = _unique_names([layer.name for layer in layers])
    art = make_art(read_tiled(text, ("map",), "a Tiled map", TERRAIN_LISTS), tilesets, path, layers=names)
    cutter = PictureCutter(tilesets, read_beside, are_hexagons=drawn.orientation == HEXAGONAL)
    symbols = _with_own_keys([make_symbol(stack, tilesets, cutter) for stack in stacks])
    if cutter.missing:
        remark(missing_pictures(cutter.missing))
    grid = {HEXAGONAL: HEXAGONS, STAGGERED: DIAMONDS}.get(drawn.orientation, SQUARES)
    if grid != SQUARES:
        cells = _with_odd_rows_shifted(cells, drawn)
    return Sample(tuple(symbols), cells, grid, art)


def make_art(
    root: Element, tilesets: Sequence[TerrainTileSet], path: Path | None, *, layers: Sequence[str] = ("modules",)
) -> Art:
    """Return the art of a map, or of a tileset, with the root of its file."""
    if root.tag == "map":
        orientation = root.attributes.get("orientation", ORTHOGONAL)
        if orientation not in ORIENTATIONS:
            raise ParseError(f"orientation: one of {', '.join(ORIENTATIONS)}", orientation, **root.where)
        cell = (root.integer("tilewidth", 0), root.integer("tileheight", 0))
        sources = [tileset.source for tileset in tilesets]
    else:
        orientation, cell = tilesets[0].orientation, tilesets[0].tile_size
        orientation = orientation if orientation in ORIENTATIONS else ORTHOGONAL
        sources = ["" if path is None else path.name]
    axis = root.attributes.get("staggeraxis", "y")
    return Art(
        orientation=orientation,
        cell_size=(max(1, cell[0]), max(1, cell[1])),
        hex_side=max(0, root.integer("hexsidelength", 0)),
        stagger_axis=axis if axis in ("x", "y") else "y",
        layers=tuple(layers),
        sheets=tuple(_make_sheet(tileset, source) for tileset, source in zip(tilesets, sources, strict=True)),
        folder=None if path is None else str(path.parent),
    )


def _make_sheet(tileset: TerrainTileSet, source: str) -> TileSheet:
    sheet = tileset.sheet
    if source:
        require_relative(source, "tileset", {})
    return TileSheet(
        first=tileset.first,
        name=tileset.name,
        source=source,
        image=sheet.source if sheet else "",
        image_size=sheet.image_size if sheet else (0, 0),
        tile_size=tileset.tile_size,
        margin=sheet.margin if sheet else 0,
        spacing=sheet.spacing if sheet else 0,
        columns=sheet.columns if sheet else 0,
        count=tileset.count,
        offset=tileset.offset,
        pictures=tuple(sorted((number, tile.source) for number, tile in tileset.tiles.items() if tile.source)),
    )


# What is drawn where


def _tile_layers(layers: Sequence[TileLayer], remark: Remark) -> Iterator[TileLayer]:
    """Yield the layers with tiles, those in groups too, from the lowest up."""
    for layer in layers:
        if layer.is_hidden:
            remark(f"The layer {layer.name!r} is hidden, and nothing is learned from it.")
        elif layer.is_group:
            yield from _tile_layers(layer.layers, remark)
        elif layer.objects or layer.is_image:
            remark(f"The layer {layer.name!r} has no tiles, and nothing is learned from it.")
        elif layer.chunks:
            yield layer


def _gather(drawn: TiledMap, layers: Sequence[TileLayer]) -> Gids:
    """Return the tiles of all layers, shape (height, width, layers); of an infinite map, the part that is drawn."""
    chunks = [chunk for layer in layers for chunk in layer.chunks if chunk.gids and chunk.gids[0]]
    if drawn.is_infinite:
        top, left = min(chunk.row for chunk in chunks), min(chunk.column for chunk in chunks)
        bottom = max(chunk.row + len(chunk.gids) for chunk in chunks)
        right = max(chunk.column + len(chunk.gids[0]) for chunk in chunks)
    else:
        top, left, bottom, right = 0, 0, drawn.height, drawn.width
    if not 1 <= (bottom - top) * (right - left) <= MAX_CELLS:
        size = f"{right - left}x{bottom - top}"
        raise ParseError(f"a map of 1 to {MAX_CELLS:,} cells to learn from", size, **drawn.where)
    if drawn.is_infinite and drawn.orientation in (HEXAGONAL, STAGGERED):
        top, left = top - top % 2, left - left % 2  # which rows are shifted must stay as it is
    whole = np.zeros((bottom - top, right - left, len(layers)), dtype=np.uint32)
    for number, layer in enumerate(layers):
        for chunk in layer.chunks:
            if chunk.gids and chunk.gids[0]:
                row, column = chunk.row - top, chunk.column - left
                part = np.array(chunk.gids, dtype=np.uint32)
                whole[row : row + part.shape[0], column : column + part.shape[1], number] = part
    if drawn.is_infinite:
        seen: npt.NDArray[np.bool_] = np.any(whole != 0, axis=2)
        rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
        if not len(rows):
            raise ParseError("a map with a tile in it", **drawn.where)
        step = 2 if drawn.orientation in (HEXAGONAL, STAGGERED) else 1
        whole = whole[rows[0] // step * step : rows[-1] + 1, columns[0] // step * step : columns[-1] + 1]
    return whole


def _number(gids: Gids) -> tuple[Cells, list[tuple[int, ...]]]:
    """Return which stack of tiles stands in each cell, and the stacks in the order in which they first appear."""
    height, width, layers = gids.shape
    found, first, numbers = np.unique(gids.reshape(-1, layers), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    stacks = [tuple(stack) for stack in found[order].tolist()]
    return place[numbers.reshape(-1)].reshape(height, width).astype(np.int32), stacks


def _with_odd_rows_shifted(cells: Cells, drawn: TiledMap) -> Cells:
    """Return the cells as if odd rows were shifted, where even ones are: with a row without cells before them.

    Columns of hexagons that are shifted become rows. Columns of diamonds stay columns.
    """
    by_columns = drawn.stagger_axis == "x"
    if by_columns:
        cells = cells.T
    if drawn.stagger_index == "even":
        cells = np.concatenate([np.full((1, cells.shape[1]), NO_CELL, dtype=np.int32), cells])
    return np.ascontiguousarray(cells.T if by_columns and drawn.orientation == STAGGERED else cells)


# What tiles are called and look like


def _unique_names(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for number, name in enumerate(names):
        found.append(name if name and name not in found else f"{name or 'layer'} {number + 1}")
    return found


def make_symbol(stack: tuple[int, ...], tilesets: Sequence[TerrainTileSet], cutter: PictureCutter) -> Symbol:
    """Return the symbol of a cell with these tiles, one above the other; none of them is the symbol of nothing."""
    held = [gid for gid in stack if gid]
    if not held:
        return Symbol("empty", Look(as_hex(PAPER), tiles=stack), tags=(EMPTY,))
    highest = max(number for number, gid in enumerate(stack) if gid)
    named = [_name_tile(gid, tilesets, cutter.are_hexagons) if gid else "none" for gid in stack[: highest + 1]]
    key = " + ".join(named)
    tileset, number = find_tileset(held[0], tilesets)
    kind = tileset.tiles.get(number, TerrainTile()).kind if len(held) == 1 else ""
    kinds = {tile.kind for one in tilesets for tile in one.tiles.values()}
    # A class that reads like the number of a tile must still mean all tiles of that class when it is picked.
    key = f"tile {key}" if key in kinds or key == "empty" else key
    return Symbol(kind or key, cutter.look(stack), key)


def missing_pictures(names: set[str]) -> str:
    """Say that pictures are not there."""
    return f"Modules have no pictures, for lack of a PNG file beside the tileset: {', '.join(sorted(names)[:5])}."


def find_tileset(gid: int, tilesets: Sequence[TerrainTileSet]) -> tuple[TerrainTileSet, int]:
    """Return the tileset of a tile of a map, and its number there, or raise ParseError."""
    plain = gid & ~FLIPS
    for tileset in reversed(tilesets):
        if tileset.first <= plain and (not tileset.count or plain < tileset.first + tileset.count or tileset.tiles):
            return tileset, plain - tileset.first
    raise ParseError("tiles of a tileset that the map has", plain)


def _with_own_keys(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Return symbols whose keys differ, also where tiles that look the same are said in two ways."""
    seen: Counter[str] = Counter()
    found = []
    for symbol in symbols:
        key = symbol.key or symbol.name
        seen[key] += 1
        found.append(symbol if seen[key] == 1 else structs.replace(symbol, key=f"{key} ({seen[key]})"))
    return found


def _name_tile(gid: int, tilesets: Sequence[TerrainTileSet], is_hexagon: bool) -> str:
    tileset, number = find_tileset(gid, tilesets)
    name = str(number) if len(tilesets) == 1 else f"{tileset.name or tileset.first}:{number}"
    if is_hexagon:
        return name + name_turn(gid)
    turns, mirrored = read_turns(gid)
    return name + (f" turned {turns}" if turns else "") + (" mirrored" if mirrored else "")


class PictureCutter:
    """Cut the pictures of tiles out of their tilesets, each picture read once."""

    def __init__(
        self, tilesets: Sequence[TerrainTileSet], read_beside: ReadBeside | None, *, are_hexagons: bool = False
    ) -> None:
        self.tilesets = tilesets
        self.are_hexagons = are_hexagons
        self.read_beside = read_beside
        self.missing: set[str] = set()
        """Pictures that could not be found."""
        self._sheets: dict[str, Pixels | None] = {}

    def look(self, stack: Sequence[int]) -> Look:
        """Return how the tiles of a cell look, one above the other."""
        held = [gid for gid in stack if gid]
        found = [(gid, self.cut(*find_tileset(gid, self.tilesets))) for gid in held]
        seen = [(gid, pixels) for gid, pixels in found if pixels is not None]
        if not seen:
            return Look(tiles=tuple(stack))
        if self.are_hexagons:
            seen = [(gid & ~FLIPS, turn_hexagon(pixels, gid)) for gid, pixels in seen]
        if len(seen) == 1:
            gid, pixels = seen[0]
            turns, mirrored = read_turns(gid)
            return Look(average_colour(pixels), "", write_png(pixels), turns, mirrored, tiles=tuple(stack))
        whole = _stack_up([_turn(pixels, *read_turns(gid)) for gid, pixels in seen])
        return Look(average_colour(whole), picture=write_png(whole), tiles=tuple(stack))

    def cut(self, tileset: TerrainTileSet, number: int) -> Pixels | None:
        """Return the picture of a tile; None if it is not there."""
        own = tileset.tiles.get(number, TerrainTile()).source
        sheet = None if own else tileset.sheet
        name = own or (sheet.source if sheet else "")
        if not name or self.read_beside is None:
            return None
        source = str(PurePosixPath(tileset.source.replace("\\", "/")).parent / name.replace("\\", "/"))
        if source not in self._sheets:
            data = self.read_beside(source) if source.lower().endswith(".png") else None
            self._sheets[source] = None if data is None else read_png(data, source)
        pixels = self._sheets[source]
        if pixels is None:
            self.missing.add(name)
            return None
        cut = pixels if sheet is None else _cut(pixels, sheet, number)
        require_tile_size(cut, source)
        return cut


def _cut(pixels: Pixels, sheet: Sheet, number: int) -> Pixels:
    height, width = pixels.shape[:2]
    across, down = sheet.tile_width + sheet.spacing, sheet.tile_height + sheet.spacing
    columns = sheet.columns or max(1, (width - 2 * sheet.margin + sheet.spacing) // across)
    x, y = sheet.margin + number % columns * across, sheet.margin + number // columns * down
    if x + sheet.tile_width > width or y + sheet.tile_height > height:
        raise ParseError(f"a picture that holds tile {number}", f"{width}x{height}", source=sheet.source)
    cut = pixels[y : y + sheet.tile_height, x : x + sheet.tile_width]
    if sheet.see_through is None:
        return cut
    cut = cut.copy()
    cut[(cut[..., :3] == sheet.see_through).all(axis=2)] = 0
    return cut


def _turn(pixels: Pixels, turns: int, mirrored: bool) -> Pixels:
    turned = np.rot90(pixels, turns)
    return turned[:, ::-1] if mirrored else turned


def _stack_up(pictures: Sequence[Pixels]) -> Pixels:
    """Return pictures one above the other, their lower left corners in one place."""
    height, width = max(one.shape[0] for one in pictures), max(one.shape[1] for one in pictures)
    whole = np.zeros((height, width, 4), dtype=np.float64)
    for one in pictures:
        part = whole[height - one.shape[0] :, : one.shape[1]]
        opacity = one[..., 3:].astype(np.float64) / 255
        below = part[..., 3:] / 255 * (1 - opacity)
        total = opacity + below
        with np.errstate(divide="ignore", invalid="ignore"):
            mixed = (one[..., :3] * opacity + part[..., :3] * below) / total
        part[..., :3], part[..., 3:] = np.where(total > 0, mixed, 0), total * 255
    return np.rint(whole).astype(np.uint8)
