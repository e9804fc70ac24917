"""Random numbers for kernels: the same seed gives the same numbers on every machine, compiled or not.

The generator is splitmix64 (Steele, Lea and Flood, 2014). Its `state` is a uint64 array of shape (1,): a counter that
moves by a fixed odd step, which each draw then scrambles. A state is used by one search only; give each search its own
seed. Everything stays uint64, since numba turns a mix of int64 and uint64 into float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.engine.jit.kernel import COMPILES, kernel

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
SECOND_FACTOR = np.uint64(0x94D049BB133111EB)
LOW_HALF = np.uint64(0xFFFFFFFF)
ALL_BITS = 0xFFFFFFFFFFFFFFFF

_11, _27, _30, _31, _32 = (np.uint64(shift) for shift in (11, 27, 30, 31, 32))
UNIT = 2.0**-53
"""The distance between two neighbours of `random_unit`."""


if not COMPILES:  # plain numpy would warn of every overflow that is meant

    def wrapping_add(a: Any, b: Any) -> Any:
        """Add two uint64 numbers modulo 2**64."""
        return np.uint64((int(a) + int(b)) & ALL_BITS)

    def wrapping_multiply(a: Any, b: Any) -> Any:
        """Multiply two uint64 numbers modulo 2**64."""
        return np.uint64((int(a) * int(b)) & ALL_BITS)

else:

    @kernel
    def wrapping_add(a: Any, b: Any) -> Any:
        """Add two uint64 numbers modulo 2**64."""
        return a + b

    @kernel
    def wrapping_multiply(a: Any, b: Any) -> Any:
        """Multiply two uint64 numbers modulo 2**64."""
        return a * b


def new_random(seed: int) -> npt.NDArray[np.uint64]:
    """Make a state; seeds that differ modulo 2**64 give different numbers."""
    return np.array([seed & ALL_BITS], dtype=np.uint64)


@kernel
def seed_random(state: Any, seed: Any) -> None:
    """Begin again from a seed of zero or more, inside a kernel or out."""
    state[0] = np.uint64(seed)


@kernel
def scramble(word: Any) -> Any:
    """Map a uint64 to another, one to one, so that each bit of the result depends on every bit."""
    word = wrapping_multiply(word ^ (word >> _30), FIRST_FACTOR)
    word = wrapping_multiply(word ^ (word >> _27), SECOND_FACTOR)
    return word ^ (word >> _31)


@kernel
def next_random(state: Any) -> Any:
    """Draw 64 random bits as uint64."""
    state[0] = wrapping_add(state[0], STEP)
    return scramble(state[0])


@kernel
def random_below(state: Any, bound: Any) -> Any:
    """Draw a whole number from 0 to bound - 1 as int64; bound is 1 or more. No number is favoured by over 2**-63."""
    word, factor = next_random(state), np.uint64(bound)
    # The upper 64 bits of word * factor, put together from halves so that nothing overflows.
    word_high, word_low = word >> _32, word & LOW_HALF
    factor_high, factor_low = factor >> _32, factor & LOW_HALF
    middle = word_high * factor_low + ((word_low * factor_low) >> _32)
    other = word_low * factor_high + (middle & LOW_HALF)
    return np.int64(word_high * factor_high + (middle >> _32) + (other >> _32))


@kernel
def random_index(state: Any, bound: Any) -> Any:
    """Draw a whole number from 0 to bound - 1 as int64, faster than `random_below`.

    The bound is 1 to 2**32 - 1, and a number may be favoured by up to 2**-32, which no search can notice.
    """
    return np.int64(((next_random(state) >> _32) * np.uint64(bound)) >> _32)


@kernel
def random_unit(state: Any) -> Any:
    """Draw a float64 from 0 to 1, 1 excluded; every multiple of 2**-53 is equally likely."""
    return np.float64(next_random(state) >> _11) * UNIT


@kernel
def shuffle(state: Any, items: Any) -> None:
    """Put the items of a one-row array into a random order, each order equally likely."""
    for last in range(len(items) - 1, 0, -1):
        chosen = random_below(state, last + 1)
        items[last], items[chosen] = items[chosen], items[last]
