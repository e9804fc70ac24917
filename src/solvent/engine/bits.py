"""Sets of up to 64 small numbers in one unsigned word: number i is in the set if bit i is 1.

To visit the numbers of a set in rising order:

    while word != 0:
        number = lowest_bit(word)
        word = without_lowest_bit(word)

Kernels get these functions from `bits.pxd`, inlined; this file is what runs where nothing is compiled. Words are
unsigned (`cython.ulonglong`, arrays of kind "Q"), so that Python's whole numbers and C's words mean the same set.
"""

from __future__ import annotations


def bit(number: int) -> int:
    """Return the set of this one number, 0 to 63."""
    return 1 << number


def low_bits(count: int) -> int:
    """Return the set of the numbers below `count`, which is 0 to 64."""
    return (1 << count) - 1


def popcount(word: int) -> int:
    """Return how many numbers are in the set."""
    return word.bit_count()


def lowest_bit(word: int) -> int:
    """Return the smallest number in the set, which must not be empty."""
    return (word & -word).bit_length() - 1


def without_lowest_bit(word: int) -> int:
    """Return the set without its smallest number; it must not be empty."""
    return word & (word - 1)
