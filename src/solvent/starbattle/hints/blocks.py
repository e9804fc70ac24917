"""Cover cells with 2×2 blocks: as many stars fit on them as blocks are needed, at most."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from msgspec import Struct

from solvent.starbattle.hints.position import Cells, Geometry

MAX_STEPS = 400
"""A cover that is not found in this many steps is not looked for any longer; the one found so far is used."""


@functools.lru_cache(maxsize=16)
def blocks_at(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the corners of the up to four blocks that hold it, the one it is the corner of first."""
    found = []
    for cell in range(size * size):
        row, col = divmod(cell, size)
        found.append(tuple(r * size + c for r in (row, row - 1) for c in (col, col - 1) if r >= 0 and c >= 0))
    return tuple(found)


def cover(geometry: Geometry, area: Cells, *, most: int | None = None) -> tuple[int, ...] | None:
    """Return the corners of as few blocks as can be found that cover an area, or None if it takes more than `most`.

    Exact for the areas that occur in play: it tries the few ways to cover the first cell, and gives up trying others
    only after MAX_STEPS. Blocks come in reading order.
    """
    if not area:
        return ()
    bound = _greedy(geometry, area)
    limit = len(bound) if most is None else min(len(bound), most)
    state = _Attempt(best=bound if len(bound) <= limit else None, length=limit if len(bound) <= limit else limit + 1)
    state.steps = MAX_STEPS
    _improve(geometry, area, (), state)
    return None if state.best is None else tuple(sorted(state.best))


class _Attempt(Struct):
    best: tuple[int, ...] | None
    length: int
    """A cover must be shorter than this to be better."""
    steps: int = 0


def _greedy(geometry: Geometry, area: Cells) -> tuple[int, ...]:
    chosen = []
    while area:
        cell = (area & -area).bit_length() - 1
        corner = max(blocks_at(geometry.size)[cell], key=lambda corner: (area & geometry.block(corner)).bit_count())
        chosen.append(corner)
        area &= ~geometry.block(corner)
    return tuple(chosen)


def _improve(geometry: Geometry, area: Cells, chosen: tuple[int, ...], state: _Attempt) -> None:
    if not area:
        state.best, state.length = chosen, len(chosen)
        return
    # cells no two of which fit one block need a block each
    if len(chosen) + apart(geometry, area).bit_count() >= state.length:
        return
    state.steps -= 1
    if state.steps < 0:
        return
    cell = (area & -area).bit_length() - 1
    tried: list[Cells] = []
    for corner in blocks_at(geometry.size)[cell]:
        covered = geometry.block(corner) & area
        if any(covered & ~other == 0 for other in tried):  # another block covers all of this and more
            continue
        tried.append(covered)
        _improve(geometry, area & ~covered, (*chosen, corner), state)


def apart(geometry: Geometry, area: Cells, *, most: int = -1) -> Cells:
    """Pick cells, in reading order, of which no two touch: so many stars do fit. At most `most`, if that is given."""
    picked = 0
    while area and most:
        lowest = area & -area
        picked |= lowest
        most -= 1
        area &= ~(geometry.touching[lowest.bit_length() - 1] | lowest)
    return picked


class Conclusions(Struct, frozen=True):
    """Hold the cells that must be stars, and those that must stay empty."""

    stars: Cells
    crosses: Cells


def tiled_conclusions(geometry: Geometry, opened: Cells, area: Cells, blocks: tuple[int, ...]) -> Conclusions:
    """Return what follows for open cells if each block holds exactly one star of the area.

    A block with one cell left is a star; a cell in two blocks stays empty, since its star would count twice; so does
    a cell that touches all a block has left.
    """
    once = twice = 0
    for corner in blocks:
        part = geometry.block(corner) & area
        twice |= once & part
        once |= part
    found = one_star_each(geometry, opened, [geometry.block(corner) & area for corner in blocks])
    return Conclusions(found.stars & ~twice, found.crosses | twice & opened)


def one_star_each(geometry: Geometry, opened: Cells, parts: Iterable[Cells]) -> Conclusions:
    """Return what follows for open cells if each part, as far as it has cells, holds exactly one star."""
    stars = crosses = 0
    for part in parts:
        if part:
            if part & (part - 1) == 0:
                stars |= part
            crosses |= geometry.beside_all(part) & opened & ~part
    return Conclusions(stars, crosses)
