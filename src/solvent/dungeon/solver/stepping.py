"""One move over arrays: the kernel both searches share. See `ground` for what the arrays hold."""

from __future__ import annotations

from typing import Any

from solvent.dungeon.solver.ground import (
    AMOUNT,
    BEHIND,
    BLOCK,
    EFFECT_MASK,
    EFFECT_WORD,
    GAIN,
    GATE_1,
    GATE_3,
    KIND,
    MASK,
    NEED,
    NEED_OFF,
    NEED_ON,
    NEEDS,
    NEVER,
    PUSH,
    SHUT,
    SPEND,
    STOCK,
    STOCK_MASK,
    STOCK_SHIFT,
    STOCK_WORD,
    TARGET,
    TOGGLE,
    WHAT,
    WORD,
)
from solvent.engine.jit.bits import popcount
from solvent.engine.jit.kernel import kernel

ILLEGAL, CALM, TOOK, CHANGED = 0, 1, 2, 3
"""What a move does: it cannot be made; it changes only the position; it also takes something new; it changes gates,
switches or blocks (and may take something)."""


@kernel
def take(
    arcs: Any,
    arc: Any,
    gates: Any,
    blocks: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    rests: Any,
    rest_starts: Any,
    words: Any,
    out: Any,
) -> Any:
    """Write into `out` the words after a move from a state with `words`, and return what the move does.

    `words` and `out` are int64 arrays of one entry per word of a state, and not the same array. After ILLEGAL, `out`
    holds nothing of use.
    """
    count = len(words)
    for word in range(count):
        out[word] = words[word]
    done = CALM
    for column in range(GATE_1, GATE_3 + 1):
        gate = arcs[arc, column]
        if gate < 0:
            continue
        kind, word, mask = gates[gate, KIND], gates[gate, WORD], gates[gate, MASK]
        if kind == NEED:
            for each in range(count):
                if gates[gate, NEEDS + each] & ~out[each]:
                    return ILLEGAL
        elif kind == SPEND:
            if out[word] & mask == 0:
                stock_word, shift = gates[gate, STOCK_WORD], gates[gate, STOCK_SHIFT]
                if (out[stock_word] >> shift) & gates[gate, STOCK_MASK] == 0:
                    return ILLEGAL
                out[stock_word] -= 1 << shift
                out[word] |= mask
                done = CHANGED
        elif kind == NEED_ON:
            if out[word] & mask == 0:
                return ILLEGAL
        elif kind == NEED_OFF:
            if out[word] & mask != 0:
                return ILLEGAL
        elif kind == SHUT:
            if out[word] & mask != 0:
                return ILLEGAL
            out[word] |= mask
            done = CHANGED
        elif kind == NEVER:
            return ILLEGAL
    target = arcs[arc, TARGET]
    block = arcs[arc, BLOCK]
    if block >= 0:
        word, shift = blocks[block, 0], blocks[block, 1]
        if (out[word] >> shift) & 7 == 0:
            push = arcs[arc, PUSH]
            if push == 0 or is_rested_on(rests, rest_starts, arcs[arc, BEHIND], out):
                return ILLEGAL
            out[word] |= push << shift
            done = CHANGED
    if is_rested_on(rests, rest_starts, target, out):
        return ILLEGAL
    for effect in range(effect_starts[target], effect_starts[target + 1]):
        word, mask = effects[effect, EFFECT_WORD], effects[effect, EFFECT_MASK]
        what = effects[effect, WHAT]
        if what == TOGGLE:
            out[word] ^= mask
            done = CHANGED
        elif out[word] & mask == 0:
            out[word] |= mask
            if what == GAIN:
                add_stock(stocks, effects[effect, STOCK], effects[effect, AMOUNT], out)
            if done == CALM:
                done = TOOK
    return done


@kernel
def is_rested_on(rests: Any, rest_starts: Any, node: Any, words: Any) -> Any:
    """Tell whether a block that was pushed lies on a node."""
    for rest in range(rest_starts[node], rest_starts[node + 1]):
        if (words[rests[rest, 0]] >> rests[rest, 1]) & 7 == rests[rest, 2]:
            return True
    return False


@kernel
def add_stock(stocks: Any, stock: Any, amount: Any, words: Any) -> None:
    """Add to a resource, up to what can still be spent of it."""
    word, shift, mask = stocks[stock, 0], stocks[stock, 1], stocks[stock, 2]
    closed = 0
    for each in range(len(words)):
        closed += popcount(stocks[stock, 3 + each] & ~words[each])
    have = min((words[word] >> shift) & mask, closed) + amount
    words[word] = (words[word] & ~(mask << shift)) | (min(have, closed) << shift)
