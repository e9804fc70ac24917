"""Say what lies between two places where no gate does: walls, gaps, or floors that nothing joins."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from solvent.core.budget import UNLIMITED, Meter
from solvent.drawing.phrases import listed
from solvent.dungeon.events import room_name
from solvent.dungeon.model import NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Place
from solvent.dungeon.rooms import is_single_tile

MAX_TILES = 50_000
"""In larger dungeons, walls and gaps are both named if there are both; to tell them apart would take too long."""
MAX_FLOORS_NAMED = 3
WIDE_WATER = "water too wide to leap"
_SOLID = {WALL: "walls", NOTHING: "gaps"}


def describe_missing_way(
    dungeon: Dungeon, sources: Iterable[Place], targets: Iterable[Place], both_ways: bool = False
) -> str:
    """Write `from A to B` if no way leads there, as the floors are not joined; else nothing.

    With `both_ways`, each way counts as if it led back too.
    """
    first = dict.fromkeys(place[0] for place in sources)
    wanted = dict.fromkeys(place[0] for place in targets)
    joined: dict[int, list[int]] = {}
    for way in dungeon.ways:
        joined.setdefault(way.source[0], []).append(way.target[0])
        if both_ways:
            joined.setdefault(way.target[0], []).append(way.source[0])
    found, waiting = set(first), list(first)
    while waiting:
        after = set(joined.get(waiting.pop(), ())) - found
        found |= after
        waiting += after
    if found & set(wanted):
        return ""
    there = listed([name_floor(dungeon, floor) for floor in wanted], MAX_FLOORS_NAMED, last="or")
    here = f"from {name_floor(dungeon, next(iter(first)))} " if len(first) == 1 else ""
    return f"{here}to {there}"


def name_floor(dungeon: Dungeon, floor: int) -> str:
    """Return what to call a floor in a sentence; a floor of a single tile is a room."""
    room = room_name(dungeon, (floor, 0, 0)) if is_single_tile(dungeon, floor) else ""
    name = dungeon.floors[floor].name
    return room or (name if name and not name[:1].isdigit() else f"floor {name or floor + 1}")


def describe_barriers(
    dungeon: Dungeon, sources: Collection[Place], targets: Collection[Place], meter: Meter = UNLIMITED
) -> str:
    """Name what can bar the way between places that is no gate: `walls`, `gaps`, `walls or one-way tiles`."""
    letters = {letter for floor in dungeon.floors for row in floor.terrain for letter in set(row)}
    found = solids_between(dungeon, sources, targets, meter=meter)
    if letters & set(ONE_WAYS):
        found.append("one-way tiles")
    if dungeon.blocks and dungeon.rules.push == "never":
        found.append("blocks that cannot be pushed")
    if dungeon.rules.crossing == "one" and WATER in letters:
        found.append(WIDE_WATER)
    return listed(found, last="or")


def are_in_the_way(barriers: str) -> str:
    """Write `walls are in the way`."""
    return f"{barriers} {'is' if barriers == WIDE_WATER else 'are'} in the way"


def solids_between(
    dungeon: Dungeon,
    sources: Collection[Place],
    targets: Collection[Place],
    both_ways: bool = False,
    meter: Meter = UNLIMITED,
) -> list[str]:
    """Return `walls` and `gaps` if either is enough to part the places, or both are; nothing if neither does."""
    present = [
        letter for letter in _SOLID if any(letter in row for floor in dungeon.floors for row in floor.terrain)
    ]  # fmt: skip
    tiles = sum(len(row) for floor in dungeon.floors for row in floor.terrain)
    if tiles > MAX_TILES:
        return [_SOLID[letter] for letter in present]
    if _leads(dungeon, sources, targets, "", both_ways, meter):
        return []
    if len(present) == 1:
        return [_SOLID[present[0]]]
    enough = [letter for letter in present if _leads(dungeon, sources, targets, letter, both_ways, meter)]
    return [_SOLID[letter] for letter in enough or present]


def _leads(
    dungeon: Dungeon,
    sources: Collection[Place],
    targets: Collection[Place],
    opened: str,
    both_ways: bool,
    meter: Meter,
) -> bool:
    """Tell whether steps and ways lead from some places to others if some solid tiles could be walked on."""
    solid = set(_SOLID) - set(opened)
    ways: dict[Place, list[Place]] = {}
    for way in dungeon.ways:
        ways.setdefault(way.source, []).append(way.target)
        if both_ways:
            ways.setdefault(way.target, []).append(way.source)
    wanted, found, waiting = set(targets), set(sources), list(sources)
    for place in meter.each(waiting):  # grows while it is walked through
        if place in wanted:
            return True
        floor, row, column = place
        rows = dungeon.floors[floor].terrain
        beside = [(floor, row + down, column + across) for down, across in STEPS.values()]
        inside = [each for each in beside if 0 <= each[1] < len(rows) and 0 <= each[2] < len(rows[each[1]])]
        for after in [*(each for each in inside if rows[each[1]][each[2]] not in solid), *ways.get(place, ())]:
            if after not in found:
                found.add(after)
                waiting.append(after)
    return False
