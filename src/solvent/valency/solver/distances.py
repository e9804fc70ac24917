"""How many edges lie between nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.engine.jit.kernel import kernel

MOST_PAIRS = 40_000_000
"""More would take gigabytes, in arcs and in what is learned from them."""


def pairs_closer_than(
    start: npt.NDArray[np.int64], target: npt.NDArray[np.int32], distance: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return all pairs of different nodes with fewer edges than that between them, each in both directions."""
    nodes = len(start) - 1
    reached = np.full(nodes, -1, dtype=np.int32)
    steps = np.zeros(nodes, dtype=np.int32)
    line = np.empty(nodes, dtype=np.int32)
    nothing = np.empty(0, dtype=np.int32)
    total = _pairs(start, target, distance, MOST_PAIRS, reached, steps, line, nothing, nothing)
    if total > MOST_PAIRS:
        raise MemoryError(f"a separation of {distance} edges keeps over {MOST_PAIRS:,} pairs of nodes apart")
    first, second = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    reached[:] = -1
    _pairs(start, target, distance, MOST_PAIRS, reached, steps, line, first, second)
    return first, second


@kernel
def _pairs(
    start: Any, target: Any, distance: Any, most: Any, reached: Any, steps: Any, line: Any, first: Any, second: Any
) -> Any:
    """Count the pairs, up to a little over `most`, and write them down if there is room.

    `start`, `target`: the arcs of each node. `reached`: the last node from which each node was reached, -1 at first.
    `steps`: its distance from there. `line`: the nodes reached, in order. All have one entry per node.
    """
    found = 0
    for origin in range(len(start) - 1):
        if found > most:
            break
        line[0], reached[origin], steps[origin] = origin, origin, 0
        done, filled = 0, 1
        while done < filled:
            node = line[done]
            done += 1
            if done > 1:
                if found < len(first):
                    first[found], second[found] = origin, node
                found += 1
            if steps[node] + 1 >= distance:
                continue
            for arc in range(start[node], start[node + 1]):
                other = target[arc]
                if reached[other] != origin:
                    reached[other] = origin
                    steps[other] = steps[node] + 1
                    line[filled] = other
                    filled += 1
    return found
