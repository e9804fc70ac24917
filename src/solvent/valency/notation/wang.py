"""Rule sets from Tiled: the terrain sets (Wang sets) of a tileset in XML (TSX) or JSON (TSJ), or of one inside a map.

Each tile of the set is a module. Two tiles may touch if the colours along the shared side are the same: its two corners
in a corner set, its edge in an edge set, all three in a mixed one. Where a tile has no colour (0), its neighbour must
have none either, as when Tiled draws a terrain that ends in nothing; with `unset_is_any` it may have any.

A tile's weight is its probability times those of its colours, as in Tiled. The files of Tiled 1.1 to 1.4 are
understood as well. Tiles are not turned or flipped, even where the tileset would let Tiled do so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solvent.core.errors import ParseError, unknown_name
from solvent.formats.tiled.parsing import TERRAIN_LISTS, read_tiled
from solvent.formats.tiled.terrain_sets import (
    CORNER,
    MIXED,
    TerrainSet,
    TerrainTile,
    TerrainTileSet,
    read_terrain_sets,
)
from solvent.valency.art import HEXAGONAL, Art
from solvent.valency.model import Look, Module, Rules
from solvent.valency.notation.adjacency import make_square_rules, require_module_count
from solvent.valency.notation.map_samples import PictureCutter, make_art, missing_pictures
from solvent.valency.notation.pictures import ReadBeside
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
    path: Path | None = None,
) -> Rules:
    """Read the terrain set called `subset`, or the first there is, which is then remarked on if there are others.

    With `read_beside`, modules get their pictures out of the tileset's; with `path`, the tilesets of a map may be in
    files beside it.
    """
    tilesets = read_terrain_sets(text, path)
    art = make_art(read_tiled(text, ("tileset", "map"), "a Tiled tileset", TERRAIN_LISTS), tilesets, path)
    if art.orientation == HEXAGONAL:
        raise ParseError("terrain sets of squares: learn from a hexagonal map instead (--sample tiled)", HEXAGONAL)
    return rules_of_terrain(
        tilesets,
        art,
        subset=subset,
        read_beside=read_beside,
        remark=remark,
        unset_is_any=unset_is_any,
        name=name,
    )


def rules_of_terrain(
    tilesets: Sequence[TerrainTileSet],
    art: Art,
    *,
    subset: str | None,
    read_beside: ReadBeside | None,
    remark: Remark,
    unset_is_any: bool,
    name: str,
) -> Rules:
    """Return the rules of a terrain set of some tilesets; see `parse_wang`."""
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
    cutter = PictureCutter([tileset], read_beside)
    looks = {number: cutter.look((tileset.first + number,)) for number, _ in chosen.tiles}
    if cutter.missing and read_beside is not None:
        remark(missing_pictures(cutter.missing))
    modules = _make_modules(tileset, chosen, looks)
    colours = np.array([colours for _, colours in chosen.tiles], dtype=np.int16)
    right = touching(colours, _places(ACROSS, chosen.kind), unset_is_any)
    down = touching(colours, _places(DOWNWARDS, chosen.kind), unset_is_any)
    return replace(make_square_rules(name or tileset.name, modules, right, down), art=art)


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


def touching(colours: npt.NDArray[np.int16], pairs: list[tuple[int, int]], unset_is_any: bool) -> npt.NDArray[np.bool_]:
    """Tell for each two tiles whether their colours agree at all pairs of places that meet."""
    allowed = np.ones((len(colours), len(colours)), dtype=np.bool_)
    for here, there in pairs:
        one, other = colours[:, here][:, None], colours[:, there][None, :]
        same = one == other
        allowed &= same | (one == 0) | (other == 0) if unset_is_any else same
    return allowed
