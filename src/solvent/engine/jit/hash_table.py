"""A table of exact two-word keys that numbers its entries 0, 1, 2, … in the order they came.

`table` is an int64 array of shape (slots + 1, 3), slots a power of two:
- `table[slot, 0]` and `table[slot, 1]` are the high and low word of the key in that slot, any 128 bits;
- `table[slot, 2]` is the entry's number plus 1, or 0 while the slot is empty;
- `table[slots, 0]` is the number of entries; the rest of the last row is unused.

Keys are compared in full, so two keys are never mistaken for each other. A map keeps its values in arrays of its own,
indexed by entry number; the numbers stay when the table grows. An entry cannot be removed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.engine.jit.kernel import kernel
from solvent.engine.jit.random import STEP, scramble, wrapping_multiply

FULL = -1
ABSENT = -1


def new_table(entries: int) -> npt.NDArray[np.int64]:
    """Make an empty table with room for at least this many entries."""
    slots = 16
    while slots * 7 // 10 < entries:
        slots *= 2
    return np.zeros((slots + 1, 3), dtype=np.int64)


def grow(table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return a table twice the size with the same entries under the same numbers."""
    bigger = np.zeros(((len(table) - 1) * 2 + 1, 3), dtype=np.int64)
    _copy_entries(table, bigger)
    return bigger


@kernel
def entry_count(table: Any) -> Any:
    """Return how many entries the table holds; the next new one gets this number."""
    return table[len(table) - 1, 0]


@kernel
def find(table: Any, high: Any, low: Any) -> Any:
    """Return the number of the entry with this key, or ABSENT (-1)."""
    return table[_slot_of(table, high, low), 2] - 1


@kernel
def find_or_insert(table: Any, high: Any, low: Any) -> Any:
    """Return the number of the entry with this key, making one if there is none, or FULL (-1) if there is no room.

    The entry is new if its number is what `entry_count` was before the call. After FULL nothing has changed: `grow` the
    table outside the kernel and ask again.
    """
    slot = _slot_of(table, high, low)
    if table[slot, 2] > 0:
        return table[slot, 2] - 1
    slots = len(table) - 1
    number = table[slots, 0]
    if number >= slots * 7 // 10:
        return np.int64(FULL)
    table[slot, 0], table[slot, 1], table[slot, 2] = high, low, number + 1
    table[slots, 0] = number + 1
    return number


@kernel
def _slot_of(table: Any, high: Any, low: Any) -> Any:
    """Return the slot that holds the key, or the empty one where it belongs. At most 7 in 10 slots are ever filled."""
    mask = len(table) - 2
    mixed = scramble(wrapping_multiply(_bits(high), STEP) ^ _bits(low))
    slot = np.int64(mixed >> np.uint64(1)) & mask
    while table[slot, 2] != 0 and (table[slot, 0] != high or table[slot, 1] != low):
        slot = (slot + 1) & mask
    return slot


@kernel
def _bits(word: Any) -> Any:
    """Read the 64 bits of an int64 as uint64. Halves, since plain numpy refuses to convert a negative number."""
    upper = np.uint64((word >> 32) & 0xFFFFFFFF)
    return (upper << np.uint64(32)) | np.uint64(word & 0xFFFFFFFF)


@kernel
def _copy_entries(table: Any, bigger: Any) -> None:
    for slot in range(len(table) - 1):
        if table[slot, 2] != 0:
            free = _slot_of(bigger, table[slot, 0], table[slot, 1])
            bigger[free, 0], bigger[free, 1], bigger[free, 2] = table[slot, 0], table[slot, 1], table[slot, 2]
    bigger[len(bigger) - 1, 0] = table[len(table) - 1, 0]
