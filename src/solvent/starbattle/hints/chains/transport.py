"""How the stars of all lines can be shared out among all regions, and the sets of units that this ties together.

Every line sends the stars it needs to regions, at most as many to each as there is room for where they meet. The lines
L of a tight set send all they can outside its regions R, and R receives from L alone. So the stars that L needs more
than R fill the room of L outside R, and no star of R lies outside L. If the stars cannot be shared out at all, the set
that a line with stars to spare reaches has too little room.
"""

from __future__ import annotations

from msgspec import Struct

from solvent.starbattle.hints import flow
from solvent.starbattle.hints.blocks import apart
from solvent.starbattle.hints.position import Cells, Geometry, Units


class TightSets(Struct, frozen=True):
    """Hold the tight sets of a position, the smallest first, or the one set that shows there is no way."""

    possible: bool
    sets: tuple[tuple[Units, Units], ...]
    """Units to count, and units to take off: the stars of the first outside the second have just the room they need.
    If sharing is impossible, one set whose room is too small."""


def share_out(geometry: Geometry, opened: Cells, needs: list[int], *, columns: bool) -> TightSets:
    """Share the stars of the rows, or the columns, out among the regions."""
    size = geometry.size
    lines = geometry.columns if columns else geometry.rows
    room: flow.Room = []
    for line in lines:
        cells = opened & geometry.masks[line]
        met = [(region, cells & geometry.masks[2 * size + region]) for region in range(size)]
        room.append({region: apart(geometry, shared).bit_count() for region, shared in met if shared})
    sharing = flow.share_out([needs[line] for line in lines], [needs[region] for region in geometry.regions], room)
    if not isinstance(sharing, flow.Sharing):
        return TightSets(False, (_smaller(geometry, lines, sharing),))
    starts = [(number, sender) for sender in (True, False) for number in range(size)]
    found = dict.fromkeys(sharing.reach(number, sender=sender) for number, sender in starts)
    everything = (1 << size) - 1
    sets = {_smaller(geometry, lines, group) for group in found if group != (everything, everything)}
    return TightSets(True, tuple(sorted(sets, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))))


def _smaller(geometry: Geometry, lines: range, group: flow.Group) -> tuple[Units, Units]:
    """Write a set as lines less regions, or as the other regions less the other lines, which says the same."""
    inside = tuple(line for number, line in enumerate(lines) if group[0] >> number & 1)
    taken = tuple(region for number, region in enumerate(geometry.regions) if group[1] >> number & 1)
    if len(inside) + len(taken) <= geometry.size:
        return inside, taken
    others = tuple(region for region in geometry.regions if region not in taken)
    return others, tuple(line for line in lines if line not in inside)
