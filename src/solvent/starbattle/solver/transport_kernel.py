"""The transport count: how the stars of all lines can be shared out among all regions.

Every line must send the stars it needs to regions, every region must receive the stars it needs, and a line can send
a region no more than fit side by side on the cells they share. If no such transport exists, nothing fits. If one does,
it can be rerouted around any circle of its residual graph and in no other way, so a line and a region whose flow lies
on no circle have the same flow in every transport:

- a flow of 0: no star stands where they meet;
- a flow that fills the room: there stand as many stars as fit, and where the cells form a run of odd length, as many as
  fit means every other cell.

This is all counting of n regions against n lines, for every n and every choice of them at once.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import REGIONS, room_on
else:
    from solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import REGIONS, WIDEST, room_on, zeros

FIRST_REGION = cython.declare(cython.longlong, 32)  # the node of region 0; lines are the nodes from 0 on


@cython.final
@cython.freelist(2)
@cython.cclass
class TransportCount:
    """Count rows or columns against regions. The fields are described in `transport_kernel.pxd`."""

    def __init__(self) -> None:
        """Begin with a transport of nothing."""
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.flow = zeros(2, WIDEST, WIDEST)
            self.room = zeros(WIDEST, WIDEST)
            self.lacking = zeros(WIDEST)
            self.region_lacking = zeros(WIDEST)
            self.sender = zeros(WIDEST)
            self.receiver = zeros(WIDEST)
            self.ahead = zeros(64)
            self.behind = zeros(64)

    def narrow(self, position: Position, orientation: cython.longlong) -> cython.longlong:
        """Draw conclusions from rows or columns against regions.

        Returns -1 if there is no transport, 1 if any cell changed, else 0.
        """
        self.keep_what_fits(position, orientation)
        for line in range(position.board.size):
            while self.lacking[line] > 0:
                if not self.send_one_more(position, orientation, line):
                    return -1
                self.lacking[line] -= 1
        self.draw_arrows(position, orientation)
        return self.conclude(position, orientation)

    def keep_what_fits(self, position: Position, orientation: cython.longlong) -> cython.void:
        """Measure the room, keep of the last transport what still fits, and note what each unit then lacks."""
        for region in range(position.board.size):
            self.region_lacking[region] = position.needs[REGIONS][region]
        for line in range(position.board.size):
            lacking = position.needs[orientation][line]
            met = position.board.met[orientation][line]
            while met != 0:
                region = lowest_bit(met)
                met = without_lowest_bit(met)
                room = room_on(
                    position.candidates[orientation][line] & position.board.segment[orientation][line][region]
                )
                self.room[line][region] = room
                sent = min(self.flow[orientation][line][region], room, lacking, self.region_lacking[region])
                self.flow[orientation][line][region] = sent
                lacking -= sent
                self.region_lacking[region] -= sent
            self.lacking[line] = lacking

    def send_one_more(self, position: Position, orientation: cython.longlong, start: cython.longlong) -> cython.bint:
        """Find a way, rerouting others if need be, to send one more star from a line; False if there is none.

        Breadth first over lines: a line reaches a region it has room in; a region that lacks nothing reaches the lines
        that send to it.
        """
        seen_regions: cython.ulonglong = 0
        seen_lines = bit(start)
        waiting = seen_lines
        while waiting != 0:
            line = lowest_bit(waiting)
            waiting = without_lowest_bit(waiting)
            regions = position.board.met[orientation][line] & ~seen_regions
            while regions != 0:
                region = lowest_bit(regions)
                regions = without_lowest_bit(regions)
                if self.flow[orientation][line][region] >= self.room[line][region]:
                    continue
                seen_regions |= bit(region)
                self.sender[region] = line
                if self.region_lacking[region] > 0:
                    self.region_lacking[region] -= 1
                    self.reroute(orientation, start, region)
                    return True
                for other in range(position.board.size):
                    if seen_lines & bit(other) == 0 and self.flow[orientation][other][region] > 0:
                        seen_lines |= bit(other)
                        waiting |= bit(other)
                        self.receiver[other] = region
        return False

    def reroute(self, orientation: cython.longlong, start: cython.longlong, region: cython.longlong) -> cython.void:
        """Walk from a region back to the line where the way began, moving one star along each step."""
        while True:
            line = self.sender[region]
            self.flow[orientation][line][region] += 1
            if line == start:
                return
            region = self.receiver[line]
            self.flow[orientation][line][region] -= 1

    def draw_arrows(self, position: Position, orientation: cython.longlong) -> cython.void:
        """Fill `ahead` and `behind`: an arrow to a region where there is room, and one back where there is flow."""
        for unit in range(position.board.size):
            self.ahead[unit] = 0
            self.behind[unit] = 0
            self.ahead[FIRST_REGION + unit] = 0
            self.behind[FIRST_REGION + unit] = 0
        for line in range(position.board.size):
            met = position.board.met[orientation][line]
            while met != 0:
                region = lowest_bit(met)
                met = without_lowest_bit(met)
                node = FIRST_REGION + region
                flow = self.flow[orientation][line][region]
                if flow < self.room[line][region]:
                    self.ahead[line] |= bit(node)
                    self.behind[node] |= bit(line)
                if flow > 0:
                    self.ahead[node] |= bit(line)
                    self.behind[line] |= bit(node)

    def circle_of(self, start: cython.longlong, within: cython.ulonglong) -> cython.ulonglong:
        """Return the nodes of `within` that lie on a circle with the node `start`, and it."""
        reached = bit(start)
        waiting = reached
        while waiting != 0:
            node = lowest_bit(waiting)
            waiting = without_lowest_bit(waiting)
            found = self.ahead[node] & within & ~reached
            reached |= found
            waiting |= found
        circle = bit(start)
        waiting = circle
        while waiting != 0:
            node = lowest_bit(waiting)
            waiting = without_lowest_bit(waiting)
            found = self.behind[node] & reached & ~circle
            circle |= found
            waiting |= found
        return circle

    def conclude(self, position: Position, orientation: cython.longlong) -> cython.longlong:
        """Rule out and place where line and region lie on no common circle; returns what `narrow` does."""
        changed: cython.longlong = 0
        left = position.board.every | (position.board.every << FIRST_REGION)
        for start in range(position.board.size):
            if left & bit(start) == 0:
                continue
            circle = self.circle_of(start, left)
            left &= ~circle
            lines = circle & position.board.every
            while lines != 0:
                line = lowest_bit(lines)
                lines = without_lowest_bit(lines)
                apart = position.board.met[orientation][line] & ~(circle >> FIRST_REGION)
                found = self.conclude_apart(position, orientation, line, apart)
                if found < 0:
                    return -1
                changed |= found
        return changed

    def conclude_apart(
        self,
        position: Position,
        orientation: cython.longlong,
        line: cython.longlong,
        apart: cython.ulonglong,
    ) -> cython.longlong:
        """Conclude for a line and the regions with which it is on no circle; returns what `narrow` does."""
        changed: cython.longlong = 0
        while apart != 0:
            region = lowest_bit(apart)
            apart = without_lowest_bit(apart)
            cells = position.candidates[orientation][line] & position.board.segment[orientation][line][region]
            if cells == 0:
                continue
            flow = self.flow[orientation][line][region]
            if flow == 0:
                changed = 1
                position.rule_out(orientation, line, cells)
            elif flow == self.room[line][region]:
                always = every_other(cells)
                if always != 0:
                    changed = 1
                    if not position.place(orientation, line, always):
                        return -1
        return changed


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def every_other(cells: cython.ulonglong) -> cython.ulonglong:
    """Return the cells that must be stars when as many as possible are: every other one of each run of odd length."""
    always: cython.ulonglong = 0
    while cells != 0:
        cell = cells & (~cells + 1)
        run = cells & ~(cells + cell)
        cells &= ~run
        picked: cython.ulonglong = 0
        length_is_odd: cython.bint = False
        while run & cell != 0:
            length_is_odd = not length_is_odd
            if length_is_odd:
                picked |= cell
            cell <<= 1
        if length_is_odd:
            always |= picked
    return always
