"""The tables of wire annealing: what a plan costs, and what changing it would.

A plan is a fixed number of slots in time. A slot is empty or holds a swap of two aligned live cells. Each tile draws a
wire through time: the cells it stands on, slot by slot. The plan costs, for each tile, 2 for each swap it makes too
many or too few and 3 if it ends outside its row. Cost 0 is a solution: every tile makes exactly as many swaps as it
has moves, so it never runs out on the way.

Changing a slot crosses or uncrosses wires: from there on, at most four tiles ride the rest of one another's wires. What
that costs can be told from the ends of those wires alone, so judging a change takes a handful of steps, and only a
change that is kept has to be written into the tables.

What the arrays hold, for `slots` slots and `cells` cells (a tile is named by the cell it starts on):
- swap[t, 0], swap[t, 1]       int32: the two cells that slot t swaps, or -1, -1
- tile_at[t, cell]             int32: the tile on a cell before slot t; row `slots` is the end
- cell_of[t, tile]             int32: the cell a tile stands on before slot t
- swaps_before[t, tile]        int32: how many swaps a tile has made before slot t
- ends[tile, 0], ends[tile, 1] int64: all swaps a tile makes, and the row it ends in
- partners[cell, i]            int32: the live cells aligned with a live cell, partner_count[cell] of them
- live[i]                      int32: the cells that have partners
- progress[:]                  int64: cost now, lowest cost so far, proposals so far
- odds[d]                      float64: chance of keeping a change that costs d more
- rider[wire]                  int64: the tile that would ride a wire; the wire's own tile between proposals
- extra[wire]                  int64: how many swaps more that tile would have made; 0 between proposals
- note[:]                      int64: scratch for one proposal
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel, kernel_part
from solvent.engine.jit.random import random_index

COST, LOWEST, PROPOSALS = 0, 1, 2

MISCOUNT_COST = 2
WRONG_ROW_COST = 3
MOST_COST_RISE = 64
"""Changes that cost this much more are never kept."""

# Where the pieces of `note` begin. A change touches at most two slots and eight wires.
WIDTH = 16
TOUCHED = 0 * WIDTH  # the wires touched so far
NEW_WIRE, NEW_RIDER, NEW_EXTRA = 1 * WIDTH, 2 * WIDTH, 3 * WIDTH
CHANGED_SLOT, CHANGED_A, CHANGED_B = 4 * WIDTH, 5 * WIDTH, 6 * WIDTH  # the one or two slots to change, in order of time
KEPT = 7 * WIDTH  # wire, rider, extra after the first changed slot; then the same after the second
KEPT_COUNT = 13 * WIDTH
SAVED_CELL, SAVED_SWAPS = 14 * WIDTH, 15 * WIDTH
NOTE_SIZE = 16 * WIDTH


@kernel
def tile_cost(tile: int, swaps: int, row: int, colours: Any, moves: Any) -> Any:
    """Return what a tile adds to the cost when it makes this many swaps and ends in this row."""
    cost = MISCOUNT_COST * abs(swaps - moves[tile])
    if row != colours[tile]:
        cost += WRONG_ROW_COST
    return cost


@kernel
def lay_wires(first: int, swap: Any, tile_at: Any, cell_of: Any, swaps_before: Any) -> None:
    """Fill the tables from slot `first` on."""
    for t in range(first, swap.shape[0]):
        tile_at[t + 1, :] = tile_at[t, :]
        cell_of[t + 1, :] = cell_of[t, :]
        swaps_before[t + 1, :] = swaps_before[t, :]
        a, b = swap[t, 0], swap[t, 1]
        if a >= 0:
            tile_a, tile_b = tile_at[t, a], tile_at[t, b]
            tile_at[t + 1, a], tile_at[t + 1, b] = tile_b, tile_a
            cell_of[t + 1, tile_a], cell_of[t + 1, tile_b] = b, a
            swaps_before[t + 1, tile_a] += 1
            swaps_before[t + 1, tile_b] += 1


@kernel
def start_plan(
    planned: int, cols: int, colours: Any, moves: Any, partners: Any, partner_count: Any, live: Any,
    swap: Any, tile_at: Any, cell_of: Any, swaps_before: Any, ends: Any, progress: Any, random: Any,
) -> None:  # fmt: skip
    """Begin with `planned` random swaps in random slots."""
    slots, cells = swap.shape[0], tile_at.shape[1]
    swap[:, :] = -1
    for _ in range(planned):
        a = live[random_index(random, len(live))]
        t = random_index(random, slots)
        swap[t, 0] = a
        swap[t, 1] = partners[a, random_index(random, partner_count[a])]
    for cell in range(cells):
        tile_at[0, cell] = cell
        cell_of[0, cell] = cell
        swaps_before[0, cell] = 0
    lay_wires(0, swap, tile_at, cell_of, swaps_before)
    progress[COST] = 0
    for tile in range(cells):
        ends[tile, 0] = swaps_before[slots, tile]
        ends[tile, 1] = cell_of[slots, tile] // cols
        progress[COST] += tile_cost(tile, ends[tile, 0], ends[tile, 1], colours, moves)
    progress[LOWEST] = progress[COST]


@kernel_part
def cross(
    step: int, touched: int, swap: Any, tile_at: Any, swaps_before: Any, rider: Any, extra: Any, note: Any
) -> int:
    """Replace one slot of the change and follow which tile rides which old wire afterwards.

    `step` is 0 or 1: which of the changed slots, in order of time. Returns how many wires were touched so far, and
    notes those that have another rider after this slot than in the old plan.
    """
    t = note[CHANGED_SLOT + step]
    new_a, new_b = note[CHANGED_A + step], note[CHANGED_B + step]
    old_a, old_b = swap[t, 0], swap[t, 1]
    count = 0
    for index in range(4):
        if index == 0:
            cell = old_a
        elif index == 1:
            cell = old_b
        elif index == 2:
            cell = new_a if new_a != old_a and new_a != old_b else -1
        else:
            cell = new_b if new_b != old_a and new_b != old_b else -1
        if cell < 0:
            continue
        wire = tile_at[t, cell]
        swaps = swaps_before[t, wire] + extra[wire]
        there = cell
        if cell == new_a:
            there = new_b
            swaps += 1
        elif cell == new_b:
            there = new_a
            swaps += 1
        onward = tile_at[t + 1, there]
        note[NEW_WIRE + count] = onward
        note[NEW_RIDER + count] = rider[wire]
        note[NEW_EXTRA + count] = swaps - swaps_before[t + 1, onward]
        count += 1
    for index in range(count):
        wire = note[NEW_WIRE + index]
        known = False
        for other in range(touched):
            if note[TOUCHED + other] == wire:
                known = True
        if not known:
            note[TOUCHED + touched] = wire
            touched += 1
        rider[wire] = note[NEW_RIDER + index]
        extra[wire] = note[NEW_EXTRA + index]
    kept = 0
    base = KEPT + 3 * WIDTH * step
    for index in range(touched):
        wire = note[TOUCHED + index]
        if rider[wire] != wire or extra[wire] != 0:
            note[base + kept] = wire
            note[base + WIDTH + kept] = rider[wire]
            note[base + 2 * WIDTH + kept] = extra[wire]
            kept += 1
    note[KEPT_COUNT + step] = kept
    return touched


@kernel_part
def rewire(steps: int, swap: Any, tile_at: Any, cell_of: Any, swaps_before: Any, ends: Any, note: Any) -> None:
    """Write a change that is kept into the tables."""
    slots = swap.shape[0]
    last = steps - 1
    base = KEPT + 3 * WIDTH * last
    for index in range(note[KEPT_COUNT + last]):
        wire = note[base + index]
        note[SAVED_SWAPS + index] = ends[wire, 0] + note[base + 2 * WIDTH + index]
        note[SAVED_CELL + index] = ends[wire, 1]
    for index in range(note[KEPT_COUNT + last]):
        tile = note[base + WIDTH + index]
        ends[tile, 0] = note[SAVED_SWAPS + index]
        ends[tile, 1] = note[SAVED_CELL + index]
    for step in range(steps):
        base = KEPT + 3 * WIDTH * step
        kept = note[KEPT_COUNT + step]
        if kept == 0:
            continue
        until = note[CHANGED_SLOT + step + 1] if step + 1 < steps else slots
        for t in range(note[CHANGED_SLOT + step] + 1, until + 1):
            for index in range(kept):
                wire = note[base + index]
                note[SAVED_CELL + index] = cell_of[t, wire]
                note[SAVED_SWAPS + index] = swaps_before[t, wire]
            for index in range(kept):
                tile = note[base + WIDTH + index]
                cell_of[t, tile] = note[SAVED_CELL + index]
                tile_at[t, note[SAVED_CELL + index]] = tile
                swaps_before[t, tile] = note[SAVED_SWAPS + index] + note[base + 2 * WIDTH + index]
    for step in range(steps):
        t = note[CHANGED_SLOT + step]
        swap[t, 0] = note[CHANGED_A + step]
        swap[t, 1] = note[CHANGED_B + step]
