"""Constraints about ways through tiles: path, edgedPath, connected, acyclic, loop and parity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from solvent.core.errors import ParseError
from solvent.valency.model import Acyclic, Connected, Constraint, Loop, Path, mask_of
from solvent.valency.notation.debroglie.setting import NOT_YET, Setting, convert, read_direction
from solvent.valency.notation.debroglie.shapes import (
    ConnectedShape,
    EdgedPathShape,
    PathShape,
    PathSpecShape,
    PointShape,
    Word,
)

Exits = tuple[tuple[int, ...], ...]
"""For each layer and module the mask of orbitals that lead on; empty for all."""


def path(given: Mapping[str, Any], setting: Setting, at: str) -> list[Constraint]:
    """Read tiles that hang together, all of them or those at some points."""
    shape = convert(given, PathShape, at)
    several = shape.tiles if shape.tiles is not None else shape.path_tiles
    mask = setting.tile_or_tiles(shape.tile, several, at)
    return _join(mask, (), shape.end_points, shape.end_point_tiles, setting, at)


def edged_path(given: Mapping[str, Any], setting: Setting, at: str) -> list[Constraint]:
    """Read tiles that hang together through their exits."""
    shape = convert(given, EdgedPathShape, at)
    mask, exits = _read_exits(shape.exits, setting, f"{at}.exits")
    return _join(mask, exits, shape.end_points, shape.end_point_tiles, setting, at)


def connected(given: Mapping[str, Any], setting: Setting, at: str) -> list[Constraint]:
    """Read the newer form of the two above."""
    spec = convert(given, ConnectedShape, at).path_spec
    _require_all_relevant(spec, f"{at}.pathSpec")
    mask, exits = _read_spec(spec, setting, f"{at}.pathSpec")
    return _join(mask, exits, spec.relevant_cells, None, setting, f"{at}.pathSpec")


def acyclic(given: Mapping[str, Any], setting: Setting, at: str) -> list[Constraint]:
    """Read ways that never lead back to where they began."""
    spec = convert(given, ConnectedShape, at).path_spec
    if spec.relevant_tiles is not None or spec.relevant_cells is not None:
        setting.remark("acyclic: relevantTiles and relevantCells change nothing, here as in DeBroglie.")
    lattice = setting.lattice
    sizes = zip((lattice.width, lattice.height, lattice.depth), lattice.periodic, strict=True)
    if any(wraps and size < 3 for size, wraps in sizes):
        setting.remark(
            "acyclic: two cells that touch on both sides, because the grid wraps around, are a circle here; in "
            "DeBroglie they are none."
        )
    return [Acyclic(*_read_spec(spec, setting, f"{at}.pathSpec"))]


def loop(given: Mapping[str, Any], setting: Setting, at: str) -> list[Constraint]:
    """Read two ways between any two tiles. Where no tile has more than two exits, that is one closed loop."""
    spec = convert(given, ConnectedShape, at).path_spec
    _require_all_relevant(spec, f"{at}.pathSpec")
    if spec.relevant_cells is not None:
        raise ParseError(f"a loop without relevantCells, which are {NOT_YET}", path=f"{at}.pathSpec.relevantCells")
    mask, exits = _read_spec(spec, setting, f"{at}.pathSpec")
    if not exits or any(mask.bit_count() > 2 for mask in exits[0]):
        raise ParseError(
            f"exits, two of each tile: two separate ways between tiles with more of them are {NOT_YET}",
            path=f"{at}.pathSpec",
        )
    setting.remark("loop: one closed loop through all these tiles. DeBroglie lets one or two tiles alone pass as well.")
    return [Loop(mask, exits)]


def parity(given: Mapping[str, Any], setting: Setting, at: str) -> list[Constraint]:
    """Read what only guides the search."""
    spec = convert(given, ConnectedShape, at).path_spec
    _read_spec(spec, setting, f"{at}.pathSpec")
    setting.remark("parity: guides how DeBroglie searches, and changes nothing here.")
    return []


def _require_all_relevant(spec: PathSpecShape, at: str) -> None:
    if spec.relevant_tiles is not None:
        expected = f"tiles that are all to be reached: relevantTiles are {NOT_YET}"
        raise ParseError(expected, list(spec.relevant_tiles), path=f"{at}.relevantTiles")


def _read_spec(spec: PathSpecShape, setting: Setting, at: str) -> tuple[int, Exits]:
    if (spec.exits is None) == (spec.tiles is None):
        raise ParseError("tiles or exits of the path, one of them", path=at)
    if spec.exits is not None:
        return _read_exits(spec.exits, setting, f"{at}.exits")
    return setting.modules(spec.tiles or [], f"{at}.tiles"), ()


def _read_exits(given: Mapping[str, Sequence[str]], setting: Setting, at: str) -> tuple[int, Exits]:
    """Return the modules that have exits, and those of each; what a tile becomes by turning has its exits turned."""
    orbitals = setting.orbitals()
    masks = [0] * len(setting.rules.modules)
    for word, directions in given.items():
        here = f"{at}.{word}"
        tile = setting.number(word, here)
        steps = [read_direction(one, here) for one in directions]
        for turn in setting.turns:
            for step in steps:
                x, y, z = turn.step(step)
                orbital = orbitals.get((x, -y if setting.is_flipped else y, z))
                if orbital is None:
                    raise ParseError("directions of the grid: x+, x-, y+, y-, z+ or z-", list(directions), path=here)
                mask = setting.mask(setting.tile_turns.turned(tile, turn))
                while mask:
                    module = (mask & -mask).bit_length() - 1
                    mask &= mask - 1
                    masks[module] |= 1 << orbital
    having = mask_of(number for number, exits in enumerate(masks) if exits)
    if not having:
        raise ParseError("exits of tiles that the rules have", list(given), path=at)
    return having, (tuple(masks),)


def _join(
    mask: int,
    exits: Exits,
    points: Sequence[PointShape] | None,
    tiles: Sequence[Word] | None,
    setting: Setting,
    at: str,
) -> list[Constraint]:
    if tiles is not None:
        raise ParseError(f"a path without endPointTiles, which are {NOT_YET}", list(tiles), path=f"{at}.endPointTiles")
    if points is None:
        return [Connected(mask, exits)]
    nodes = [setting.node(point, f"{at}.endPoints[{number}]") for number, point in enumerate(points)]
    if len(nodes) < 2:
        raise ParseError("at least two end points", len(nodes), path=f"{at}.endPoints")
    return [Path(start, end, mask, exits) for start, end in pairwise(nodes)]
