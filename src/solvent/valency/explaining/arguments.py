"""The single arguments a chain is made of: what follows from one part of a clash, given what may still stand where.

A situation maps each node to the mask of modules that may still stand on it. An argument looks at a situation and
offers what follows, one node at a time; a chain takes one offer after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from solvent.drawing.phrases import listed
from solvent.valency.explaining.join_arguments import of_cycle, through
from solvent.valency.explaining.limit_arguments import arguments_of_limit
from solvent.valency.explaining.offers import CONTRADICTION, MAX_NAMED, Argument, Offer, Situation, held
from solvent.valency.model import Acyclic, Connected, Count, Path, Separation, mask_of, numbers_in
from solvent.valency.phrases import Element, Phrases
from solvent.valency.rules import Truths, agreement


def _constant(reason: str, _: Situation) -> str:
    return reason


class Arguments:
    """Make the arguments of a clash over some nodes."""

    def __init__(self, phrases: Phrases, nodes: Sequence[int], elements: Sequence[Element]) -> None:
        self.phrases = phrases
        self.nodes = list(nodes)
        self.inside = set(nodes)
        self.elements = elements
        self._supports: dict[tuple[int, int, int], list[int]] = {}

    def start(self) -> dict[int, int]:
        """Return what may stand on each node at first. All of them are to be filled."""
        return {node: mask_of(self.phrases.may_hold(node)) for node in self.nodes}

    def all(self, cuts: Sequence[Mapping[str, Any]]) -> list[Argument]:
        """Return the arguments of all elements, and of the cuts and cycles."""
        found: list[Argument] = []
        for element in self.elements:
            kind = element[0]
            if kind == "edge":
                found += self._of_edge(*element[1:])
            elif kind == "apart":
                found += self._of_separation(*element[1:])
            elif kind in ("least", "most"):
                module = self.phrases.staging.rules.modules[element[1]]
                least = module.least if kind == "least" else 0
                most = module.most if kind == "most" else None
                found.append(self._of_count(Count(1 << element[1], least, most)))
            elif kind == "constraint":
                constraint = self.phrases.staging.constraints[element[1]]
                if isinstance(constraint, Count):
                    found.append(self._of_count(constraint))
                elif isinstance(constraint, Path):
                    found.append(self._of_ends(constraint))
                else:
                    found += arguments_of_limit(self.phrases, self.nodes, constraint)
        if any(element[0] == "most" for element in self.elements):
            found.append(self._of_room())
        for cut in cuts:
            constraint = self.phrases.staging.constraints[cut["constraint"]]
            if isinstance(constraint, Acyclic):
                found.append(of_cycle(self.phrases, constraint, cut))
            elif isinstance(constraint, Connected | Path):
                found.append(self._of_cut(constraint, cut))
        return found

    def _of_edge(self, layer: int, node: int, orbital: int) -> list[Argument]:
        phrases = self.phrases
        other = phrases.neighbour(layer, node, orbital)
        back = int(phrases.cache.back_orbitals[layer][node, orbital])
        if node == other:
            return [self._of_loop(layer, node, orbital, back)]
        there, here = (self._support(layer, *pair) for pair in ((orbital, back), (back, orbital)))
        return [
            self._along(node, other, there, f", {phrases.side(layer, orbital)},"),
            self._along(other, node, here, f", {phrases.side(layer, back)},"),
        ]

    def _of_separation(self, number: int, node: int, other: int) -> list[Argument]:
        separation = self.phrases.staging.constraints[number]
        assert isinstance(separation, Separation)
        everything = (1 << len(self.phrases.staging.rules.modules)) - 1
        one, two = separation.modules, separation.others or separation.modules
        support = [
            everything & ~(two if one >> module & 1 else 0) & ~(one if two >> module & 1 else 0)
            for module in range(len(self.phrases.staging.rules.modules))
        ]
        near = ", too near it,"
        return [self._along(node, other, support, near), self._along(other, node, support, near)]

    def _along(self, source: int, target: int, support: list[int], where: str) -> Argument:
        phrases = self.phrases

        def follow(situation: Situation) -> Iterator[Offer]:
            goal, seen = situation[target], 0
            for module in numbers_in(situation[source]):
                seen |= support[module]
                if not goal & ~seen:
                    return
            yield Offer(
                target,
                goal & seen,
                (source,),
                lambda at: held(phrases, at, source),
                f"{phrases.node(target)}{where}",
            )

        return follow

    def _of_loop(self, layer: int, node: int, orbital: int, back: int) -> Argument:
        support = self._support(layer, orbital, back)
        itself = mask_of(module for module, others in enumerate(support) if others >> module & 1)
        name = self.phrases.node(node)
        reason = f"{name} is its own neighbour on {self.phrases.orbital(layer, orbital)}"

        def follow(situation: Situation) -> Iterator[Offer]:
            if situation[node] & ~itself:
                yield Offer(node, situation[node] & itself, (), lambda _: reason, name)

        return follow

    def _support(self, layer: int, orbital: int, back: int) -> list[int]:
        """Return for each module at the start of an edge the mask of those that agree at its end."""
        key = (layer, orbital, back)
        if key not in self._supports:
            matrix = agreement(self.phrases.staging.rules, *key)
            rows = np.packbits(matrix, axis=1, bitorder="little")
            self._supports[key] = [int.from_bytes(row.tobytes(), "little") for row in rows]
        return self._supports[key]

    def _of_count(self, count: Count) -> Argument:
        phrases = self.phrases
        scope = [node for node in self.nodes if not count.nodes or node in count.nodes]
        names = phrases.modules(numbers_in(count.modules))
        among = f" of the {len(count.nodes)} nodes that count" if count.nodes else " nodes"
        least = count.least - (self._outside(count) if count.least else 0)

        def follow(situation: Situation) -> Iterator[Offer]:
            may = [node for node in scope if situation[node] & count.modules]
            must = [node for node in may if not situation[node] & ~count.modules]
            if count.most is not None and len(must) >= count.most:
                taken = tuple(must)

                def full(_: Situation) -> str:
                    if not count.most and not taken:
                        return f"There may be no {names}"
                    return f"There is {names} on {phrases.nodes(taken)} already, and on {count.most}{among} at most"

                if len(must) > count.most:
                    yield Offer(CONTRADICTION, 0, taken, full, "")
                for node in may:
                    if situation[node] & ~count.modules:
                        yield Offer(node, situation[node] & ~count.modules, taken, full, phrases.node(node))
            if least > 0 and len(may) <= least:
                able = len(may) + count.least - least

                def few(_: Situation) -> str:
                    only = f"only {able} still can" if able else "none can"
                    return f"At least {count.least}{among} must hold {names}, and {only}"

                others = tuple(node for node in scope if node not in may)
                if len(may) < least:
                    yield Offer(CONTRADICTION, 0, others, few, "")
                for node in may:
                    if situation[node] & ~count.modules:
                        yield Offer(node, situation[node] & count.modules, others, few, phrases.node(node))

        return follow

    def _of_room(self) -> Argument:
        """Argue that modules of which there may be only so many have no room for all nodes that need one of them."""
        phrases = self.phrases
        most = {
            element[1]: phrases.staging.rules.modules[element[1]].most
            for element in self.elements
            if element[0] == "most"
        }
        bounded, room = mask_of(most), sum(bound or 0 for bound in most.values())

        def follow(situation: Situation) -> Iterator[Offer]:
            need = tuple(node for node in self.nodes if not situation[node] & ~bounded)
            if len(need) > room:
                names = listed([f"{bound} of {phrases.module(module)}" for module, bound in most.items()], MAX_NAMED)
                reason = f"{len(need)} nodes need {phrases.modules(most)}, and there may be at most {names}"
                yield Offer(CONTRADICTION, 0, need, lambda _: reason, "")

        return follow

    def _outside(self, count: Count) -> int:
        """Return how many nodes that do not take part in the clash could count, at most."""
        placement = self.phrases.placement
        wanted = numbers_in(count.modules)
        classes: Truths = np.any(placement.free[:, wanted], axis=1)
        able = classes[placement.class_of] & self.phrases.cache.open_nodes
        meant = np.any(placement.picked.truths(placement.free.shape[1])[:, wanted], axis=1)
        able |= meant[placement.picked.meaning_of]
        able[self.nodes] = False
        return int(able[list(count.nodes)].sum() if count.nodes else able.sum())

    def _of_ends(self, path: Path) -> Argument:
        phrases = self.phrases

        def follow(situation: Situation) -> Iterator[Offer]:
            for node, verb in ((path.start, "begins"), (path.end, "ends")):
                if situation[node] & ~path.modules:
                    reason = partial(_constant, f"A path {verb} at {phrases.node(node)}")
                    yield Offer(node, situation[node] & path.modules, (), reason, phrases.node(node))

        return follow

    def _of_cut(self, join: Connected | Path, cut: Mapping[str, Any]) -> Argument:
        """Argue that something must lead out of some nodes."""
        phrases = self.phrases
        inside = set(cut["inside"])
        crossing = [
            (layer, ends)
            for layer, edges in enumerate(phrases.cache.edges)
            for ends in zip(
                edges.source.tolist(), edges.source_orbital.tolist(), edges.target.tolist(),
                edges.target_orbital.tolist(), strict=True,
            )
            if (ends[0] in inside) != (ends[2] in inside) and {ends[0], ends[2]} <= self.inside
        ]  # fmt: skip
        start, end = (join.start, join.end) if isinstance(join, Path) else (cut["from"], cut["to"])
        names = phrases.modules(numbers_in(join.modules))
        sources = tuple({node for _, ends in crossing for node in (ends[0], ends[2])} | {start, end})

        masks = [
            (ends[0], through(join, layer, ends[1]), ends[2], through(join, layer, ends[3])) for layer, ends in crossing
        ]

        def reason(_: Situation) -> str:
            return f"{names} cannot lead out of {phrases.nodes(sorted(inside), MAX_NAMED)}"

        def follow(situation: Situation) -> Iterator[Offer]:
            ends = [node for node in (start, end) if not situation[node] & ~join.modules]
            ways = [one for one in masks if situation[one[0]] & one[1] and situation[one[2]] & one[3]]
            if not ends or len(ways) > 1 or not all(situation[node] & join.modules for node in (start, end)):
                return
            if len(ends) < 2:
                other = end if ends[0] == start else start
                if not ways and situation[other] & join.modules:
                    yield Offer(
                        other,
                        situation[other] & ~join.modules,
                        sources,
                        lambda at: f"{reason(at)} to join {phrases.node(ends[0])}",
                        phrases.node(other),
                    )
            elif not ways:
                yield Offer(
                    CONTRADICTION,
                    0,
                    sources,
                    lambda at: f"{reason(at)}, but {phrases.node(start)} and {phrases.node(end)} must connect",
                    "",
                )
            else:
                first, here, second, there = ways[0]
                for node, mask in ((first, here), (second, there)):
                    if situation[node] & ~mask:
                        yield Offer(
                            node,
                            situation[node] & mask,
                            sources,
                            lambda _: (
                                f"{names} can only go on between {phrases.node(first)} and {phrases.node(second)}"
                            ),
                            phrases.node(node),
                        )

        return follow
