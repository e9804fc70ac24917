"""The kernel of wire annealing: change a plan at random, keep what brings it closer to a solution.

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

from solvent.engine.kernel import kernel, kernel_part
from solvent.engine.random import random_index, random_unit

COST, LOWEST, PROPOSALS = 0, 1, 2
SOLVED = 1

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


@kernel_part
def change_slot(note: Any, step: int, t: int, a: int, b: int) -> None:
    """Note that slot t is to hold the swap of cells a and b."""
    note[CHANGED_SLOT + step] = t
    note[CHANGED_A + step] = a
    note[CHANGED_B + step] = b


@kernel_part
def propose_slide(cols: int, partners: Any, partner_count: Any, swap: Any, note: Any, random: Any) -> int:
    """Turn two swaps that share a cell into two others with the same effect on where tiles end.

    (a b)(a c) moves the same tiles to the same cells as (a c)(b c) and as (b c)(a b), but other tiles pay for it.
    A swap done twice is put on another pair instead. Returns the number of slots to change, 0 if there is nothing.
    """
    slots = swap.shape[0]
    first = random_index(random, slots)
    for _ in range(slots):
        if swap[first, 0] >= 0:
            break
        first = first + 1 if first + 1 < slots else 0
    a, b = swap[first, 0], swap[first, 1]
    if a < 0:
        return 0
    second = first + 1
    while second < slots:
        p, q = swap[second, 0], swap[second, 1]
        if p >= 0 and (p == a or p == b or q == a or q == b):
            break
        second += 1
    if second == slots:
        return 0
    p, q = swap[second, 0], swap[second, 1]
    if (p == a and q == b) or (p == b and q == a):
        stay = a if random_index(random, 2) == 0 else b
        other = partners[stay, random_index(random, partner_count[stay])]
        change_slot(note, 0, first, stay, other)
        change_slot(note, 1, second, stay, other)
        return 2
    if p == b or q == b:
        a, b = b, a
    c = q if p == a else p
    if b // cols != c // cols and b % cols != c % cols:
        return 0
    if random_index(random, 2) == 0:
        change_slot(note, 0, first, a, c)
        change_slot(note, 1, second, b, c)
    else:
        change_slot(note, 0, first, b, c)
        change_slot(note, 1, second, a, b)
    return 2


@kernel_part
def propose_shift(swap: Any, note: Any, random: Any) -> int:
    """Move a swap to an empty slot."""
    slots = swap.shape[0]
    source, target = random_index(random, slots), random_index(random, slots)
    if swap[source, 0] < 0 or swap[target, 0] >= 0:
        return 0
    change_slot(note, 0 if source < target else 1, source, -1, -1)
    change_slot(note, 1 if source < target else 0, target, swap[source, 0], swap[source, 1])
    return 2


@kernel_part
def propose_trade(
    partners: Any, partner_count: Any, swap: Any, tile_at: Any, cell_of: Any, note: Any, random: Any
) -> int:
    """Delete a swap and give one of its two tiles another swap at another time."""
    slots = swap.shape[0]
    source, target = random_index(random, slots), random_index(random, slots)
    if swap[source, 0] < 0 or source == target:
        return 0
    tile = tile_at[source, swap[source, random_index(random, 2)]]
    a = cell_of[target, tile]
    b = partners[a, random_index(random, partner_count[a])]
    if (swap[target, 0] == a and swap[target, 1] == b) or (swap[target, 0] == b and swap[target, 1] == a):
        return 0
    change_slot(note, 0 if source < target else 1, source, -1, -1)
    change_slot(note, 1 if source < target else 0, target, a, b)
    return 2


@kernel_part
def propose_set(
    colours: Any, moves: Any, partners: Any, partner_count: Any, live: Any,
    swap: Any, cell_of: Any, ends: Any, note: Any, random: Any,
) -> int:  # fmt: skip
    """Set or clear one slot; three times in ten, aim at a tile that is wrong."""
    cells = cell_of.shape[1]
    t = random_index(random, swap.shape[0])
    old_a, old_b = swap[t, 0], swap[t, 1]
    a = b = -1
    if random_index(random, 10) < 3:
        tile = random_index(random, cells)
        for _ in range(cells):
            if tile_cost(tile, ends[tile, 0], ends[tile, 1], colours, moves) > 0:
                break
            tile = tile + 1 if tile + 1 < cells else 0
        cell = cell_of[t, tile]
        if partner_count[cell] == 0:
            return 0
        if (cell != old_a and cell != old_b) or random_index(random, 2) == 0:
            a = cell
            b = partners[cell, random_index(random, partner_count[cell])]
    elif old_a < 0 or random_index(random, 2) == 0:
        a = live[random_index(random, len(live))]
        b = partners[a, random_index(random, partner_count[a])]
    if (a == old_a and b == old_b) or (a == old_b and b == old_a):
        return 0
    change_slot(note, 0, t, a, b)
    return 1


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
        kind = random_index(random, 10)
        if kind < 2:
            steps = propose_slide(cols, partners, partner_count, swap, note, random)
        elif kind < 3:
            steps = propose_shift(swap, note, random)
        elif kind < 6:
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
