"""Packed states, and a table that numbers them 0, 1, 2, … in the order they came.

A state is a few words of bits, as `layout` gives them out, and a place beside them: a tile, an area or a point. States
are compared in full, so two are never mistaken for each other. A kernel that keeps more about an entry has rows of its
own, indexed by the entry's number; the numbers stay when the table grows.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cython

from solvent.engine.arrays import SHORT, UNSIGNED, longer_row, new_row, new_table, row_of

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.engine.bits import popcount
    from solvent.engine.random import mix


@cython.final
@cython.cclass
class PackedState:
    """Hold the words of one state, without its place. The fields are described in `state_kernel.pxd`."""

    def __init__(self, words: Iterable[int]) -> None:
        held = tuple(words)
        self.count = len(held)
        self.words = row_of(held, UNSIGNED)

    def copy(self) -> PackedState:
        """Return a state of its own with the same words."""
        return PackedState(self.as_tuple())

    def as_tuple(self) -> tuple[int, ...]:
        """Return the words."""
        return tuple(memoryview(self.words)[: self.count])

    def become(self, other: PackedState) -> cython.void:
        """Take over the words of another."""
        for word in range(self.count):
            self.words[word] = other.words[word]

    def equals(self, other: PackedState) -> cython.bint:
        """Tell whether all words are the same."""
        for word in range(self.count):
            if self.words[word] != other.words[word]:
                return False
        return True


@cython.final
@cython.cclass
class BitRows:
    """Hold sets of bits of a state, by number. The fields are described in `state_kernel.pxd`.

    Most sets have a bit or two, of hundreds of words; so each is kept as pairs of a word and a mask.
    """

    def __init__(self, rows: Iterable[Sequence[tuple[int, int]]]) -> None:
        """Take over the sets: pairs of a word and the bits in it, at most one for each word."""
        firsts, words, masks = [0], [], []
        for row in rows:
            for word, mask in row:
                words.append(word)
                masks.append(mask)
            firsts.append(len(words))
        self.first = row_of(firsts, SHORT)
        self.word = row_of(words, SHORT)
        self.mask = row_of(masks, UNSIGNED)

    def is_empty(self, row: cython.longlong) -> cython.bint:
        """Tell whether there is no bit in a set."""
        return self.first[row] == self.first[row + 1]

    def are_set(self, row: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a state has all bits of a set."""
        for entry in range(self.first[row], self.first[row + 1]):
            if self.mask[entry] & ~state.words[self.word[entry]] != 0:
                return False
        return True

    def is_any_set(self, row: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a state has some bit of a set."""
        for entry in range(self.first[row], self.first[row + 1]):
            if self.mask[entry] & state.words[self.word[entry]] != 0:
                return True
        return False

    def add_to(self, row: cython.longlong, state: PackedState) -> cython.void:
        """Set all bits of a set in a state."""
        for entry in range(self.first[row], self.first[row + 1]):
            state.words[self.word[entry]] |= self.mask[entry]

    def clear_in(self, row: cython.longlong, state: PackedState) -> cython.void:
        """Clear all words of a state that a set has bits in."""
        for entry in range(self.first[row], self.first[row + 1]):
            state.words[self.word[entry]] = 0

    def count_unset(self, row: cython.longlong, state: PackedState) -> cython.longlong:
        """Return how many bits of a set a state does not have."""
        found: cython.longlong = 0
        for entry in range(self.first[row], self.first[row + 1]):
            found += popcount(self.mask[entry] & ~state.words[self.word[entry]])
        return found

    def pairs(self, row: int) -> list[tuple[int, int]]:
        """Return a set as it was given."""
        return [(self.word[entry], self.mask[entry]) for entry in range(self.first[row], self.first[row + 1])]


@cython.final
@cython.cclass
class StateTable:
    """Number states with their places. The fields are described in `state_kernel.pxd`."""

    def __init__(self, count: int, entries: int) -> None:
        """Make an empty table for states of `count` words, with room for this many."""
        self.count = count
        self.size = 0
        self.capacity = entries
        self.words = new_table(entries, count, UNSIGNED)
        self.places = new_row(entries, SHORT)
        slots = 64
        while slots * 7 // 10 < entries:
            slots *= 2
        self.mask = slots - 1
        self.slots = new_row(slots, SHORT)
        self.larger = new_table(1, 1, UNSIGNED)
        self.moved = -1

    @property
    def bytes(self) -> int:
        """Return the memory it takes."""
        return memoryview(self.words).nbytes + memoryview(self.places).nbytes + memoryview(self.slots).nbytes

    def grow(self, limit: cython.longlong = 1 << 60) -> bool:
        """Make room for twice as many entries, which keep their numbers; returns whether that is done.

        It ends early after about `limit` looks: call it again, and use the table for nothing else before it is done.
        """
        if self.moved < 0:
            entries = 2 * self.capacity
            slots = self.mask + 1
            while slots * 7 // 10 < entries:
                slots *= 2
            self.mask = slots - 1
            self.larger = new_table(entries, self.count, UNSIGNED)
            self.slots = new_row(slots, SHORT)
            self.moved = 0
        with cython.nogil:
            self.move(limit)
        if self.moved < self.size:
            return False
        self.capacity = 2 * self.capacity
        self.words = self.larger
        self.larger = new_table(1, 1, UNSIGNED)
        self.places = longer_row(memoryview(self.places), self.capacity)
        self.moved = -1
        return True

    def words_of(self, entry: int) -> tuple[int, ...]:
        """Return the words of an entry."""
        state = PackedState([0] * self.count)
        self.load(entry, state)
        return state.as_tuple()

    def place_of(self, entry: int) -> int:
        """Return the place of an entry."""
        return self.places[entry]

    def find(self, state: PackedState, place: cython.longlong) -> cython.longlong:
        """Return the number of a state at a place, or -1 if it is not there."""
        return self.slots[self.slot_of(state, place)] - 1

    def find_or_add(self, state: PackedState, place: cython.longlong) -> cython.longlong:
        """Return the number of a state at a place, making an entry if there is none, or -1 if there is no room.

        The entry is new if its number is what `size` was before the call.
        """
        slot = self.slot_of(state, place)
        if self.slots[slot] > 0:
            return self.slots[slot] - 1
        if self.size >= self.capacity:
            return -1
        entry = self.size
        for word in range(self.count):
            self.words[entry, word] = state.words[word]
        self.places[entry] = place
        self.size += 1
        self.slots[slot] = self.size
        return entry

    def load(self, entry: cython.longlong, state: PackedState) -> cython.void:
        """Write the words of an entry into a state."""
        for word in range(self.count):
            state.words[word] = self.words[entry, word]

    def slot_of(self, state: PackedState, place: cython.longlong) -> cython.longlong:
        """Return the slot that holds a state at a place, or the empty one where it belongs."""
        mixed: cython.ulonglong = place
        for word in range(self.count):
            mixed = mix(mixed, state.words[word])
        slot: cython.longlong = (mixed >> 1) & self.mask
        while self.slots[slot] != 0:
            entry: cython.longlong = self.slots[slot] - 1
            same: cython.bint = self.places[entry] == place
            for word in range(self.count):
                same = same and self.words[entry, word] == state.words[word]
            if same:
                return slot
            slot = (slot + 1) & self.mask
        return slot

    def move(self, limit: cython.longlong) -> cython.void:
        """Go on to move entries into the larger table, and into slots that are enough for it."""
        while self.moved < self.size and limit > 0:
            entry = self.moved
            self.moved += 1
            limit -= 1 + self.count // 4
            mixed: cython.ulonglong = self.places[entry]
            for word in range(self.count):
                self.larger[entry, word] = self.words[entry, word]
                mixed = mix(mixed, self.words[entry, word])
            slot: cython.longlong = (mixed >> 1) & self.mask
            while self.slots[slot] != 0:
                slot = (slot + 1) & self.mask
            self.slots[slot] = entry + 1
