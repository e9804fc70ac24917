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
MAX_EXACT = 200
"""Different numbers that are counted as they are before they are rounded."""


@dataclass(slots=True)
class Distribution:
    """Hold how often each value came: numbers rounded to three digits, words as they are."""

    words: Counter[str] = field(default_factory=Counter)
    _largest: float = -math.inf
    _smallest: float = math.inf
    _numbers: Counter[float] = field(default_factory=Counter)
    _exact: dict[float, int] = field(default_factory=dict)
    """Numbers that came lately, as they are: the same come again and again, and rounding takes longer than counting."""

    def add(self, value: object) -> None:
        """Count one value; what is neither a number nor a word is passed over."""
        if isinstance(value, bool):
            self.words["yes" if value else "no"] += 1
        elif isinstance(value, int | float):
            self._exact[value] = self._exact.get(value, 0) + 1
            if len(self._exact) > MAX_EXACT:
                self._round_off()
        elif isinstance(value, str):
            self.words[value if value in self.words or len(self.words) < MAX_WORDS else OTHERS] += 1

    def add_many(self, rounded: float, times: int, least: float, most: float) -> None:
        """Count numbers that are the same to three digits, and lie between two."""
        self._numbers[rounded] += times
        self._largest = max(self._largest, most)
        self._smallest = min(self._smallest, least)

    @property
    def numbers(self) -> Counter[float]:
        """Return how often each number came, to three digits."""
        self._round_off()
        return self._numbers

    @property
    def largest(self) -> float:
        """Return the largest number as it was; minus infinity without any."""
        self._round_off()
        return self._largest

    @property
    def smallest(self) -> float:
        """Return the smallest number as it was; infinity without any."""
        self._round_off()
        return self._smallest

    def _round_off(self) -> None:
        for value, times in self._exact.items():
            rounded = _rounded(value)
            if math.isfinite(rounded):
                self.add_many(rounded, times, value, value)
        self._exact.clear()

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

    def replace(self, make: Callable[[Thing], Thing]) -> None:
        """Put something else in the place of each that is kept."""
        self.kept = [make(thing) for thing in self.kept]

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

    def replace(self, make: Callable[[Thing], Thing]) -> None:
        """Put something else in the place of each that is kept; keys stay as they are."""
        self._heap = [(key, place, make(thing)) for key, place, thing in self._heap]

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

    @property
    def wants_next(self) -> bool:
        """Tell whether the next one would be kept; else it may be passed over with `skip`."""
        return self.seen % self._step == 0

    def skip(self) -> None:
        """Take one more that is not kept."""
        self.seen += 1

    def replace(self, make: Callable[[Thing], Thing]) -> None:
        """Put something else in the place of each that is kept."""
        self.kept = [make(thing) for thing in self.kept]

    def step_for(self, count: int) -> int:
        """Return every how many-th is kept of so many, from the first on: a power of two."""
        step = 1
        while -(-count // step) > self._most:
            step *= 2
        return step

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
