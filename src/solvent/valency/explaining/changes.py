"""Changes to a task that take one part of a clash away, and the task after each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solvent.core.errors import show_value
from solvent.drawing.phrases import listed
from solvent.valency.model import EXCLUDED, Graph, Module, Staging
from solvent.valency.phrases import Element, Misfit, Phrases
from solvent.valency.rules import agreement

MAX_PAIRS = 16
"""Pairs of modules along an edge beyond which it is no help to say which of them to allow."""


MAX_MISFITS = 2
"""How much a module may ask for in vain to be suggested all the same."""
MAX_FITTING = 6
"""Modules that are suggested for one node."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Hold one change, and the task after it."""

    part: Element
    """The part of the clash that is given up or made milder; ("allow", layer, orbital, module, back, module) for two
    modules that are allowed beside each other, ("fit", node, module) for one that asks for less."""
    text: str
    """What to do, as an instruction."""
    staging: Staging
    bound: int | None = None
    """Of a bound that was given up altogether: what it was."""

    @property
    def kind(self) -> str:
        """Return what kind of change it is."""
        return str(self.part[0])


def gentle_changes(phrases: Phrases, elements: Sequence[Element]) -> Iterator[Change]:
    """Yield changes that leave the rules and the cluster as they are: picks, bounds and constraints given up."""
    staging = phrases.staging
    for element in elements:
        if element[0] == "pick":
            node = element[1]
            picks = tuple(pick for pick in staging.picks if pick.node != node)
            text = f"drop the pick {phrases.pick(node)} on {phrases.node(node)}"
            yield Change(element, text, replace(staging, picks=picks))
    for element in elements:
        if element[0] in ("least", "most"):
            yield from _changed_bounds(phrases, element)
    for number in sorted({element[1] for element in elements if element[0] in ("constraint", "apart")}):
        constraints = list(staging.constraints)
        dropped = constraints.pop(number)
        text = f"drop constraint {number + 1} ({phrases.constraint(dropped)})"
        yield Change(("constraint", number), text, replace(staging, constraints=tuple(constraints)))


def harder_changes(phrases: Phrases, elements: Sequence[Element]) -> Iterator[Change]:
    """Yield changes of the rules, and of the cluster if it is a graph: an edge or node less, modules that agree."""
    graph = phrases.staging.cluster
    yield from _smaller_graphs(phrases, graph, elements) if isinstance(graph, Graph) else ()
    yield from _allowances(phrases, [element for element in elements if element[0] == "edge"])
    for element in elements:
        if element[0] == "node" and not phrases.may_hold(element[1]):
            yield from _fitting(phrases, element[1])


def _smaller_graphs(phrases: Phrases, graph: Graph, elements: Sequence[Element]) -> Iterator[Change]:
    """Yield the graph without an edge of the clash, then without a node; something has to be left of it."""
    for element in elements:
        if element[0] == "edge":
            _, layer, node, orbital = element
            gone = np.arange(len(graph.edges)) == _row_of(phrases, graph, layer, node, orbital)
            ends = f"{phrases.node(node)} and {phrases.node(phrases.neighbour(layer, node, orbital))}"
            if not gone.all():
                text = f"take away the edge between {ends}"
                yield Change(element, text, _without_edges(phrases.staging, graph, gone))
    for element in elements:
        if element[0] == "node":
            gone = (graph.edges == element[1]).any(axis=1)
            if not gone.all():
                text = f"take away {phrases.node(element[1])} with its edges"
                yield Change(element, text, _without_edges(phrases.staging, graph, gone))


def _changed_bounds(phrases: Phrases, element: Element) -> Iterator[Change]:
    """Yield a bound that is milder by one, then none at all."""
    kind, number = element
    rules = phrases.staging.rules
    module = rules.modules[number]
    bound = module.least if kind == "least" else module.most
    assert bound is not None, "a bound that clashes is there"
    yield _with_bound(phrases.staging, kind, number, bound, bound - 1 if kind == "least" else bound + 1)
    modules = list(rules.modules)
    modules[number] = replace(module, least=0) if kind == "least" else replace(module, most=None)
    text = f"drop the rule of at {kind} {bound} of {phrases.module(number)}"
    staging = replace(phrases.staging, rules=replace(rules, modules=tuple(modules)))
    yield Change(element, text, staging, bound)


def _row_of(phrases: Phrases, graph: Graph, layer: int, node: int, orbital: int) -> int:
    """Return which edge of the graph an edge of a layer is."""
    other = phrases.neighbour(layer, node, orbital)
    back = int(phrases.cache.back_orbitals[layer][node, orbital])
    for row, (first, second) in enumerate(graph.edges.tolist()):
        if {first, second} == {node, other}:
            if graph.orbitals is None:
                return row
            ends = (orbital, back) if first == node else (back, orbital)
            if tuple(graph.orbitals[row, layer].tolist()) == ends:
                return row
    raise AssertionError("every edge of a layer is an edge of the graph")


def _without_edges(staging: Staging, graph: Graph, gone: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Staging:
    orbitals = None if graph.orbitals is None else graph.orbitals[~gone]
    return replace(staging, cluster=Graph(graph.positions, graph.edges[~gone], orbitals, graph.names))


def _allowances(phrases: Phrases, edges: Sequence[Element]) -> Iterator[Change]:
    """Yield two modules each that could be allowed to stand beside each other."""
    seen = set()
    for _, layer, node, orbital in edges:
        other = phrases.neighbour(layer, node, orbital)
        back = int(phrases.cache.back_orbitals[layer][node, orbital])
        here, there = phrases.may_hold(node), phrases.may_hold(other)
        if not here or not there or len(here) * len(there) > MAX_PAIRS:
            continue
        agrees = agreement(phrases.staging.rules, layer, orbital, back)
        for first in here:
            for second in there:
                key = (layer, *sorted(((orbital, first), (back, second))))
                if agrees[first, second] or key in seen or (node == other and first != second):
                    continue
                seen.add(key)
                text = f"allow {phrases.module(second)} beside {phrases.module(first)}, {phrases.side(layer, orbital)}"
                yield Change(
                    ("allow", layer, orbital, first, back, second),
                    text,
                    _allowing(phrases.staging, layer, (first, orbital), (second, back)),
                )


def _allowing(staging: Staging, layer: int, first: tuple[int, int], second: tuple[int, int]) -> Staging:
    """Return the task with two modules allowed beside each other: each with the orbital on which it has the other."""
    modules = list(staging.rules.modules)
    for (module, orbital), (guest, _) in ((first, second), (second, first)):
        modules[module] = _with_guest(modules[module], layer, orbital, guest)
    return replace(staging, rules=replace(staging.rules, modules=tuple(modules)))


def _with_guest(module: Module, layer: int, orbital: int, guest: int) -> Module:
    bonds = list(module.bonds)
    before = bonds[layer]
    neighbours = list(before.neighbours)
    allowed = neighbours[orbital] if orbital < len(neighbours) else None
    if allowed is None:
        return module
    neighbours[orbital] = allowed | 1 << guest
    bonds[layer] = replace(before, neighbours=tuple(neighbours))
    return replace(module, bonds=tuple(bonds))


def _fitting(phrases: Phrases, node: int) -> Iterator[Change]:
    """Yield modules that would fit a node where none does, if they asked for less; those that ask for least first."""
    wanted = {
        number: list(phrases.misfits(node, number))
        for number, module in enumerate(phrases.staging.rules.modules)
        if module.placement != EXCLUDED
    }
    nearest = sorted(wanted, key=lambda number: len(wanted[number]))
    for number in [module for module in nearest if len(wanted[module]) <= MAX_MISFITS][:MAX_FITTING]:
        asks = [
            f"{'without' if missing else 'with'} a neighbour {phrases.side(layer, orbital)}"
            for layer, orbital, missing in wanted[number]
        ]
        text = f"let {phrases.module(number)} stand {listed(asks, MAX_MISFITS)}"
        yield Change(("fit", node, number), text, _with_module(phrases.staging, number, wanted[number]))


def _with_module(staging: Staging, number: int, waived: Sequence[Misfit]) -> Staging:
    modules = list(staging.rules.modules)
    bonds = list(modules[number].bonds)
    for layer, orbital, _ in waived:
        others = ~(1 << orbital)
        before = bonds[layer]
        bonds[layer] = replace(
            before,
            orbital_mask=before.orbital_mask & others,
            boundary_mask=before.boundary_mask & others,
            wildcard_mask=before.wildcard_mask & others,
        )
    modules[number] = replace(modules[number], bonds=tuple(bonds))
    return replace(staging, rules=replace(staging.rules, modules=tuple(modules)))


def resolve_bound(change: Change, fill: Sequence[int]) -> Change:
    """Where a bound was given up, return the change that asks for as many as a fill holds instead."""
    if change.bound is None:
        return change
    kind, module, before = change.part[0], change.part[1], change.bound
    return _with_bound(change.staging, kind, module, before, list(fill).count(module))


def _with_bound(staging: Staging, kind: str, module: int, before: int, bound: int) -> Change:
    modules = list(staging.rules.modules)
    changed = modules[module]
    modules[module] = replace(changed, least=bound) if kind == "least" else replace(changed, most=bound)
    text = f"ask for at {kind} {bound} of {show_value(changed.key)} instead of {before}"
    rules = replace(staging.rules, modules=tuple(modules))
    return Change((kind, module), text, replace(staging, rules=rules))
