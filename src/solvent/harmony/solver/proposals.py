"""The changes wire annealing tries. Each notes the one or two slots to change and returns how many, 0 for none.

The arrays are described in `wires`.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel_part
from solvent.engine.jit.random import random_index
from solvent.harmony.solver.wires import CHANGED_A, CHANGED_B, CHANGED_SLOT, tile_cost


@kernel_part
def change_slot(note: Any, step: int, t: int, a: int, b: int) -> None:
    """Note that slot t is to hold the swap of cells a and b."""
    note[CHANGED_SLOT + step] = t
    note[CHANGED_A + step] = a
    note[CHANGED_B + step] = b


@kernel_part
def change_trade(note: Any, swap: Any, source: int, target: int, a: int, b: int) -> int:
    """Note that slot `source` is to be cleared and slot `target` to swap a and b; 0 if that changes nothing."""
    if source == target:
        return 0
    if (swap[target, 0] == a and swap[target, 1] == b) or (swap[target, 0] == b and swap[target, 1] == a):
        return 0
    change_slot(note, 0 if source < target else 1, source, -1, -1)
    change_slot(note, 1 if source < target else 0, target, a, b)
    return 2


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
    return change_trade(note, swap, source, target, a, b)


@kernel_part
def wrong_tile(colours: Any, moves: Any, ends: Any, random: Any) -> Any:
    """Choose a tile that adds to the cost; there is one while the cost is not 0."""
    tiles = len(moves)
    tile = random_index(random, tiles)
    for _ in range(tiles):
        if tile_cost(tile, ends[tile, 0], ends[tile, 1], colours, moves) > 0:
            break
        tile = tile + 1 if tile + 1 < tiles else 0
    return tile


@kernel_part
def swap_of_tile(tile: int, swap: Any, cell_of: Any, random: Any) -> Any:
    """Choose a slot in which a tile is swapped, or -1 if it never is."""
    slots = swap.shape[0]
    t = random_index(random, slots)
    for _ in range(slots):
        cell = cell_of[t, tile]
        if swap[t, 0] == cell or swap[t, 1] == cell:
            return t
        t = t + 1 if t + 1 < slots else 0
    return -1


@kernel_part
def propose_mend(
    colours: Any, moves: Any, partners: Any, partner_count: Any,
    swap: Any, tile_at: Any, cell_of: Any, ends: Any, note: Any, random: Any,
) -> int:  # fmt: skip
    """Pass the fault of a wrong tile on to another one, until two faults meet and cancel out.

    A tile with too many swaps loses one, and its partner there gets another; a tile with too few gets one, and its
    partner there loses another; a tile with the right number trades one. So all but two tiles keep their number.
    Most other changes are refused because they make new faults; these seldom do.
    """
    tile = wrong_tile(colours, moves, ends, random)
    target = random_index(random, swap.shape[0])
    surplus = ends[tile, 0] - moves[tile]
    source = -1
    if surplus >= 0:
        source = swap_of_tile(tile, swap, cell_of, random)
        if source < 0:
            return 0
        if surplus > 0:
            here = cell_of[source, tile]
            tile = tile_at[source, swap[source, 1] if swap[source, 0] == here else swap[source, 0]]
    a = cell_of[target, tile]
    if partner_count[a] == 0:
        return 0
    b = partners[a, random_index(random, partner_count[a])]
    if surplus < 0:
        source = swap_of_tile(tile_at[target, b], swap, cell_of, random)
        if source < 0:
            return 0
    return change_trade(note, swap, source, target, a, b)


@kernel_part
def propose_set(
    colours: Any, moves: Any, partners: Any, partner_count: Any, live: Any,
    swap: Any, cell_of: Any, ends: Any, note: Any, random: Any,
) -> int:  # fmt: skip
    """Set or clear one slot; three times in ten, aim at a tile that is wrong."""
    t = random_index(random, swap.shape[0])
    old_a, old_b = swap[t, 0], swap[t, 1]
    a = b = -1
    if random_index(random, 10) < 3:
        cell = cell_of[t, wrong_tile(colours, moves, ends, random)]
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
