"""Put the page about two runs together: what changed its verdict, what got faster or slower, what is new."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvent.batch.report.asked import (
    describe_choices,
    describe_limits,
    describe_machines,
    describe_questions,
    describe_solvers,
    describe_times,
)
from solvent.batch.report.changed import changes_section
from solvent.batch.report.differences import CONTRADICTED, GAINED, LOST, OTHERWISE, Differences, find_differences
from solvent.batch.report.document import Card, Section, cards, document, table
from solvent.batch.report.markup import Child, Markup, join, tag
from solvent.batch.report.matching import SIDES, Matching
from solvent.batch.report.phrases import count, duration, share
from solvent.batch.report.times import times_section, times_sentence
from solvent.batch.report.unmatched import unmatched_section
from solvent.version import __version__

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow


@dataclass(frozen=True, slots=True)
class Run:
    """Hold one of the two runs."""

    store: Store
    row: RunRow

    @property
    def title(self) -> str:
        """Return what to call it."""
        return f"run {self.row.id} of {self.store.path}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Hold a page and the figures it shows."""

    page: str
    found: Differences
    warnings: tuple[str, ...]
    """In what the two runs differ, so that a difference may be due to that."""


def make_comparison(before: Run, after: Run) -> Comparison:
    """Make the page that compares two runs, of one store or of two: one HTML document that needs nothing beside it."""
    from solvent.batch.store.reading import rows

    one_store = before.store.path.resolve() == after.store.path.resolve()
    with Matching(rows(before.store, before.row.id), rows(after.store, after.row.id)) as matching:
        found = find_differences(matching, one_store=one_store)
    before_made, after_made = _made_by(matching, before, "before"), _made_by(matching, after, "after")
    warnings = find_warnings(before, after, matching)
    sections: list[Section | None] = [
        _overview(found),
        changes_section(found, before.store, before.row, after.store, after.row),
        times_section(found),
        unmatched_section(found),
    ]
    head = [
        tag("h1", "Two runs compared"),
        tag("p", sentence(found), class_="lead"),
        _runs(before, after, before_made, after_made),
        [tag("p", warning, class_="note") for warning in warnings],
    ]
    foot = tag("p", f"Made by Solvent {__version__}.")
    title = f"Two runs compared: {before.title}, {after.title}"
    return Comparison(document(title, head, [part for part in sections if part], foot), found, warnings)


def sentence(found: Differences) -> str:
    """Say in a sentence what changed."""
    if not found.matched:
        return "The two runs have no answer in common."
    words = {CONTRADICTED: "contradicted", LOST: "lost", GAINED: "gained", OTHERWISE: "changed otherwise"}
    changes = [f"{found.changed[change].seen:,} {word}" for change, word in words.items() if found.changed[change].seen]
    both = count(found.matched, "answer")
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
            found.append(f"{run.title[:1].upper()}{run.title[1:]} is not finished.")
    solvers = [matching.solvers[side] for side in SIDES]
    common = set(solvers[0]) & set(solvers[1])
    if common and all(set(solvers[0][domain]) == set(solvers[1][domain]) for domain in common):
        # A solver may go about it in another way when it is allowed less or told otherwise.
        so = ", so times differ by chance or by the machine" if same_limits and same_choices else ""
        found.append(f"Both were made by the same solver{so}.")
    return tuple(found)


def _made_by(matching: Matching, run: Run, side: str) -> tuple[Markup, Markup]:
    solvers = describe_solvers(matching.solvers[side], run.row.solver)
    return solvers, describe_machines(matching.machines[side], run.row.machine)


def _runs(before: Run, after: Run, before_made: tuple[Markup, Markup], after_made: tuple[Markup, Markup]) -> Markup:
    lines: list[tuple[str, Child, Child]] = [
        ("Store", str(before.store.path), str(after.store.path)),
        ("Run", str(before.row.id), str(after.row.id)),
        ("State", before.row.state, after.row.state),
        ("When", describe_times(before.row), describe_times(after.row)),
        ("Asked", describe_questions(before.row.settings), describe_questions(after.row.settings)),
        ("Limits", describe_limits(before.row.settings), describe_limits(after.row.settings)),
        ("Options", describe_choices(before.row.settings) or "–", describe_choices(after.row.settings) or "–"),
        ("Solver", before_made[0], after_made[0]),
        ("Machine", before_made[1], after_made[1]),
        ("Command", tag("code", before.row.command), tag("code", after.row.command)),
    ]
    telling = ("Asked", "Limits", "Options", "Solver", "Machine")
    drawn = [
        tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", old),
            tag("td", new),
            class_="differs" if name in telling and old != new else None,
        )
        for name, old, new in lines
    ]
    return table([("", None), ("Before", None), ("After", None)], drawn, label="The two runs")


def _overview(found: Differences) -> Section:
    times = found.times
    lost, contradicted = found.changed[LOST].seen, found.changed[CONTRADICTED].seen
    listed = [
        Card(f"{found.matched:,}", "answers in both", "same question, same instance"),
        Card(f"{found.same_verdict:,}", "same verdict", share(found.same_verdict, found.matched)),
        Card(
            f"{contradicted:,}", "contradicted", "YES became NO, or NO YES", contradicted > 0, _to(found, CONTRADICTED)
        ),
        Card(f"{lost:,}", "lost", "became UNKNOWN or an error", lost > 0, _to(found, LOST)),
        Card(f"{found.changed[GAINED].seen:,}", "gained", "were UNKNOWN or an error", link=_to(found, GAINED)),
        Card(f"{found.faster.seen:,}", "faster", "beyond chance", link="#faster" if found.faster.seen else None),
        Card(f"{found.slower.seen:,}", "slower", "beyond chance", link="#slower" if found.slower.seen else None),
    ]
    if times.answers:
        listed.append(
            Card(
                duration(times.after),
                "for the same work",
                f"{duration(times.before)} before, {times.answers:,} answers",
            )
        )
    notes = [times_sentence(found)]
    if found.shared:
        notes.append(
            f"{count(found.shared, 'answer is', 'answers are')} one and the same in both runs: the later one found"
            " them in the store and did not solve again."
        )
    for sides, told in (
        (found.unread, "could not be read"),
        (found.bugs_while_reading, "met a bug while being read"),
    ):
        if sides["before"] != sides["after"]:
            notes.append(f"{count(sides['before'], 'source')} {told} before, {sides['after']:,} after.")
    body = join([cards(listed), [tag("p", text) for text in notes if text]])
    return Section("overview", "Overview", body)


def _to(found: Differences, change: str) -> str | None:
    return f"#{change}" if found.changed[change].seen else None
