"""How one answer looks in a table or a list."""

from __future__ import annotations

from solvent.batch.report.charts.marks import badge
from solvent.batch.report.gathering import Entry
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.phrases import duration, shorten

LONGEST_NAME = 120
LONGEST_WHOLE_NAME = 400
WORD_BREAK = Markup("<wbr>")
SIGNS = {"PASS": "✓", "FAIL": "✗", "UNKNOWN": "?", "ERROR": "!"}


def status_pill(status: str | None) -> Markup:
    """Show a status by a sign and a word."""
    if status is None:
        return tag("span", "–")
    return tag("span", f"{SIGNS[status]} {status}", class_=f"pill {status}")


def verdict_cell(entry: Entry) -> Markup:
    """Show a verdict with its mark."""
    return tag("td", badge(entry.kind), " ", entry.kind)


def number_cell(value: float | None, written: str | None = None) -> Markup:
    """Show a number; tables sort by its value, however it is written."""
    if value is None:
        return tag("td", class_="number", data_value="")
    text = f"{value:,}" if written is None else written
    return tag("td", text, class_="number", data_value=f"{value:.9g}")


def seconds_cell(seconds: float | None) -> Markup:
    """Show a time."""
    return number_cell(seconds, None if seconds is None else duration(seconds))


def name_text(entry: Entry) -> Markup:
    """Show the name of an instance or a file, the whole of it when somebody points at it."""
    shown = shorten(entry.name, LONGEST_NAME)
    whole = None if shown == entry.row.name else shorten(entry.row.name, LONGEST_WHOLE_NAME)
    # A long path may be broken after a slash, which reads better than anywhere.
    parts = shown.replace("/", "/\0").split("\0")
    return tag("span", join(parts, WORD_BREAK), class_="name", title=whole)
