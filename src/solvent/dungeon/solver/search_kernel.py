"""The kernel that searches states one by one, nearest first: for a shortest plan, or a shortest walk into a lost state.

`store` is int64, shape (capacity, words + COLUMNS): the words of each state, then the columns below.
`slots` is int64, a power of two long: a hash table of state numbers plus 1, 0 where free.
`heap` is the queue of states by length so far plus estimate; `tops` is int64, for each point the state expanded last.
`guides` is int64, shape (1 + landmarks, points): how far each point is from the goal with every gate open, then for
each item one cannot do without, how far it is by way of that item; `guide_bits` (landmarks, 2) is the word and mask of
having it. `hopeful` is bool, shape (sets of items, points): False where nothing leads to the goal even with endless
keys and bombs. `orders` is int64, shape (2, words): bits of which more is better, and bits that must be the same for
one state to be as good as another. `control` is int64; its entries are named below.
The arrays from `area_arcs` on belong to an exploration (see `exploring_kernel`) and say which states are lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.dungeon.solver.exploring_kernel import STAMP, complete
from solvent.dungeon.solver.ground import TARGET
from solvent.dungeon.solver.state_table import find_slot
from solvent.dungeon.solver.stepping import CHANGED, ILLEGAL, take
from solvent.engine.jit.bits import popcount
from solvent.engine.jit.heap import heap_pop, heap_push, heap_size
from solvent.engine.jit.kernel import kernel

# Columns of `store` after the words.
POINT, LENGTH, PARENT, MACRO, CLOSED, BELOW = range(6)
COLUMNS = 6
"""BELOW: the state expanded before this one at the same point."""
# Entries of `control`.
COUNT, EXPANDED, ATTEMPTS, SUCCESSES, FAILURES, HOPELESS, DOMINATED, LARGEST_QUEUE, FOUND_STATE = range(9)
USE_GUIDE, USE_DOMINANCE, USE_HOPE, WEIGHT, SEEK_LOSS, THOROUGH, ITEM_WORD, ITEM_SHIFT, ITEM_MASK = range(9, 18)
MOST_MACROS, WANTED, OUT_OF_SIGHT = 18, 19, 20
CONTROL = 21

UNIT = 64
"""Priorities count moves in 64ths, so that weights need not be whole."""
FAR = np.int64(1) << 40
MOST_COMPARED = 48
"""How many earlier states at a point a new one is compared with. Any number is right; more prune more and cost more."""

EXHAUSTED, FOUND, FULL, NEEDS_TABLE = 1, 2, 3, 4


@kernel
def estimate(guides: Any, guide_bits: Any, point: Any, words: Any) -> Any:
    """Return a number of moves that is never more than are left."""
    best = guides[0, point]
    for landmark in range(len(guide_bits)):
        if words[guide_bits[landmark, 0]] & guide_bits[landmark, 1] == 0:
            best = max(best, guides[1 + landmark, point])
    return best


@kernel
def is_dominated(store: Any, tops: Any, orders: Any, stocks: Any, state: Any, count: Any) -> Any:
    """Tell whether a state expanded before, at the same point and not later, is as good in every way.

    As good: the same switches, blocks and fallen doors; open, taken and held everything the other has; and for each
    resource the same gates open, or enough in hand for every gate that is left. More open gates and as many keys would
    not do: the key that opened them may be one that the other state has yet to find, and to spend elsewhere.
    """
    other = tops[store[state, count + POINT]]
    compared = 0
    while other >= 0 and compared < MOST_COMPARED:
        compared += 1
        good = other != state and store[other, count + LENGTH] <= store[state, count + LENGTH]
        for word in range(count):
            mine, theirs = store[state, word], store[other, word]
            good = good and (mine & orders[0, word]) & ~theirs == 0 and (mine ^ theirs) & orders[1, word] == 0
        if good:
            for stock in range(len(stocks)):
                closed, differ = 0, 0
                for word in range(count):
                    closed += popcount(stocks[stock, 3 + word] & ~store[other, word])
                    differ |= stocks[stock, 3 + word] & (store[other, word] ^ store[state, word])
                in_hand = (store[other, stocks[stock, 0]] >> stocks[stock, 1]) & stocks[stock, 2]
                good = good and (differ == 0 or in_hand == closed)
        if good:
            return True
        other = store[other, count + BELOW]
    return False


@kernel
def search(
    arcs: Any,
    gates: Any,
    blocks: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    rests: Any,
    rest_starts: Any,
    macros: Any,
    tables: Any,
    point_at: Any,
    is_goal: Any,
    guides: Any,
    guide_bits: Any,
    hopeful: Any,
    orders: Any,
    store: Any,
    slots: Any,
    heap: Any,
    tops: Any,
    heat: Any,
    scratch: Any,
    control: Any,
    area_of: Any,
    area_arcs: Any,
    area_starts: Any,
    incoming: Any,
    incoming_starts: Any,
    area_effects: Any,
    area_effect_starts: Any,
    area_rests: Any,
    area_rest_starts: Any,
    area_is_goal: Any,
    memory: Any,
    memory_slots: Any,
    ranks: Any,
    marks: Any,
    lists: Any,
    area_control: Any,
    limit: Any,
) -> Any:
    """Expand states in the order of their priority. Returns a status and how many were expanded.

    `is_goal` and `area_of` are about points. FULL: make `store`, `slots` or `heap` larger and call again.
    NEEDS_TABLE: build that of the point `control[WANTED]` and call again.
    """
    count = scratch.shape[1]
    words, out, whole, spare = scratch[0], scratch[1], scratch[2], scratch[3]
    used = 0
    most = control[MOST_MACROS]
    while heap_size(heap) > 0:
        if used >= limit:
            return 0, used
        if (
            control[COUNT] + most > len(store)
            or control[COUNT] + most > len(slots) * 7 // 10
            or heap_size(heap) + most + 1 >= len(heap)
        ):
            return FULL, used
        priority, state = heap_pop(heap)
        if store[state, count + CLOSED] == 1:
            continue
        if tables[store[state, count + POINT], 1] < 0:
            heap_push(heap, priority, state)
            control[WANTED] = store[state, count + POINT]
            return NEEDS_TABLE, used
        store[state, count + CLOSED] = 1
        used += 1
        control[EXPANDED] += 1
        point, length = store[state, count + POINT], store[state, count + LENGTH]
        heat[point] += 1
        for word in range(count):
            words[word] = store[state, word]
        patient = False
        region = np.int64(0)
        if is_goal[point]:
            if control[SEEK_LOSS] == 0:
                control[FOUND_STATE] = state
                return FOUND, used
            continue
        if control[SEEK_LOSS] == 1:
            for word in range(count):
                whole[word] = words[word]
            _, node = complete(
                area_arcs, area_starts, incoming, incoming_starts, gates, blocks, stocks, area_effects,
                area_effect_starts, area_rests, area_rest_starts, area_is_goal, area_of[point], whole, spare, marks,
                lists, area_control,
            )  # fmt: skip
            region = area_control[STAMP]
            slot = find_slot(memory, memory_slots, whole, node)
            if memory_slots[slot] != 0 and ranks[memory_slots[slot] - 1] < 0:
                control[FOUND_STATE] = state
                return FOUND, used
            if control[THOROUGH] == 1:
                for word in range(count):
                    patient = patient or whole[word] != words[word]
        elif control[USE_DOMINANCE] == 1:
            if is_dominated(store, tops, orders, stocks, state, count):
                control[DOMINATED] += 1
                continue
            store[state, count + BELOW] = tops[point]
            tops[point] = state
        for macro in range(tables[point, 0], tables[point, 0] + tables[point, 1]):
            arc = macros[macro, 0]
            control[ATTEMPTS] += 1
            effect = take(arcs, arc, gates, blocks, stocks, effects, effect_starts, rests, rest_starts, words, out)
            if effect == ILLEGAL:
                control[FAILURES] += 1
                continue
            there = point_at[arcs[arc, TARGET]]
            # Who takes everything first does not change or leave anything before.
            if patient and (effect == CHANGED or marks[1, area_of[there]] != region):
                control[FAILURES] += 1
                continue
            control[SUCCESSES] += 1
            if control[USE_HOPE] == 1:
                held = (out[control[ITEM_WORD]] >> control[ITEM_SHIFT]) & control[ITEM_MASK]
                if not hopeful[held, there]:
                    control[HOPELESS] += 1
                    continue
            guess = np.int64(0)
            if control[USE_GUIDE] == 1:
                guess = estimate(guides, guide_bits, there, out)
                if guess >= FAR:
                    control[OUT_OF_SIGHT] += 1
                    continue
            new_length = length + macros[macro, 1]
            slot = find_slot(store, slots, out, there)
            if slots[slot] == 0:
                next_state = control[COUNT]
                control[COUNT] += 1
                slots[slot] = next_state + 1
                for word in range(count):
                    store[next_state, word] = out[word]
                store[next_state, count + POINT] = there
                store[next_state, count + BELOW] = -1
            else:
                next_state = slots[slot] - 1
                if store[next_state, count + LENGTH] <= new_length:
                    continue
            store[next_state, count + LENGTH] = new_length
            store[next_state, count + PARENT], store[next_state, count + MACRO] = state, macro
            store[next_state, count + CLOSED] = 0
            heap_push(heap, new_length * UNIT + control[WEIGHT] * guess, next_state)
            control[LARGEST_QUEUE] = max(control[LARGEST_QUEUE], heap_size(heap))
    return EXHAUSTED, used
