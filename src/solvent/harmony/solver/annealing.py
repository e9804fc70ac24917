"""Wire annealing: find a plan quickly. It can say YES; it can never say NO."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.engine.driver import WORKING, drive
from solvent.engine.jit.random import new_random
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver import annealing_kernel, wires

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


@dataclass(frozen=True, slots=True)
class AnnealingResult:
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
    partners, partner_count, live = live_partners(board)
    if len(live) == 0:
        return AnnealingResult(None, Reason(Cause.INCOMPLETE, "no two live tiles are aligned"), 0, 0)
    colours, moves = np.array(board.colours, np.int64), np.array(board.moves, np.int64)
    puzzle = (board.cols, colours, moves, partners, partner_count, live)
    swap = np.empty((slots, 2), np.int32)
    tile_at, cell_of, swaps_before = (np.empty((slots + 1, cells), np.int32) for _ in range(3))
    ends = np.empty((cells, 2), np.int64)
    progress = np.zeros(3, np.int64)
    plan = (swap, tile_at, cell_of, swaps_before, ends, progress)
    odds = np.exp(-np.arange(wires.MOST_COST_RISE) / temperature(len(live)))
    rider, extra, note = np.arange(cells), np.zeros(cells, np.int64), np.zeros(wires.NOTE_SIZE, np.int64)
    random = new_random(seed)

    size = float(FIRST_ROUND)
    rounds = 0
    while True:
        rounds += 1
        wires.start_plan(board.swaps, *puzzle, *plan, random)
        status, reason = _anneal_round(
            int(size), slots, meter, listen, (*puzzle, *plan, odds, rider, extra, note, random), progress
        )
        if status == annealing_kernel.SOLVED:
            found = tuple((int(min(a, b)), int(max(a, b))) for a, b in swap if a >= 0)
            return AnnealingResult(found, None, rounds, 0)
        if reason is not None:
            return AnnealingResult(None, reason, rounds, int(progress[wires.LOWEST]))
        size *= ROUND_GROWTH


def _anneal_round(
    size: int, slots: int, meter: Meter, listen: Listener, arguments: tuple[Any, ...], progress: Any
) -> tuple[int, Reason | None]:
    """Make `size` proposals unless a plan is found or the budget is spent before."""
    left = size

    def step(limit: int) -> tuple[int, int]:
        nonlocal left
        before = int(progress[wires.PROPOSALS])
        status = annealing_kernel.anneal(min(limit, left), *arguments)
        used = int(progress[wires.PROPOSALS]) - before
        left -= used
        if status == WORKING and left <= 0:
            status = ROUND_OVER
        return status, used

    first_chunk = max(1, FIRST_CHUNK_WORK // slots)
    return drive(step, meter, first_chunk=first_chunk, listen=listen, message="looking for a plan")


def live_partners(board: Board) -> tuple[Any, Any, Any]:
    """Return, for each cell, the live cells aligned with it, how many, and the cells that have any."""
    rows, cols = board.rows, board.cols
    cells = rows * cols
    partners = np.zeros((cells, rows + cols), np.int32)
    count = np.zeros(cells, np.int32)
    for a in range(cells):
        if board.moves[a] == 0:
            continue
        row, col = divmod(a, cols)
        for b in (*range(row * cols, (row + 1) * cols), *range(col, cells, cols)):
            if b != a and board.moves[b] > 0:
                partners[a, count[a]] = b
                count[a] += 1
    return partners, count, np.flatnonzero(count).astype(np.int32)
