"""Check a counting argument: points for what stands where, added up in two ways that do not agree.

A module on a node earns points along each edge of the node, and from each count that it belongs to. In every fill the
points of all nodes are those of all edges and counts, so what either sum can come to must fit. Node by node, a sum is
at least the fewest points that a possible module earns; edge by edge, at most the most that two modules earn which
agree; and a count of at most (least) so many bounds what it gives (takes). If the first is larger, there is no fill.

Or only remainders are looked at: if all possible modules of each node, and all agreeing pairs along each edge, earn the
same but for multiples of a number, and counts are known but for such, both sums are known, and may differ.

What is possible on a node is what may stand there, less what has nothing to agree with along an edge, again and again.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
import numpy as np
from msgspec import UNSET

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.certificate_schema import CountingArgument, Element, kinds_of, read_counting
from solvent.valency.checker.holding import scope
from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.checker.refutation import MAX_SHOWN, bad_nodes
from solvent.valency.model import Count, Only, Parity, Staging, mask_of, numbers_in

NODE_KINDS = ("node", "pick")
COUNT_KINDS = ("least", "most", "constraint")


class _Edge(msgspec.Struct, frozen=True):
    """Hold an edge and the points that a module earns at either end."""

    node: int
    other: int
    way: tuple[int, int, int]
    """Its layer, its orbital at the node, and the one that leads back."""
    points: tuple[int, int] | None
    """Which tables give the points here and there; None if there are none."""


def check(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the points do not refute that every node can be filled, or an empty list."""
    placing = Placing(staging, meter)
    argument = read_counting(certificate, meter)
    found = list(islice(bad_nodes(placing, argument.nodes), MAX_SHOWN))
    if found:
        return found
    sums = _Sums(placing, argument)
    found = list(islice(sums.read(), MAX_SHOWN))
    return found or sums.faults()


def tally_of(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> Tally:
    """Return what the sums of an accepted certificate come to."""
    sums = _Sums(Placing(staging, meter), read_counting(certificate, meter))
    list(sums.read())
    return sums.add_up()


class Tally(msgspec.Struct):
    """Hold what the sums come to."""

    by_node: dict[int, int] = msgspec.field(default_factory=dict)
    """The fewest points of each node."""
    by_edges: int = 0
    """The most that all edges give."""
    by_counts: int = 0
    """And all counts."""
    left_with_nothing: int | None = None
    """A node that must be filled and on which nothing is possible: then nothing is added up."""
    fault: str = ""
    """Why the sums say nothing."""


class _Sums:
    """Read the elements of an argument, and add up."""

    def __init__(self, placing: Placing, argument: CountingArgument) -> None:
        self.placing = placing
        self.staging = placing.staging
        self.meter = placing.meter
        self.argument = argument
        self.modulus = argument.modulus
        nodes: list[int] = argument.nodes.tolist()
        self.possible = dict(zip(nodes, _as_masks(placing.placeable(argument.nodes)), strict=True))
        """For each node, the mask of modules that may stand on it."""
        self.filled: set[int] = set()
        """The nodes that an element fills."""
        self.edges: list[_Edge] = []
        self.counts: list[tuple[Count | Parity, int]] = []
        """What is counted, and the points for each node that counts."""
        self.tables = [dict(table) for table in argument.tables]
        self._agreeing: dict[tuple[int, int, int], list[int]] = {}

    # Reading

    def read(self) -> Iterator[str]:
        """Yield what is wrong with the elements and their points."""
        if self.modulus == 1:
            yield "expected a modulus of 0 or above 1, found 1: every number has the same remainder"
        if len(self.argument.points) != len(self.argument.elements):
            yield f"expected points for {len(self.argument.elements)} elements, found {len(self.argument.points)}"
            return
        for number, table in enumerate(self.argument.tables):
            if len(self.tables[number]) < len(table):
                yield f"table {number} gives a module points twice"
            yield from (
                f"table {number} has module {m}, which there is not" for m, _ in table if m >= self.placing.modules
            )
        pairs = zip(self.argument.elements, self.argument.points, strict=True)
        for element, points in self.meter.each(pairs):
            kinds = kinds_of(element)
            if len(kinds) != 1:
                yield f"expected an element of one kind, found {' and '.join(kinds) or 'none'}"
            elif kinds[0] in NODE_KINDS:
                yield from self._read_node(element, points)
            elif kinds[0] == "edge":
                yield from self._read_edge(element, points)
            elif kinds[0] in COUNT_KINDS:
                yield from self._read_count(kinds[0], getattr(element, kinds[0]), points)
            else:
                yield f"a counting argument cannot use {kinds[0]}"
        for node in self.argument.nodes.tolist():
            if node not in self.filled:
                yield f"no element says that {name_node(self.staging, node)} is filled"

    def _read_node(self, element: Element, points: Sequence[int] | None) -> Iterator[str]:
        node = element.pick if element.node is UNSET else element.node
        assert node is not UNSET
        if points is not None:
            yield f"expected no points for filling node {node}"
        if node not in self.possible:
            yield f"an element names node {node}, which the argument is not about"
            return
        if element.node is UNSET:
            at = np.array([node])
            if not self.placing.has_pick(at)[0]:
                yield f"an element names the pick on {name_node(self.staging, node)}, which has none"
            self.possible[node] &= _as_masks(self.placing.picked(at))[0]
        self.filled.add(node)

    def _read_edge(self, element: Element, points: Sequence[int] | None) -> Iterator[str]:
        assert element.edge is not UNSET
        layer, node, orbital = element.edge
        layers = self.staging.rules.layers
        if layer >= len(layers) or orbital >= len(layers[layer].orbital_set.orbitals):
            yield f"an element names orbital {orbital} of layer {layer}, which there is not"
            return
        if node not in self.possible:
            yield f"an element names node {node}, which the argument is not about"
            return
        others, backs = self.placing.surroundings.beside(layer, orbital, np.array([node]))
        other, back = int(others[0]), int(backs[0])
        if other < 0:
            yield f"an element names an edge of node {node} on orbital {orbital} of layer {layer}: there is none"
        elif other not in self.possible:
            yield f"an element names node {other}, which the argument is not about"
        elif points is None:
            self.edges.append(_Edge(node, other, (layer, orbital, back), None))
        elif len(points) != 2 or min(points) < 0 or max(points) >= len(self.tables):
            yield f"expected the numbers of two tables as the points of the edge of node {node} on orbital {orbital}"
        else:
            self.edges.append(_Edge(node, other, (layer, orbital, back), (points[0], points[1])))

    def _read_count(self, kind: str, number: int, points: Sequence[int] | None) -> Iterator[str]:
        there_are = len(self.staging.constraints if kind == "constraint" else self.staging.rules.modules)
        if number >= there_are:
            yield f"an element names {kind} {number}, which there is not"
            return
        if kind == "constraint":
            constraint = self.staging.constraints[number]
            if isinstance(constraint, Only) and points is None:
                for node in self.meter.each(constraint.nodes):
                    if node in self.possible:
                        self.possible[node] &= constraint.modules
                return
            if not isinstance(constraint, Count | Parity):
                yield f"a counting argument cannot use constraint {number}"
                return
            counted: Count | Parity = constraint
        else:
            module = self.staging.rules.modules[number]
            if kind == "most" and module.most is None:
                yield f"an element names the most there may be of {name_module(self.staging, number)}: any number"
                return
            counted = self._bounds_of_module(kind, number)
        if points is None or len(points) != 1:
            yield f"expected one number as the points of {kind} {number}"
            return
        self.counts.append((counted, points[0]))

    def _bounds_of_module(self, kind: str, number: int) -> Count:
        """Return what one bound of a module says; for remainders both are needed, and hold."""
        module = self.staging.rules.modules[number]
        if self.modulus:
            return Count(1 << number, module.least, module.most)
        return Count(1 << number, module.least if kind == "least" else 0, module.most if kind == "most" else None)

    # Adding up

    def faults(self) -> list[str]:
        """Return why the two sums do not contradict each other, or an empty list."""
        tally = self.add_up()
        if tally.fault:
            return [tally.fault]
        if tally.left_with_nothing is not None:
            return []
        by_nodes, others = sum(tally.by_node.values()), tally.by_edges + tally.by_counts
        if self.modulus:
            if (by_nodes - others) % self.modulus:
                return []
            return [f"both sums have the same remainder, {by_nodes % self.modulus}: that is no contradiction"]
        if by_nodes > others:
            return []
        return [f"node by node there are at least {by_nodes} points, and there may be {others}: no contradiction"]

    def add_up(self) -> Tally:
        """Return what each node, all edges and all counts come to."""
        tally = Tally()
        self._strike_out()
        tally.left_with_nothing = next((node for node, possible in self.possible.items() if not possible), None)
        if tally.left_with_nothing is not None:
            return tally
        points: dict[int, list[dict[int, int]]] = defaultdict(list)
        for edge in self.edges:
            if edge.points is not None:
                points[edge.node].append(self.tables[edge.points[0]])
                points[edge.other].append(self.tables[edge.points[1]])
        self._give_points_for_counts(points)
        for node, possible in self.meter.each(self.possible.items()):
            tables = points[node]
            earned = [sum(table.get(module, 0) for table in tables) for module in numbers_in(possible)]
            tally.by_node[node] = min(earned)
            if self._differ(earned):
                where = name_node(self.staging, node)
                tally.fault = f"what may stand on {where} does not all earn the same remainder"
        known: dict[object, list[int]] = {}
        for edge in self.meter.each(self.edges):
            if edge.points is None:
                continue
            key = edge.way, edge.points, self.possible[edge.node], self.possible[edge.other], edge.node == edge.other
            if key not in known:
                known[key] = self._earned_along(edge, edge.points)
            tally.by_edges += max(known[key])
            if self._differ(known[key]):
                where = name_node(self.staging, edge.node)
                tally.fault = f"pairs along an edge of {where} do not all earn the same remainder"
        for counted, worth in self.counts:
            most = self._most_from(counted, worth)
            if most is None:
                tally.fault = "the points of a count rest on a bound that it does not give"
            else:
                tally.by_counts += most
        return tally

    def _differ(self, earned: Sequence[int]) -> bool:
        return bool(self.modulus) and len({points % self.modulus for points in earned}) > 1

    def _strike_out(self) -> None:
        """Strike out, again and again, what has nothing to agree with at the other end of an edge."""
        edges_of: dict[int, list[_Edge]] = defaultdict(list)
        for edge in self.edges:
            edges_of[edge.node].append(edge)
            edges_of[edge.other].append(edge)
        known: dict[tuple[tuple[int, int, int], int], int] = {}
        waiting = deque(self.possible)
        while waiting:
            node = waiting.popleft()
            self.meter.checkpoint()
            for edge in edges_of[node]:
                layer, orbital, back = edge.way
                for here, there, way in (
                    (edge.node, edge.other, edge.way),
                    (edge.other, edge.node, (layer, back, orbital)),
                ):
                    key = way, self.possible[here]
                    if key not in known:
                        known[key] = self._supported(way, self.possible[here])
                    left = self.possible[there] & known[key]
                    if here == there:
                        left = mask_of(m for m in numbers_in(left) if self._agree(way)[m] >> m & 1)
                    if left != self.possible[there]:
                        self.possible[there] = left
                        waiting.append(there)

    def _supported(self, way: tuple[int, int, int], possible: int) -> int:
        """Return what agrees with any of some modules along a way."""
        agreeing, supported = self._agree(way), 0
        for module in numbers_in(possible):
            supported |= agreeing[module]
        return supported

    def _agree(self, way: tuple[int, int, int]) -> list[int]:
        """Return for each module the mask of those that agree with it along a way."""
        if way not in self._agreeing:
            self._agreeing[way] = _as_masks(self.placing.agreeing(*way))
        return self._agreeing[way]

    def _earned_along(self, edge: _Edge, points: tuple[int, int]) -> list[int]:
        """Return the points that each two modules earn which may stand at the ends of an edge and agree."""
        here, there = self.tables[points[0]], self.tables[points[1]]
        agreeing = self._agree(edge.way)
        earned: set[int] = set()
        for module in numbers_in(self.possible[edge.node]):
            beside = 1 << module if edge.node == edge.other else self.possible[edge.other]
            for other in numbers_in(agreeing[module] & beside):
                earned.add(here.get(module, 0) + there.get(other, 0))
        return sorted(earned)

    def _give_points_for_counts(self, points: dict[int, list[dict[int, int]]]) -> None:
        for counted, worth in self.counts:
            table = dict.fromkeys(numbers_in(counted.modules), worth)
            among = scope(self.placing, counted)
            for node in self.meter.each(self.possible):
                if among[node]:
                    points[node].append(table)

    def _most_from(self, counted: Count | Parity, worth: int) -> int | None:
        """Return the most points, or their remainder, that come from a count; None if it does not say."""
        if worth == 0:
            return 0
        outside = scope(self.placing, counted).copy()
        outside[self.argument.nodes] = False
        others = self.placing.count_holders(outside, members_of(counted.modules, self.placing.modules))
        """How many nodes that the argument is not about may count."""
        if isinstance(counted, Parity):
            return worth * counted.odd if self.modulus and not others and 2 * worth % self.modulus == 0 else None
        if self.modulus:
            return worth * counted.least if counted.least == counted.most and not others else None
        if worth > 0:
            return None if counted.most is None else worth * counted.most
        return worth * max(0, counted.least - others)


def _as_masks(truths: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[int]:
    """Return each row of truths as a mask."""
    packed = np.packbits(truths, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]
