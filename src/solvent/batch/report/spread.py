"""Count values one by one in little memory, and say afterwards how they are spread."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

DIGITS = 3
"""Numbers are counted to so many digits: 900 to a power of ten, however many there are."""
MAX_WORDS = 200
"""Different words that are kept apart; a count of words is meant for a few."""
OTHERS = "others"


@dataclass(slots=True)
class Spread:
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
