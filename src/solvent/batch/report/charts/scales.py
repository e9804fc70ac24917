"""Scales: where on an axis a value stands, and which values the axis names."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SMALLEST_SECONDS = 1e-4
"""What is quicker stands at the edge: below a tenth of a millisecond it is the clock that is measured."""
MAX_TICKS = 7
TINY = 1e-200
"""What is nearer to zero is drawn as zero: its ratio to other numbers is beyond what floats can hold."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Map values from `low` to `high` to 0 to 1, evenly or by their logarithm."""

    low: float
    high: float
    logarithmic: bool
    ticks: tuple[float, ...]
    """The values that the axis names."""

    def place(self, value: float) -> float:
        """Return where a value stands, held within the axis."""
        value = min(self.high, max(self.low, value))
        if self.logarithmic:
            return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)

    def value(self, place: float) -> float:
        """Return the value that stands at a place from 0 to 1."""
        if self.logarithmic:
            return float(self.low ** (1 - place) * self.high**place)
        return self.low + (self.high - self.low) * place


def logarithmic(values: Iterable[float], *, smallest: float) -> Scale:
    """Make a scale of powers of ten around all values, of which those below `smallest` count as that."""
    clipped = [max(smallest, value) for value in values] or [smallest]
    first = math.floor(math.log10(min(clipped)) + 1e-9)
    last = max(first + 1, math.ceil(math.log10(max(clipped)) - 1e-9))
    low, high = 10.0**first, 10.0 ** min(last, sys.float_info.max_10_exp)
    decades = last - first
    if decades == 1:
        ticks = [low * factor for factor in (1, 2, 5, 10)]
    elif decades == 2:
        ticks = [low * factor for factor in (1, 3, 10, 30, 100)]
    else:
        step = math.ceil(decades / MAX_TICKS)
        ticks = [low * 10.0**power for power in range(0, decades + 1, step)]
    return Scale(low, high, True, tuple(ticks))


def tight_logarithmic(values: Iterable[float], *, smallest: float) -> Scale:
    """Make a logarithmic scale that leaves only a little room around the values: for sizes, which are often alike."""
    clipped = [max(smallest, value) for value in values] or [smallest]
    low, high = min(clipped) / 1.15, max(clipped) * 1.15
    if high < low * 2:
        low, high = low / 1.3, high * 1.3
    return Scale(low, high, True, _round_values_between(low, high))


def _round_values_between(low: float, high: float) -> tuple[float, ...]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found: Sequence[float] = ()
    for factors in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)):
        found = [factor * 10.0**power for power in powers for factor in factors]
        found = [value for value in found if low <= value <= high]
        if len(found) >= 3:
            break
    step = math.ceil(len(found) / MAX_TICKS) if found else 1
    return tuple(found[::step])


def linear(low: float, high: float, *, whole: bool = False) -> Scale:
    """Make an even scale from zero or just below the lowest to just above the highest value, in round steps."""
    if low >= 0 and low < high * 0.6:
        low = 0.0
    if high - low <= TINY:
        high = low + 1
    step = _round_step((high - low) / 4, whole=whole)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(number * step, 12) for number in range(first, last + 1))
    return Scale(first * step, last * step, False, ticks)


def _round_step(rough: float, *, whole: bool) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    return max(1.0, step) if whole else step
