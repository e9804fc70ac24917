"""What is known of the way to the goal without searching: how far it is at least, and where there is none."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, UNSIGNED, new_row, new_table, row_of

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.state_kernel import PackedState

UNIT = 64
"""Priorities count moves in 64ths, so that weights need not be whole."""


@cython.final
@cython.cclass
class Guide:
    """Say how far it is to the goal at least. The fields are described in `guide_kernel.pxd`."""

    def __init__(self) -> None:
        """Know nothing: it may be no way at all from anywhere, and no dead end is known."""
        self.weight = UNIT
        self.landmarks = -1
        self.is_apart = False
        self.weighted = new_table(1, 1)
        self.away = new_table(1, 1)
        self.landmark_word = new_row(1, SHORT)
        self.landmark_mask = new_row(1, UNSIGNED)
        self.item_sets = 0
        self.alive = memoryview(bytearray(1)).cast("B", (1, 1))
        self.item_word = 0
        self.item_shift = 0
        self.has_bounds = False
        self.supplied = bytearray(1)

    def learn_distances(self, weight: float, away: list[memoryview], landmarks: list[tuple[int, int]]) -> None:
        """Take over distances by cell: to the goal, and by way of each landmark, which is a word and a mask."""
        self.weight = round(weight * UNIT)
        self.landmarks = len(landmarks)
        self.away = _table_of(away)
        self.landmark_word = row_of((word for word, _ in landmarks), SHORT)
        self.landmark_mask = row_of((mask for _, mask in landmarks), UNSIGNED)

    def learn_weights(self, weighted: list[memoryview]) -> None:
        """Take over what these distances count in the order of the search, in 64ths, where their parts differ."""
        self.is_apart = True
        self.weighted = _table_of(weighted)

    def learn_dead_ends(self, alive: memoryview, word: int, shift: int) -> None:
        """Take over what is no dead end: by sets of items, which stand in this word from this bit on, and cells."""
        self.item_sets = alive.shape[0]
        self.alive = alive
        self.item_word = word
        self.item_shift = shift

    def learn_supply(self, supplied: bytearray) -> None:
        """Take over which cells are not behind more gates than can ever be opened."""
        self.has_bounds = True
        self.supplied = supplied

    def is_supplied(self, cell: cython.longlong) -> cython.bint:
        """Tell whether there might be keys and bombs enough for the way from a cell."""
        return not self.has_bounds or self.supplied[cell] != 0

    def is_alive(self, cell: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether the goal might be reached from a cell and a state."""
        if self.item_sets == 0:
            return True
        words: cython.ulonglong = state.words[self.item_word] >> self.item_shift
        held: cython.longlong = words & (self.item_sets - 1)
        return self.alive[held, cell] != 0

    def moves_left(self, cell: cython.longlong, state: PackedState) -> cython.longlong:
        """Return a number of moves that is never more than are left."""
        if self.landmarks < 0:
            return 0
        best: cython.longlong = self.away[0, cell]
        for landmark in range(self.landmarks):
            if state.words[self.landmark_word[landmark]] & self.landmark_mask[landmark] == 0:
                best = max(best, self.away[1 + landmark, cell])
        return best

    def estimate(self, left: cython.longlong, cell: cython.longlong, state: PackedState) -> cython.longlong:
        """Return what so many moves that are left count in the order of the search, in 64ths of a move."""
        if not self.is_apart or self.landmarks < 0:
            return self.weight * left
        best: cython.longlong = self.weighted[0, cell]
        for landmark in range(self.landmarks):
            if state.words[self.landmark_word[landmark]] & self.landmark_mask[landmark] == 0:
                best = max(best, self.weighted[1 + landmark, cell])
        return best


def _table_of(rows: list[memoryview]) -> memoryview:
    """Return rows of equal length as a table."""
    cells = len(rows[0])
    table = new_table(len(rows), cells)
    flat = table.cast("B").cast("q")
    for number, row in enumerate(rows):
        flat[number * cells : (number + 1) * cells] = row
    return table
