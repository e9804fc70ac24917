"""StarBattleLab notation (SBN): `AA2W` and characters for the borders, or `AA2e`, borders and marks.

It begins with the size, twice, as one of the 64 characters 0-9, A-Z, a-z, - and _, so that A is 10; then the stars and
a flag, W for a plain board and e for one with marks. Borders are six a character: those to the right of cells row by
row, then those below cells column by column, filled up with zeros in front. Marks are three cells a character. A `~`
begins a history of moves, which is not read. A region that is not connected follows, ` #regions=…` with a letter
for each area that borders wall in; StarBattleLab does not read so far. Size 4 is written in the same way, although
StarBattleLab begins with 5.
"""

from __future__ import annotations

from solvent.starbattle.model import CROSS, LARGEST_SIZE, SMALLEST_SIZE, STAR, UNKNOWN, Puzzle
from solvent.starbattle.notation.assembling import format_extras, has_marks, with_marks
from solvent.starbattle.notation.borders import (
    letters_of_areas,
    lower_borders,
    pack_bits,
    puzzle_from_borders,
    right_borders,
    unpack_bits,
)
from solvent.starbattle.notation.reading import Line, parse_stars, read_line

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_BITS = 6
_PLAIN, _MARKED, _HISTORY = "W", "e", "~"
_MARKS = (UNKNOWN, CROSS, STAR)


def parse_sbn(text: str) -> Puzzle:
    """Read a puzzle in StarBattleLab notation."""
    content, line = read_line(text, "regions")
    code = line.text.partition(_HISTORY)[0]
    if len(code) < 4:
        raise line.place(len(code)).error("size, stars and flag, such as AA2W, and the borders", code)
    size = _ALPHABET.find(code[0])
    if code[0] != code[1] or not SMALLEST_SIZE <= size <= LARGEST_SIZE:
        least, most = _ALPHABET[SMALLEST_SIZE], _ALPHABET[LARGEST_SIZE]
        raise line.place().error(f"the size twice, from {least * 2} to {most * 2}", code[:2])
    stars = parse_stars(code[2], size, line.place(2))
    if code[3] not in (_PLAIN, _MARKED):
        raise line.place(3).error(f"the flag {_PLAIN} (plain) or {_MARKED} (with marks)", code[3])
    values = [_value_of(letter, line, index) for index, letter in enumerate(code[4:], start=4)]
    inner = size * (size - 1)
    borders, marks = -(-2 * inner // _BITS), -(-size * size // 3)
    # A puzzle that was only just begun has the flag for marks but none to show.
    allowed = {borders} if code[3] == _PLAIN else {borders, borders + marks}
    if len(values) not in allowed:
        wanted = f"{borders} characters of borders" + (f" and {marks} of marks" if code[3] == _MARKED else "")
        end = line.place(4 + min(len(values), max(allowed)))
        raise end.error(f"{wanted} for size {size}, but there are {len(values)}")
    bits = unpack_bits(values[:borders], _ALPHABET)[-2 * inner :]
    lower = [bits[inner + col * (size - 1) + row] for row in range(size - 1) for col in range(size)]
    puzzle = puzzle_from_borders(size, stars, bits[:inner], lower, content, line.place(4))
    first = 4 + borders
    read = [
        _mark_of(values[borders + cell // 3], cell, line, first)
        for cell in range(size * size if values[borders:] else 0)
    ]
    return with_marks(puzzle, read, lambda cell: line.place(first + cell // 3)) if read else puzzle


def format_sbn(puzzle: Puzzle) -> str:
    """Write a puzzle in StarBattleLab notation, annotated if some cell is marked."""
    size = puzzle.size
    below = lower_borders(puzzle)
    by_column = [below[row * size + col] for col in range(size) for row in range(size - 1)]
    code = _ALPHABET[size] * 2 + str(puzzle.stars) + (_MARKED if has_marks(puzzle) else _PLAIN)
    bits = [*right_borders(puzzle), *by_column]
    code += pack_bits([*[False] * (-len(bits) % _BITS), *bits], _ALPHABET)
    if has_marks(puzzle):
        numbers = [_MARKS.index(mark) for mark in puzzle.marks] + [0, 0]
        code += "".join(
            _ALPHABET[16 * numbers[cell] + 4 * numbers[cell + 1] + numbers[cell + 2]]
            for cell in range(0, size * size, 3)
        )
    extras = format_extras(puzzle, regions=letters_of_areas(puzzle))
    return f"{code} {extras}\n" if extras else f"{code}\n"


def _value_of(letter: str, line: Line, index: int) -> int:
    value = _ALPHABET.find(letter)
    if value < 0:
        raise line.place(index).error("one of the characters 0-9, A-Z, a-z, - and _", letter)
    return value


def _mark_of(value: int, cell: int, line: Line, first: int) -> str:
    number = value >> (4, 2, 0)[cell % 3] & 3
    if number >= len(_MARKS):
        raise line.place(first + cell // 3).error("marks for three cells", _ALPHABET[value])
    return _MARKS[number]
