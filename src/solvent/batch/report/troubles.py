"""What did not pass, each with its reason and the command that does it again; and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvent.batch.records import ReadAs
from solvent.batch.report.cells import name_text, status_pill
from solvent.batch.report.charts.marks import badge
from solvent.batch.report.document import Section, command, more
from solvent.batch.report.drawings import Album
from solvent.batch.report.gathering import Entry, Gathered
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.naming import title_of
from solvent.batch.report.phrases import duration, shorten, size_in_bytes
from solvent.batch.report.reproducing import command_for
from solvent.batch.report.thinning import Listing
from solvent.batch.summary import passing_verdict, reason_of, traceback_of

LONGEST_REASON = 800
LONGEST_TRACEBACK = 4_000
HEADINGS = {"FAIL": "Not the verdict hoped for", "ERROR": "Errors", "UNKNOWN": "Without a verdict"}
"""In the order of the page."""
HOW_NOT_READ = {ReadAs.KILLED.value: "killed while reading", ReadAs.BUG.value: "a bug while reading"}


def troubles_section(found: Gathered, settings: Mapping[str, Any], store: str, album: Album) -> Section | None:
    """List the answers that did not pass; None if all did."""
    parts: list[Markup | None] = []
    for status, heading in HEADINGS.items():
        listing = found.troubles[status]
        if listing.seen:
            parts.append(tag("h3", f"{heading}: {listing.seen:,}", id=status))
            parts += [_article(entry, settings, store, album) for entry in listing.kept]
            parts.append(_rest(listing))
    return Section("troubles", "What did not pass", join(parts), "Not passed") if parts else None


def unread_section(found: Gathered, settings: Mapping[str, Any], store: str) -> Section | None:
    """List the files that could not be read, and those that hold no instance; None if there are none."""
    parts: list[Markup | None] = []
    for heading, listing in (("Bugs while reading", found.bugs_while_reading), ("Unreadable", found.unread)):
        if listing.seen:
            parts.append(tag("h3", f"{heading}: {listing.seen:,}"))
            parts += [_unread(entry, settings, store) for entry in listing.kept]
            parts.append(_rest(listing))
    if found.unrecognised.seen:
        listed = [tag("li", name_text(entry)) for entry in found.unrecognised.kept]
        told = "No domain knows what is in them. They count for nothing; such files are in most folders."
        parts += [
            tag("h3", f"Unrecognised: {found.unrecognised.seen:,}"),
            tag("p", told, class_="note"),
            tag("details", tag("summary", "Show them"), tag("ul", listed), _rest(found.unrecognised)),
        ]
    return Section("unread", "Files that were not read", join(parts), "Not read") if parts else None


def _article(entry: Entry, settings: Mapping[str, Any], store: str, album: Album) -> Markup:
    row = entry.row
    picture = album.show(entry)
    told: list[Markup | None] = [
        tag("h4", tag("a", name_text(entry), href=entry.anchor)),
        tag(
            "p",
            status_pill(entry.status),
            f" {title_of(row.domain or '')}, {row.question}: ",
            badge(entry.kind),
            f" {entry.kind}",
            _hope(entry),
        ),
    ]
    reason = reason_of(row)
    if reason:
        told.append(tag("p", shorten(reason, LONGEST_REASON)))
    if row.because:
        told.append(tag("p", shorten(row.because, LONGEST_REASON)))
    told += [tag("p", "Reading assumed: ", shorten(" ".join(row.remarks), LONGEST_REASON), class_="note")] * bool(
        row.remarks
    )
    told.append(tag("p", _costs(entry), class_="note"))
    told.append(_traceback(entry))
    again = command_for(row, settings, store)
    told.append(None if again is None else command(again))
    return tag("article", picture, tag("div", told), class_=None if picture is not None else "plain")


def _traceback(entry: Entry) -> Markup | None:
    trace = traceback_of(entry.row)
    if not trace:
        return None
    shown = trace if len(trace) <= LONGEST_TRACEBACK else "…" + trace[-LONGEST_TRACEBACK:]
    return tag("details", tag("summary", "Traceback"), tag("pre", shown.strip()))


def _hope(entry: Entry) -> str:
    row = entry.row
    if entry.status != "FAIL" or row.domain is None or row.question is None:
        return ""
    return f"; hoped for {passing_verdict(row.domain, row.question).value}"


def _costs(entry: Entry) -> str:
    row = entry.row
    parts = [duration(row.seconds)]
    if row.expanded is not None:
        parts.append(f"{row.expanded:,} expanded")
    if row.peak_megabytes is not None and row.peak_megabytes >= 1:
        parts.append(f"{row.peak_megabytes:,.0f} MB")
    if row.certified:
        parts.append(f"certificate: {row.form}, {size_in_bytes(row.certificate_bytes)}")
    elif row.verdict in ("YES", "NO"):
        parts.append("not certified")
    if row.attempts > 1:
        parts.append(f"{row.attempts} attempts")
    return " · ".join(parts)


def _unread(entry: Entry, settings: Mapping[str, Any], store: str) -> Markup:
    row = entry.row
    again = command_for(row, settings, store)
    place = "" if row.line is None else f", line {row.line}"
    came_to = HOW_NOT_READ.get(row.read_as, "unreadable")
    return tag(
        "article",
        tag(
            "div",
            tag("h4", name_text(entry), place),
            tag("p", status_pill("ERROR"), f" {came_to}"),
            tag("p", shorten(reason_of(row), LONGEST_REASON)),
            _traceback(entry),
            None if again is None else command(again),
        ),
        class_="plain",
        id=None if entry.anchor is None else f"unread-{entry.place}",
    )


def _rest(listing: Listing[Entry]) -> Markup | None:
    return more(listing.left_out, "in the whole table, see the end of this page")
