"""Put an invalidity test to an exhaustive trial on small boards.

Every board solvable in exactly k swaps is one reverse swap away from a board solvable in k - 1, so all of them can be
listed from the solved board backwards. A test that fires on any of them is wrong. Boards that differ only in the order
of columns, or of rows with their colours, are counted once.

A test's strength is how many boards it catches among those where a player has just gone wrong: boards one swap away
from a solvable one that cannot be solved any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np

from solvent.core.domain import AuditScope
from solvent.core.errors import BadOption
from solvent.core.events import Event, Kind, Listener
from solvent.core.pruning import InvalidityTest
from solvent.harmony.model import Board, Swap
from solvent.harmony.notation import format_board
from solvent.harmony.positions import format_swap
from solvent.harmony.rules import aligned_pairs, legal_swaps, play

DEFAULT_SCOPES = ((2, 2, 12), (2, 3, 8), (3, 2, 7), (3, 3, 5))
"""Rows, columns and most swaps of the boards that are gone through unless the user says otherwise."""
DEFAULT_SWAPS = 5
KEY_BITS = 62


def audit(
    test: InvalidityTest[Board], *, rows: int | None, cols: int | None, swaps: int | None, listen: Listener
) -> Iterator[AuditScope]:
    """Run the test on every board of each scope."""
    if (rows is None) != (cols is None):
        raise BadOption("expected both rows and cols, or neither")
    scopes: tuple[tuple[int, int, int], ...] = DEFAULT_SCOPES
    if rows is not None and cols is not None:
        known = {(r, c): most for r, c, most in DEFAULT_SCOPES}
        scopes = ((rows, cols, known.get((rows, cols), DEFAULT_SWAPS)),)
    scopes = tuple((scope_rows, scope_cols, swaps or most) for scope_rows, scope_cols, most in scopes)
    for scope in scopes:  # all of them before the first is gone through, which may take long
        _key_bits(*scope)
    for scope in scopes:
        yield _audit_size(test, SmallBoards(*scope), listen)


def _audit_size(test: InvalidityTest[Board], boards: SmallBoards, listen: Listener) -> AuditScope:
    examined = false_positives = unsolvable = caught = 0
    counterexample = None
    for swaps in range(1, boards.most_swaps + 1):
        listen(Event(Kind.PROGRESS, f"{boards.rows}×{boards.cols}, {swaps} swaps", examined))
        for board in boards.solvable(swaps):
            examined += 1
            if test.is_invalid(board):
                false_positives += 1
                if counterexample is None:
                    counterexample = _describe(board, boards.solution(board))
        for board in boards.just_lost(swaps):
            unsolvable += 1
            caught += test.is_invalid(board)
    return AuditScope(
        label=f"{boards.rows}×{boards.cols}, up to {boards.most_swaps} swaps",
        examined=examined,
        false_positives=false_positives,
        first_counterexample=counterexample,
        unsolvable=unsolvable,
        caught=caught,
    )


def _describe(board: Board, solution: tuple[Swap, ...]) -> str:
    plan = " ".join(format_swap(swap, board.cols) for swap in solution)
    return f"{board}\n\nSolved by {plan}\n\n{format_board(board)}"


def _key_bits(rows: int, cols: int, most_swaps: int) -> tuple[int, int]:
    """Return how many bits a cell's colour and moves take; raises BadOption if a board does not fit into one number."""
    colour_bits, move_bits = max(1, (rows - 1).bit_length()), most_swaps.bit_length()
    if rows * cols * (colour_bits + move_bits) > KEY_BITS:
        raise BadOption(f"{rows}×{cols} boards with {most_swaps} swaps are too large to go through")
    return colour_bits, move_bits


class SmallBoards:
    """List all boards of one size by the number of swaps that solve them, one for each symmetry class.

    A board is packed into one whole number, cell by cell; a level is a sorted array of them.
    """

    def __init__(self, rows: int, cols: int, most_swaps: int) -> None:
        self.rows, self.cols, self.most_swaps = rows, cols, most_swaps
        self.palette = ("RED", "BLUE", "GREEN", "YELLOW")[:rows]
        self._colour_bits, self._move_bits = _key_bits(rows, cols, most_swaps)
        cells = np.arange(rows * cols)
        self._pairs = aligned_pairs(rows, cols)
        solved = np.array([cells // cols]), np.zeros((1, rows * cols), np.int64)
        self._levels = [self._pack_canonical(*solved)]

    def solvable(self, swaps: int) -> Iterator[Board]:
        """Yield every board that some sequence of this many swaps solves."""
        yield from self._boards(self._level(swaps))

    def just_lost(self, swaps: int) -> Iterator[Board]:
        """Yield every board one swap after a board solvable in this many that cannot be solved any more."""
        colours, moves = self._unpack(self._level(swaps))
        keys = []
        for a, b in self._pairs:
            legal = (moves[:, a] > 0) & (moves[:, b] > 0)
            keys.append(self._pack_canonical(*_exchange(colours[legal], moves[legal], a, b, -1)))
        if keys:
            yield from self._boards(np.setdiff1d(np.concatenate(keys), self._level(swaps - 1)))

    def solution(self, board: Board) -> tuple[Swap, ...]:
        """Return swaps that solve a board out of `solvable`."""
        found: list[Swap] = []
        while board.swaps:
            below = self._level(board.swaps - 1)
            for swap in legal_swaps(board):
                child = play(board, swap)
                if np.isin(self._pack_canonical(np.array([child.colours]), np.array([child.moves])), below).all():
                    found.append(swap)
                    board = child
                    break
            else:
                raise ValueError("the board cannot be solved")
        return tuple(found)

    def _level(self, swaps: int) -> Any:
        while len(self._levels) <= swaps:
            colours, moves = self._unpack(self._levels[-1])
            keys = [self._pack_canonical(*_exchange(colours, moves, a, b, +1)) for a, b in self._pairs]
            self._levels.append(np.unique(np.concatenate(keys)) if keys else np.zeros(0, np.int64))
        return self._levels[swaps]

    def _boards(self, keys: Any) -> Iterator[Board]:
        colours, moves = self._unpack(keys)
        for board_colours, board_moves in zip(colours.tolist(), moves.tolist(), strict=True):
            yield Board(self.rows, self.cols, self.palette, tuple(board_colours), tuple(board_moves))

    def _pack_canonical(self, colours: Any, moves: Any) -> Any:
        """Pack boards, each as the smallest of its symmetric forms, without repetition."""
        best = np.full(len(colours), np.iinfo(np.int64).max)
        for row_order in permutations(range(self.rows)):
            renamed = np.array(row_order)[colours]
            for col_order in permutations(range(self.cols)):
                key = np.zeros(len(colours), np.int64)
                for row in range(self.rows):
                    for col in range(self.cols):
                        cell = row_order.index(row) * self.cols + col_order[col]
                        key = ((key << self._colour_bits | renamed[:, cell]) << self._move_bits) | moves[:, cell]
                best = np.minimum(best, key)
        return np.unique(best)

    def _unpack(self, keys: Any) -> tuple[Any, Any]:
        cells = self.rows * self.cols
        colours = np.empty((len(keys), cells), np.int64)
        moves = np.empty((len(keys), cells), np.int64)
        rest = keys.copy()
        for cell in range(cells - 1, -1, -1):
            moves[:, cell] = rest & ((1 << self._move_bits) - 1)
            rest >>= self._move_bits
            colours[:, cell] = rest & ((1 << self._colour_bits) - 1)
            rest >>= self._colour_bits
        return colours, moves


def _exchange(colours: Any, moves: Any, a: int, b: int, change: int) -> tuple[Any, Any]:
    """Swap two cells on many boards; `change` is added to the moves of both tiles."""
    colours, moves = colours.copy(), moves.copy()
    colours[:, [a, b]] = colours[:, [b, a]]
    moves[:, [a, b]] = moves[:, [b, a]] + change
    return colours, moves
