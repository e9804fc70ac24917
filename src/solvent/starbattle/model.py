"""What a Star Battle puzzle is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from solvent.core.source import Source

SMALLEST_SIZE = 4
LARGEST_SIZE = 25
MAX_STARS = 6
"""The most stars a row, column or region may want."""

UNKNOWN, STAR, CROSS = ".", "*", "x"
"""What may stand on a cell: nothing yet, a star, or the note that it stays empty."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """Hold a Star Battle board and the marks a player has made on it.

    Cells are numbered row by row from 0: cell `row * size + col`. Regions are numbered from 0 in the order in which
    they first appear, row by row, so two boards with the same borders are equal. A region need not be connected.
    """

    size: int
    """Rows, columns and regions."""
    stars: int
    """How many stars each row, column and region gets."""
    regions: tuple[int, ...]
    """The region of each cell."""
    marks: str
    """One character per cell: UNKNOWN, STAR or CROSS."""
    source: Source | None = field(default=None, compare=False, repr=False)
    """What it was read from; no part of what is equal."""
    stars_assumed: bool = field(default=False, compare=False, repr=False)
    """Whether what it was read from says no number of stars; no part of what is equal either."""

    domain: ClassVar[str] = "starbattle"

    def __str__(self) -> str:
        from solvent.starbattle.drawing import draw_text

        return draw_text(self)

    def _repr_svg_(self) -> str:
        from solvent.starbattle.drawing import draw_svg

        return draw_svg(self)


def require_valid(puzzle: Puzzle) -> None:
    """Raise ValueError if a puzzle that was put together by hand is none; what `parse` returns always is one."""
    size, stars, cells = puzzle.size, puzzle.stars, puzzle.size**2
    if not (1 <= size <= LARGEST_SIZE and 1 <= stars <= MAX_STARS):
        largest = f"{LARGEST_SIZE}×{LARGEST_SIZE} with up to {MAX_STARS} stars"
        raise ValueError(f"expected a board of up to {largest}, found {size}×{size} with {stars}")
    if len(puzzle.regions) != cells or len(puzzle.marks) != cells:
        found = f"{len(puzzle.regions)} and {len(puzzle.marks)}"
        raise ValueError(f"expected a region and a mark for each of {cells} cells, found {found}")
    wrong = set(puzzle.regions).difference(range(size))
    if wrong:
        raise ValueError(f"expected regions from 0 to {size - 1}, found {min(wrong)}")
    signs = set(puzzle.marks).difference((UNKNOWN, STAR, CROSS))
    if signs:
        raise ValueError(f"expected the marks {UNKNOWN}, {STAR} and {CROSS}, found {min(signs)!r}")


def most_stars(size: int) -> int:
    """Return how many stars a row can want at most on a board of this size: one for every four cells.

    Two neighbouring rows are covered by ceil(size / 2) blocks of 2×2, each with room for one star, so 2k stars need a
    size of 4k - 1 or more. At 4k - 1 itself all blocks are full however they are laid, which leaves only the columns
    1, 3, 5 and so on for every two rows; column 2 would stay empty.
    """
    return min(MAX_STARS, size // 4)
