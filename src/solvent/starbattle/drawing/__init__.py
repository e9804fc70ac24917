"""Draw boards: as text for a terminal, as SVG for everything else.

What is drawn beside the board comes from a certificate, a move or the highlights of a hint. All three become an
`Overlay`, which both ways of drawing show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from solvent.core.answer import Certificate
from solvent.core.errors import ParseError
from solvent.drawing.highlights import are_numbers, expect_list, items_in, numbers_in
from solvent.starbattle.cells import parse_move
from solvent.starbattle.model import CROSS, STAR, Puzzle, require_valid

__all__ = ["Overlay", "draw_svg", "draw_text"]


class Overlay(Struct, frozen=True):
    """Hold what is drawn over one picture of a board. Cells and units are numbered as in the puzzle."""

    caption: str = ""
    """What stands above the board when a drawing has more than one."""
    found: frozenset[int] = frozenset()
    """Where a solution has its stars."""
    steps: Mapping[int, str] = field(default_factory=dict)
    """Cells with a mark yet to be made: STAR or CROSS."""
    rings: frozenset[int] = frozenset()
    """Cells to look at first."""
    causes: frozenset[int] = frozenset()
    """Cells that are the reason."""
    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    regions: frozenset[int] = frozenset()
    blocks: tuple[int, ...] = ()
    """The first cells of 2×2 blocks that hold at most one star each."""

    def mark_on(self, puzzle: Puzzle, cell: int) -> str:
        """Return the mark that the drawing shows on a cell."""
        return self.steps.get(cell) or (STAR if cell in self.found else puzzle.marks[cell])

    def is_aside(self, puzzle: Puzzle, cell: int) -> bool:
        """Tell whether a cell plays no part: some rows, columns or regions are in play, and it is in none of them."""
        if not (self.rows or self.columns or self.regions):
            return False
        row, col = divmod(cell, puzzle.size)
        in_play = row in self.rows or col in self.columns or puzzle.regions[cell] in self.regions
        pointed_at = cell in self.steps or cell in self.causes or cell in self.rings
        return not (in_play or pointed_at or self.block_at(puzzle, cell) is not None)

    def block_at(self, puzzle: Puzzle, cell: int) -> int | None:
        """Return which of the blocks a cell lies in, the first if there are more, or None."""
        row, col = divmod(cell, puzzle.size)
        for index, first in enumerate(self.blocks):
            top, left = divmod(first, puzzle.size)
            if top <= row <= top + 1 and left <= col <= left + 1:
                return index
        return None


def draw_svg(
    puzzle: Puzzle,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    highlights: Mapping[str, Any] | None = None,
) -> str:
    """Draw a board as a self-contained SVG picture; the same board always gives the same bytes.

    A certificate adds the stars of its solution, or both solutions side by side, or the cells of its step. `move`,
    such as `r3c4*`, rings a cell with the mark to make. `highlights` may hold `causes`, `removals`, `stars` and
    `blocks` as lists of zero-based `[row, column]`, and `rows`, `columns` and `regions` as lists of numbers from 0.
    A move or certificate that does not fit, or a highlight outside the board, raises ParseError.
    """
    require_valid(puzzle)
    from solvent.starbattle.drawing.svg import draw_picture

    return draw_picture(puzzle, _read_overlays(puzzle, certificate, move, highlights))


def draw_text(
    puzzle: Puzzle,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    highlights: Mapping[str, Any] | None = None,
    colour: bool = False,
    bare: bool = False,
) -> str:
    """Draw a board as lines of text, at most 80 columns wide; takes what `draw_svg` takes.

    Escape codes paint the regions if `colour` is true; everything can be told apart without them. A `bare` board has
    no words below it.
    """
    require_valid(puzzle)
    from solvent.starbattle.drawing.text import draw_lines

    return draw_lines(puzzle, _read_overlays(puzzle, certificate, move, highlights), colour=colour, bare=bare)


def first_cells(puzzle: Puzzle) -> list[int]:
    """Return the first cell of each connected part of each region."""
    size, regions = puzzle.size, puzzle.regions
    seen: set[int] = set()
    firsts = []
    for first in range(size * size):
        if first in seen:
            continue
        firsts.append(first)
        seen.add(first)
        waiting = [first]
        while waiting:
            row, col = divmod(waiting.pop(), size)
            for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                beside = r * size + c
                if 0 <= r < size and 0 <= c < size and beside not in seen and regions[beside] == regions[first]:
                    seen.add(beside)
                    waiting.append(beside)
    return firsts


def _read_overlays(
    puzzle: Puzzle, certificate: Certificate | None, move: str | None, highlights: Mapping[str, Any] | None
) -> list[Overlay]:
    """Return one overlay per picture of the board: two when there are two solutions to show, else one."""
    overlays = _read_certificate(puzzle, certificate) if certificate is not None else [Overlay()]
    if isinstance(highlights, Mapping):
        overlays = [_add_highlights(puzzle, overlay, highlights) for overlay in overlays]
    if move is not None:
        cell, mark = parse_move(move, puzzle.size)
        overlays = [
            replace(overlay, steps={**overlay.steps, cell: mark}, rings=overlay.rings | {cell}) for overlay in overlays
        ]
    return overlays


def _read_certificate(puzzle: Puzzle, certificate: Certificate) -> list[Overlay]:
    form = certificate.get("form")
    if form in ("stars", "only solution"):
        return [Overlay(found=_cells_at(puzzle, certificate.get("stars"), "stars"))]
    if form in ("two solutions", "free cell"):
        solutions = certificate.get("solutions")
        if not isinstance(solutions, list | tuple) or len(solutions) != 2:
            raise ParseError("two solutions", solutions, path="solutions")
        one, other = (
            _cells_at(puzzle, stars, f"solutions[{index}]") | _starred(puzzle) for index, stars in enumerate(solutions)
        )
        return [
            Overlay(caption="First solution", found=one, rings=one ^ other),
            Overlay(caption="Second solution", found=other, rings=one ^ other),
        ]
    if form == "explained step":
        return [Overlay(steps=_steps(puzzle, certificate, ""))]
    if form == "explained chain":
        steps = certificate.get("steps")
        if not isinstance(steps, list | tuple) or not all(isinstance(step, Mapping) for step in steps):
            raise ParseError("a list of steps", steps, path="steps")
        marks: dict[int, str] = {}
        for index, step in enumerate(steps):
            marks |= _steps(puzzle, step, f"steps[{index}].")
        return [Overlay(found=frozenset(cell for cell, mark in marks.items() if mark == STAR))]
    return [Overlay()]


def _steps(puzzle: Puzzle, step: Mapping[str, Any], place: str) -> dict[int, str]:
    """Return the marks that an explained step makes, by cell."""
    stars = _cells_at(puzzle, step.get("stars"), f"{place}stars")
    crosses = _cells_at(puzzle, step.get("crosses"), f"{place}crosses")
    return dict.fromkeys(sorted(stars), STAR) | dict.fromkeys(sorted(crosses), CROSS)


def _starred(puzzle: Puzzle) -> frozenset[int]:
    return frozenset(cell for cell, mark in enumerate(puzzle.marks) if mark == STAR)


def _cells_at(puzzle: Puzzle, value: object, path: str) -> frozenset[int]:
    cells = set()
    for index, pair in enumerate(expect_list(value, "a list of cells as [row, column]", path)):
        if not are_numbers(pair, 2):
            raise ParseError("a cell as [row, column]", pair, path=f"{path}[{index}]")
        cells.add(_cell_at(puzzle, pair, puzzle.size - 1, f"{path}[{index}]"))
    return frozenset(cells)


def _add_highlights(puzzle: Puzzle, overlay: Overlay, highlights: Mapping[str, Any]) -> Overlay:
    """Add what a hint highlights. Unknown keys are for others, and what is no cell or number is left out."""
    last = puzzle.size - 1

    def cells(key: str, furthest: int = last) -> list[int]:
        pairs = [pair for pair in items_in(highlights.get(key)) if are_numbers(pair, 2)]
        return sorted({_cell_at(puzzle, pair, furthest, f"highlights.{key}") for pair in pairs})

    def numbers(key: str) -> frozenset[int]:
        found = numbers_in(highlights.get(key), puzzle.size, f"a number from 0 to {last}", f"highlights.{key}")
        return frozenset(found)

    return replace(
        overlay,
        steps={**overlay.steps, **dict.fromkeys(cells("removals"), CROSS), **dict.fromkeys(cells("stars"), STAR)},
        causes=overlay.causes.union(cells("causes")),
        rows=numbers("rows"),
        columns=numbers("columns"),
        regions=numbers("regions"),
        blocks=tuple(cells("blocks")),
    )


def _cell_at(puzzle: Puzzle, pair: Any, furthest: int, path: str) -> int:
    row, col = pair
    if not (0 <= row <= furthest and 0 <= col <= furthest):
        raise ParseError(f"a row and a column from 0 to {furthest}", [row, col], path=path)
    return int(row * puzzle.size + col)
