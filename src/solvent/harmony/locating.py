"""Say where in a board's file the tiles stand that an answer is about: those that its certificate names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from solvent.core.answer import Answer, Certificate
from solvent.core.errors import SolventError
from solvent.core.location import Location
from solvent.formats.lines import numbered_lines
from solvent.formats.recording import record
from solvent.harmony.formats import FORMATS
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, parse_cell, parse_swap

MAX_LOCATIONS = 8
"""More would not be read."""


def locate(board: Board, answer: Answer) -> list[Location]:
    """Return where the tiles stand that the proof of a NO names; nothing where it is about the whole board."""
    certificate = answer.certificate
    if certificate is None:
        return []
    cells = _cells_named(board, certificate)
    lines = _find_lines(board) if cells else {}
    return [_locate_cell(board, cell, lines) for cell in cells[:MAX_LOCATIONS]]


def _cells_named(board: Board, certificate: Certificate) -> list[int]:
    """Return the cells of the tiles that a proof names, as they stand before the swaps that are forced."""
    names = certificate.get("cells") or certificate.get("component") or ()
    tiles = list(range(board.rows * board.cols))
    for text in certificate.get("forced", ()):
        one, other = parse_swap(text, board)
        tiles[one], tiles[other] = tiles[other], tiles[one]
    cells = [tiles[parse_cell(name, board.rows, board.cols)] for name in names]
    return cells if len(cells) < len(tiles) else []


def _locate_cell(board: Board, cell: int, lines: Mapping[int, tuple[int, int | None]]) -> Location:
    line, column = lines.get(cell, (None, None))
    row, col = divmod(cell, board.cols)
    return Location(description=format_cell(cell, board.cols), tile=(col, row), line=line, column=column)


def _find_lines(board: Board) -> dict[int, tuple[int, int | None]]:
    """Read the text again, and return the line and column of each tile; nothing if it is another board by now."""
    if board.source is None:
        return {}
    try:
        with record() as notes:
            read = FORMATS.parse(board.source.text)
    except SolventError:
        return {}
    if read != board:
        return {}
    texts = dict(numbered_lines(board.source.text))
    found: dict[int, tuple[int, int | None]] = {}
    for cell, line in notes["lines"].items():
        name = format_cell(cell, board.cols)
        columns = [
            match.start() + 1 for match in re.finditer(rf"(?i)(?<!\w){name}(?!\w)", texts[line].partition("#")[0])
        ]
        found[cell] = line, columns[0] if len(columns) == 1 else None
    return found
