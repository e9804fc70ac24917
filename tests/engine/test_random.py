"""The random numbers, as kernels draw them and as plain Python does."""

from __future__ import annotations

import pytest

from solvent.engine import primitives_kernel
from solvent.engine import random as plain

pytestmark = pytest.mark.modes

ALL_BITS = 2**64 - 1
BOTH = pytest.mark.parametrize("functions", [plain, primitives_kernel], ids=["plain", "inlined"])


def splitmix64(seed: int, count: int) -> list[int]:
    """Restate the generator with whole numbers of any size."""
    numbers = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & ALL_BITS
        word = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & ALL_BITS
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & ALL_BITS
        numbers.append(word ^ (word >> 31))
    return numbers


def draws(functions, seed: int, count: int) -> list[int]:
    return [functions.scramble(functions.after_draws(seed, turn + 1)) for turn in range(count)]


@BOTH
def test_published_numbers(functions):
    """The first numbers of splitmix64 for seed 1234567, as commonly published with its reference code."""
    assert draws(functions, 1234567, 5) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@BOTH
@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, 2**63, 2**64 - 1])
def test_agrees_with_whole_numbers_of_any_size(functions, seed):
    assert draws(functions, seed, 20) == splitmix64(seed, 20)


@BOTH
def test_indices_are_the_upper_half_of_a_product(functions):
    for bound in (1, 2, 3, 10, 1000, 2**32 - 1):
        words = splitmix64(bound, 50)
        assert [functions.index_of(word, bound) for word in words] == [(word >> 32) * bound >> 32 for word in words]


@BOTH
def test_every_index_is_about_equally_frequent(functions):
    drawn = [functions.index_of(word, 6) for word in splitmix64(5, 6000)]
    counts = [drawn.count(number) for number in range(6)]
    assert sum(counts) == 6000  # 1000 each, standard deviation 29
    assert min(counts) > 870
    assert max(counts) < 1130


@BOTH
def test_units_fill_zero_to_one(functions):
    words = splitmix64(9, 2000)
    numbers = [functions.unit_of(word) for word in words]
    assert numbers == [(word >> 11) * 2.0**-53 for word in words]
    assert 0.0 <= min(numbers) < 0.01
    assert 0.99 < max(numbers) < 1.0
    assert functions.unit_of(ALL_BITS) < 1.0


def test_hashes_are_the_same_compiled_or_not():
    for high in (0, 1, 2**63, ALL_BITS):
        for low in (0, 1, 2**32, ALL_BITS):
            assert primitives_kernel.mix(high, low) == plain.mix(high, low)
    assert plain.mix(1, 2) != plain.mix(2, 1)
