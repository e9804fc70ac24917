"""The order encoding: a formula in clauses that every solution satisfies, so that refuting it proves NO.

There is no clock in it. Tile i makes as many swaps as it has moves; its j-th swap is the event (i, j). The variables:

- stands(i, j, x): tile i stands on cell x after j of its swaps
- before(e, f):    event e happens no later than event f
- same(e, f):      events e and f are the two halves of one swap
- anonymous(e):    the other half of event e belongs to a tile that is not followed

Only tiles with at most `most_moves` moves are followed; the others are anonymous partners. That forgets something, so a
satisfying assignment means nothing then, but a refutation is still a refutation. Following few tiles keeps the formula
small, and most impossible boards are already impossible for the tiles with one or two moves. When all tiles are
followed nothing is forgotten, and a satisfying assignment is a plan.

The numbers of the variables follow from the board alone, because the checker builds the same formula in its own way and
a refutation speaks of variables by number. `order_kernel` writes the clauses.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.engine.arrays import SHORT, new_row
from solvent.engine.clauses import ClauseList
from solvent.engine.driver import WORKING, drive
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.order_kernel import OrderClauses
from solvent.harmony.solver.reachable_cells_kernel import ReachableCells

DONE = 1
"""Status of a formula that has been gone through."""
FIRST_LOOKS = 1_000_000
"""Cells, events and literals to look at before looking at the clock for the first time."""


class OrderFormula(Struct, frozen=True):
    """Hold the clauses and what is needed to read a plan off an assignment."""

    clauses: ClauseList
    exact: bool
    """True when every live tile is followed."""
    events: tuple[tuple[int, int], ...]
    """Tile and number (from 1) of each event."""
    reachable: ReachableCells
    """Where each tile can stand at each of its instants; tile i's follow each other, j = 0 to its moves."""
    instant_after: tuple[int, ...]
    """[event]: the instant after it; the one before it is one less."""


def followed_tiles(board: Board, component: tuple[int, ...], most_moves: int) -> list[int]:
    """Return the tiles of a component that are followed."""
    return [cell for cell in component if board.moves[cell] <= most_moves]


def count_events(board: Board, component: tuple[int, ...], most_moves: int) -> int:
    """Return how many events the formula has; its size grows with the cube of that."""
    return sum(board.moves[cell] for cell in followed_tiles(board, component, most_moves))


def about_clauses(board: Board, component: tuple[int, ...], most_moves: int) -> int:
    """Return about how many clauses the formula has, without writing them; the checker estimates it alike."""
    tiles = followed_tiles(board, component, most_moves)
    moves = [board.moves[tile] for tile in tiles]
    events = sum(moves)
    reachable = ReachableCells(board, component, tiles)
    return reachable.count_pairs() // 2 + events * reachable.count_steps(moves) + events**3


class FormulaDraft:
    """Hold a formula whose clauses are counted and not written yet."""

    def __init__(self, board: Board, component: tuple[int, ...], most_moves: int, meter: Meter = UNLIMITED) -> None:
        """Count the clauses of the formula for a live component that follows the tiles with up to so many moves."""
        tiles = followed_tiles(board, component, most_moves)
        self._tiles = tiles
        self._exact = len(tiles) == len(component)
        self._reachable = ReachableCells(board, component, tiles)
        self._numbered = [(index, n) for index, tile in enumerate(tiles) for n in range(1, board.moves[tile] + 1)]
        self._writer = OrderClauses(self._reachable, [index for index, _ in self._numbered], self._exact)
        _go_through(self._writer, meter)
        self.clauses: int = self._writer.clause_count
        """How many clauses it has."""

    def write(self, meter: Meter = UNLIMITED) -> OrderFormula:
        """Write the clauses."""
        writer = self._writer
        length = writer.literal_count
        literals, starts = new_row(length, SHORT), new_row(self.clauses + 1)
        writer.begin_writing(literals, starts)
        _go_through(writer, meter)
        clauses = ClauseList(literals[:length], starts, writer.variables)
        events = tuple((self._tiles[index], number) for index, number in self._numbered)
        instant_after = tuple(event + index + 1 for event, (index, _) in enumerate(self._numbered))
        return OrderFormula(clauses, self._exact, events, self._reachable, instant_after)


def _go_through(writer: OrderClauses, meter: Meter) -> None:
    """Count or write all clauses, or raise LimitReached."""

    def step(limit: int) -> tuple[int, int]:
        return (DONE if writer.run(limit) else WORKING), limit

    _, reason = drive(step, meter.fork(None), first_chunk=FIRST_LOOKS)
    if reason is not None:
        raise LimitReached(reason)


def build_formula(board: Board, component: tuple[int, ...], most_moves: int, meter: Meter = UNLIMITED) -> OrderFormula:
    """Build the formula for one live component that follows the tiles with up to so many moves."""
    return FormulaDraft(board, component, most_moves, meter).write(meter)


def read_plan(formula: OrderFormula, model: Sequence[int]) -> tuple[Swap, ...]:
    """Read the plan off an assignment of an exact formula; `model` has the truth of each variable, index 0 unused."""
    events, reachable = formula.events, formula.reachable
    count, cells, instants = len(events), reachable.cells, reachable.instants
    standing = [
        next(cell for cell in reachable.cells_at(instant) if model[instant * cells + cell + 1])
        for instant in range(instants)
    ]

    def time(event: int) -> tuple[int, int]:
        """Count the events no later than this one, which is the same number for both halves of a swap."""
        tile, number = events[event]
        others = (model[instants * cells + e * count + event + 1] for e in range(count) if events[e][0] != tile)
        return number + sum(map(bool, others)), event

    plan: list[Swap] = []
    for event in sorted(range(count), key=time):
        after = formula.instant_after[event]
        swap = (standing[after - 1], standing[after])
        if swap[0] < swap[1]:  # its other half says the same
            plan.append(swap)
    return tuple(plan)
