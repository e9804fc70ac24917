"""The page about one run: an overview, each domain, what did not pass and why, and the table of all answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solvent.batch.records import ReadAs
from solvent.batch.report.charts.bars import draw_shares
from solvent.batch.report.charts.marks import KINDS, badge, legend
from solvent.batch.report.describe import (
    STATES,
    command_for,
    meaning_of,
    run_facts,
    shell_words,
    title_of,
)
from solvent.batch.report.domain_section import domain_section
from solvent.batch.report.drawings import Album
from solvent.batch.report.page import (
    Card,
    Column,
    Section,
    cards,
    command,
    document,
    facts,
    more,
    name_text,
    number_cell,
    seconds_cell,
    status_pill,
    table,
    verdict_mark,
)
from solvent.batch.report.phrases import duration, share, shorten, size_in_bytes
from solvent.batch.report.run_statistics import MAX_DOTS, Entry, Group, RunStatistics, gather_of_run
from solvent.batch.report.sampling import Listing, fair_shares
from solvent.batch.rows import STATUSES, passing_verdict
from solvent.drawing.markup import Child, Markup, join, tag
from solvent.drawing.phrases import counted

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

DEFAULT_DRAWINGS = 120
LONGEST_REASON = 800
LONGEST_REASON_IN_A_CELL = 200
LONGEST_TRACEBACK = 4_000
FAILURES = {"FAIL": "Failed", "ERROR": "Errors", "UNKNOWN": "Without a verdict"}
"""In the order of the page."""
HOW_NOT_READ = {ReadAs.KILLED.value: "killed while reading", ReadAs.BUG.value: "a bug while reading"}


@dataclass(frozen=True, slots=True)
class Report:
    """Hold a page and the figures it shows."""

    page: str
    found: RunStatistics
    drawings: int
    drawings_left_out: int


def make_report(store: Store, run: RunRow, *, drawings: int = DEFAULT_DRAWINGS) -> Report:
    """Make the page about a run: one HTML document that needs nothing beside it.

    Memory and size of the page are bounded, however many rows there are; the page says what it leaves out.
    """
    found = gather_of_run(store, run)
    name = str(store.path)
    album = Album(store, drawings)
    # Drawn first, so that what went wrong is seen where the page cannot hold all drawings.
    failures = _failures_section(found, run.settings, name, album)
    seconds = run.settings.get("seconds")
    limit = float(seconds) if isinstance(seconds, int | float) else None
    groups = list(found.groups.values())
    for group, most in zip(groups, fair_shares([len(group.sized.kept) for group in groups], MAX_DOTS), strict=True):
        group.sized.thin(most)
    sections = [
        _overview(found, run.seconds),
        *(domain_section(domain, found, album, limit=limit) for domain in found.domains),
        failures,
        _unread_section(found, run.settings, name),
        _answers_section(found, ["solvent", "report", name, "--run", str(run.id), "--csv", "table.csv"]),
    ]
    head = [
        tag("h1", "Validation report"),
        tag("p", sentence(found), class_="lead"),
        facts(_facts(run, found, name)),
    ]
    left_out = (
        f"{counted(album.drawn, 'drawing is', 'drawings are')} on this page; {album.left_out:,} more would have made it"
        " too large, or cannot be drawn."
    )
    foot = [
        tag("p", left_out) if album.left_out else None,
        tag(
            "p",
            "Every YES and NO that counts as certified was accepted by a checker before it was stored. To have all"
            " certificates in the store checked again:",
        ),
        command(shell_words(["solvent", "check", "--store", name])),
    ]
    title = f"Validation report: {store.path.name}, run {run.id}"
    return Report(document(title, head, sections, foot), found, album.drawn, album.left_out)


def _facts(run: RunRow, found: RunStatistics, store: str) -> list[tuple[str, Child]]:
    answered = list(dict.fromkeys(question for _, question in found.groups))
    pairs: dict[str, Child] = {
        "Run": f"{run.id} of {store}, {STATES.get(run.state, run.state)}",
        **run_facts(run, found.solvers, found.machines, answered),
        "Command": command(run.command) if run.command else "",
    }
    return [(name, value) for name, value in pairs.items() if value]


# The overview


def sentence(found: RunStatistics) -> str:
    """Say in a sentence or two how the run turned out."""
    statuses = found.statuses
    statuses["ERROR"] -= found.not_read  # named by themselves: those are no answers
    total = statuses.total()
    if not total:
        text = "There are no answers in this run."
    elif statuses["PASS"] == total:
        text = f"All {counted(total, 'answer')} pass." if total > 1 else "The one answer passes."
    else:
        passed, failed = statuses["PASS"], statuses["FAIL"]
        text = f"{passed:,} of {counted(total, 'answer')} {'passes' if passed == 1 else 'pass'}; "
        others = [(failed, "fails" if failed == 1 else "fail")]
        others += [(statuses["UNKNOWN"], "unknown"), (statuses["ERROR"], "in error")]
        text += ", ".join(f"{number:,} {word}" for number, word in others if number) + "."
    if found.unread.seen:
        text += f" {counted(found.unread.seen, 'source')} could not be read."
    if found.bugs_while_reading.seen:
        text += f" {counted(found.bugs_while_reading.seen, 'source')} met a bug while being read."
    return text


def _overview(found: RunStatistics, seconds_at_work: float | None) -> Section:
    statuses = found.statuses
    decided = sum(group.verdicts["YES"] + group.verdicts["NO"] for group in found.groups.values())
    certified = sum(group.certified for group in found.groups.values())
    answers = counted(found.answers, "answer")
    if found.unrecognised.seen:
        answers += f"; {counted(found.unrecognised.seen, 'unrecognised file')} beside them"
    at_work = f"; the run took {duration(seconds_at_work)}" if seconds_at_work else ""
    errors = statuses["ERROR"]
    listed = [
        Card(f"{found.instances:,}", "instance" if found.instances == 1 else "instances", answers),
        Card(f"{statuses['PASS']:,}", "PASS", f"{share(statuses['PASS'], statuses.total())} of all"),
        Card(
            f"{statuses['FAIL']:,}",
            "FAIL",
            "the verdict that does not pass",
            statuses["FAIL"] > 0,
            _link(found, "FAIL"),
        ),
        Card(f"{statuses['UNKNOWN']:,}", "UNKNOWN", "out of a limit, or killed", link=_link(found, "UNKNOWN")),
        Card(f"{errors:,}", "ERROR", "bugs and unreadable files", errors > 0, _link(found, "ERROR")),
        Card(share(certified, decided), "certified", f"{certified:,} of {decided:,} YES and NO, accepted by a checker"),
        Card(duration(found.seconds), "solving", f"all answers together{at_work}"),
    ]
    notes = [
        f"{counted(number, noun)} {text}"
        for number, noun, text in (
            (found.known, "answer", "came from an earlier run on the same store."),
            (found.retried, "answer", "took more than one attempt, because a worker was lost."),
            (found.not_asked, "instance", "without an answer: not reached yet, or nothing to ask."),
        )
        if number
    ]
    body = join([cards(listed), _verdicts(found), tag("p", " ".join(notes), class_="note") if notes else None])
    return Section("overview", "Overview", body)


def _link(found: RunStatistics, status: str) -> str | None:
    if found.failures[status].seen:
        return f"#{status}"
    return "#unread" if status == "ERROR" and found.not_read else None


def _verdicts(found: RunStatistics) -> Markup | None:
    if not found.groups:
        return None

    def shares(group: Group) -> Markup:
        label = ", ".join(f"{group.verdicts[kind]:,} {kind}" for kind in KINDS if group.verdicts[kind])
        return tag("td", draw_shares(group.verdicts, label=label), class_="bar")

    def column(kind: str) -> Column:
        return Column(kind, lambda group: f"{group.verdicts[kind]:,}" if group.verdicts[kind] else "–", "number")

    def question(group: Group) -> Markup:
        return tag("td", group.question, title=meaning_of(group.domain, group.question) or None)

    def domain(group: Group) -> Markup:
        return tag("th", tag("a", title_of(group.domain), href=f"#domain-{group.domain}"), scope="row")

    columns = [
        Column("Domain", domain),
        Column("Question", question),
        Column("Verdicts", shares),
        *map(column, KINDS),
        Column("Passes", lambda group: passing_verdict(group.domain, group.question).value),
        Column("PASS", lambda group: share(group.statuses["PASS"], group.answers), "number"),
        Column("Median", lambda group: duration(group.distributions["seconds"].quantile(0.5)), "number"),
        Column("Slowest", lambda group: duration(group.distributions["seconds"].largest), "number"),
    ]
    kinds = [kind for group in found.groups.values() for kind in group.verdicts if group.verdicts[kind]]
    return join([legend(kinds), table(found.groups.values(), columns, label="Verdicts by domain and question")])


# What did not pass, and what was not read


def _failures_section(found: RunStatistics, settings: Mapping[str, Any], store: str, album: Album) -> Section | None:
    """List the answers that did not pass; None if all did."""
    parts: list[Markup | None] = []
    for status, heading in FAILURES.items():
        listing = found.failures[status]
        if listing.seen:
            parts.append(tag("h3", f"{heading}: {listing.seen:,}", id=status))
            parts += [_failure(entry, settings, store, album) for entry in listing.kept]
            parts.append(_rest(listing))
    return Section("failures", "What did not pass", join(parts), "Not passed") if parts else None


def _unread_section(found: RunStatistics, settings: Mapping[str, Any], store: str) -> Section | None:
    """List the files that could not be read, and those that no domain recognises; None if there are none."""
    parts: list[Markup | None] = []
    for heading, listing in (("Bugs while reading", found.bugs_while_reading), ("Unreadable", found.unread)):
        if listing.seen:
            parts.append(tag("h3", f"{heading}: {listing.seen:,}"))
            parts += [_unread(entry, settings, store) for entry in listing.kept]
            parts.append(_rest(listing))
    if found.unrecognised.seen:
        listed = [tag("li", _name(entry)) for entry in found.unrecognised.kept]
        note = "No domain recognises what is in them. Most folders have such files; they are no failure."
        parts += [
            tag("h3", f"Unrecognised: {found.unrecognised.seen:,}"),
            tag("p", note, class_="note"),
            tag("details", tag("summary", "Show them"), tag("ul", listed), _rest(found.unrecognised)),
        ]
    return Section("unread", "Files that were not read", join(parts), "Not read") if parts else None


def _failure(entry: Entry, settings: Mapping[str, Any], store: str, album: Album) -> Markup:
    row = entry.row
    picture = album.show(entry)
    passing = ""
    if entry.status == "FAIL" and row.domain is not None and row.question is not None:
        passing = f"; {passing_verdict(row.domain, row.question).value} passes"
    again = command_for(row, settings, store)
    remarks = ["Reading assumed: ", shorten(" ".join(row.remarks), LONGEST_REASON)]
    parts = [
        tag("h4", tag("a", _name(entry), href=entry.anchor)),
        tag(
            "p",
            status_pill(entry.status),
            f" {title_of(row.domain or '')}, {row.question}: ",
            badge(entry.kind),
            f" {entry.kind}{passing}",
        ),
        *(tag("p", shorten(text, LONGEST_REASON)) for text in (row.reason, row.because) if text),
        tag("p", remarks, class_="note") if row.remarks else None,
        tag("p", _costs(entry), class_="note"),
        _traceback(entry),
        None if again is None else command(again),
    ]
    return tag("article", picture, tag("div", parts), class_=None if picture is not None else "plain")


def _traceback(entry: Entry) -> Markup | None:
    trace = entry.row.traceback
    if not trace:
        return None
    shown = trace if len(trace) <= LONGEST_TRACEBACK else "…" + trace[-LONGEST_TRACEBACK:]
    return tag("details", tag("summary", "Traceback"), tag("pre", shown.strip()))


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
    parts = [
        tag("h4", _name(entry), "" if row.line is None else f", line {row.line}"),
        tag("p", status_pill("ERROR"), f" {HOW_NOT_READ.get(row.read_as, 'unreadable')}"),
        tag("p", shorten(row.reason, LONGEST_REASON)),
        _traceback(entry),
        None if again is None else command(again),
    ]
    anchor = None if entry.anchor is None else f"unread-{entry.place}"
    return tag("article", tag("div", parts), class_="plain", id=anchor)


def _rest(listing: Listing[Entry]) -> Markup | None:
    return more(listing.left_out, "in the whole table, see the end of this page")


def _name(entry: Entry) -> Markup:
    return name_text(entry.name, entry.row.name)


# The table of everything, to sort and filter; above a bound only its beginning

COLUMNS = (
    Column("#", lambda entry: number_cell(entry.place + 1), "number"),
    Column("Instance", lambda entry: tag("td", _name(entry), class_="name")),
    Column("Domain", lambda entry: "" if entry.row.domain is None else title_of(entry.row.domain)),
    Column("Question", lambda entry: entry.row.question or ""),
    Column("Status", lambda entry: _status(entry)),
    Column("Verdict", lambda entry: "" if entry.row.answer is None else verdict_mark(entry.kind)),
    Column("Time", lambda entry: seconds_cell(None if entry.row.answer is None else entry.row.seconds), "number"),
    Column("Size", lambda entry: number_cell(entry.row.size), "number"),
    Column("Expanded", lambda entry: number_cell(entry.row.expanded), "number"),
    Column("Length", lambda entry: number_cell(entry.row.length), "number"),
    Column("Certificate", lambda entry: entry.row.form or ("none" if entry.row.verdict in ("YES", "NO") else "")),
    Column("Bytes", lambda entry: _bytes(entry.row.certificate_bytes), "number"),
    Column("Reason", lambda entry: _reason(entry)),
)


def _answers_section(found: RunStatistics, whole_table: list[str]) -> Section:
    """Show the table; `whole_table` is the command that writes all of it."""
    note = None
    if found.rows > len(found.table):
        text = f"The first {len(found.table):,} of {found.rows:,} rows. This writes all of them as CSV:"
        note = join([tag("p", text, class_="note"), command(shell_words(whole_table))])

    def attributes(entry: Entry) -> dict[str, object]:
        data = {"data_status": entry.status, "data_domain": entry.row.domain, "data_question": entry.row.question}
        return {"id": f"row-{entry.place}", **data}

    body = table(found.table, COLUMNS, label="All answers", id="all", sortable=True, tall=True, attributes=attributes)
    return Section("answers", "All answers", join([note, _filter(found), body]))


def _filter(found: RunStatistics) -> Markup:
    statuses = [status for status in STATUSES if any(entry.status == status for entry in found.table)]
    choices = [_choice("Status", "status", [(status, status) for status in statuses])]
    if len(found.domains) > 1:
        choices.append(_choice("Domain", "domain", [(domain, title_of(domain)) for domain in found.domains]))
    questions = list(dict.fromkeys(question for _, question in found.groups))
    if len(questions) > 1:
        choices.append(_choice("Question", "question", [(question, question) for question in questions]))
    return tag(
        "form",
        tag("label", "Rows that hold", tag("input", type="search", name="words", autocomplete="off")),
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


def _status(entry: Entry) -> Markup | str:
    if entry.status is not None:
        return status_pill(entry.status)
    return "not asked" if entry.row.instance else entry.row.read_as


def _bytes(size: int) -> Markup:
    return number_cell(size, size_in_bytes(size)) if size else number_cell(None)


def _reason(entry: Entry) -> Markup:
    text = shorten(entry.row.reason or entry.row.because, LONGEST_REASON_IN_A_CELL)
    return tag("td", text, class_="reason")
