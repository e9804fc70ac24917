"""Share out the stars of some units among others: a maximum flow, and what it ties together.

Senders send the stars they need to receivers, to each at most as many as there is room for, and a receiver takes as
many as it needs. In the residual graph an arrow leads from a sender to a receiver it could send more to, and from a
receiver to a sender it takes from. A set that no arrow leaves is *tight*, however the stars were shared out.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from solvent.starbattle.hints.blocks import apart
from solvent.starbattle.hints.position import Cells, Geometry, Units, cells_in

Room = list[dict[int, int]]
"""For each sender the receivers it meets, and how many stars it can send there at most."""
Group = tuple[int, int]
"""Senders and receivers, as bits by their numbers."""


class Sharing(Struct, frozen=True):
    """Hold the arrows of the residual graph, once all stars are shared out."""

    ahead: list[int]
    """For each sender the receivers it could send more to, as bits."""
    behind: list[int]
    """For each receiver the senders it takes from, as bits."""

    def reach(self, start: int, *, sender: bool) -> Group:
        """Return all that arrows lead to from a sender, or from a receiver: the smallest tight set with it."""
        senders, receivers = (1 << start, 0) if sender else (0, 1 << start)
        new_senders, new_receivers = senders, receivers
        while new_senders or new_receivers:
            found_receivers = found_senders = 0
            for number in cells_in(new_senders):
                found_receivers |= self.ahead[number]
            for number in cells_in(new_receivers):
                found_senders |= self.behind[number]
            new_senders, new_receivers = found_senders & ~senders, found_receivers & ~receivers
            senders |= new_senders
            receivers |= new_receivers
        return senders, receivers


def share_out(supply: Sequence[int], demand: Sequence[int], room: Room) -> Sharing | Group:
    """Share out what the senders have; or return the senders that have too little room, and all they can send to."""
    sent: Room = [dict.fromkeys(row, 0) for row in room]
    lacking = list(demand)
    for sender, left in enumerate(supply):
        for receiver, most in room[sender].items():
            given = min(most, left, lacking[receiver])
            sent[sender][receiver] = given
            lacking[receiver] -= given
            left -= given
        for _ in range(left):
            reached = _send_one_more(room, sent, lacking, sender)
            if reached is not None:
                return reached
    ahead, behind = [0] * len(supply), [0] * len(demand)
    for sender, row in enumerate(sent):
        for receiver, given in row.items():
            if given < room[sender][receiver]:
                ahead[sender] |= 1 << receiver
            if given > 0:
                behind[receiver] |= 1 << sender
    return Sharing(ahead, behind)


def _send_one_more(room: Room, sent: Room, lacking: list[int], start: int) -> Group | None:
    """Send one more star, rerouting others if need be; or return the senders and receivers that were reached."""
    from_sender: dict[int, int] = {}
    from_receiver: dict[int, int] = {start: -1}
    waiting = [start]
    for sender in waiting:
        for receiver, most in room[sender].items():
            if receiver in from_sender or sent[sender][receiver] >= most:
                continue
            from_sender[receiver] = sender
            if lacking[receiver] > 0:
                lacking[receiver] -= 1
                while True:
                    giver = from_sender[receiver]
                    sent[giver][receiver] += 1
                    if giver == start:
                        return None
                    receiver = from_receiver[giver]
                    sent[giver][receiver] -= 1
            for other, taken in enumerate(sent):
                if other not in from_receiver and taken.get(receiver, 0) > 0:
                    from_receiver[other] = receiver
                    waiting.append(other)
    return sum(1 << sender for sender in from_receiver), sum(1 << receiver for receiver in from_sender)


class TightSets(Struct, frozen=True):
    """Hold the tight sets of a position, the smallest first, or the one set that shows there is no way."""

    possible: bool
    sets: tuple[tuple[Units, Units], ...]
    """Units to count, and units to take off: the stars of the first outside the second have just the room they need.
    If sharing is impossible, one set whose room is too small."""


def share_out_lines(geometry: Geometry, opened: Cells, needs: list[int], *, columns: bool) -> TightSets:
    """Share the stars of the rows, or the columns, out among the regions.

    Every line sends the stars it needs to regions, at most as many to each as there is room for where they meet. The
    lines L of a tight set send all they can outside its regions R, and R receives from L alone. So the stars that L
    needs more than R fill the room of L outside R, and no star of R lies outside L. If the stars cannot be shared out
    at all, the set that a line with stars to spare reaches has too little room.
    """
    size = geometry.size
    lines = geometry.columns if columns else geometry.rows
    room: Room = []
    for line in lines:
        cells = opened & geometry.masks[line]
        met = [(region, cells & geometry.masks[2 * size + region]) for region in range(size)]
        room.append({region: apart(geometry, shared).bit_count() for region, shared in met if shared})
    sharing = share_out([needs[line] for line in lines], [needs[region] for region in geometry.regions], room)
    if not isinstance(sharing, Sharing):
        return TightSets(False, (_smaller(geometry, lines, sharing),))
    starts = [(number, sender) for sender in (True, False) for number in range(size)]
    found = dict.fromkeys(sharing.reach(number, sender=sender) for number, sender in starts)
    everything = (1 << size) - 1
    sets = {_smaller(geometry, lines, group) for group in found if group != (everything, everything)}
    return TightSets(True, tuple(sorted(sets, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))))


def _smaller(geometry: Geometry, lines: range, group: Group) -> tuple[Units, Units]:
    """Write a set as lines less regions, or as the other regions less the other lines, which says the same."""
    inside = tuple(line for number, line in enumerate(lines) if group[0] >> number & 1)
    taken = tuple(region for number, region in enumerate(geometry.regions) if group[1] >> number & 1)
    if len(inside) + len(taken) <= geometry.size:
        return inside, taken
    others = tuple(region for region in geometry.regions if region not in taken)
    return others, tuple(line for line in lines if line not in inside)
