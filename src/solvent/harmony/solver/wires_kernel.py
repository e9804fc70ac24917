"""The tables of wire annealing: what a plan costs, and what changing it would.

A plan is a fixed number of slots in time. A slot is empty or holds a swap of two aligned live cells. Each tile draws a
wire through time: the cells it stands on, slot by slot. The plan costs 2 for each swap that a tile makes too many and 3
for each tile that ends outside its row.

Swaps that a tile makes too few cost nothing by themselves. Once all tiles are home, those of one row can be swapped
with each other in any way, wherever in the row they stand, so they use up the moves they have left in pairs of two
tiles. A row can do that if its moves left are even in number and no tile has more than half of them; each move that
finds no partner costs 2. Cost 0 is a solution, with these swaps added at the end: every tile makes exactly as many
swaps as it has moves, so it never runs out on the way.

Changing a slot crosses or uncrosses wires: from there on, at most four tiles ride the rest of one another's wires. What
that costs can be told from the ends of those wires alone, so judging a change takes a handful of steps, and only a
change that is kept has to be written into the tables.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row, new_table, row_of
from solvent.harmony.model import Board, Swap

_MISCOUNT_COST = cython.declare(cython.longlong, 2)
_WRONG_ROW_COST = cython.declare(cython.longlong, 3)


@cython.final
@cython.cclass
class Plan:
    """Hold a plan with the wires it draws. The fields are described in `wires_kernel.pxd`."""

    def __init__(self, board: Board, slots: int) -> None:
        cells = board.rows * board.cols
        self.cols = board.cols
        self.cells = cells
        self.slots = slots
        self.colours = row_of(board.colours)
        self.moves = row_of(board.moves)
        self.partners = new_table(cells, board.rows + board.cols, SHORT)
        self.partner_count = new_row(cells, SHORT)
        self.live = new_row(cells, SHORT)
        self.live_count = 0
        self.swap_a = new_row(slots, SHORT)
        self.swap_b = new_row(slots, SHORT)
        self.tile_at = new_table(cells, slots + 1, SHORT)
        self.cell_of = new_table(cells, slots + 1, SHORT)
        self.swaps_before = new_table(cells, slots + 1, SHORT)
        self.swaps_made = new_row(cells)
        self.end_row = new_row(cells)
        self.rows = board.rows
        self.left = new_row(cells)
        self.tiles_of = new_table(board.rows, cells, SHORT)
        self.tile_count = new_row(board.rows)
        self.most_moves = new_row(board.rows)
        self.left_of = new_row(board.rows)
        self.unpaired = new_row(board.rows)
        self.standing = new_row(cells)
        self.since = new_row(cells)
        self.laid = 0
        self.cost = 0
        self._find_partners(board.rows, board.cols)
        self._find_tiles()

    def _find_partners(self, rows: cython.longlong, cols: cython.longlong) -> None:
        for cell in range(rows * cols):
            if self.moves[cell] == 0:
                continue
            row = cell // cols
            col = cell % cols
            count: cython.longlong = 0
            for place in range(cols + rows):  # those of its row, then those of its column
                other = row * cols + place if place < cols else (place - cols) * cols + col
                if other != cell and self.moves[other] > 0:
                    self.partners[cell, count] = other
                    count += 1
            self.partner_count[cell] = count
            if count > 0:
                self.live[self.live_count] = cell
                self.live_count += 1

    def _find_tiles(self) -> None:
        for tile in range(self.cells):
            row = self.colours[tile]
            if row < self.rows:
                self.tiles_of[row, self.tile_count[row]] = tile
                self.tile_count[row] += 1
                self.most_moves[row] = max(self.most_moves[row], self.moves[tile])

    def swaps(self) -> list[Swap]:
        """Return the swaps in order of time, without those at the end inside the rows."""
        pairs = [(self.swap_a[slot], self.swap_b[slot]) for slot in range(self.slots)]
        return [(min(a, b), max(a, b)) for a, b in pairs if a >= 0]

    def moves_left(self) -> list[dict[int, int]]:
        """Return for each row the cells on which its tiles end that have moves left, with how many."""
        found: list[dict[int, int]] = []
        for row in range(self.rows):
            tiles = [self.tiles_of[row, place] for place in range(self.tile_count[row])]
            found.append({self.cell_of[tile, self.slots]: self.left[tile] for tile in tiles if self.left[tile] > 0})
        return found

    def tile_cost(self, tile: cython.longlong, swaps: cython.longlong, row: cython.longlong) -> cython.longlong:
        """Return what a tile adds to the cost by itself when it makes this many swaps and ends in this row."""
        cost: cython.longlong = _MISCOUNT_COST * max(0, swaps - self.moves[tile])
        if row != self.colours[tile]:
            cost += _WRONG_ROW_COST
        return cost

    def set_left(self, tile: cython.longlong, swaps: cython.longlong) -> cython.longlong:
        """Write down what a tile has left when it makes this many swaps; returns what it had."""
        before = self.left[tile]
        left = max(0, self.moves[tile] - swaps)
        self.left[tile] = left
        row = self.colours[tile]
        if row < self.rows:
            self.left_of[row] += left - before
        return before

    def find_unpaired(self, row: cython.longlong) -> cython.longlong:
        """Return how many of the moves that a row's tiles have left find no partner among them."""
        total = self.left_of[row]
        if total >= 2 * self.most_moves[row]:
            return total & 1
        most: cython.longlong = 0
        for place in range(self.tile_count[row]):
            most = max(most, self.left[self.tiles_of[row, place]])
        return max(2 * most - total, total & 1)

    def is_wrong(self, tile: cython.longlong) -> cython.bint:
        """Tell whether a tile adds to the cost, or has moves left in a row that cannot pair them."""
        row = self.colours[tile]
        if self.end_row[tile] != row or self.swaps_made[tile] > self.moves[tile]:
            return True
        return self.unpaired[row] > 0 and self.left[tile] > 0

    def clear(self) -> cython.void:
        """Empty all slots; the wires are not laid yet."""
        for slot in range(self.slots):
            self.swap_a[slot] = -1
            self.swap_b[slot] = -1

    def set_slot(self, slot: cython.longlong, a: cython.longlong, b: cython.longlong) -> cython.void:
        """Let a slot swap two cells, or none if they are -1; the wires stay as they were."""
        self.swap_a[slot] = a
        self.swap_b[slot] = b

    def begin_wires(self) -> cython.void:
        """Begin to fill all tables from the swaps alone."""
        for cell in range(self.cells):
            self.standing[cell] = cell
            self.since[cell] = 0
            self.swaps_made[cell] = 0
            self.left[cell] = 0
        for row in range(self.rows):
            self.left_of[row] = 0
        self.laid = 0
        self.cost = 0

    def lay_wires(self, limit: cython.longlong) -> cython.void:
        """Fill about `limit` more places of the tables."""
        filled: cython.longlong = 0
        while self.laid < self.slots + self.cells and filled < limit:
            if self.laid < self.slots:
                filled += 1 + self.lay_slot(self.laid)
            else:
                filled += self.lay_end(self.laid - self.slots)
            self.laid += 1
            if self.laid == self.slots + self.cells:
                self.add_unpaired()

    def lay_slot(self, slot: cython.longlong) -> cython.longlong:
        """Draw the wires of the two tiles that a slot swaps up to it; returns how many places that filled."""
        a = self.swap_a[slot]
        b = self.swap_b[slot]
        if a < 0:
            return 0
        tile_a = self.standing[a]
        tile_b = self.standing[b]
        filled = self.draw_wire(tile_a, a, slot + 1) + self.draw_wire(tile_b, b, slot + 1)
        self.standing[a] = tile_b
        self.standing[b] = tile_a
        self.swaps_made[tile_a] += 1
        self.swaps_made[tile_b] += 1
        return filled

    def lay_end(self, cell: cython.longlong) -> cython.longlong:
        """Draw the wire that ends on a cell to its end, and add what its tile costs; returns places filled."""
        tile = self.standing[cell]
        filled = self.draw_wire(tile, cell, self.slots + 1)
        self.end_row[tile] = cell // self.cols
        self.cost += self.tile_cost(tile, self.swaps_made[tile], self.end_row[tile])
        self.set_left(tile, self.swaps_made[tile])
        return filled

    def add_unpaired(self) -> cython.void:
        """Add what the rows cost."""
        for row in range(self.rows):
            self.unpaired[row] = self.find_unpaired(row)
            self.cost += _MISCOUNT_COST * self.unpaired[row]

    def draw_wire(self, tile: cython.longlong, cell: cython.longlong, until: cython.longlong) -> cython.longlong:
        """Write down that a tile stands on a cell from where its wire is drawn so far to just before slot `until`.

        Returns for how many slots that is.
        """
        begin = self.since[tile]
        for slot in range(begin, until):
            self.tile_at[cell, slot] = tile
            self.cell_of[tile, slot] = cell
            self.swaps_before[tile, slot] = self.swaps_made[tile]
        self.since[tile] = until
        return until - begin


@cython.final
@cython.cclass
class Change:
    """Hold a change of one or two slots that may be made to a plan. The fields are described in `wires_kernel.pxd`."""

    def __init__(self, cells: int) -> None:
        self.steps = 0
        self.slot = [0] * 2
        self.a = [0] * 2
        self.b = [0] * 2
        self.rider = row_of(range(cells))
        self.extra = new_row(cells)
        self.touched_count = 0
        self.touched = [0] * 8
        self.next_wire = [0] * 4
        self.next_rider = [0] * 4
        self.next_extra = [0] * 4
        self.moved_count = [0] * 2
        self.moved_wire = [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
        self.moved_rider = [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
        self.moved_extra = [[0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0]]
        self.held_place = [0] * 8
        self.held_swaps = [0] * 8
        self.left_before = [0] * 8

    def begin(self) -> cython.void:
        """Start a new change, of nothing yet."""
        self.steps = 0

    def set_slot(self, slot: cython.longlong, a: cython.longlong, b: cython.longlong) -> cython.void:
        """Add to the change that a slot is to swap cells a and b, or to be empty if they are -1; at most twice."""
        step: cython.longlong = self.steps
        if step == 1 and slot < self.slot[0]:
            self.slot[1] = self.slot[0]
            self.a[1] = self.a[0]
            self.b[1] = self.b[0]
            step = 0
        self.slot[step] = slot
        self.a[step] = a
        self.b[step] = b
        self.steps += 1

    def rise(self, plan: Plan) -> cython.longlong:
        """Return how much more the plan would cost after the change."""
        self.touched_count = 0
        for step in range(self.steps):
            self.cross(plan, step)
        rise: cython.longlong = 0
        for place in range(self.touched_count):
            wire = self.touched[place]
            swaps = plan.swaps_made[wire]
            row = plan.end_row[wire]
            rise += plan.tile_cost(self.rider[wire], swaps + self.extra[wire], row)
            rise -= plan.tile_cost(wire, swaps, row)
        rise += self.rise_of_rows(plan)
        for place in range(self.touched_count):
            wire = self.touched[place]
            self.rider[wire] = wire
            self.extra[wire] = 0
        return rise

    def rise_of_rows(self, plan: Plan) -> cython.longlong:
        """Return how much more the moves left in the rows would cost."""
        for place in range(self.touched_count):
            wire = self.touched[place]
            rider = self.rider[wire]
            self.left_before[place] = plan.set_left(rider, plan.swaps_made[wire] + self.extra[wire])
        rise: cython.longlong = 0
        for place in range(self.touched_count):
            rider = self.rider[self.touched[place]]
            row = plan.colours[rider]
            if row < plan.rows and plan.left[rider] != self.left_before[place] and not self.knows_row(plan, row, place):
                rise += plan.find_unpaired(row) - plan.unpaired[row]
        for place in range(self.touched_count):
            rider = self.rider[self.touched[place]]
            plan.set_left(rider, plan.moves[rider] - self.left_before[place])
        return _MISCOUNT_COST * rise

    def knows_row(self, plan: Plan, row: cython.longlong, place: cython.longlong) -> cython.bint:
        """Tell whether a touched wire before number `place` has a rider of this row with other moves left."""
        for other in range(place):
            rider = self.rider[self.touched[other]]
            if plan.colours[rider] == row and plan.left[rider] != self.left_before[other]:
                return True
        return False

    def cross(self, plan: Plan, step: cython.longlong) -> cython.void:
        """Replace one slot and follow which tile rides which old wire afterwards."""
        old_a: cython.longlong = plan.swap_a[self.slot[step]]
        old_b: cython.longlong = plan.swap_b[self.slot[step]]
        new_a = self.a[step]
        new_b = self.b[step]
        count: cython.longlong = 0
        if old_a >= 0:
            count = self.follow_tile(plan, step, old_a, count)
            count = self.follow_tile(plan, step, old_b, count)
        if new_a >= 0 and new_a != old_a and new_a != old_b:
            count = self.follow_tile(plan, step, new_a, count)
        if new_b >= 0 and new_b != old_a and new_b != old_b:
            count = self.follow_tile(plan, step, new_b, count)
        for place in range(count):
            wire = self.next_wire[place]
            known: cython.bint = False
            for other in range(self.touched_count):
                if self.touched[other] == wire:
                    known = True
            if not known:
                self.touched[self.touched_count] = wire
                self.touched_count += 1
            self.rider[wire] = self.next_rider[place]
            self.extra[wire] = self.next_extra[place]
        self.note_moved(step)

    def follow_tile(
        self, plan: Plan, step: cython.longlong, cell: cython.longlong, count: cython.longlong
    ) -> cython.longlong:
        """Note, as number `count`, which wire the tile on a cell rides after a changed slot; returns the new count."""
        slot = self.slot[step]
        wire = plan.tile_at[cell, slot]
        swaps: cython.longlong = plan.swaps_before[wire, slot] + self.extra[wire]
        there = cell
        if cell == self.a[step]:
            there = self.b[step]
            swaps += 1
        elif cell == self.b[step]:
            there = self.a[step]
            swaps += 1
        onward = plan.tile_at[there, slot + 1]
        self.next_wire[count] = onward
        self.next_rider[count] = self.rider[wire]
        self.next_extra[count] = swaps - plan.swaps_before[onward, slot + 1]
        return count + 1

    def note_moved(self, step: cython.longlong) -> cython.void:
        """Note the wires that are ridden differently after a changed slot."""
        count: cython.longlong = 0
        for place in range(self.touched_count):
            wire = self.touched[place]
            if self.rider[wire] != wire or self.extra[wire] != 0:
                self.moved_wire[step][count] = wire
                self.moved_rider[step][count] = self.rider[wire]
                self.moved_extra[step][count] = self.extra[wire]
                count += 1
        self.moved_count[step] = count

    def carry_out(self, plan: Plan) -> cython.void:
        """Write the change into the plan, once `rise` has judged it; the cost is the caller's to add."""
        self.exchange_ends(plan)
        for step in range(self.steps):
            self.rewire(plan, step, self.slot[step + 1] if step + 1 < self.steps else plan.slots)
        for step in range(self.steps):
            plan.set_slot(self.slot[step], self.a[step], self.b[step])

    def exchange_ends(self, plan: Plan) -> cython.void:
        """Give the ends of the wires to their riders."""
        last = self.steps - 1
        for place in range(self.moved_count[last]):
            wire = self.moved_wire[last][place]
            self.held_swaps[place] = plan.swaps_made[wire] + self.moved_extra[last][place]
            self.held_place[place] = plan.end_row[wire]
        for place in range(self.moved_count[last]):
            rider = self.moved_rider[last][place]
            plan.swaps_made[rider] = self.held_swaps[place]
            plan.end_row[rider] = self.held_place[place]
            plan.set_left(rider, self.held_swaps[place])
        for place in range(self.moved_count[last]):
            row = plan.colours[self.moved_rider[last][place]]
            if row < plan.rows:
                plan.unpaired[row] = plan.find_unpaired(row)

    def rewire(self, plan: Plan, step: cython.longlong, until: cython.longlong) -> cython.void:
        """Give the wires to their riders after a changed slot, up to the time before slot `until`."""
        count = self.moved_count[step]
        if count == 0:
            return
        for slot in range(self.slot[step] + 1, until + 1):
            for place in range(count):
                wire = self.moved_wire[step][place]
                self.held_place[place] = plan.cell_of[wire, slot]
                self.held_swaps[place] = plan.swaps_before[wire, slot]
            for place in range(count):
                rider = self.moved_rider[step][place]
                plan.cell_of[rider, slot] = self.held_place[place]
                plan.tile_at[self.held_place[place], slot] = rider
                plan.swaps_before[rider, slot] = self.held_swaps[place] + self.moved_extra[step][place]
