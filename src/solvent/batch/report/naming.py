"""What domains, questions and figures are called, also where a domain is not installed any more."""

from __future__ import annotations

from typing import Any

from solvent.batch.report.phrases import describe
from solvent.batch.summary import report_columns_by_name
from solvent.core.domain import Domain
from solvent.core.errors import BadOption
from solvent.registry import get_domain


def domain_by_name(name: str) -> Domain[Any] | None:
    """Return a domain, or None if it is not installed here."""
    try:
        return get_domain(name)
    except BadOption:
        return None


def title_of(name: str) -> str:
    """Return the title of a domain up to its colon, such as `Star Battle`; its name if it is not installed."""
    domain = domain_by_name(name)
    return name if domain is None else domain.title.partition(":")[0]


def meaning_of(name: str, question: str) -> str:
    """Return what a question asks; empty if it is not known."""
    domain = domain_by_name(name)
    return domain.questions[question].text if domain is not None and question in domain.questions else ""


def size_title(name: str) -> str:
    """Return what the size of an instance counts."""
    return report_columns_by_name(name).unit or "size"


def figure_title(name: str) -> str:
    """Return what a figure is called."""
    return {"seconds": "time", "certificate_bytes": "certificate", "length": "length of the solution"}.get(
        name, describe(name)
    )
