"""Boards for the tests of the solver: written by hand, reverse-played, and spoilt a little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

from solvent.harmony.generator import COLOUR_NAMES, generate_with_plan
from solvent.harmony.model import Board, Swap
from solvent.harmony.rules import aligned

TINY_SIZES = (
    (2, 2, 10), (2, 3, 7), (3, 2, 7), (3, 3, 5), (1, 3, 7), (1, 5, 5), (3, 1, 7), (5, 1, 6), (2, 4, 5), (1, 1, 0),
)  # fmt: skip
"""Rows, columns and most swaps of boards that brute force can go through."""


def solved_board(rows: int, cols: int, palette: tuple[str, ...]) -> Board:
    """Return the board where every tile is home and no move is left."""
    return Board(rows, cols, palette, tuple(cell // cols for cell in range(rows * cols)), (0,) * (rows * cols))


def unplay(board: Board, swap: Swap) -> Board:
    """Return the board before a swap that led here; both tiles get their move back."""
    if not aligned(board, *swap):
        raise ValueError(f"not two cells in one row or column: {swap}")
    a, b = swap
    colours, moves = list(board.colours), list(board.moves)
    colours[a], colours[b] = colours[b], colours[a]
    moves[a], moves[b] = moves[b] + 1, moves[a] + 1
    return replace(board, colours=tuple(colours), moves=tuple(moves))


def board_of(text: str) -> Board:
    """Read colour/moves, rows apart with `|`: `0/0 1/2 | 0/2 1/0`. Colour 0 belongs in the first row, and so on."""
    rows = [[tuple(int(number) for number in tile.split("/")) for tile in row.split()] for row in text.split("|")]
    tiles = [tile for row in rows for tile in row]
    palette = COLOUR_NAMES[: max(len(rows), 1 + max(colour for colour, _ in tiles))]
    assert {len(row) for row in rows} == {len(rows[0])}
    colours, moves = zip(*tiles, strict=True)
    return Board(len(rows), len(rows[0]), palette, colours, moves)


def tiny_boards(count: int, seed: int, *, homeless: bool = True) -> Iterator[Board]:
    """Yield boards small enough for brute force: some solvable, most of them a little off."""
    dice = Random(seed)
    for _ in range(count):
        rows, cols, most = TINY_SIZES[dice.randrange(len(TINY_SIZES))]
        board, _ = generate_with_plan(
            rows=rows, cols=cols, swaps=most - dice.randrange(most // 2 + 1), seed=dice.randrange(10**9)
        )
        for _ in range(dice.randrange(4)):
            board = spoil(board, dice, homeless=homeless)
        yield board


def spoil(board: Board, dice: Random, *, homeless: bool = True) -> Board:
    """Change a board a little; mostly so that no count gives it away."""
    kind = dice.randrange(12)
    if kind < 4:
        return move_a_count(board, dice)
    if kind < 8:
        return exchange_colours(board, dice)
    cell = dice.randrange(len(board.moves))
    moves, colours = list(board.moves), list(board.colours)
    if kind == 8:
        moves[cell] += 1
    elif kind == 9:
        moves[cell] = 0
    elif kind == 10:
        moves[cell] = max(0, moves[cell] - 2)
    else:
        colours[cell] = dice.randrange(board.rows + homeless)
    palette = COLOUR_NAMES[: max(board.rows, 1 + max(colours))]
    return replace(board, palette=palette, colours=tuple(colours), moves=tuple(moves))


def move_a_count(board: Board, dice: Random) -> Board:
    """Give one move of a tile to another tile."""
    moves = list(board.moves)
    live = [cell for cell, left in enumerate(moves) if left > 0]
    if live:
        moves[live[dice.randrange(len(live))]] -= 1
        moves[dice.randrange(len(moves))] += 1
    return replace(board, moves=tuple(moves))


def exchange_colours(board: Board, dice: Random) -> Board:
    """Exchange the colours of two tiles."""
    colours = list(board.colours)
    one, other = dice.randrange(len(colours)), dice.randrange(len(colours))
    colours[one], colours[other] = colours[other], colours[one]
    return replace(board, colours=tuple(colours))


def every_board(rows: int, cols: int, most_moves: int) -> Iterator[Board]:
    """Yield every board of a size whose colours come in the right numbers."""
    cells = rows * cols
    for colours in product(range(rows), repeat=cells):
        if all(colours.count(row) == cols for row in range(rows)):
            for moves in product(range(most_moves + 1), repeat=cells):
                yield Board(rows, cols, COLOUR_NAMES[:rows], colours, moves)


def near_miss(rows: int, cols: int, swaps: int, seed: int, *, times: int = 1) -> Board:
    """Return a reverse-played board with a count moved or two colours exchanged, or both, once or several times."""
    board, _ = generate_with_plan(rows=rows, cols=cols, swaps=swaps, seed=seed)
    dice = Random(seed)
    for _ in range(times):
        kind = dice.randrange(3)
        if kind != 0:
            board = move_a_count(board, dice)
        if kind != 1:
            board = exchange_colours(board, dice)
    return board


def lopsided_near_miss(rows: int, cols: int, swaps: int, seed: int) -> Board:
    """Return a near miss where a few busy tiles have most of the moves, so that the others have none to spare.

    All but the first swaps (one for every three cells) happen between the six cells of one corner.
    """
    dice = Random(seed)
    board = solved_board(rows, cols, COLOUR_NAMES[:rows])
    cells = rows * cols
    pairs = [
        (a, b) for a in range(cells) for b in range(a + 1, cells) if a // cols == b // cols or a % cols == b % cols
    ]
    corner = [(a, b) for a, b in pairs if max(a // cols, b // cols) < 2 and max(a % cols, b % cols) < 3]
    anywhere = min(swaps, cells // 3)
    for number in range(swaps):
        choice = corner if number < swaps - anywhere else pairs
        board = unplay(board, choice[dice.randrange(len(choice))])
    return move_a_count(board, dice) if dice.randrange(2) else exchange_colours(board, dice)
