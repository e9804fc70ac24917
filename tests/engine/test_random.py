from __future__ import annotations

import numpy as np
import pytest

from solvent.engine.random import (
    new_random,
    next_random,
    random_below,
    random_index,
    random_unit,
    seed_random,
    shuffle,
)

ALL_BITS = 2**64 - 1


def splitmix64(seed: int, count: int) -> list[int]:
    """Restate the generator with whole numbers of any size."""
    numbers = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & ALL_BITS
        word = ((seed ^ (seed >> 30)) * 0xBF58476D1CE4E5B9) & ALL_BITS
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & ALL_BITS
        numbers.append(word ^ (word >> 31))
    return numbers


def test_published_numbers():
    """The first numbers of splitmix64 for seed 1234567, as commonly published with its reference code."""
    state = new_random(1234567)
    assert [int(next_random(state)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1, 2**63, 2**64 - 1, -1, 2**64 + 5])
def test_agrees_with_whole_numbers_of_any_size(seed):
    state = new_random(seed)
    assert [int(next_random(state)) for _ in range(20)] == splitmix64(seed & ALL_BITS, 20)


def test_numbers_below_a_bound_are_the_upper_half_of_a_product():
    for bound in (1, 2, 3, 10, 1000, 2**31, 2**32 + 1, 2**62, 2**63 - 1):
        state = new_random(bound)
        expected = [word * bound >> 64 for word in splitmix64(bound, 50)]
        assert [int(random_below(state, np.int64(bound))) for _ in range(50)] == expected


def test_indices_are_the_upper_half_of_a_smaller_product():
    for bound in (1, 2, 3, 10, 1000, 2**32 - 1):
        state = new_random(bound)
        expected = [(word >> 32) * bound >> 32 for word in splitmix64(bound, 50)]
        assert [int(random_index(state, np.int64(bound))) for _ in range(50)] == expected


def test_every_number_below_a_bound_is_about_equally_frequent():
    state = new_random(5)
    counts = np.bincount([random_below(state, np.int64(6)) for _ in range(6000)], minlength=6)
    # 1000 each, standard deviation 29
    assert counts.min() > 870
    assert counts.max() < 1130


def test_units_fill_zero_to_one():
    state = new_random(9)
    numbers = [float(random_unit(state)) for _ in range(2000)]
    assert numbers[:5] == [(word >> 11) * 2.0**-53 for word in splitmix64(9, 5)]
    assert 0.0 <= min(numbers) < 0.01
    assert 0.99 < max(numbers) < 1.0


def test_shuffling_reaches_every_order():
    state = new_random(3)
    seen = {}
    for _ in range(1200):
        items = np.arange(3)
        shuffle(state, items)
        seen[tuple(items.tolist())] = seen.get(tuple(items.tolist()), 0) + 1
    assert len(seen) == 6
    assert min(seen.values()) > 140  # 200 each, standard deviation 13


def test_seeding_begins_again():
    state = new_random(0)
    first = [int(next_random(state)) for _ in range(3)]
    seed_random(state, 0)
    assert [int(next_random(state)) for _ in range(3)] == first
    seed_random(state, 17)
    assert state.tolist() == new_random(17).tolist()
