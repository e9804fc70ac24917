"""The domains and examples that the conformance tests run over, and answers shared between tests."""

from __future__ import annotations

import functools
from typing import Any

from helpers.examples import TEMPLATE, domain_named, examples_of, load_example
from solvent import asking
from solvent.core.answer import Answer, Verdict
from solvent.core.budget import UNLIMITED, Budget
from solvent.core.events import ignore
from solvent.core.examples import Example
from solvent.core.options import resolve_options
from solvent.registry import domain_names

NAMES = (*domain_names(), TEMPLATE)
GENEROUS_NODES = 5_000_000
"""Every example of every domain must be settled within this much work."""


@functools.cache
def answer_of(name: str, example_name: str, question: str) -> Answer:
    """Ask once, however many tests look at the answer."""
    return asking.ask(load_example(name, example_name), question, budget=Budget(nodes=GENEROUS_NODES))


@functools.cache
def generated(name: str, seed: int) -> Any:
    """Make an instance with the domain's own defaults, or None if it has no generator."""
    domain = domain_named(name)
    if domain.generator is None:
        return None
    return domain.generator.make(resolve_options(domain.generator.options, {}), seed, ignore, UNLIMITED)


def some_problems(name: str) -> list[Any]:
    """Return every example and a few generated instances."""
    problems = [load_example(name, example.name) for example in examples_of(name)]
    made = [generated(name, seed) for seed in range(3)]
    return [*problems, *(problem for problem in made if problem is not None)]


def settled(name: str, verdict: Verdict) -> list[tuple[Example, str]]:
    """Return the examples and questions whose answer is this verdict."""
    return [
        (example, question)
        for example in examples_of(name)
        for question, expected in example.expected.items()
        if expected is verdict
    ]
