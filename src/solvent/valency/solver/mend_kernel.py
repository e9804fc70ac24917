"""Mend a contradiction where it arose: nodes around it start again."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.engine.bits import popcount
    from solvent.valency.solver.choose_kernel import Choosing


@cython.final
@cython.cclass
class Surroundings:
    """Gather nodes around a place and have them start again. The fields are described in `mend_kernel.pxd`."""

    def __init__(
        self, choosing: Choosing, roots: memoryview, failures: memoryview, ball: memoryview, away: memoryview
    ) -> None:
        self.fill = choosing.fill
        self.arcs = choosing.fill.arcs
        self.choosing = choosing
        self.roots = roots
        self.failures = failures
        self.ball = ball
        self.away = away
        self.mark = new_row(self.arcs.nodes)
        self.turn = 0
        self.repairs = 0
        self.narrowest = 0
        self.widest = 0

    def allow_radius(self, narrowest: int, widest: int) -> None:
        """Set how far around a contradiction nodes start again, at first and at most."""
        self.narrowest = narrowest
        self.widest = widest

    def take_roots(self, roots: memoryview) -> None:
        """Take other sets of modules for nodes to start again from."""
        self.roots = roots

    def start_again(self, nodes: memoryview) -> None:
        """Give nodes, a row of 64 bits each, back what they began with, and whatever they had narrowed.

        All of it is looked at again.
        """
        row: cython.longlong[::1] = nodes
        count: cython.longlong = row.shape[0]
        place: cython.longlong
        self.turn += 1
        for place in range(count):
            self.mark[row[place]] = self.turn
            self.ball[place] = row[place]
        with cython.nogil:
            self.reset(count)

    def mend(self, place: cython.longlong) -> cython.bint:
        """Start again around a contradiction: every node within a radius, and those its choices had narrowed.

        The radius grows with the contradictions there have been nearby. Where one comes back, its cause may lie far
        away: the last choice certainly has a part in it, so its surroundings start again as well. Returns False when
        the radius would be too wide.
        """
        self.repairs += 1
        self.failures[place] += 1
        count = self.gather(place, self.narrowest)
        nearby: cython.longlong = 0
        index: cython.longlong
        for index in range(count):
            nearby += self.failures[self.ball[index]]
        radius = self.narrowest + nearby // 2
        if radius > self.widest:
            return False
        count = self.gather(place, radius)
        if nearby > 1:
            count = self.gather_more(self.choosing.last, radius, count)
        self.reset(count)
        return True

    def gather(self, place: cython.longlong, radius: cython.longlong) -> cython.longlong:
        """Write all nodes within a radius into `ball`, nearest first; returns how many."""
        self.turn += 1
        return self.gather_more(place, radius, 0)

    def gather_more(self, place: cython.longlong, radius: cython.longlong, count: cython.longlong) -> cython.longlong:
        """Add all nodes within a radius to the first `count` nodes of `ball`; returns how many there are then."""
        if self.mark[place] == self.turn:
            return count
        done = count
        self.ball[count] = place
        self.mark[place] = self.turn
        self.away[place] = 0
        count += 1
        arc: cython.longlong
        while done < count:
            node: cython.longlong = self.ball[done]
            done += 1
            if self.away[node] >= radius:
                continue
            for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
                other: cython.longlong = self.arcs.target[arc]
                if self.mark[other] != self.turn:
                    self.mark[other] = self.turn
                    self.away[other] = self.away[node] + 1
                    self.ball[count] = other
                    count += 1
        return count

    def reset(self, count: cython.longlong) -> cython.void:
        """Give the first `count` nodes of `ball` back what they began with; they and their neighbours are looked at.

        Open nodes that were narrowed by them start again too, as far as the narrowing went; what the others still say
        is then propagated back into them.
        """
        count = self.add_narrowed(count)
        self.fill.effort += count
        index: cython.longlong
        arc: cython.longlong
        for index in range(count):
            self.give_back(self.ball[index])
        for index in range(count):
            node: cython.longlong = self.ball[index]
            self.fill.look_again(node)
            self.fill.effort += self.arcs.start[node + 1] - self.arcs.start[node]
            for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
                self.fill.look_again(self.arcs.target[arc])

    def add_narrowed(self, count: cython.longlong) -> cython.longlong:
        """Add open nodes that were narrowed and hang on gathered ones to `ball`; returns how many there are then."""
        done: cython.longlong = 0
        arc: cython.longlong
        while done < count:
            node: cython.longlong = self.ball[done]
            done += 1
            for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
                other: cython.longlong = self.arcs.target[arc]
                if self.mark[other] != self.turn and self.fill.sizes[other] > 1 and self.is_narrowed(other):
                    self.mark[other] = self.turn
                    self.ball[count] = other
                    count += 1
        return count

    def is_narrowed(self, node: cython.longlong) -> cython.bint:
        """Tell whether less is possible on a node than at first."""
        word: cython.longlong
        for word in range(self.arcs.words):
            if self.fill.domains[node, word] != self.roots[node, word]:
                return True
        return False

    def give_back(self, node: cython.longlong) -> cython.void:
        """Give a node back what it began with."""
        size: cython.longlong = 0
        word: cython.longlong
        for word in range(self.arcs.words):
            self.fill.domains[node, word] = self.roots[node, word]
            size += popcount(self.roots[node, word])
        self.fill.sizes[node] = size
        rank: cython.longlong = self.choosing.rank[node]
        if rank < self.choosing.place:
            self.choosing.place = rank
        self.fill.unsettle(node)
        self.fill.touch(node)
