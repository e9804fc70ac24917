"""The arguments of constraints about circles and loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solvent.valency.explaining.offers import MAX_NAMED, Argument, Offer, Situation, not_all
from solvent.valency.model import Acyclic, Connected, Loop, Path, mask_of, numbers_in
from solvent.valency.phrases import Phrases

JOINS = 2
"""How many joins a node of a loop has."""


def through(join: Connected | Path | Acyclic, layer: int, orbital: int) -> int:
    """Return the mask of modules of a constraint that one can leave through an orbital."""
    exits = join.exits[layer] if join.exits else None
    return mask_of(m for m in numbers_in(join.modules) if exits is None or exits[m] >> orbital & 1)


def of_cycle(phrases: Phrases, acyclic: Acyclic, cycle: Mapping[str, Any]) -> Argument:
    """Argue that not all edges of a circle join their ends."""
    masks: dict[int, int] = {}
    for layer, node, orbital in cycle["edges"]:
        other, back = phrases.neighbour(layer, node, orbital), int(phrases.cache.back_orbitals[layer][node, orbital])
        for end, exit_there in ((node, orbital), (other, back)):
            masks[end] = masks.get(end, acyclic.modules) & through(acyclic, layer, exit_there)
    names = phrases.modules(numbers_in(acyclic.modules))
    return not_all(
        phrases, masks, lambda _: f"{names} may not go around a circle through {phrases.nodes(masks, MAX_NAMED)}"
    )


@dataclass(frozen=True, slots=True)
class _Way:
    """Hold one edge of a node, as it is seen from there."""

    here: int
    """The modules through which it can be left."""
    other: int
    """Where it leads."""
    there: int
    """The modules through which one gets back."""
    known: bool
    """Whether something is known of the node there."""

    def may(self, module: int, situation: Situation) -> bool:
        """Tell whether the edge may join a module on the node."""
        return bool(self.here >> module & 1) and (not self.known or bool(situation[self.other] & self.there))

    def must(self, module: int, situation: Situation) -> bool:
        """Tell whether the edge joins a module on the node, whatever stands there."""
        return bool(self.here >> module & 1) and self.known and not situation[self.other] & ~self.there


def of_loop(phrases: Phrases, loop: Loop, node: int, nodes: Sequence[int]) -> Argument:
    """Argue that a node of a loop has two joins: what may stand there, and on its neighbours."""
    inside = set(nodes)
    ways: list[_Way] = []
    for layer, beside in enumerate(phrases.cache.neighbours):
        for orbital, other in enumerate(beside[node].tolist()):
            if other >= 0:
                back = int(phrases.cache.back_orbitals[layer][node, orbital])
                here, there = through(loop, layer, orbital), through(loop, layer, back)
                if other == node:  # it joins itself if one module has both exits
                    here, there = here & there, -1
                ways.append(_Way(here, other, there, other in inside and other != node))
    sources = tuple(sorted({way.other for way in ways if way.known}))
    name = phrases.node(node)

    def reason(_: Situation) -> str:
        return f"Each node of a loop has {JOINS} joins, and {name} is beside {phrases.nodes(sources, MAX_NAMED)}"

    def follow(situation: Situation) -> Iterator[Offer]:
        able = [m for m in numbers_in(situation[node] & loop.modules) if _fits(ways, m, situation)]
        left = situation[node] & ~loop.modules | mask_of(able)
        if left != situation[node]:
            yield Offer(node, left, sources, reason, name)
            return
        if situation[node] & ~loop.modules or not able:
            return
        for way in ways:
            if not way.known:
                continue
            if all(way.may(m, situation) and _count_may(ways, m, situation) == JOINS for m in able):
                goal = situation[way.other] & way.there
            elif all(
                way.here >> m & 1 and not way.must(m, situation) and _count_must(ways, m, situation) == JOINS
                for m in able
            ):
                goal = situation[way.other] & ~way.there
            else:
                continue
            if goal != situation[way.other]:
                others = tuple(sorted({node, *sources} - {way.other}))
                yield Offer(way.other, goal, others, reason, phrases.node(way.other))

    return follow


def _fits(ways: Sequence[_Way], module: int, situation: Situation) -> bool:
    return _count_may(ways, module, situation) >= JOINS >= _count_must(ways, module, situation)


def _count_may(ways: Sequence[_Way], module: int, situation: Situation) -> int:
    return sum(way.may(module, situation) for way in ways)


def _count_must(ways: Sequence[_Way], module: int, situation: Situation) -> int:
    return sum(way.must(module, situation) for way in ways)
