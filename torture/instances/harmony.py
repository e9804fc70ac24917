"""Small Harmony boards: played backwards from the solved board, then spoilt a little or not."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from solvent.harmony.model import Board

SIZES = ((2, 2, 8), (2, 3, 6), (3, 2, 6), (3, 3, 4), (1, 3, 6), (1, 4, 4), (3, 1, 6), (4, 1, 5), (2, 4, 4), (4, 2, 4))
"""Rows, columns and the most swaps, such that every line of play can be tried."""
NAMES = ("RED", "BLUE", "GREEN", "GOLD", "PINK", "GREY")


def make_board(dice: Random) -> Board:
    """Make a board that some plan solves, or nearly."""
    if dice.random() < 0.08:
        return _make_ring(dice)
    rows, cols, most = dice.choice(SIZES)
    cells = rows * cols
    colours, moves = [cell // cols for cell in range(cells)], [0] * cells
    for _ in range(dice.randint(0, most)):
        one = dice.randrange(cells)
        line = [
            cell for cell in range(cells) if cell != one and (cell // cols == one // cols or cell % cols == one % cols)
        ]
        if line:
            other = dice.choice(line)
            colours[one], colours[other] = colours[other], colours[one]
            moves[one], moves[other] = moves[other] + 1, moves[one] + 1
    board = Board(rows, cols, NAMES[:rows], tuple(colours), tuple(moves))
    for _ in range(dice.choice((0, 0, 1, 1, 2, 3))):
        board = perturb_board(dice, board)
    return board


def _make_ring(dice: Random) -> Board:
    """Make a board with a column of tiles that have one move each, most of them waiting for the next."""
    rows, cols = dice.choice(((3, 1), (4, 1), (3, 2), (4, 2)))
    colours, moves = [cell // cols for cell in range(rows * cols)], [0] * (rows * cols)
    column = dice.randrange(cols)
    for row in range(rows):
        colours[row * cols + column] = (row + 1) % rows
        moves[row * cols + column] = 1 if dice.random() < 0.9 else dice.randrange(3)
    return Board(rows, cols, NAMES[:rows], tuple(colours), tuple(moves))


def perturb_board(dice: Random, board: Board) -> Board:
    """Change one thing: a count, two counts, two colours, or a colour."""
    colours, moves = list(board.colours), list(board.moves)
    one, other = dice.randrange(len(moves)), dice.randrange(len(moves))
    kind = dice.randrange(8)
    if kind < 3 and moves[one]:
        moves[one] -= 1
        moves[other] += 1
    elif kind < 6:
        colours[one], colours[other] = colours[other], colours[one]
    elif kind == 6:
        moves[one] = max(0, moves[one] + dice.choice((-2, -1, 1)))
    else:
        # A colour that no row wants is numbered after the rows' own.
        colours[one] = dice.randrange(board.rows + 1)
    palette = NAMES[: max(board.rows, 1 + max(colours))]
    return replace(board, palette=palette, colours=tuple(colours), moves=tuple(moves))
