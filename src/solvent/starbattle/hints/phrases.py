"""Cells, units and counts as players write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.drawing.phrases import listed, plural
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.hints.position import Cells, Position, Scratch, cells_in

MAX_NAMED = 4
"""Cells of an area that are named one by one; where there are more, the blocks that cover them are named."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def name_cells(board: Position | Scratch, cells: Cells | Iterable[int], last: str = "and") -> str:
    """Name cells, such as `r1c2, r1c3 and r2c2`."""
    members = cells_in(cells) if isinstance(cells, int) else sorted(cells)
    return listed([format_cell(cell, board.geometry.size) for cell in members], last=last)


def name_units(board: Position | Scratch, units: Iterable[int]) -> str:
    """Name units, such as `row 2`, `rows 2 to 5`, or `rows 2 and 3 and region C`."""
    named: dict[str, list[int]] = {}
    for number in sorted(units):
        unit = board.geometry.units[number]
        named.setdefault(unit.kind, []).append(unit.index)
    return listed([f"{plural(len(numbers), kind)} {_in_a_row(kind, numbers)}" for kind, numbers in named.items()])


def _in_a_row(kind: str, numbers: list[int]) -> str:
    """Name units of one kind; of three lines and more without a gap the first and the last."""
    if kind == "region":
        return listed([format_region(number) for number in numbers])
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    named: list[str] = []
    for run in runs:
        named += [f"{run[0] + 1} to {run[-1] + 1}"] if len(run) > 2 else [str(number + 1) for number in run]
    return listed(named)


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


def describe_room(board: Position | Scratch, cells: Cells, blocks: Sequence[int], *, brief: bool = False) -> str:
    """Say what is left of an area that these blocks cover, such as `only r1c2 and r1c3, which touch`.

    `brief` counts many blocks instead of naming them.
    """
    if not cells:
        return "no cell"
    count = cells.bit_count()
    if count == 1:
        return f"only {name_cells(board, cells)}"
    if count <= MAX_NAMED and len(blocks) == 1:
        return f"only {name_cells(board, cells)}, which {'' if count == 2 else 'all '}touch"
    if len(blocks) == 1:
        return f"only cells of {name_blocks(board, blocks)}"
    if count <= MAX_NAMED:
        return f"only {name_cells(board, cells)}, where {name_number(len(blocks))} fit at most"
    if brief and len(blocks) > MAX_NAMED:
        return f"only cells of {name_number(len(blocks))} 2×2 blocks"
    corners = listed([format_cell(corner, board.geometry.size) for corner in sorted(blocks)])
    return f"only cells of {name_number(len(blocks))} 2×2 blocks, at {corners}"


def uncapitalised(sentence: str) -> str:
    """Return a sentence as it stands after a colon."""
    return sentence[:1].lower() + sentence[1:]


def describe_marks(board: Position | Scratch, stars: Cells | Sequence[int], crosses: Cells | Sequence[int]) -> str:
    """Describe what a step decides, such as `r1c2 is a star, and r2c2 and r2c3 stay empty`."""
    parts = []
    for cells, one, several in ((stars, "is a star", "are stars"), (crosses, "stays empty", "stay empty")):
        count = cells.bit_count() if isinstance(cells, int) else len(cells)
        if count:
            parts.append(f"{name_cells(board, cells)} {one if count == 1 else several}")
    return ", and ".join(parts)
