"""Place a layered graph on a page and lead its edges through it.

Everything is worked out for layers from top to bottom; `sideways` turns the result so that they go from left to right.
An edge is straight beside the items of a layer and bends between layers only, so it never runs below a node, and two
edges cross only where the order of the layers makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from solvent.drawing.curves import Curve, Piece, straight
from solvent.drawing.layered.coordinates import place_across
from solvent.drawing.layered.ranks import Point, Size
from solvent.drawing.layered.stack import Stack

BESIDE = 22.0
"""Between two nodes of a layer."""
BESIDE_LINE = 15.0
"""Between a line and what stands beside it."""
BETWEEN = 40.0
"""The least room between two layers of nodes, for bends and arrow heads."""
BETWEEN_LABELS = 23.0
"""The same where layers of labels lie between those of nodes."""
_MOST_BETWEEN = 80.0
_PORTS = 22.0
"""Between two edges that leave a node on the same side, where it is wide enough."""
_CORNER = 9.0
"""How far from the corner of a node edges keep."""


class Placed(Struct, frozen=True):
    """Hold a graph on a page: middles of nodes and of labels, and the lines of edges, from source to target."""

    middles: list[Point]
    curves: list[Curve | None]
    """None for an edge from a node to itself."""
    labels: list[Point | None]
    width: float
    height: float

    def moved(self, across: float, down: float) -> Placed:
        """Return the same further right and down."""
        return self._mapped(lambda point: (point[0] + across, point[1] + down), self.width, self.height)

    def turned(self) -> Placed:
        """Return the same with across and down changed."""
        return self._mapped(lambda point: (point[1], point[0]), self.height, self.width)

    def _mapped(self, move: Callable[[Point], Point], width: float, height: float) -> Placed:
        curves = [curve if curve is None else curve.mapped(move) for curve in self.curves]
        labels = [label if label is None else move(label) for label in self.labels]
        return Placed([move(middle) for middle in self.middles], curves, labels, width, height)


def place_stack(stack: Stack, sizes: Sequence[Size], labels: Sequence[Size], *, sideways: bool) -> Placed:
    """Place the items of a stack; sizes are those of nodes, labels those of the labels of edges."""
    broad, deep = _measure(stack, sizes, labels, sideways=sideways)

    def separation(one: int, other: int) -> float:
        both_nodes = one < stack.nodes and other < stack.nodes
        return (broad[one] + broad[other]) / 2 + (BESIDE if both_nodes else BESIDE_LINE)

    across = place_across(stack, separation)
    left = min((x - breadth / 2 for x, breadth in zip(across, broad, strict=True)), default=0.0)
    across = [round(x - left, 1) for x in across]
    ports = _choose_ports(stack, across, broad)
    tops, bottoms = _stack_layers(stack, deep, ports)
    middle = [(tops[layer] + bottoms[layer]) / 2 for layer in stack.layer_of]
    curves: list[Curve | None] = []
    for chain in stack.chains:
        if not chain:
            curves.append(None)
            continue
        downwards = chain if stack.layer_of[chain[0]] < stack.layer_of[chain[-1]] else chain[::-1]
        curve = Curve(tuple(_pieces(stack, len(curves), downwards, ports, deep, (tops, bottoms))))
        curves.append(curve if downwards is chain else curve.reversed())
    placed = Placed(
        [(across[node], round(middle[node], 1)) for node in range(stack.nodes)],
        curves,
        [None if item is None else (across[item], round(middle[item], 1)) for item in stack.label_items],
        max((x + breadth / 2 for x, breadth in zip(across, broad, strict=True)), default=0.0),
        bottoms[-1] if bottoms else 0.0,
    )
    return placed.turned() if sideways else placed


Ports = dict[tuple[int, int, int], float]
"""How far across an edge touches an item: by edge, the item, and the item next to it."""


def _measure(
    stack: Stack, sizes: Sequence[Size], labels: Sequence[Size], *, sideways: bool
) -> tuple[list[float], list[float]]:
    """Return how broad and how deep each item is."""
    boxes: list[Size] = [*sizes, *[(0.0, 0.0)] * (len(stack.layer_of) - stack.nodes)]
    for edge, item in enumerate(stack.label_items):
        if item is not None:
            boxes[item] = labels[edge]
    return [box[1 if sideways else 0] for box in boxes], [box[0 if sideways else 1] for box in boxes]


def _choose_ports(stack: Stack, across: Sequence[float], broad: Sequence[float]) -> Ports:
    """Choose where edges touch their nodes: as near to straight as their order and the node's breadth let them."""
    touching: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
    ports: Ports = {}
    for edge, chain in enumerate(stack.chains):
        for one, other in pairwise(chain):
            for item, near in ((one, other), (other, one)):
                if item >= stack.nodes:
                    ports[edge, item, near] = across[item]
                else:
                    side = stack.layer_of[near] - stack.layer_of[item]
                    touching.setdefault((item, side), []).append((across[near], near, edge))
    for (item, _), found in touching.items():
        found.sort()
        usable = max(0.0, broad[item] - 2 * _CORNER)
        step = min(_PORTS, usable / max(1, len(found) - 1))
        low, high = across[item] - usable / 2, across[item] + usable / 2
        wanted = [min(high, max(low, x)) for x, _, _ in found]
        for index in range(1, len(wanted)):
            wanted[index] = max(wanted[index], wanted[index - 1] + step)
        limit = high
        for index in range(len(wanted) - 1, -1, -1):
            wanted[index] = min(wanted[index], limit)
            limit = wanted[index] - step
        for x, (_, near, edge) in zip(wanted, found, strict=True):
            ports[edge, item, near] = round(x, 1)
    return ports


def _stack_layers(stack: Stack, deep: Sequence[float], ports: Ports) -> tuple[list[float], list[float]]:
    """Return where each layer begins and ends; where edges lead far across, the gap before it is larger."""
    farthest = [0.0] * len(stack.layers)
    for edge, chain in enumerate(stack.chains):
        for one, other in pairwise(chain):
            lower = max(stack.layer_of[one], stack.layer_of[other])
            farthest[lower] = max(farthest[lower], abs(ports[edge, one, other] - ports[edge, other, one]))
    tops: list[float] = []
    bottoms: list[float] = []
    least = BETWEEN_LABELS if any(item is not None for item in stack.label_items) else BETWEEN
    for number, layer in enumerate(stack.layers):
        gap = min(_MOST_BETWEEN, max(least, 0.16 * farthest[number])) if number else 0.0
        tops.append(round((bottoms[-1] if bottoms else 0.0) + gap, 1))
        bottoms.append(round(tops[-1] + max((deep[item] for item in layer), default=0.0), 1))
    return tops, bottoms


def _pieces(
    stack: Stack,
    edge: int,
    chain: Sequence[int],
    ports: Ports,
    deep: Sequence[float],
    layers: tuple[Sequence[float], Sequence[float]],
) -> list[Piece]:
    """Return the pieces of an edge, given by its items from top to bottom."""
    tops, bottoms = layers
    pieces: list[Piece] = []

    def rim(item: int, sign: int) -> float:
        layer = stack.layer_of[item]
        return (tops[layer] + bottoms[layer] + sign * deep[item]) / 2

    here = (ports[edge, chain[0], chain[1]], rim(chain[0], 1))
    for one, other in pairwise(chain):
        leave, enter = bottoms[stack.layer_of[one]], tops[stack.layer_of[other]]
        x, next_x = ports[edge, one, other], ports[edge, other, one]
        if here[1] != leave:
            pieces.append(straight(here, (x, leave)))
        middle = (leave + enter) / 2
        pieces.append(((x, leave), (x, middle), (next_x, middle), (next_x, enter)))
        here = (next_x, enter)
    end = (here[0], rim(chain[-1], -1))
    if here != end:
        pieces.append(straight(here, end))
    return pieces
