"""Import what requests need before the first one comes. Importing this module does it.

The fork server of a queue imports it; otherwise the first instance of each domain would be slow in every worker.
"""

from __future__ import annotations

import contextlib
from typing import Any

from solvent import asking
from solvent.core.domain import Domain, Drawing
from solvent.reading import format_problem, parse_problem
from solvent.registry import all_domains
from solvent.web import work as work  # what workers are asked to do
from solvent.web.examples import bundled_examples

NODES = 2_000
SECONDS = 1.0


def prepare_all() -> None:
    """Read, write, draw and ask about one instance of each domain; errors are left to the requests."""
    bundled_examples()
    for domain in all_domains():
        for example in domain.examples()[:1]:
            with contextlib.suppress(Exception):
                _try(domain, parse_problem(example.text, domain=domain.name))


def _try(domain: Domain[Any], problem: object) -> None:
    format_problem(problem)
    domain.draw_svg(problem, Drawing())
    if domain.page is not None:
        domain.page.data(problem)
    for question in domain.questions:
        asking.ask(problem, question, budget=asking.limits(seconds=SECONDS, nodes=NODES))
    if domain.hints is not None:
        next(asking.hints(problem, budget=asking.limits(seconds=SECONDS, nodes=NODES)), None)


prepare_all()
