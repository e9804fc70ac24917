"""What a page needs to show a board and to play on it, and the swaps that a player makes.

Which swaps are legal is decided here, by the rules; a page only draws the data and says which tiles were picked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from solvent.core.errors import BadOption, ParseError, show_value
from solvent.drawing.palette import BLACK, as_hex, choose_paints, ink_on, mix
from solvent.drawing.phrases import counted
from solvent.harmony import rules
from solvent.harmony.drawing.short_names import abbreviate
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, parse_cell

MAX_SWAPS = 1000
"""How many swaps one action may hold, so that it stays quick on the largest board."""


class Swaps(msgspec.Struct, forbid_unknown_fields=True):
    """Hold what a player can do: swaps such as `A1-B1`, played in order."""

    swaps: list[str]


def page_data(board: Board) -> dict[str, Any]:
    """Return what stands where and which tiles may change places, as JSON values."""
    left = board.swaps
    return {
        "title": f"{board.rows}×{board.cols}, {counted(left, 'swap')}",
        "rows": board.rows,
        "cols": board.cols,
        "palette": _palette(board),
        "targets": list(range(board.rows)),
        "colours": list(board.colours),
        "moves": list(board.moves),
        "lines": lines_of_partners(board),
        "swaps": left,
        "solved": rules.is_solved(board),
        "most_swaps": MAX_SWAPS,
    }


def lines_of_partners(board: Board) -> list[list[int]]:
    """Return groups of cells, each part of a row or column: any two cells of one group are a legal swap.

    Every legal swap is in exactly one of them. One by one they would be hundreds of times as much.
    """
    rows, cols = board.rows, board.cols
    straight = [range(row * cols, (row + 1) * cols) for row in range(rows)]
    straight += [range(col, rows * cols, cols) for col in range(cols)]
    live = [[cell for cell in line if board.moves[cell] > 0] for line in straight]
    return [line for line in live if len(line) > 1]


def play(board: Board, action: Mapping[str, Any]) -> Board:
    """Return the board after a player's swaps; raises BadOption that says why one of them cannot be done."""
    try:
        wanted = msgspec.convert(action, Swaps).swaps
    except msgspec.ValidationError as error:
        raise BadOption(f"expected swaps such as A1-B1: {error}") from None
    if not 1 <= len(wanted) <= MAX_SWAPS:
        raise BadOption(f"expected 1 to {MAX_SWAPS} swaps at a time, found {len(wanted)}")
    for text in wanted:
        swap = _read_swap(board, text)
        if not rules.is_legal(board, swap):
            raise BadOption(_refusal(board, *swap))
        board = rules.play(board, swap)
    return board


def _read_swap(board: Board, text: str) -> tuple[int, int]:
    """Read two cells of the board, aligned or not."""
    ends = text.split("-")
    if len(ends) != 2:
        raise BadOption(f"expected a swap such as A1-B1, found {show_value(text)}")
    try:
        a, b = (parse_cell(end.strip(), board.rows, board.cols) for end in ends)
    except ParseError as error:
        raise BadOption(str(error)) from None
    return min(a, b), max(a, b)


def _refusal(board: Board, a: int, b: int) -> str:
    """Say to a player why two tiles may not change places."""
    one, other = format_cell(a, board.cols), format_cell(b, board.cols)
    if a == b:
        return "A tile changes places with another one: pick a second tile."
    if not rules.aligned(board, a, b):
        return f"{one} and {other} share neither a row nor a column."
    if board.moves[a] == board.moves[b] == 0:
        return f"Neither {one} nor {other} has a move left."
    return f"{one if board.moves[a] == 0 else other} has no moves left: it stays where it is."


def _palette(board: Board) -> list[dict[str, str]]:
    """Return each colour's name, its short name as second cue, and the paints of a tile."""
    return [
        {
            "name": name,
            "short": short,
            "face": as_hex(paint),
            "rim": as_hex(mix(paint, BLACK, 0.3)),
            "ink": as_hex(ink_on(paint)),
        }
        for name, short, paint in zip(
            board.palette, abbreviate(board.palette), choose_paints(board.palette), strict=True
        )
    ]
