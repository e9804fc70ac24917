"""Where choices come from: random numbers that depend on a seed and a node and on nothing else.

What a node draws does not depend on which nodes were filled before it, so a region can be filled again without changing
the rest. The scrambling is that of splitmix64 (Steele, Lea and Flood, 2014). Each function for one node has a twin for
many at once that gives the same numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.engine.random import ALL_BITS, FIRST_FACTOR, SECOND_FACTOR, STEP, index_of, scramble

FOR_VARIANTS = 0x5452414E53464F52
"""Keeps the draw of a variant apart from all else that a node draws from its seed."""

Words = npt.NDArray[np.uint64]


def node_seed(seed: int, node: int) -> int:
    """Return the seed of one node, from 0 to 2**64 - 1. Seeds and nodes are whole numbers of 0 or more."""
    return scramble((scramble((seed + STEP) & ALL_BITS) + (node + 1) * STEP) & ALL_BITS)


def node_seeds(seed: int | Words, nodes: npt.NDArray[np.integer[Any]]) -> Words:
    """Return `node_seed` for each node; the seed may be one for all or one for each."""
    words = np.atleast_1d(np.asarray(seed & ALL_BITS if isinstance(seed, int) else seed, dtype=np.uint64))
    wrapped: Words = _scramble_all(words + np.uint64(STEP)) + (nodes.astype(np.uint64) + np.uint64(1)) * np.uint64(STEP)
    return _scramble_all(wrapped)


def variant(seed: int, node: int, count: int) -> int:
    """Choose one of `count` variants for a node, from 0; count is 1 to 2**32 - 1."""
    return index_of(scramble(node_seed(seed, node) ^ FOR_VARIANTS), count)


def variants(
    seed: int | Words, nodes: npt.NDArray[np.integer[Any]], counts: npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.int64]:
    """Return `variant` for each node; where the count is 0, so is the variant."""
    words = _scramble_all(node_seeds(seed, nodes) ^ np.uint64(FOR_VARIANTS)) >> np.uint64(32)
    chosen: npt.NDArray[np.int64] = ((words * counts.astype(np.uint64)) >> np.uint64(32)).astype(np.int64)
    return chosen


def _scramble_all(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(FIRST_FACTOR)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(SECOND_FACTOR)
    return words ^ (words >> np.uint64(31))
