from __future__ import annotations

import random

import numpy as np
import pytest

from solvent.engine.hash_table import ABSENT, FULL, entry_count, find, find_or_insert, grow, new_table

WORDS = [0, 1, -1, 2, 5, 2**31, 2**32, 2**63 - 1, -(2**63), -(2**32)]


def keys(draw: random.Random, count: int) -> list[tuple[int, int]]:
    """Draw keys that often repeat and often share a word."""
    return [
        (draw.choice(WORDS), draw.choice(WORDS)) if draw.random() < 0.5 else (draw.randint(-9, 9), draw.getrandbits(40))
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_a_dictionary(seed):
    draw = random.Random(seed)
    table = new_table(1)
    known: dict[tuple[int, int], int] = {}
    grown = 0
    for high, low in keys(draw, 1500):
        assert find(table, np.int64(high), np.int64(low)) == known.get((high, low), ABSENT)
        number = find_or_insert(table, np.int64(high), np.int64(low))
        while number == FULL:
            table = grow(table)
            grown += 1
            number = find_or_insert(table, np.int64(high), np.int64(low))
        assert number == known.setdefault((high, low), len(known))
        assert entry_count(table) == len(known)
    assert grown >= 4
    for (high, low), number in known.items():
        assert find(table, np.int64(high), np.int64(low)) == number


def test_keeps_its_promise_of_room():
    for entries in (0, 1, 11, 12, 100, 1000):
        table = new_table(entries)
        for number in range(entries):
            assert find_or_insert(table, np.int64(0), np.int64(number)) == number


def test_a_full_table_still_finds_and_changes_nothing():
    table = new_table(0)
    number = 0
    while find_or_insert(table, np.int64(number), np.int64(7)) != FULL:
        number += 1
    before = table.copy()
    assert number == 16 * 7 // 10
    assert find_or_insert(table, np.int64(number), np.int64(7)) == FULL
    assert find(table, np.int64(number), np.int64(7)) == ABSENT
    assert [find_or_insert(table, np.int64(high), np.int64(7)) for high in range(number)] == list(range(number))
    assert np.array_equal(table, before)


def test_the_words_of_a_key_are_not_interchangeable():
    table = new_table(4)
    assert find_or_insert(table, np.int64(1), np.int64(2)) == 0
    assert find_or_insert(table, np.int64(2), np.int64(1)) == 1
