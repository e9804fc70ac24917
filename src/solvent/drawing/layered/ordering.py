"""Order the items of each layer so that few edges cross.

Sweeps down and up sort each layer by where the neighbours of its items stand; between them, neighbours in a layer
change places wherever that saves a crossing. The best order that was seen is kept.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence

from solvent.drawing.layered.stack import Stack

MAX_FUTILE = 5
"""Sweeps without a gain after which to stop."""
_SWEEPS = 30
_EXCHANGES = 8
"""Rounds of exchanges after each sweep."""
MANY = 1500
"""Items from which on sweeps are few, so that a huge graph takes a second."""
HUGE_WORK = 60_000
"""Items and edges to go over in all sweeps of a huge graph: beyond that, crossings no longer tell in a picture."""


def reduce_crossings(stack: Stack) -> int:
    """Order the layers in place, and return how many crossings are left."""
    _begin_by_depth(stack)
    sweeps, rounds = _effort(stack)
    positions = _positions(stack)
    _exchange(stack, positions, rounds)
    best = count_crossings(stack)
    kept = [list(layer) for layer in stack.layers]
    futile = 0
    for sweep in range(sweeps):
        if best == 0 or futile >= MAX_FUTILE:
            break
        _sweep(stack, positions, downwards=sweep % 2 == 0, by_median=sweep // 2 % 2 == 1, ties_turned=sweep % 4 >= 2)
        _exchange(stack, positions, rounds)
        crossings = count_crossings(stack)
        futile += 1
        if crossings < best:
            best, futile = crossings, 0
            kept = [list(layer) for layer in stack.layers]
    stack.layers[:] = kept
    return best


def _effort(stack: Stack) -> tuple[int, int]:
    """Return how many sweeps to make at most, and how many rounds of exchanges after each."""
    size = len(stack.layer_of) + sum(map(len, stack.below))
    if len(stack.layer_of) <= MANY:
        return _SWEEPS, _EXCHANGES
    return min(8, 4 * HUGE_WORK // size), min(3, HUGE_WORK // size)


def count_crossings(stack: Stack) -> int:
    """Count the pairs of edges that cross between two layers."""
    total = 0
    for upper, lower in zip(stack.layers, stack.layers[1:], strict=False):
        place = {item: index for index, item in enumerate(lower)}
        seen: list[int] = []
        for item in upper:
            ends = sorted(place[other] for other in stack.below[item])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total


def _begin_by_depth(stack: Stack) -> None:
    """Order the layers by when a walk as deep as possible meets their items: a tree has no crossings then."""
    met: dict[int, int] = {}
    for root in [item for layer in stack.layers for item in layer]:
        waiting = [root]
        while waiting:
            item = waiting.pop()
            if item in met:
                continue
            met[item] = len(met)
            waiting.extend(reversed(stack.below[item]))
    for layer in stack.layers:
        layer.sort(key=lambda item: met[item])


def _positions(stack: Stack) -> list[int]:
    positions = [0] * len(stack.layer_of)
    for layer in stack.layers:
        for index, item in enumerate(layer):
            positions[item] = index
    return positions


def _sweep(stack: Stack, positions: list[int], *, downwards: bool, by_median: bool, ties_turned: bool) -> None:
    near = stack.above if downwards else stack.below
    layers = stack.layers[1:] if downwards else stack.layers[-2::-1]
    for layer in layers:
        if ties_turned:
            layer.reverse()
        wanted = {}
        for index, item in enumerate(layer):
            ends = sorted(positions[other] for other in near[item])
            if not ends:
                wanted[item] = float(positions[item])
            elif by_median:
                middle = len(ends) // 2
                wanted[item] = ends[middle] if len(ends) % 2 else (ends[middle - 1] + ends[middle]) / 2
            else:
                wanted[item] = sum(ends) / len(ends)
            positions[item] = index
        layer.sort(key=lambda item: wanted[item])
        for index, item in enumerate(layer):
            positions[item] = index


def _exchange(stack: Stack, positions: list[int], rounds: int) -> None:
    """Let neighbours change places where that saves a crossing, until it does not any more."""
    above = [sorted(positions[other] for other in others) for others in stack.above]
    below = [sorted(positions[other] for other in others) for others in stack.below]
    active = set(range(len(stack.layers)))
    for _ in range(rounds):
        changed: set[int] = set()
        for number in sorted(active):
            layer = stack.layers[number]
            for index in range(len(layer) - 1):
                left, right = layer[index], layer[index + 1]
                gain = _gain(above[left], above[right]) + _gain(below[left], below[right])
                if gain > 0:
                    layer[index], layer[index + 1] = right, left
                    positions[left], positions[right] = index + 1, index
                    changed.add(number)
            if number in changed:
                for near, others in ((stack.below, above), (stack.above, below)):
                    for item in layer:
                        for other in near[item]:
                            mine = stack.above if near is stack.below else stack.below
                            others[other] = sorted(positions[end] for end in mine[other])
        if not changed:
            return
        active = {near for number in changed for near in (number - 1, number, number + 1)}
        active &= set(range(len(stack.layers)))


def _gain(left: Sequence[int], right: Sequence[int]) -> int:
    """Return how many crossings fewer two items have if they change places; their ends are sorted."""
    now = then = 0
    for end in left:
        before = bisect_left(right, end)
        now += before
        then += len(right) - bisect_left(right, end + 1)
    return now - then
