"""Constraints of DeBroglie as those of the model: a table with one line for each kind.

A kind that is not in the table is refused by name. Those about ways through tiles are in `paths`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solvent.core.errors import ParseError
from solvent.valency.model import HEX, MIRROR_X, MIRROR_Y, Consecutive, Constraint, Count, Separation, Symmetry
from solvent.valency.notation.debroglie import paths
from solvent.valency.notation.debroglie.rotations import Turn
from solvent.valency.notation.debroglie.setting import NOT_YET, SIDES, Y_MAX, Z_MAX, Z_MIN, Setting, convert
from solvent.valency.notation.debroglie.shapes import (
    BorderShape,
    CountShape,
    FixedTileShape,
    MaxConsecutiveShape,
    MirrorShape,
    PairSeparationShape,
    SeparationShape,
    Word,
)
from solvent.valency.notation.restrictions import ban, hold

_AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


def read_constraint(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    """Return the constraints that one of a configuration comes to, or raise ParseError."""
    kind = given.get("type")
    if not isinstance(kind, str):
        raise ParseError("the type of the constraint", kind, path=f"{path}.type")
    translate = next((found for name, found in TRANSLATIONS.items() if name.lower() == kind.lower()), None)
    if translate is None:
        known = ", ".join(TRANSLATIONS)
        raise ParseError(f"a constraint that Solvent knows: {known}; others are {NOT_YET}", kind, path=f"{path}.type")
    return translate(given, setting, path)


def ground(tile: Word, setting: Setting, path: str) -> list[Constraint]:
    """Return what `ground` is short for: the tile covers the bottom, and stands nowhere else."""
    mask = setting.modules([tile], path)
    bottom = setting.nodes_on({Z_MIN if setting.lattice.depth > 1 else Y_MAX})
    return hold(mask, bottom) + ban(mask, setting.others(bottom), len(setting.rules.modules))


def _border(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    shape = convert(given, BorderShape, path)
    mask = setting.tile_or_tiles(shape.tile, shape.tiles, path)
    sides = set(SIDES) if shape.sides is None else _read_sides(shape.sides, f"{path}.sides")
    left_out = set() if shape.exclude_sides is None else _read_sides(shape.exclude_sides, f"{path}.excludeSides")
    if setting.lattice.depth == 1:
        sides, left_out = sides - {Z_MIN, Z_MAX}, left_out - {Z_MIN, Z_MAX}
    without = set(setting.nodes_on(left_out))
    nodes = [node for node in setting.nodes_on(sides) if node not in without]
    if shape.invert_area:
        nodes = setting.others(nodes)
    return ban(mask, nodes, len(setting.rules.modules)) if shape.ban else hold(mask, nodes)


def _fixed_tile(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    shape = convert(given, FixedTileShape, path)
    mask = setting.tile_or_tiles(shape.tile, shape.tiles, path)
    if shape.point is None:
        return [Count(mask, least=1)]
    return hold(mask, [setting.node(shape.point, f"{path}.point")])


def _count(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    shape = convert(given, CountShape, path)
    mask = setting.modules(shape.tiles, f"{path}.tiles")
    known: Mapping[str, tuple[int, int | None]] = {
        "exactly": (shape.count, shape.count),
        "atleast": (shape.count, None),
        "atmost": (0, shape.count),
    }
    word = shape.comparison.lower().replace("_", "").replace(" ", "")
    if word not in known:
        raise ParseError("exactly, atLeast or atMost", shape.comparison, path=f"{path}.comparison")
    return [Count(mask, *known[word])]


def _separation(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    shape = convert(given, SeparationShape, path)
    distance = _read_distance(shape.min_distance, path)
    return [Separation(setting.modules(shape.tiles, f"{path}.tiles"), distance)]


def _pair_separation(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    """Read two sets of tiles that keep away from each other."""
    shape = convert(given, PairSeparationShape, path)
    ones, others = setting.modules(shape.tiles1, f"{path}.tiles1"), setting.modules(shape.tiles2, f"{path}.tiles2")
    if ones & others:
        raise ParseError("none that is among tiles1 as well", list(shape.tiles2), path=f"{path}.tiles2")
    return [Separation(ones, _read_distance(shape.min_distance, path), others)]


def _read_distance(distance: int, path: str) -> int:
    if distance < 1:
        raise ParseError("a distance of 1 or more", distance, path=f"{path}.minDistance")
    return distance


def _max_consecutive(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
    """Read how many tiles may stand in a row, along each axis or some."""
    shape = convert(given, MaxConsecutiveShape, path)
    if setting.lattice.kind == HEX:
        raise ParseError("squares or cubes, since hexagons have no axes x and y", path=path)
    if shape.max_count < 1:
        raise ParseError("1 tile or more", shape.max_count, path=f"{path}.maxCount")
    orbitals = setting.orbitals()
    along: dict[tuple[int, int], None] = {}
    for number, axis in enumerate(_AXES if shape.axes is None else shape.axes):
        if axis.lower() not in _AXES:
            raise ParseError(f"an axis: {', '.join(_AXES)}", axis, path=f"{path}.axes[{number}]")
        orbital = orbitals.get(_AXES[axis.lower()])
        if orbital is not None:
            along[0, orbital] = None
        elif shape.axes is not None:
            setting.remark("maxConsecutive: a flat grid has no rows along z.")
    mask = setting.tile_or_tiles(shape.tile, shape.tiles, path)
    return [Consecutive(mask, shape.max_count, tuple(along))] if along else []


def _mirror(kind: str, turn: Turn) -> Callable[[Mapping[str, Any], Setting, str], list[Constraint]]:
    def read(given: Mapping[str, Any], setting: Setting, path: str) -> list[Constraint]:
        """Read a grid that is its own mirror image, tiles too."""
        convert(given, MirrorShape, path)
        if setting.lattice.kind == HEX:
            raise ParseError(f"a grid of squares or cubes: hexagons that are mirrored are {NOT_YET}", path=path)
        if any(setting.mask(tile).bit_count() > 1 for tile in setting.tiles):
            raise ParseError(f"the adjacent model: patterns that are mirrored are {NOT_YET}", path=path)
        masks = [setting.mask(setting.tile_turns.turned(tile, turn)) for tile in setting.tiles]
        return [Symmetry(kind, tuple(mask.bit_length() - 1 for mask in masks))]

    return read


_mirror_x = _mirror(MIRROR_X, Turn(0, True))
TRANSLATIONS: Mapping[str, Callable[[Mapping[str, Any], Setting, str], list[Constraint]]] = {
    "border": _border,
    "fixedTile": _fixed_tile,
    "path": paths.path,
    "edgedPath": paths.edged_path,
    "connected": paths.connected,
    "acyclic": paths.acyclic,
    "loop": paths.loop,
    "parity": paths.parity,
    "count": _count,
    "separation": _separation,
    "pairSeparation": _pair_separation,
    "maxConsecutive": _max_consecutive,
    "mirror": _mirror_x,
    "mirrorX": _mirror_x,
    "mirrorY": _mirror(MIRROR_Y, Turn(2, True)),
}
"""A kind of constraint, and what makes constraints of the model of it. A new one is one more line."""


def _read_sides(words: str, path: str) -> set[str]:
    found: set[str] = set()
    for word in words.lower().replace("|", ",").split(","):
        name = word.strip()
        if name == "all":
            found |= set(SIDES)
        elif name in SIDES:
            found.add(name)
        elif name != "none":
            raise ParseError(f"sides: {', '.join(SIDES)}, all or none", words, path=path)
    return found
