"""A dungeon as people speak of it: which room a tile lies in, what lies where, and how to say so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.events import call_room, describe_place, locate, name_pickup
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rooms import Area, as_runs, room_of, rooms_of
from solvent.dungeon.rules import State
from solvent.dungeon.solver.flags import Flags, both, chosen
from solvent.dungeon.solver.ground import Ground, ground_level
from solvent.dungeon.solver.situations import Analysis

Thing: TypeAlias = tuple[str, str, Place]
"""Its kind, its name in words, and its place."""
NO_ROOM = -1
MAX_LISTED = 8


@dataclass(frozen=True, slots=True, eq=False)
class Land:
    """Hold a dungeon, its graph, and its rooms."""

    dungeon: Dungeon
    analysis: Analysis
    state: State
    """After the moves played."""
    rooms: tuple[Area, ...]
    room_of_cell: list[int]
    """The number of each cell's room, NO_ROOM between rooms."""
    is_plain: Flags
    """Which cells are neither gates nor blocks: those by which a room counts as entered."""
    plain_cells: dict[int, list[int]]
    """Those of each room."""
    meter: Meter
    """What looking at it may cost."""

    @property
    def ground(self) -> Ground:
        """Return the graph of its tiles."""
        return self.analysis.ground

    @property
    def area_of(self) -> memoryview:
        """Return the area of each cell."""
        return memoryview(self.analysis.areas().area_of)

    @property
    def nowhere(self) -> Flags:
        """Return flags for cells, none of them set."""
        return bytearray(self.ground.cells.nodes)


BYTES_A_TILE = 500
"""What a tile takes in all that people say of it."""


def look_at(dungeon: Dungeon, meter: Meter = UNLIMITED) -> Land:
    """Find the rooms, and turn the dungeon into a graph."""
    ground = ground_level(dungeon, meter)
    meter.require_memory(ground.cells.nodes * BYTES_A_TILE / 1e6, "the rooms of the dungeon")
    rooms = rooms_of(dungeon, meter)
    number_of = room_of(dungeon, rooms, meter)
    places = [ground.place(cell) for cell in meter.each(range(ground.cells.nodes))]
    room_of_cell = [number_of.get(place, NO_ROOM) for place in meter.each(places)]
    special = set(meter.each(cell for gate in dungeon.gates for cell in gate.cells))
    special.update(block.place for block in dungeon.blocks)
    is_plain = bytearray(place not in special for place in meter.each(places))
    plain_cells: dict[int, list[int]] = defaultdict(list)
    for cell in meter.each(chosen(is_plain)):
        plain_cells[room_of_cell[cell]].append(cell)
    state = ground.game.present_state(meter)
    return Land(dungeon, Analysis.of(ground, meter), state, rooms, room_of_cell, is_plain, plain_cells, meter)


def name_rooms(land: Land, cells: Flags, before: Flags) -> list[str]:
    """Name the rooms of some cells, saying where it is only a part of one; `before` are cells already spoken of."""
    names = []
    meter = land.meter
    numbers = {land.room_of_cell[cell] for cell in meter.each(chosen(both(cells, land.is_plain)))}
    for number in meter.each(sorted(numbers - {NO_ROOM}), every=20):
        inside, name = land.plain_cells[number], name_room(land, number)
        if any(before[cell] for cell in meter.each(inside)):
            names.append(f"more of {name}")
        else:
            names.append(name if all(cells[cell] for cell in meter.each(inside)) else f"part of {name}")
    return names


def name_room(land: Land, number: int) -> str:
    """Name a room; one that the dungeon does not name also by its first tile."""
    room = land.rooms[number]
    return room.name if room.given else f"{room.name} (from {describe_place(land.dungeon, room.places[0])})"


def name_tile_room(land: Land, place: Place) -> str:
    """Name the room of a tile, or the tile itself between rooms."""
    cell = land.ground.cell(place)
    number = land.room_of_cell[cell] if cell >= 0 else NO_ROOM
    return describe_place(land.dungeon, place) if number == NO_ROOM else call_room(name_room(land, number))


def things_on(land: Land, cells: Flags, before: Flags | None = None) -> list[Thing]:
    """Return kind, name in words, and place of what can be found on some cells: pickups not taken yet, plates, goals.

    Monsters are left out: they are no find. So are levers that can be worked from cells already spoken of.
    """
    cell = land.ground.cell
    pickups = [thing for thing in land.meter.each(pickups_among(land)) if cell(thing[2]) >= 0 and cells[cell(thing[2])]]
    return [*pickups, *_fixtures(land, cells, before)]


def things_found(land: Land, pickups: Collection[int], cells: Flags, before: Flags) -> list[Thing]:
    """Return the same for some pickups, and for all else on some cells."""
    return [*pickups_among(land, pickups), *_fixtures(land, cells, before)]


def _fixtures(land: Land, cells: Flags, before: Flags | None) -> Iterator[Thing]:
    """Yield switches and goals. A lever is where it is worked from, which may be far from where it stands."""
    for switch in land.meter.each(land.dungeon.switches):
        kind = "lever" if switch.kind == "lever" else "plate"
        places = switch.reach if switch.kind == "lever" else (switch.place,)
        spots = [cell for cell in map(land.ground.cell, places) if cell >= 0]
        seen = before is not None and any(before[cell] for cell in spots)
        if not seen and any(cells[cell] for cell in spots):
            yield "switch", f"a {kind} of {switch.name}", switch.place
    for goal in land.dungeon.goals:
        if land.ground.cell(goal) >= 0 and cells[land.ground.cell(goal)]:
            yield "goal", "the goal", goal


def things_leapt_over(land: Land) -> list[Thing]:
    """Return what lies where no player ever stands: on water that is leapt over."""
    return [thing for thing in pickups_among(land) if land.ground.cell(thing[2]) < 0]


def pickups_among(land: Land, among: Collection[int] | None = None) -> list[Thing]:
    """Return the pickups not taken yet, without monsters; only those among some, if they are given."""
    bombs = land.dungeon.rules.bombs_per_pickup
    return [
        (pickup.kind, name_pickup(pickup, bombs), pickup.place)
        for number, pickup in enumerate(land.dungeon.pickups)
        if pickup.kind != "monster" and number not in land.state.taken and (among is None or number in among)
    ]


def describe_things(land: Land, things: Iterable[Thing]) -> list[str]:
    """Say what was found and where."""
    return [f"{name} {locate(land.dungeon, place)}" for _, name, place in things]


def listing(words: Sequence[str], most: int = MAX_LISTED) -> str:
    """Join words by commas, and count those that are too many."""
    if len(words) <= most:
        return ", ".join(words)
    return f"{', '.join(words[:most])} and {len(words) - most} more"


def as_json(things: Iterable[Thing]) -> list[dict[str, Any]]:
    """Return things as JSON values."""
    return [{"kind": kind, "words": words, "at": list(place)} for kind, words, place in things]


def runs_of(land: Land, cells: Flags) -> list[list[int]]:
    """Return the tiles of some cells as runs along rows: floor, row, first column, and how many."""
    return as_runs((land.ground.place(cell) for cell in chosen(cells)), land.meter)
