"""Go through every way to place stars on an area, no two touching, and find what all of them have in common."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from solvent.starbattle.hints.position import Cells, Geometry


class Placements(Struct, frozen=True):
    """Hold the ways to place stars on an area."""

    ways: tuple[Cells, ...]
    """Each way, in order of their cells; none if there are too many."""
    steps: int
    """Stars that were tried."""


def place_all(geometry: Geometry, area: Cells, count: int, *, most: int, most_steps: int) -> Placements:
    """Return every way to place so many stars, at least one; none if there are more than `most`, or after `steps`."""
    found: list[Cells] = []
    steps = [most_steps]
    complete = area.bit_count() >= count and _place(geometry, area, 0, count, found, most, steps)
    return Placements(tuple(found) if complete else (), most_steps - steps[0])


def _place(
    geometry: Geometry, area: Cells, placed: Cells, count: int, found: list[Cells], most: int, steps: list[int]
) -> bool:
    """Gather placements in order of their cells; returns False if there are too many."""
    while area.bit_count() >= count:
        lowest = area & -area
        area ^= lowest
        steps[0] -= 1
        if steps[0] < 0:
            return False
        if count == 1:
            found.append(placed | lowest)
            if len(found) > most:
                return False
        else:
            away = area & ~geometry.touching[lowest.bit_length() - 1]
            if not _place(geometry, away, placed | lowest, count - 1, found, most, steps):
                return False
    return True


def in_common(geometry: Geometry, ways: Iterable[Cells], *, outside: Cells = -1) -> tuple[Cells, Cells, Cells]:
    """Return the cells with a star in all ways, in some way, and those beside a star of every way.

    Cells beside are of interest as far as they are among `outside`.
    """
    every = beside = -1
    some = 0
    for way in ways:
        every &= way
        some |= way
        if beside & outside:
            beside &= geometry.around(way)
    return every, some, beside
