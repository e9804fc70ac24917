"""The parts of a task that can clash, by name.

A clash is a set of elements that cannot all hold; the formula of each is in `formula`. As JSON an element is an object
with one key; here it is a tuple of that key and its numbers. All parts of a large task are millions, so they are held
as rows of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.slices import slices
from solvent.valency.solver.network import Network
from solvent.valency.solver.node_sets import NodeSet

Element = tuple[Any, ...]
"""("node", v), ("pick", v), ("edge", layer, v, orbital), ("apart", constraint, v, w), ("least", module),
("most", module) or ("constraint", number)."""
KINDS = ("node", "pick", "edge", "apart", "least", "most", "constraint")
NODE, PICK, EDGE, APART, LEAST, MOST, CONSTRAINT = range(7)
_NUMBERS = (1, 1, 3, 3, 1, 1, 1)
"""How many numbers an element of each kind has."""


class Elements(Sequence[Element]):
    """Hold elements in order."""

    def __init__(self, rows: npt.NDArray[np.int32]) -> None:
        """Take a row for each element: the number of its kind among `KINDS`, then its own numbers, then zeros."""
        self.rows = rows

    @classmethod
    def of(cls, elements: Iterable[Element]) -> Elements:
        """Hold elements that are given as tuples."""
        rows = [(KINDS.index(element[0]), *element[1:], 0, 0)[:4] for element in elements]
        return cls(np.array(rows, dtype=np.int32).reshape(-1, 4))

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> Element: ...
    @overload
    def __getitem__(self, place: slice) -> Elements: ...
    def __getitem__(self, place: int | slice) -> Element | Elements:
        if isinstance(place, slice):
            return Elements(self.rows[place])
        kind, *numbers = self.rows[place].tolist()
        return (KINDS[kind], *numbers[: _NUMBERS[kind]])

    def __iter__(self) -> Iterator[Element]:
        for part in slices(len(self.rows), UNLIMITED):
            for kind, *numbers in self.rows[part].tolist():
                yield (KINDS[kind], *numbers[: _NUMBERS[kind]])

    def chosen(self, places: Sequence[int]) -> Elements:
        """Return the elements at some places."""
        return Elements(self.rows[np.asarray(places, dtype=np.int64)])

    def and_others(self, others: Elements, meter: Meter = UNLIMITED) -> Elements:
        """Return these elements, and then others."""
        return _joined([self.rows, others.rows], meter)


def _joined(tables: Sequence[npt.NDArray[np.int32]], meter: Meter) -> Elements:
    rows = np.empty((sum(map(len, tables)), 4), dtype=np.int32)
    begin = 0
    for table in tables:
        for part in slices(len(table), meter, width=4):
            rows[begin + part.start : begin + part.stop] = table[part]
        begin += len(table)
    return Elements(rows)


def local_elements(network: Network, inside: NodeSet, meter: Meter = UNLIMITED) -> Elements:
    """Return all nodes, picks, edges and separations among some nodes, and the limits that only forbid."""
    tables = [np.zeros((len(inside), 4), dtype=np.int32)]
    for part in slices(len(inside), meter):
        nodes = inside.nodes[part]
        tables[0][part, 0] = np.where(network.placement.picked.meaning_of[nodes] > 0, PICK, NODE)
        tables[0][part, 1] = nodes
    for layer in range(len(network.cache.edges)):
        edges = inside.edges(layer, within=True)
        table = np.empty((len(edges), 4), dtype=np.int32)
        for part in slices(len(edges), meter):
            table[part, 0], table[part, 1] = EDGE, layer
            table[part, 2], table[part, 3] = edges.source[part], edges.source_orbital[part]
        tables.append(table)
    for number, kind in network.separation_kinds:
        tables.append(_kept_apart(network, inside, number, kind, meter))
    limits = [("constraint", limit.number) for limit in network.limits if limit.forbids_only]
    return _joined([*tables, Elements.of(limits).rows], meter)


def _kept_apart(network: Network, inside: NodeSet, number: int, kind: int, meter: Meter) -> npt.NDArray[np.int32]:
    """Return the pairs of nodes that a separation keeps apart, by the lower one."""
    found = [np.zeros((0, 4), dtype=np.int32)]
    width = 1 + len(network.arc_target) // max(1, network.nodes)
    for part in slices(len(inside), meter, width=width):
        some = NodeSet(network, inside.nodes[part], meter)
        which, arcs = some.arcs()
        chosen = network.arc_kind[arcs] == kind
        nodes, others = some.nodes[which[chosen]], network.arc_target[arcs[chosen]]
        once = (nodes < others) & inside.has(others)
        table = np.empty((int(once.sum()), 4), dtype=np.int32)
        table[:, 0], table[:, 1], table[:, 2], table[:, 3] = APART, number, nodes[once], others[once]
        found.append(table)
    return np.concatenate(found)


def global_elements(network: Network, *, only_most: bool = False) -> Elements:
    """Return all counts and constraints that are about the whole; with `only_most`, upper bounds alone."""
    elements: list[Element] = []
    for bound in network.count_bounds:
        for element in bound.element:
            if not only_most or element[0] == "most" or (element[0] == "constraint" and bound.most < network.nodes):
                elements.append(element)
    if not only_most:
        numbers = [number for number, _ in network.joins]
        numbers += [limit.number for limit in network.limits if not limit.forbids_only]
        elements.extend(("constraint", number) for number in dict.fromkeys(numbers))  # a loop is both
    return Elements.of(elements)


def as_json(element: Element) -> dict[str, Any]:
    """Return an element as a certificate writes it."""
    return {element[0]: element[1] if len(element) == 2 else list(element[1:])}
