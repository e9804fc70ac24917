"""Which counts of a domain's answers are worth a column in a table of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct


class ReportColumns(Struct, frozen=True):
    """Say which figures of a domain a table of many answers shows. Names are those of an answer's stats."""

    unit: str = ""
    """What the size of an instance counts, such as `cells`; empty if instances have no size."""
    expanded: Sequence[str] = ("expanded", "nodes")
    """What the search counts as its work: the first of these that an answer has."""
    length: Sequence[str] = ("plan_length",)
    """How long the solution is: the first of these that an answer has."""
    diagnostics: Sequence[str] = ()
    """Further counts worth a column, most telling first."""


def first_count(stats: Mapping[str, Any], names: Sequence[str]) -> int | None:
    """Return the first of these counts that there is."""
    for name in names:
        value = stats.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None
