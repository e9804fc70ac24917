"""Sets of modules: as truths, and as rows of uint64 words, bit m % 64 of word m // 64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Truths = npt.NDArray[np.bool_]


def truths_of(chosen: Sequence[int] | npt.NDArray[np.integer[Any]], count: int) -> Truths:
    """Return a row of `count` truths, true for those chosen."""
    truths = np.zeros(count, dtype=np.bool_)
    truths[np.asarray(chosen, dtype=np.int64)] = True
    return truths


def pack(truths: Truths) -> Words:
    """Return rows of truths as rows of words."""
    words = max(1, (truths.shape[1] + 63) // 64)
    padded = np.zeros((len(truths), words * 64), dtype=np.bool_)
    padded[:, : truths.shape[1]] = truths
    packed: Words = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return packed


def unpack(words: Words, modules: int) -> Truths:
    """Return rows of words as rows of truths."""
    data = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(data, axis=1, count=modules, bitorder="little").view(np.bool_)
