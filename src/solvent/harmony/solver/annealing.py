"""Wire annealing: find a plan quickly. It can say YES; it can never say NO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.engine.driver import WORKING, drive
from solvent.engine.random import new_random
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver import wires

TEMPERATURE = 0.7
SLACK = 1.2
"""Slots for each swap of the plan; empty ones give the changes room."""
SPARE_SLOTS = 4
FIRST_ROUND = 4_000_000
"""Proposals before the first fresh start."""
ROUND_GROWTH = 1.2


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
    table_megabytes = 3 * (slots + 1) * cells * 4 / 1e6
    room = meter.megabytes_left
    if room is not None and table_megabytes > room:
        return AnnealingResult(None, Reason(Cause.MEMORY, f"annealing needs {table_megabytes:.0f} MB"), 0, 0)
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
    odds = np.exp(-np.arange(wires.MOST_COST_RISE) / TEMPERATURE)
    rider, extra, note = np.arange(cells), np.zeros(cells, np.int64), np.zeros(wires.NOTE_SIZE, np.int64)
    random = new_random(seed)

    size = float(FIRST_ROUND)
    rounds = 0
    while True:
        rounds += 1
        wires.start_plan(board.swaps, *puzzle, *plan, random)
        status, reason = _anneal_round(
            int(size), meter, listen, (*puzzle, *plan, odds, rider, extra, note, random), progress
        )
        if status == wires.SOLVED:
            found = tuple((int(min(a, b)), int(max(a, b))) for a, b in swap if a >= 0)
            return AnnealingResult(found, None, rounds, 0)
        if reason is not None:
            return AnnealingResult(None, reason, rounds, int(progress[wires.LOWEST]))
        size *= ROUND_GROWTH


def _anneal_round(
    size: int, meter: Meter, listen: Listener, arguments: tuple[Any, ...], progress: Any
) -> tuple[int, Reason | None]:
    """Make `size` proposals unless a plan is found or the budget is spent before."""
    left = size

    def step(limit: int) -> tuple[int, int]:
        nonlocal left
        before = int(progress[wires.PROPOSALS])
        status = wires.anneal(min(limit, left), *arguments)
        used = int(progress[wires.PROPOSALS]) - before
        left -= used
        if status == WORKING and left <= 0:
            status = ROUND_OVER
        return status, used

    return drive(step, meter, first_chunk=100_000, listen=listen, message="looking for a plan")


ROUND_OVER = 2


def live_partners(board: Board) -> tuple[Any, Any, Any]:
    """Return, for each cell, the live cells aligned with it, how many, and the cells that have any."""
    cells, cols = board.rows * board.cols, board.cols
    partners = np.zeros((cells, max(1, board.rows + cols)), np.int32)
    count = np.zeros(cells, np.int32)
    for a in range(cells):
        if board.moves[a] == 0:
            continue
        for b in range(cells):
            if a != b and board.moves[b] > 0 and (a // cols == b // cols or a % cols == b % cols):
                partners[a, count[a]] = b
                count[a] += 1
    return partners, count, np.flatnonzero(count).astype(np.int32)
