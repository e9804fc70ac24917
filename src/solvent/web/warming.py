"""Load what questions need before the first is asked. Importing this module does it, once for all workers.

The process that has the workers imports it, so that each worker is born with every kernel in place. The first time on a
machine the kernels are compiled, which takes a minute or two; after that they are only loaded.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Iterator

from solvent import asking
from solvent.batch.workers import nursery
from solvent.batch.workers.guarding import ORPHAN_EXIT
from solvent.batch.workers.work import warm_up
from solvent.core.domain import Domain, Explaining, Hinting
from solvent.reading import parse_problem
from solvent.registry import all_domains
from solvent.web.priority import give_way

NODES = 2_000
EXAMPLES = 2
"""How many examples of a domain are explained; their questions have been asked by then."""
STEPS = 5
SECONDS_BETWEEN_LOOKS = 0.5


def warm_all() -> None:
    """Ask, hint and explain a little of everything; whatever goes wrong is for the requests to tell."""
    give_way()  # and with it every worker that is born here
    with _while_wanted():
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


@contextlib.contextmanager
def _while_wanted() -> Iterator[None]:
    """End this process if the server ends meanwhile, however that comes about: compiling may take minutes.

    The thread is gone afterwards, since a process with threads must not have children.
    """
    server = nursery.leader_number or os.getppid()  # it may have ended already
    over = threading.Event()

    def look_on() -> None:
        while not over.wait(SECONDS_BETWEEN_LOOKS):
            if os.getppid() != server:
                os._exit(ORPHAN_EXIT)

    looking = threading.Thread(target=look_on, name="solvent warming", daemon=True)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()


warm_all()
