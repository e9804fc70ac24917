"""Check a refutation: some nodes cannot all be filled, by some of the rules alone."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.valency.checker.certificate_schema import Cut, Cycle, Element, Refutation, kinds_of, read_refutation
from solvent.valency.checker.clauses import CheckingLimits, TooLargeError
from solvent.valency.checker.components import STEPS
from solvent.valency.checker.constraints import RULES
from solvent.valency.checker.cycles import faults_of_cycle
from solvent.valency.checker.formula import Formula, crossing_edges
from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.neighbours import Numbers, is_among
from solvent.valency.checker.placing import Placing
from solvent.valency.model import Acyclic, Connected, Constraint, Count, Loop, Path, Separation, Staging
from solvent.valency.slices import distinct, row_of, slices

MAX_SHOWN = 21
FEWEST_STEPS = 64
"""How many edges are walked along before the first look whether that was far enough."""
KINDS_FOR_A_NODE = ("node", "pick", "edge", "apart", "most", "constraint")
"""What may show that a single node had to be left out: rules that more modules cannot mend."""


def check(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the proof does not refute that every node can be filled, or an empty list."""
    return refute(Placing(staging, meter), read_refutation(certificate, meter), CheckingLimits())


def refute(placing: Placing, refutation: Refutation, limits: CheckingLimits, *, for_a_node: bool = False) -> list[str]:
    """Return why the proof does not refute the elements, or an empty list.

    With `for_a_node` only rules that more modules cannot mend may be used.
    """
    from solvent.proof.rup import refutation_violations

    made = make_formula(placing, refutation, limits, for_a_node=for_a_node)
    if isinstance(made, list):
        return made
    return refutation_violations(made.clauses.formula(), refutation.proof, placing.meter)


def make_formula(
    placing: Placing, refutation: Refutation, limits: CheckingLimits, *, for_a_node: bool = False
) -> Formula | list[str]:
    """Return the clauses of a refutation, or what is wrong with its nodes, elements, cuts and cycles."""
    found = list(islice(bad_nodes(placing, refutation.nodes), MAX_SHOWN))
    if found:
        return found
    try:
        sorted_elements = _Elements(placing, refutation.nodes, limits, for_a_node=for_a_node)
        found = list(islice(sorted_elements.read(refutation), MAX_SHOWN))
        return found or sorted_elements.write()
    except TooLargeError as error:
        return [str(error)]


def bad_nodes(placing: Placing, nodes: Numbers) -> Iterator[str]:
    """Yield what is wrong with the nodes that a refutation is about."""
    total = placing.surroundings.nodes
    if len(nodes) and nodes.max() >= total:
        yield f"the refutation is about node {nodes.max()}, but the last is {total - 1}"
        return
    if (nodes[1:] <= nodes[:-1]).any():
        yield "expected the nodes of the refutation in rising order"
    for part in slices(len(nodes), placing.meter):
        some = nodes[part]
        for node in some[~placing.surroundings.open[some]].tolist():
            yield f"the refutation is about {name_node(placing.staging, node)}, which has no neighbour and stays empty"


class _Elements:
    """Sort elements by kind, find what is wrong with them, and write the formula."""

    def __init__(self, placing: Placing, nodes: Numbers, limits: CheckingLimits, *, for_a_node: bool) -> None:
        self.placing = placing
        self.staging = placing.staging
        self.meter = placing.meter
        self.nodes = nodes
        self.limits = limits
        self.for_a_node = for_a_node
        self.filled: list[int] = []
        self.picked: list[int] = []
        self.named_edges: dict[tuple[int, int], list[int]] = defaultdict(list)
        """For each layer and orbital, the nodes whose edges on it are meant."""
        self.edges: list[tuple[int, int, int, Numbers, Numbers]] = []
        self.apart: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.counted: dict[tuple[str, int], None] = {}
        """What brings variables with it, in the order given."""
        self.cuts: dict[int, list[Cut]] = defaultdict(list)
        self.cycles: dict[int, list[Cycle]] = defaultdict(list)

    def read(self, refutation: Refutation) -> Iterator[str]:
        """Yield what is wrong with the elements, cuts and cycles."""
        yield from self._read_elements(refutation.elements)
        for cut in refutation.cuts:
            yield from self._read_cut(cut)
        for cycle in refutation.cycles:
            yield from self._read_cycle(cycle)

    def _read_elements(self, elements: Iterable[Element]) -> Iterator[str]:
        for element in elements:
            kinds = kinds_of(element)
            if len(kinds) != 1:
                yield f"expected an element of one kind, found {' and '.join(kinds) or 'none'}"
            elif self.for_a_node and kinds[0] not in KINDS_FOR_A_NODE:
                yield f"{kinds[0]} cannot show that a node had to be left out"
            else:
                reader: Callable[[Any], Iterator[str]] = getattr(self, f"_read_{kinds[0]}")
                yield from reader(getattr(element, kinds[0]))
        yield from self._find_edges()
        for number, pairs in self.apart.items():
            yield from self._far_apart(number, pairs)

    def write(self) -> Formula:
        """Return the formula; nothing may be wrong with the elements."""
        formula = Formula(self.placing, self.nodes, self.limits)
        formula.add_filled(row_of(self.filled, np.int64, self.meter))
        formula.add_picked(row_of(self.picked, np.int64, self.meter))
        for edges in self.edges:
            formula.add_agreed(*edges)
        for number, pairs in self.apart.items():
            ends = np.array(pairs, dtype=np.int64)
            separation = self.staging.constraints[number]
            assert isinstance(separation, Separation)
            masks = separation.modules, separation.others or separation.modules
            formula.add_apart(*masks, ends[:, 0], ends[:, 1])
        for kind, number in self.counted:
            if kind == "constraint":
                self._write_constraint(formula, number)
                continue
            module = self.staging.rules.modules[number]
            if kind == "least":
                formula.add_module_least(number, module.least)
            elif module.most is not None:
                formula.add_module_most(number, module.most)
        return formula

    def _write_constraint(self, formula: Formula, number: int) -> None:
        constraint = self.staging.constraints[number]
        if isinstance(constraint, Count):
            formula.add_count(constraint, with_least=not self.for_a_node)
        elif isinstance(constraint, Connected):
            formula.add_connected(constraint, self.cuts[number])
            if isinstance(constraint, Loop):
                RULES[Loop].write(formula, constraint)
        elif isinstance(constraint, Acyclic):
            RULES[Acyclic].write(formula, constraint, self.cycles[number])
        elif isinstance(constraint, Path):
            formula.add_path(constraint, self.cuts[number])
        else:
            RULES[type(constraint)].write(formula, constraint)

    def _has(self, node: int) -> bool:
        """Tell whether the refutation is about a node."""
        place = bisect_left(self.nodes, node)
        return place < len(self.nodes) and bool(self.nodes[place] == node)

    def _foreign(self, *nodes: int) -> Iterator[str]:
        for node in nodes:
            if not self._has(node):
                yield f"an element names node {node}, which the refutation is not about"

    def _read_node(self, node: int) -> Iterator[str]:
        yield from self._foreign(node)
        self.filled.append(node)

    def _read_pick(self, node: int) -> Iterator[str]:
        yield from self._foreign(node)
        if self._has(node) and not self.placing.has_pick(np.array([node]))[0]:
            yield f"an element names the pick on {name_node(self.staging, node)}, which has none"
        self.picked.append(node)

    def _read_edge(self, edge: tuple[int, int, int]) -> Iterator[str]:
        layer, node, orbital = edge
        yield from self._foreign(node)
        layers = self.staging.rules.layers
        if layer >= len(layers) or orbital >= len(layers[layer].orbital_set.orbitals):
            yield f"an element names orbital {orbital} of layer {layer}, which there is not"
        elif self._has(node):
            self.named_edges[layer, orbital].append(node)

    def _read_apart(self, apart: tuple[int, int, int]) -> Iterator[str]:
        number, node, other = apart
        yield from self._foreign(node, other)
        constraints = self.staging.constraints
        if number >= len(constraints) or not isinstance(constraints[number], Separation):
            yield f"an element names constraint {number} as a separation, which it is not"
        elif node == other:
            yield f"an element keeps node {node} apart from itself"
        elif self._has(node) and self._has(other):
            self.apart[number].append((node, other))

    def _read_least(self, module: int) -> Iterator[str]:
        yield from self._read_counted("least", module, len(self.staging.rules.modules))

    def _read_most(self, module: int) -> Iterator[str]:
        yield from self._read_counted("most", module, len(self.staging.rules.modules))
        if module < self.placing.modules and self.staging.rules.modules[module].most is None:
            yield f"an element names the most there may be of {name_module(self.staging, module)}, which is any number"

    def _read_constraint(self, number: int) -> Iterator[str]:
        yield from self._read_counted("constraint", number, len(self.staging.constraints))
        if number >= len(self.staging.constraints):
            return
        constraint = self.staging.constraints[number]
        if isinstance(constraint, Separation):
            yield f"constraint {number} is a separation, of which an element names two nodes"
        elif self.for_a_node and not isinstance(constraint, Count) and not _forbids_only(constraint):
            yield f"constraint {number} cannot show that a node had to be left out"
        elif isinstance(constraint, Path):
            yield from self._foreign(*{constraint.start, constraint.end})

    def _read_counted(self, kind: str, number: int, end: int) -> Iterator[str]:
        if number >= end:
            yield f"an element names {kind} {number}, which there is not"
        if (kind, number) in self.counted:
            yield f"the element {kind} {number} is given twice"
        self.counted[kind, number] = None

    def _find_edges(self) -> Iterator[str]:
        for (layer, orbital), named in self.named_edges.items():
            for part in slices(len(named), self.meter):
                nodes = np.array(named[part], dtype=np.int64)
                others, backs = self.placing.surroundings.beside(layer, orbital, nodes)
                for node in nodes[others < 0].tolist():
                    where = f"node {node} on orbital {orbital} of layer {layer}"
                    yield f"an element names an edge of {where}: there is none"
                yield from self._foreign(*others[(others >= 0) & ~is_among(others, self.nodes)].tolist())
                for back in distinct(backs[others >= 0]).tolist():
                    here = backs == back
                    self.edges.append((layer, orbital, back, nodes[here], others[here]))

    def _far_apart(self, number: int, pairs: list[tuple[int, int]]) -> Iterator[str]:
        separation = self.staging.constraints[number]
        assert isinstance(separation, Separation)
        targets: dict[int, set[int]] = defaultdict(set)
        for node, other in pairs:
            targets[node].add(other)
        for node, others in self.meter.each(targets.items()):
            for other in sorted(others - self._near(node, others, separation.distance)):
                one, two = name_node(self.staging, node), name_node(self.staging, other)
                yield f"{one} and {two} are not fewer than {separation.distance} edges apart"

    def _read_cut(self, cut: Cut) -> Iterator[str]:
        constraint = (
            self.staging.constraints[cut.constraint] if cut.constraint < len(self.staging.constraints) else None
        )
        if ("constraint", cut.constraint) not in self.counted or not isinstance(constraint, Connected | Path):
            yield f"a cut is for constraint {cut.constraint}, which is no element that has cuts"
            return
        inside = distinct(cut.inside, self.meter)
        if isinstance(constraint, Path):
            if cut.start is not msgspec.UNSET or cut.end is not msgspec.UNSET:
                yield "a cut for a path has the ends of the path, and names no others"
            sides: tuple[Any, Any] = (constraint.start, constraint.end)
        else:
            sides = (cut.start, cut.end)
        if not _parts(inside, *sides) or not self._has(sides[1]):
            shown = [show_value(None if side is msgspec.UNSET else side) for side in sides]
            yield f"a cut for constraint {cut.constraint} does not part {shown[0]} from {shown[1]}"
        elif not is_among(inside, self.nodes).all():
            yield f"a cut for constraint {cut.constraint} has nodes inside that the refutation is not about"
        elif not is_among(crossing_edges(self.placing, cut)[1], self.nodes).all():
            yield f"an edge leads from a cut for constraint {cut.constraint} to a node the refutation is not about"
        self.cuts[cut.constraint].append(cut)

    def _read_cycle(self, cycle: Cycle) -> Iterator[str]:
        known = self.staging.constraints
        if ("constraint", cycle.constraint) not in self.counted or not isinstance(known[cycle.constraint], Acyclic):
            yield f"a cycle is for constraint {cycle.constraint}, which is no element that has cycles"
            return
        yield from faults_of_cycle(self.placing, self.nodes, cycle)
        self.cycles[cycle.constraint].append(cycle)

    def _near(self, node: int, wanted: set[int], distance: int) -> set[int]:
        """Return which of the nodes wanted are fewer edges away than a distance."""
        walk, distances, _ = self.placing.walk
        steps, done = FEWEST_STEPS, False
        try:
            walk.allow(min(distance - 1, self.placing.surroundings.nodes))
            walk.begin_at(node)
            while not done:
                self.meter.checkpoint()
                before = walk.walked
                done = walk.run(steps) or all(distances[other] >= 0 for other in wanted)
                self.limits.spend_steps(walk.walked - before + 10)
                steps = min(2 * steps, STEPS)
            return {other for other in wanted if distances[other] >= 0}
        finally:
            walk.forget()


def _forbids_only(constraint: Constraint) -> bool:
    """Tell whether a constraint that is kept still is with fewer modules."""
    return type(constraint) in RULES and RULES[type(constraint)].forbids_only


def _parts(inside: Numbers, one: Any, other: Any) -> bool:
    """Tell whether the first of two nodes is inside and the second is not."""
    if one is msgspec.UNSET or other is msgspec.UNSET:
        return False
    first, second = is_among(np.array([one, other]), inside).tolist()
    return first and not second
