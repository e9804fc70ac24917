"""Files of puzz.link, `pzprv3`: a line each for genre, height, width and stars, then regions and answers.

The regions are the number of each cell, blanks between; the answers have `#` for a star, `+` for a cell that stays
empty and `.` for others. A site may put all lines into one, with slashes between. What it notes behind the board, such
as the history of moves, is not read. A region in pieces is written like any other, but the sites take each piece for
one of its own.
"""

from __future__ import annotations

import re

from solvent.formats.lines import numbered_lines
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.notation.assembling import make_puzzle, with_marks
from solvent.starbattle.notation.reading import Line, Place, parse_size, parse_stars

LONGEST_FILE = 400_000
GENRE = "starbattle"
_MARK_OF = {".": UNKNOWN, "#": STAR, "+": CROSS}
_SIGN_OF = {mark: sign for sign, mark in _MARK_OF.items()}
_NUMBER = re.compile(r"0*([0-9]{1,6})")


def parse_pzprv3(text: str) -> Puzzle:
    """Read a file."""
    lines = _split(text)
    genre = _take(lines, 1, "the name of the puzzle, starbattle")
    if genre.text.lower() != GENRE:
        raise genre.place().error("a file of starbattle, but this is another puzzle", genre.text)
    height = _take(lines, 2, "the height")
    size = parse_size(height.text, height.place())
    width = _take(lines, 3, "the width")
    if parse_size(width.text, width.place()) != size:
        raise width.place().error(f"a square board, width {size} like the height", width.text)
    count = _take(lines, 4, "the stars")
    stars = parse_stars(count.text, size, count.place())
    areas = _take(lines, 5, "the number of regions")
    if _NUMBER.fullmatch(areas.text) is None:
        raise areas.place().error("the number of regions", areas.text)
    cells = [cell for row in range(size) for cell in _row(lines, 6 + row, size, "regions")]
    ids = []
    for place, word in cells:
        found = _NUMBER.fullmatch(word)
        if found is None:
            raise place.error("the number of a region", word)
        ids.append(found[1])
    puzzle = make_puzzle(size, stars, ids, lambda cell: cells[cell][0])
    if len(lines) <= 6 + size:
        return puzzle
    answers = [cell for row in range(size) for cell in _row(lines, 6 + size + row, size, "answers")]
    for place, word in answers:
        if word not in _MARK_OF:
            raise place.error("# for a star, + for an empty cell or . for neither", word)
    return with_marks(puzzle, [_MARK_OF[word] for _, word in answers], lambda cell: answers[cell][0])


def format_pzprv3(puzzle: Puzzle) -> str:
    """Write a file."""
    size = puzzle.size
    signs = [_SIGN_OF[mark] for mark in puzzle.marks]
    rows = [
        "".join(f"{word} " for word in words[start : start + size])
        for words in (puzzle.regions, signs)
        for start in range(0, size * size, size)
    ]
    return "\n".join(["pzprv3", GENRE, *map(str, (size, size, puzzle.stars, size)), *rows]) + "\n"


def _split(text: str) -> list[Line]:
    """Return the lines, whether line ends or slashes stand between; those behind the board are left in."""
    if len(text) > LONGEST_FILE:
        raise Place(1).error(f"at most {LONGEST_FILE:,} characters, but there are {len(text):,}")
    lines: list[Line] = []
    for number, raw in numbered_lines(text):
        start = raw.rfind("?") + 1 if not lines else 0
        for piece in raw[start:].split("/"):
            stripped = piece.strip()
            if stripped and not (stripped.startswith("#") and not lines):
                lines.append(Line(number, start + len(piece) - len(piece.lstrip()) + 1, stripped))
            start += len(piece) + 1
    return lines


def _take(lines: list[Line], index: int, expected: str) -> Line:
    if index >= len(lines):
        last = lines[-1]
        raise last.place(len(last.text)).error(f"{expected}, but the file ends here")
    return lines[index]


def _row(lines: list[Line], index: int, size: int, what: str) -> list[tuple[Place, str]]:
    line = _take(lines, index, f"{size} rows of {what}")
    text = line.text.replace("%20", "   ")  # addresses have this or an underscore for a blank
    words = [(line.place(found.start()), found[0]) for found in re.finditer(r"[^\s_]+", text)]
    if len(words) != size:
        place = words[size][0] if len(words) > size else line.place(len(line.text))
        raise place.error(f"a row of {size} {what}, but it has {len(words)}")
    return words
