"""Wire annealing: find a plan quickly. It can say YES; it can never say NO."""

from __future__ import annotations

import math

from msgspec import Struct

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.engine.driver import WORKING, drive
from solvent.engine.random import ALL_BITS
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.annealing_kernel import SOLVED, Annealing
from solvent.harmony.solver.wires_kernel import Plan

SLACK = 1.2
"""Slots for each swap of the plan; empty ones give the changes room."""
SPARE_SLOTS = 4
FIRST_ROUND = 4_000_000
"""Proposals before the first fresh start."""
ROUND_GROWTH = 1.2
FIRST_CHUNK_WORK = 2_000_000
"""Slots to pass over before looking at the clock for the first time; a change that is kept passes over all of them."""
ROUND_OVER = 2
"""Status of a round that made all its proposals, beside those of the kernel."""


def temperature(live_cells: int) -> float:
    """Return how willingly a rise in cost is accepted.

    More tiles have more faults at the same temperature, so large boards need it lower; measured best on 6×6, 8×8 and
    10×10 boards, and in between on a line.
    """
    return min(0.9, max(0.4, 1.1 - 0.05 * math.sqrt(live_cells)))


class AnnealingResult(Struct, frozen=True):
    """Hold a plan, or why there is none yet."""

    plan: tuple[Swap, ...] | None
    reason: Reason | None
    rounds: int
    lowest_cost: int


def find_plan(board: Board, meter: Meter, *, seed: int = 0, listen: Listener = ignore) -> AnnealingResult:
    """Look for a plan until one is found or the budget is spent. One proposal is one node."""
    cells = board.rows * board.cols
    slots = int(board.swaps * SLACK) + SPARE_SLOTS
    too_large = meter.memory_reason(3 * (slots + 1) * cells * 4 / 1e6, "annealing")
    if too_large is not None:
        return AnnealingResult(None, too_large, 0, 0)
    plan = Plan(board, slots)
    if plan.live_count == 0:
        return AnnealingResult(None, Reason(Cause.INCOMPLETE, "no two live tiles are aligned"), 0, 0)
    kernel = Annealing(plan, temperature(plan.live_count), seed & ALL_BITS)
    size = float(FIRST_ROUND)
    rounds = 0
    while True:
        rounds += 1
        kernel.start(board.swaps)
        status, reason = _anneal_round(kernel, int(size), meter, listen)
        if status == SOLVED:
            return AnnealingResult(tuple(plan.swaps()), None, rounds, 0)
        if reason is not None:
            return AnnealingResult(None, reason, rounds, kernel.lowest)
        size *= ROUND_GROWTH


def _anneal_round(kernel: Annealing, size: int, meter: Meter, listen: Listener) -> tuple[int, Reason | None]:
    """Make `size` proposals unless a plan is found or the budget is spent before."""
    left = size

    def step(limit: int) -> tuple[int, int]:
        nonlocal left
        before = kernel.made
        status = kernel.run(min(limit, left))
        used = kernel.made - before
        left -= used
        if status == WORKING and left <= 0:
            status = ROUND_OVER
        return status, used

    first_chunk = max(1, FIRST_CHUNK_WORK // kernel.plan.slots)
    return drive(step, meter, first_chunk=first_chunk, listen=listen, message="looking for a plan")
