"""Find the rooms of a dungeon: those it names, and the areas between gates where it names none.

`rooms_of` lists them and `room_of` says for each tile in which of them it lies. Drawings, heat maps and explanations
use both, so that a room has one name and one number everywhere:

1. the dungeon's own rooms, in their order: room number n is `dungeon.rooms[n]`;
2. each storey of a single tile that lies in none of those, by the name of the storey;
3. what floor is left, as areas: tiles joined by steps, up to the next gate, water or one-way tile.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import FLOOR, NOTHING, STEPS, WALL, Dungeon, Place

Cell = TypeVar("Cell", bound=tuple[int, ...])
"""A tile whose last two numbers are its row and column."""


class Area(NamedTuple):
    """Hold a room: a part of a dungeon that people would call by one name."""

    name: str
    """No other area of the dungeon has it."""
    places: tuple[Place, ...]
    """Its tiles on which one can stand, sorted. A tile in two of the dungeon's rooms belongs to the first."""
    labels: tuple[str, ...] = ()
    given: bool = True
    """True if the dungeon names it; False for an area found between gates, such as `area 3`."""


def rooms_of(dungeon: Dungeon, meter: Meter = UNLIMITED) -> tuple[Area, ...]:
    """Return the rooms of a dungeon; see the head of this file for which, and in what order."""
    owner: set[Place] = set()
    areas: list[Area] = []
    for room in meter.each(dungeon.rooms, every=1):
        floor, top, left = room.corner
        rows = dungeon.floors[floor].terrain
        places = [
            (floor, row, column)
            for row in meter.each(range(top, top + room.height), every=20)
            for column in range(left, left + room.width)
            if rows[row][column] not in (WALL, NOTHING) and (floor, row, column) not in owner
        ]
        owner.update(places)
        areas.append(Area(room.name, tuple(places), room.labels))
    names = {area.name for area in areas}
    for number, storey in enumerate(meter.each(dungeon.floors)):
        place = (number, 0, 0)
        if is_single_tile(dungeon, number) and storey.terrain[0][0] not in (WALL, NOTHING) and place not in owner:
            owner.add(place)
            name = storey.name if storey.name and storey.name not in names else f"floor {number + 1}"
            areas.append(Area(_unused(name, names), (place,)))
            names.add(areas[-1].name)
    count = 0
    for tiles in _open_areas(dungeon, owner, meter):
        count += 1
        while f"area {count}" in names:
            count += 1
        areas.append(Area(f"area {count}", tuple(tiles), given=False))
    return tuple(areas)


def room_of(dungeon: Dungeon, rooms: Sequence[Area] | None = None, meter: Meter = UNLIMITED) -> dict[Place, int]:
    """Return for each tile the number of its room in `rooms_of`.

    Left out are walls, and outside of the dungeon's own rooms the tiles that lie between areas: gates, water and
    one-way tiles. Pass the rooms if they are at hand already.
    """
    found = rooms_of(dungeon, meter) if rooms is None else rooms
    return dict(meter.each((place, number) for number, room in enumerate(found) for place in room.places))


def is_single_tile(dungeon: Dungeon, floor: int) -> bool:
    """Tell whether a storey is a single tile, as rooms are of which only the name is known."""
    rows = dungeon.floors[floor].terrain
    return len(rows) == 1 and len(rows[0]) == 1


def is_room_graph(dungeon: Dungeon) -> bool:
    """Tell whether nothing but names is known of the rooms: all storeys are single tiles."""
    return all(is_single_tile(dungeon, floor) for floor in range(len(dungeon.floors)))


def _open_areas(dungeon: Dungeon, owned: set[Place], meter: Meter) -> Iterator[list[Place]]:
    """Yield the tiles of each area of plain floor without gates, in the order of their first tiles."""
    closed = owned | set(meter.each(cell for gate in dungeon.gates for cell in gate.cells))
    for floor, storey in enumerate(dungeon.floors):
        places = ((floor, row, at) for row, line in enumerate(storey.terrain) for at in range(len(line)))
        is_open = [
            place for place in meter.each(places) if storey.terrain[place[1]][place[2]] == FLOOR and place not in closed
        ]
        for piece in pieces(is_open, meter):
            meter.checkpoint()
            yield sorted(piece)


def _unused(name: str, names: set[str]) -> str:
    while name in names:
        name += "'"
    return name


def pieces(cells: Collection[Cell], meter: Meter = UNLIMITED) -> Iterator[list[Cell]]:
    """Yield the tiles that touch by a side together; each piece begins with the first of its tiles that was given."""
    rest = set(cells)
    for first in cells:
        if first not in rest:
            continue
        rest.remove(first)
        piece: list[Any] = [first]
        for *floor, row, column in meter.each(piece):  # grows while it is walked
            for down, right in STEPS.values():
                beside: Any = (*floor, row + down, column + right)
                if beside in rest:
                    rest.remove(beside)
                    piece.append(beside)
        yield piece


def as_runs(places: Iterable[Place], meter: Meter = UNLIMITED) -> list[list[int]]:
    """Return tiles as runs along rows: floor, row, first column, and how many."""
    columns: dict[tuple[int, int], list[int]] = defaultdict(list)
    for floor, row, column in meter.each(places):
        columns[floor, row].append(column)
    runs: list[list[int]] = []
    for floor, row in sorted(columns):
        last = None
        for column in meter.each(sorted(columns[floor, row])):
            if last is not None and last[2] + last[3] == column:
                last[3] += 1
            else:
                last = [floor, row, column, 1]
                runs.append(last)
    return runs
