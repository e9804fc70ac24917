"""Regions as borders between cells, the way addresses have them: which cells are walled in together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.starbattle.cells import REGION_LETTERS
from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.assembling import check_letters, make_puzzle
from solvent.starbattle.notation.reading import Content, Place


def pack_bits(bits: Sequence[bool], alphabet: str) -> str:
    """Write bits as characters, the first bit highest; the alphabet has a character for each number that fits."""
    width = (len(alphabet) - 1).bit_length()
    chunks = (bits[start : start + width] for start in range(0, len(bits), width))
    return "".join(alphabet[int("".join("01"[bit] for bit in chunk), 2)] for chunk in chunks)


def unpack_bits(values: Iterable[int], alphabet: str) -> list[bool]:
    """Return the bits of the numbers of characters."""
    width = (len(alphabet) - 1).bit_length()
    return [bool(value >> shift & 1) for value in values for shift in reversed(range(width))]


def right_borders(puzzle: Puzzle) -> list[bool]:
    """Tell for each cell but the last of its row whether a border is to its right, row by row."""
    size, regions = puzzle.size, puzzle.regions
    return [
        regions[row * size + col] != regions[row * size + col + 1] for row in range(size) for col in range(size - 1)
    ]


def lower_borders(puzzle: Puzzle) -> list[bool]:
    """Tell for each cell but those of the last row whether a border is below it, row by row."""
    size, regions = puzzle.size, puzzle.regions
    return [regions[cell] != regions[cell + size] for cell in range(size * size - size)]


def find_areas(size: int, right: Sequence[bool], lower: Sequence[bool]) -> list[int]:
    """Number the areas that borders wall in, in the order of their first cells; returns the area of each cell."""
    areas = [-1] * (size * size)
    count = 0
    for first in range(size * size):
        if areas[first] >= 0:
            continue
        waiting = [first]
        areas[first] = count
        while waiting:
            cell = waiting.pop()
            row, col = divmod(cell, size)
            beside = row * (size - 1) + col
            beyond = []
            if col + 1 < size and not right[beside]:
                beyond.append(cell + 1)
            if col > 0 and not right[beside - 1]:
                beyond.append(cell - 1)
            if row + 1 < size and not lower[cell]:
                beyond.append(cell + size)
            if row > 0 and not lower[cell - size]:
                beyond.append(cell - size)
            for other in beyond:
                if areas[other] < 0:
                    areas[other] = count
                    waiting.append(other)
        count += 1
    return areas


def puzzle_from_borders(
    size: int, stars: int | None, right: Sequence[bool], lower: Sequence[bool], content: Content, place: Place
) -> Puzzle:
    """Make a puzzle whose regions are the areas, or are made of them as the extra `regions=` says, a letter an area."""
    areas = find_areas(size, right, lower)
    if "regions" not in content.extras:
        return make_puzzle(size, stars, areas, lambda _: place)
    letters = content.extras["regions"]
    check_letters(letters.text, letters.place)
    count = max(areas) + 1
    if len(letters.text) != count:
        end = letters.place(min(len(letters.text), count))
        raise end.error(f"{count} letters, one for each area, but there are {len(letters.text)}")
    return make_puzzle(size, stars, [letters.text[area] for area in areas], lambda cell: letters.place(areas[cell]))


def letters_of_areas(puzzle: Puzzle) -> str:
    """Return the value of `regions=`: the region of each area, or nothing when each region is one area."""
    areas = find_areas(puzzle.size, right_borders(puzzle), lower_borders(puzzle))
    if max(areas) + 1 == puzzle.size:
        return ""
    first_cells = {area: cell for cell, area in reversed(list(enumerate(areas)))}
    return "".join(REGION_LETTERS[puzzle.regions[first_cells[area]]] for area in range(max(areas) + 1))
