"""Sort long rows a piece at a time, so that whoever waits can be asked in between."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import new_row

DIGIT_BITS = cython.declare(cython.longlong, 8)
DIGITS = cython.declare(cython.longlong, 256)
"""How many different digits there are: keys are sorted by one digit after the other, the last first."""
FINDING = cython.declare(cython.longlong, 0)
COUNTING = cython.declare(cython.longlong, 1)
MOVING = cython.declare(cython.longlong, 2)


@cython.final
@cython.cclass
class DigitSort:
    """Sort keys with their places, equal ones staying as they stand: by one digit after the other.

    Digits in which no two keys differ are passed over. Work can stop anywhere and go on in the next call.
    """

    count: cython.longlong
    """How many keys there are."""
    keys: cython.ulonglong[::1]
    """Shape (count): the keys, as far as they are sorted."""
    places: cython.int[::1]
    """Shape (count): where each of them stood at first."""
    sorted_keys: cython.ulonglong[::1]
    """Shape (count): where the keys go."""
    sorted_places: cython.int[::1]
    """Shape (count): where their places go."""
    varying: cython.ulonglong
    """The bits in which keys differ."""
    shift: cython.longlong
    """Where in a key the digit at hand begins, in bits."""
    stage: cython.longlong
    """What is being done: finding varying bits, counting digits, or moving keys."""
    at: cython.longlong
    """How far that is."""
    next: cython.longlong[::1]
    """Shape (DIGITS): where the next key with each digit goes; before that, how many have it."""
    swapped: cython.bint
    """Whether the rows have changed parts an odd number of times."""

    def __init__(self, keys: memoryview, places: memoryview, spare_keys: memoryview, spare_places: memoryview) -> None:
        """Take four rows of one length; the places must be 0, 1, 2 and so on."""
        self.count = len(keys)
        self.keys = keys
        self.places = places
        self.sorted_keys = spare_keys
        self.sorted_places = spare_places
        self.varying = 0
        self.shift = -DIGIT_BITS
        self.stage = FINDING
        self.at = 0
        self.next = new_row(DIGITS)
        self.swapped = False

    def run(self, limit: cython.longlong) -> bool:
        """Look at up to `limit` keys; returns whether all is sorted."""
        if self.at == self.count and not self.begin_stage():
            return True
        end: cython.longlong = self.at + limit
        if end > self.count:
            end = self.count
        with cython.nogil:
            if self.stage == FINDING:
                self.find_varying(end)
            elif self.stage == COUNTING:
                self.count_digits(end)
            else:
                self.move(end)
        return False

    def is_swapped(self) -> bool:
        """Tell whether the result stands in the spare rows."""
        return self.swapped

    @cython.cfunc
    def begin_stage(self) -> cython.bint:
        """Go over to what comes next; returns False if nothing does."""
        if self.stage == COUNTING:
            self.find_starts()
            self.stage = MOVING
            self.at = 0
            return True
        if self.stage == MOVING:
            self.keys, self.sorted_keys = self.sorted_keys, self.keys
            self.places, self.sorted_places = self.sorted_places, self.places
            self.swapped = not self.swapped
        self.stage = COUNTING
        self.shift += DIGIT_BITS
        while self.shift < 64 and (self.varying >> self.shift) & (DIGITS - 1) == 0:
            self.shift += DIGIT_BITS
        if self.shift >= 64:
            self.stage = FINDING
            self.varying = 0
            return False
        digit: cython.longlong
        for digit in range(DIGITS):
            self.next[digit] = 0
        self.at = 0
        return True

    @cython.cfunc
    def find_starts(self) -> cython.void:
        """Make where the keys of each digit begin out of how many there are."""
        digit: cython.longlong
        total: cython.longlong = 0
        for digit in range(DIGITS):
            held: cython.longlong = self.next[digit]
            self.next[digit] = total
            total += held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find_varying(self, end: cython.longlong) -> cython.void:
        """Find in which bits keys differ from the first."""
        while self.at < end:
            self.varying |= self.keys[self.at] ^ self.keys[0]
            self.at += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count_digits(self, end: cython.longlong) -> cython.void:
        """Count how many keys have each digit."""
        while self.at < end:
            self.next[(self.keys[self.at] >> self.shift) & (DIGITS - 1)] += 1
            self.at += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def move(self, end: cython.longlong) -> cython.void:
        """Put keys in the order of the digit at hand."""
        while self.at < end:
            digit: cython.longlong = (self.keys[self.at] >> self.shift) & (DIGITS - 1)
            place: cython.longlong = self.next[digit]
            self.next[digit] = place + 1
            self.sorted_keys[place] = self.keys[self.at]
            self.sorted_places[place] = self.places[self.at]
            self.at += 1
