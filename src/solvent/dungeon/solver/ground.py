"""A dungeon as a graph of tiles: those one can stand on, the moves between them, and what each asks for and does.

`tiles_kernel` numbers the tiles (`cells`) and lays the steps that terrain allows, of which there may be millions. What
else there is to know is added here, where things are few: gates, blocks, pickups, plates and ways. Gates that can never
bar any player under the dungeon's rules are left out.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import WATER, Dungeon, Place
from solvent.dungeon.rules import Game, beside, inside
from solvent.dungeon.solver.graph_kernel import Graph, Mechanics
from solvent.dungeon.solver.layout import (
    BOMBS,
    DIRECTIONS,
    Layout,
    pairs_of,
    plan_layout,
    resource_of,
    rooms_to_clear,
    spends,
)
from solvent.dungeon.solver.mechanics import (
    GAIN,
    NEED,
    NEED_OFF,
    NEED_ON,
    NEVER,
    NO_GATE,
    NOTHING_ASKED,
    SHUT,
    SPEND,
    TAKE,
    TOGGLE,
    Demand,
    Effect,
    GateRow,
    Rest,
    StockRow,
)
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.tiles_kernel import Steps, Tiles
from solvent.engine.arrays import SHORT

FIRST_WAY = 4
"""Moves below are letters, from here on ways."""


class Ground(Struct, frozen=True, eq=False):
    """Hold everything the solver needs to know of a dungeon."""

    dungeon: Dungeon
    game: Game
    layout: Layout
    tiles: Tiles
    cells: Graph
    """Its nodes are the tiles one can stand on."""
    gates: Sequence[GateRow]
    """What the gates of the graph ask for, by the numbers that demands have."""

    def cell(self, place: Place) -> int:
        """Return the number of the cell at a place, -1 where a player cannot stand."""
        return self.tiles.cell(place)

    def place(self, cell: int) -> Place:
        """Return the place of a cell."""
        return self.tiles.place(cell)

    def move_of(self, arc: int) -> str:
        """Return the move that an arc between cells stands for, as plans write it."""
        move = self.cells.move[arc]
        return DIRECTIONS[move] if move < FIRST_WAY else str(move - FIRST_WAY)


BYTES_A_TILE = 120
"""What a tile takes in the graph, with four moves from it, and while that is laid out."""


def ground_level(dungeon: Dungeon, meter: Meter = UNLIMITED) -> Ground:
    """Turn a dungeon into a graph."""
    meter.checkpoint()
    size = sum(len(floor.terrain) * len(floor.terrain[0]) for floor in dungeon.floors)
    meter.require_memory(size * BYTES_A_TILE / 1e6, "the graph of tiles")
    game = Game(dungeon, meter)
    meter.checkpoint()
    layout = plan_layout(dungeon, meter)
    walls = [block.place for block in dungeon.blocks] if dungeon.rules.push == "never" else []
    meter.checkpoint()
    tiles = Tiles([floor.terrain for floor in dungeon.floors], dungeon.rules.crossing == "one", walls)
    meter.checkpoint()
    gates = _Gates(game, layout, meter)
    blocks = [(at.word, at.shift) for at in layout.blocks]
    mechanics = Mechanics(layout.words, gates.rows, _stocks(layout), blocks)
    meter.checkpoint()
    effects, rests = _effects(dungeon, layout, tiles), _rests(game, layout, tiles)
    cells = Graph(mechanics, tiles.count, effects, rests, (tiles.cell(goal) for goal in dungeon.goals))
    meter.checkpoint()
    _lay_arcs(cells, _Asking(game, layout, tiles, gates), meter)
    return Ground(dungeon, game, layout, tiles, cells, gates.rows)


def _stocks(layout: Layout) -> list[StockRow]:
    return [
        StockRow(
            at.word,
            at.shift,
            (1 << at.bits) - 1,
            pairs_of(layout.gates[number] for number in layout.spenders[resource]),
        )
        for resource, at in layout.resources.items()
    ]


class _Gates:
    """Collect what gates ask for: those of the dungeon that can bar a player, and those that rules add."""

    def __init__(self, game: Game, layout: Layout, meter: Meter) -> None:
        self.game, self.dungeon, self.layout = game, game.dungeon, layout
        self.rooms_to_clear = rooms_to_clear(game.dungeon)
        self.rows: list[GateRow] = []
        self.stock_number = {resource: number for number, resource in enumerate(layout.resources)}
        self.number: dict[int, int] = {}
        """Rows of the dungeon's gates, for gates that are the same from everywhere."""
        self.clearing: dict[int, int] = {}
        """Rows of soft gates for those who stand in their room."""
        for gate in meter.each(range(len(self.dungeon.gates)), every=10):
            self._add(gate)
        is_wet = any(WATER in row for floor in self.dungeon.floors for row in floor.terrain)
        self.water = self._add_need([self.dungeon.rules.water]) if is_wet else NO_GATE

    def _add(self, number: int) -> None:
        gate, layout = self.dungeon.gates[number], self.layout
        if spends(self.dungeon, number):
            stock = self.stock_number[resource_of(gate.kind, gate.needs[0] if gate.needs else "")]
            at = layout.gates[number]
            self.number[number] = self._row(GateRow(SPEND, at.word, at.mask, stock))
        elif gate.kind == "item":
            self.number[number] = self._add_need(gate.needs)
        elif gate.kind == "barrier":
            at = layout.switches[gate.needs[0]]
            self.number[number] = self._row(GateRow(NEED_OFF if gate.open_at_first else NEED_ON, at.word, at.mask))
        elif gate.kind == "soft" and self.dungeon.rules.soft == "shut":
            at = layout.gates[number]
            self.number[number] = self._row(GateRow(SHUT, at.word, at.mask))
        elif gate.kind == "soft" and gate.needs[0] in self.rooms_to_clear:
            monsters = self.game.monsters_of(gate.needs[0])
            if monsters:
                needs = pairs_of(layout.pickups[pickup] for pickup in monsters)
                self.clearing[number] = self._row(GateRow(NEED, needs=needs))

    def _add_need(self, items: Sequence[str]) -> int:
        missing = [item for item in items if item not in self.dungeon.rules.items]
        if not missing:
            return NO_GATE
        if any(item not in self.layout.items for item in missing):
            return self._row(GateRow(NEVER))  # no player can ever have it
        needs = pairs_of(self.layout.items[item] for item in missing)
        return self._row(GateRow(NEED, needs=needs))

    def _row(self, row: GateRow) -> int:
        self.rows.append(row)
        return len(self.rows) - 1


class _Asking(Struct, frozen=True):
    """Know what a move asks for."""

    game: Game
    layout: Layout
    tiles: Tiles
    gates: _Gates

    def demand(self, here: Place, there: Place, move: int, wet: bool) -> Demand:
        """Return what a move between two places asks for; `wet` if it crosses water."""
        dungeon, game, gates = self.game.dungeon, self.game, self.gates
        number = game.gate_at.get(there)
        on_tile = self._gate(number)
        way = dungeon.ways[move - FIRST_WAY].gate if move >= FIRST_WAY else None
        on_way = self._gate(way)
        on_way = on_way if on_way != on_tile else NO_GATE
        # A soft door holds a player who comes from inside its room while that has monsters.
        if number is not None and self._holds(number, here):
            on_tile = gates.clearing[number]
        if way is not None and self._holds(way, here):
            on_way = gates.clearing[way]
        passed = (on_tile, on_way, gates.water if wet else NO_GATE)
        block = game.block_at.get(there) if self.layout.blocks else None
        if block is None:
            return Demand(passed)
        if move < FIRST_WAY and beside(here, DIRECTIONS[move]) == there:  # not leapt onto
            behind = beside(there, DIRECTIONS[move])
            if game.is_bare(behind):
                return Demand(passed, block, 1 + move, self.tiles.cell(behind))
        return Demand(passed, block)

    def _gate(self, number: int | None) -> int:
        return NO_GATE if number is None else self.gates.number.get(number, NO_GATE)

    def _holds(self, number: int, here: Place) -> bool:
        """Tell whether a gate is a soft door to clear a room for, and a player stands in that room."""
        return number in self.gates.clearing and inside(
            here, self.game.room_named[self.game.dungeon.gates[number].needs[0]]
        )


def _lay_arcs(cells: Graph, asking: _Asking, meter: Meter) -> None:
    """Lay the arcs between cells, and say what each asks for."""
    game, tiles = asking.game, asking.tiles
    marked, gate_of = _mark_cells(asking, meter)
    ends = ((tiles.cell(way.source), tiles.cell(way.target)) for way in game.dungeon.ways)
    # A way may end where a player cannot stand: on a block that is a wall.
    ways = [(here, there, number) for number, (here, there) in enumerate(ends) if here >= 0 and there >= 0]
    ways.sort(key=lambda way: (way[0], way[2]))
    numbers = {NOTHING_ASKED: 0}
    water = Demand((NO_GATE, NO_GATE, asking.gates.water))
    wet = numbers.setdefault(water, len(numbers))
    meter.checkpoint()
    steps = Steps(tiles, ways, marked, wet)
    in_pieces(steps.lay, meter)
    sources, targets, moves, demands = steps.rows()
    alike: dict[tuple[int, bool], int] = {}
    for arc in meter.each(steps.special_arcs()):
        is_wet = wet != 0 and demands[arc] == wet
        gate = gate_of[targets[arc]] if moves[arc] < FIRST_WAY else NO_GATE
        number = alike.get((gate, is_wet)) if gate != NO_GATE else None
        if number is None:
            here, there = tiles.place(sources[arc]), tiles.place(targets[arc])
            demand = asking.demand(here, there, moves[arc], is_wet)
            number = numbers.setdefault(demand, len(numbers))
            if gate != NO_GATE:
                alike[gate, is_wet] = number
        demands[arc] = number
    meter.checkpoint()
    cells.lay_arcs(steps.arcs, sources, targets, moves, demands)
    meter.checkpoint()
    cells.set_demands(list(numbers))


def _mark_cells(asking: _Asking, meter: Meter) -> tuple[bytearray, array[int]]:
    """Return which cells have a gate or a block, and for each cell the gate that asks the same of every step there."""
    game, tiles, clearing = asking.game, asking.tiles, asking.gates.clearing
    marked = bytearray(tiles.count)
    gate_of = array(SHORT, [NO_GATE]) * tiles.count
    for place, gate in meter.each(game.gate_at.items()):
        cell = tiles.cell(place)
        marked[cell] = 1
        if gate not in clearing and place not in game.block_at:
            gate_of[cell] = gate
    for place in game.block_at if asking.layout.blocks else ():
        marked[tiles.cell(place)] = 1
    return marked, gate_of


def _effects(dungeon: Dungeon, layout: Layout, tiles: Tiles) -> Iterable[Effect]:
    """Yield what entering cells does."""
    stock_number = {resource: number for number, resource in enumerate(layout.resources)}
    for number, pickup in enumerate(dungeon.pickups):
        cell = tiles.cell(pickup.place)
        if cell < 0:
            continue  # on water that can only be crossed
        at = layout.items.get(pickup.name) if pickup.kind == "item" else layout.pickups.get(number)
        if at is None:
            continue
        if pickup.kind in ("item", "monster"):
            yield Effect(cell, TAKE, at.word, at.mask)
        else:
            resource = resource_of(pickup.kind, pickup.name)
            amount = pickup.count or dungeon.rules.bombs_per_pickup if resource == BOMBS else pickup.count
            yield Effect(cell, GAIN, at.word, at.mask, stock_number[resource], amount)
    for switch in dungeon.switches:
        at = layout.switches[switch.name]
        yield Effect(tiles.cell(switch.place), TOGGLE, at.word, at.mask)


def _rests(game: Game, layout: Layout, tiles: Tiles) -> Iterable[Rest]:
    """Yield where blocks can come to rest."""
    for number, at in enumerate(layout.blocks):
        for value, direction in enumerate(DIRECTIONS, 1):
            place = beside(game.dungeon.blocks[number].place, direction)
            if game.is_bare(place):
                yield Rest(tiles.cell(place), at.word, at.shift, value)
