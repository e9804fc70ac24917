"""Addresses of puzz.link and sites like it: `https://puzz.link/p?starbattle/width/height/stars/borders`.

The borders are two blocks, first those to the right of cells, then those below, each row by row with five borders a
character, filled up with zeros at the end. An address has no room for marks, nor for a region that is not connected: a
fragment says them, `#marks=…` with a character a cell, `#regions=…` with a letter for each area that borders wall in.
Browsers do not send fragments, so the site shows the board without them. Any host will do, and none.
"""

from __future__ import annotations

import re

from solvent.starbattle.formats import PUZZLINK_START
from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.assembling import format_extras, with_extra_marks
from solvent.starbattle.notation.borders import (
    letters_of_areas,
    lower_borders,
    pack_bits,
    puzzle_from_borders,
    right_borders,
    unpack_bits,
)
from solvent.starbattle.notation.reading import Line, parse_size, parse_stars, read_line

ADDRESS = "https://puzz.link/p?starbattle"
_ALPHABET = "0123456789abcdefghijklmnopqrstuv"
_BITS = 5

_START = re.compile(PUZZLINK_START)


def parse_puzzlink(text: str) -> Puzzle:
    """Read an address."""
    content, line = read_line(text, "marks", "regions")
    start = _START.match(line.text)
    if start is None:
        raise line.place().error(f"an address such as {ADDRESS}/…", line.text)
    parts = line.text[start.end() :].split("/")
    offsets = [start.end()]
    for part in parts:
        offsets.append(offsets[-1] + len(part) + 1)
    if len(parts) == 5 and not parts[4]:
        parts.pop()  # a slash at the end
    if len(parts) != 4:
        place = line.place(offsets[4] if len(parts) > 4 else len(line.text))
        found = "there is one part" if len(parts) == 1 else f"there are {len(parts)} parts"
        raise place.error(f"width, height, stars and borders, but {found}")
    width, height, stars, borders = parts
    size = parse_size(width, line.place(offsets[0]))
    if parse_size(height, line.place(offsets[1])) != size:
        raise line.place(offsets[1]).error(f"a square board, height {size} like the width", height)
    count = parse_stars(stars, size, line.place(offsets[2]))
    right, lower = _read_borders(line, offsets[3], borders, size)
    puzzle = puzzle_from_borders(size, count, right, lower, content, line.place(offsets[3]))
    return with_extra_marks(puzzle, content)


def format_puzzlink(puzzle: Puzzle) -> str:
    """Write an address of puzz.link."""
    filling = [False] * (-len(right_borders(puzzle)) % _BITS)
    borders = pack_bits([*right_borders(puzzle), *filling, *lower_borders(puzzle), *filling], _ALPHABET)
    extras = format_extras(puzzle, marks=True, regions=letters_of_areas(puzzle))
    return f"{ADDRESS}/{puzzle.size}/{puzzle.size}/{puzzle.stars}/{borders}{extras}\n"


def _read_borders(line: Line, start: int, borders: str, size: int) -> tuple[list[bool], list[bool]]:
    values = [_ALPHABET.find(letter) for letter in borders.lower()]
    if -1 in values:
        bad = values.index(-1)
        raise line.place(start + bad).error("a character of borders (0 to 9 or a to v)", borders.lower()[bad])
    bits = unpack_bits(values, _ALPHABET)
    block = -(-size * (size - 1) // _BITS)
    if len(borders) != 2 * block:
        end = line.place(start + min(len(borders), 2 * block))
        raise end.error(f"{2 * block} characters of borders for size {size}, but there are {len(borders)}")
    return bits[: block * _BITS], bits[block * _BITS :]
