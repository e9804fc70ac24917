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
from solvent.dungeon.model import RETURN, USE, WATER, Dungeon, Not, Place, Requirement, Room, Switch, SwitchAt
from solvent.dungeon.rules import BOMBS, Game, beside, inside, resource_of, walk_from
from solvent.dungeon.solver.graph_kernel import Graph, Mechanics
from solvent.dungeon.solver.layout import (
    DIRECTIONS,
    Layout,
    pairs_of,
    plan_layout,
    rooms_to_clear,
    spends,
)
from solvent.dungeon.solver.mechanics import (
    ADVANCE,
    ASSIGN,
    EARN,
    GAIN,
    NEED,
    NEED_OFF,
    NEED_ON,
    NEVER,
    NO_GATE,
    NOTHING_ASKED,
    REFILL,
    SEIZE,
    SHUT,
    SPEND,
    TAKE,
    TOGGLE,
    Action,
    Demand,
    Effect,
    GateRow,
    Rest,
    StockRow,
)
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.requirements import Requirements
from solvent.dungeon.solver.requirements_kernel import Programs
from solvent.dungeon.solver.tiles_kernel import Steps, Tiles
from solvent.engine.arrays import SHORT

FIRST_WAY = 4
"""Moves below are letters, from here on ways; then comes the return to the start, and then the levers."""


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
    requirements: Requirements
    """The requirements among that."""

    def cell(self, place: Place) -> int:
        """Return the number of the cell at a place, -1 where a player cannot stand."""
        return self.tiles.cell(place)

    def place(self, cell: int) -> Place:
        """Return the place of a cell."""
        return self.tiles.place(cell)

    def move_of(self, arc: int) -> str:
        """Return the move that an arc between cells stands for, as plans write it."""
        move = self.cells.move[arc]
        if move < FIRST_WAY:
            return DIRECTIONS[move]
        lever = move - return_move(self.dungeon) - 1
        return str(move - FIRST_WAY) if lever < -1 else RETURN if lever < 0 else f"{USE}{lever}"

    def way_of(self, move: int) -> int | None:
        """Return the number of the way that a move takes; None for steps, levers and the return to the start."""
        return move - FIRST_WAY if FIRST_WAY <= move < return_move(self.dungeon) else None

    @property
    def moves(self) -> int:
        """Return how many kinds of move there are."""
        return return_move(self.dungeon) + 1 + len(self.dungeon.switches)


def return_move(dungeon: Dungeon) -> int:
    """Return the number of the move back to the start; those of levers follow."""
    return FIRST_WAY + len(dungeon.ways)


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
    requirements = Requirements.of(game, layout)
    gates = _Gates(requirements, meter)
    effects = _Effects(requirements, tiles)
    meter.checkpoint()
    arcs, demands = _find_arcs(_Asking(game, layout, tiles, gates, effects), meter)
    blocks = [(at.word, at.shift, at.mask) for at in layout.blocks]
    programs = Programs(requirements.programs)
    mechanics = Mechanics(layout.words, gates.rows, _stocks(layout), blocks, dungeon.rules.push == "on", programs)
    meter.checkpoint()
    goals = (tiles.cell(goal) for goal in dungeon.goals)
    cells = Graph(mechanics, tiles.count, effects.list(), _rests(game, layout, tiles), goals)
    meter.checkpoint()
    cells.lay_arcs(arcs.arcs, *arcs.rows())
    meter.checkpoint()
    cells.set_demands(demands)
    return Ground(dungeon, game, layout, tiles, cells, gates.rows, requirements)


def _stocks(layout: Layout) -> list[StockRow]:
    return [
        StockRow(
            at.word,
            at.shift,
            (1 << at.bits) - 1,
            pairs_of(layout.gates[number] for number in layout.spenders[resource]),
            layout.asked.resources.get(resource, 0),
        )
        for resource, at in layout.resources.items()
    ]


class _Gates:
    """Collect what gates ask for: those of the dungeon that can bar a player, and those that rules add."""

    def __init__(self, requirements: Requirements, meter: Meter) -> None:
        game, layout = requirements.game, requirements.layout
        self.game, self.dungeon, self.layout = game, game.dungeon, layout
        self.requirements = requirements
        self.rooms_to_clear = rooms_to_clear(game.dungeon)
        self.rows: list[GateRow] = []
        self.stock_number = {resource: number for number, resource in enumerate(layout.resources)}
        self.number: dict[int, int] = {}
        """Rows of the dungeon's gates, for gates that are the same from everywhere."""
        self.clearing: dict[int, int] = {}
        """Rows of soft gates for those who stand in their room."""
        self.ruled: dict[int, Requirement] = {}
        """What gates ask for that may look different from different places."""
        self._rows_of_rules: dict[GateRow, int] = {}
        self._closed: int | None = None
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
        elif gate.kind == "rule":
            assert gate.rule is not None, "a gate of this kind has one"
            self.ruled[number] = gate.rule
        elif gate.kind == "barrier" and gate.needs[0] in self.game.held_plates:
            held = SwitchAt(gate.needs[0])
            self.ruled[number] = Not(held) if gate.open_at_first else held
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

    def ruled_row(self, rule: Requirement, here: Place) -> int:
        """Return the row of a requirement for a player who stands on a place."""
        row = self.requirements.gate(rule, here)
        if row is None:
            return NO_GATE
        if row not in self._rows_of_rules:
            self._rows_of_rules[row] = self._row(row)
        return self._rows_of_rules[row]

    def closed_row(self) -> int:
        """Return the row of what never opens."""
        if self._closed is None:
            self._closed = self._row(GateRow(NEVER))
        return self._closed

    def _row(self, row: GateRow) -> int:
        self.rows.append(row)
        return len(self.rows) - 1


class _Asking(Struct, frozen=True):
    """Know what a move asks for, and what it does by itself."""

    game: Game
    layout: Layout
    tiles: Tiles
    gates: _Gates
    effects: _Effects

    def demand(self, here: Place, there: Place, move: int, wet: bool) -> Demand:
        """Return what a move between two places asks for; `wet` if it crosses water."""
        dungeon, game, gates = self.game.dungeon, self.game, self.gates
        number = game.gate_at.get(there)
        on_tile = self._gate(number, here)
        way = dungeon.ways[move - FIRST_WAY].gate if FIRST_WAY <= move < return_move(dungeon) else None
        on_way = self._gate(way, here)
        on_way = on_way if on_way != on_tile else NO_GATE
        # A soft door holds a player who comes from inside its room while that has monsters.
        if number is not None and self._holds(number, here):
            on_tile = gates.clearing[number]
        if way is not None and self._holds(way, here):
            on_way = gates.clearing[way]
        beyond = NO_GATE
        if there in game.closed:
            beyond = gates.closed_row()
        elif there in game.goals and dungeon.goal_rule is not None:
            beyond = gates.ruled_row(dungeon.goal_rule, here)
        passed = (on_tile, on_way, gates.water if wet else NO_GATE, beyond)
        actions = self._resets(here, there)
        block = game.block_at.get(there, -1) if self.layout.blocks else -1
        behind = -1
        if self.layout.blocks and move < FIRST_WAY and beside(here, DIRECTIONS[move]) == there:  # not leapt onto
            place = beside(there, DIRECTIONS[move])
            if game.is_bare(place) or (game.rules.push == "on" and place in game.block_at):
                behind = self.tiles.cell(place)
        if block < 0 and game.rules.push != "on":
            behind = -1  # where one comes to rest, it stays
        return Demand(passed, block, behind, actions)

    def lever(self, number: int, here: Place) -> Demand:
        """Return what working a lever from a place asks for and does."""
        switch = self.game.dungeon.switches[number]
        needs = NO_GATE if switch.rule is None else self.gates.ruled_row(switch.rule, here)
        return Demand((NO_GATE, NO_GATE, NO_GATE, needs), actions=(self.effects.turn(switch),), stays=True)

    def _resets(self, here: Place, there: Place) -> tuple[Action, ...]:
        """Return which blocks go back where they stood when a player leaves their rooms by this move."""
        if not self.layout.blocks or self.game.rules.blocks != "reset":
            return ()
        left = [room for room in self.effects.block_rooms if inside(here, room) and not inside(there, room)]
        return tuple(
            Action(ASSIGN, at.word, at.mask, at.shift, 0)
            for number, at in enumerate(self.layout.blocks)
            if any(inside(self.game.dungeon.blocks[number].place, room) for room in left)
        )

    def _gate(self, number: int | None, here: Place) -> int:
        if number is None:
            return NO_GATE
        if number in self.gates.ruled:
            return self.gates.ruled_row(self.gates.ruled[number], here)
        return self.gates.number.get(number, NO_GATE)

    def _holds(self, number: int, here: Place) -> bool:
        """Tell whether a gate is a soft door to clear a room for, and a player stands in that room."""
        return number in self.gates.clearing and inside(
            here, self.game.room_named[self.game.dungeon.gates[number].needs[0]]
        )


class _Effects:
    """Know what entering cells does, and what turning a switch does."""

    def __init__(self, requirements: Requirements, tiles: Tiles) -> None:
        self.requirements, self.tiles = requirements, tiles
        self.game, self.layout = requirements.game, requirements.layout
        self._stock_number = {resource: number for number, resource in enumerate(self.layout.resources)}
        dungeon = self.game.dungeon
        homes = [block.place for block in dungeon.blocks]
        resets = dungeon.rules.blocks == "reset"
        self.block_rooms: list[Room] = [
            room for room in (dungeon.rooms if resets else ()) if any(inside(home, room) for home in homes)
        ]
        """Rooms in which blocks stand that go back there."""
        self._listed = list(self._find())

    def list(self) -> list[Effect]:
        """Return what entering cells does."""
        return self._listed

    def turn(self, switch: Switch) -> Action:
        """Return what turning a switch does."""
        number = self.game.dial_number.get(switch.name)
        if number is not None:
            at, states = self.layout.dials[number], self.game.dungeon.dials[number].states
            if switch.sets:
                return Action(ASSIGN, at.word, at.mask, at.shift, states.index(switch.sets))
            return Action(ADVANCE, at.word, at.mask, at.shift, len(states))
        at = self.layout.switches[switch.name]
        if switch.sets:
            return Action(ASSIGN, at.word, at.mask, at.shift, int(switch.sets == "on"))
        return Action(TOGGLE, at.word, at.mask)

    def _find(self) -> Iterable[Effect]:
        order = 0
        for switch in self.game.dungeon.switches:
            if switch.kind == "plate":
                yield Effect(self.tiles.cell(switch.place), order, self.turn(switch))
                order += 1
        for number, pickup in enumerate(self.game.dungeon.pickups):
            cell = self.tiles.cell(pickup.place)
            if cell < 0:
                continue  # on water that can only be crossed
            rule = -1 if pickup.rule is None else self.requirements.number(pickup.rule, pickup.place)
            follows = False
            for action in self._take(number):
                yield Effect(cell, order, action._replace(rule=rule, follows=follows))
                follows = True
                order += 1

    def _take(self, number: int) -> Iterable[Action]:
        dungeon, layout = self.game.dungeon, self.layout
        pickup, at = dungeon.pickups[number], layout.pickups.get(number)
        if pickup.kind == "item":
            kind = SEIZE if pickup.name in layout.asked.unwanted_items else TAKE
            named = layout.items.get(pickup.name)
            if named is not None:
                yield Action(kind, named.word, named.mask)
            if at is not None:
                yield Action(kind, at.word, at.mask)
        elif pickup.kind == "monster":
            if at is not None:
                yield Action(SEIZE if number in layout.delicate else TAKE, at.word, at.mask)
        else:
            resource = resource_of(pickup.kind, pickup.name)
            if resource not in layout.resources:
                return
            stock = self._stock_number[resource]
            amount = pickup.count or dungeon.rules.bombs_per_pickup if resource == BOMBS else pickup.count
            if pickup.renews:
                yield Action(REFILL, 0, 0, stock, amount)
            elif at is not None:
                yield Action(EARN if number in layout.delicate else GAIN, at.word, at.mask, stock, amount)


def _find_arcs(asking: _Asking, meter: Meter) -> tuple[Steps, list[Demand]]:
    """Lay the arcs between cells, and find what each asks for."""
    game, tiles, dungeon = asking.game, asking.tiles, asking.game.dungeon
    marked, gate_of = _mark_cells(asking, meter)
    leaving = bytearray(tiles.count)
    for cell in _cells_in(asking.effects.block_rooms, tiles, meter):
        leaving[cell] = 1
    at_home = game.gate_at.get(dungeon.start)
    if dungeon.rules.home == "always" and at_home in asking.gates.clearing:  # it holds those who return from its room
        for cell in _cells_in([game.room_named[dungeon.gates[at_home].needs[0]]], tiles, meter):
            leaving[cell] = 1
    for plates in game.held_plates.values():  # what is open from there may be shut from elsewhere
        for place in plates:
            if tiles.cell(place) >= 0:
                leaving[tiles.cell(place)] = 1
    ends = ((tiles.cell(way.source), tiles.cell(way.target)) for way in dungeon.ways)
    # A way may end where a player cannot stand: on a block that is a wall.
    ways = [(here, there, number) for number, (here, there) in enumerate(ends) if here >= 0 and there >= 0]
    first_lever = len(dungeon.ways) + 1
    for place, levers in game.levers_from.items():
        cell = tiles.cell(place)
        ways += [(cell, cell, first_lever + number) for number in levers if cell >= 0]
    ways.sort(key=lambda way: (way[0], way[2]))
    numbers = {NOTHING_ASKED: 0}
    water = Demand((NO_GATE, NO_GATE, asking.gates.water, NO_GATE))
    wet = numbers.setdefault(water, len(numbers))
    home, home_demand = -1, 0
    if dungeon.rules.home == "always":
        home = tiles.cell(dungeon.start)
        # What standing on a plate changes is found arc by arc; from anywhere else the return asks for the same.
        back = asking.demand((-1, -1, -1), dungeon.start, return_move(dungeon), False)
        home_demand = numbers.setdefault(back, len(numbers))
    meter.checkpoint()
    steps = Steps(tiles, ways, marked, leaving, wet, (home, return_move(dungeon), home_demand))
    in_pieces(steps.lay, meter)
    sources, targets, moves, demands = steps.rows()
    alike: dict[tuple[int, bool], int] = {}
    for arc in meter.each(steps.special_arcs()):
        is_wet = wet != 0 and demands[arc] == wet
        plain = moves[arc] < FIRST_WAY and not leaving[sources[arc]]
        gate = gate_of[targets[arc]] if plain else NO_GATE
        number = alike.get((gate, is_wet)) if gate != NO_GATE else None
        if number is None:
            here, there = tiles.place(sources[arc]), tiles.place(targets[arc])
            lever = moves[arc] - FIRST_WAY - first_lever
            demand = asking.lever(lever, here) if lever >= 0 else asking.demand(here, there, moves[arc], is_wet)
            number = numbers.setdefault(demand, len(numbers))
            if gate != NO_GATE:
                alike[gate, is_wet] = number
        demands[arc] = number
    return steps, list(numbers)


def _cells_in(rooms: Sequence[Room], tiles: Tiles, meter: Meter) -> Iterable[int]:
    """Yield the cells that lie in rooms."""
    for room in rooms:
        floor, top, left = room.corner
        for row in meter.each(range(top, top + room.height), every=20):
            for column in range(left, left + room.width):
                cell = tiles.cell((floor, row, column))
                if cell >= 0:
                    yield cell


def _mark_cells(asking: _Asking, meter: Meter) -> tuple[bytearray, array[int]]:
    """Return which cells have a gate or a block, and for each cell the gate that asks the same of every step there."""
    game, tiles, gates = asking.game, asking.tiles, asking.gates
    dungeon = game.dungeon
    marked = bytearray(tiles.count)
    gate_of = array(SHORT, [NO_GATE]) * tiles.count
    barred = {*game.closed, *(game.goals if dungeon.goal_rule is not None else ())}
    for place, gate in meter.each(game.gate_at.items()):
        cell = tiles.cell(place)
        marked[cell] = 1
        if gate not in gates.clearing and place not in game.block_at and place not in barred:
            gate_of[cell] = gate
    for place in barred:
        if tiles.cell(place) >= 0:
            marked[tiles.cell(place)] = 1
    for number, walks in enumerate(asking.layout.block_walks):
        for walk in ("", *(walks if game.rules.push == "on" else ())):
            cell = tiles.cell(walk_from(dungeon.blocks[number].place, walk))
            marked[cell] = 1
            gate_of[cell] = NO_GATE
    return marked, gate_of


def _rests(game: Game, layout: Layout, tiles: Tiles) -> Iterable[Rest]:
    """Yield where blocks can be."""
    for number, walks in enumerate(layout.block_walks):
        for value, walk in enumerate(("", *walks)):
            yield Rest(tiles.cell(walk_from(game.dungeon.blocks[number].place, walk)), number, value)
