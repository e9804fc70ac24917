"""Tell how a change to a few nodes changes which rows are too long."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import new_row


@cython.final
@cython.cclass
class LocalRows:
    """Hold rows of nodes that may not all hold modules of a set. The fields are described in the `.pxd`."""

    def __init__(
        self,
        held: memoryview,
        chosen: memoryview,
        set_of: memoryview,
        start: memoryview,
        nodes: memoryview,
        through_start: memoryview,
        through: memoryview,
        count: int,
    ) -> None:
        """Take the rows, and for each node those through it; with none of them, tables that are not looked at."""
        self.held = held
        self.chosen = chosen
        self.set_of = set_of
        self.start = start
        self.nodes = nodes
        self.through_start = through_start
        self.through = through
        self.count = count
        self.mark = new_row(max(1, count))
        self.turn = 0

    def is_broken(self, row: cython.longlong) -> cython.bint:
        """Tell whether all nodes of a row hold modules of its set."""
        chosen: cython.longlong = self.set_of[row]
        place: cython.longlong
        for place in range(self.start[row], self.start[row + 1]):
            held: cython.longlong = self.held[self.nodes[place]]
            if held < 0 or self.chosen[chosen, held] == 0:
                return False
        return True

    def broken_near(self, window: cython.const[cython.int][::1], count: cython.longlong) -> cython.longlong:
        """Return how many rows through some nodes are too long."""
        self.turn += 1
        found: cython.longlong = 0
        index: cython.longlong
        place: cython.longlong
        for index in range(count):
            node: cython.longlong = window[index]
            for place in range(self.through_start[node], self.through_start[node + 1]):
                row: cython.longlong = self.through[place]
                if self.mark[row] != self.turn:
                    self.mark[row] = self.turn
                    if self.is_broken(row):
                        found += 1
        return found
