"""Wire annealing: find a plan quickly. It can say YES; it can never say NO."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush

from msgspec import Struct

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.engine.driver import WORKING, drive
from solvent.engine.random import ALL_BITS
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.annealing_kernel import SOLVED, Annealing
from solvent.harmony.solver.wires_kernel import Plan

SLACK = 1.5
"""Slots for each swap of the plan; empty ones give the changes room."""
SLOTS_PER_CELL = 2
"""Slots for each cell of the board are enough where there are more swaps: those that bring no tile home are left for
the end."""
SPARE_SLOTS = 4
FIRST_ROUND = 2_000_000
"""Proposals before the first fresh start."""
ROUND_GROWTH = 1.2
WORK_A_CALL = 2_000_000
"""Slots and cells that the proposals of one call may pass over, at least one proposal; one may pass over all."""
FIRST_PLACES = 1_000_000
"""Places of the tables to fill before looking at the clock for the first time."""
MAX_MEGABYTES = 200
"""Tables that are larger are not made. To clear them alone takes a tenth of a second, and boards that need them are far
beyond what is ever solved."""
ROUND_OVER = 2
"""Status of a round that made all its proposals, beside those of the kernel."""
LAID = 1
"""Status of a round whose tables are filled."""


def temperature(live_cells: int) -> float:
    """Return how willingly a rise in cost is accepted.

    More tiles have more faults at the same temperature, so large boards need it lower; measured best on 6×6, 8×8 and
    10×10 boards, and in between on a line.
    """
    return min(0.9, max(0.5, 1.1 - 0.05 * math.sqrt(live_cells)))


class AnnealingResult(Struct, frozen=True):
    """Hold a plan, or why there is none yet."""

    plan: tuple[Swap, ...] | None
    reason: Reason | None
    rounds: int
    lowest_cost: int


def find_plan(board: Board, meter: Meter, *, seed: int = 0, listen: Listener = ignore) -> AnnealingResult:
    """Look for a plan until one is found or the budget is spent. One proposal is one node."""
    return Annealer(board, seed=seed).run(meter, listen=listen)


def _whole_plan(plan: Plan, meter: Meter) -> tuple[Swap, ...]:
    """Return the swaps of a plan that costs nothing, with those at the end that use up what the tiles have left."""
    at_end = (swap for left in plan.moves_left() for swap in pair_up(left))
    return (*plan.swaps(), *meter.fork(None).each(at_end))


def pair_up(left: Mapping[int, int]) -> Iterator[Swap]:
    """Yield swaps inside a row that use up what the tiles on these cells have left.

    The two that have most swap places, again and again. That comes out even if the moves left are even in number and no
    tile has more than half of them.
    """
    most_first = [(-moves, cell) for cell, moves in left.items()]
    heapify(most_first)
    while most_first:
        moves, cell = heappop(most_first)
        other_moves, other_cell = heappop(most_first)
        yield min(cell, other_cell), max(cell, other_cell)
        if moves < -1:
            heappush(most_first, (moves + 1, other_cell))
        if other_moves < -1:
            heappush(most_first, (other_moves + 1, cell))


class Annealer:
    """Look for a plan of one board, in pieces: each run goes on where the last one ended.

    However the work is cut into runs, it is the same.
    """

    def __init__(self, board: Board, *, seed: int) -> None:
        self._board = board
        self._seed = seed
        self._kernel: Annealing | None = None
        self._rounds = 0
        self._size = float(FIRST_ROUND)
        """Proposals of the next round."""
        self._left = 0
        """Proposals left in this round."""
        self._laid = True

    def run(self, meter: Meter, *, listen: Listener = ignore) -> AnnealingResult:
        """Go on until a plan is found or the budget is spent."""
        if self._kernel is None:
            reason = self._prepare(meter)
            if reason is not None:
                return AnnealingResult(None, reason, 0, 0)
        kernel = self._kernel
        assert kernel is not None
        while True:
            if self._left <= 0:
                self._begin_round(kernel)
            status, reason = self._lay(kernel, meter)
            if reason is None:
                status, reason = self._anneal(kernel, meter, listen)
            if status == SOLVED:
                return AnnealingResult(_whole_plan(kernel.plan, meter), None, self._rounds, 0)
            if reason is not None:
                return AnnealingResult(None, reason, self._rounds, kernel.lowest)

    def _prepare(self, meter: Meter) -> Reason | None:
        """Make the tables, or say why not."""
        cells = self._board.rows * self._board.cols
        slots = min(int(self._board.swaps * SLACK), SLOTS_PER_CELL * cells) + SPARE_SLOTS
        megabytes = 3 * (slots + 1) * cells * 4 / 1e6
        if megabytes > MAX_MEGABYTES:
            return Reason(Cause.MEMORY, f"annealing needs about {megabytes:.0f} MB, and takes {MAX_MEGABYTES} at most")
        reason = meter.stop_reason() or meter.memory_reason(megabytes, "annealing")
        if reason is not None:
            return reason
        plan = Plan(self._board, slots)
        if plan.live_count == 0:
            return Reason(Cause.INCOMPLETE, "no two live tiles are aligned")
        self._kernel = Annealing(plan, temperature(plan.live_count), self._seed & ALL_BITS)
        return None

    def _begin_round(self, kernel: Annealing) -> None:
        self._rounds += 1
        self._left = int(self._size)
        self._size *= ROUND_GROWTH
        self._laid = False
        kernel.start(min(self._board.swaps, kernel.plan.slots))

    def _lay(self, kernel: Annealing, meter: Meter) -> tuple[int, Reason | None]:
        """Fill the tables of a new round."""
        if self._laid:
            return WORKING, None

        def step(limit: int) -> tuple[int, int]:
            return (LAID if kernel.lay(limit) else WORKING), limit

        status, reason = drive(step, meter.fork(None), first_chunk=FIRST_PLACES)
        self._laid = status == LAID
        return WORKING, reason

    def _anneal(self, kernel: Annealing, meter: Meter, listen: Listener) -> tuple[int, Reason | None]:
        """Make the proposals of this round unless a plan is found or the budget is spent before."""
        plan = kernel.plan
        most = max(1, WORK_A_CALL // (plan.slots + plan.cells))

        def step(limit: int) -> tuple[int, int]:
            before = kernel.made
            status = kernel.run(min(limit, self._left, most))
            used = kernel.made - before
            self._left -= used
            if status == WORKING and self._left <= 0:
                status = ROUND_OVER
            return status, used

        return drive(step, meter, first_chunk=most, listen=listen, message="looking for a plan")
