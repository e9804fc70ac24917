"""From what a text says to a puzzle: number the regions, check the marks; and from a puzzle to layouts and extras."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from solvent.drawing.phrases import counted
from solvent.formats.recording import note
from solvent.starbattle.cells import REGION_LETTERS, format_cell
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle, most_stars, require_valid
from solvent.starbattle.notation.reading import Content, Line, Place, parse_stars
from solvent.starbattle.notation.star_count import fullest_unit, usual_stars

_MARKS = {UNKNOWN: UNKNOWN, STAR: STAR, CROSS: CROSS, CROSS.upper(): CROSS}

Places = Callable[[int], Place]
"""Where each cell stands in the text."""


def make_puzzle(size: int, stars: int | None, ids: Sequence[Hashable], places: Places) -> Puzzle:
    """Number the regions in the order of their first cells; there must be as many as rows.

    Stars are None where the text does not say how many.
    """
    numbers: dict[Hashable, int] = {}
    for cell, each in enumerate(ids):
        if numbers.setdefault(each, len(numbers)) == size:
            raise places(cell).error(f"{size} regions, as many as rows, but here is one more", each)
    if len(numbers) < size:
        raise places(0).error(f"{size} regions, as many as rows", len(numbers))
    note(places=places)
    regions = tuple(numbers[each] for each in ids)
    assumed = stars is None
    if stars is None:
        stars = usual_stars(size, regions)
    return Puzzle(size, stars, regions, UNKNOWN * (size * size), stars_assumed=assumed)


def with_marks(puzzle: Puzzle, marks: Sequence[str], places: Places) -> Puzzle:
    """Put marks on a puzzle; stars that touch or are too many for a row, column or region are refused."""
    size = puzzle.size
    read: list[str] = []
    for cell, mark in enumerate(marks):
        if mark not in _MARKS:
            raise places(cell).error("a mark (* star, x cross, . unknown)", mark)
        read.append(_MARKS[mark])
    joined = "".join(read)
    if puzzle.stars_assumed:
        puzzle = replace(puzzle, stars=min(max(puzzle.stars, fullest_unit(puzzle, joined)), most_stars(size)))
    _check_stars(puzzle, [cell for cell, mark in enumerate(read) if mark == STAR], places)
    return replace(puzzle, marks=joined)


def _check_stars(puzzle: Puzzle, starred: list[int], places: Places) -> None:
    size = puzzle.size
    units: dict[str, list[int]] = {}
    seen: set[int] = set()
    for cell in starred:
        row, col = divmod(cell, size)
        for other in (cell - size - 1, cell - size, cell - size + 1, cell - 1):
            if other in seen and abs(other % size - col) <= 1:
                touching = f"{format_cell(other, size)} and {format_cell(cell, size)}"
                raise places(cell).error(f"stars that do not touch, but {touching} do")
        for unit in (f"row {row + 1}", f"column {col + 1}", f"region {REGION_LETTERS[puzzle.regions[cell]]}"):
            members = units.setdefault(unit, [])
            members.append(cell)
            if len(members) > puzzle.stars:
                named = [format_cell(member, size) for member in members]
                many = f"at most {counted(puzzle.stars, 'star')} in {unit}"
                raise places(cell).error(f"{many}, but {', '.join(named[:-1])} and {named[-1]} are stars")
        seen.add(cell)


def read_layout(line: Line, start: int, layout: str, cells: int) -> Places:
    """Check a layout of one letter or digit for each cell; returns where each stands."""

    def places(cell: int) -> Place:
        return line.place(start + cell)

    check_letters(layout, places)
    if len(layout) != cells:
        raise places(min(len(layout), cells)).error(f"{cells} cells, one letter each, but there are {len(layout)}")
    return places


def check_letters(letters: str, places: Places) -> None:
    """Refuse what is neither a letter nor a digit."""
    for index, letter in enumerate(letters):
        if not (letter.isascii() and letter.isalnum()):
            raise places(index).error("the letter of a region", letter)


def with_extra_marks(puzzle: Puzzle, content: Content) -> Puzzle:
    """Put the marks on the puzzle that stand in the extras, if any do."""
    if "marks" not in content.extras:
        return puzzle
    marks = content.extras["marks"]
    cells = puzzle.size**2
    if len(marks.text) != cells:
        raise marks.place(min(len(marks.text), cells)).error(f"{cells} marks, but there are {len(marks.text)}")
    return with_marks(puzzle, marks.text, marks.place)


def extra_stars(content: Content, size: int) -> int | None:
    """Return the stars that stand in the extras; None if the text does not say them."""
    if "stars" not in content.extras:
        return None
    stars = content.extras["stars"]
    return parse_stars(stars.text, size, stars.place())


def says_stars(puzzle: Puzzle) -> bool:
    """Tell whether a text has to say how many stars there are: they are not what it would be taken to mean."""
    return puzzle.stars != max(usual_stars(puzzle.size, puzzle.regions), fullest_unit(puzzle, puzzle.marks))


def has_marks(puzzle: Puzzle) -> bool:
    """Tell whether any cell is marked."""
    return puzzle.marks.count(UNKNOWN) < len(puzzle.marks)


def format_layout(puzzle: Puzzle) -> str:
    """Write the region of each cell as a letter, all rows in one."""
    require_valid(puzzle)
    return "".join(REGION_LETTERS[region] for region in puzzle.regions)


def format_rows(cells: str, size: int) -> list[str]:
    """Cut a text of one character per cell into rows."""
    return [cells[start : start + size] for start in range(0, size * size, size)]


def format_extras(puzzle: Puzzle, *, stars: bool = False, marks: bool = False, regions: str = "") -> str:
    """Write what a format lacks, as `#name=value&name=value`; empty if it lacks nothing of this puzzle."""
    extras = []
    if stars and says_stars(puzzle):
        extras.append(f"stars={puzzle.stars}")
    if marks and has_marks(puzzle):
        extras.append(f"marks={puzzle.marks}")
    if regions:
        extras.append(f"regions={regions}")
    return "#" + "&".join(extras) if extras else ""
