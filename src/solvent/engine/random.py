"""Random numbers for kernels: the same seed gives the same numbers on every machine, compiled or not.

The generator is splitmix64 (Steele, Lea and Flood, 2014): a counter that moves by a fixed odd step, which each draw
then scrambles. A kernel keeps the counter in a field of its record and draws like this:

    self.random = after_draws(self.random, 1)
    place = index_of(scramble(self.random), bound)

Kernels get these functions from `random.pxd`, inlined; this file is what runs where nothing is compiled.
"""

from __future__ import annotations

ALL_BITS = 0xFFFFFFFFFFFFFFFF
STEP = 0x9E3779B97F4A7C15
FIRST_FACTOR = 0xBF58476D1CE4E5B9
SECOND_FACTOR = 0x94D049BB133111EB


def scramble(word: int) -> int:
    """Map a word of 64 bits to another, one to one, so that each bit of the result depends on every bit."""
    word = ((word ^ (word >> 30)) * FIRST_FACTOR) & ALL_BITS
    word = ((word ^ (word >> 27)) * SECOND_FACTOR) & ALL_BITS
    return word ^ (word >> 31)


def mix(high: int, low: int) -> int:
    """Scramble two words into one, for hashing."""
    return scramble(((high * STEP) & ALL_BITS) ^ low)


def after_draws(state: int, draws: int) -> int:
    """Return the state after this many draws."""
    return (state + draws * STEP) & ALL_BITS


def index_of(word: int, bound: int) -> int:
    """Return a number from 0 to bound - 1 made of a drawn word.

    The bound is 1 to 2**32 - 1, and a number may be favoured by up to 2**-32, which no search can notice.
    """
    return ((word >> 32) * bound) >> 32


def unit_of(word: int) -> float:
    """Return a float from 0 to 1, 1 excluded, made of a drawn word; every multiple of 2**-53 is equally likely."""
    return float(word >> 11) * 2.0**-53
