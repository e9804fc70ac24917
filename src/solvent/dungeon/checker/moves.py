"""The rules of play for many states at once: each move from area to area, and what it asks of the rest of the state.

A move between plain tiles of one area is left out (see `areas`). Moves of one area to another that ask and do the same
are one. `play` says what a move does in a single state; this module says the same of bits, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.checker.areas import Areas, area_at, find_areas, floor_of, place_of, tile_at
from solvent.dungeon.checker.ledger import Ledger, in_hand, open_ledger
from solvent.dungeon.checker.play import Board, inside, monsters_in, neighbour
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, WALL, WATER, Gate, Place

BYTES_AN_AREA = 250
BYTES_A_MOVE = 700
"""What they take in memory, without what their bits take."""

Calm = tuple[int, int, int]
"""(care, want, area): a calm move to or from an area, legal while `bits & care == want`."""


class Move(Struct, frozen=True, gc=False):
    """Hold one kind of move between two areas."""

    source: int
    target: int
    tile: int
    """A tile it can be made from, for messages."""
    letter: str
    """The direction, or the number of the way."""
    goal: bool
    """Whether it ends on a goal."""
    needs: int
    """Bits of the items that must be held and of the monsters that must be beaten."""
    care: int
    want: int
    """It is illegal unless `bits & care == want`, whatever there is to spend."""
    takes: tuple[int, ...]
    """Gates that take a key or a bomb, unless they are open."""
    block: int
    """Bit of the block that stands on the target until it is pushed; 0 if none does."""
    push: int
    """Bits of that block having been pushed in this direction; 0 if this move cannot."""
    behind: int
    """Bits of blocks resting where it would be pushed to."""
    sets: int
    """Bits of doors that fall shut."""
    toggles: int
    """Bits of switches."""
    can_be_calm: bool
    calm_care: int
    calm_want: int
    """If it can be calm: it is legal and changes nothing but the place while `bits & calm_care == calm_want`."""


class Maze(Struct, frozen=True):
    """Hold a dungeon as areas and moves between them."""

    board: Board
    ledger: Ledger
    areas: Areas
    moves: list[list[Move]]
    """The moves from each area; none from a goal, where the game is over."""
    lies: list[int]
    """What lies in each area and matters, as bits."""
    calm_from: list[list[Calm]]
    calm_to: list[list[Calm]]

    @property
    def meter(self) -> Meter:
        """Return the account of what the check costs."""
        return self.board.meter


def build_maze(board: Board, *, step_by_step: bool = False) -> Maze:
    """Find the areas and the moves between them.

    With `step_by_step`, a move onto something that matters and is not had yet is not calm.
    """
    meter = board.meter
    ledger = open_ledger(board)
    areas = find_areas(board, ledger)
    meter.require_memory(areas.count * BYTES_AN_AREA / 1e6, "the areas of the map")
    lies = [0] * areas.count
    for number, pickup in enumerate(meter.each(board.dungeon.pickups)):
        bit = ledger.items.get(pickup.name, 0) if pickup.kind == "item" else ledger.pickups.get(number, 0)
        area = area_at(areas, tile_at(areas.tiles, pickup.place)) if bit else None
        if area is not None:  # it may lie in water that no player can stand on
            lies[area] |= bit
    compiler = _Compiler(board, ledger, areas, lies if step_by_step else [0] * areas.count)
    moves: list[list[Move]] = [[] for _ in meter.each(range(areas.count))]
    calm_from: list[list[Calm]] = [[] for _ in meter.each(range(areas.count))]
    calm_to: list[list[Calm]] = [[] for _ in meter.each(range(areas.count))]
    taken = 0
    for number, move in enumerate(compiler.moves()):
        moves[move.source].append(move)
        taken += BYTES_A_MOVE + _bytes_of(move)
        if number % 1000 == 0:
            require_room(meter, taken, "the moves between areas")
        if move.can_be_calm:
            calm_from[move.source].append((move.calm_care, move.calm_want, move.target))
            calm_to[move.target].append((move.calm_care, move.calm_want, move.source))
    return Maze(board, ledger, areas, moves, lies, calm_from, calm_to)


def _bytes_of(move: Move) -> int:
    """Return about how much memory the bits of a move take."""
    bits = move.care.bit_length() + move.want.bit_length() + move.calm_care.bit_length() + move.calm_want.bit_length()
    return bits // 4  # they are in two places, as a move and as what is known of calm ones


def require_room(meter: Meter, taken: int, purpose: str) -> None:
    """Raise LimitReached if so many bytes are too much, or at any other limit; megabytes are looked at as they go."""
    meter.checkpoint()
    if meter.budget.megabytes is None:
        meter.require_memory(taken / 1e6, purpose)


def make_move(maze: Maze, move: Move, bits: int) -> int | None:
    """Return the bits after a move, or None if it is illegal."""
    if bits & move.care != move.want:
        return None
    after = bits
    for gate in move.takes:
        bit = maze.ledger.opened[gate]
        if not after & bit:
            if in_hand(maze.ledger.purses[gate], after) < 1:
                return None
            after |= bit
    if move.block and not bits & move.block:
        if not move.push or bits & move.behind:
            return None
        after |= move.push
    return ((after | move.sets) ^ move.toggles) | maze.lies[move.target]


class _Demands(Struct):
    """Collect what a move asks for and does, gate by gate."""

    care: int = 0
    want: int = 0
    needs: int = 0
    possible: bool = True
    takes: tuple[int, ...] = ()
    sets: int = 0

    def ask(self, care: int, want: int) -> None:
        if (self.care & care) & (self.want ^ want):
            self.possible = False
        self.care |= care
        self.want |= want

    def hold(self, bits: int) -> None:
        self.needs |= bits
        self.ask(bits, bits)


class _Compiler:
    """Turn steps and ways into moves between areas."""

    def __init__(self, board: Board, ledger: Ledger, areas: Areas, steps_aside: list[int]) -> None:
        self.board = board
        self.ledger = ledger
        self.areas = areas
        self.steps_aside = steps_aside
        """What must be had for a move onto an area to be calm."""
        tiles = areas.tiles
        self.offsets = [{"N": -stride, "E": 1, "S": stride, "W": -1} for stride in tiles.strides]
        self.gates = {tile_at(tiles, place): gate for place, gate in board.meter.each(board.gates.items())}
        self.goals = {tile_at(tiles, place) for place in board.goals}
        self.blocks = {tile_at(tiles, place): block for place, block in board.blocks.items()}
        self.plates: dict[int, int] = {}
        for switch in board.dungeon.switches:
            tile = tile_at(tiles, switch.place)
            self.plates[tile] = self.plates.get(tile, 0) ^ ledger.on[switch.name]
        self.resting: dict[int, int] = {}
        for (block, way), bit in ledger.rests.items():
            tile = tile_at(tiles, neighbour(board.dungeon.blocks[block].place, way))
            self.resting[tile] = self.resting.get(tile, 0) | bit
        self.guards = self._monsters_of_rooms()

    def moves(self) -> Iterator[Move]:
        """Yield every kind of move between areas once."""
        seen: set[object] = set()
        for move in self._all_moves():
            kind = (move.source, move.target, move.needs, move.care, move.want, move.takes, move.push, move.calm_want)
            if kind not in seen:
                seen.add(kind)
                yield move

    def _all_moves(self) -> Iterator[Move]:
        sketch, meter = self.areas.sketch, self.board.meter
        for tile in meter.each(self.areas.special, every=50):
            offsets = self.offsets[floor_of(self.areas.tiles, tile)]
            for direction, offset in offsets.items():
                if tile not in self.goals:
                    yield from self._step(tile, direction)
                if sketch[tile - offset] in (FLOOR, WATER):
                    yield from self._step(tile - offset, direction)
        # Between plain floor and plain water, and from plain tiles across water.
        for tile in meter.each(self._wet_tiles(), every=50):
            offsets = self.offsets[floor_of(self.areas.tiles, tile)]
            for direction, offset in offsets.items():
                if sketch[tile - offset] == FLOOR:
                    yield from self._step(tile - offset, direction)
                if sketch[tile] == WATER and sketch[tile + offset] == FLOOR:
                    yield from self._step(tile, direction)
        for number in meter.each(range(len(self.board.dungeon.ways)), every=50):
            yield from self._way(number)

    def _wet_tiles(self) -> Iterator[int]:
        letters = self.areas.tiles.letters
        tile = letters.find(WATER)
        while tile >= 0:
            yield tile
            tile = letters.find(WATER, tile + 1)

    def _step(self, tile: int, direction: str) -> Iterator[Move]:
        letters, rules = self.areas.tiles.letters, self.board.dungeon.rules
        if ONE_WAYS.get(letters[tile], direction) != direction:
            return
        offset = self.offsets[floor_of(self.areas.tiles, tile)][direction]
        target = tile + offset
        demands = _Demands()
        leap = False
        if letters[target] == WATER:
            demands.hold(self.ledger.items[rules.water])
            if rules.crossing == "one":
                leap = True
                target += offset
                if letters[target] == WATER:
                    return
        if letters[target] in (WALL, NOTHING) or ONE_WAYS.get(letters[target], direction) != direction:
            return
        gate = self.gates.get(target)
        if gate is not None:
            self._pass(demands, gate, tile)
        push = behind = 0
        block = self.blocks.get(target)
        if block is not None and not leap and (block, direction) in self.ledger.rests:
            push = self.ledger.moved[block] | self.ledger.rests[block, direction]
            behind = self.resting[target + offset]
        yield from self._move(tile, target, direction, demands, push, behind)

    def _way(self, number: int) -> Iterator[Move]:
        way = self.board.dungeon.ways[number]
        tiles = self.areas.tiles
        source, target = tile_at(tiles, way.source), tile_at(tiles, way.target)
        if source in self.goals:
            return
        demands = _Demands()
        for gate in dict.fromkeys((way.gate, self.gates.get(target))):
            if gate is not None:
                self._pass(demands, gate, source)
        yield from self._move(source, target, str(number), demands, 0, 0)

    def _move(self, tile: int, target: int, letter: str, demands: _Demands, push: int, behind: int) -> Iterator[Move]:
        """Yield the move if it is ever legal and not just a walk about one area."""
        source_area, target_area = area_at(self.areas, tile), area_at(self.areas, target)
        if source_area is None or target_area is None:
            return
        demands.ask(self.resting.get(target, 0), 0)
        if not demands.possible:
            return
        block = self.ledger.moved[self.blocks[target]] if target in self.blocks else 0
        toggles, goal = self.plates.get(target, 0), target in self.goals
        open_gates = sum(self.ledger.opened[gate] for gate in demands.takes)
        firm = open_gates | block | self.steps_aside[target_area]
        can_be_calm = not (goal or toggles or demands.sets)
        if source_area == target_area and can_be_calm and not firm:
            return
        yield Move(
            source=source_area,
            target=target_area,
            tile=tile,
            letter=letter,
            goal=goal,
            needs=demands.needs,
            care=demands.care,
            want=demands.want,
            takes=demands.takes,
            block=block,
            push=push,
            behind=behind,
            sets=demands.sets,
            toggles=toggles,
            can_be_calm=can_be_calm,
            calm_care=demands.care | firm,
            calm_want=demands.want | firm,
        )

    def _pass(self, demands: _Demands, number: int, tile: int) -> None:
        """Add what passing a gate from a tile asks for and does."""
        gate, rules = self.board.dungeon.gates[number], self.board.dungeon.rules
        if number in self.ledger.opened:
            demands.takes = (*demands.takes, number)
        elif gate.kind == "item":
            for name in gate.needs:
                demands.hold(self.ledger.items[name])
        elif gate.kind == "barrier":
            bit = self.ledger.on[gate.needs[0]]
            demands.ask(bit, 0 if gate.open_at_first else bit)
        elif gate.kind == "soft" and rules.soft == "shut":
            demands.ask(self.ledger.fallen[number], 0)
            demands.sets |= self.ledger.fallen[number]
        elif gate.kind == "soft" and rules.soft == "clear" and self._in_room(gate, place_of(self.areas.tiles, tile)):
            demands.hold(self.guards[gate.needs[0]])

    def _in_room(self, gate: Gate, place: Place) -> bool:
        return inside(place, self.board.rooms[gate.needs[0]])

    def _monsters_of_rooms(self) -> dict[str, int]:
        """Return the bits of the monsters in each room that has a soft-locked door."""
        names = {gate.needs[0] for gate in self.board.dungeon.gates if gate.kind == "soft"}
        guards: dict[str, int] = {}
        for name in self.board.meter.each(names, every=10):
            monsters = monsters_in(self.board, self.board.rooms[name])
            guards[name] = sum(self.ledger.pickups.get(number, 0) for number in monsters)
        return guards
