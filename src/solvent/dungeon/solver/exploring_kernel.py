"""The kernels that explore a dungeon by situations: an area, and what was taken, opened, switched and pushed.

A situation stands for all states in its *region*, the areas one can walk to and back from without changing anything.
When taking is *saturated*, everything in the region counts as taken; see `exploring` for why that is right and when.

`memory` is int64, shape (capacity, words + COLUMNS): the words of each situation, then the columns below.
`slots` is int64, a power of two long: a hash table of situation numbers plus 1, 0 where free.
`edges` is int32: the situations that each situation leads to, one after the other.
`scratch` is int64, shape (SCRATCH_ROWS, words); `marks` is int64, shape (3, areas): the numbers of the last calls that
reached an area forwards, backwards, and as part of the region being expanded; `lists` is int64, shape (3, areas).
`control` is int64; its entries are named below. One call of `explore` expands up to `limit` situations.
"""

from __future__ import annotations

from typing import Any

from solvent.dungeon.solver.areas import BACK, IF_BITS, MUST_SET, NEVER_CALM, SWIFT, TRY
from solvent.dungeon.solver.areas import CALM as CALM_IF
from solvent.dungeon.solver.ground import AMOUNT as EFFECT_AMOUNT
from solvent.dungeon.solver.ground import (
    EFFECT_MASK,
    EFFECT_WORD,
    GAIN,
    GATE_1,
    GATE_3,
    KIND,
    NEED,
    NEEDS,
    SOURCE,
    TARGET,
    TOGGLE,
    WHAT,
)
from solvent.dungeon.solver.ground import STOCK as EFFECT_STOCK
from solvent.dungeon.solver.state_table import find_slot
from solvent.dungeon.solver.stepping import CALM, CHANGED, ILLEGAL, TOOK, add_stock, take
from solvent.engine.jit.kernel import kernel

# Columns of `memory` after the words.
NODE, PARENT, VIA, FIRST_EDGE, EDGES, WINS = range(6)
COLUMNS = 6
"""NODE: the smallest area of the region. VIA: the arc that led here first, from PARENT. FIRST_EDGE, EDGES: where its
edges stand and how many there are, -1 until it is expanded. WINS: 1 + an arc from here that ends on a goal, or 0."""
# Entries of `control`.
COUNT, STACKED, EDGE_COUNT, STAMP, EXPANDED, FIRST_DEAD, FIRST_WIN = range(7)
STOP_AT_WIN, SATURATED, WATCH_LOSS, REACHED = range(7, 11)
CONTROL = 11
EXACT, SATURATE, OVERLOOK = 0, 1, 2
SCRATCH_ROWS = 8
GENTLE, OPENERS = 6, 7
"""Rows of `scratch` that hold bits. GENTLE: everything that is held or opened; changing those never bars a way.
OPENERS: things that open ways by being held, items and beaten monsters."""

# What `explore` returns; WORKING of the driver is 0.
EXHAUSTED, FOUND, FULL, LOSSY = 1, 2, 3, 4


@kernel
def is_barred(arcs: Any, arc: Any, words: Any) -> Any:
    """Tell whether some bit keeps an arc between areas from being calm; blocks and the like aside."""
    count = len(words)
    bars = 0
    for word in range(count):
        must_set, must_not = arcs[arc, MUST_SET + word], arcs[arc, MUST_SET + count + word]
        bars |= (must_set & ~words[word]) | (must_not & words[word])
    return bars != 0


@kernel
def complete(
    arcs: Any,
    starts: Any,
    incoming: Any,
    incoming_starts: Any,
    gates: Any,
    blocks: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    rests: Any,
    rest_starts: Any,
    is_goal: Any,
    node: Any,
    words: Any,
    out: Any,
    marks: Any,
    lists: Any,
    control: Any,
) -> Any:
    """Find the region of a node; if taking is saturated, take all in it, again and again, changing `words`.

    `control[SATURATED]` is one of EXACT, SATURATE, or OVERLOOK: walk over what lies about without taking it.

    Returns the number of areas in the region, which `lists[1]` then holds, and the smallest of them. `marks[1]` of
    those is `control[STAMP]`.
    """
    saturated = control[SATURATED]
    while True:
        control[STAMP] += 1
        stamp = control[STAMP]
        marks[0, node], lists[0, 0] = stamp, node
        reached, done = 1, 0
        while done < reached:
            here = lists[0, done]
            done += 1
            for arc in range(starts[here], starts[here + 1]):
                there = arcs[arc, TARGET]
                if marks[0, there] == stamp or is_goal[there]:
                    continue
                calm = arcs[arc, CALM_IF]
                if calm == IF_BITS:
                    if is_barred(arcs, arc, words):
                        continue
                elif calm == NEVER_CALM:
                    continue
                elif calm == TRY:
                    effect = take(
                        arcs, arc, gates, blocks, stocks, effects, effect_starts, rests, rest_starts, words, out
                    )
                    if effect != CALM and (effect != TOOK or saturated == 0):
                        continue
                marks[0, there], lists[0, reached] = stamp, there
                reached += 1
        marks[1, node], lists[1, 0] = stamp, node
        size, done, smallest = 1, 0, node
        while done < size:
            there = lists[1, done]
            done += 1
            for place in range(incoming_starts[there], incoming_starts[there + 1]):
                arc = incoming[place]
                here = arcs[arc, SOURCE]
                if marks[0, here] != stamp or marks[1, here] == stamp:
                    continue
                calm = arcs[arc, CALM_IF]
                if calm == IF_BITS:
                    if is_barred(arcs, arc, words):
                        continue
                elif calm == NEVER_CALM:
                    continue
                elif calm == TRY:
                    effect = take(
                        arcs, arc, gates, blocks, stocks, effects, effect_starts, rests, rest_starts, words, out
                    )
                    if effect != CALM and (effect != TOOK or saturated == 0):
                        continue
                marks[1, here], lists[1, size] = stamp, here
                size += 1
                smallest = min(smallest, here)
        again = False
        if saturated == SATURATE:
            for index in range(size):
                if collect(effects, effect_starts, stocks, lists[1, index], words):
                    again = True
        if not again:
            control[REACHED] = reached
            return size, smallest


@kernel
def extend(
    arcs: Any,
    starts: Any,
    incoming: Any,
    incoming_starts: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    is_goal: Any,
    node: Any,
    words: Any,
    marks: Any,
    lists: Any,
    control: Any,
    own: Any,
    smallest: Any,
) -> Any:
    """Do what `complete` does after a swift move out of a region that nothing calm leads out of.

    The region stays together, so only what joins it is looked at: what can be reached from `node` and leads back to it.
    `marks[2]` of the areas in the old region is `own`, and `smallest` is the smallest of them. Returns the smallest
    area of the new region, or -1 if `complete` must do it after all, because the answer is not a matter of bits. The
    caller looks whether something was taken that opens ways elsewhere; then `complete` must do it too.
    """
    control[STAMP] += 1
    stamp = control[STAMP]
    marks[0, node], lists[0, 0] = stamp, node
    reached, done = 1, 0
    while done < reached:
        here = lists[0, done]
        done += 1
        for arc in range(starts[here], starts[here + 1]):
            there = arcs[arc, TARGET]
            if marks[0, there] == stamp or marks[2, there] == own or is_goal[there]:
                continue
            calm = arcs[arc, CALM_IF]
            if calm == TRY:
                return -1
            if calm == NEVER_CALM:
                continue
            if not is_barred(arcs, arc, words):
                marks[0, there], lists[0, reached] = stamp, there
                reached += 1
    marks[1, node], lists[1, 0] = stamp, node
    size, done = 1, 0
    smallest = min(smallest, node)
    while done < size:
        there = lists[1, done]
        done += 1
        for place in range(incoming_starts[there], incoming_starts[there + 1]):
            arc = incoming[place]
            here = arcs[arc, SOURCE]
            if marks[0, here] != stamp or marks[1, here] == stamp:
                continue
            calm = arcs[arc, CALM_IF]
            if calm == TRY:
                return -1
            if calm == NEVER_CALM:
                continue
            if not is_barred(arcs, arc, words):
                marks[1, here], lists[1, size] = stamp, here
                size += 1
                smallest = min(smallest, here)
    # Whatever leads from what was reached into the old region would make more of it part of the new one.
    if size < reached:
        return -1
    for index in range(size):
        collect(effects, effect_starts, stocks, lists[1, index], words)
    return smallest


@kernel
def collect(effects: Any, effect_starts: Any, stocks: Any, node: Any, words: Any) -> Any:
    """Take what lies in an area; return whether something was among it that may open a way."""
    opens = False
    for effect in range(effect_starts[node], effect_starts[node + 1]):
        word, mask = effects[effect, EFFECT_WORD], effects[effect, EFFECT_MASK]
        if effects[effect, WHAT] != TOGGLE and words[word] & mask == 0:
            words[word] |= mask
            if effects[effect, WHAT] == GAIN:
                add_stock(stocks, effects[effect, EFFECT_STOCK], effects[effect, EFFECT_AMOUNT], words)
            else:
                opens = True
    return opens


@kernel
def explore(
    arcs: Any,
    starts: Any,
    incoming: Any,
    incoming_starts: Any,
    gates: Any,
    blocks: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    rests: Any,
    rest_starts: Any,
    is_goal: Any,
    sure: Any,
    memory: Any,
    slots: Any,
    stack: Any,
    edges: Any,
    scratch: Any,
    marks: Any,
    lists: Any,
    control: Any,
    limit: Any,
) -> Any:
    """Expand situations, the youngest first. Returns a status and how many were expanded.

    The first situation must be in `memory`, `slots` and `stack` already. FULL: something is too small for the next
    one; make it larger and call again. LOSSY: a move may give up what was not taken yet, so saturated taking would not
    be exact.
    """
    count = scratch.shape[1]
    words, out, aside, wanted, back = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    spare = scratch[5]
    used = 0
    while control[STACKED] > 0:
        if used >= limit:
            return 0, used
        # A region has at most all arcs leading out of it, so this is room enough for one expansion.
        if (
            control[COUNT] + len(arcs) > len(memory)
            or control[COUNT] + len(arcs) > len(slots) * 7 // 10
            or control[EDGE_COUNT] + len(arcs) > len(edges)
            or control[STACKED] + len(arcs) > len(stack)
        ):
            return FULL, used
        control[STACKED] -= 1
        current = stack[control[STACKED]]
        used += 1
        control[EXPANDED] += 1
        for word in range(count):
            words[word] = memory[current, word]
        size, smallest = complete(
            arcs, starts, incoming, incoming_starts, gates, blocks, stocks, effects, effect_starts, rests,
            rest_starts, is_goal, memory[current, count + NODE], words, out, marks, lists, control,
        )  # fmt: skip
        own = control[STAMP]
        together = control[REACHED] == size and control[SATURATED] != 0
        loose = False
        for word in range(count):
            wanted[word] = 0
        for index in range(size):
            node = lists[1, index]
            lists[2, index], marks[2, node] = node, own
            for effect in range(effect_starts[node], effect_starts[node + 1]):
                if effects[effect, WHAT] != TOGGLE:
                    wanted[effects[effect, EFFECT_WORD]] |= effects[effect, EFFECT_MASK]
                    loose = True
        first = control[EDGE_COUNT]
        memory[current, count + FIRST_EDGE] = first
        for index in range(size):
            here = lists[2, index]
            for arc in range(starts[here], starts[here + 1]):
                there = arcs[arc, TARGET]
                if arcs[arc, BACK] == 1 and marks[2, there] == own and not is_barred(arcs, arc, words):
                    continue  # walking about in the region
                effect = take(arcs, arc, gates, blocks, stocks, effects, effect_starts, rests, rest_starts, words, out)
                if effect == ILLEGAL:
                    continue
                if is_goal[there]:
                    memory[current, count + WINS] = arc + 1
                    continue
                for word in range(count):
                    aside[word] = out[word]
                swift = arcs[arc, SWIFT] == 1 and effect == CHANGED
                if control[WATCH_LOSS] and loose and not swift:
                    undone = False
                    rough = 0
                    for word in range(count):
                        back[word] = aside[word] & (~wanted[word] | sure[here, word])
                        rough |= (aside[word] ^ words[word]) & ~scratch[GENTLE, word]
                    for column in range(GATE_1, GATE_3 + 1):
                        gate = arcs[arc, column]
                        if gate >= 0 and gates[gate, KIND] == NEED:
                            for word in range(count):
                                back[word] |= gates[gate, NEEDS + word]
                    for reverse in range(starts[there], starts[there + 1]):
                        # After a switch, a block or a falling door, who steps back may not get about as before.
                        if arcs[reverse, TARGET] == here and rough == 0:
                            effect_back = take(
                                arcs, reverse, gates, blocks, stocks, effects, effect_starts, rests, rest_starts,
                                back, out,
                            )  # fmt: skip
                            if effect_back == CALM or effect_back == TOOK:
                                undone = True
                                break
                    if not undone:
                        for word in range(count):
                            spare[word] = aside[word] & (~wanted[word] | sure[here, word])
                        collect(effects, effect_starts, stocks, there, spare)
                        complete(
                            arcs, starts, incoming, incoming_starts, gates, blocks, stocks, effects, effect_starts,
                            rests, rest_starts, is_goal, there, spare, out, marks, lists, control,
                        )  # fmt: skip
                        for word in range(count):
                            if wanted[word] & ~spare[word]:
                                return LOSSY, used
                if marks[2, there] == own and (effect == CALM or (effect == TOOK and control[SATURATED])):
                    continue
                node = -1
                if swift and together:
                    node = extend(
                        arcs, starts, incoming, incoming_starts, stocks, effects, effect_starts, is_goal, there,
                        aside, marks, lists, control, own, smallest,
                    )  # fmt: skip
                    for word in range(count):  # what was found on arrival may open ways far from here
                        if aside[word] & ~words[word] & scratch[OPENERS, word]:
                            node = -1
                if node < 0:
                    _, node = complete(
                        arcs, starts, incoming, incoming_starts, gates, blocks, stocks, effects, effect_starts, rests,
                        rest_starts, is_goal, there, aside, out, marks, lists, control,
                    )  # fmt: skip
                slot = find_slot(memory, slots, aside, node)
                if slots[slot] == 0:
                    new = control[COUNT]
                    control[COUNT] += 1
                    slots[slot] = new + 1
                    for word in range(count):
                        memory[new, word] = aside[word]
                    memory[new, count + NODE], memory[new, count + PARENT] = node, current
                    memory[new, count + VIA], memory[new, count + EDGES] = arc, -1
                    memory[new, count + WINS] = 0
                    stack[control[STACKED]] = new
                    control[STACKED] += 1
                child = slots[slot] - 1
                if child != current:
                    edges[control[EDGE_COUNT]] = child
                    control[EDGE_COUNT] += 1
        memory[current, count + EDGES] = control[EDGE_COUNT] - first
        if memory[current, count + WINS] != 0:
            if control[FIRST_WIN] < 0:
                control[FIRST_WIN] = current
            if control[STOP_AT_WIN]:
                return FOUND, used
        elif control[EDGE_COUNT] == first and control[FIRST_DEAD] < 0:
            control[FIRST_DEAD] = current
    return EXHAUSTED, used


@kernel
def rank_situations(memory: Any, edges: Any, count: Any, words: Any, ranks: Any) -> None:
    """Write into `ranks` (int64) how many situations away from a winning move each one is, -1 if none can be reached.

    Sweeps backwards, since what was found later usually lies deeper, until nothing changes.
    """
    for situation in range(count):
        ranks[situation] = 0 if memory[situation, words + WINS] != 0 else -1
    changed = True
    while changed:
        changed = False
        for situation in range(count - 1, -1, -1):
            first = memory[situation, words + FIRST_EDGE]
            best = ranks[situation]
            for edge in range(first, first + memory[situation, words + EDGES]):
                there = ranks[edges[edge]]
                if there >= 0 and (best < 0 or there + 1 < best):
                    best = there + 1
            if best != ranks[situation]:
                ranks[situation] = best
                changed = True
