"""Instances that only one of two runs asked about."""

from __future__ import annotations

from solvent.batch.report.charts.marks import badge
from solvent.batch.report.differences import Differences
from solvent.batch.report.document import Section, more, table
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.matching import Alone
from solvent.batch.report.naming import title_of
from solvent.batch.report.phrases import shorten
from solvent.batch.report.thinning import Listing


def unmatched_section(found: Differences) -> Section | None:
    """List what is new and what is gone; None if both runs asked the same."""
    parts = [
        _listing("New", found.new, "was there before with other content"),
        _listing("Gone", found.gone, "is there after with other content"),
    ]
    if not any(parts):
        return None
    told = "Instances are the same if they hold the same, whatever their files are called."
    return Section("unmatched", "New and gone", join([tag("p", told, class_="note"), parts]))


def _listing(heading: str, listed: Listing[Alone], renewed: str) -> Markup | None:
    if not listed.seen:
        return None
    rows = [
        tag(
            "tr",
            tag("td", shorten(alone.side.name, 120), class_="name"),
            tag("td", title_of(alone.side.domain)),
            tag("td", alone.question),
            tag("td", badge(alone.side.kind), " ", alone.side.kind),
            tag("td", f"a file of this name {renewed}" if alone.renewed else ""),
        )
        for alone in listed.kept
    ]
    headings: list[tuple[str, str | None]] = [
        ("Instance", None), ("Domain", None), ("Question", None), ("Verdict", None), ("Remark", None),
    ]  # fmt: skip
    return join(
        [
            tag("h3", f"{heading}: {listed.seen:,}"),
            table(headings, rows, label=heading, sortable=True),
            more(listed.left_out, "not shown"),
        ]
    )
