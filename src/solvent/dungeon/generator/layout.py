"""Lay a mission out on a grid: a cell for each room, doors between neighbours, stairs where there is no room left."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.dungeon.generator.mission import Area, Mission
from solvent.engine.dice import Dice

Cell = tuple[int, int]
"""Row and column of the grid of rooms."""
SIDES: dict[str, Cell] = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}

ROOMS_A_ONE_WAY = 40


@dataclass(frozen=True, slots=True)
class Join:
    """Hold a door or stairs between two rooms."""

    source: int
    target: int
    """The room further in; of a one-way door, the room it leads to."""
    area: int | None = None
    """The area whose bar stands here; None for an open door."""
    stairs: bool = False
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold where rooms are and what joins them. Room 0 is the first; each other one is the target of its first join."""

    cells: list[Cell]
    area_of: list[int]
    """The area of each room."""
    joins: list[Join]
    depth: list[int]
    """How many doors lie between a room and the first."""
    is_end: list[bool]
    """Whether no other room was reached through this one."""


def lay_out(dice: Dice, mission: Mission, *, pit: bool) -> Layout:
    """Lay out the rooms of all areas; with `pit`, the last one is a room that one can only fall into."""
    plot = _Plot(dice, sum(area.rooms for area in mission.areas) + pit)
    for index, area in enumerate(mission.areas):
        if index:
            plot.add_room(index, area.parent, bar=index)
        else:
            plot.claim((0, 0), 0)
        for _ in range(area.rooms - 1):
            plot.add_room(index, index, bar=None)
    if pit:
        plot.add_pit(len(mission.areas))
    _add_loops(dice, plot, mission.areas)
    is_end = [True] * len(plot.cells)
    depth = [0] * len(plot.cells)
    for join in plot.tree:
        is_end[join.source] = False
        depth[join.target] = depth[join.source] + 1
    return Layout(plot.cells, plot.area_of, plot.tree + plot.loops, depth, is_end)


class _Plot:
    """Hold the grid while it fills."""

    def __init__(self, dice: Dice, rooms: int) -> None:
        self.dice = dice
        self.cells: list[Cell] = []
        self.area_of: list[int] = []
        self.room_at: dict[Cell, int] = {}
        self.rooms_of: dict[int, list[int]] = {}
        self.tree: list[Join] = []
        self.loops: list[Join] = []
        radius = 0
        while 4 * radius * radius < rooms:
            radius += 1
        # The dungeon grows around a point somewhere near the first room, so that this is not always in the middle.
        self.middle = dice.between(-radius // 2, radius // 2), dice.between(-radius // 2, radius // 2)
        self.open_cells: set[Cell] = set()

    def claim(self, cell: Cell, area: int) -> int:
        room = len(self.cells)
        self.cells.append(cell)
        self.area_of.append(area)
        self.room_at[cell] = room
        self.rooms_of.setdefault(area, []).append(room)
        self.open_cells.discard(cell)
        for beside in _neighbours(cell):
            if beside not in self.room_at:
                self.open_cells.add(beside)
        return room

    def add_room(self, area: int, parent: int, *, bar: int | None) -> None:
        """Add a room that is entered from one of the parent area's rooms."""
        doors = [
            (room, cell)
            for room in self.rooms_of[parent]
            for cell in _neighbours(self.cells[room])
            if cell not in self.room_at
        ]
        if doors:
            source, cell = self._best(doors)
            self.tree.append(Join(source, self.claim(cell, area), bar))
            return
        source, cell = min(
            ((room, cell) for room in self.rooms_of[parent] for cell in self.open_cells),
            key=lambda pair: (_distance(self.cells[pair[0]], pair[1]), pair),
        )
        self.tree.append(Join(source, self.claim(cell, area), bar, stairs=True))

    def add_pit(self, area: int) -> None:
        """Add a room with a one-way door into it from the first area, or from wherever there is space."""
        doors = [
            (room, cell)
            for room in range(len(self.cells))
            for cell in _neighbours(self.cells[room])
            if cell not in self.room_at and (self.area_of[room] == 0 or not self._has_space(0))
        ]
        source, cell = self._best(doors)
        self.tree.append(Join(source, self.claim(cell, area), None, one_way=True))

    def _has_space(self, area: int) -> bool:
        return any(cell not in self.room_at for room in self.rooms_of[area] for cell in _neighbours(self.cells[room]))

    def _best(self, doors: list[tuple[int, Cell]]) -> tuple[int, Cell]:
        """Draw a few and keep the one that is near the middle and has space around it for more rooms."""
        drawn = [self.dice.choice(doors) for _ in range(3)]
        return min(drawn, key=lambda door: self._cost(door[1]))

    def _cost(self, cell: Cell) -> int:
        space = sum(beside not in self.room_at for beside in _neighbours(cell))
        return 3 * _distance(cell, self.middle) - 4 * min(space, 2)


def _distance(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


def _neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in SIDES.values()]


def _add_loops(dice: Dice, plot: _Plot, areas: list[Area]) -> None:
    """Add open doors within areas, and one-way doors back to where one came from.

    A one-way door leads from an area to one that is passed on the way there, and no item is needed on the way to that
    one. So a player who uses it can come back, even if they had left things lying about.
    """
    joined = {frozenset((join.source, join.target)) for join in plot.tree}
    ancestors = [_ancestors(areas, index) for index in range(len(areas))]
    one_ways = 1 + len(plot.cells) // ROOMS_A_ONE_WAY
    for room, cell in dice.shuffled(list(enumerate(plot.cells))):
        for beside in ((cell[0], cell[1] + 1), (cell[0] + 1, cell[1])):
            other = plot.room_at.get(beside)
            if other is None or frozenset((room, other)) in joined:
                continue
            here, there = plot.area_of[room], plot.area_of[other]
            if max(here, there) >= len(areas):
                continue  # nothing leads out of a pit
            if here == there:
                if dice.chance(30):
                    plot.loops.append(Join(room, other))
                continue
            for source, target in ((room, other), (other, room)):
                back_to = plot.area_of[target]
                if one_ways and back_to in ancestors[plot.area_of[source]] and _is_free_of_items(areas, back_to):
                    plot.loops.append(Join(source, target, one_way=True))
                    one_ways -= 1


def _ancestors(areas: list[Area], index: int) -> set[int]:
    found = set()
    while (index := areas[index].parent) >= 0:
        found.add(index)
    return found


def _is_free_of_items(areas: list[Area], index: int) -> bool:
    """Tell whether only locks and cracked walls stand between an area and the first."""
    while index >= 0:
        bar = areas[index].bar
        if bar is not None and bar.stock is None:
            return False
        index = areas[index].parent
    return True
