"""Build the rooms of a layout, tile by tile, and put into them what the mission says."""

from __future__ import annotations

from dataclasses import dataclass, field

from solvent.dungeon.generator.layout import SIDES, Join, Layout
from solvent.dungeon.generator.mission import Mission
from solvent.dungeon.generator.names import name_dungeon, name_rooms
from solvent.dungeon.generator.shapes import Tile, shape_room
from solvent.dungeon.generator.zones import Bar, Holding
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, STEPS, WALL, Dungeon, Floor, Gate, Pickup, Place, Room, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.engine.dice import Dice

OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
ARROWS = {direction: letter for letter, direction in ONE_WAYS.items()}


@dataclass(slots=True)
class _Chamber:
    """Hold a room while it is built: its rectangle, and its tiles that are still free."""

    top: int
    left: int
    height: int
    width: int
    doors: list[Tile] = field(default_factory=list)
    """Where its doors are, outside of it; corridors lead there."""
    moat: str | None = None
    free: list[Tile] = field(default_factory=list)
    """Tiles of floor with nothing on them, the nicest last."""
    tiles: list[Tile] = field(default_factory=list)
    """All that belongs to it, with its half of the corridors."""


def build(dice: Dice, mission: Mission, layout: Layout) -> Dungeon:
    """Return the dungeon."""
    return _Site(dice, mission, layout).build()


class _Site:
    """Hold the map while it is built."""

    def __init__(self, dice: Dice, mission: Mission, layout: Layout) -> None:
        self.dice = dice
        self.mission = mission
        self.layout = layout
        self.terrain: dict[Tile, str] = {}
        # Water that nothing in the dungeon crosses would send people looking for the ladder.
        self.wet = any(area.bar is not None and area.bar.kind == "water" for area in mission.areas)
        self.gates: list[Gate] = []
        self.ways: list[Way] = []
        self.pickups: list[Pickup] = []
        rows = sorted({row for row, _ in layout.cells})
        columns = sorted({column for _, column in layout.cells})
        self.heights = {row: dice.between(5, 8) for row in range(rows[0], rows[-1] + 1)}
        self.widths = {column: dice.between(7, 12) for column in range(columns[0], columns[-1] + 1)}
        self.tops = _offsets(self.heights)
        self.lefts = _offsets(self.widths)
        self.chambers = [self._plan_chamber(room) for room in range(len(layout.cells))]

    def build(self) -> Dungeon:
        stairs = []
        for join in self.layout.joins:
            if join.stairs:
                stairs.append(join)
            else:
                self._open_door(join)
        for chamber in self.chambers:
            self._carve(chamber)
        start = self._put(0, centre=True)
        goal = self._put(self._farthest(len(self.mission.areas) - 1), centre=True)
        for join in stairs:
            self._build_stairs(join)
        for index, area in enumerate(self.mission.areas):
            for holding in area.holds:
                self._lay(index, holding)
        self._let_monsters_in()
        return self._assemble(start, goal)

    # rooms

    def _plan_chamber(self, room: int) -> _Chamber:
        row, column = self.layout.cells[room]
        height, width = self.heights[row], self.widths[column]
        # The middle of a cell, where doors are, always belongs to the room.
        top, bottom = (self.dice.below(2) if height > 5 else 0 for _ in range(2))
        left, right = (self.dice.below(1 + min(2, (width - 6) // 2)) for _ in range(2))
        return _Chamber(self.tops[row] + top, self.lefts[column] + left, height - top - bottom, width - left - right)

    def _open_door(self, join: Join) -> None:
        """Cut a door where two cells meet. Corridors come with the rooms, whose rectangles may still change."""
        row, column = self.layout.cells[join.source]
        other_row, other_column = self.layout.cells[join.target]
        side = next(name for name, step in SIDES.items() if step == (other_row - row, other_column - column))
        shift = self.dice.between(-1, 1)
        if side in ("E", "W"):
            door = self.tops[row] + self.heights[row] // 2 + shift, self.lefts[max(column, other_column)] - 1
        else:
            door = self.tops[max(row, other_row)] - 1, self.lefts[column] + self.widths[column] // 2 + shift
        bar = None if join.area is None else self.mission.areas[join.area].bar
        if bar is not None and bar.kind == "water":
            self._dig_moat(join.target, OPPOSITE[side])
        elif bar is not None:
            self.gates.append(_gate(bar, ((0, *door),)))
        self.terrain[door] = ARROWS[side] if join.one_way else FLOOR
        for room in (join.source, join.target):
            self.chambers[room].doors.append(door)
        if bar is None and not join.one_way:
            # an open door belongs to the room north or west of it
            self.chambers[join.source if side in ("E", "S") else join.target].tiles.append(door)

    def _dig_moat(self, room: int, side: str) -> None:
        """Make room for water along a side: there the room reaches the wall, so that other doors keep clear of it."""
        row, column = self.layout.cells[room]
        chamber = self.chambers[room]
        chamber.moat = side
        if side in ("N", "S"):
            bottom = self.tops[row] + self.heights[row] if side == "S" else chamber.top + chamber.height
            chamber.top = self.tops[row] if side == "N" else chamber.top
            chamber.height = bottom - chamber.top
        else:
            right = self.lefts[column] + self.widths[column] if side == "E" else chamber.left + chamber.width
            chamber.left = self.lefts[column] if side == "W" else chamber.left
            chamber.width = right - chamber.left

    def _carve(self, chamber: _Chamber) -> None:
        inner: list[Tile] = []
        for row, column in chamber.doors:
            last = chamber.top + chamber.height - 1, chamber.left + chamber.width - 1
            goal = min(max(row, chamber.top), last[0]), min(max(column, chamber.left), last[1])
            inner.append((goal[0] - chamber.top, goal[1] - chamber.left))
            down, right = _sign(goal[0] - row), _sign(goal[1] - column)
            at = row + down, column + right
            while at != goal:
                self.terrain[at] = FLOOR
                chamber.tiles.append(at)
                at = at[0] + down, at[1] + right
        shape = shape_room(self.dice, chamber.height, chamber.width, inner, wet=self.wet, moat=chamber.moat)
        near_doors = {(row + down, column + right) for row, column in inner for down, right in STEPS.values()}
        free: list[tuple[int, Tile]] = []
        for (row, column), terrain in sorted(shape.items()):
            tile = chamber.top + row, chamber.left + column
            chamber.tiles.append(tile)
            if terrain == WALL:
                continue
            self.terrain[tile] = terrain
            if terrain == FLOOR and (row, column) not in inner and (row, column) not in near_doors:
                free.append((_walls_around(shape, (row, column)), tile))
        chamber.free = [tile for _, tile in sorted(free)]

    # things

    def _put(self, room: int, *, centre: bool = False) -> Place:
        """Return a free tile of a room and use it up: in the middle, or in some nook."""
        chamber = self.chambers[room]
        if not chamber.free:
            chamber.free = [tile for tile in chamber.tiles if self.terrain.get(tile) == FLOOR]
        if centre:
            middle = 2 * chamber.top + chamber.height - 1, 2 * chamber.left + chamber.width - 1
            tile = min(chamber.free, key=lambda at: (abs(2 * at[0] - middle[0]) + abs(2 * at[1] - middle[1]), at))
        else:
            half = (len(chamber.free) + 1) // 2
            tile = self.dice.choice(chamber.free[-half:])
        chamber.free.remove(tile)
        return (0, *tile)

    def _farthest(self, area: int) -> int:
        """Return the room of an area that lies deepest, at a dead end if there is one."""
        layout = self.layout
        rooms = [room for room, owner in enumerate(layout.area_of) if owner == area]
        return max(rooms, key=lambda room: (layout.is_end[room], layout.depth[room], room))

    def _lay(self, area: int, holding: Holding) -> None:
        rooms = [room for room, owner in enumerate(self.layout.area_of) if owner == area]
        ends = [room for room in rooms if self.layout.is_end[room]]
        room = self.dice.choice(ends) if ends and self.dice.chance(75) else self.dice.choice(rooms)
        self.pickups.append(Pickup(self._put(room), holding.kind, holding.name))

    def _build_stairs(self, join: Join) -> None:
        source, target = self._put(join.source), self._put(join.target)
        bar = None if join.area is None else self.mission.areas[join.area].bar
        gate = None
        if bar is not None:
            gate = len(self.gates)
            self.gates.append(_gate(bar, ()))
        self.ways.append(Way(source, target, "stairs", gate))
        self.ways.append(Way(target, source, "stairs", gate))

    def _let_monsters_in(self) -> None:
        """Let a monster or two into some rooms; no door depends on them."""
        for room in range(1, len(self.chambers)):
            if self.dice.chance(20):
                for _ in range(self.dice.between(1, 2)):
                    if len(self.chambers[room].free) > 4:
                        self.pickups.append(Pickup(self._put(room), "monster"))

    # the whole

    def _assemble(self, start: Place, goal: Place) -> Dungeon:
        height = max(row for row, _ in self.terrain) + 2
        width = max(column for _, column in self.terrain) + 2
        top = min(row for row, _ in self.terrain) - 1
        left = min(column for _, column in self.terrain) - 1
        rows = [[NOTHING] * (width - left) for _ in range(height - top)]
        for row, column in self.dice.meter.each(self.terrain):
            for r in range(row - 1, row + 2):
                for c in range(column - 1, column + 2):
                    rows[r - top][c - left] = WALL
        for (row, column), terrain in self.dice.meter.each(self.terrain.items()):
            rows[row - top][column - left] = terrain
        names = name_rooms(self.dice, len(self.chambers))
        rooms = []
        for chamber, name in zip(self.chambers, names, strict=True):
            first = min(row for row, _ in chamber.tiles), min(column for _, column in chamber.tiles)
            last = max(row for row, _ in chamber.tiles), max(column for _, column in chamber.tiles)
            corner = 0, first[0] - top, first[1] - left
            rooms.append(Room(name, corner, last[0] - first[0] + 1, last[1] - first[1] + 1))

        def move(place: Place) -> Place:
            return place[0], place[1] - top, place[2] - left

        return assemble(
            DungeonParts(
                [Floor("", tuple("".join(row) for row in rows))],
                starts=[move(start)],
                goals=[move(goal)],
                pickups=[Pickup(move(each.place), each.kind, each.name, each.count) for each in self.pickups],
                gates=[Gate(gate.kind, gate.needs, tuple(move(cell) for cell in gate.cells)) for gate in self.gates],
                ways=[Way(move(way.source), move(way.target), way.kind, way.gate) for way in self.ways],
                rooms=rooms,
                title=name_dungeon(self.dice),
            )
        )


def _offsets(sizes: dict[int, int]) -> dict[int, int]:
    """Return where each row or column of cells begins, with one tile of wall between them."""
    offsets, at = {}, 1
    for number, size in sizes.items():
        offsets[number] = at
        at += size + 1
    return offsets


def _gate(bar: Bar, cells: tuple[Place, ...]) -> Gate:
    return Gate("item" if bar.kind == "water" else bar.kind, bar.needs, cells)


def _walls_around(shape: dict[Tile, str], tile: Tile) -> int:
    return sum(shape.get((tile[0] + down, tile[1] + right), WALL) == WALL for down, right in STEPS.values())


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
