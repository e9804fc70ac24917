"""The graded order encoding: a formula in clauses that every solution satisfies, so that refuting it proves NO.

There is no clock in it. Tile i makes as many swaps as it has moves; its j-th swap is the event (i, j). The variables:

- stands(i, j, x): tile i stands on cell x after j of its swaps
- before(e, f):    event e happens no later than event f
- same(e, f):      events e and f are the two halves of one swap
- anonymous(e):    the other half of event e belongs to a tile that is not followed

Only tiles with at most `most_moves` moves are followed; the others are anonymous partners. That forgets something, so a
satisfying assignment means nothing then, but a refutation is still a refutation. Following few tiles keeps the formula
small, and most impossible boards are already impossible for the tiles with one or two moves. When all tiles are
followed nothing is forgotten, and a satisfying assignment is a plan.

The numbers of the variables follow from the board alone (`Numbering`), because the checker builds the same formula in
its own way and a refutation speaks of variables by number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.engine.clauses import ClauseList
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.reduction import keep_component


@dataclass(frozen=True, slots=True)
class OrderFormula:
    """Hold the clauses and what is needed to read a plan off an assignment."""

    clauses: ClauseList
    exact: bool
    """True when every live tile is followed."""
    events: tuple[tuple[int, int], ...]
    """Tile and number (from 1) of each event."""
    stands_at: Any
    """[instant, cell] of booleans: where a tile can stand; tile i's instants follow each other, j = 0 to its moves."""
    instant_after: Any
    """[event]: the instant after it; the one before it is one less."""


def followed_tiles(board: Board, component: tuple[int, ...], most_moves: int) -> list[int]:
    """Return the tiles of a component that a formula of this grade follows."""
    return [cell for cell in component if board.moves[cell] <= most_moves]


def count_events(board: Board, component: tuple[int, ...], most_moves: int) -> int:
    """Return how many events a formula of this grade has; its size grows with the cube of that."""
    return sum(board.moves[cell] for cell in followed_tiles(board, component, most_moves))


def about_clauses(board: Board, component: tuple[int, ...], most_moves: int) -> int:
    """Return about how many clauses a formula of this grade has, without writing them."""
    tiles = followed_tiles(board, component, most_moves)
    places = _possible_places(board, tiles, _aligned_cells(board, component)).astype(np.int64)
    pairs = (places.sum(axis=1) ** 2).sum() + (places.sum(axis=0) ** 2).sum()
    return int(pairs) // 2 + count_events(board, component, most_moves) ** 3


def build_formula(board: Board, component: tuple[int, ...], most_moves: int) -> OrderFormula:
    """Build the formula of one grade for one live component."""
    board = keep_component(board, component)
    tiles = followed_tiles(board, component, most_moves)
    aligned = _aligned_cells(board, component)
    places = _possible_places(board, tiles, aligned)
    events = tuple((tile, number) for tile in tiles for number in range(1, board.moves[tile] + 1))
    return _Builder(board, tiles, aligned, places, events, exact=len(tiles) == len(component)).build()


def _aligned_cells(board: Board, component: tuple[int, ...]) -> Any:
    """Return [cell, cell] of booleans: both in the component, different, in one row or column."""
    cells = np.arange(board.rows * board.cols)
    row, col = cells // board.cols, cells % board.cols
    inside = np.isin(cells, component)
    aligned = (row[:, None] == row[None, :]) | (col[:, None] == col[None, :])
    return aligned & inside[:, None] & inside[None, :] & ~np.eye(len(cells), dtype=bool)


def _possible_places(board: Board, tiles: list[int], aligned: Any) -> Any:
    """Return [instant, cell]: where each followed tile can stand, going out from its cell and back from its row."""
    cells = board.rows * board.cols
    tables = []
    for tile in tiles:
        moves = board.moves[tile]
        reach = np.zeros((moves + 1, cells), bool)
        reach[0, tile] = True
        for j in range(moves):
            reach[j + 1] = aligned[reach[j]].any(axis=0)
        reach[moves] &= np.arange(cells) // board.cols == board.colours[tile]
        for j in range(moves, 0, -1):
            reach[j - 1] &= aligned[reach[j]].any(axis=0)
        tables.append(reach)
    return np.concatenate(tables)


class _Builder:
    """Gather the clauses; one method for each kind."""

    def __init__(
        self,
        board: Board,
        tiles: list[int],
        aligned: Any,
        places: Any,
        events: tuple[tuple[int, int], ...],
        *,
        exact: bool,
    ) -> None:
        self.aligned, self.places, self.events, self.exact = aligned, places, events, exact
        count = len(events)
        self.tile_number = np.array([tiles.index(tile) for tile, _ in events], np.int64)
        self.after = np.arange(count) + self.tile_number + 1
        """Instant after each event: every tile has one instant more than it has events."""
        self.cells = board.rows * board.cols
        instants = len(places)
        self.before_base = instants * self.cells
        self.same_base = self.before_base + count * count
        self.anonymous_base = self.same_base + count * count
        self.variables = self.anonymous_base + count
        self.first_of_tile = np.flatnonzero(np.diff(self.tile_number, prepend=-1)) if count else np.zeros(0, np.int64)
        self.blocks: list[Any] = []

    def stands(self, instant: Any, cell: Any) -> Any:
        return instant * self.cells + cell + 1

    def before(self, e: Any, f: Any) -> Any:
        return self.before_base + e * len(self.events) + f + 1

    def same(self, e: Any, f: Any) -> Any:
        return self.same_base + np.minimum(e, f) * len(self.events) + np.maximum(e, f) + 1

    def anonymous(self, e: Any) -> Any:
        return self.anonymous_base + e + 1

    def add(self, *columns: Any) -> None:
        """Add clauses: each argument holds one literal of every clause."""
        block = np.stack([np.asarray(column, np.int32) for column in np.broadcast_arrays(*columns)], axis=1)
        if len(block):
            self.blocks.append(block)

    def add_clause(self, literals: list[int]) -> None:
        self.blocks.append(np.array([literals], np.int32).reshape(1, -1))

    def build(self) -> OrderFormula:
        self.each_tile_stands_somewhere()
        self.tiles_step_along_lines()
        matchable = self.find_matchable()
        self.order_is_transitive()
        self.halves_happen_together(matchable)
        self.halves_exchange_cells(matchable)
        self.each_event_has_a_partner(matchable)
        self.cells_hold_one_tile()
        return OrderFormula(self.clause_list(), self.exact, self.events, self.places, self.after)

    def clause_list(self) -> ClauseList:
        widths = np.concatenate([np.full(len(block), block.shape[1], np.int64) for block in self.blocks])
        literals = np.concatenate([block.ravel() for block in self.blocks])
        return ClauseList(literals, np.concatenate([[0], np.cumsum(widths)]), self.variables)

    def each_tile_stands_somewhere(self) -> None:
        """At each of its instants a tile stands on exactly one cell."""
        for instant, row in enumerate(self.places):
            here = np.flatnonzero(row)
            self.add_clause([int(self.stands(instant, cell)) for cell in here])
            first, second = np.triu_indices(len(here), 1)
            self.add(-self.stands(instant, here[first]), -self.stands(instant, here[second]))

    def tiles_step_along_lines(self) -> None:
        """A swap takes a tile to another cell in the same row or column, and it came from such a cell."""
        for after in self.after:
            for here, there in ((after - 1, after), (after, after - 1)):
                for cell in np.flatnonzero(self.places[here]):
                    steps = np.flatnonzero(self.places[there] & self.aligned[cell])
                    self.add_clause([-int(self.stands(here, cell)), *(int(self.stands(there, step)) for step in steps)])

    def find_matchable(self) -> Any:
        """Return [e, f]: the two events can be one swap, as far as the cells of their tiles go."""
        before, after = self.places[self.after - 1], self.places[self.after]
        count = len(self.events)
        matchable = np.zeros((count, count), bool)
        aligned = self.aligned.astype(np.float32)
        for e in range(count):
            one = before[e] & after  # [f, x]: e's tile leaves x, f's tile arrives there
            other = after[e] & before  # [f, y]: the other way round
            matchable[e] = ((one.astype(np.float32) @ aligned > 0) & other).any(axis=1)
        return matchable & (self.tile_number[:, None] != self.tile_number[None, :])

    def order_is_transitive(self) -> None:
        """If e is no later than f and f no later than g, e is no later than g; a tile's own events are in order."""
        count, tile = len(self.events), self.tile_number
        index = np.arange(count)
        apart = tile[:, None] != tile[None, :]
        follows = np.flatnonzero(tile[1:] == tile[:-1])  # e such that e + 1 is the same tile's next event
        e, f = np.nonzero(apart[follows])
        e = follows[e]
        self.add(-self.before(e + 1, f), self.before(e, f))
        self.add(-self.before(f, e), self.before(f, e + 1))
        self.add(-self.before(e + 1, f), -self.before(f, e))
        for middle in range(count):
            others = index[apart[middle]]
            first, last = np.nonzero(apart[np.ix_(others, others)])
            first, last = others[first], others[last]
            self.add(-self.before(first, middle), -self.before(middle, last), self.before(first, last))

    def halves_happen_together(self, matchable: Any) -> None:
        """Two events of different tiles happen at once exactly when they are the halves of one swap."""
        first, second = np.nonzero(np.triu(matchable, 1))
        same, forth, back = self.same(first, second), self.before(first, second), self.before(second, first)
        self.add(-same, forth)
        self.add(-same, back)
        self.add(-forth, -back, same)
        apart = self.tile_number[:, None] != self.tile_number[None, :]
        first, second = np.nonzero(np.triu(apart & ~matchable, 1))
        self.add(-self.before(first, second), -self.before(second, first))

    def halves_exchange_cells(self, matchable: Any) -> None:
        """In one swap, each tile arrives where the other one left."""
        first, second = np.nonzero(np.triu(matchable, 1))
        same = self.same(first, second)
        for one, other in (
            (self.after[first] - 1, self.after[second]),
            (self.after[second], self.after[first] - 1),
            (self.after[first], self.after[second] - 1),
            (self.after[second] - 1, self.after[first]),
        ):
            pair, cell = np.nonzero(self.places[one] & self.places[other])
            self.add(-same[pair], -self.stands(one[pair], cell), self.stands(other[pair], cell))
            pair, cell = np.nonzero(self.places[one] & ~self.places[other])
            self.add(-same[pair], -self.stands(one[pair], cell))

    def each_event_has_a_partner(self, matchable: Any) -> None:
        """Each event is one half of a swap; the other half may be anonymous unless all tiles are followed."""
        for e in range(len(self.events)):
            clause = [int(self.same(e, f)) for f in np.flatnonzero(matchable[e])]
            if not self.exact:
                clause.append(int(self.anonymous(e)))
            self.add_clause(clause)

    def cells_hold_one_tile(self) -> None:
        """Two tiles stand on one cell one after the other: one has left no later than the other arrives."""
        instants = len(self.places)
        owner = np.empty(instants, np.int64)
        arrival = np.full(instants, -1)  # event that ends in this instant, -1 at the start
        arrival[self.after] = np.arange(len(self.events))
        owner[self.after] = self.tile_number
        owner[self.after - 1] = self.tile_number
        leaving = np.full(instants, -1)  # event that begins in this instant, -1 at the end
        leaving[self.after - 1] = np.arange(len(self.events))
        for first in range(instants):
            later = np.flatnonzero(owner > owner[first])
            second, cell = np.nonzero(self.places[later] & self.places[first])
            second = later[second]
            both = (-self.stands(first, cell), -self.stands(second, cell))
            left_first = (leaving[first] >= 0) & (arrival[second] >= 0)
            left_second = (leaving[second] >= 0) & (arrival[first] >= 0)
            forth, back = self.before(leaving[first], arrival[second]), self.before(leaving[second], arrival[first])
            for forth_too in (False, True):
                for back_too in (False, True):
                    chosen = (left_first == forth_too) & (left_second == back_too)
                    columns = [*both, *([forth] if forth_too else []), *([back] if back_too else [])]
                    self.add(*(np.broadcast_to(column, chosen.shape)[chosen] for column in columns))


def read_plan(formula: OrderFormula, model: Any) -> tuple[Swap, ...]:
    """Read the plan off an assignment of an exact formula; `model` has the truth of each variable, index 0 unused."""
    count, cells = len(formula.events), formula.stands_at.shape[1]
    instants = len(formula.stands_at)
    true = np.asarray(model, bool)
    before = true[instants * cells + 1 :][: count * count].reshape(count, count)
    stands = true[1:][: instants * cells].reshape(instants, cells) & formula.stands_at
    standing = stands.argmax(axis=1)
    plan: list[Swap] = []
    # An event has as many events before it as its time tells; the halves of a swap have the same number.
    own = np.array([tile for tile, _ in formula.events])
    before = np.where(own[:, None] == own[None, :], np.tri(count, dtype=bool).T, before)
    for event in sorted(range(count), key=lambda event: (int(before[:, event].sum()), event)):
        after = int(formula.instant_after[event])
        swap = (int(standing[after - 1]), int(standing[after]))
        if swap[0] < swap[1]:  # its other half says the same
            plan.append(swap)
    return tuple(plan)
