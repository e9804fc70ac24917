"""Answers that changed between two runs, the worst first, each with what the later run says and how to ask again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from solvent.batch.report.charts.marks import badge
from solvent.batch.report.differences import CONTRADICTED, GAINED, LOST, OTHERWISE, UNPROVED, Differences
from solvent.batch.report.document import Section, command, more
from solvent.batch.report.markup import Markup, join, tag
from solvent.batch.report.matching import Pair, Side
from solvent.batch.report.naming import title_of
from solvent.batch.report.phrases import duration, shorten
from solvent.batch.report.reproducing import command_for, shell_words
from solvent.batch.report.thinning import Listing

if TYPE_CHECKING:
    from solvent.batch.rows import Row
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

LONGEST_REASON = 500
HEADINGS = {
    CONTRADICTED: "Contradicted: YES became NO, or NO became YES",
    LOST: "Lost: YES or NO became UNKNOWN, or an error",
    GAINED: "Gained: UNKNOWN or an error became YES or NO",
    UNPROVED: "The same verdict, but no certificate any more",
    OTHERWISE: "Still without a verdict, but differently",
}


def changes_section(
    found: Differences, before: Store, before_run: RunRow, after: Store, after_run: RunRow
) -> Section | None:
    """List what changed; None if nothing did."""
    parts: list[Markup | None] = []
    for change, heading in HEADINGS.items():
        listed = found.changed[change]
        if not listed.seen:
            continue
        parts.append(tag("h3", f"{heading} ({listed.seen:,})", id=change))
        if change == CONTRADICTED:
            parts.append(_alarm(listed, before, after))
        for pair in listed.kept:
            old = _row_of(before, before_run, pair.before, pair.question)
            new = _row_of(after, after_run, pair.after, pair.question)
            parts.append(_article(pair, old, new, after, after_run))
        parts.append(more(listed.left_out, "not shown"))
    return Section("changed", "Verdicts that changed", join(parts), "Changed verdicts") if parts else None


def contradiction_told(pair: Pair) -> str:
    """Say what a contradiction means, by which of the two verdicts is proved."""
    if pair.before.certified and pair.after.certified:
        return "Both are certified, so one of the two solvers is wrong and its checker with it."
    if pair.before.certified or pair.after.certified:
        sure = pair.before if pair.before.certified else pair.after
        return f"Only {sure.kind} is certified; the other one is wrong, unless a checker is."
    return "Neither is certified, so either may be wrong."


def _alarm(listed: Listing[Pair], before: Store, after: Store) -> Markup:
    proved = any(pair.before.certified and pair.after.certified for pair in listed.kept)
    told = "The same question about the same instance was answered YES by one run and NO by the other. "
    told += (
        "Where both verdicts are certified, one of the two solvers is wrong and its checker with it: a bug in Solvent,"
        " unless somebody edited a store. These check every certificate again:"
        if proved
        else "At least one of the two answers is wrong. These check every certificate again:"
    )
    stores = dict.fromkeys((str(before.path), str(after.path)))
    checks = [command(shell_words(["solvent", "check", "--store", store])) for store in stores]
    return tag("div", tag("p", told), checks, class_="alarm-box", role="note")


def _row_of(store: Store, run: RunRow, side: Side, question: str) -> Row | None:
    from solvent.batch.store.reading import Filter, rows

    return next(rows(store, run.id, Filter(number=side.number, question=question)), None)


def _article(pair: Pair, old: Row | None, new: Row | None, store: Store, run: RunRow) -> Markup:
    told: list[Markup | None] = [
        tag("h4", tag("span", shorten(pair.after.name, 200), class_="name")),
        tag(
            "p",
            f"{title_of(pair.after.domain)}, {pair.question}: ",
            _side(pair.before),
            " → ",
            _side(pair.after),
        ),
    ]
    if pair.before.decided and pair.after.decided and pair.before.kind != pair.after.kind:
        told.append(tag("p", contradiction_told(pair), class_="alarm"))
    for name, row in (("Before", old), ("After", new)):
        reason = "" if row is None else row.reason or row.because
        if reason:
            told.append(tag("p", f"{name}: {shorten(reason, LONGEST_REASON)}"))
    again = None if new is None else command_for(new, run.settings, str(store.path))
    told.append(None if again is None else command(again))
    return tag("article", tag("div", told), class_="plain")


def _side(side: Side) -> Markup:
    proof = "certified, " if side.certified else "not certified, " if side.decided else ""
    return tag("span", badge(side.kind), " ", tag("b", side.kind), f" ({proof}{duration(side.seconds)})")
