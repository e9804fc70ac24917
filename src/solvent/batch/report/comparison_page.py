"""The page about two runs: what changed its verdict, what got faster or slower, what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvent.batch.report.charts.frame import Axis, Dot, draw_scatter
from solvent.batch.report.charts.marks import KINDS, badge, legend
from solvent.batch.report.charts.scales import SMALLEST_SECONDS, logarithmic
from solvent.batch.report.comparison import (
    CHANGES,
    CONTRADICTED,
    GAINED,
    LOST,
    NOISE_RATIO,
    NOISE_SECONDS,
    OTHERWISE,
    UNPROVED,
    Differences,
    Times,
    find_differences,
)
from solvent.batch.report.describe import (
    command_for,
    describe_choices,
    describe_limits,
    run_facts,
    shell_words,
    title_of,
)
from solvent.batch.report.domain_section import evenly_chosen
from solvent.batch.report.matching import SIDES, Alone, Matching, Pair, Side
from solvent.batch.report.page import (
    Card,
    Column,
    Section,
    cards,
    command,
    document,
    more,
    name_cell,
    number_cell,
    seconds_cell,
    table,
    verdict_mark,
)
from solvent.batch.report.phrases import duration, share, shorten, tick_duration
from solvent.batch.report.sampling import Largest, Listing
from solvent.drawing.markup import Markup, join, tag
from solvent.drawing.phrases import capitalised, counted

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


@dataclass(frozen=True, slots=True)
class Run:
    """Hold one of the two runs."""

    store: Store
    row: RunRow

    @property
    def title(self) -> str:
        """Return what to call it."""
        return f"run {self.row.id} of {self.store.path}"

    def row_of(self, side: Side, question: str) -> Row | None:
        """Return the row of one of its answers."""
        from solvent.batch.store.reading import Filter, rows

        return next(rows(self.store, self.row.id, Filter(number=side.number, question=question)), None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold a page and the figures it shows."""

    page: str
    found: Differences
    warnings: tuple[str, ...]
    """In what the two runs differ, so that a difference may be due to that."""


def make_comparison(before: Run, after: Run) -> Comparison:
    """Make the page that compares two runs, of one store or of two: one HTML document that needs nothing beside it.

    Raises StoreError if an answer that it lists was damaged.
    """
    with Matching((before.store, before.row.id), (after.store, after.row.id)) as matching:
        found = find_differences(matching)
    for run, answers in zip((before, after), found.shown_answers(), strict=True):
        run.store.require_sealed(answers)
    warnings = find_warnings(before, after, matching)
    sections = [
        _overview(found),
        _changes_section(found, before, after),
        _times_section(found),
        _unmatched_section(found),
    ]
    head = [
        tag("h1", "Two runs compared"),
        tag("p", sentence(found), class_="lead"),
        _runs(before, after, matching),
        [tag("p", warning, class_="note") for warning in warnings],
    ]
    title = f"Two runs compared: {before.title}, {after.title}"
    return Comparison(document(title, head, sections), found, warnings)


def sentence(found: Differences) -> str:
    """Say in a sentence what changed."""
    if not found.matched:
        return "The two runs have no answer in common."
    words = {CONTRADICTED: "contradicted", LOST: "lost", GAINED: "gained", OTHERWISE: "changed otherwise"}
    changes = [f"{found.changed[change].seen:,} {word}" for change, word in words.items() if found.changed[change].seen]
    both = counted(found.matched, "answer")
    if not changes:
        return f"No verdict changed among the {both} that both runs have."
    return f"Of {both} that both runs have, {', '.join(changes)}; {found.same_verdict:,} with the same verdict."


def find_warnings(before: Run, after: Run, matching: Matching) -> tuple[str, ...]:
    """Say in what the two runs differ apart from the solver, so that a difference may be due to that."""
    old, new = before.row, after.row
    found = []
    if set(matching.machines["before"]) - {""} != set(matching.machines["after"]) - {""}:
        found.append("The machines differ, so times say little about the solver.")
    same_limits = describe_limits(old.settings) == describe_limits(new.settings)
    same_choices = describe_choices(old.settings) == describe_choices(new.settings)
    if not same_limits:
        found.append("The limits differ, so an UNKNOWN in one of them may be due to that.")
    if not same_choices:
        found.append("The options or rules differ.")
    for run in (before, after):
        if run.row.state != "finished":
            found.append(f"{capitalised(run.title)} is not finished.")
    solvers = [matching.solvers[side] for side in SIDES]
    common = set(solvers[0]) & set(solvers[1])
    if common and all(set(solvers[0][domain]) == set(solvers[1][domain]) for domain in common):
        # A solver may go about it in another way when it is allowed less or told otherwise.
        so = ", so times differ by chance or by the machine" if same_limits and same_choices else ""
        found.append(f"Both were made by the same solver{so}.")
    return tuple(found)


def _runs(before: Run, after: Run, matching: Matching) -> Markup:
    sides = [
        {
            "Store": str(run.store.path),
            "Run": str(run.row.id),
            "State": run.row.state,
            **run_facts(run.row, matching.solvers[side], matching.machines[side]),
            "Command": tag("code", run.row.command),
        }
        for run, side in ((before, "before"), (after, "after"))
    ]
    marked = ("Asked", "Limits", "Options", "Solver", "Machine")
    lines = [(name, old or "–", sides[1][name] or "–") for name, old in sides[0].items()]
    return table(
        lines,
        [
            Column("", lambda line: tag("th", line[0], scope="row")),
            Column("Before", lambda line: tag("td", line[1])),
            Column("After", lambda line: tag("td", line[2])),
        ],
        label="The two runs",
        attributes=lambda line: {"class_": "differs" if line[0] in marked and line[1] != line[2] else None},
    )


def _overview(found: Differences) -> Section:
    times = found.times
    listed = [
        Card(f"{found.matched:,}", "answers in both", "same question, same instance"),
        Card(f"{found.same_verdict:,}", "same verdict", share(found.same_verdict, found.matched)),
        *(
            Card(f"{number:,}", what, note, bad and number > 0, f"#{what}" if number else None)
            for number, what, note, bad in (
                (found.changed[CONTRADICTED].seen, CONTRADICTED, "YES became NO, or NO YES", True),
                (found.changed[LOST].seen, LOST, "became UNKNOWN or an error", True),
                (found.changed[GAINED].seen, GAINED, "were UNKNOWN or an error", False),
                (found.faster.seen, "faster", "beyond chance", False),
                (found.slower.seen, "slower", "beyond chance", False),
            )
        ),
    ]
    if times.answers:
        note = f"{duration(times.before)} before, {times.answers:,} answers"
        listed.append(Card(duration(times.after), "for the same work", note))
    notes = [times_sentence(found)]
    if found.shared:
        notes.append(
            f"{counted(found.shared, 'answer is', 'answers are')} one and the same in both runs: the later one found"
            " them in the store and did not solve again."
        )
    for sides, what in ((found.unread, "could not be read"), (found.bugs_while_reading, "met a bug while being read")):
        if sides["before"] != sides["after"]:
            notes.append(f"{counted(sides['before'], 'source')} {what} before, {sides['after']:,} after.")
    body = join([cards(listed), [tag("p", text) for text in notes if text]])
    return Section("overview", "Overview", body)


# Answers that changed, the worst first


def _changes_section(found: Differences, before: Run, after: Run) -> Section | None:
    """List what changed, with what the later run says and how to ask again; None if nothing did."""
    parts: list[Markup | None] = []
    for change, heading in HEADINGS.items():
        listed = found.changed[change]
        if not listed.seen:
            continue
        parts.append(tag("h3", f"{heading} ({listed.seen:,})", id=change))
        if change == CONTRADICTED:
            parts.append(_alarm(listed, before, after))
        parts += [_changed(pair, before, after) for pair in listed.kept]
        parts.append(more(listed.left_out, "not shown"))
    return Section("changed", "Verdicts that changed", join(parts), "Changed verdicts") if parts else None


def describe_contradiction(pair: Pair) -> str:
    """Say what a contradiction means, by which of the two verdicts is proved."""
    if pair.before.certified and pair.after.certified:
        return "Both are certified, so one of the two solvers is wrong and its checker with it."
    if pair.before.certified or pair.after.certified:
        sure = pair.before if pair.before.certified else pair.after
        return f"Only {sure.kind} is certified; the other one is wrong, unless a checker is."
    return "Neither is certified, so either may be wrong."


def _alarm(listed: Listing[Pair], before: Run, after: Run) -> Markup:
    proved = any(pair.before.certified and pair.after.certified for pair in listed.kept)
    text = "The same question about the same instance was answered YES by one run and NO by the other. "
    text += (
        "Where both verdicts are certified, one of the two solvers is wrong and its checker with it: a bug in Solvent,"
        " unless a store was edited. These check every certificate again:"
        if proved
        else "At least one of the two answers is wrong. These check every certificate again:"
    )
    stores = dict.fromkeys((str(before.store.path), str(after.store.path)))
    checks = [command(shell_words(["solvent", "check", "--store", store])) for store in stores]
    return tag("div", tag("p", text), checks, class_="alarm-box", role="note")


def _changed(pair: Pair, before: Run, after: Run) -> Markup:
    old, new = before.row_of(pair.before, pair.question), after.row_of(pair.after, pair.question)
    contradicted = pair.before.decided and pair.after.decided and pair.before.kind != pair.after.kind
    reasons = [(name, row.reason or row.because) for name, row in (("Before", old), ("After", new)) if row is not None]
    again = None if new is None else command_for(new, after.row.settings, str(after.store.path))
    asked = f"{title_of(pair.after.domain)}, {pair.question}: "
    parts = [
        tag("h4", tag("span", shorten(pair.after.name, 200), class_="name")),
        tag("p", asked, _side(pair.before), " → ", _side(pair.after)),
        tag("p", describe_contradiction(pair), class_="alarm") if contradicted else None,
        *(tag("p", f"{name}: {shorten(reason, LONGEST_REASON)}") for name, reason in reasons if reason),
        None if again is None else command(again),
    ]
    return tag("article", tag("div", parts), class_="plain")


def _side(side: Side) -> Markup:
    proof = "certified, " if side.certified else "not certified, " if side.decided else ""
    return tag("span", badge(side.kind), " ", tag("b", side.kind), f" ({proof}{duration(side.seconds)})")


# What got faster or slower


def describe_ratio(ratio: float) -> str:
    """Write how many times as fast something is: `1.8× as fast`, `2.1× as slow`, `as fast as before`."""
    if 0.95 < ratio < 1.05:
        return "as fast as before"
    return f"{ratio:.3g}× as fast" if ratio > 1 else f"{1 / ratio:.3g}× as slow"


def times_sentence(found: Differences) -> str:
    """Say how the times changed over all; empty if nothing was solved twice."""
    times = found.times
    if not times.answers:
        return ""
    text = (
        f"{counted(times.answers, 'answer')} that both runs decided alike took {duration(times.before)}"
        f" before and {duration(times.after)} after"
    )
    return text + (f"; half of them are at least {_median(times)}." if times.ratios.numbers else ".")


def _median(times: Times) -> str:
    return describe_ratio(times.ratios.quantile(0.5))


def _times_section(found: Differences) -> Section | None:
    """Show the times of both runs against one another; None if nothing was solved twice."""
    pairs = found.dots.kept
    if not pairs:
        return None
    least = f"{NOISE_RATIO:g} times and {NOISE_SECONDS * 1000:.0f} ms"
    note = f"Faster or slower counts only from {least} on; less may be chance."
    caption = f" Below the line is faster; marks show the later verdict.{evenly_chosen(found.dots)}"
    scatter = tag(
        "figure",
        tag("figcaption", tag("b", "After against before."), caption),
        legend(later_kind(pair) for pair in pairs),
        draw_after_against_before(pairs),
    )
    parts = [
        tag("p", note, class_="note"),
        tag("div", scatter, class_="charts"),
        _by_question(found),
        _time_changes("Slower", found.slower),
        _time_changes("Faster", found.faster),
    ]
    return Section("times", "Faster and slower", join(parts))


def draw_after_against_before(
    pairs: Sequence[Pair],
    link: Callable[[Pair], str | None] = lambda _: None,
    kind: Callable[[Pair], str] = lambda pair: later_kind(pair),
) -> Markup:
    """Draw the times of two runs against one another; `link` says where a dot leads, `kind` which mark it has."""
    scale = logarithmic(
        [side.seconds for pair in pairs for side in (pair.before, pair.after)], smallest=SMALLEST_SECONDS
    )
    dots = [
        Dot(
            pair.before.seconds,
            pair.after.seconds,
            kind(pair),
            f"{pair.after.name}\n{pair.question}: {pair.before.kind} in {duration(pair.before.seconds)},"
            f" then {pair.after.kind} in {duration(pair.after.seconds)}",
            link(pair),
        )
        for pair in pairs
    ]
    return draw_scatter(
        dots,
        Axis(scale, "time before (logarithmic)", tick_duration),
        Axis(scale, "time after (logarithmic)", tick_duration),
        label=f"Time after against time before, one dot for each of {counted(len(dots), 'answer')}.",
        diagonal=True,
    )


def later_kind(pair: Pair) -> str:
    """Return the mark of the later verdict."""
    return pair.after.kind if pair.after.kind in KINDS else "ERROR"


def _by_question(found: Differences) -> Markup:
    def seconds(side: str) -> Callable[..., Markup]:
        return lambda item: seconds_cell(getattr(item[1].times, side) if item[1].times.answers else None)

    columns = [
        Column("Domain", lambda item: tag("th", title_of(item[0][0]), scope="row")),
        Column("Question", lambda item: item[0][1]),
        Column("In both", lambda item: number_cell(item[1].matched), "number"),
        Column("Changed", lambda item: number_cell(sum(item[1].changes[change] for change in CHANGES)), "number"),
        Column("Before", seconds("before"), "number"),
        Column("After", seconds("after"), "number"),
        Column("Median", lambda item: _median(item[1].times) if item[1].times.ratios.numbers else "–"),
    ]
    return table(found.parts.items(), columns, label="Times by domain and question")


def _time_changes(heading: str, changed: Largest[Pair]) -> Markup | None:
    if not changed.seen:
        return None

    def ratio(pair: Pair) -> Markup:
        value = pair.before.seconds / max(1e-9, pair.after.seconds)
        return number_cell(value, describe_ratio(value))

    columns = [
        Column("Instance", lambda pair: name_cell(pair.after.name)),
        Column("Question", lambda pair: pair.question),
        Column("Verdict", lambda pair: pair.after.kind),
        Column("Before", lambda pair: seconds_cell(pair.before.seconds), "number"),
        Column("After", lambda pair: seconds_cell(pair.after.seconds), "number"),
        Column("Ratio", ratio, "number"),
    ]
    kept = changed.kept
    cut = f", the {len(kept)} that changed most" if changed.seen > len(kept) else ""
    title = tag("h3", f"{heading}: {changed.seen:,}{cut}", id=heading.lower())
    return join([title, table(kept, columns, label=heading, sortable=True)])


# Instances that only one of the two runs asked about


def _unmatched_section(found: Differences) -> Section | None:
    """List what is new and what is gone; None if both runs asked the same."""
    parts = [
        _unmatched("New", found.new, "was there before with other content"),
        _unmatched("Gone", found.gone, "is there after with other content"),
    ]
    if not any(parts):
        return None
    note = "Instances are the same if they hold the same, whatever their files are called."
    return Section("unmatched", "New and gone", join([tag("p", note, class_="note"), parts]))


def _unmatched(heading: str, listed: Listing[Alone], renewed: str) -> Markup | None:
    if not listed.seen:
        return None
    columns = [
        Column("Instance", lambda alone: name_cell(alone.side.name)),
        Column("Domain", lambda alone: title_of(alone.side.domain)),
        Column("Question", lambda alone: alone.question),
        Column("Verdict", lambda alone: verdict_mark(alone.side.kind)),
        Column("Remark", lambda alone: f"a file of this name {renewed}" if alone.renewed else ""),
    ]
    rows = table(listed.kept, columns, label=heading, sortable=True)
    return join([tag("h3", f"{heading}: {listed.seen:,}"), rows, more(listed.left_out, "not shown")])
