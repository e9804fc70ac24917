"""Bit sets, as kernels use them and as plain Python does."""

from __future__ import annotations

import random

import pytest

from solvent.engine import bits, primitives_kernel

pytestmark = pytest.mark.modes

BOTH = pytest.mark.parametrize("functions", [bits, primitives_kernel], ids=["plain", "inlined"])


def words() -> list[int]:
    draw = random.Random(1)
    edges = [1, 2, 3, 2**62, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1]
    return edges + [draw.getrandbits(draw.randint(1, 63)) | 1 << draw.randrange(64) for _ in range(200)]


@BOTH
def test_agrees_with_counting(functions):
    for word in words():
        positions = [place for place, digit in enumerate(bin(word)[:1:-1]) if digit == "1"]
        assert functions.popcount(word) == len(positions)
        assert functions.lowest_bit(word) == positions[0]
        assert functions.without_lowest_bit(word) == word ^ (1 << positions[0])
    assert functions.popcount(0) == 0


@BOTH
def test_makes_sets(functions):
    assert [functions.bit(number) for number in range(64)] == [2**number for number in range(64)]
    assert [functions.low_bits(count) for count in range(65)] == [2**count - 1 for count in range(65)]
