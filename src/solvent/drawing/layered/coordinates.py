"""Say how far across each item of a layered graph stands, so that edges run straight where they can.

This is the method of Brandes and Köpf (2002): items are joined into blocks that stand straight below each other, once
for each of the four corners from which one can begin, and each item takes the middle of the four places it gets. Long
edges go first, so that they bend at their ends only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

from solvent.drawing.layered.stack import Stack

Separation = Callable[[int, int], float]
"""The least distance between the middles of two items that stand beside each other."""


def place_across(stack: Stack, separation: Separation) -> list[float]:
    """Return where the middle of each item stands; in every layer items keep their order and their distance."""
    conflicts = _find_conflicts(stack)
    found: list[list[float]] = []
    for downwards in (True, False):
        layers = stack.layers if downwards else stack.layers[::-1]
        near = stack.above if downwards else stack.below
        for leftwards in (True, False):
            turned = [layer if leftwards else layer[::-1] for layer in layers]
            root = _align(turned, near, conflicts, len(stack.layer_of))
            across = _compact(turned, root, separation if leftwards else lambda one, other: separation(other, one))
            found.append(across if leftwards else [-x for x in across])
    return _balance(found)


def _find_conflicts(stack: Stack) -> set[tuple[int, int]]:
    """Return the pieces of edges that cross a piece between two bends; those between bends shall run straight."""
    conflicts: set[tuple[int, int]] = set()
    nodes = stack.nodes
    for upper, lower in zip(stack.layers, stack.layers[1:], strict=False):
        place = {item: index for index, item in enumerate(upper)}
        first, scanned = 0, 0
        for index, item in enumerate(lower):
            inner = next((other for other in stack.above[item] if item >= nodes and other >= nodes), None)
            if inner is None and index + 1 < len(lower):
                continue
            last = len(upper) - 1 if inner is None else place[inner]
            while scanned <= index:
                end = lower[scanned]
                for other in stack.above[end]:
                    outside = place[other] < first or place[other] > last
                    if outside and not (end >= nodes and other >= nodes):
                        conflicts.add((other, end))
                scanned += 1
            first = last
    return conflicts


def _align(
    layers: Sequence[Sequence[int]], near: Sequence[Sequence[int]], conflicts: set[tuple[int, int]], count: int
) -> list[int]:
    """Join each item to the middle one of its neighbours in the layer before; return the first item of its block."""
    root = list(range(count))
    align = list(range(count))
    place = [0] * count
    for layer in layers:
        for index, item in enumerate(layer):
            place[item] = index
    for layer in layers:
        last = -1
        for item in layer:
            others = sorted(near[item], key=lambda other: place[other])
            if not others:
                continue
            middle = (len(others) - 1) / 2
            for index in dict.fromkeys((int(middle), int(middle + 0.5))):
                other = others[index]
                free = (other, item) not in conflicts and (item, other) not in conflicts
                if align[item] == item and last < place[other] and free:
                    align[other] = item
                    root[item] = root[other]
                    align[item] = root[item]
                    last = place[other]
    return root


def _compact(layers: Sequence[Sequence[int]], root: Sequence[int], separation: Separation) -> list[float]:
    """Push the blocks as far left as they go, then those with room on their right towards it."""
    after: dict[int, dict[int, float]] = defaultdict(dict)
    before: dict[int, dict[int, float]] = defaultdict(dict)
    blocks: dict[int, None] = {}
    for layer in layers:
        for item in layer:
            blocks[root[item]] = None
        for one, other in pairwise(layer):
            left, right = root[one], root[other]
            apart = max(separation(one, other), after[left].get(right, 0.0))
            after[left][right] = before[right][left] = apart
    order = _sorted_blocks(list(blocks), before, after)
    across: dict[int, float] = {}
    for block in order:
        across[block] = max((across[other] + apart for other, apart in before[block].items()), default=0.0)
    for block in reversed(order):
        if after[block]:
            across[block] = max(across[block], min(across[other] - apart for other, apart in after[block].items()))
    return [across[block] for block in root]


def _sorted_blocks(
    blocks: Sequence[int], before: dict[int, dict[int, float]], after: dict[int, dict[int, float]]
) -> list[int]:
    """Return the blocks so that those to the left of another come before it."""
    missing = {block: len(before[block]) for block in blocks}
    order = [block for block in blocks if not missing[block]]
    for block in order:  # grows while it is walked through
        for other in after[block]:
            missing[other] -= 1
            if not missing[other]:
                order.append(other)
    return order


def _balance(found: Sequence[list[float]]) -> list[float]:
    """Shift the four layouts onto the narrowest of them, and return the mean of the two middle places of each item."""
    if not found[0]:
        return []
    narrowest = min(found, key=lambda across: max(across) - min(across))
    left, right = min(narrowest), max(narrowest)
    for number, across in enumerate(found):
        shift = left - min(across) if number % 2 == 0 else right - max(across)
        for item in range(len(across)):
            across[item] += shift
    middles = []
    for places in zip(*found, strict=True):
        ordered = sorted(places)
        middles.append((ordered[1] + ordered[2]) / 2)
    return middles
