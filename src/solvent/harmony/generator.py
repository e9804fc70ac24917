"""Make solvable boards by playing backwards from the solved one.

Each step swaps two aligned tiles and gives both a move, so the steps read backwards are a solution. The same size,
number of swaps and seed give the same board on any machine and Python version: the only random call is `randrange`.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.drawing.palette import HUES
from solvent.harmony.model import MAX_COLS, MAX_MOVES, MAX_ROWS, Board, Swap
from solvent.harmony.rules import aligned_pairs, solved_board

COLOUR_NAMES = tuple(HUES)
"""The rows' colours from the top; as many as there can be rows."""

SWAPS_A_LOOK = 20
"""How many swaps there are between two looks at the limits; near the end, each may have to list all pairs."""
_DRAWS = 20
"""How often to draw a pair blindly before listing the pairs that are still allowed."""


def generate(*, rows: int, cols: int, swaps: int, seed: int, meter: Meter = UNLIMITED) -> Board:
    """Make a board that some plan of exactly `swaps` swaps solves."""
    board, _ = generate_with_plan(rows=rows, cols=cols, swaps=swaps, seed=seed, meter=meter)
    return board


def generate_with_plan(
    *, rows: int, cols: int, swaps: int, seed: int, meter: Meter = UNLIMITED
) -> tuple[Board, tuple[Swap, ...]]:
    """Make a board together with the plan that solves it.

    No swap is the same as the one before it, where another is allowed. Raises BadOption when the size is none a board
    has, when no two cells share a row or column, or when the tiles cannot hold that many moves.
    """
    _check_size(rows, cols, swaps)
    return scramble(solved_board(rows, cols, COLOUR_NAMES), swaps=swaps, seed=seed, meter=meter)


def scramble(board: Board, *, swaps: int, seed: int, meter: Meter = UNLIMITED) -> tuple[Board, tuple[Swap, ...]]:
    """Play backwards from any board; returns the one reached, and the plan that leads back to where it began."""
    rows, cols = board.rows, board.cols
    # Changed in place, without a copy of the board for each swap: there may be 100,000 swaps.
    colours, moves = list(board.colours), list(board.moves)
    pairs = [(a, b) for a, b in aligned_pairs(rows, cols) if moves[a] < MAX_MOVES and moves[b] < MAX_MOVES]
    if swaps and not pairs:
        raise BadOption(f"swaps: a {rows}×{cols} board has no two tiles to swap, found {swaps}")
    most = (MAX_MOVES * rows * cols - sum(moves)) // 2
    if swaps > most:
        raise BadOption(f"swaps: expected at most {most} on a {rows}×{cols} board, found {swaps}")
    random = Random(seed)
    played: list[Swap] = []
    for number in range(swaps):
        if number % SWAPS_A_LOOK == 0:
            meter.book(min(SWAPS_A_LOOK, swaps - number))
        a, b = _draw_pair(random, pairs, moves, played)
        colours[a], colours[b] = colours[b], colours[a]
        moves[a], moves[b] = moves[b] + 1, moves[a] + 1
        played.append((a, b))
    return replace(board, colours=tuple(colours), moves=tuple(moves), source=None), tuple(reversed(played))


def _check_size(rows: int, cols: int, swaps: int) -> None:
    for name, value, most in (("rows", rows, MAX_ROWS), ("cols", cols, MAX_COLS)):
        if not 1 <= value <= most:
            raise BadOption(f"{name}: expected 1 to {most}, found {value}")
    if swaps < 0:
        raise BadOption(f"swaps: expected zero or more, found {swaps}")


def _draw_pair(random: Random, pairs: list[Swap], moves: list[int], played: list[Swap]) -> Swap:
    previous = played[-1] if played else None
    for _ in range(_DRAWS):
        pair = pairs[random.randrange(len(pairs))]
        if pair != previous and moves[pair[0]] < MAX_MOVES and moves[pair[1]] < MAX_MOVES:
            return pair
    allowed = [pair for pair in pairs if moves[pair[0]] < MAX_MOVES and moves[pair[1]] < MAX_MOVES]
    if not allowed:
        raise BadOption(
            f"swaps: after {len(played)} no two aligned tiles can take another move (each holds {MAX_MOVES}); "
            "expected fewer swaps or another seed"
        )
    others = [pair for pair in allowed if pair != previous] or allowed
    return others[random.randrange(len(others))]
