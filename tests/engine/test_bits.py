from __future__ import annotations

import random

import numpy as np
import pytest

from solvent.engine.bits import lowest_bit, popcount, without_lowest_bit, write_bits


def words() -> list[int]:
    draw = random.Random(1)
    edges = [1, 2, 3, 2**62, 2**63 - 1, -1, -2, -(2**63), -(2**63) + 1]
    return edges + [draw.getrandbits(draw.randint(1, 63)) | 1 << draw.randrange(63) for _ in range(200)]


@pytest.mark.parametrize("word", words())
def test_agrees_with_python(word):
    bits = bin(word & (2**64 - 1))[:1:-1]
    positions = [place for place, bit in enumerate(bits) if bit == "1"]
    assert popcount(np.int64(word)) == len(positions)
    assert lowest_bit(np.int64(word)) == positions[0]
    rest = (word & (2**64 - 1)) ^ (1 << positions[0])
    assert int(without_lowest_bit(np.int64(word))) & (2**64 - 1) == rest
    numbers = np.full(64, -1, dtype=np.int64)
    assert write_bits(np.int64(word), numbers) == len(positions)
    assert numbers.tolist() == positions + [-1] * (64 - len(positions))


def test_the_empty_set():
    assert popcount(np.int64(0)) == 0
    assert write_bits(np.int64(0), np.zeros(64, dtype=np.int64)) == 0
