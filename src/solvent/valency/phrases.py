"""Name nodes, modules and what can clash as the author of the task does. The one home of these phrases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.drawing.phrases import counted, listed, plural
from solvent.valency.limit_phrases import describe_limit
from solvent.valency.model import (
    Connected,
    Constraint,
    Count,
    Loop,
    Only,
    Parity,
    Path,
    Separation,
    Staging,
    numbers_in,
)
from solvent.valency.orbitals import OrbitalCache, build_cache, node_name
from solvent.valency.rules import Placement, Truths, place
from solvent.valency.slices import slices

Element = tuple[Any, ...]
"""One part of a clash: its kind, then its numbers; see `read_element`."""

Misfit = tuple[int, int, bool]
"""A layer, an orbital, and whether a neighbour is missing there; otherwise there is one that must not be."""

MAX_MODULES = 4
"""How many modules a sentence names; the others are counted."""
MAX_NODES = 6
"""How many nodes, picks or edges a sentence names."""


def read_element(given: Mapping[str, Any]) -> Element:
    """Return an element of a certificate as a tuple: ("edge", 0, 12, 2) for {"edge": [0, 12, 2]}."""
    kind, value = next(iter(given.items()))
    return (kind, *value) if isinstance(value, list | tuple) else (kind, value)


def sentence(text: str) -> str:
    """Begin a sentence with a capital; a name that the task gives stays as it is."""
    return f"Node{text[4:]}" if text.startswith("node ") else text


def describe_side(orbital: str, others: Container[str] = ()) -> str:
    """Say on which side of a node something is, by the name of the orbital: 'on its right', 'below it'.

    `others` are the orbitals of the layer: where these distinguish up from above, so does the result.
    """
    if orbital in ("right", "left"):
        return f"on its {orbital}"
    if orbital in ("above", "below"):
        return f"{orbital} it"
    if orbital in ("up", "down"):
        upright = "above" if orbital == "up" else "below"
        return f"{orbital} from it" if upright in others else f"{upright} it"
    return f"on its {orbital}"


class Phrases(Struct, frozen=True, eq=False, dict=True):
    """Know what the parts of one task are called."""

    staging: Staging
    cache: OrbitalCache
    placement: Placement

    @classmethod
    def of(cls, staging: Staging, meter: Meter = UNLIMITED) -> Phrases:
        """Look at a task."""
        cache = build_cache(staging, meter)
        return cls(staging, cache, place(staging, cache, meter))

    @cached_property
    def _picks(self) -> dict[int, str]:
        return {pick.node: pick.name for pick in self.staging.picks}

    @cached_property
    def _variants(self) -> Counter[str]:
        return Counter(module.name for module in self.staging.rules.modules)

    def node(self, node: int) -> str:
        """Name a node."""
        return node_name(self.staging.cluster, node)

    def nodes(self, nodes: Iterable[int], most: int = MAX_NODES) -> str:
        """List nodes."""
        return listed([self.node(node) for node in nodes], most)

    def module(self, module: int) -> str:
        """Name a module."""
        return show_value(self.staging.rules.modules[module].key)

    def modules(self, modules: Iterable[int], last: str = "or", most: int = MAX_MODULES) -> str:
        """List modules; where all variants of a name are among them, by that name."""
        return listed(self.module_names(modules), most, last)

    def module_names(self, modules: Iterable[int]) -> list[str]:
        """Return what modules are called: variants that are all there by their name, others by their keys."""
        chosen = list(modules)
        held = Counter(self.staging.rules.modules[module].name for module in chosen)
        names: dict[str, None] = {}
        for module in chosen:
            name = self.staging.rules.modules[module].name
            whole = held[name] == self._variants[name]
            names[show_value(name) if whole else self.module(module)] = None
        return list(names)

    def orbital(self, layer: int, orbital: int) -> str:
        """Name an orbital; with its layer, where there are several."""
        return self.staging.rules.layers[layer].orbital_set.orbitals[orbital].name + self._in_layer(layer)

    def side(self, layer: int, orbital: int) -> str:
        """Say on which side of a node its neighbour on an orbital is; with the layer, where there are several."""
        names = [one.name for one in self.staging.rules.layers[layer].orbital_set.orbitals]
        return describe_side(names[orbital], names) + self._in_layer(layer)

    def _in_layer(self, layer: int) -> str:
        layers = self.staging.rules.layers
        return f" in layer {show_value(layers[layer].name)}" if len(layers) > 1 else ""

    def pick(self, node: int) -> str:
        """Name the pick on a node."""
        return show_value(self._picks.get(node, "?"))

    def misfits(self, node: int, module: int) -> Iterator[Misfit]:
        """Yield everything that keeps a module from fitting a node."""
        for layer, bonds in enumerate(self.staging.rules.modules[module].bonds):
            mask = int(self.cache.masks[layer][node])
            for orbital in numbers_in((bonds.orbital_mask | bonds.wildcard_mask) & ~mask):
                yield layer, orbital, True
            for orbital in numbers_in(bonds.boundary_mask & mask):
                yield layer, orbital, False

    def misfit(self, misfit: Misfit) -> str:
        """Say what a module asks for in vain."""
        layer, orbital, missing = misfit
        return f"{'needs a neighbour' if missing else 'must have none'} {self.side(layer, orbital)}"

    def module_to_add(self, node: int) -> str:
        """Say which module a node lacks that none fits, and which of those there are comes nearest."""
        sides = [
            self.side(layer, orbital)
            for layer, masks in enumerate(self.cache.masks)
            for orbital in numbers_in(int(masks[node]))
        ]
        text = f"add one for a node with neighbours {listed(sides, MAX_NODES)} and nowhere else"
        modules = self.staging.rules.modules
        found = [list(self.misfits(node, module)) for module in range(len(modules))]
        near = min(range(len(modules)), key=lambda module: (len(found[module]), module))
        if not found[near]:
            return f"{text}; {self.module(near)} would fit, but stands only where a pick asks for it"
        asked = listed([self.misfit(misfit) for misfit in found[near]], MAX_NODES)
        return f"{text}; {self.module(near)} comes nearest, but {asked}"

    def may_hold(self, node: int) -> list[int]:
        """Return what may stand on a node before anyone looks at its neighbours."""
        if node in self.placement.picked:
            return list(self.placement.picked[node])
        return np.flatnonzero(self.placement.free[self.placement.class_of[node]]).tolist()

    def neighbour(self, layer: int, node: int, orbital: int) -> int:
        """Return the node at the other end of an edge."""
        return int(self.cache.neighbours[layer][node, orbital])

    def element(self, element: Element) -> str:
        """Say one part of a clash in a sentence."""
        return sentence(self._element(element))

    def _element(self, element: Element) -> str:
        kind = element[0]
        if kind == "node":
            return self._node_sentence(element[1])
        if kind == "pick":
            return self._pick_sentence(element[1])
        if kind == "edge":
            _, layer, node, orbital = element
            other = self.neighbour(layer, node, orbital)
            if other == node:
                return f"{self.node(node)} is its own neighbour on {self.orbital(layer, orbital)}."
            return f"{self.node(node)} and {self.node(other)}, {self.side(layer, orbital)}, must agree."
        if kind == "apart":
            _, number, node, other = element
            separation = self.staging.constraints[number]
            assert isinstance(separation, Separation)
            names, others = (self.modules(numbers_in(mask)) for mask in (separation.modules, separation.others))
            what = f"{names} and {others}" if separation.others else f"{names} both"
            return (
                f"Constraint {number + 1}: {self.node(node)} and {self.node(other)} are too near each other "
                f"to hold {what}."
            )
        if kind in ("least", "most"):
            return f"At {kind} {self._bound(element)} of {self.module(element[1])}."
        return f"Constraint {element[1] + 1}: {self.constraint(self.staging.constraints[element[1]])}."

    def constraint(self, constraint: Constraint) -> str:
        """Say what a constraint asks for."""
        names = self.modules(numbers_in(constraint.modules))
        if isinstance(constraint, Count):
            bounds = [f"at least {constraint.least}"] if constraint.least or constraint.most is None else []
            bounds += [] if constraint.most is None else [f"at most {constraint.most}"]
            where = f" on {self.nodes(constraint.nodes)}" if constraint.nodes else ""
            return f"{' and '.join(bounds)} of {names}{where}"
        if isinstance(constraint, Loop):
            return f"all of {names} must form one loop"
        if isinstance(constraint, Connected):
            return f"all of {names} must be connected"
        if isinstance(constraint, Path):
            return f"{names} all the way from {self.node(constraint.start)} to {self.node(constraint.end)}"
        others = constraint.others if isinstance(constraint, Separation) else 0
        scope = constraint.nodes if isinstance(constraint, Only | Parity) else ()
        return describe_limit(
            constraint,
            names,
            self.modules(numbers_in(others)) if others else "",
            self.nodes(scope) if scope else "",
        )

    def elements(self, elements: Sequence[Element]) -> list[str]:
        """Say all parts of a clash, a sentence each; many of one kind share one."""
        order = ("pick", "node", "edge", "apart", "least", "most", "constraint")
        lines: list[str] = []
        for kind in order:
            chosen = [element for element in elements if element[0] == kind]
            if kind == "edge" and len(chosen) > MAX_NODES:
                pairs = [f"{self.node(node)}–{self.node(self.neighbour(at, node, o))}" for _, at, node, o in chosen]
                lines.append(f"Along {counted(len(pairs), 'edge')} neighbours must agree: {listed(pairs, MAX_NODES)}.")
            elif kind == "node" and len(chosen) > MAX_NODES:
                lines.append(sentence(f"{self.nodes(element[1] for element in chosen)} must be filled."))
            elif kind == "apart" and len(chosen) > MAX_NODES:
                pairs = [f"{self.node(node)}–{self.node(other)}" for _, _, node, other in chosen]
                numbers = sorted({element[1] + 1 for element in chosen})
                which = f"{plural(len(numbers), 'Constraint')} {listed([str(n) for n in numbers], MAX_NODES)}"
                lines.append(f"{which}: {counted(len(pairs), 'pair')} too near each other: {listed(pairs, MAX_NODES)}.")
            else:
                lines += [self.element(element) for element in chosen]
        return lines

    def clash(self, elements: Sequence[Element]) -> str:
        """Say in one sentence which few parts of a task cannot all hold."""
        if len(elements) == 1:
            return self._alone(elements[0])
        picks = [f"{self.pick(element[1])} on {self.node(element[1])}" for element in elements if element[0] == "pick"]
        nodes = [self.node(element[1]) for element in elements if element[0] == "node"]
        edges = sum(element[0] == "edge" for element in elements)
        parts = [f"the {plural(len(picks), 'pick')} {listed(picks, MAX_NODES)}"] if picks else []
        for element in elements:
            if element[0] in ("least", "most"):
                parts.append(f"at {element[0]} {self._bound(element)} of {self.module(element[1])}")
        constraints = sorted({element[1] for element in elements if element[0] in ("constraint", "apart")})
        for number in constraints[:MAX_NODES]:
            parts.append(f"constraint {number + 1} ({self.constraint(self.staging.constraints[number])})")
        if nodes:
            parts.append(f"filling {listed(nodes, MAX_NODES)}")
        if edges:
            parts.append(f"the rules along {counted(edges, 'edge')}")
        return f"These cannot all hold: {'; '.join(parts)}."

    def could_hold(self, modules: int) -> int:
        """Return how many open nodes may hold a module of a mask."""
        wanted = numbers_in(modules)
        classes: Truths = np.any(self.placement.free[:, wanted], axis=1)
        picked = self.placement.picked
        meant = np.any(picked.truths(self.placement.free.shape[1])[:, wanted], axis=1)
        count = 0
        for part in slices(self.cache.nodes, UNLIMITED):
            meanings = picked.meaning_of[part]
            able = np.where(meanings > 0, meant[meanings], classes[self.placement.class_of[part]])
            count += int(np.count_nonzero(able & self.cache.open_nodes[part]))
        return count

    def _alone(self, element: Element) -> str:
        """Say why one part of a task cannot hold by itself."""
        if element[0] == "node":
            return f"No module fits {self.node(element[1])}: {self.module_to_add(element[1])}."
        if element[0] == "pick":
            return f"The pick {self.pick(element[1])} on {self.node(element[1])} cannot be honoured."
        if element[0] == "least":
            able, name = counted(self.could_hold(1 << element[1]), "node"), self.module(element[1])
            return f"At least {self._bound(element)} of {name} are asked for, but only {able} can hold it."
        return f"This cannot hold: {self.element(element)}"

    def _node_sentence(self, node: int) -> str:
        free = np.flatnonzero(self.placement.free[self.placement.class_of[node]]).tolist()
        if not free:
            return f"{self.node(node)} must be filled, but no module fits there."
        names = self.module_names(free)
        if len(names) > MAX_MODULES:
            return f"{self.node(node)} must be filled; {counted(len(free), 'module')} fit there."
        verb = "fits" if len(names) == 1 else "fit"
        return f"{self.node(node)} must be filled; only {listed(names, MAX_MODULES, 'and')} {verb} there."

    def _pick_sentence(self, node: int) -> str:
        meant = self.module_names(self.placement.picked.get(node, ()))
        text = f"The pick {self.pick(node)} on {self.node(node)}"
        if meant and meant != [self.pick(node)]:
            text += f", which means {listed(meant, MAX_MODULES, 'or')}"
        return text + (", though it does not fit there." if node in self.placement.forced else ".")

    def _bound(self, element: Element) -> int | None:
        module = self.staging.rules.modules[element[1]]
        return module.least if element[0] == "least" else module.most
