"""Load what questions need before the first is asked. Importing this module does it, once for all workers.

The process that has the workers imports it, so that each worker is born with every kernel in place. The first time on a
machine the kernels are compiled, which takes a minute or two; after that they are only loaded.
"""

from __future__ import annotations

import contextlib
import itertools

from solvent import asking
from solvent.batch.workers.work import warm_up
from solvent.core.domain import Domain, Explaining, Hinting
from solvent.reading import parse_problem
from solvent.registry import all_domains

NODES = 2_000
EXAMPLES = 2
"""How many examples of a domain are explained; their questions have been asked by then."""
STEPS = 5


def warm_all() -> None:
    """Ask, hint and explain a little of everything; whatever goes wrong is for the requests to tell."""
    for domain in all_domains():
        warm_up(domain.name, tuple(domain.questions))
        for example in domain.examples()[:EXAMPLES]:
            with contextlib.suppress(Exception):
                _try(domain, parse_problem(example.text, domain=domain.name))


def _try(domain: Domain, problem: object) -> None:
    if isinstance(domain, Hinting):
        for _ in itertools.islice(asking.hints(problem, budget=asking.limits(seconds=2, nodes=NODES)), STEPS):
            pass
    if isinstance(domain, Explaining):
        asking.explain(problem, budget=asking.limits(seconds=2, nodes=NODES))


warm_all()
