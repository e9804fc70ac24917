"""The changes wire annealing tries: each sets one or two slots of the change, or none where it finds nothing."""

# mypy: ignore-errors

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.random import after_draws, index_of, scramble, unit_of
    from cython.cimports.solvent.harmony.solver.wires_kernel import Change, Plan
else:
    from solvent.engine.random import after_draws, index_of, scramble, unit_of
    from solvent.harmony.solver.wires_kernel import Change, Plan


@cython.final
@cython.cclass
class Proposals:
    """Propose changes of a plan at random. The fields are described in `proposals_kernel.pxd`."""

    def __init__(self, plan: Plan, change: Change, random: int) -> None:
        self.plan = plan
        self.change = change
        self.random = random

    def draw(self, bound: cython.longlong) -> cython.longlong:
        """Draw a number from 0 to bound - 1."""
        self.random = after_draws(self.random, 1)
        return index_of(scramble(self.random), bound)

    def draw_unit(self) -> cython.double:
        """Draw a number from 0 to 1, 1 excluded."""
        self.random = after_draws(self.random, 1)
        return unit_of(scramble(self.random))

    def propose(self) -> cython.void:
        """Set the change to a new one, often to that of nothing."""
        self.change.begin()
        kind = self.draw(20)
        if kind < 8:
            self.mend()
        elif kind < 11:
            self.slide()
        elif kind < 12:
            self.shift()
        elif kind < 16:
            self.trade()
        else:
            self.set_or_clear()

    def mend(self) -> cython.void:
        """Pass the fault of a wrong tile on to another one, until two faults meet and cancel out.

        A tile with too many swaps loses one, and its partner there gets another; a tile with too few gets one, and its
        partner there loses another; a tile with the right number trades one. So all but two tiles keep their number.
        Most other changes are refused because they make new faults; these seldom do.
        """
        tile = self.wrong_tile()
        target = self.draw(self.plan.slots)
        surplus = self.plan.swaps_made[tile] - self.plan.moves[tile]
        source: cython.longlong = -1
        if surplus >= 0:
            source = self.swap_of_tile(tile)
            if source < 0:
                return
            if surplus > 0:
                here = self.plan.cell_of[tile, source]
                there = self.plan.swap_b[source] if self.plan.swap_a[source] == here else self.plan.swap_a[source]
                tile = self.plan.tile_at[there, source]
        a: cython.longlong = self.plan.cell_of[tile, target]
        if self.plan.partner_count[a] == 0:
            return
        b = self.partner(a)
        if surplus < 0:
            source = self.swap_of_tile(self.plan.tile_at[b, target])
            if source < 0:
                return
        self.move_swap(source, target, a, b)

    def slide(self) -> cython.void:
        """Turn two swaps that share a cell into two others with the same effect on where tiles end.

        (a b)(a c) moves the same tiles to the same cells as (a c)(b c) and as (b c)(a b), but other tiles pay for it.
        A swap done twice is put on another pair instead.
        """
        slots = self.plan.slots
        first = self.draw(slots)
        for _ in range(slots):
            if self.plan.swap_a[first] >= 0:
                break
            first = first + 1 if first + 1 < slots else 0
        a: cython.longlong = self.plan.swap_a[first]
        b: cython.longlong = self.plan.swap_b[first]
        if a < 0:
            return
        second = first + 1
        p: cython.longlong = -1
        q: cython.longlong = -1
        while second < slots:
            p = self.plan.swap_a[second]
            q = self.plan.swap_b[second]
            if p == a or p == b or q == a or q == b:  # an empty slot has -1, which neither is
                break
            second += 1
        if second == slots:
            return
        if (p == a and q == b) or (p == b and q == a):
            stay = a if self.draw(2) == 0 else b
            other = self.partner(stay)
            self.change.set_slot(first, stay, other)
            self.change.set_slot(second, stay, other)
            return
        if p == b or q == b:
            shared = b
            b = a
            a = shared
        c = q if p == a else p
        if b // self.plan.cols != c // self.plan.cols and b % self.plan.cols != c % self.plan.cols:
            return
        if self.draw(2) == 0:
            self.change.set_slot(first, a, c)
            self.change.set_slot(second, b, c)
        else:
            self.change.set_slot(first, b, c)
            self.change.set_slot(second, a, b)

    def shift(self) -> cython.void:
        """Move a swap to an empty slot."""
        source = self.draw(self.plan.slots)
        target = self.draw(self.plan.slots)
        if self.plan.swap_a[source] < 0 or self.plan.swap_a[target] >= 0:
            return
        self.change.set_slot(source, -1, -1)
        self.change.set_slot(target, self.plan.swap_a[source], self.plan.swap_b[source])

    def trade(self) -> cython.void:
        """Delete a swap and give one of its two tiles another swap at another time."""
        source = self.draw(self.plan.slots)
        target = self.draw(self.plan.slots)
        if self.plan.swap_a[source] < 0 or source == target:
            return
        cell = self.plan.swap_a[source] if self.draw(2) == 0 else self.plan.swap_b[source]
        a: cython.longlong = self.plan.cell_of[self.plan.tile_at[cell, source], target]
        self.move_swap(source, target, a, self.partner(a))

    def set_or_clear(self) -> cython.void:
        """Set or clear one slot; three times in ten, aim at a tile that is wrong."""
        slot = self.draw(self.plan.slots)
        old_a: cython.longlong = self.plan.swap_a[slot]
        old_b: cython.longlong = self.plan.swap_b[slot]
        a: cython.longlong = -1
        b: cython.longlong = -1
        if self.draw(10) < 3:
            cell: cython.longlong = self.plan.cell_of[self.wrong_tile(), slot]
            if self.plan.partner_count[cell] == 0:
                return
            if (cell != old_a and cell != old_b) or self.draw(2) == 0:
                a = cell
                b = self.partner(cell)
        elif old_a < 0 or self.draw(2) == 0:
            a = self.plan.live[self.draw(self.plan.live_count)]
            b = self.partner(a)
        if (a == old_a and b == old_b) or (a == old_b and b == old_a):
            return
        self.change.set_slot(slot, a, b)

    def move_swap(
        self, source: cython.longlong, target: cython.longlong, a: cython.longlong, b: cython.longlong
    ) -> cython.void:
        """Propose to empty slot `source` and to let slot `target` swap a and b, unless that changes nothing."""
        if source == target:
            return
        p = self.plan.swap_a[target]
        q = self.plan.swap_b[target]
        if (p == a and q == b) or (p == b and q == a):
            return
        self.change.set_slot(source, -1, -1)
        self.change.set_slot(target, a, b)

    def partner(self, cell: cython.longlong) -> cython.longlong:
        """Choose a live cell aligned with a cell that has some."""
        return self.plan.partners[cell, self.draw(self.plan.partner_count[cell])]

    def wrong_tile(self) -> cython.longlong:
        """Choose a tile that adds to the cost; there is one while the cost is not 0."""
        tile = self.draw(self.plan.cells)
        for _ in range(self.plan.cells):
            if self.plan.is_wrong(tile):
                break
            tile = tile + 1 if tile + 1 < self.plan.cells else 0
        return tile

    def swap_of_tile(self, tile: cython.longlong) -> cython.longlong:
        """Choose a slot in which a tile is swapped, or -1 if it never is."""
        slot = self.draw(self.plan.slots)
        for _ in range(self.plan.slots):
            cell = self.plan.cell_of[tile, slot]
            if self.plan.swap_a[slot] == cell or self.plan.swap_b[slot] == cell:
                return slot
            slot = slot + 1 if slot + 1 < self.plan.slots else 0
        return -1
