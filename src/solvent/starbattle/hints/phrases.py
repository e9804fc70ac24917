"""Cells, units and counts in the words of a player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.hints.position import Cells, Position, cells_in

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def join_words(words: Sequence[str]) -> str:
    """Join words as a sentence does: a, b and c."""
    if len(words) <= 1:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def say_cells(position: Position, cells: Cells | Iterable[int]) -> str:
    """Name cells, such as `r1c2, r1c3 and r2c2`."""
    members = cells_in(cells) if isinstance(cells, int) else sorted(cells)
    return join_words([format_cell(cell, position.size) for cell in members])


def say_units(position: Position, units: Iterable[int]) -> str:
    """Name units, such as `row 2`, `rows 2 and 3`, or `rows 2 and 3 and region C`."""
    named: dict[str, list[str]] = {}
    for number in sorted(units):
        unit = position.geometry.units[number]
        name = format_region(unit.index) if unit.kind == "region" else str(unit.index + 1)
        named.setdefault(unit.kind, []).append(name)
    return join_words([f"{kind}{'s' if len(names) > 1 else ''} {join_words(names)}" for kind, names in named.items()])


def say_count(count: int, noun: str) -> str:
    """Say a number of things, such as `one star` or `3 blocks` as `three blocks`."""
    number = _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)
    return f"{number} {noun}{'' if count == 1 else 's'}"


def say_blocks(position: Position, blocks: Iterable[int]) -> str:
    """Name 2×2 blocks by their top-left cells, such as `the 2×2 blocks at r1c1 and r3c5`."""
    corners = sorted(blocks)
    noun = "the 2×2 block at" if len(corners) == 1 else "the 2×2 blocks at"
    return f"{noun} {join_words([format_cell(corner, position.size) for corner in corners])}"


def capitalised(sentence: str) -> str:
    """Return a sentence with a capital at its start."""
    return sentence[:1].upper() + sentence[1:]


def uncapitalised(sentence: str) -> str:
    """Return a sentence as it stands after a colon."""
    return sentence[:1].lower() + sentence[1:]


def say_tiled(stars: bool, crosses: bool) -> list[str]:
    """Say what follows for single cells once each block is known to hold exactly one star."""
    said = []
    if stars:
        said.append("Where a block has one open cell left, that cell is its star.")
    if crosses:
        said.append("A star in two blocks, or beside all a block has left, would leave a block without its star.")
    return said
