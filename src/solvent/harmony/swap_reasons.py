"""Say why a swap of a plan is made: which tile must move, because what, and what it does for the other one.

What is called a must holds in every solution from the position at hand: a last move out of the home row has to lead
straight home; a last move at home has to stay in the row; and a tile whose row and column have one other tile with
moves left swaps with that one next, since a tile without moves never moves again.
"""

from __future__ import annotations

from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_cell
from solvent.harmony.rules import aligned
from solvent.harmony.solver.reduction import goal_of_last_move


def describe_reasons(board: Board, swap: Swap) -> str:
    """Say in a sentence or two why two tiles swap on a board; what must be comes first."""
    one, other = swap
    musts = [text for text in (_must(board, one, other), _must(board, other, one)) if text]
    if musts:
        led = next(cell for cell, to in ((one, other), (other, one)) if _must(board, cell, to))
        follows = "" if len(musts) == 2 else f" {_effect(board, other if led == one else one, led)}"
        return f"{' '.join(musts)}{follows}"
    return f"{_effect(board, one, other)} {_effect(board, other, one)}"


def _must(board: Board, cell: int, to: int) -> str:
    """Return why the tile on a cell must go to another next, or nothing if it need not."""
    name, here, there = _named(board, cell), cell // board.cols, to // board.cols
    home = board.colours[cell]
    if goal_of_last_move(board, cell) == to:
        return f"{name} must go: its last move has to take it home to row {_row(home)}."
    live = [other for other, moves in enumerate(board.moves) if moves > 0 and aligned(board, cell, other)]
    if live == [to]:
        return f"{name} must go: no other tile in its row or column has a move left."
    if board.moves[cell] == 1 and home == here == there:
        return f"{name} must stay in row {_row(home)} with its last move."
    return ""


def _effect(board: Board, cell: int, to: int) -> str:
    """Return what the swap does for the tile on a cell."""
    name, home, there = _named(board, cell), board.colours[cell], to // board.cols
    left = board.moves[cell] - 1
    spare = "" if left == 0 else f", with {left} {'move' if left == 1 else 'moves'} left"
    if home == there and cell // board.cols == there:
        return f"{name} stays at home in row {_row(there)}{spare}."
    if home == there:
        return f"{name} comes home to row {_row(there)}{spare}."
    way = f"column {to % board.cols + 1}" if cell // board.cols == there else f"row {_row(there)}"
    return f"{name} goes on to {way}{spare}, on its way to row {_row(home)}."


def _named(board: Board, cell: int) -> str:
    return f"{format_cell(cell, board.cols)} ({board.palette[board.colours[cell]].lower()})"


def _row(row: int) -> str:
    return chr(ord("A") + row)
