"""Lattices of several floors as cubes seen from above and in front, so that a picture shows how high things stand.

x leads down and to the right on the paper, y down and to the left, z up. A cube shows its top and its two sides in
front, and of these only what no other cube hides.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.drawing.palette import Paint
from solvent.valency.drawing.colours import IMPOSSIBLE, OVER_BUDGET
from solvent.valency.drawing.faces import module_paints
from solvent.valency.model import UNSOLVABLE, Lattice, Staging

Point = tuple[float, float]

ACROSS, DOWN, UP = 2.0, 1.0, 2.2
"""Half the width and height of the top of a cube, and the height of its sides, before they are scaled."""
SHADES = (1.0, 0.72, 0.86)
"""How bright the top, the side towards y and the side towards x are."""
MAX_CUBES = 60_000
EMPTY = "empty"
"""The tag of modules that leave their cells empty."""


class Side(Struct, frozen=True):
    """Hold one side of a cube: its corners and its colour."""

    corners: tuple[Point, Point, Point, Point]
    paint: Paint


class Cubes(Struct, frozen=True, eq=False):
    """Hold the sides that can be seen, from the furthest to the nearest, and how large the picture is."""

    sides: list[Side]
    size: Point


def is_deep(staging: Staging) -> bool:
    """Tell whether a task has several floors, and few enough cells to show them as cubes."""
    lattice = staging.cluster
    return (
        isinstance(lattice, Lattice)
        and lattice.depth > 1
        and lattice.width * lattice.height * lattice.depth <= MAX_CUBES
    )


def stack_cubes(staging: Staging, modules: npt.NDArray[np.integer], over_budget: frozenset[int], unit: float) -> Cubes:
    """Return what is seen of a fill; half the width of a cube is `ACROSS` units."""
    lattice = staging.cluster
    assert isinstance(lattice, Lattice), "only cells are cubes"
    shape = (lattice.depth, lattice.height, lattice.width)
    seen = _seen(staging, modules).reshape(shape)
    closed = np.pad(seen, ((0, 1), (0, 1), (0, 1)))
    # A side is hidden by the cube in front of it.
    is_open = (~closed[1:, :-1, :-1], ~closed[:-1, 1:, :-1], ~closed[:-1, :-1, 1:])
    paints = _paints(staging, modules, over_budget)
    left = lattice.height * ACROSS
    top = lattice.depth * UP
    sides = list(_sides(seen, is_open, paints, left, top, unit))
    width = (lattice.width + lattice.height) * ACROSS * unit
    height = ((lattice.width + lattice.height) * DOWN + top) * unit
    return Cubes(sides, (width, height))


def _seen(staging: Staging, modules: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    shown = np.array([*(EMPTY not in module.tags for module in staging.rules.modules), False])
    return np.where(modules == UNSOLVABLE, True, shown[np.maximum(modules, -1)])


def _paints(staging: Staging, modules: npt.NDArray[np.integer], over_budget: frozenset[int]) -> list[Paint]:
    of_module = module_paints(staging.rules.modules)
    return [
        of_module[number] if number >= 0 else OVER_BUDGET if node in over_budget else IMPOSSIBLE
        for node, number in enumerate(modules.tolist())
    ]


def _sides(
    seen: npt.NDArray[np.bool_],
    is_open: tuple[npt.NDArray[np.bool_], ...],
    paints: list[Paint],
    left: float,
    top: float,
    unit: float,
) -> Iterator[Side]:
    _, height, width = seen.shape
    z, y, x = np.nonzero(seen)
    order = np.lexsort((z, x + y))  # nearer ones later, and of one column the lower ones first
    for at in order.tolist():
        i, j, k = int(x[at]), int(y[at]), int(z[at])
        paint = paints[i + width * (j + height * k)]

        def corner(dx: int, dy: int, dz: int, *, i: int = i, j: int = j, k: int = k) -> Point:
            a, b, c = i + dx, j + dy, k + dz
            return ((a - b) * ACROSS + left) * unit, ((a + b) * DOWN - c * UP + top) * unit

        shapes = (
            (corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)),
            (corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0), corner(0, 1, 0)),
            (corner(1, 0, 1), corner(1, 1, 1), corner(1, 1, 0), corner(1, 0, 0)),
        )
        for shape, shade, visible in zip(shapes, SHADES, is_open, strict=True):
            if visible[k, j, i]:
                yield Side(shape, _shaded(paint, shade))


def _shaded(paint: Paint, shade: float) -> Paint:
    red, green, blue = (round(part * shade) for part in paint)
    return red, green, blue
