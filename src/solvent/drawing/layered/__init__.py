"""Draw a graph in layers: what is further from the start stands further on, and few edges cross.

1. `ranks` says in which layer each node stands.
2. `stack` cuts long edges at the layers they pass, and makes room for labels.
3. `ordering` sorts each layer so that few edges cross.
4. `coordinates` says how far across everything stands.
5. `routing` puts it on a page and leads the edges through it.

This is the way of Sugiyama, Tagawa and Toda (1981), in plain Python and without chance: the same graph always gives the
same picture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from solvent.drawing.layered.ordering import reduce_crossings
from solvent.drawing.layered.ranks import Edge, Size, find_parts, neighbours, rank_nodes, walk_order
from solvent.drawing.layered.routing import Placed, place_stack
from solvent.drawing.layered.stack import Stack, build_stack

__all__ = ["Placed", "lay_out_in_layers"]

MAX_TRIES = 32
"""Ways to rank the nodes that are tried; the best picture is kept."""
_MOST_WORK = 5000
"""Nodes and edges in all tries together, so that big graphs take no longer than small ones."""
_COST_OF_RANK, _COST_OF_BEND = 0.5, 0.05
"""What one more layer, or one more layer that an edge passes, is worth in crossings."""
_BEST_SHAPE = 1.2
"""How many times as wide as high a page is at best."""
_WIDEST = 1400.0
"""Pixels across that most screens show at once."""
_BETWEEN_PARTS = 44.0


def lay_out_in_layers(
    sizes: Sequence[Size], edges: Sequence[Edge], labels: Sequence[Size] | None = None, *, start: int = 0
) -> Placed:
    """Return where nodes of these sizes, the labels of edges, and the edges go; its corner is at 0, 0.

    A label of no size takes no room. Layers go down the page or across it, whichever fits a screen better. Parts that
    no edge joins stand below each other.
    """
    given = [(0.0, 0.0)] * len(edges) if labels is None else list(labels)
    placed = []
    for part in find_parts(len(sizes), edges, start):
        number_of = {node: number for number, node in enumerate(part)}
        inner = [edge for edge, (one, _) in enumerate(edges) if one in number_of]
        here = [(number_of[edges[edge][0]], number_of[edges[edge][1]]) for edge in inner]
        texts = [given[edge] for edge in inner]
        stack = _best_stack(len(part), here, [size[0] > 0 for size in texts])
        boxes = [sizes[node] for node in part]
        both = [place_stack(stack, boxes, texts, sideways=sideways) for sideways in (False, True)]
        placed.append((part, inner, min(both, key=_misshapen)))
    return _put_together(len(sizes), len(edges), placed)


def _best_stack(count: int, edges: Sequence[Edge], labelled: Sequence[bool]) -> Stack:
    """Return the best layers among those that some walks through the graph lead to.

    A walk meets nodes level by level, or as deep as it can; in which order it looks at neighbours differs each time.
    """
    near = neighbours(count, edges)
    tries = max(2, min(MAX_TRIES, _MOST_WORK // (count + len(edges))))
    best: tuple[float, Stack] | None = None
    seen: set[tuple[int, ...]] = set()
    for number in range(tries):
        order = walk_order([_shuffled(others, number) for others in near], 0, deep=number % 4 == 3)
        ranks = rank_nodes(count, edges, order)
        if tuple(ranks) in seen:
            continue
        seen.add(tuple(ranks))
        stack = build_stack(count, edges, ranks, labelled=labelled)
        bends = len(stack.layer_of) - count
        cost = reduce_crossings(stack) + _COST_OF_RANK * max(ranks) + _COST_OF_BEND * bends
        if best is None or cost < best[0]:
            best = cost, stack
    assert best is not None, "there is always a first try"
    return best[1]


def _shuffled(nodes: Sequence[int], number: int) -> list[int]:
    """Return nodes in the order of a try: as they are at first, then mixed, but always alike."""
    return sorted(nodes, key=lambda node: (node * 7919 * number + 104_729 * number) % 1_000_003 if number else node)


def _misshapen(placed: Placed) -> float:
    """Return how far a page is from the best shape; what is too wide for a screen is worse than what is too long."""
    wide, high = placed.width + 60, placed.height + 60
    return abs(math.log(wide / high / _BEST_SHAPE)) + max(0.0, math.log(wide / _WIDEST))


def _put_together(nodes: int, edges: int, parts: Sequence[tuple[Sequence[int], Sequence[int], Placed]]) -> Placed:
    """Put the parts on one page: the first on top, the others in rows below it."""
    whole = Placed([(0.0, 0.0)] * nodes, [None] * edges, [None] * edges, 0.0, 0.0)
    widest = max((placed.width for _, _, placed in parts), default=0.0)
    x = y = row = right = 0.0
    for number, (part, inner, placed) in enumerate(parts):
        if number == 1 or (x and x + placed.width > widest):
            x, y, row = 0.0, y + row + _BETWEEN_PARTS, 0.0
        moved = placed.moved(x, y)
        for node, middle in zip(part, moved.middles, strict=True):
            whole.middles[node] = middle
        for index, edge in enumerate(inner):
            whole.curves[edge], whole.labels[edge] = moved.curves[index], moved.labels[index]
        x += placed.width + _BETWEEN_PARTS
        right = max(right, x - _BETWEEN_PARTS)
        row = max(row, placed.height)
    return Placed(whole.middles, whole.curves, whole.labels, right, y + row)
