"""Find the moves from area to area, and what each asks of the rest of the state; `effects` says what moves are.

A move between plain tiles of one area is left out (see `areas`). Moves of one area to another that ask and do the same
are one.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.checker.areas import Areas, area_at, find_areas, floor_of, place_of, rooms_with_an_edge, tile_at
from solvent.dungeon.checker.board import Board, count_of, inside, monsters_in, name_resource, neighbour
from solvent.dungeon.checker.conditions import needed_things
from solvent.dungeon.checker.effects import (
    Calm,
    Find,
    Maze,
    Move,
    Unusual,
    comes_to_the_same,
    is_calm,
    lying_in,
    make_move,
)
from solvent.dungeon.checker.ledger import Ledger, open_ledger
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    RETURN,
    USE,
    WALL,
    WATER,
    Gate,
    Place,
    Requirement,
    Room,
    SwitchAt,
)

__all__ = ["Maze", "Move", "build_maze", "comes_to_the_same", "is_calm", "lying_in", "make_move", "require_room"]

BYTES_AN_AREA = 250
BYTES_A_MOVE = 700
"""What they take in memory, without what their bits take."""


def build_maze(board: Board, *, step_by_step: bool = False) -> Maze:
    """Find the areas and the moves between them.

    With `step_by_step`, a move onto something that matters and is not had yet is not calm.
    """
    meter = board.meter
    ledger = open_ledger(board)
    areas = find_areas(board, ledger)
    meter.require_memory(areas.count * BYTES_AN_AREA / 1e6, "the areas of the map")
    gives, finds = _sort_things(board, ledger, areas)
    loose = 0 if step_by_step else ledger.holdings
    compiler = _Compiler(board, ledger, areas, [given & ~loose for given in gives], finds)
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
            tried = move if move.must_be_tried else None
            calm_from[move.source].append((move.calm_care, move.calm_want, move.target, tried))
            calm_to[move.target].append((move.calm_care, move.calm_want, move.source, tried))
    lies = [given & ledger.holdings for given in meter.each(gives)]
    return Maze(board, ledger, areas, moves, lies, gives, finds, calm_from, calm_to, loose)


def _sort_things(board: Board, ledger: Ledger, areas: Areas) -> tuple[list[int], dict[int, tuple[Find, ...]]]:
    """Return what always lies in each area, and what more is to be said of areas where that is not all."""
    gives = [0] * areas.count
    there: dict[int, list[Find]] = {}
    unusual: set[int] = set()
    for number, pickup in enumerate(board.meter.each(board.dungeon.pickups)):
        own = ledger.pickups.get(number, 0)
        bits = own | (ledger.items.get(pickup.name, 0) if pickup.kind == "item" else 0)
        if not bits and number not in ledger.renewing:
            continue
        area = area_at(areas, tile_at(areas.tiles, pickup.place))
        if area is None:  # it may lie in water that no player can stand on
            continue
        stock = ledger.stock.get(name_resource(pickup.kind, pickup.name)) if pickup.kind in ("key", "bombs") else None
        count = count_of(board.dungeon, pickup)
        there.setdefault(area, []).append(Find(pickup.rule, own, bits, stock, count, pickup.renews))
        if pickup.rule is None and stock is None:
            gives[area] |= bits
        else:
            unusual.add(area)
    return gives, {area: tuple(there[area]) for area in unusual}


def _bytes_of(move: Move) -> int:
    """Return about how much memory the bits of a move take."""
    bits = move.care.bit_length() + move.want.bit_length() + move.calm_care.bit_length() + move.calm_want.bit_length()
    return bits // 4  # they are in two places, as a move and as what is known of calm ones


def require_room(meter: Meter, taken: int, purpose: str) -> None:
    """Raise LimitReached if so many bytes are too much, or at any other limit; megabytes are looked at as they go."""
    meter.checkpoint()
    if meter.budget.megabytes is None:
        meter.require_memory(taken / 1e6, purpose)


class _Demands(Struct):
    """Collect what a move asks for and does, gate by gate."""

    care: int = 0
    want: int = 0
    needs: int = 0
    possible: bool = True
    takes: tuple[int, ...] = ()
    sets: int = 0
    rules: tuple[Requirement, ...] = ()

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

    def __init__(
        self, board: Board, ledger: Ledger, areas: Areas, steps_aside: list[int], finds: dict[int, tuple[Find, ...]]
    ) -> None:
        self.board = board
        self.ledger = ledger
        self.areas = areas
        self.steps_aside = steps_aside
        """What must be had for a move onto an area to be calm."""
        self.finds = finds
        tiles = areas.tiles
        self.offsets = [{"N": -stride, "E": 1, "S": stride, "W": -1} for stride in tiles.strides]
        self.gates = {tile_at(tiles, place): gate for place, gate in board.meter.each(board.gates.items())}
        self.goals = {tile_at(tiles, place) for place in board.goals}
        self.blocks = {tile_at(tiles, place): block for place, block in board.blocks.items()}
        self.closed = {tile_at(tiles, place) for place in board.closed}
        self.plates = {tile_at(tiles, place): plates for place, plates in board.plates.items()}
        self.shifting = {tile_at(tiles, place) for place in (ledger.blocks_on if ledger.places else ())}
        """Tiles where blocks that are pushed on and on can be."""
        self.resting: dict[int, int] = {}
        """Bits of blocks that were pushed to a tile and cannot be pushed again."""
        for place, blocks in ledger.blocks_on.items() if ledger.moved else ():
            self.resting[tile_at(tiles, place)] = sum(want for _, _, want in blocks)
        self.guards = self._monsters_of_rooms()
        self.leaving = self._blocks_of_rooms() if board.dungeon.rules.blocks == "reset" else []

    def moves(self) -> Iterator[Move]:
        """Yield every kind of move between areas once."""
        seen: set[object] = set()
        for move in self._all_moves():
            kind = (move.source, move.target, move.needs, move.care, move.want, move.takes, move.push, move.calm_want)
            if (kind, move.unusual) not in seen:
                seen.add((kind, move.unusual))
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
        for number, way in enumerate(meter.each(self.board.dungeon.ways, every=50)):
            source, target = tile_at(self.areas.tiles, way.source), tile_at(self.areas.tiles, way.target)
            yield from self._jump(source, target, str(number), way.gate)
        for place, numbers in meter.each(self.board.levers.items(), every=50):
            for number in numbers:
                yield from self._lever(place, number)
        if self.board.dungeon.rules.home == "always":
            start = tile_at(self.areas.tiles, self.board.dungeon.start)
            for tile in meter.each(self._tile_of_each_area(), every=50):
                if tile != start:
                    yield from self._jump(tile, start, RETURN, None)

    def _tile_of_each_area(self) -> Iterator[int]:
        seen: set[int] = set()
        for tile, area in zip(self.areas.run_starts, self.areas.run_areas, strict=True):
            if area not in seen:
                seen.add(area)
                yield tile
        yield from self.areas.special

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
        self._enter(demands, tile, target, None)
        push = behind = 0
        block = self.blocks.get(target)
        if block is not None and not leap and self.ledger.moved and (block, direction) in self.ledger.rests:
            push = self.ledger.moved[block] | self.ledger.rests[block, direction]
            behind = self.resting[target + offset]
        yield from self._move(tile, target, direction, demands, (push, behind), can_push=not leap)

    def _jump(self, source: int, target: int, letter: str, gate: int | None) -> Iterator[Move]:
        """Yield the move along a way, or back to the start."""
        demands = _Demands()
        if source not in self.goals:
            self._enter(demands, source, target, gate)
            yield from self._move(source, target, letter, demands)

    def _lever(self, place: Place, number: int) -> Iterator[Move]:
        """Yield the move that works a lever; nothing is stepped on."""
        tile = tile_at(self.areas.tiles, place)
        area, switch = area_at(self.areas, tile), self.board.dungeon.switches[number]
        if area is None or tile in self.goals:
            return
        rules = () if switch.rule is None else (switch.rule,)
        yield Move(
            source=area,
            target=area,
            tile=tile,
            letter=f"{USE}{number}",
            goal=False,
            needs=0,
            care=0,
            want=0,
            takes=(),
            block=0,
            push=0,
            behind=0,
            sets=0,
            resets=0,
            toggles=0,
            unusual=Unusual(place, rules, turns=(switch,)),
            can_be_calm=True,
            calm_care=0,
            calm_want=0,
            must_be_tried=True,
        )

    def _enter(self, demands: _Demands, tile: int, target: int, gate: int | None) -> None:
        """Add what it takes to come onto a tile from another, by a way with a gate or without."""
        if target in self.closed:
            demands.possible = False
        if target in self.goals and self.board.dungeon.goal_rule is not None:
            demands.rules = (self.board.dungeon.goal_rule,)
            demands.hold(needed_things(self.ledger, self.board.dungeon.goal_rule))
        # dict.fromkeys: a gate met twice in one move is passed once.
        for number in dict.fromkeys((gate, self.gates.get(target))):
            if number is not None:
                self._pass(demands, number, tile)

    def _move(
        self,
        tile: int,
        target: int,
        letter: str,
        demands: _Demands,
        pushing: tuple[int, int] = (0, 0),
        *,
        can_push: bool = False,
    ) -> Iterator[Move]:
        """Yield the move if it is ever legal and not just a walk about one area."""
        source_area, target_area = area_at(self.areas, tile), area_at(self.areas, target)
        if source_area is None or target_area is None:
            return
        demands.ask(self.resting.get(target, 0), 0)
        if not demands.possible:
            return
        block = self.ledger.moved[self.blocks[target]] if target in self.blocks and self.ledger.moved else 0
        toggles, unusual = self._unusual_parts(tile, target, demands, letter if can_push else None)
        resets = self._resets(tile, target)
        goal = target in self.goals
        open_gates = sum(self.ledger.opened[gate] for gate in demands.takes)
        firm = open_gates | block | self.steps_aside[target_area]
        can_be_calm = not (goal or toggles or demands.sets or (demands.want | firm) & resets)
        must_be_tried = unusual is not None or target_area in self.finds
        if source_area == target_area and can_be_calm and not (firm or must_be_tried):
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
            push=pushing[0],
            behind=pushing[1],
            sets=demands.sets,
            resets=resets,
            toggles=toggles,
            unusual=unusual,
            can_be_calm=can_be_calm,
            calm_care=demands.care | firm | resets,
            calm_want=demands.want | firm,
            must_be_tried=must_be_tried,
        )

    def _unusual_parts(
        self, tile: int, target: int, demands: _Demands, direction: str | None
    ) -> tuple[int, Unusual | None]:
        """Return the bits of switches that a move turns, and whatever else is not said by bits."""
        plates = self.plates.get(target, [])
        simple = all(plate.name in self.ledger.on and not plate.sets for plate in plates)
        toggles = sum(self.ledger.on[plate.name] for plate in plates) if simple else 0
        if simple and target not in self.shifting and not demands.rules:
            return toggles, None
        onto = behind = None
        if target in self.shifting:
            onto = place_of(self.areas.tiles, target)
            behind = None if direction is None else neighbour(onto, direction)
        turns = () if simple else tuple(plates)
        return toggles, Unusual(place_of(self.areas.tiles, tile), demands.rules, onto, behind, turns)

    def _resets(self, tile: int, target: int) -> int:
        """Return the bits of the blocks that go back where they stood, once the player has left their room."""
        if not self.leaving:
            return 0
        source, end = place_of(self.areas.tiles, tile), place_of(self.areas.tiles, target)
        bits = 0
        for room, blocks in self.leaving:
            if inside(source, room) and not inside(end, room):
                bits |= blocks
        return bits

    def _pass(self, demands: _Demands, number: int, tile: int) -> None:
        """Add what passing a gate from a tile asks for and does."""
        gate, rules = self.board.dungeon.gates[number], self.board.dungeon.rules
        if gate.rule is not None:
            demands.rules = (*demands.rules, gate.rule)
            demands.hold(needed_things(self.ledger, gate.rule))
        if number in self.ledger.opened:
            demands.takes = (*demands.takes, number)
        elif gate.kind == "item":
            for name in gate.needs:
                demands.hold(self.ledger.items[name])
        elif gate.kind == "barrier" and gate.needs[0] in self.board.held_plates:
            demands.rules = (*demands.rules, SwitchAt(gate.needs[0], "off" if gate.open_at_first else "on"))
        elif gate.kind == "barrier" and gate.needs[0] in self.board.dials:
            demands.possible = demands.possible and gate.open_at_first  # it has other states than on
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

    def _blocks_of_rooms(self) -> list[tuple[Room, int]]:
        """Return the rooms that blocks stood in at first, and the bits that say where those are now."""
        bits = {block: field.mask for block, field in self.ledger.places.items()}
        bits.update(self.ledger.moved)
        for (block, _), rest in self.ledger.rests.items() if self.ledger.moved else ():
            bits[block] |= rest
        found = []
        for room in rooms_with_an_edge(self.board):
            blocks = [block for place, block in self.board.blocks.items() if block in bits and inside(place, room)]
            if blocks:
                found.append((room, sum(bits[block] for block in blocks)))
        return found
