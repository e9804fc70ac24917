"""What a designer does on the page: other regions, another size, other stars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.domain import Template
from solvent.core.errors import BadOption, show_value
from solvent.drawing.phrases import counted, plural
from solvent.starbattle.drawing.svg import draw_blank
from solvent.starbattle.model import LARGEST_SIZE, SMALLEST_SIZE, UNKNOWN, Puzzle, most_stars
from solvent.starbattle.notation.grid import format_grid


def edit(puzzle: Puzzle, action: Mapping[str, Any]) -> Puzzle:
    """Return a board drawn anew: `{"size": 6, "stars": 1, "regions": [0, 0, 1, …]}`; what is not named stays.

    `regions` has a number for each cell, row by row: any numbers, as many different ones as there are rows. Marks are
    taken off the board, as they may not fit any more.
    """
    for name in action:
        if name not in ("size", "stars", "regions"):
            raise BadOption(f"expected size, stars or regions, found {show_value(name)}")
    size = _number("size", action.get("size", puzzle.size), SMALLEST_SIZE, LARGEST_SIZE)
    stars = _number("stars", action.get("stars", puzzle.stars), 1, most_stars(size), f" on a board of {size} rows")
    regions = action.get("regions", puzzle.regions)
    if not isinstance(regions, list | tuple) or len(regions) != size * size:
        raise BadOption(f"regions: expected a number for each of the {size * size} cells, found {show_value(regions)}")
    return Puzzle(size, stars, _numbered(regions, size), UNKNOWN * (size * size))


def _number(name: str, value: object, least: int, most: int, where: str = "") -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise BadOption(f"{name}: expected a number from {least} to {most}{where}, found {show_value(value)}")
    return value


def _numbered(regions: Sequence[object], size: int) -> tuple[int, ...]:
    """Number the regions in the order in which they appear, or say what is still missing."""
    free = sum(region is None for region in regions)
    if free:
        raise BadOption(f"{counted(free, 'cell')} {plural(free, 'belongs', 'belong')} to no region")
    order: dict[object, int] = {}
    for region in regions:
        if not isinstance(region, int) or isinstance(region, bool):
            raise BadOption(f"regions: expected a number for each cell, found {show_value(region)}")
        order.setdefault(region, len(order))
    if len(order) != size:
        raise BadOption(
            f"expected {size} regions, as many as rows; there {plural(len(order), 'is', 'are')} {len(order)}"
        )
    return tuple(order[region] for region in regions)


def templates() -> list[Template]:
    """Return boards to begin from. One without regions cannot be written, so the text of a blank one has its rows."""
    blank = [_template(f"blank_{size}", "Blank", size, stars, _row) for size, stars in ((6, 1), (8, 1), (10, 2))]
    return [*blank, _template("stripes", "Stripes", 8, 1, _column), _template("quadrants", "Blocks", 8, 1, _block)]


def _template(name: str, title: str, size: int, stars: int, region_of: Any) -> Template:
    regions = [region_of(cell // size, cell % size, size) for cell in range(size * size)]
    puzzle = Puzzle(size, stars, _numbered(regions, size), UNKNOWN * (size * size))
    full_title = f"{title} {size}×{size}, {counted(stars, 'star')}"
    svg = draw_blank(puzzle) if title == "Blank" else ""
    return Template(name=name, title=full_title, text=format_grid(puzzle), svg=svg)


def _row(row: int, _col: int, _size: int) -> int:
    return row


def _column(_row: int, col: int, _size: int) -> int:
    return col


def _block(row: int, col: int, size: int) -> int:
    return 2 * (row // 2) + col // (size // 2)
