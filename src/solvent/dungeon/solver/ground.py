"""A dungeon as arrays: tiles one can stand on, the arcs between them, and what each arc asks for and does.

Numbers of tiles (`cells`) run over all floors, row by row. An arc is one move from one cell to another; there are up
to four by letter and one for each way. Gates that can never bar anybody under the dungeon's rules are left out here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.dungeon.model import NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Place
from solvent.dungeon.rules import Game, beside, inside
from solvent.dungeon.solver.layout import (
    BOMBS,
    DIRECTIONS,
    Field,
    Layout,
    bits_of,
    plan_layout,
    resource_of,
    rooms_to_clear,
    spends,
)

Ints = npt.NDArray[np.int64]

# What a gate does to whoever wants through; column KIND of `gates`.
SPEND, NEED, NEED_ON, NEED_OFF, SHUT, NEVER = range(6)
# Columns of `gates`. From NEEDS on: for NEED, the bits of each word that must be set.
KIND, WORD, MASK, STOCK_WORD, STOCK_SHIFT, STOCK_MASK, NEEDS = range(7)
# Columns of `arcs`.
TARGET, GATE_1, GATE_2, GATE_3, BLOCK, PUSH, BEHIND, MOVE, SOURCE, FREE = range(10)
ARC_COLUMNS = 10
"""BLOCK: the block that stood on the target, or -1. PUSH: what its field becomes when it is pushed, 0 if this arc
cannot push it. BEHIND: the cell it is pushed onto. MOVE: 0 to 3 for the letters, 4 + n for way n. FREE: 1 if it asks
for nothing and does nothing in any state."""
# Columns of `effects`, what entering a cell does.
WHAT, EFFECT_WORD, EFFECT_MASK, STOCK, AMOUNT = range(5)
TAKE, GAIN, TOGGLE = range(3)
"""TAKE sets a bit; GAIN sets a bit and adds to a resource; TOGGLE flips a bit."""
NO_GATE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Hold nodes and arcs in the form kernels walk over; nodes are cells, or areas of cells."""

    nodes: int
    arcs: Ints
    """Shape (arcs, 10), sorted by SOURCE; see the columns above. TARGET, SOURCE and BEHIND are nodes."""
    starts: Ints
    """Arcs of node u are `starts[u]` to `starts[u + 1]`."""
    effects: Ints
    """Shape (effects, 5), sorted by node."""
    effect_starts: Ints
    rests: Ints
    """Shape (rests, 3), sorted by node: a block rests on the node if the field at word, shift has this value."""
    rest_starts: Ints
    is_goal: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Hold everything kernels need to know of a dungeon."""

    dungeon: Dungeon
    game: Game
    layout: Layout
    cells: Graph
    cell_at: dict[int, Ints]
    """For each floor the number of the cell at each row and column, -1 where nobody can stand."""
    places: list[Place]
    """The place of each cell."""
    gates: Ints
    stocks: Ints
    """Shape (resources, 3 + words): word, shift and mask (unshifted) of its field; then the bits of the gates it is
    spent on."""
    blocks: Ints
    """Shape (blocks, 2): word and shift of each block's field."""

    def cell(self, place: Place) -> int:
        """Return the number of the cell at a place."""
        return int(self.cell_at[place[0]][place[1], place[2]])


def survey(dungeon: Dungeon) -> Ground:
    """Turn a dungeon into arrays."""
    game = Game(dungeon)
    layout = plan_layout(dungeon)
    cell_at, places = _number_cells(dungeon)
    ground_gates = _Gates(dungeon, layout)
    arcs = np.concatenate(
        [
            *(_steps(dungeon, floor, cell_at[floor], direction) for floor in cell_at for direction in range(4)),
            np.array(
                [
                    (cell_at[way.source[0]][way.source[1:]], cell_at[way.target[0]][way.target[1:]], 0, 4 + number)
                    for number, way in enumerate(dungeon.ways)
                ],
                dtype=np.int64,
            ).reshape(-1, 4),
        ]
    )
    table = _arc_table(dungeon, game, layout, cell_at, places, arcs, ground_gates)
    cells = Graph(
        len(places),
        table,
        count_starts(table[:, SOURCE], len(places)),
        *_effects(dungeon, layout, cell_at, len(places)),
        *_rests(dungeon, game, layout, cell_at, len(places)),
        _goals(dungeon, cell_at, len(places)),
    )
    mark_free_arcs(cells, harmless=())
    stocks = np.zeros((len(layout.resources), 3 + layout.words), dtype=np.int64)
    for row, (resource, at) in enumerate(layout.resources.items()):
        stocks[row, :3] = at.word, at.shift, (1 << at.bits) - 1
        stocks[row, 3:] = bits_of(layout, [layout.gates[number] for number in layout.spenders[resource]])
    blocks = np.array([(at.word, at.shift) for at in layout.blocks], dtype=np.int64).reshape(-1, 2)
    return Ground(dungeon, game, layout, cells, cell_at, places, ground_gates.table(), stocks, blocks)


def _number_cells(dungeon: Dungeon) -> tuple[dict[int, Ints], list[Place]]:
    """Number the tiles one can ever stand on."""
    walls = {block.place for block in dungeon.blocks} if dungeon.rules.push == "never" else set()
    shut = {WALL, NOTHING} | ({WATER} if dungeon.rules.crossing == "one" else set())
    cell_at: dict[int, Ints] = {}
    places: list[Place] = []
    for number, floor in enumerate(dungeon.floors):
        letters = _letters(floor.terrain)
        free = np.ones(letters.shape, dtype=np.bool_)
        for letter in shut:
            free &= letters != ord(letter)
        for block in walls:
            if block[0] == number:
                free[block[1:]] = False
        numbers = np.full(letters.shape, -1, dtype=np.int64)
        rows, columns = np.nonzero(free)
        numbers[rows, columns] = np.arange(len(places), len(places) + len(rows))
        cell_at[number] = numbers
        places.extend((number, row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True))
    return cell_at, places


def _letters(terrain: tuple[str, ...]) -> npt.NDArray[np.uint32]:
    text = "".join(terrain).encode("utf-32-le")
    return np.frombuffer(text, dtype=np.uint32).reshape(len(terrain), -1)


def _steps(dungeon: Dungeon, floor: int, numbers: Ints, direction: int) -> Ints:
    """Return source, target, whether water is crossed, and the direction of each step that terrain allows."""
    letters = _letters(dungeon.floors[floor].terrain)
    down, right = STEPS[DIRECTIONS[direction]]
    blocked = np.zeros(letters.shape, dtype=np.bool_)
    for letter, towards in ONE_WAYS.items():
        if towards != DIRECTIONS[direction]:
            blocked |= letters == ord(letter)
    source = np.where(blocked, -1, numbers)
    ahead = _shift(np.where(blocked, -1, numbers), down, right)
    wet = _shift(letters == ord(WATER), down, right)
    if dungeon.rules.crossing == "one":
        beyond = _shift(np.where(blocked, -1, numbers), 2 * down, 2 * right)
        ahead = np.where(wet, beyond, ahead)
    legal = (source >= 0) & (ahead >= 0)
    count = int(legal.sum())
    return np.stack([source[legal], ahead[legal], wet[legal].astype(np.int64), np.full(count, direction)], axis=1)


def _shift(grid: npt.NDArray[Any], down: int, right: int) -> npt.NDArray[Any]:
    """Return at each place what stands so many rows and columns on; -1 or False outside."""
    outside = np.full_like(grid, False if grid.dtype == np.bool_ else -1)
    rows, columns = grid.shape
    height, width = rows - abs(down), columns - abs(right)
    if height > 0 and width > 0:
        top, left = max(0, -down), max(0, -right)
        outside[top : top + height, left : left + width] = grid[
            top + down : top + down + height, left + right : left + right + width
        ]
    return outside


class _Gates:
    """Collect the rows of `gates`: those of the dungeon that can bar somebody, and those that rules add."""

    def __init__(self, dungeon: Dungeon, layout: Layout) -> None:
        self.dungeon, self.layout = dungeon, layout
        self.rows: list[list[int]] = []
        self.number: dict[int, int] = {}
        """Rows of the dungeon's gates, for gates that are the same from everywhere."""
        self.clearing: dict[int, int] = {}
        """Rows of soft gates for those who stand in their room."""
        for gate in range(len(dungeon.gates)):
            self._add(gate)
        water = [dungeon.rules.water]
        self.water = (
            self._add_need(water) if any(WATER in row for f in dungeon.floors for row in f.terrain) else NO_GATE
        )

    def table(self) -> Ints:
        return np.array(self.rows, dtype=np.int64).reshape(-1, NEEDS + self.layout.words)

    def _add(self, number: int) -> None:
        gate, layout = self.dungeon.gates[number], self.layout
        if spends(self.dungeon, number):
            stock = layout.resources[resource_of(gate.kind, gate.needs[0] if gate.needs else "")]
            at = layout.gates[number]
            self.number[number] = self._row(SPEND, at.word, at.mask, stock.word, stock.shift, (1 << stock.bits) - 1)
        elif gate.kind == "item":
            self.number[number] = self._add_need(gate.needs)
        elif gate.kind == "barrier":
            at = layout.switches[gate.needs[0]]
            self.number[number] = self._row(NEED_OFF if gate.open_at_first else NEED_ON, at.word, at.mask)
        elif gate.kind == "soft" and self.dungeon.rules.soft == "shut":
            at = layout.gates[number]
            self.number[number] = self._row(SHUT, at.word, at.mask)
        elif gate.kind == "soft" and gate.needs[0] in rooms_to_clear(self.dungeon):
            room = next(room for room in self.dungeon.rooms if room.name == gate.needs[0])
            monsters = [
                at
                for pickup, at in layout.pickups.items()
                if self.dungeon.pickups[pickup].kind == "monster" and inside(self.dungeon.pickups[pickup].place, room)
            ]
            if monsters:
                self.clearing[number] = self._row(NEED, needs=bits_of(layout, monsters))

    def _add_need(self, items: tuple[str, ...] | list[str]) -> int:
        missing = [item for item in items if item not in self.dungeon.rules.items]
        if not missing:
            return NO_GATE
        if any(item not in self.layout.items for item in missing):
            return self._row(NEVER)  # nobody can ever have it
        return self._row(NEED, needs=bits_of(self.layout, [self.layout.items[item] for item in missing]))

    def _row(self, *values: int, needs: Ints | None = None) -> int:
        row = [*values, *([0] * (NEEDS - len(values)))]
        self.rows.append([*row, *(needs.tolist() if needs is not None else [0] * self.layout.words)])
        return len(self.rows) - 1


def _arc_table(
    dungeon: Dungeon,
    game: Game,
    layout: Layout,
    cell_at: dict[int, Ints],
    places: list[Place],
    arcs: Ints,
    gates: _Gates,
) -> Ints:
    """Fill in what each arc asks for. Most have nothing to ask, so only the cells that do are looked at one by one."""
    cells = len(places)
    table = np.full((len(arcs), ARC_COLUMNS), NO_GATE, dtype=np.int64)
    table[:, SOURCE], table[:, TARGET], table[:, MOVE] = arcs[:, 0], arcs[:, 1], arcs[:, 3]
    table[:, PUSH] = 0
    if gates.water != NO_GATE:
        table[arcs[:, 2] == 1, GATE_3] = gates.water
    gate_of = np.full(cells, NO_GATE, dtype=np.int64)
    for place, number in game.gate_at.items():
        gate_of[cell_at[place[0]][place[1:]]] = gates.number.get(number, NO_GATE)
    table[:, GATE_1] = gate_of[table[:, TARGET]]
    for number, way in enumerate(dungeon.ways):
        if way.gate is not None:
            row = len(arcs) - len(dungeon.ways) + number
            own = gates.number.get(way.gate, NO_GATE)
            table[row, GATE_2] = own if own != table[row, GATE_1] else NO_GATE
    _add_clearing(dungeon, game, cell_at, table, gates, len(arcs) - len(dungeon.ways))
    if layout.blocks:
        block_of = np.full(cells, -1, dtype=np.int64)
        for place, number in game.block_at.items():
            block_of[cell_at[place[0]][place[1:]]] = number
        table[:, BLOCK] = block_of[table[:, TARGET]]
        for row in np.nonzero(table[:, BLOCK] >= 0)[0].tolist():
            _add_push(dungeon, game, cell_at, places, table[row])
    table = table[(table[:, SOURCE] >= 0) & (table[:, TARGET] >= 0)]  # a way may end where nobody can stand
    return table[np.argsort(table[:, SOURCE], kind="stable")]


def _add_push(dungeon: Dungeon, game: Game, cell_at: dict[int, Ints], places: list[Place], row: Ints) -> None:
    """Say what pushing does, unless the block stands fast from this side."""
    move = int(row[MOVE])
    if move >= 4:
        return
    source, block = places[int(row[SOURCE])], dungeon.blocks[int(row[BLOCK])].place
    leapt = beside(source, DIRECTIONS[move]) != block
    behind = beside(block, DIRECTIONS[move])
    if not leapt and game.is_bare(behind):
        row[PUSH], row[BEHIND] = 1 + move, cell_at[behind[0]][behind[1:]]


def _add_clearing(
    dungeon: Dungeon, game: Game, cell_at: dict[int, Ints], table: Ints, gates: _Gates, first_way: int
) -> None:
    """Let soft doors hold whoever comes from inside their room while it has monsters."""
    if not gates.clearing:
        return
    cells_of: dict[str, set[int]] = {}
    for room in dungeon.rooms:
        floor, top, left = room.corner
        cells_of[room.name] = set(cell_at[floor][top : top + room.height, left : left + room.width].ravel().tolist())
    gate_at_cell = {int(cell_at[place[0]][place[1:]]): number for place, number in game.gate_at.items()}
    by_target: dict[int, list[int]] = defaultdict(list)
    for row, target in enumerate(table[:, TARGET].tolist()):
        if target in gate_at_cell:
            by_target[target].append(row)
    for target, rows in by_target.items():
        number = gate_at_cell[target]
        if number in gates.clearing:
            inner = cells_of[dungeon.gates[number].needs[0]]
            for row in rows:
                if int(table[row, SOURCE]) in inner:
                    table[row, GATE_1] = gates.clearing[number]
    for index, way in enumerate(dungeon.ways):
        if way.gate in gates.clearing and way.gate is not None:
            row = first_way + index
            if int(table[row, SOURCE]) in cells_of[dungeon.gates[way.gate].needs[0]]:
                table[row, GATE_2] = gates.clearing[way.gate]


def _effects(dungeon: Dungeon, layout: Layout, cell_at: dict[int, Ints], cells: int) -> tuple[Ints, Ints]:
    rows: list[tuple[int, ...]] = []
    stock_number = {resource: number for number, resource in enumerate(layout.resources)}
    for number, pickup in enumerate(dungeon.pickups):
        cell = int(cell_at[pickup.place[0]][pickup.place[1:]])
        if cell < 0:
            continue  # on water that can only be crossed
        at: Field | None
        if pickup.kind == "item":
            at = layout.items.get(pickup.name)
            if at is not None:
                rows.append((cell, TAKE, at.word, at.mask, 0, 0))
            continue
        at = layout.pickups.get(number)
        if at is None:
            continue
        if pickup.kind == "monster":
            rows.append((cell, TAKE, at.word, at.mask, 0, 0))
        else:
            resource = resource_of(pickup.kind, pickup.name)
            amount = pickup.count or dungeon.rules.bombs_per_pickup if resource == BOMBS else pickup.count
            rows.append((cell, GAIN, at.word, at.mask, stock_number[resource], amount))
    for switch in dungeon.switches:
        at = layout.switches[switch.name]
        cell = int(cell_at[switch.place[0]][switch.place[1:]])
        rows.append((cell, TOGGLE, at.word, at.mask, 0, 0))
    return sort_by_node(rows, cells, 5)


def _rests(dungeon: Dungeon, game: Game, layout: Layout, cell_at: dict[int, Ints], cells: int) -> tuple[Ints, Ints]:
    rows = []
    for number, at in enumerate(layout.blocks):
        for value, direction in enumerate(DIRECTIONS, 1):
            place = beside(dungeon.blocks[number].place, direction)
            if game.is_bare(place):
                rows.append((int(cell_at[place[0]][place[1:]]), at.word, at.shift, value))
    return sort_by_node(rows, cells, 3)


def sort_by_node(rows: Sequence[tuple[int, ...]], nodes: int, columns: int) -> tuple[Ints, Ints]:
    """Sort rows by the node in front of them, and say where those of each node begin."""
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, columns + 1)
    return np.ascontiguousarray(table[:, 1:]), count_starts(table[:, 0], nodes)


def mark_free_arcs(graph: Graph, *, harmless: tuple[int, ...]) -> None:
    """Fill in the column FREE; effects of the kinds in `harmless` do not count."""
    arcs = graph.arcs
    busy = graph.is_goal | (np.diff(graph.rest_starts) > 0)
    counted = np.ones(len(graph.effects), dtype=np.bool_)
    for kind in harmless:
        counted &= graph.effects[:, WHAT] != kind
    owners = np.repeat(np.arange(graph.nodes), np.diff(graph.effect_starts))
    busy[owners[counted]] = True
    asks_nothing = (arcs[:, GATE_1 : GATE_3 + 1] == NO_GATE).all(axis=1) & (arcs[:, BLOCK] == -1)
    arcs[:, FREE] = asks_nothing & ~busy[arcs[:, TARGET]]


def count_starts(sorted_nodes: Ints, nodes: int) -> Ints:
    """Return where the rows of each node begin in a table sorted by node; one entry more than nodes."""
    return np.searchsorted(sorted_nodes, np.arange(nodes + 1)).astype(np.int64)


def _goals(dungeon: Dungeon, cell_at: dict[int, Ints], cells: int) -> npt.NDArray[np.bool_]:
    is_goal = np.zeros(cells, dtype=np.bool_)
    for place in dungeon.goals:
        is_goal[cell_at[place[0]][place[1:]]] = True
    return is_goal
