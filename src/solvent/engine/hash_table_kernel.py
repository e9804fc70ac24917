"""A table of exact two-word keys that numbers its entries 0, 1, 2, … in the order they came.

Keys are compared in full, so two keys are never mistaken for each other. A map keeps its values in arrays of its own,
indexed by entry number; the numbers stay when the table grows. An entry cannot be removed.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import UNSIGNED, new_row, new_table

if cython.compiled:
    from cython.cimports.solvent.engine.random import mix
else:
    from solvent.engine.random import mix


@cython.final
@cython.cclass
class HashTable:
    """Number keys of 128 bits. The fields are described in `hash_table_kernel.pxd`."""

    def __init__(self, entries: int) -> None:
        """Make an empty table with room for at least this many entries."""
        slots = 16
        while slots * 7 // 10 < entries:
            slots *= 2
        self.size = 0
        self._lay_out(slots)

    def _lay_out(self, slots: int) -> None:
        self.capacity = slots * 7 // 10
        self.mask = slots - 1
        self.keys = new_table(slots, 2, UNSIGNED)
        self.numbers = new_row(slots)

    def grow(self) -> None:
        """Make room for twice as many entries, which keep their numbers."""
        slots = self.mask + 1
        keys, numbers = self.keys, self.numbers
        self._lay_out(2 * slots)
        for slot in range(slots):
            if numbers[slot] != 0:
                free = self.slot_of(keys[slot, 0], keys[slot, 1])
                self.keys[free, 0] = keys[slot, 0]
                self.keys[free, 1] = keys[slot, 1]
                self.numbers[free] = numbers[slot]

    def find(self, high: cython.ulonglong, low: cython.ulonglong) -> cython.longlong:
        """Return the number of the entry with this key, or -1 if there is none."""
        return self.numbers[self.slot_of(high, low)] - 1

    def find_or_insert(self, high: cython.ulonglong, low: cython.ulonglong) -> cython.longlong:
        """Return the number of the entry with this key, making one if there is none, or -1 if there is no room.

        The entry is new if its number is what `size` was before the call. After -1 nothing has changed: `grow` the
        table between two calls of the kernel and ask again.
        """
        slot = self.slot_of(high, low)
        if self.numbers[slot] > 0:
            return self.numbers[slot] - 1
        if self.size >= self.capacity:
            return -1
        self.keys[slot, 0] = high
        self.keys[slot, 1] = low
        self.size += 1
        self.numbers[slot] = self.size
        return self.size - 1

    def slot_of(self, high: cython.ulonglong, low: cython.ulonglong) -> cython.longlong:
        """Return the slot that holds the key, or the empty one where it belongs."""
        slot: cython.longlong = (mix(high, low) >> 1) & self.mask
        while self.numbers[slot] != 0 and (self.keys[slot, 0] != high or self.keys[slot, 1] != low):
            slot = (slot + 1) & self.mask
        return slot
