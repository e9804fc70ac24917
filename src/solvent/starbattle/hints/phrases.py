"""Cells, units and counts as players write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.drawing.phrases import listed, plural
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.hints.position import Cells, Position, Scratch, cells_in

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def name_cells(board: Position | Scratch, cells: Cells | Iterable[int]) -> str:
    """Name cells, such as `r1c2, r1c3 and r2c2`."""
    members = cells_in(cells) if isinstance(cells, int) else sorted(cells)
    return listed([format_cell(cell, board.geometry.size) for cell in members])


def name_units(board: Position | Scratch, units: Iterable[int]) -> str:
    """Name units, such as `row 2`, `rows 2 and 3`, or `rows 2 and 3 and region C`."""
    named: dict[str, list[str]] = {}
    for number in sorted(units):
        unit = board.geometry.units[number]
        name = format_region(unit.index) if unit.kind == "region" else str(unit.index + 1)
        named.setdefault(unit.kind, []).append(name)
    return listed([f"{plural(len(names), kind)} {listed(names)}" for kind, names in named.items()])


def count_of(count: int, noun: str) -> str:
    """Write a number of things, such as `one star` or `three blocks`."""
    return f"{name_number(count)} {plural(count, noun)}"


def name_number(number: int) -> str:
    """Write a small number as a word, and 0 as `no`."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def name_blocks(board: Position | Scratch, blocks: Iterable[int]) -> str:
    """Name 2×2 blocks by their top-left cells, such as `the 2×2 blocks at r1c1 and r3c5`."""
    corners = sorted(blocks)
    noun = "the 2×2 block at" if len(corners) == 1 else "the 2×2 blocks at"
    return f"{noun} {listed([format_cell(corner, board.geometry.size) for corner in corners])}"


def uncapitalised(sentence: str) -> str:
    """Return a sentence as it stands after a colon."""
    return sentence[:1].lower() + sentence[1:]


def describe_tiled(stars: Cells, crosses: Cells) -> list[str]:
    """Describe what follows for single cells once each block is known to hold exactly one star."""
    lines = ["Where a block has one open cell left, that cell is its star."] if stars else []
    return [*lines, "A star here would leave that block no room for its own."] if crosses else lines


def describe_marks(board: Position | Scratch, stars: Cells | Sequence[int], crosses: Cells | Sequence[int]) -> str:
    """Describe what a step decides, such as `r1c2 is a star, and r2c2 and r2c3 stay empty`."""
    parts = []
    for cells, one, several in ((stars, "is a star", "are stars"), (crosses, "stays empty", "stay empty")):
        count = cells.bit_count() if isinstance(cells, int) else len(cells)
        if count:
            parts.append(f"{name_cells(board, cells)} {one if count == 1 else several}")
    return ", and ".join(parts)
