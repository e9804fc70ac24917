"""Tiling: the open cells of a unit fit in as many 2×2 blocks as it needs stars, so each block holds one of them.

Any two cells of a 2×2 block touch, so a block holds one star at most. With as many blocks as stars none may be left
out and none may share its star with another: a block with one open cell has its star there, a cell in two blocks is
empty, and so is a cell that touches all a block has left. A unit may be tiled in several ways; each is tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, Work, pairs, unit_keys
from solvent.starbattle.hints.block_reasons import block_reasons
from solvent.starbattle.hints.blocks import Conclusions, apart, blocks_at, cover, tiled_conclusions
from solvent.starbattle.hints.phrases import count_of, name_blocks, name_units
from solvent.starbattle.hints.position import Cells, Geometry, Position

NAME = "tiling"
TITLE = "2×2 tiling"
DIFFICULTY = 3.0

MAX_TILINGS = 12
"""Ways to tile one unit that are looked at; a person does not look at more either."""
MAX_STEPS = 120
"""Blocks laid while looking for them."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield tilings of single units that decide something, those with the fewest blocks first."""
    order = sorted((need, unit) for unit, need in enumerate(position.needs) if need > 0)
    seen: set[tuple[Cells, Cells]] = set()
    for need, unit in order:
        decided = 0
        for blocks in tilings(position, position.open_in(unit), need, work):
            follows = tiled_conclusions(position.geometry, position.open, position.open_in(unit), blocks)
            conclusions = follows.stars, follows.crosses
            if not (follows.stars | follows.crosses) & ~decided or conclusions in seen:
                continue
            decided |= follows.stars | follows.crosses
            seen.add(conclusions)
            yield _application(position, unit, blocks, follows)


def tilings(position: Position, area: Cells, count: int, work: Work) -> Iterator[tuple[int, ...]]:
    """Yield ways to cover an area with exactly so many blocks, if it takes no fewer; the plain cover first."""
    geometry = position.geometry
    work.spend()
    if not area or apart(geometry, area).bit_count() > count:
        return
    work.spend(5)
    first = cover(geometry, area, most=count)
    if first is None or len(first) < count:  # fewer blocks than stars: the unit cannot be filled at all
        return
    yield first
    work.spend(5)
    known = {_parts(geometry, area, first)}
    found: list[tuple[int, ...]] = []
    _lay(geometry, area, area, (), count, found, [MAX_STEPS])
    for blocks in found:
        parts = _parts(geometry, area, blocks)
        if parts not in known:
            known.add(parts)
            yield blocks


def _parts(geometry: Geometry, area: Cells, blocks: tuple[int, ...]) -> tuple[Cells, ...]:
    return tuple(sorted(geometry.block(corner) & area for corner in blocks))


def _lay(
    geometry: Geometry,
    area: Cells,
    left: Cells,
    chosen: tuple[int, ...],
    count: int,
    found: list[tuple[int, ...]],
    steps: list[int],
) -> None:
    """Gather covers of what is left of an area; a block may reach back over cells that are covered already."""
    if not left:
        if len(chosen) == count:
            found.append(tuple(sorted(chosen)))
        return
    if len(chosen) + apart(geometry, left).bit_count() > count:
        return
    tried: list[Cells] = []
    for corner in blocks_at(geometry.size)[(left & -left).bit_length() - 1]:
        part = geometry.block(corner) & area
        if part in tried:
            continue
        tried.append(part)
        steps[0] -= 1
        if steps[0] < 0 or len(found) >= MAX_TILINGS:
            return
        _lay(geometry, area, left & ~part, (*chosen, corner), count, found, steps)


def _application(position: Position, unit: int, blocks: tuple[int, ...], follows: Conclusions) -> Application:
    name = capitalised(name_units(position, [unit]))
    need = position.needs[unit]
    one = need == 1
    proof = [
        f"{name} needs {count_of(need, 'more star')}.",
        f"Its open cells all lie in {name_blocks(position, blocks)}.",
        "A 2×2 block holds one star at most, so "
        + ("this one holds it." if one else "each of these holds exactly one."),
    ]
    return Application(
        technique=NAME,
        stars=follows.stars,
        crosses=follows.crosses,
        witness={"unit": unit_keys(position, [unit])[0], "blocks": pairs(blocks, position.size)},
        because=f"{name} fits in {count_of(need, '2×2 block')} and needs {count_of(need, 'more star')}.",
        proof=tuple(proof),
        reasons=block_reasons(position, position.open_in(unit), blocks, follows.stars, follows.crosses),
        highlights=Highlights(causes=position.open_in(unit), units=(unit,), blocks=blocks),
    )
