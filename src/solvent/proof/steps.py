"""Take certificates apart into steps, each form in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.core.errors import BadOption, show_value

P = TypeVar("P")


def steps_by_form(
    forms: Mapping[str, Callable[[P, Certificate, Meter], Iterator[ProofStep]]],
    problem: P,
    certificate: Certificate,
    meter: Meter,
) -> Iterator[ProofStep]:
    """Return the steps of an accepted certificate, or raise BadOption if its form is not among those given."""
    form = certificate["form"]
    if form not in forms:
        raise BadOption(f"the form {show_value(form)} has no steps to show")
    return forms[form](problem, certificate, meter)
