"""The bundled examples, read once, whatever number of tests looks at them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import template_domain

from solvent.core.domain import Domain
from solvent.core.examples import Example
from solvent.registry import get_domain

TEMPLATE = template_domain.DOMAIN.name


def domain_named(name: str) -> Domain:
    """Return a domain; works at collection too, before the template is registered."""
    return template_domain.DOMAIN if name == TEMPLATE else get_domain(name)


@functools.cache
def examples_of(domain: str) -> Sequence[Example]:
    return domain_named(domain).examples()


@functools.cache
def load_example(domain: str, name: str) -> Any:
    """Return a bundled instance."""
    return domain_named(domain).parse(next(each.text for each in examples_of(domain) if each.name == name))
