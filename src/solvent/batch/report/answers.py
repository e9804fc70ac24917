"""The table of everything a run found, to sort and filter; above a bound only its beginning."""

from __future__ import annotations

from collections.abc import Callable

from solvent.batch.report.cells import name_text, number_cell, seconds_cell, status_pill, verdict_cell
from solvent.batch.report.document import Section, command, table
from solvent.batch.report.gathering import Entry, Gathered
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.naming import title_of
from solvent.batch.report.phrases import shorten, size_in_bytes
from solvent.batch.rows import STATUSES

LONGEST_REASON = 200
COLUMNS: tuple[tuple[str, str | None, Callable[[Entry], Markup]], ...] = (
    ("#", "number", lambda entry: number_cell(entry.place + 1)),
    ("Instance", None, lambda entry: tag("td", name_text(entry), class_="name")),
    ("Domain", None, lambda entry: tag("td", "" if entry.row.domain is None else title_of(entry.row.domain))),
    ("Question", None, lambda entry: tag("td", entry.row.question or "")),
    ("Status", None, lambda entry: tag("td", _status(entry))),
    ("Verdict", None, lambda entry: tag("td") if entry.row.answer is None else verdict_cell(entry)),
    ("Time", "number", lambda entry: seconds_cell(None if entry.row.answer is None else entry.row.seconds)),
    ("Size", "number", lambda entry: number_cell(entry.row.size)),
    ("Expanded", "number", lambda entry: number_cell(entry.row.expanded)),
    ("Length", "number", lambda entry: number_cell(entry.row.length)),
    ("Certificate", None, lambda entry: tag("td", _form(entry))),
    ("Bytes", "number", lambda entry: _bytes(entry)),
    ("Reason", None, lambda entry: tag("td", _reason(entry), class_="reason")),
)
"""Heading, class and cell of each column."""


def answers_section(found: Gathered, whole_table: str) -> Section:
    """Show the table; `whole_table` is the command that writes all of it."""
    told = None
    if found.rows > len(found.table):
        words = f"The first {len(found.table):,} of {found.rows:,} rows. This writes all of them as CSV:"
        told = join([tag("p", words, class_="note"), command(whole_table)])
    headings = [(heading, kind) for heading, kind, _ in COLUMNS]
    rows = [_row(entry) for entry in found.table]
    body = table(headings, rows, label="All answers", id="all", sortable=True, tall=True)
    return Section("answers", "All answers", join([told, _filter(found), body]))


def _filter(found: Gathered) -> Markup:
    statuses = [status for status in STATUSES if any(entry.status == status for entry in found.table)]
    choices = [_choice("Status", "status", [(status, status) for status in statuses])]
    if len(found.domains) > 1:
        choices.append(_choice("Domain", "domain", [(domain, title_of(domain)) for domain in found.domains]))
    questions = list(dict.fromkeys(question for _, question in found.groups))
    if len(questions) > 1:
        choices.append(_choice("Question", "question", [(question, question) for question in questions]))
    words = tag("label", "Rows that hold", tag("input", type="search", name="words", autocomplete="off"))
    return tag(
        "form",
        words,
        choices,
        tag("output", aria_live="polite"),
        class_="filter scripted-only",
        data_table="all",
        role="search",
        aria_label="Filter the table",
    )


def _choice(title: str, name: str, values: list[tuple[str, str]]) -> Markup:
    options = [tag("option", "all", value=""), *(tag("option", text, value=value) for value, text in values)]
    return tag("label", title, tag("select", options, name=name))


def _row(entry: Entry) -> Markup:
    return tag(
        "tr",
        [cell(entry) for _, _, cell in COLUMNS],
        id=f"row-{entry.place}",
        data_status=entry.status,
        data_domain=entry.row.domain,
        data_question=entry.row.question,
    )


def _status(entry: Entry) -> Markup | str:
    if entry.status is not None:
        return status_pill(entry.status)
    return "not asked" if entry.row.instance else entry.row.read_as


def _form(entry: Entry) -> str:
    return entry.row.form or ("none" if entry.row.verdict in ("YES", "NO") else "")


def _bytes(entry: Entry) -> Markup:
    size = entry.row.certificate_bytes
    return number_cell(size, size_in_bytes(size)) if size else number_cell(None)


def _reason(entry: Entry) -> str:
    return shorten(entry.row.reason or entry.row.because, LONGEST_REASON)
