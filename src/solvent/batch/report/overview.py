"""How a run came out at a glance: a sentence, cards, and the verdicts of each domain and question."""

from __future__ import annotations

from solvent.batch.report.charts.bars import draw_shares
from solvent.batch.report.charts.marks import KINDS, legend
from solvent.batch.report.document import Card, Section, cards, table
from solvent.batch.report.gathering import Gathered, Group
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.naming import meaning_of, title_of
from solvent.batch.report.phrases import count, duration, share
from solvent.batch.summary import Status, passing_verdict


def sentence(found: Gathered) -> str:
    """Say in a sentence or two how the run came out."""
    statuses = found.statuses
    statuses["ERROR"] -= found.not_read  # told apart: those are no answers
    total = statuses.total()
    if not total:
        told = "There are no answers in this run."
    elif statuses["PASS"] == total:
        told = f"All {count(total, 'answer')} are as hoped." if total > 1 else "The one answer is as hoped."
    else:
        told = f"{statuses['PASS']:,} of {count(total, 'answer')} {'is' if statuses['PASS'] == 1 else 'are'} as hoped"
        words: dict[Status, str] = {"FAIL": "not", "UNKNOWN": "unknown", "ERROR": "in error"}
        others = [f"{statuses[status]:,} {word}" for status, word in words.items() if statuses[status]]
        told += f"; {', '.join(others)}."
    if found.unread.seen:
        told += f" {count(found.unread.seen, 'source')} could not be read."
    if found.bugs_while_reading.seen:
        told += f" {count(found.bugs_while_reading.seen, 'source')} met a bug while being read."
    return told


def overview(found: Gathered, seconds_at_work: float | None) -> Section:
    """Show how the run came out."""
    statuses = found.statuses
    decided = sum(group.verdicts["YES"] + group.verdicts["NO"] for group in found.groups.values())
    certified = sum(group.certified for group in found.groups.values())
    total = statuses.total()
    listed = [
        Card(f"{found.instances:,}", "instance" if found.instances == 1 else "instances", _beside(found)),
        Card(f"{statuses['PASS']:,}", "PASS", f"{share(statuses['PASS'], total)}, the verdict hoped for"),
        Card(f"{statuses['FAIL']:,}", "FAIL", "the opposite", statuses["FAIL"] > 0, _link(found, "FAIL")),
        Card(f"{statuses['UNKNOWN']:,}", "UNKNOWN", "out of a limit, or killed", link=_link(found, "UNKNOWN")),
        Card(
            f"{statuses['ERROR']:,}", "ERROR", "bugs and unreadable files", statuses["ERROR"] > 0, _link(found, "ERROR")
        ),
        Card(
            share(certified, decided),
            "certified",
            f"{certified:,} of {decided:,} YES and NO, accepted by a checker",
        ),
        Card(duration(found.seconds), "solving", _at_work(seconds_at_work)),
    ]
    notes = []
    if found.known:
        notes.append(f"{count(found.known, 'answer')} came from an earlier run on the same store.")
    if found.retried:
        notes.append(f"{count(found.retried, 'answer')} took more than one attempt, because a worker was lost.")
    if found.not_asked:
        notes.append(f"{count(found.not_asked, 'instance')} without an answer: not reached yet, or nothing to ask.")
    body = join([cards(listed), _verdicts(found), tag("p", " ".join(notes), class_="note") if notes else None])
    return Section("overview", "Overview", body)


def _beside(found: Gathered) -> str:
    told = count(found.answers, "answer")
    if found.unrecognised.seen:
        told += f"; {count(found.unrecognised.seen, 'unrecognised file')} beside them"
    return told


def _link(found: Gathered, status: str) -> str | None:
    if found.troubles[status].seen:
        return f"#{status}"
    return "#unread" if status == "ERROR" and found.not_read else None


def _at_work(seconds_at_work: float | None) -> str:
    if not seconds_at_work:
        return "all answers together"
    return f"all answers together; the run took {duration(seconds_at_work)}"


def _verdicts(found: Gathered) -> Markup | None:
    if not found.groups:
        return None
    kinds = [kind for group in found.groups.values() for kind in group.verdicts if group.verdicts[kind]]
    headings: list[tuple[str, str | None]] = [("Domain", None), ("Question", None), ("Verdicts", None)]
    headings += [(kind, "number") for kind in KINDS]
    headings += [("Hoped", None), ("As hoped", "number"), ("Median", "number"), ("Slowest", "number")]
    rows = [_row(group) for group in found.groups.values()]
    return join([legend(kinds), table(headings, rows, label="Verdicts by domain and question")])


def _row(group: Group) -> Markup:
    seconds = group.spreads["seconds"]
    told = ", ".join(f"{group.verdicts[kind]:,} {kind}" for kind in KINDS if group.verdicts[kind])
    return tag(
        "tr",
        tag("th", tag("a", title_of(group.domain), href=f"#domain-{group.domain}"), scope="row"),
        tag("td", group.question, title=meaning_of(group.domain, group.question) or None),
        tag("td", draw_shares(group.verdicts, label=told), class_="bar"),
        [tag("td", f"{group.verdicts[kind]:,}" if group.verdicts[kind] else "–", class_="number") for kind in KINDS],
        tag("td", passing_verdict(group.domain, group.question).value),
        tag("td", share(group.statuses["PASS"], group.answers), class_="number"),
        tag("td", duration(seconds.quantile(0.5)), class_="number"),
        tag("td", duration(seconds.largest), class_="number"),
    )
