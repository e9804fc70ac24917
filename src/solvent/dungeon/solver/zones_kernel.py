"""Whether every move can be undone, and which areas are one zone to a player who may lack what doors ask for.

What these are for is said in `surplus`.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.areas_kernel import Areas
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState
else:
    from solvent.dungeon.solver.areas_kernel import Areas
    from solvent.dungeon.solver.graph_kernel import Graph
    from solvent.dungeon.solver.state_kernel import PackedState

MAX_LOOKED_AT = 2_000_000
"""How many moves to look at for all walks back that take more than one move."""


@cython.final
@cython.cclass
class Zones:
    """Look at the moves between areas, goals aside."""

    areas: Areas
    """The areas."""
    graph: Graph
    """The graph of these areas."""
    passed: cython.ulonglong[:, ::1]
    """Shape (areas, words): what was asked for on every way to an area; see `sure_kernel`."""
    words: cython.longlong
    """How many words that is known of."""
    bits: PackedState
    """A set of bits to work with; empty between calls."""
    next_arc: cython.longlong
    """The arc to look at next."""
    undone = cython.declare(cython.bint, visibility="readonly")
    """Whether all moves looked at so far can be undone, whatever was done before."""
    zone_of: cython.int[::1]
    """For each area the first of those joined with it so far."""
    came_to: cython.int[::1]
    """For each area the last walk back that came to it, by the arc it is about, counted from 1."""
    waiting: cython.int[::1]
    """Areas from which a walk back goes on."""
    walks_left: cython.longlong
    """How many more moves to look at for walks back."""

    def __init__(self, areas: Areas) -> None:
        """Begin; call `check_undone` until it is done, then `learn_passed`, `join` likewise, and `list_zones`."""
        self.areas = areas
        self.graph = areas.graph
        self.passed = areas.sure
        self.words = 0
        self.bits = PackedState([0] * areas.graph.mechanics.words)
        self.next_arc = 0
        self.undone = True
        self.zone_of = new_row(areas.graph.nodes, SHORT)
        self.came_to = new_row(areas.graph.nodes, SHORT)
        self.waiting = new_row(areas.graph.nodes, SHORT)
        self.walks_left = MAX_LOOKED_AT

    def check_undone(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more moves; returns whether it is known if all can be undone."""
        with cython.nogil:
            self._check_undone(limit)
        return not self.undone or self.next_arc == self.graph.arcs

    def learn_passed(self, passed: memoryview, words: int) -> None:
        """Take over what was asked for on every way to each area, and begin to join areas."""
        self.passed = passed
        self.words = words
        self.next_arc = 0
        with cython.nogil:
            for area in range(self.graph.nodes):
                self.zone_of[area] = area

    def join(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more moves; returns whether all areas are joined."""
        with cython.nogil:
            self._join(limit)
        return self.next_arc == self.graph.arcs

    def list_zones(self) -> memoryview:
        """Return for each area the smallest one that moves without doors join it with, both ways."""
        with cython.nogil:
            for area in range(self.graph.nodes):
                self.zone_of[area] = self._head(area)
        return memoryview(self.zone_of)[: self.graph.nodes]

    def doors(self) -> memoryview:
        """Return the moves that lead into another zone or ask for what a player may lack; call `list_zones` before."""
        count = self._list_doors(new_row(1, SHORT), False)
        found = new_row(count, SHORT)
        self._list_doors(found, True)
        return found[:count]

    def lacking(self, arc: cython.longlong) -> tuple[tuple[int, int], ...]:
        """Return the bits that a move asks for and a player may lack, as pairs of a word and a mask."""
        here = self.graph.source[arc]
        demand = self.graph.demand[arc]
        found = []
        for entry in range(self.areas.asked.set_bits.first[demand], self.areas.asked.set_bits.first[demand + 1]):
            word = self.areas.asked.set_bits.word[entry]
            mask: cython.ulonglong = self.areas.asked.set_bits.mask[entry]
            if word < self.words:
                mask &= ~self.passed[here, word]
            if mask != 0:
                found.append((word, mask))
        return tuple(found)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_inner(self, arc: cython.longlong) -> cython.bint:
        """Tell whether a move neither leaves nor ends on a goal."""
        return self.graph.is_goal[self.graph.source[arc]] == 0 and self.graph.is_goal[self.graph.target[arc]] == 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _check_undone(self, limit: cython.longlong) -> cython.void:
        """Do what `check_undone` says."""
        while self.next_arc < self.graph.arcs and self.undone and limit > 0:
            arc = self.next_arc
            self.next_arc += 1
            limit -= 1
            if not self._is_inner(arc):
                continue
            here = self.graph.source[arc]
            there = self.graph.target[arc]
            back = self.graph.first_to(there, here)
            found: cython.bint = False
            self.areas.asked.set_bits.add_to(self.graph.demand[arc], self.bits)
            while back < self.graph.first_arc[there + 1] and self.graph.target[back] == here and not found:
                limit -= 4
                found = self._undoes(back, arc)
                back += 1
            if not found:
                limit -= self.walks_left
                found = self._walks_back(arc)
                limit += self.walks_left
            self.areas.asked.set_bits.clear_in(self.graph.demand[arc], self.bits)
            self.undone = found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _undoes(self, back: cython.longlong, arc: cython.longlong) -> cython.bint:
        """Tell whether a move back needs only what a move needed, set in `bits`, or what is sure where it began."""
        demand = self.graph.demand[back]
        here = self.graph.source[arc]
        there = self.graph.target[arc]
        if self.areas.asked.never[demand] != 0 and self.areas.asked.never[self.graph.demand[arc]] == 0:
            return False
        for entry in range(self.areas.asked.set_bits.first[demand], self.areas.asked.set_bits.first[demand + 1]):
            word = self.areas.asked.set_bits.word[entry]
            lacking: cython.ulonglong = self.areas.asked.set_bits.mask[entry] & ~self.bits.words[word]
            if word < self.areas.sure_words:
                lacking &= ~(self.areas.sure[here, word] | self.areas.sure[there, word])
            if lacking != 0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _walks_back(self, arc: cython.longlong) -> cython.bint:
        """Tell whether a walk leads back from where a move ends that needs no more than one move back may need."""
        here = self.graph.source[arc]
        there = self.graph.target[arc]
        mark: cython.int = cython.cast(cython.int, arc + 1)
        count: cython.longlong = 1
        self.waiting[0] = there
        self.came_to[there] = mark
        while count > 0 and self.walks_left > 0:
            count -= 1
            area = self.waiting[count]
            for step in range(self.graph.first_arc[area], self.graph.first_arc[area + 1]):
                self.walks_left -= 1
                after = self.graph.target[step]
                if self.came_to[after] != mark and self._is_inner(step) and self._undoes(step, arc):
                    if after == here:
                        return True
                    self.came_to[after] = mark
                    self.waiting[count] = after
                    count += 1
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_free(self, arc: cython.longlong) -> cython.bint:
        """Tell whether a move asks for nothing that a player may lack."""
        demand = self.graph.demand[arc]
        here = self.graph.source[arc]
        if self.areas.asked.never[demand] != 0:
            return False
        for entry in range(self.areas.asked.set_bits.first[demand], self.areas.asked.set_bits.first[demand + 1]):
            word = self.areas.asked.set_bits.word[entry]
            lacking: cython.ulonglong = self.areas.asked.set_bits.mask[entry]
            if word < self.words:
                lacking &= ~self.passed[here, word]
            if lacking != 0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _join(self, limit: cython.longlong) -> cython.void:
        """Do what `join` says."""
        while self.next_arc < self.graph.arcs and limit > 0:
            arc = self.next_arc
            self.next_arc += 1
            limit -= 1
            here = self.graph.source[arc]
            there = self.graph.target[arc]
            if here >= there or not self._is_inner(arc) or not self._is_free(arc):
                continue
            back = self.graph.first_to(there, here)
            while back < self.graph.first_arc[there + 1] and self.graph.target[back] == here:
                limit -= 4
                if self._is_free(back):
                    one = self._head(here)
                    two = self._head(there)
                    self.zone_of[max(one, two)] = min(one, two)
                    break
                back += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _head(self, area: cython.longlong) -> cython.longlong:
        """Return the smallest area known to be in the same zone; shortens the way to it."""
        while self.zone_of[area] != area:
            self.zone_of[area] = self.zone_of[self.zone_of[area]]
            area = self.zone_of[area]
        return area

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list_doors(self, found: cython.int[::1], fill: cython.bint) -> cython.longlong:
        """Return how many moves `doors` is about; with `fill`, write them down."""
        count: cython.longlong = 0
        for arc in range(self.graph.arcs):
            if not self._is_inner(arc):
                continue
            same: cython.bint = self.zone_of[self.graph.source[arc]] == self.zone_of[self.graph.target[arc]]
            if not same or not self._is_free(arc):
                if fill:
                    found[count] = arc
                count += 1
        return count
