"""Let Python call what kernels get inlined, so that tests can hold the compiled functions against the plain ones."""

# mypy: ignore-errors

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine import bits, random
else:
    from solvent.engine import bits, random


def bit(number: cython.longlong) -> int:
    """Call `bits.bit`."""
    return bits.bit(number)


def low_bits(count: cython.longlong) -> int:
    """Call `bits.low_bits`."""
    return bits.low_bits(count)


def popcount(word: cython.ulonglong) -> int:
    """Call `bits.popcount`."""
    return bits.popcount(word)


def lowest_bit(word: cython.ulonglong) -> int:
    """Call `bits.lowest_bit`."""
    return bits.lowest_bit(word)


def without_lowest_bit(word: cython.ulonglong) -> int:
    """Call `bits.without_lowest_bit`."""
    return bits.without_lowest_bit(word)


def scramble(word: cython.ulonglong) -> int:
    """Call `random.scramble`."""
    return random.scramble(word)


def mix(high: cython.ulonglong, low: cython.ulonglong) -> int:
    """Call `random.mix`."""
    return random.mix(high, low)


def after_draws(state: cython.ulonglong, draws: cython.ulonglong) -> int:
    """Call `random.after_draws`."""
    return random.after_draws(state, draws)


def index_of(word: cython.ulonglong, bound: cython.longlong) -> int:
    """Call `random.index_of`."""
    return random.index_of(word, bound)


def unit_of(word: cython.ulonglong) -> float:
    """Call `random.unit_of`."""
    return random.unit_of(word)
