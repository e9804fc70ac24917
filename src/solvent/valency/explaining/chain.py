"""Explain a clash step by step: what follows from what, until nothing is left.

Consequences are drawn from the parts of the clash alone, always the one that leaves least. If they run dry, one node
is looked at case by case. Where that does not settle it either, the chain is not finished, and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solvent.drawing.phrases import listed
from solvent.valency.explaining.arguments import Arguments
from solvent.valency.explaining.diagnostics import why_nothing_fits
from solvent.valency.explaining.offers import CONTRADICTION, Argument, Offer, Situation
from solvent.valency.model import numbers_in
from solvent.valency.phrases import Element, Phrases, sentence

MAX_ELEMENTS = 300
"""A clash of more parts is not explained step by step."""
MAX_LINES = 12
"""Steps of a chain that are shown; of the others only the last ones, where it ends."""
MAX_CASES = 4
"""Modules that are looked at case by case."""
MAX_CASE_NODES = 12
"""Nodes that are tried as the one to look at case by case."""
MAX_NAMED = 4


@dataclass(frozen=True, slots=True)
class Deduction:
    """Hold one step: what followed, and what was known before."""

    offer: Offer
    before: int
    line: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Hold a whole chain, from the parts of a clash to where nothing is left."""

    deductions: list[Deduction]
    node: int | None = None
    """The node that is then looked at case by case; None if the deductions end it by themselves."""
    cases: tuple[tuple[int, list[Deduction]], ...] = ()
    """Each module that is left for that node, with what follows from it."""


def narrate(
    phrases: Phrases, nodes: Sequence[int], elements: Sequence[Element], cuts: Sequence[Mapping[str, Any]] = ()
) -> tuple[list[str], bool]:
    """Return lines that show why elements over some nodes clash, and whether they get to the end of it."""
    if len(elements) > MAX_ELEMENTS:
        return ["There are too many parts for a step-by-step explanation."], False
    empty = [node for node in nodes if not phrases.may_hold(node)]
    if empty:
        return why_nothing_fits(phrases, empty[0]), True
    found = reason_out(phrases, nodes, elements, cuts)
    return ([], False) if found is None else (_tell(phrases, found), True)


def reason_out(
    phrases: Phrases, nodes: Sequence[int], elements: Sequence[Element], cuts: Sequence[Mapping[str, Any]] = ()
) -> Reasoning | None:
    """Return why elements over some nodes, each of which some module fits, clash; None if no chain gets there."""
    if len(elements) > MAX_ELEMENTS:
        return None
    arguments = Arguments(phrases, nodes, elements)
    chain = _Chain(phrases, arguments.all(cuts), arguments.start())
    if chain.run():
        return Reasoning(chain.steps(chain.needed([len(chain.deductions) - 1])))
    return _cases(chain)


class _Chain:
    """Draw consequences in one situation, remembering each."""

    def __init__(self, phrases: Phrases, arguments: Sequence[Argument], situation: dict[int, int]) -> None:
        self.phrases = phrases
        self.arguments = arguments
        self.situation = situation
        self.deductions: list[Deduction] = []

    def run(self) -> bool:
        """Draw consequences until nothing is left somewhere, which is True, or nothing more follows."""
        while True:
            offers = [offer for argument in self.arguments for offer in argument(self.situation)]
            if not offers:
                return False
            best = min(offers, key=lambda offer: (offer.left.bit_count(), len(offer.sources)))
            self._take(best)
            if not best.left:
                return True

    def assume(self, node: int, module: int) -> _Chain:
        """Return a chain that goes on from here with one module on a node."""
        chain = _Chain(self.phrases, self.arguments, {**self.situation, node: 1 << module})
        chain.deductions = list(self.deductions)
        return chain

    def _take(self, offer: Offer) -> None:
        before = self.situation.get(offer.node, 0)
        self.deductions.append(Deduction(offer, before, _sentence(self.phrases, self.situation, offer, before)))
        if offer.node != CONTRADICTION:
            self.situation[offer.node] = offer.left

    def needed(self, wanted: Sequence[int]) -> list[int]:
        """Return the deductions that these deductions rest on, with themselves, in order."""
        found: set[int] = set()
        waiting = list(wanted)
        while waiting:
            number = waiting.pop()
            if number in found:
                continue
            found.add(number)
            offer = self.deductions[number].offer
            about = {*offer.sources, offer.node}
            waiting += [earlier for earlier in range(number) if self.deductions[earlier].offer.node in about]
        return sorted(found)

    def steps(self, deductions: Sequence[int]) -> list[Deduction]:
        """Return some steps by their numbers."""
        return [self.deductions[number] for number in deductions]


def _sentence(phrases: Phrases, situation: Situation, offer: Offer, before: int) -> str:
    reason = sentence(offer.reason(situation))
    if offer.node == CONTRADICTION:
        return f"{reason}: that cannot be."
    name = offer.subject
    if not offer.left:
        return f"{reason}, so nothing is left for {name.rstrip(',')}."
    left = phrases.module_names(numbers_in(offer.left))
    gone = phrases.module_names(numbers_in(before & ~offer.left))
    if len(left) == 1:
        return f"{reason}, so {name} is {left[0]}."
    if len(left) <= MAX_NAMED or len(left) <= len(gone):
        return f"{reason}, so {name} can only be {listed(left, MAX_NAMED, 'or')}."
    return f"{reason}, so {name} cannot be {listed(gone, MAX_NAMED, 'or')}."


def _cases(chain: _Chain) -> Reasoning | None:
    """Look at each module that is left for one node; None if no node settles it that way."""
    open_nodes = [node for node, left in chain.situation.items() if 1 < left.bit_count() <= MAX_CASES]
    open_nodes.sort(key=lambda node: chain.situation[node].bit_count())
    found = [cases for node in open_nodes[:MAX_CASE_NODES] if (cases := _cases_of(chain, node)) is not None]
    return min(found, key=lambda cases: len(_tell(chain.phrases, cases)), default=None)


def _cases_of(chain: _Chain, node: int) -> Reasoning | None:
    general: set[int] = set()
    endings = []
    for module in numbers_in(chain.situation[node]):
        branch = chain.assume(node, module)
        if not branch.run():
            return None
        needed = branch.needed([len(branch.deductions) - 1])
        # Why only these modules are left for the node matters as well, and so do the deductions before the cases.
        general.update(number for number in needed if number < len(chain.deductions))
        endings.append((module, branch.steps([number for number in needed if number >= len(chain.deductions)])))
    about_node = [number for number, step in enumerate(chain.deductions) if step.offer.node == node]
    return Reasoning(chain.steps(chain.needed([*about_node, *general])), node, tuple(endings))


def _tell(phrases: Phrases, reasoning: Reasoning) -> list[str]:
    shown = _shorten([step.line for step in reasoning.deductions])
    if reasoning.node is not None:
        shown.append(describe_cases(phrases, reasoning))
    for module, steps in reasoning.cases:
        shown.append(f"If it is {phrases.module(module)}:")
        shown += [f"  {line}" for line in _shorten([step.line for step in steps])]
    return shown


def describe_cases(phrases: Phrases, reasoning: Reasoning) -> str:
    """Say which node is looked at case by case."""
    assert reasoning.node is not None
    return sentence(f"{phrases.node(reasoning.node)} is {phrases.modules(module for module, _ in reasoning.cases)}.")


def _shorten(lines: list[str]) -> list[str]:
    if len(lines) <= MAX_LINES:
        return lines
    last = MAX_LINES // 3
    first = MAX_LINES - last - 1
    return [*lines[:first], f"… and so on, {len(lines) - first - last} more deductions, until:", *lines[-last:]]
