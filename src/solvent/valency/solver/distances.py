"""How many edges lie between nodes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.valency.solver.distances_kernel import NearPairs

MAX_PAIRS = 40_000_000
"""More would take gigabytes, in arcs and in what is learned from them."""


def pairs_closer_than(
    start: npt.NDArray[np.int64], target: npt.NDArray[np.int32], distance: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return all pairs of different nodes with fewer edges than that between them, each in both directions."""
    pairs = NearPairs(start.data, target.data)
    total = pairs.count(distance, MAX_PAIRS)
    if total > MAX_PAIRS:
        raise MemoryError(f"a separation of {distance} edges keeps over {MAX_PAIRS:,} pairs of nodes apart")
    first, second = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    pairs.write(distance, first.data, second.data)
    return first, second
