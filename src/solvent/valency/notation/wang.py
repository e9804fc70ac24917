"""Rule sets from Tiled: the terrain sets (Wang sets) of a tileset in XML (TSX) or JSON (TSJ), or of one inside a map.

Each tile of the set is a module. Two tiles may touch if the colours along the shared side are the same: its two corners
in a corner set, its edge in an edge set, all three in a mixed one. Where a tile has no colour (0), its neighbour must
have none either, as when Tiled draws a terrain that ends in nothing; with `unset_is_any` it may have any.

A tile's weight is its probability times those of its colours, as in Tiled. The files of Tiled 1.1 to 1.4 are
understood as well. Tiles are not turned or flipped, even where the tileset would let Tiled do so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from solvent.core.errors import ParseError, unknown_name
from solvent.formats.tiled.terrain_sets import (
    CORNER,
    MIXED,
    Sheet,
    TerrainSet,
    TerrainTile,
    TerrainTileSet,
    read_terrain_sets,
)
from solvent.valency.model import Look, Module, Rules
from solvent.valency.notation.adjacency import make_square_rules, require_module_count
from solvent.valency.notation.pictures import (
    Pixels,
    ReadBeside,
    average_colour,
    read_png,
    require_tile_size,
    write_png,
)
from solvent.valency.validation.fault import LARGEST_WEIGHT, SMALLEST_WEIGHT

TOP, TOP_RIGHT, RIGHT, BOTTOM_RIGHT, BOTTOM, BOTTOM_LEFT, LEFT, TOP_LEFT = range(8)
"""The places of a tile's colours, as Tiled numbers them."""
ACROSS = ((TOP_RIGHT, TOP_LEFT), (RIGHT, LEFT), (BOTTOM_RIGHT, BOTTOM_LEFT))
"""Places that touch where a tile stands to the left of another."""
DOWNWARDS = ((BOTTOM_LEFT, TOP_LEFT), (BOTTOM, TOP), (BOTTOM_RIGHT, TOP_RIGHT))
"""Places that touch where a tile stands above another."""

Remark = Callable[[str], None]


def parse_wang(
    text: str,
    *,
    subset: str | None = None,
    read_beside: ReadBeside | None = None,
    remark: Remark = lambda _message: None,
    unset_is_any: bool = False,
    name: str = "",
) -> Rules:
    """Read the terrain set called `subset`, or the first there is, which is then remarked on if there are others.

    With `read_beside`, modules get their pictures out of the tileset's.
    """
    tilesets = read_terrain_sets(text)
    found = [(tileset, one) for tileset in tilesets for one in tileset.sets]
    if not found:
        raise ParseError("a tileset with a terrain set (Wang set), but there is none")
    names = [one.name for _, one in found]
    if subset is not None and subset not in names:
        raise unknown_name("terrain set", subset, names)
    tileset, chosen = found[0 if subset is None else names.index(subset)]
    if subset is None and len(found) > 1:
        remark(f"The terrain set {chosen.name!r} is used; there are also: {', '.join(names[1:])}.")
    if tileset.can_be_turned:
        remark("The tileset lets Tiled turn or flip its tiles; here they stand as they are drawn.")
    looks = _cut_pictures(tileset, [number for number, _ in chosen.tiles], read_beside, remark)
    modules = _make_modules(tileset, chosen, looks)
    colours = np.array([colours for _, colours in chosen.tiles], dtype=np.int16)
    right = _touching(colours, _places(ACROSS, chosen.kind), unset_is_any)
    down = _touching(colours, _places(DOWNWARDS, chosen.kind), unset_is_any)
    return make_square_rules(name or tileset.name, modules, right, down)


def _make_modules(tileset: TerrainTileSet, chosen: TerrainSet, looks: Mapping[int, Look]) -> list[Module]:
    require_module_count(len(chosen.tiles), "tiles in a terrain set")
    modules, seen = [], set()
    kinds = {tileset.tiles.get(number, TerrainTile()).kind for number, _ in chosen.tiles}
    for number, colours in chosen.tiles:
        if number in seen:
            raise ParseError(f"tile {number} once in the terrain set", chosen.name, **chosen.where)
        seen.add(number)
        tile = tileset.tiles.get(number, TerrainTile())
        weight = tile.probability
        for place in range(8):
            if colours[place]:
                weight *= (chosen.corner_probabilities if place % 2 else chosen.edge_probabilities)[colours[place] - 1]
        if weight:
            weight = min(max(weight, SMALLEST_WEIGHT), LARGEST_WEIGHT)
        look = looks.get(number, Look())
        # A class that reads like the number of a tile must still mean all tiles of that class when it is picked.
        key = f"tile {number}" if str(number) in kinds else str(number)
        modules.append(Module(key, tile.kind or str(number), (), weight, look=look))
    if not any(module.weight for module in modules):
        raise ParseError("a tile whose probability is above 0", chosen.name, **chosen.where)
    return modules


def _places(pairs: tuple[tuple[int, int], ...], kind: str) -> list[tuple[int, int]]:
    """Return the pairs of places that count; corners have odd numbers."""
    return [pair for pair in pairs if kind == MIXED or (pair[0] % 2 == 1) == (kind == CORNER)]


def _touching(
    colours: npt.NDArray[np.int16], pairs: list[tuple[int, int]], unset_is_any: bool
) -> npt.NDArray[np.bool_]:
    allowed = np.ones((len(colours), len(colours)), dtype=np.bool_)
    for here, there in pairs:
        one, other = colours[:, here][:, None], colours[:, there][None, :]
        same = one == other
        allowed &= same | (one == 0) | (other == 0) if unset_is_any else same
    return allowed


def _cut_pictures(
    tileset: TerrainTileSet, numbers: Sequence[int], read_beside: ReadBeside | None, remark: Remark
) -> dict[int, Look]:
    """Return how tiles look, for those whose picture is beside the file."""
    if read_beside is None:
        return {}
    looks, missing = {}, set()
    sheets: dict[str, Pixels | None] = {}
    for number in numbers:
        source = tileset.tiles.get(number, TerrainTile()).source
        sheet = None if source else tileset.sheet
        source = source or (sheet.source if sheet else "")
        if not source:
            continue
        if source not in sheets:
            data = read_beside(source) if source.lower().endswith(".png") else None
            sheets[source] = None if data is None else read_png(data, source)
        pixels = sheets[source]
        if pixels is None:
            missing.add(source)
            continue
        cut = pixels if sheet is None else _cut(pixels, sheet, number)
        require_tile_size(cut, source)
        looks[number] = Look(average_colour(cut), picture=write_png(cut))
    if missing:
        remark(
            f"Modules have no pictures, for lack of a PNG file beside the tileset: {', '.join(sorted(missing)[:5])}."
        )
    return looks


def _cut(pixels: Pixels, sheet: Sheet, number: int) -> Pixels:
    height, width = pixels.shape[:2]
    across, down = sheet.tile_width + sheet.spacing, sheet.tile_height + sheet.spacing
    columns = sheet.columns or max(1, (width - 2 * sheet.margin + sheet.spacing) // across)
    x, y = sheet.margin + number % columns * across, sheet.margin + number // columns * down
    if x + sheet.tile_width > width or y + sheet.tile_height > height:
        raise ParseError(f"a picture that holds tile {number}", f"{width}x{height}", source=sheet.source)
    return pixels[y : y + sheet.tile_height, x : x + sheet.tile_width]
