"""N-rooks: cut the board into 2×2 blocks and follow the blocks that stay empty, as rooks that may not share a line.

Only on boards of even size. Two rows 1-2, 3-4, … form a band of N/2 blocks and hold 2k stars, one at most in a block,
so exactly e = N/2 - 2k blocks of every band are empty, and likewise for columns. Take some bands of rows (the base)
whose blocks all have a star already except where they cross as many bands of columns (the cover). Then the empty
blocks of the base, e for each band, all lie in the cover, which has no more than e for each band either. So every
other block of the cover has a star. A block with a star and one open cell has it there; a cell that touches all open
cells of such a block is empty. The same holds with rows and columns exchanged.

A band that has its 2k stars is empty elsewhere, but then its two lines are full, which needs no blocks to see.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct

from solvent.drawing.phrases import listed
from solvent.starbattle.hints.application import Application, Highlights, Work
from solvent.starbattle.hints.block_reasons import block_reasons
from solvent.starbattle.hints.blocks import Conclusions, one_star_each
from solvent.starbattle.hints.phrases import count_of, name_blocks
from solvent.starbattle.hints.position import Cells, Position, cells_in

NAME = "n-rooks"
TITLE = "N-rooks"
DIFFICULTY = 15.0

MAX_BANDS = 4
"""Bands of a base; a person does not keep more in mind."""


class _Rooks(Struct, frozen=True):
    """Hold a base, its cover, and the blocks that must have a star."""

    base: str
    """`rows` or `columns`."""
    bands: tuple[int, ...]
    cover: tuple[int, ...]
    full: tuple[tuple[int, int], ...]
    """Band of rows and band of columns of each."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield bases that decide something, those with the fewest bands first."""
    half, odd = divmod(position.size, 2)
    if odd or half < 2 * position.puzzle.stars:
        return
    blocks = [[_block(position, i, j) for j in range(half)] for i in range(half)]
    # for each band the bands across in which its block has no star yet
    by_row = [sum(1 << j for j in range(half) if not blocks[i][j] & position.stars) for i in range(half)]
    by_column = [sum(1 << i for i in range(half) if not blocks[i][j] & position.stars) for j in range(half)]
    seen: set[tuple[Cells, Cells]] = set()
    for count in range(1, min(MAX_BANDS, half) + 1):
        for base, unfilled in (("rows", by_row), ("columns", by_column)):
            for bands, cover in _bases(unfilled, count, work):
                crossing = [(i, j) for i in range(half) if i not in bands for j in cover]
                full = crossing if base == "rows" else [(j, i) for i, j in crossing]
                full = sorted((i, j) for i, j in full if not blocks[i][j] & position.stars)
                rooks = _Rooks(base, bands, cover, tuple(full))
                parts = [blocks[i][j] & position.open for i, j in full]
                found = one_star_each(position.geometry, position.open, parts)
                if not all(parts):  # a block has no room for its star: the marks are wrong, and nothing can be said
                    continue
                if (found.stars or found.crosses) and (found.stars, found.crosses) not in seen:
                    seen.add((found.stars, found.crosses))
                    yield _application(position, rooks, found)


def _block(position: Position, i: int, j: int) -> Cells:
    return position.geometry.block(2 * i * position.size + 2 * j)


def _bases(unfilled: Sequence[int], count: int, work: Work) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield so many bands with just as many bands across that hold all their blocks without a star."""
    few = [band for band, across in enumerate(unfilled) if across.bit_count() <= count]
    for bands in combinations(few, count):
        work.spend()
        across = 0
        for band in bands:
            across |= unfilled[band]
        if across.bit_count() == count:
            yield bands, tuple(cells_in(across))


def _application(position: Position, rooks: _Rooks, found: Conclusions) -> Application:
    size = position.size
    across = "columns" if rooks.base == "rows" else "rows"
    bands, cover = _name_bands(rooks.base, rooks.bands), _name_bands(across, rooks.cover)
    corners = tuple(2 * i * size + 2 * j for i, j in rooks.full)
    empty = count_of(size // 2 - 2 * position.puzzle.stars, "block")
    rows, columns = (rooks.bands, rooks.cover) if rooks.base == "rows" else (rooks.cover, rooks.bands)
    first = [
        unit + (size if rooks.base == "columns" else 0) for band in rooks.bands for unit in (2 * band, 2 * band + 1)
    ]
    second = [unit + (size if across == "columns" else 0) for band in rooks.cover for unit in (2 * band, 2 * band + 1)]
    proof = [
        f"Cut the board into 2×2 blocks: each pair of lines (1–2, 3–4, …) leaves {empty} empty.",
        f"In {bands} every block outside {cover} has a star.",
        f"So their empty blocks all lie in {cover}, and these have no others.",
        f"Every other block there has exactly one star: {name_blocks(position, corners)}.",
    ]
    area = sum(_block(position, i, j) & position.open for i, j in rooks.full)
    return Application(
        technique=NAME,
        stars=found.stars,
        crosses=found.crosses,
        witness={
            "rows": list(rows),
            "columns": list(columns),
            "base": rooks.base,
            "full": [list(block) for block in rooks.full],
            "empty": [],
        },
        because=f"The empty 2×2 blocks of {cover} all lie in {bands}, so the other blocks there have a star each.",
        proof=tuple(proof),
        reasons=block_reasons(position, area, corners, found.stars, found.crosses),
        highlights=Highlights(
            causes=sum(_block(position, i, j) & position.open for i, j in rooks.full),
            units=tuple(sorted((*first, *second))),
            blocks=corners,
        ),
    )


def _name_bands(kind: str, bands: Sequence[int]) -> str:
    """Name bands by their lines, such as `rows 1–2 and 5–6`."""
    return f"{kind} {listed([f'{2 * band + 1}–{2 * band + 2}' for band in bands])}"
