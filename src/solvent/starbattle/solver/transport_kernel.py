"""The transport count: how the stars of all lines, taken by twos, can be shared out among all regions.

Two neighbouring lines make a band; where the count of lines or the place to begin is odd, a band of one line is left at
an end. Every band must send the stars it needs to regions, every region must receive the stars it needs, and a band can
send a region no more than there is room for on the cells they share: two stars stand at least two places apart along
the band, whichever line each is on. If no such transport exists, nothing fits. If one does, it can be rerouted around
any circle of its residual graph and in no other way, so a band and a region whose flow lies on no circle have the same
flow in every transport:

- a flow of 0: no star stands where they meet;
- a flow that fills the room: there stand as many stars as fit, and where the places form a run of odd length, as many
  as fit means every other place. It is a star if only one line has a cell there.

This is all counting of n regions against n bands, for every n and every choice of them at once.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, low_bits, lowest_bit, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import REGIONS, room_on, widened
else:
    from solvent.engine.bits import bit, low_bits, lowest_bit, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import REGIONS, WIDEST, room_on, widened, zeros

FIRST_REGION = cython.declare(cython.longlong, 32)  # the node of region 0; bands are the nodes from 0 on


@cython.final
@cython.freelist(2)
@cython.cclass
class TransportCount:
    """Count bands of rows or columns against regions. The fields are described in `transport_kernel.pxd`."""

    def __init__(self) -> None:
        """Begin with a transport of nothing."""
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.kept = zeros(4, WIDEST, WIDEST)
            self.places = zeros(WIDEST, WIDEST)
            self.room = zeros(WIDEST, WIDEST)
            self.lacking = zeros(WIDEST)
            self.region_lacking = zeros(WIDEST)
            self.sender = zeros(WIDEST)
            self.receiver = zeros(WIDEST)
            self.ahead = zeros(64)
            self.behind = zeros(64)
        self.bands = 0
        self.begin = 0
        self.number = 0
        self.lackers = 0

    def narrow(self, position: Position, orientation: cython.longlong, begin: cython.longlong) -> cython.longlong:
        """Draw conclusions from bands of rows or columns against regions; the second band begins at `begin`, 1 or 2.

        Returns -1 if there is no transport, 1 if any cell changed, else 0.
        """
        self.begin = begin
        self.number = 2 * orientation + begin - 1
        self.bands = (position.board.size - begin + 1) // 2 + 1
        self.keep_what_fits(position, orientation)
        for band in range(self.bands):
            if self.lacking[band] > 0:
                self.send_where_lacking(band)
            while self.lacking[band] > 0:
                if not self.send_one_more(band):
                    return -1
                self.lacking[band] -= 1
        return self.conclude(position, orientation)

    def first_line(self, band: cython.longlong) -> cython.longlong:
        """Return the first line of a band."""
        return self.begin + 2 * (band - 1) if band > 0 else 0

    def end_line(self, band: cython.longlong, size: cython.longlong) -> cython.longlong:
        """Return the line behind the last one of a band."""
        return min(size, self.begin + 2 * band)

    def keep_what_fits(self, position: Position, orientation: cython.longlong) -> cython.void:
        """Measure the room, keep of the last transport what still fits, and note what each unit then lacks."""
        size = position.board.size
        self.lackers = 0
        for region in range(size):
            self.region_lacking[region] = position.needs[REGIONS][region]
            self.ahead[FIRST_REGION + region] = 0
            self.behind[FIRST_REGION + region] = 0
        for band in range(self.bands):
            first = self.first_line(band)
            lacking = position.needs[orientation][first]
            cells = position.candidates[orientation][first]
            regions = position.board.met[orientation][first]
            second = first
            other_cells: cython.ulonglong = 0
            if self.end_line(band, size) > first + 1:
                second = first + 1
                lacking += position.needs[orientation][second]
                other_cells = position.candidates[orientation][second]
                regions |= position.board.met[orientation][second]
            self.ahead[band] = 0
            self.behind[band] = 0
            while regions != 0:
                region = lowest_bit(regions)
                regions = without_lowest_bit(regions)
                places = cells & position.board.segment[orientation][first][region]
                places |= other_cells & position.board.segment[orientation][second][region]
                if places == 0:
                    self.kept[self.number][band][region] = 0
                    continue
                self.places[band][region] = places
                room = room_on(places)
                self.room[band][region] = room
                sent = min(self.kept[self.number][band][region], room, lacking, self.region_lacking[region])
                self.set_flow(band, region, sent)
                lacking -= sent
                self.region_lacking[region] -= sent
            self.lacking[band] = lacking
        for region in range(size):
            if self.region_lacking[region] > 0:
                self.lackers |= bit(FIRST_REGION + region)

    def set_flow(self, band: cython.longlong, region: cython.longlong, flow: cython.longlong) -> cython.void:
        """Set the flow between a band and a region, and their arrows.

        There is an arrow to the region where there is room, and one back where there is flow.
        """
        node = FIRST_REGION + region
        self.kept[self.number][band][region] = flow
        if flow < self.room[band][region]:
            self.ahead[band] |= bit(node)
            self.behind[node] |= bit(band)
        else:
            self.ahead[band] &= ~bit(node)
            self.behind[node] &= ~bit(band)
        if flow > 0:
            self.behind[band] |= bit(node)
            self.ahead[node] |= bit(band)
        else:
            self.behind[band] &= ~bit(node)
            self.ahead[node] &= ~bit(band)

    def send_where_lacking(self, band: cython.longlong) -> cython.void:
        """Send what a band lacks to regions that lack it too, as far as there is room."""
        nodes = self.ahead[band] & self.lackers
        while nodes != 0 and self.lacking[band] > 0:
            region = lowest_bit(nodes) - FIRST_REGION
            nodes = without_lowest_bit(nodes)
            flow = self.kept[self.number][band][region]
            sent = min(self.room[band][region] - flow, self.lacking[band], self.region_lacking[region])
            self.set_flow(band, region, flow + sent)
            self.lacking[band] -= sent
            self.receive(region, sent)

    def receive(self, region: cython.longlong, sent: cython.longlong) -> cython.void:
        """Note that a region got stars that it lacked."""
        self.region_lacking[region] -= sent
        if self.region_lacking[region] == 0:
            self.lackers &= ~bit(FIRST_REGION + region)

    def send_one_more(self, start: cython.longlong) -> cython.bint:
        """Find a way, rerouting others if need be, to send one more star from a band; False if there is none.

        The way follows the arrows, from bands to regions and back, to a region that lacks a star.
        """
        seen = bit(start)
        waiting = seen
        while waiting != 0:
            band = lowest_bit(waiting)
            waiting = without_lowest_bit(waiting)
            nodes = self.ahead[band] & ~seen
            if nodes & self.lackers != 0:
                region = lowest_bit(nodes & self.lackers) - FIRST_REGION
                self.sender[region] = band
                self.receive(region, 1)
                self.reroute(start, region)
                return True
            seen |= nodes
            while nodes != 0:
                node = lowest_bit(nodes)
                nodes = without_lowest_bit(nodes)
                self.sender[node - FIRST_REGION] = band
                others = self.ahead[node] & ~seen
                seen |= others
                waiting |= others
                while others != 0:
                    self.receiver[lowest_bit(others)] = node - FIRST_REGION
                    others = without_lowest_bit(others)
        return False

    def reroute(self, start: cython.longlong, region: cython.longlong) -> cython.void:
        """Walk from a region back to the band where the way began, moving one star along each step."""
        while True:
            band = self.sender[region]
            self.set_flow(band, region, self.kept[self.number][band][region] + 1)
            if band == start:
                return
            region = self.receiver[band]
            self.set_flow(band, region, self.kept[self.number][band][region] - 1)

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
        """Rule out and place where band and region lie on no common circle; returns what `narrow` does."""
        changed: cython.longlong = 0
        all_bands = low_bits(self.bands)
        left = all_bands | (position.board.every << FIRST_REGION)
        for start in range(self.bands):
            if left & bit(start) == 0:
                continue
            circle = self.circle_of(start, left)
            left &= ~circle
            bands = circle & all_bands
            while bands != 0:
                band = lowest_bit(bands)
                bands = without_lowest_bit(bands)
                apart = (self.ahead[band] | self.behind[band]) & ~circle
                while apart != 0:
                    region = lowest_bit(apart) - FIRST_REGION
                    apart = without_lowest_bit(apart)
                    found = self.conclude_apart(position, orientation, band, region)
                    if found < 0:
                        return -1
                    changed |= found
        return changed

    def conclude_apart(
        self, position: Position, orientation: cython.longlong, band: cython.longlong, region: cython.longlong
    ) -> cython.longlong:
        """Conclude for a band and a region that lie on no common circle; returns what `narrow` does."""
        flow = self.kept[self.number][band][region]
        if flow > 0 and flow < self.room[band][region]:
            return 0
        first = self.first_line(band)
        cells = position.candidates[orientation][first] & position.board.segment[orientation][first][region]
        end = self.end_line(band, position.board.size)
        other: cython.ulonglong = 0
        if first + 1 < end:
            other = position.candidates[orientation][first + 1] & position.board.segment[orientation][first + 1][region]
        if flow == 0:
            if cells | other == 0:
                return 0
            position.rule_out(orientation, first, cells)
            if other != 0:
                position.rule_out(orientation, first + 1, other)
            return 1
        return self.fill(position, orientation, first, end, cells, other)

    def fill(
        self,
        position: Position,
        orientation: cython.longlong,
        first: cython.longlong,
        end: cython.longlong,
        cells: cython.ulonglong,
        other: cython.ulonglong,
    ) -> cython.longlong:
        """Conclude that a region, with these cells on the lines of a band, has as many stars there as fit.

        In a run of odd length that is every other place, and each of these leaves no room for another star at its place
        or next to it, whichever line it is on. In a run of even length it is one of the first two places, one of the
        next two, and so on, which leaves no room at these places.
        """
        places = every_other(cells | other)
        around = widened(places)
        even_runs = (cells | other) & ~around
        own = places | even_runs
        around |= even_runs
        gone = position.candidates[orientation][first] & around & ~(cells & own)
        stars = (cells ^ other) & places
        changed: cython.longlong = 1 if gone | stars != 0 else 0
        position.rule_out(orientation, first, gone)
        if first + 1 < end:
            gone = position.candidates[orientation][first + 1] & around & ~(other & own)
            if gone != 0:
                changed = 1
                position.rule_out(orientation, first + 1, gone)
        if not position.place(orientation, first, stars & cells):
            return -1
        return changed if position.place(orientation, first + 1, stars & other) else -1


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
