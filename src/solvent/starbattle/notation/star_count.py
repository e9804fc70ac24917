"""How many stars a board has when its text does not say: one rule for every format, and what a rule text says.

The rule: as many as puzzle-star-battle.com gives boards of that size, and one for sizes it does not have; fewer where a
region has no room for so many; more where the marks have more in a row, column or region already.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from solvent.core.errors import BadOption
from solvent.drawing.phrases import counted
from solvent.starbattle.model import STAR, Puzzle, most_stars

USUAL_STARS: Mapping[int, int] = {5: 1, 6: 1, 8: 1, 10: 2, 14: 3, 17: 4, 21: 5, 25: 6}
"""The stars that boards of these sizes have on puzzle-star-battle.com."""
CELLS_A_STAR = 9
"""Cells that a star takes at most, with those around it: in a larger region there is always room for one more."""
_WORDS = {word: count for count, word in enumerate(("one", "two", "three", "four", "five", "six"), start=1)}
_IN_WORDS = re.compile(rf"(?<![\w.])([1-6]|{'|'.join(_WORDS)})(?:\s|-)*(?:★|☆|⭐|stars?\b(?!\s*battle))", re.IGNORECASE)


def usual_stars(size: int, regions: Sequence[int]) -> int:
    """Return the stars of a board whose text does not say them, if no cell is marked."""
    usual = USUAL_STARS.get(size, 1)
    members: dict[int, set[int]] = {}
    for cell, region in enumerate(regions):
        members.setdefault(region, set()).add(cell)
    for cells in members.values():
        if len(cells) <= CELLS_A_STAR * (usual - 1):
            usual = min(usual, _room(cells, size, usual))
    return usual


def _room(cells: set[int], size: int, enough: int) -> int:
    """Return how many stars fit on some cells without touching; at most as many as are enough."""
    if not cells or enough <= 0:
        return 0
    # Among a cell and its neighbours there is a star, or one more would fit; the one with the fewest branches least.
    cell = min(cells, key=lambda each: len(_near(each, cells, size)))
    best = 0
    for star in sorted(_near(cell, cells, size)):
        best = max(best, 1 + _room(cells - _near(star, cells, size), size, enough - 1))
        if best >= enough:
            break
    return best


def _near(cell: int, cells: set[int], size: int) -> set[int]:
    """Return those of the cells that are a cell or touch it."""
    row, column = divmod(cell, size)
    columns = range(max(0, column - 1), min(size, column + 2))
    return cells.intersection((row + down) * size + other for down in (-1, 0, 1) for other in columns)


def fullest_unit(puzzle: Puzzle, marks: str) -> int:
    """Return the most stars that the marks have in a row, column or region."""
    counts: Counter[tuple[str, int]] = Counter()
    for cell, mark in enumerate(marks):
        if mark == STAR:
            row, column = divmod(cell, puzzle.size)
            counts.update((("row", row), ("column", column), ("region", puzzle.regions[cell])))
    return max(counts.values(), default=0)


def stars_in_words(text: str) -> int | None:
    """Return how many stars a title or the rules in words say, such as "Place two stars in every row"; else None.

    None as well where they say different numbers, as in "2 stars … 1 star".
    """
    said = {_WORDS.get(found[1].lower()) or int(found[1]) for found in _IN_WORDS.finditer(text)}
    return said.pop() if len(said) == 1 else None


def with_stars(puzzle: Puzzle, stars: int | None) -> Puzzle:
    """Return the puzzle with another number of stars, or raise BadOption if there is no room for them."""
    if stars is None:
        return puzzle
    if stars > most_stars(puzzle.size):
        most = most_stars(puzzle.size)
        raise BadOption(f"stars: expected at most {most} on a board of size {puzzle.size}, found {stars}")
    full = fullest_unit(puzzle, puzzle.marks)
    if stars < full:
        raise BadOption(f"stars: expected at least {full}, which a row, column or region has already, found {stars}")
    return replace(puzzle, stars=stars, stars_assumed=False)


def remarks(puzzle: Puzzle) -> list[str]:
    """Return what reading a puzzle had to assume."""
    if not puzzle.stars_assumed:
        return []
    assumed = f"{counted(puzzle.stars, 'star')} in each row, column and region, as is usual for size {puzzle.size}"
    return [f"{assumed}: the text does not say how many. --stars says another number."]
