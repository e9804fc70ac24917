"""The swaps that a player makes, legal or refused in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from solvent.core.errors import BadOption, ParseError, show_value
from solvent.harmony import rules
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_cell, parse_cell

MAX_SWAPS = 1000
"""How many swaps one action may hold, so that it stays quick on the largest board."""


class Swaps(msgspec.Struct, forbid_unknown_fields=True):
    """Hold what a player can do: swaps such as `A1-B1`, played in order."""

    swaps: list[str]


def play(board: Board, action: Mapping[str, Any]) -> Board:
    """Return the board after a player's swaps; raises BadOption that says why one of them cannot be done."""
    try:
        wanted = msgspec.convert(action, Swaps).swaps
    except msgspec.ValidationError as error:
        raise BadOption(f"expected swaps such as A1-B1: {error}") from None
    if not 1 <= len(wanted) <= MAX_SWAPS:
        raise BadOption(f"expected 1 to {MAX_SWAPS} swaps at a time, found {len(wanted)}")
    for text in wanted:
        swap = read_swap(board, text)
        if not rules.is_legal(board, swap):
            raise BadOption(_refusal(board, *swap))
        board = rules.play(board, swap)
    return board


def read_swap(board: Board, text: str) -> Swap:
    """Read two different cells in one row or column, or say to a player what is wrong with them."""
    ends = text.split("-")
    if len(ends) != 2:
        raise BadOption(f"expected a swap such as A1-B1, found {show_value(text)}")
    try:
        a, b = sorted(parse_cell(end.strip(), board.rows, board.cols) for end in ends)
    except ParseError as error:
        raise BadOption(str(error)) from None
    if a == b:
        raise BadOption("A tile changes places with another one: pick a second tile.")
    if not rules.aligned(board, a, b):
        raise BadOption(
            f"{format_cell(a, board.cols)} and {format_cell(b, board.cols)} share neither a row nor a column."
        )
    return a, b


def _refusal(board: Board, a: int, b: int) -> str:
    """Say to a player why two aligned tiles may not change places."""
    one, other = format_cell(a, board.cols), format_cell(b, board.cols)
    if board.moves[a] == board.moves[b] == 0:
        return f"Neither {one} nor {other} has a move left."
    return f"{one if board.moves[a] == 0 else other} has no moves left: it stays where it is."
