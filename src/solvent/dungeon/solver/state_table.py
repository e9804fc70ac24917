"""A hash table of packed states with a place each: the kernels' memory of where they have been.

`rows` is int64, shape (capacity, words + columns): the words of each state, then its place, then whatever the owner
keeps. `slots` is int64, a power of two long: numbers of rows plus 1, 0 where free. Rows are compared in full, so two
states are never mistaken for each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.kernel import kernel
from solvent.engine.jit.random import STEP, scramble, wrapping_multiply


def slots_for(room: int) -> int:
    """Return how many slots a table with room for so many states needs."""
    slots = 64
    while slots * 7 // 10 < room:
        slots *= 2
    return slots


@kernel
def find_slot(rows: Any, slots: Any, words: Any, place: Any) -> Any:
    """Return the slot that holds a state, or the free one where it belongs."""
    count = len(words)
    mixed = scramble(wrapping_multiply(np.uint64(place + 1), STEP))
    for word in range(count):
        mixed = scramble(wrapping_multiply(mixed ^ np.uint64(words[word]), STEP))
    mask = len(slots) - 1
    slot = np.int64(mixed >> np.uint64(1)) & mask
    while slots[slot] != 0:
        row = slots[slot] - 1
        same = rows[row, count] == place
        for word in range(count):
            same = same and rows[row, word] == words[word]
        if same:
            return slot
        slot = (slot + 1) & mask
    return slot


@kernel
def refill_slots(rows: Any, slots: Any, used: Any, count: Any) -> None:
    """Put the first `used` states, of `count` words each, into slots that are empty and enough."""
    for row in range(used):
        slots[find_slot(rows, slots, rows[row, :count], rows[row, count])] = row + 1
