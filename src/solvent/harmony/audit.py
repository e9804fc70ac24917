"""Put an invalidity test to an exhaustive trial on small boards.

Every board solvable in exactly k swaps is one reverse swap away from a board solvable in k - 1, so all of them can be
listed from the solved board backwards. A test that fires on any of them is wrong. Boards that differ only in the order
of columns, or of rows with their colours, are counted once.

A test's strength is how many boards it catches among those where a player has just gone wrong: boards one swap away
from a solvable one that cannot be solved any more.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from solvent.core.errors import BadOption
from solvent.core.events import Event, Kind
from solvent.core.trial import AuditScope, Trial, TrialCount
from solvent.harmony.levels_kernel import Packing
from solvent.harmony.model import Board, Swap
from solvent.harmony.notation import format_board
from solvent.harmony.positions import format_swap
from solvent.harmony.rules import aligned_pairs, legal_swaps, play

DEFAULT_SCOPES = ((2, 2, 12), (2, 3, 8), (3, 2, 7), (3, 3, 5))
"""Rows, columns and most swaps of the boards that are gone through unless the user says otherwise."""
DEFAULT_SWAPS = 5
KEY_BITS = 62
MAX_ROWS = 9
"""Each board is looked at with its rows in every order."""


def audit(trial: Trial[Board], *, rows: int | None, cols: int | None, swaps: int | None) -> Iterator[AuditScope]:
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
        yield _audit_size(trial, SmallBoards(*scope))


def _audit_size(trial: Trial[Board], boards: SmallBoards) -> AuditScope:
    counted = TrialCount(trial)
    counterexample = None
    for swaps in range(1, boards.most_swaps + 1):
        trial.listen(Event(Kind.PROGRESS, f"{boards.rows}×{boards.cols}, {swaps} swaps", counted.examined))
        for board in boards.solvable(swaps):
            if counted.fires_on_solvable(board) and counterexample is None:
                counterexample = _describe(board, boards.solution(board))
                if not trial.strength:
                    break
        if trial.strength:
            for board in boards.just_lost(swaps):
                counted.try_unsolvable(board)
        elif counterexample is not None:
            break
    return counted.scope(f"{boards.rows}×{boards.cols}, up to {boards.most_swaps} swaps", counterexample)


def _describe(board: Board, solution: tuple[Swap, ...]) -> str:
    plan = " ".join(format_swap(swap, board.cols) for swap in solution)
    return f"{board}\n\nSolved by {plan}\n\n{format_board(board)}"


def _key_bits(rows: int, cols: int, most_swaps: int) -> tuple[int, int]:
    """Return how many bits a cell's colour and moves take; raises BadOption if a board does not fit into one number."""
    colour_bits, move_bits = max(1, (rows - 1).bit_length()), most_swaps.bit_length()
    if rows > MAX_ROWS or rows * cols * (colour_bits + move_bits) > KEY_BITS:
        raise BadOption(f"{rows}×{cols} boards with {most_swaps} swaps are too large to go through")
    return colour_bits, move_bits


class SmallBoards:
    """List all boards of one size by the number of swaps that solve them, one for each symmetry class.

    A board is packed into one whole number; a level is a sorted list of them.
    """

    def __init__(self, rows: int, cols: int, most_swaps: int) -> None:
        self.rows, self.cols, self.most_swaps = rows, cols, most_swaps
        self.palette = ("RED", "BLUE", "GREEN", "YELLOW")[:rows]
        self._packing = Packing(rows, cols, *_key_bits(rows, cols, most_swaps), aligned_pairs(rows, cols))
        solved = [cell // cols for cell in range(rows * cols)]
        self._levels = [[self._packing.pack(solved, [0] * len(solved))]]

    def solvable(self, swaps: int) -> Iterator[Board]:
        """Yield every board that some sequence of this many swaps solves."""
        yield from self._boards(self._level(swaps))

    def just_lost(self, swaps: int) -> Iterator[Board]:
        """Yield every board one swap after a board solvable in this many that cannot be solved any more."""
        reached = self._packing.neighbours(self._level(swaps), -1)
        yield from self._boards(sorted(reached.difference(self._level(swaps - 1))))

    def solution(self, board: Board) -> tuple[Swap, ...]:
        """Return swaps that solve a board out of `solvable`."""
        found: list[Swap] = []
        while board.swaps:
            for swap in legal_swaps(board):
                child = play(board, swap)
                if self._is_solvable(child):
                    found.append(swap)
                    board = child
                    break
            else:
                raise ValueError("the board cannot be solved")
        return tuple(found)

    def _is_solvable(self, board: Board) -> bool:
        level, packed = self._level(board.swaps), self._packing.pack(board.colours, board.moves)
        place = bisect_left(level, packed)
        return place < len(level) and level[place] == packed

    def _level(self, swaps: int) -> list[int]:
        while len(self._levels) <= swaps:
            self._levels.append(sorted(self._packing.neighbours(self._levels[-1], +1)))
        return self._levels[swaps]

    def _boards(self, packed: Sequence[int]) -> Iterator[Board]:
        for number in packed:
            yield Board(self.rows, self.cols, self.palette, *self._packing.unpack(number))
