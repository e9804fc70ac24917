"""A binary heap that gives back the smallest priority first.

Of equal priorities the smaller item comes first, so the order does not depend on when entries came.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import longer_table, new_table


@cython.final
@cython.cclass
class Heap:
    """Hold pairs of a priority and an item, both whole numbers. The fields are described in `heap_kernel.pxd`."""

    def __init__(self, capacity: int) -> None:
        self.size = 0
        self.capacity = capacity
        self.priority = 0
        self.item = 0
        self.entries = new_table(capacity + 1, 2)

    def grow(self) -> None:
        """Make twice the room."""
        self.capacity = 2 * self.capacity + 1
        self.entries = longer_table(self.memory(), self.capacity + 1)

    def memory(self) -> memoryview:
        """Return the memory of the entries."""
        return memoryview(self.entries)

    def push(self, priority: cython.longlong, item: cython.longlong) -> cython.bint:
        """Put an entry in; returns False, with nothing changed, if there is no room."""
        if self.size >= self.capacity:
            return False
        self.size += 1
        place = self.size
        while place > 1:
            parent = place >> 1
            if not (
                priority < self.entries[parent, 0]
                or (priority == self.entries[parent, 0] and item < self.entries[parent, 1])
            ):
                break
            self.entries[place, 0] = self.entries[parent, 0]
            self.entries[place, 1] = self.entries[parent, 1]
            place = parent
        self.entries[place, 0] = priority
        self.entries[place, 1] = item
        return True

    def pop(self) -> cython.void:
        """Take the first entry out, into `priority` and `item`; the heap must not be empty."""
        self.priority = self.entries[1, 0]
        self.item = self.entries[1, 1]
        priority = self.entries[self.size, 0]
        item = self.entries[self.size, 1]
        self.size -= 1
        place: cython.longlong = 1
        child: cython.longlong = 2
        while child <= self.size:
            if child < self.size and (
                self.entries[child + 1, 0] < self.entries[child, 0]
                or (
                    self.entries[child + 1, 0] == self.entries[child, 0]
                    and self.entries[child + 1, 1] < self.entries[child, 1]
                )
            ):
                child += 1
            if not (
                self.entries[child, 0] < priority
                or (self.entries[child, 0] == priority and self.entries[child, 1] < item)
            ):
                break
            self.entries[place, 0] = self.entries[child, 0]
            self.entries[place, 1] = self.entries[child, 1]
            place = child
            child = 2 * place
        self.entries[place, 0] = priority
        self.entries[place, 1] = item

    def clear(self) -> cython.void:
        """Take everything out."""
        self.size = 0
