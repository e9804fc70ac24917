"""Say where in a puzzle's file stands what an answer is about: the cells in which two solutions differ."""

from __future__ import annotations

from solvent.core.answer import Answer
from solvent.core.errors import SolventError
from solvent.core.location import Location
from solvent.formats.json_positions import find_json_position
from solvent.formats.recording import record
from solvent.starbattle.cells import format_cell
from solvent.starbattle.formats import FORMATS
from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.assembling import Places

MAX_LOCATIONS = 8
"""More would not be read."""


def locate(puzzle: Puzzle, answer: Answer) -> list[Location]:
    """Return where the cells are that an answer is about, as far as its certificate tells; row by row."""
    certificate = answer.certificate
    if certificate is None or certificate["form"] != "two solutions":
        return []
    one, other = ({(row, col) for row, col in solution} for solution in certificate["solutions"])
    places = _find_places(puzzle)
    cells = [row * puzzle.size + col for row, col in sorted(one ^ other)]
    return [_locate_cell(puzzle, cell, places) for cell in cells[:MAX_LOCATIONS]]


def _locate_cell(puzzle: Puzzle, cell: int, places: Places | None) -> Location:
    row, col = divmod(cell, puzzle.size)
    found = Location(description=format_cell(cell, puzzle.size), tile=(col, row))
    if places is None or puzzle.source is None:
        return found
    place = places(cell)
    line, column = place.line, place.column
    if place.path is not None:
        line, column = find_json_position(puzzle.source.text, place.path) or (None, None)
    return Location(description=found.description, tile=found.tile, line=line, column=column)


def _find_places(puzzle: Puzzle) -> Places | None:
    """Read the text again, and return where each cell stands in it; None if it is another puzzle by now."""
    if puzzle.source is None:
        return None
    try:
        with record() as notes:
            read = FORMATS.parse(puzzle.source.text)
    except SolventError:
        return None
    places: Places | None = notes.get("places")
    return places if (read.size, read.regions) == (puzzle.size, puzzle.regions) else None
