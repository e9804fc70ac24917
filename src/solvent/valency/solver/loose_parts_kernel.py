"""Find what hangs together wrongly in a fill: loose pieces, broken paths, circles, and rows that are too long."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.valency.solver.local_joins_kernel import LocalJoins
    from cython.cimports.solvent.valency.solver.local_rows_kernel import LocalRows
else:
    from solvent.valency.solver.local_joins_kernel import LocalJoins
    from solvent.valency.solver.local_rows_kernel import LocalRows

_TREES = cython.declare(cython.longlong, 1)
_LOOP = cython.declare(cython.longlong, 2)
"""As in `local_joins_kernel`."""


@cython.final
@cython.cclass
class LooseParts:
    """Hold what was found. The fields are described in `loose_parts_kernel.pxd`."""

    def __init__(self, joins: LocalJoins, rows: LocalRows) -> None:
        """Be ready to look at the fill in `joins.held`."""
        self.arcs = joins.arcs
        self.joins = joins
        self.rows = rows
        self.held = joins.held
        self.size = joins.arcs.nodes
        self.degrees = new_row(self.size, SHORT)
        self.nodes = new_row(self.size, SHORT)
        self.count = 0
        self.broken = 0

    def look(self) -> cython.void:
        """Find them all again."""
        self.count = 0
        self.broken = 0
        join: cython.longlong
        row: cython.longlong
        place: cython.longlong
        for join in range(self.joins.count):
            if self.joins.form[join] == _TREES:
                self.look_at_circles(join)
            elif self.joins.ends[join, 0] < 0:
                self.look_at_pieces(join)
            else:
                self.look_at_path(join)
            if self.joins.form[join] == _LOOP:
                self.look_at_degrees(join)
        for row in range(self.rows.count):
            if self.rows.is_broken(row):
                self.broken += 1
                for place in range(self.rows.start[row], self.rows.start[row + 1]):
                    self.mark_loose(self.rows.nodes[place])

    def mark_loose(self, node: cython.longlong) -> cython.void:
        """Remember a node as one to draw anew."""
        if self.count < self.size:
            self.nodes[self.count] = node
            self.count += 1

    def look_at_degrees(self, join: cython.longlong) -> cython.void:
        """Find the nodes of a loop that have too many joins or too few."""
        node: cython.longlong
        for node in range(self.size):
            if self.joins.takes_part(join, node):
                joins: cython.longlong = self.joins.degree(join, node)
                if joins != 2:
                    self.broken += joins - 2 if joins > 2 else 2 - joins
                    self.mark_loose(node)

    def look_at_circles(self, join: cython.longlong) -> cython.void:
        """Count circles, and find what is left when ends are taken away until there are none: there they are."""
        halves: cython.longlong = 0
        waiting: cython.longlong = -1
        node: cython.longlong
        arc: cython.longlong
        self.joins.turn += 1
        first: cython.longlong = self.joins.turn
        for node in range(self.size):
            self.degrees[node] = 0
            if not self.joins.takes_part(join, node):
                continue
            self.broken -= 1
            self.degrees[node] = self.joins.degree(join, node)
            halves += self.degrees[node]
            if self.is_unreached(join, node, first):
                self.broken += 1
                self.joins.flood(join, node)
        self.broken += halves // 2
        for node in range(self.size):  # nothing is being flooded: its lines are free for those at the end
            if self.degrees[node] == 1:
                self.joins.after[node] = waiting
                waiting = node
        while waiting >= 0:
            end: cython.longlong = waiting
            waiting = self.joins.after[end]
            if self.degrees[end] != 1:
                continue
            self.degrees[end] = 0
            for arc in range(self.arcs.start[end], self.arcs.near_end[end]):
                other: cython.longlong = self.arcs.target[arc]
                if self.degrees[other] > 0 and self.joins.joins(join, arc, end, other):
                    self.degrees[other] -= 1
                    if self.degrees[other] == 1:
                        self.joins.after[other] = waiting
                        waiting = other
        for node in range(self.size):
            if self.degrees[node] > 1:
                self.mark_loose(node)

    def look_at_path(self, join: cython.longlong) -> cython.void:
        """Find how broken a path is: the way that it might take is loose."""
        gap: cython.longlong = self.joins.gap(join)
        self.broken += gap
        if gap == 0 or gap == self.size:
            return
        node: cython.longlong = self.joins.ends[join, 1]
        while node != self.joins.came[node]:
            self.mark_loose(node)
            node = self.joins.came[node]
        self.mark_loose(node)

    def look_at_pieces(self, join: cython.longlong) -> cython.void:
        """Find the pieces of a constraint: all but the largest are loose."""
        largest: cython.longlong = -1
        most: cython.longlong = 0
        pieces: cython.longlong = 0
        node: cython.longlong
        self.joins.turn += 1
        first: cython.longlong = self.joins.turn
        for node in range(self.size):
            if self.is_unreached(join, node, first):
                pieces += 1
                size = self.joins.flood(join, node)
                if size > most:
                    most = size
                    largest = node
        if pieces < 2:
            return
        self.broken += pieces - 1
        self.joins.turn += 1
        self.joins.flood(join, largest)
        for node in range(self.size):
            if self.is_unreached(join, node, self.joins.turn):
                self.mark_loose(node)

    def is_unreached(self, join: cython.longlong, node: cython.longlong, turn: cython.longlong) -> cython.bint:
        """Tell whether a node takes part and was not flooded since a turn."""
        held: cython.longlong = self.held[node]
        return held >= 0 and self.joins.chosen[join, held] != 0 and self.joins.mark[node] < turn
