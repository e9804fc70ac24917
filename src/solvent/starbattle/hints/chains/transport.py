"""How the stars of all lines can be shared out among all regions, and the sets of units that this ties together.

Every line sends the stars it needs to regions, at most as many to each as there is room for where they meet. In the
residual graph an arrow leads from a line to a region it could send more to, and from a region to a line it receives
from. A set S of lines and regions that no arrow leaves is *tight*: its lines L send all they can outside its regions R,
and R receives from L alone. So the stars that L needs more than R fill the room of L outside R, and no star of R lies
outside L. If the stars cannot be shared out at all, the set that a line with stars to spare reaches has too little
room.
"""

from __future__ import annotations

from msgspec import Struct

from solvent.starbattle.hints.position import Cells, Geometry

Units = tuple[int, ...]


class Sharing(Struct, frozen=True):
    """Hold the tight sets of a position, the smallest first, or the one set that shows there is no way."""

    possible: bool
    sets: tuple[tuple[Units, Units], ...]
    """Units to count, and units to take off: the stars of the first outside the second have just the room they need.
    If sharing is impossible, one set whose room is too small."""


def share_out(geometry: Geometry, opened: Cells, needs: list[int], *, columns: bool) -> Sharing:
    """Share the stars of the rows, or the columns, out among the regions."""
    size = geometry.size
    step = size if columns else 1
    first = size if columns else 0
    room: list[dict[int, int]] = []
    for line in range(size):
        cells = opened & geometry.masks[first + line]
        row: dict[int, int] = {}
        for region in range(size):
            shared = cells & geometry.masks[2 * size + region]
            if shared:
                row[region] = _room_on(shared, step)
        room.append(row)
    flow: list[dict[int, int]] = [dict.fromkeys(row, 0) for row in room]
    lacking = [needs[2 * size + region] for region in range(size)]
    for line in range(size):
        left = needs[first + line]
        for region, most in room[line].items():
            sent = min(most, left, lacking[region])
            flow[line][region] = sent
            lacking[region] -= sent
            left -= sent
        while left > 0:
            reached = _send_one_more(room, flow, lacking, line)
            if reached is not None:
                lines, regions = reached
                return Sharing(False, (_smaller(size, first, lines, regions),))
            left -= 1
    found: dict[tuple[int, int], None] = {}
    for start in range(2 * size):
        lines, regions = _reach(room, flow, start, size)
        found[lines, regions] = None
    everything = (1 << size) - 1
    sets = {
        _smaller(size, first, lines, regions): None
        for lines, regions in found
        if lines != everything or regions != everything
    }
    return Sharing(True, tuple(sorted(sets, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))))


def _smaller(size: int, first: int, lines: int, regions: int) -> tuple[Units, Units]:
    """Write a set as lines less regions, or as the other regions less the other lines, which says the same."""
    inside = tuple(first + line for line in range(size) if lines >> line & 1)
    taken = tuple(2 * size + region for region in range(size) if regions >> region & 1)
    if 2 * (len(inside) + len(taken)) <= 2 * size:
        return inside, taken
    return (
        tuple(2 * size + region for region in range(size) if not regions >> region & 1),
        tuple(first + line for line in range(size) if not lines >> line & 1),
    )


def _room_on(cells: Cells, step: int) -> int:
    count = 0
    while cells:
        lowest = cells & -cells
        cells &= ~(lowest | lowest << step)
        count += 1
    return count


def _send_one_more(
    room: list[dict[int, int]], flow: list[dict[int, int]], lacking: list[int], start: int
) -> tuple[int, int] | None:
    """Send one more star from a line, rerouting others if need be; or return the lines and regions it reaches."""
    came_region: dict[int, int] = {}
    came_line: dict[int, int] = {start: -1}
    waiting = [start]
    for line in waiting:
        for region, most in room[line].items():
            if region in came_region or flow[line][region] >= most:
                continue
            came_region[region] = line
            if lacking[region] > 0:
                lacking[region] -= 1
                while True:
                    sender = came_region[region]
                    flow[sender][region] += 1
                    if sender == start:
                        return None
                    region = came_line[sender]
                    flow[sender][region] -= 1
            for other in range(len(room)):
                if other not in came_line and flow[other].get(region, 0) > 0:
                    came_line[other] = region
                    waiting.append(other)
    return sum(1 << line for line in came_line), sum(1 << region for region in came_region)


def _reach(room: list[dict[int, int]], flow: list[dict[int, int]], start: int, size: int) -> tuple[int, int]:
    """Return the lines and the regions that arrows lead to from a line, or from a region numbered behind the lines."""
    lines = regions = 0
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node < size:
            if lines >> node & 1:
                continue
            lines |= 1 << node
            row = flow[node]
            waiting += [size + region for region, most in room[node].items() if row[region] < most]
        else:
            region = node - size
            if regions >> region & 1:
                continue
            regions |= 1 << region
            waiting += [line for line in range(size) if flow[line].get(region, 0) > 0]
    return lines, regions
