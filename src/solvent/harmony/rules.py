"""The rules of Harmony as the solvers use them. The checker restates them on its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from solvent.harmony.model import MAX_MOVES, Board, Swap


def aligned(board: Board, a: int, b: int) -> bool:
    """Tell whether two different cells share a row or a column."""
    cols = board.cols
    return a != b and (a // cols == b // cols or a % cols == b % cols)


def aligned_pairs(rows: int, cols: int) -> list[Swap]:
    """Return every two cells that share a row, row by row, then every two that share a column."""
    in_rows = [(row * cols + a, row * cols + b) for row in range(rows) for a in range(cols) for b in range(a + 1, cols)]
    in_cols = [(a * cols + col, b * cols + col) for col in range(cols) for a in range(rows) for b in range(a + 1, rows)]
    return in_rows + in_cols


def is_legal(board: Board, swap: Swap) -> bool:
    """Tell whether the two tiles may change places: aligned, and both with a move left."""
    a, b = swap
    return aligned(board, a, b) and board.moves[a] > 0 and board.moves[b] > 0


def legal_swaps(board: Board) -> Iterator[Swap]:
    """Yield every legal swap once."""
    live = [cell for cell, moves in enumerate(board.moves) if moves > 0]
    for index, a in enumerate(live):
        for b in live[index + 1 :]:
            if aligned(board, a, b):
                yield a, b


def play(board: Board, swap: Swap) -> Board:
    """Return the board after a legal swap; both tiles have one move less."""
    if not is_legal(board, swap):
        raise ValueError(f"not a legal swap here: {swap}")
    a, b = swap
    colours, moves = list(board.colours), list(board.moves)
    colours[a], colours[b] = colours[b], colours[a]
    moves[a], moves[b] = moves[b] - 1, moves[a] - 1
    return replace(board, colours=tuple(colours), moves=tuple(moves))


def unplay(board: Board, swap: Swap) -> Board:
    """Return the board before a swap that led here; both tiles have one move more. The swap is then legal."""
    a, b = swap
    if not aligned(board, a, b) or MAX_MOVES in (board.moves[a], board.moves[b]):
        raise ValueError(f"no swap can have led here: {swap}")
    colours, moves = list(board.colours), list(board.moves)
    colours[a], colours[b] = colours[b], colours[a]
    moves[a], moves[b] = moves[b] + 1, moves[a] + 1
    return replace(board, colours=tuple(colours), moves=tuple(moves))


def solved_board(rows: int, cols: int, palette: tuple[str, ...]) -> Board:
    """Return the board that solutions end with, its rows in the first colours of a palette."""
    return Board(rows, cols, palette[:rows], tuple(cell // cols for cell in range(rows * cols)), (0,) * (rows * cols))


def is_solved(board: Board) -> bool:
    """Tell whether every tile stands in its colour's row with no move left."""
    return not any(board.moves) and all(colour == cell // board.cols for cell, colour in enumerate(board.colours))
