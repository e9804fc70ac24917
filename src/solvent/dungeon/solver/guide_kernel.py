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
        self.away = new_table(1, 1)
        self.landmark_word = new_row(1, SHORT)
        self.landmark_mask = new_row(1, UNSIGNED)
        self.item_sets = 0
        self.alive = memoryview(bytearray(1)).cast("B", (1, 1))
        self.item_word = 0
        self.item_shift = 0

    def learn_distances(self, weight: float, away: list[memoryview], landmarks: list[tuple[int, int]]) -> None:
        """Take over distances by cell: to the goal, and by way of each landmark, which is a word and a mask."""
        self.weight = round(weight * UNIT)
        self.landmarks = len(landmarks)
        cells = len(away[0])
        table = new_table(len(away), cells)
        flat = table.cast("B").cast("q")
        for number, row in enumerate(away):
            flat[number * cells : (number + 1) * cells] = row
        self.away = table
        self.landmark_word = row_of((word for word, _ in landmarks), SHORT)
        self.landmark_mask = row_of((mask for _, mask in landmarks), UNSIGNED)

    def learn_dead_ends(self, alive: memoryview, word: int, shift: int) -> None:
        """Take over what is no dead end: by sets of items, which stand in this word from this bit on, and cells."""
        self.item_sets = alive.shape[0]
        self.alive = alive
        self.item_word = word
        self.item_shift = shift

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
