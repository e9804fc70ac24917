"""What to compare between many instances of a domain: how large they are, and which counts are worth a column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from solvent.core.answer import Verdict
from solvent.core.domain import Domain


@dataclass(frozen=True, slots=True)
class ReportColumns:
    """Say which figures of a domain a table of many answers shows. Names are those of an answer's stats."""

    unit: str = ""
    """What the size of an instance counts, such as `cells`; empty if instances have no size."""
    expanded: Sequence[str] = ("expanded", "nodes")
    """What the search counts as its work: the first of these that an answer has."""
    length: Sequence[str] = ("plan_length",)
    """How long the solution is: the first of these that an answer has."""
    diagnostics: Sequence[str] = ()
    """Further counts worth a column, most telling first."""
    hoped: Mapping[str, Verdict] = field(default_factory=dict)
    """The verdict its designer hopes for, by question; YES where none is named."""

    def hopes_for(self, question: str) -> Verdict:
        """Return the verdict that passes."""
        return self.hoped.get(question, Verdict.YES)


@runtime_checkable
class ReportingColumns(Protocol):
    """The part of a domain that says what to compare between many of its instances."""

    report_columns: ReportColumns

    def size(self, problem: Any) -> int:
        """Return how large an instance is, in the report_columns's unit."""


def report_columns_of(domain: Domain) -> ReportColumns:
    """Return what to compare between instances of a domain; where it does not say, what most answers have."""
    report_columns: ReportColumns | None = getattr(
        domain, "report_columns", None
    )  # isinstance looks at a protocol for a long time
    return ReportColumns() if report_columns is None else report_columns


def size_of(domain: Domain, problem: Any) -> int | None:
    """Return how large an instance is, or None where its domain does not say."""
    size: Callable[[Any], int] | None = getattr(domain, "size", None)
    return None if size is None else size(problem)


def first_count(stats: Mapping[str, Any], names: Sequence[str]) -> int | None:
    """Return the first of these counts that there is."""
    for name in names:
        value = stats.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None
