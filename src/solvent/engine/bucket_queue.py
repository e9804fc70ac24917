"""A queue for small whole priorities: one stack of items for each, the lowest priority first.

- `heads` is an int64 array of shape (priorities + 4,). `heads[p]` is the number of the node on top of the stack of
  priority p, 0 if the stack is empty. The last four hold: no priority below this one has items; the number of items;
  the first free node, 0 if none; how many nodes were ever used.
- `nodes` is an int64 array of shape (capacity + 1, 2): the item, and the node below it in its stack. Node 0 is unused.

Within a priority the last item in is the first out. Pushing costs constant time. Popping looks for the next stack that
holds something, which costs little as long as priorities pushed are seldom below those popped (a monotone search).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.engine.kernel import kernel

_EXTRA = 4
_LOWEST, _SIZE, _FREE, _USED = -4, -3, -2, -1

Queue = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


def new_bucket_queue(priorities: int, capacity: int) -> Queue:
    """Make an empty queue for priorities 0 to `priorities` - 1 with room for `capacity` items."""
    return np.zeros(priorities + _EXTRA, dtype=np.int64), np.zeros((capacity + 1, 2), dtype=np.int64)


def grow_bucket_queue(heads: npt.NDArray[np.int64], nodes: npt.NDArray[np.int64], priority: int) -> Queue:
    """Return a queue with the same items that has room for one more of this priority, and to spare."""
    stacks = len(heads) - _EXTRA
    if priority >= stacks:
        bigger_heads = np.zeros(2 * priority + 1 + _EXTRA, dtype=np.int64)
        bigger_heads[:stacks] = heads[:stacks]
        bigger_heads[-_EXTRA:] = heads[-_EXTRA:]
        heads = bigger_heads
    if heads[_FREE] == 0 and heads[_USED] + 1 >= len(nodes):
        bigger_nodes = np.zeros((2 * len(nodes) + 1, 2), dtype=np.int64)
        bigger_nodes[: len(nodes)] = nodes
        nodes = bigger_nodes
    return heads, nodes


@kernel
def bucket_size(heads: Any) -> Any:
    """Return the number of items."""
    return heads[_SIZE]


@kernel
def bucket_push(heads: Any, nodes: Any, priority: Any, item: Any) -> Any:
    """Put an item in; returns False, with nothing changed, if there is no room for it or for its priority."""
    node = heads[_FREE]
    if priority >= len(heads) - _EXTRA or (node == 0 and heads[_USED] + 1 >= len(nodes)):
        return False
    if node != 0:
        heads[_FREE] = nodes[node, 1]
    else:
        node = heads[_USED] + 1
        heads[_USED] = node
    nodes[node, 0], nodes[node, 1] = item, heads[priority]
    heads[priority] = node
    if heads[_SIZE] == 0 or priority < heads[_LOWEST]:
        heads[_LOWEST] = priority
    heads[_SIZE] += 1
    return True


@kernel
def bucket_pop(heads: Any, nodes: Any) -> Any:
    """Take an item of the lowest priority out and return its priority and the item; the queue must not be empty."""
    priority = heads[_LOWEST]
    while heads[priority] == 0:
        priority += 1
    heads[_LOWEST] = priority
    node = heads[priority]
    heads[priority] = nodes[node, 1]
    nodes[node, 1] = heads[_FREE]
    heads[_FREE] = node
    heads[_SIZE] -= 1
    return priority, nodes[node, 0]
