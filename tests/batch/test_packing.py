"""What is packed is what zlib reads, however short."""

from __future__ import annotations

import random
import zlib

import pytest

from solvent.batch.records import SMALLEST_TO_COMPRESS, pack, unpack


@pytest.mark.parametrize("length", [0, 1, 100, SMALLEST_TO_COMPRESS - 1, SMALLEST_TO_COMPRESS, 5_000])
def test_what_is_packed_is_given_back(length: int) -> None:
    text = random.Random(length).randbytes(length)
    assert unpack(pack(text)) == zlib.decompress(pack(text)) == text
    assert pack(text) == pack(bytes(bytearray(text)))


def test_long_texts_shrink_and_short_ones_hardly_grow() -> None:
    assert len(pack(b"ab" * 1_000)) < 100
    assert len(pack(b"ab" * 10)) == 31


@pytest.mark.parametrize("length", [1, SMALLEST_TO_COMPRESS - 1, SMALLEST_TO_COMPRESS])
def test_a_byte_that_was_changed_is_found(length: int) -> None:
    text = random.Random(length).randbytes(length)
    packed = pack(text)
    for place in range(len(packed)):
        for bit in range(8):
            changed = bytearray(packed)
            changed[place] ^= 1 << bit
            try:
                found = unpack(bytes(changed))
            except zlib.error:
                continue
            assert found == text  # such as a bit that only says how hard zlib tried
