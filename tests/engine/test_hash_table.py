from __future__ import annotations

import random

import pytest

from solvent.engine.hash_table_kernel import HashTable

pytestmark = pytest.mark.modes

WORDS = [0, 1, 2, 5, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1]


def keys(draw: random.Random, count: int) -> list[tuple[int, int]]:
    """Draw keys that often repeat and often share a word."""
    return [
        (draw.choice(WORDS), draw.choice(WORDS)) if draw.random() < 0.5 else (draw.randint(0, 18), draw.getrandbits(40))
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_a_dictionary(seed):
    table = HashTable(1)
    known: dict[tuple[int, int], int] = {}
    grown = 0
    for key in keys(random.Random(seed), 1500):
        assert table.find(*key) == known.get(key, -1)
        number = table.find_or_insert(*key)
        while number == -1:
            table.grow()
            grown += 1
            number = table.find_or_insert(*key)
        assert number == known.setdefault(key, len(known))
        assert table.size == len(known)
    assert grown >= 4
    for key, number in known.items():
        assert table.find(*key) == number


def test_keeps_its_promise_of_room():
    for entries in (0, 1, 11, 12, 100, 1000):
        table = HashTable(entries)
        for number in range(entries):
            assert table.find_or_insert(0, number) == number


def test_a_full_table_still_finds_and_changes_nothing():
    table = HashTable(0)
    number = 0
    while table.find_or_insert(number, 7) != -1:
        number += 1
    assert number == 16 * 7 // 10 == table.capacity
    assert table.find_or_insert(number, 7) == -1
    assert table.find(number, 7) == -1
    assert table.size == number
    assert [table.find_or_insert(high, 7) for high in range(number)] == list(range(number))


def test_the_words_of_a_key_are_not_interchangeable():
    table = HashTable(4)
    assert table.find_or_insert(1, 2) == 0
    assert table.find_or_insert(2, 1) == 1
