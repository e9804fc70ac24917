"""Samples and distributions of a stream of any length, in little memory."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Thing = TypeVar("Thing")

DIGITS = 3
"""Numbers are counted to so many digits: 900 to a power of ten, however many there are."""
MAX_WORDS = 200
"""Different words that are kept apart; meant for a few."""
OTHERS = "others"


@dataclass(slots=True)
class Distribution:
    """Hold how often each value came: numbers rounded to three digits, words as they are."""

    numbers: Counter[float] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    largest: float = -math.inf
    smallest: float = math.inf

    def add(self, value: object) -> None:
        """Count one value; what is neither a number nor a word is passed over."""
        if isinstance(value, bool):
            self.words["yes" if value else "no"] += 1
        elif isinstance(value, int | float):
            number = _rounded(value)
            if math.isfinite(number):
                self.numbers[number] += 1
                self.largest = max(self.largest, value)
                self.smallest = min(self.smallest, value)
        elif isinstance(value, str):
            self.words[value if value in self.words or len(self.words) < MAX_WORDS else OTHERS] += 1

    @property
    def total(self) -> int:
        """Return how many values were counted."""
        return self.numbers.total() + self.words.total()

    def quantile(self, share: float) -> float:
        """Return the number that this share of all numbers does not exceed."""
        wanted = share * self.numbers.total()
        seen = 0
        for number, times in sorted(self.numbers.items()):
            seen += times
            if seen >= wanted:
                # Rounding must not make the median larger than the largest.
                return max(self.smallest, min(self.largest, number))
        return math.nan


def _rounded(value: float) -> float:
    try:
        return float(f"{value:.{DIGITS}g}")
    except OverflowError:  # a whole number beyond any float
        return math.inf


class Listing(Generic[Thing]):
    """Take things one by one, keep the first of them, and count all."""

    def __init__(self, most: int) -> None:
        self.kept: list[Thing] = []
        self.seen = 0
        self._most = most

    def add(self, thing: Thing) -> None:
        """Take one more."""
        self.seen += 1
        if len(self.kept) < self._most:
            self.kept.append(thing)

    @property
    def left_out(self) -> int:
        """Return how many are not kept."""
        return self.seen - len(self.kept)


class Largest(Generic[Thing]):
    """Take things one by one, keep those with the largest keys, and count all; of equals the first stay."""

    def __init__(self, most: int, key: Callable[[Thing], float]) -> None:
        self.seen = 0
        self._most = most
        self._key = key
        self._heap: list[tuple[float, int, Thing]] = []

    def add(self, thing: Thing) -> None:
        """Take one more."""
        # The place makes every item different, so that things themselves are never compared.
        item = (self._key(thing), -self.seen, thing)
        self.seen += 1
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, item)
        else:
            heapq.heappushpop(self._heap, item)

    @property
    def kept(self) -> list[Thing]:
        """Return those kept, the largest first."""
        return [thing for _, _, thing in sorted(self._heap, key=lambda item: item[:2], reverse=True)]


class Sample(Generic[Thing]):
    """Take things one by one and keep a bounded number of them, evenly chosen from the first to the last.

    Every one is kept at first; when there are too many, every second of them, then every fourth, and so on.
    """

    def __init__(self, most: int) -> None:
        self.kept: list[Thing] = []
        self.seen = 0
        self._most = max(1, most)
        self._step = 1

    def add(self, thing: Thing) -> None:
        """Take one more."""
        if self.seen % self._step == 0:
            if len(self.kept) == self._most:
                del self.kept[1::2]
                self._step *= 2
            if self.seen % self._step == 0:
                self.kept.append(thing)
        self.seen += 1

    def thin(self, most: int) -> None:
        """Keep no more than this, still evenly."""
        if len(self.kept) > most:
            self.kept = [self.kept[index * len(self.kept) // most] for index in range(most)]


def fair_shares(wanted: Sequence[int], most: int) -> list[int]:
    """Divide `most` among several: none gets more than it wants, and what wants little gets all of it."""
    shares = [0] * len(wanted)
    left = most
    waiting = sorted(range(len(wanted)), key=lambda place: wanted[place])
    for position, place in enumerate(waiting):
        shares[place] = min(wanted[place], left // (len(waiting) - position))
        left -= shares[place]
    return shares
