"""The loop of wire annealing: propose a change, keep it if it costs no more, or by chance if it costs a little more.

The arrays are described in `wires`.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.engine.jit.random import random_index, random_unit
from solvent.harmony.solver.proposals import (
    propose_mend,
    propose_set,
    propose_shift,
    propose_slide,
    propose_trade,
)
from solvent.harmony.solver.wires import (
    COST,
    LOWEST,
    MOST_COST_RISE,
    PROPOSALS,
    TOUCHED,
    cross,
    rewire,
    tile_cost,
)

SOLVED = 1


@kernel
def anneal(
    limit: int, cols: int, colours: Any, moves: Any, partners: Any, partner_count: Any, live: Any,
    swap: Any, tile_at: Any, cell_of: Any, swaps_before: Any, ends: Any, progress: Any, odds: Any,
    rider: Any, extra: Any, note: Any, random: Any,
) -> int:  # fmt: skip
    """Make up to `limit` proposals; return SOLVED as soon as the plan is a solution, else 0."""
    for _ in range(limit):
        if progress[COST] == 0:
            return SOLVED
        progress[PROPOSALS] += 1
        kind = random_index(random, 20)
        if kind < 8:
            steps = propose_mend(colours, moves, partners, partner_count, swap, tile_at, cell_of, ends, note, random)
        elif kind < 11:
            steps = propose_slide(cols, partners, partner_count, swap, note, random)
        elif kind < 12:
            steps = propose_shift(swap, note, random)
        elif kind < 16:
            steps = propose_trade(partners, partner_count, swap, tile_at, cell_of, note, random)
        else:
            steps = propose_set(colours, moves, partners, partner_count, live, swap, cell_of, ends, note, random)
        if steps == 0:
            continue
        touched = 0
        for step in range(steps):
            touched = cross(step, touched, swap, tile_at, swaps_before, rider, extra, note)
        rise = 0
        for index in range(touched):
            wire = note[TOUCHED + index]
            swaps, row = ends[wire, 0], ends[wire, 1]
            rise += tile_cost(rider[wire], swaps + extra[wire], row, colours, moves)
            rise -= tile_cost(wire, swaps, row, colours, moves)
        for index in range(touched):
            wire = note[TOUCHED + index]
            rider[wire] = wire
            extra[wire] = 0
        if rise > 0 and (rise >= MOST_COST_RISE or random_unit(random) >= odds[rise]):
            continue
        rewire(steps, swap, tile_at, cell_of, swaps_before, ends, note)
        progress[COST] += rise
        progress[LOWEST] = min(progress[LOWEST], progress[COST])
    return SOLVED if progress[COST] == 0 else 0
