"""What an argument offers: one thing that follows about one node.

A situation maps each node to the mask of modules that may still stand on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from solvent.drawing.phrases import listed
from solvent.valency.model import numbers_in
from solvent.valency.phrases import Phrases

Situation = Mapping[int, int]

CONTRADICTION = -1
"""Stands for a node where nothing is left anywhere: a count or a cut cannot be kept."""
MAX_NAMED = 4


@dataclass(frozen=True, slots=True)
class Offer:
    """Hold one thing that follows."""

    node: int
    """The node it is about, or CONTRADICTION."""
    left: int
    """What may stand there afterwards."""
    sources: tuple[int, ...]
    """The nodes it follows from."""
    reason: Callable[[Situation], str]
    """Says why, as the first half of a sentence, in the situation from which it follows."""
    subject: str
    """What to call the node in the second half of the sentence."""


Argument = Callable[[Situation], Iterator[Offer]]


def held(phrases: Phrases, situation: Situation, node: int) -> str:
    """Say what may stand on a node, as far as is known."""
    names = phrases.module_names(numbers_in(situation[node]))
    if len(names) > MAX_NAMED:
        return f"{phrases.node(node)} can only be one of {situation[node].bit_count()} modules"
    verb = "is" if len(names) == 1 else "can only be"
    return f"{phrases.node(node)} {verb} {listed(names, MAX_NAMED, 'or')}"


def not_all(phrases: Phrases, masks: Mapping[int, int], reason: Callable[[Situation], str]) -> Argument:
    """Argue that not every one of some nodes holds a module of its mask."""

    def follow(situation: Situation) -> Iterator[Offer]:
        free = [node for node, mask in masks.items() if situation[node] & ~mask]
        if not free:
            yield Offer(CONTRADICTION, 0, tuple(masks), reason, "")
        elif len(free) == 1 and situation[free[0]] & masks[free[0]]:
            others = tuple(node for node in masks if node != free[0])
            yield Offer(free[0], situation[free[0]] & ~masks[free[0]], others, reason, phrases.node(free[0]))

    return follow
