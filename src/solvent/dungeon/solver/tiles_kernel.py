"""The tiles of a dungeon: which of them one can stand on, and which steps terrain allows.

Tiles are numbered over all floors, row by row; `cells`, the tiles one can ever stand on, are numbered in that order.
Nothing here knows of gates or things: those are few, and `ground` adds them.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cython

from solvent.engine.arrays import SHORT, new_row, row_of

Place = tuple[int, int, int]

_WALL = cython.declare(cython.longlong, ord("#"))
_NOTHING = cython.declare(cython.longlong, ord(" "))
_FLOOR = cython.declare(cython.longlong, ord("."))
_WATER = cython.declare(cython.longlong, ord("~"))
_CLOSED = cython.declare(cython.longlong, -2)


@cython.final
@cython.cclass
class Tiles:
    """Number the tiles one can stand on, and lay the arcs between them."""

    letters: cython.uchar[::1]
    """The terrain of each tile."""
    floors: cython.longlong
    """How many floors there are."""
    first_tile: cython.int[::1]
    """Shape (floors + 1): the tile at row 0, column 0 of each floor; then how many tiles there are."""
    heights: cython.int[::1]
    """How many rows each floor has."""
    widths: cython.int[::1]
    """How many columns each floor has."""
    down: cython.longlong[4]
    """The change of row of a step north, east, south and west."""
    right: cython.longlong[4]
    """The change of column."""
    one_way: cython.longlong[4]
    """The terrain that is walked in this direction only."""
    leaps: cython.bint
    """Whether a step carries over one tile of water; else water is walked on."""
    cell_at: cython.int[::1]
    """The cell at each tile, -1 where a player cannot stand."""
    tile_of: cython.int[::1]
    """The tile of each cell."""
    count = cython.declare(cython.longlong, visibility="readonly")
    """How many cells there are."""
    wet: cython.bint
    """Whether the step that `ahead` looked at last crosses water."""

    def __init__(self, floors: Sequence[Sequence[str]], leaps: bool, closed: Iterable[Place]) -> None:
        """Number the cells of floors, given as rows of letters; a player cannot stand on closed places.

        Raises ValueError for rows of different lengths, and for places outside the floors, here and in `cell`.
        """
        self.letters = bytearray("".join(row for rows in floors for row in rows).encode("ascii", "replace"))
        self.floors = len(floors)
        self.heights = row_of((len(rows) for rows in floors), SHORT)
        self.widths = row_of((len(rows[0]) for rows in floors), SHORT)
        for number, rows in enumerate(floors):
            if any(len(row) != len(rows[0]) for row in rows):
                raise ValueError(f"expected rows of one length on floor {number}, found {sorted(set(map(len, rows)))}")
        tiles = 0
        firsts = [0]
        for rows in floors:
            tiles += len(rows) * len(rows[0])
            firsts.append(tiles)
        self.first_tile = row_of(firsts, SHORT)
        self.down = [-1, 0, 1, 0]
        self.right = [0, 1, 0, -1]
        self.one_way = [ord(letter) for letter in "^>v<"]
        self.leaps = leaps
        self.cell_at = new_row(tiles, SHORT)
        for place in closed:
            self.cell_at[self._tile(place)] = _CLOSED
        self.count = 0
        self.wet = False
        self.tile_of = new_row(1, SHORT)
        with cython.nogil:
            self._number()
        self.tile_of = new_row(self.count, SHORT)
        with cython.nogil:
            self._list()

    def cell(self, place: Place) -> int:
        """Return the cell at a place, -1 where a player cannot stand."""
        return self.cell_at[self._tile(place)]

    def place(self, cell: cython.longlong) -> Place:
        """Return the place of a cell."""
        tile = self.tile_of[cell]
        low: cython.longlong = 0
        high: cython.longlong = self.floors
        while high - low > 1:  # its floor is from low to high - 1
            middle = (low + high) // 2
            if self.first_tile[middle] <= tile:
                low = middle
            else:
                high = middle
        inside = tile - self.first_tile[low]
        return low, inside // self.widths[low], inside % self.widths[low]

    def _tile(self, place: Place) -> int:
        floor, row, column = place
        inside: cython.bint = 0 <= floor < self.floors
        if not inside or not (0 <= row < self.heights[floor] and 0 <= column < self.widths[floor]):
            raise ValueError(f"expected a place inside the dungeon, found {place}")
        return self.first_tile[floor] + row * self.widths[floor] + column

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _number(self) -> cython.void:
        """Give every tile one can stand on its number."""
        for tile in range(self.first_tile[self.floors]):
            letter = self.letters[tile]
            shut: cython.bint = letter == _WALL or letter == _NOTHING or (self.leaps and letter == _WATER)
            if shut or self.cell_at[tile] == _CLOSED:
                self.cell_at[tile] = -1
            else:
                self.cell_at[tile] = self.count
                self.count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(self) -> cython.void:
        """Note the tile of each cell."""
        for tile in range(self.first_tile[self.floors]):
            if self.cell_at[tile] >= 0:
                self.tile_of[self.cell_at[tile]] = tile

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def ahead(
        self, floor: cython.longlong, row: cython.longlong, column: cython.longlong, direction: cython.longlong
    ) -> cython.longlong:
        """Return the cell that a step from a tile leads to, -1 for none; sets `wet`."""
        if self.is_against(floor, row, column, direction):
            return -1
        self.wet = False
        row += self.down[direction]
        column += self.right[direction]
        tile = self.tile_at(floor, row, column)
        if tile >= 0 and self.letters[tile] == _WATER:
            self.wet = True
            if self.leaps:
                row += self.down[direction]
                column += self.right[direction]
                tile = self.tile_at(floor, row, column)
        if tile < 0 or self.cell_at[tile] < 0 or self.is_against(floor, row, column, direction):
            return -1
        return self.cell_at[tile]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def tile_at(self, floor: cython.longlong, row: cython.longlong, column: cython.longlong) -> cython.longlong:
        """Return the tile at a place, -1 outside the floor."""
        if row < 0 or column < 0 or row >= self.heights[floor] or column >= self.widths[floor]:
            return -1
        return self.first_tile[floor] + row * self.widths[floor] + column

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_against(
        self, floor: cython.longlong, row: cython.longlong, column: cython.longlong, direction: cython.longlong
    ) -> cython.bint:
        """Tell whether a tile is walked one way, and not in this direction."""
        letter = self.letters[self.first_tile[floor] + row * self.widths[floor] + column]
        if letter == _FLOOR or letter == _WATER or letter == self.one_way[direction]:
            return False
        for other in range(4):
            if letter == self.one_way[other]:
                return True
        return False


@cython.final
@cython.cclass
class Steps:
    """Lay the arcs that terrain and ways allow, sorted by the cell they lead from; steps come first, north to west."""

    tiles: Tiles
    """The tiles they lead over."""
    marked: cython.uchar[::1]
    """1 for cells on which more than terrain decides whether one can enter."""
    leaving: cython.uchar[::1]
    """1 for cells from which more than terrain decides what a move asks for and does."""
    wet_demand: cython.longlong
    """What a step asks for that crosses water."""
    home: cython.longlong
    """The cell that a player can return to from every other; -1 if there is no such move."""
    home_move: cython.longlong
    """The number of that move."""
    home_demand: cython.longlong
    """What it asks for."""
    ways: cython.longlong
    """How many ways there are; the rows of ways are sorted by source."""
    way_source: cython.int[::1]
    """The cell a way leads from."""
    way_target: cython.int[::1]
    """The cell it leads to."""
    way_number: cython.int[::1]
    """Its number."""
    arcs = cython.declare(cython.longlong, visibility="readonly")
    """How many arcs there are; the rows of arcs have an entry for each."""
    source: cython.int[::1]
    """The cell an arc leads from."""
    target: cython.int[::1]
    """The cell it leads to."""
    move: cython.int[::1]
    """0 to 3 for the letters, 4 + n for way n, and other numbers as they were given."""
    demand: cython.int[::1]
    """What it asks for as far as terrain goes: 0 for nothing."""
    specials: cython.longlong
    """How many arcs are ways or lead to marked cells."""
    special: cython.int[::1]
    """Those arcs."""
    filling: cython.bint
    """Whether arcs are written down; at first they are only counted."""
    floor: cython.longlong
    """The floor to go on with."""
    row: cython.longlong
    """The row of that floor."""
    way: cython.longlong
    """The way to go on with."""
    looks: cython.longlong
    """How many more moves to look at in this call."""

    def __init__(
        self,
        tiles: Tiles,
        ways: Sequence[tuple[int, int, int]],
        marked: bytearray,
        leaving: bytearray,
        wet_demand: int,
        returning: tuple[int, int, int],
    ) -> None:
        """Begin; `ways` are the cells each leads from and to, and its number, sorted. `lay` does the work.

        `returning` are the cell that can be returned to from all others (-1 for none), the move and what it asks for.
        """
        self.tiles = tiles
        self.marked = marked
        self.leaving = leaving
        self.wet_demand = wet_demand
        self.home, self.home_move, self.home_demand = returning
        self.ways = len(ways)
        self.way_source = row_of((way[0] for way in ways), SHORT)
        self.way_target = row_of((way[1] for way in ways), SHORT)
        self.way_number = row_of((way[2] for way in ways), SHORT)
        self.source = self.target = self.move = self.demand = self.special = new_row(1, SHORT)
        self.arcs = 0
        self.specials = 0
        self.filling = False
        self._begin()

    def _begin(self) -> None:
        """Begin to go through all cells."""
        self.arcs = 0
        self.specials = 0
        self.way = 0
        self.floor = 0
        self.row = 0
        self.looks = 0

    def lay(self, limit: cython.longlong) -> bool:
        """Count arcs, and then write them down, looking at up to about `limit` moves; returns whether all are laid."""
        self.looks = limit
        with cython.nogil:
            self._lay()
        if self.floor < self.tiles.floors:
            return False
        if self.filling:
            return True
        self.source = new_row(self.arcs, SHORT)
        self.target = new_row(self.arcs, SHORT)
        self.move = new_row(self.arcs, SHORT)
        self.demand = new_row(self.arcs, SHORT)
        self.special = new_row(self.specials, SHORT)
        self.filling = True
        self._begin()
        return False

    def rows(self) -> tuple[memoryview, memoryview, memoryview, memoryview]:
        """Return the rows of sources, targets, moves and demands."""
        return memoryview(self.source), memoryview(self.target), memoryview(self.move), memoryview(self.demand)

    def special_arcs(self) -> memoryview:
        """Return the arcs that are ways or lead to marked cells."""
        return memoryview(self.special)[: self.specials]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay(self) -> cython.void:
        """Go on through all moves, row by row, and count them; when `filling`, write them down."""
        while self.floor < self.tiles.floors and self.looks > 0:
            self._lay_row()
            self.row += 1
            if self.row == self.tiles.heights[self.floor]:
                self.row = 0
                self.floor += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lay_row(self) -> cython.void:
        """Go through the moves from the cells of a row."""
        for column in range(self.tiles.widths[self.floor]):
            cell = self.tiles.cell_at[self.tiles.tile_at(self.floor, self.row, column)]
            self.looks -= 1
            if cell < 0:
                continue
            self.looks -= 4
            for direction in range(4):
                there = self.tiles.ahead(self.floor, self.row, column, direction)
                if there >= 0:
                    self._add(cell, there, direction, self.wet_demand if self.tiles.wet else 0)
            while self.way < self.ways and self.way_source[self.way] == cell:
                self._add(cell, self.way_target[self.way], 4 + self.way_number[self.way], 0)
                self.way += 1
            if self.home >= 0 and cell != self.home:
                self._add(cell, self.home, self.home_move, self.home_demand)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add(
        self, here: cython.longlong, there: cython.longlong, move: cython.longlong, demand: cython.longlong
    ) -> cython.void:
        """Count an arc; when `filling`, write it down."""
        special: cython.bint = (
            (move >= 4 and move != self.home_move)
            or (self.marked[there] != 0 and move != self.home_move)
            or self.leaving[here] != 0
        )
        if self.filling:
            self.source[self.arcs] = here
            self.target[self.arcs] = there
            self.move[self.arcs] = move
            self.demand[self.arcs] = demand
            if special:
                self.special[self.specials] = self.arcs
        self.arcs += 1
        self.specials += special
