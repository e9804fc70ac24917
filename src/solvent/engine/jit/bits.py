"""Sets of up to 64 small numbers in one int64: number i is in the set if bit i is 1.

To visit the numbers of a set in rising order:

    while word != 0:
        number = lowest_bit(word)
        word = without_lowest_bit(word)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.kernel import COMPILES, kernel

if not COMPILES:  # plain numpy would warn of overflows that are meant, and Python counts bits itself

    def popcount(word: Any) -> Any:
        """Return how many bits are 1."""
        return np.int64((int(word) & 0xFFFFFFFFFFFFFFFF).bit_count())

    def lowest_bit(word: Any) -> Any:
        """Return the position of the lowest bit that is 1; the word must not be 0."""
        return np.int64((int(word) & -int(word)).bit_length() - 1)

    def without_lowest_bit(word: Any) -> Any:
        """Return the word with its lowest 1 made 0; the word must not be 0."""
        return word ^ np.int64(np.uint64(1) << np.uint64(lowest_bit(word)))

else:

    @kernel
    def popcount(word: Any) -> Any:
        """Return how many bits are 1. The compiler knows this way of counting and makes one instruction of it."""
        word = word - ((word >> 1) & 0x5555555555555555)
        word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
        word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
        return (word * 0x0101010101010101) >> 56

    @kernel
    def lowest_bit(word: Any) -> Any:
        """Return the position of the lowest bit that is 1; the word must not be 0."""
        return popcount((word & -word) - 1)

    @kernel
    def without_lowest_bit(word: Any) -> Any:
        """Return the word with its lowest 1 made 0; the word must not be 0."""
        return word & (word - 1)


@kernel
def write_bits(word: Any, numbers: Any) -> Any:
    """Write the positions of the 1 bits into `numbers` (int64, at least 64 long), rising; returns how many."""
    count = 0
    while word != 0:
        numbers[count] = lowest_bit(word)
        count += 1
        word = without_lowest_bit(word)
    return count
