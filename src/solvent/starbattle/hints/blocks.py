"""Cover cells with 2×2 blocks: as many stars fit on them as blocks are needed, at most."""

from __future__ import annotations

import functools

from msgspec import Struct

from solvent.starbattle.hints.position import Cells, Geometry, Position, cells_in

MAX_STEPS = 400
"""A cover that is not found in this many steps is not looked for any longer; the one found so far is used."""


@functools.lru_cache(maxsize=16)
def _blocks_at(size: int) -> tuple[tuple[int, ...], ...]:
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
        corner = max(_blocks_at(geometry.size)[cell], key=lambda corner: (area & geometry.block(corner)).bit_count())
        chosen.append(corner)
        area &= ~geometry.block(corner)
    return tuple(chosen)


def _improve(geometry: Geometry, area: Cells, chosen: tuple[int, ...], state: _Attempt) -> None:
    if not area:
        state.best, state.length = chosen, len(chosen)
        return
    # cells no two of which fit one block need a block each
    if len(chosen) + apart(geometry, area) >= state.length:
        return
    state.steps -= 1
    if state.steps < 0:
        return
    cell = (area & -area).bit_length() - 1
    tried: list[Cells] = []
    for corner in _blocks_at(geometry.size)[cell]:
        covered = geometry.block(corner) & area
        if any(covered & ~other == 0 for other in tried):  # another block covers all of this and more
            continue
        tried.append(covered)
        _improve(geometry, area & ~covered, (*chosen, corner), state)


def apart(geometry: Geometry, area: Cells) -> int:
    """Return how many cells can be picked, in reading order, of which no two touch: so many stars do fit."""
    count = 0
    while area:
        cell = (area & -area).bit_length() - 1
        count += 1
        area &= ~(geometry.touching[cell] | 1 << cell)
    return count


class Tiled(Struct, frozen=True):
    """Hold what follows when an area has exactly as many stars to hold as blocks that cover it."""

    stars: Cells
    crosses: Cells


def tiled_conclusions(position: Position, area: Cells, blocks: tuple[int, ...]) -> Tiled:
    """Return what follows if each block holds exactly one star of the area.

    A block with one cell left is a star; a cell in two blocks stays empty, since its star would count twice; so does
    a cell that touches all a block has left.
    """
    geometry = position.geometry
    stars = crosses = once = twice = 0
    for corner in blocks:
        part = geometry.block(corner) & area
        twice |= once & part
        once |= part
    for corner in blocks:
        part = geometry.block(corner) & area
        if not part:
            continue
        if part & (part - 1) == 0:
            stars |= part
        around = -1
        for cell in cells_in(part):
            around &= geometry.touching[cell]
        crosses |= around & position.open & ~part
    return Tiled(stars & ~twice, (crosses | twice) & position.open)
