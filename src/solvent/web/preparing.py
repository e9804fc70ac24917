"""Import what reading, playing and drawing need before the first request. Importing this module does it.

The process that has the quick workers imports it; without, the first instance of each domain would be slow in each of
them. Kernels are loaded if they are there; compiling them takes longer, and is for the other lane.
"""

from __future__ import annotations

import contextlib

from solvent import asking
from solvent.core.domain import Domain, Drawing
from solvent.core.events import Event
from solvent.core.workbench import Playing
from solvent.reading import format_problem, parse_problem
from solvent.registry import all_domains
from solvent.web import work as work  # what workers are asked to do
from solvent.web.bundled import bundled_examples


def prepare_all() -> None:
    """Read, write and draw one instance of each domain; whatever goes wrong is for the requests to tell."""
    bundled_examples()
    for domain in all_domains():
        for example in domain.examples()[:1]:
            with contextlib.suppress(Exception), asking.while_compiling(_refuse):
                _try(domain, parse_problem(example.text, domain=domain.name))


def _refuse(_event: Event) -> None:
    raise TimeoutError("a kernel would have to be compiled")


def _try(domain: Domain, problem: object) -> None:
    format_problem(problem)
    domain.draw_svg(problem, Drawing())
    if isinstance(domain, Playing):
        domain.scene(problem)


prepare_all()
