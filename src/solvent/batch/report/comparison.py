"""Compare two runs: match the answers to the same question about the same instance, and find what changed.

Instances are the same if they hold the same, whatever their files are called. `matching` brings the answers of both
runs together in a temporary database, which then does all the counting: only what a page shows becomes an object here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from solvent.batch.report.matching import Alone, Matching, Pair
from solvent.batch.report.run_statistics import MAX_DOTS
from solvent.batch.report.sampling import Distribution, Largest, Listing, Sample

NOISE_RATIO = 1.5
NOISE_SECONDS = 0.05
"""A time has changed if it is at least so many times the other, and by so many seconds; less may be chance."""
MAX_LISTED = 100

CONTRADICTED, LOST, GAINED, UNPROVED, OTHERWISE = "contradicted", "lost", "gained", "unproved", "otherwise"
CHANGES = (CONTRADICTED, LOST, GAINED, UNPROVED, OTHERWISE)
"""What can become of an answer, the worst first."""

_DECIDED = "{}_kind IN (CAST('YES' AS BLOB), CAST('NO' AS BLOB))"
_CHANGE = (
    f"CASE WHEN before_kind = after_kind THEN CASE WHEN before_certified AND NOT after_certified THEN '{UNPROVED}' END"
    f" WHEN {_DECIDED.format('before')} THEN"
    f" CASE WHEN {_DECIDED.format('after')} THEN '{CONTRADICTED}' ELSE '{LOST}' END"
    f" WHEN {_DECIDED.format('after')} THEN '{GAINED}' ELSE '{OTHERWISE}' END"
)
"""What became of an answer, as SQL: the same as `change_of`."""
_COMPARABLE = f"NOT shared AND before_kind = after_kind AND {_DECIDED.format('before')}"
"""Which pairs tell about times: both decided alike, and each solved for itself."""
_BEYOND_CHANCE = (
    f"{_COMPARABLE} AND abs(after_seconds - before_seconds) >= {NOISE_SECONDS}"
    f" AND max(after_seconds, before_seconds) >= {NOISE_RATIO} * min(after_seconds, before_seconds)"
)
_SLOWER = f"{_BEYOND_CHANCE} AND after_seconds > before_seconds"
_FASTER = f"{_BEYOND_CHANCE} AND after_seconds < before_seconds"
_TIMES = ("count(*)", "sum(before_seconds)", "sum(after_seconds)")
_MOST_CHANGED = "abs(before_seconds - after_seconds) DESC, place"


@dataclass(slots=True)
class Times:
    """Hold the times of answers that both runs decided, each for itself and alike."""

    answers: int = 0
    before: float = 0.0
    after: float = 0.0
    ratios: Distribution = field(default_factory=Distribution)
    """How many times as fast the later run was, answer by answer."""


@dataclass(slots=True)
class Part:
    """Hold what changed for one question about one domain."""

    matched: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    times: Times = field(default_factory=Times)


@dataclass(slots=True)
class Differences:
    """Hold what changed between two runs."""

    parts: dict[tuple[str, str], Part] = field(default_factory=dict)
    """By domain and question."""
    changed: dict[str, Listing[Pair]] = field(
        default_factory=lambda: {change: Listing(MAX_LISTED) for change in CHANGES}
    )
    faster: Largest[Pair] = field(default_factory=lambda: Largest(MAX_LISTED, _seconds_changed))
    slower: Largest[Pair] = field(default_factory=lambda: Largest(MAX_LISTED, _seconds_changed))
    times: Times = field(default_factory=Times)
    shared: int = 0
    """Pairs that are one and the same stored answer, because the later run found it in the store."""
    dots: Sample[Pair] = field(default_factory=lambda: Sample(MAX_DOTS))
    """Pairs that were solved twice."""
    gone: Listing[Alone] = field(default_factory=lambda: Listing(MAX_LISTED))
    new: Listing[Alone] = field(default_factory=lambda: Listing(MAX_LISTED))
    renewed: int = 0
    """Of the new ones, those whose name the earlier run had with other content."""
    unread: dict[str, int] = field(default_factory=dict)
    """How many sources could not be read, before and after."""
    bugs_while_reading: dict[str, int] = field(default_factory=dict)
    """How many met a bug of the reader."""

    @property
    def matched(self) -> int:
        """Return how many answers both runs have."""
        return sum(part.matched for part in self.parts.values())

    @property
    def same_verdict(self) -> int:
        """Return how many of them have the same verdict, certified or not."""
        changed = sum(self.changed[change].seen for change in CHANGES if change != UNPROVED)
        return self.matched - changed

    def shown_answers(self) -> tuple[set[int], set[int]]:
        """Return the answers that are listed one by one: the rows of the earlier run, and those of the later."""
        pairs = [pair for listed in self.changed.values() for pair in listed.kept]
        pairs += [*self.faster.kept, *self.slower.kept, *self.dots.kept]
        before = {pair.before.answer for pair in pairs} | {alone.side.answer for alone in self.gone.kept}
        after = {pair.after.answer for pair in pairs} | {alone.side.answer for alone in self.new.kept}
        return before, after

    @property
    def lost(self) -> bool:
        """Tell whether the later run knows less, or the opposite of something."""
        return bool(self.changed[LOST].seen or self.changed[CONTRADICTED].seen)


def change_of(pair: Pair) -> str | None:
    """Say what became of an answer; None if nothing did."""
    before, after = pair.before, pair.after
    if before.kind == after.kind:
        return UNPROVED if before.certified and not after.certified else None
    if before.decided and after.decided:
        return CONTRADICTED
    if before.decided:
        return LOST
    return GAINED if after.decided else OTHERWISE


def find_differences(matching: Matching) -> Differences:
    """Compare two runs. In one store, two runs may have one answer in common."""
    found = Differences(unread=matching.unread, bugs_while_reading=matching.bugs_while_reading)
    _count(found, matching)
    for change in CHANGES:
        listed = found.changed[change]
        listed.seen = sum(part.changes[change] for part in found.parts.values())
        if listed.seen:
            listed.kept = matching.pairs(f"{_CHANGE} = '{change}'", limit=MAX_LISTED)
    for largest, condition in ((found.faster, _FASTER), (found.slower, _SLOWER)):
        for pair in matching.pairs(condition, order=_MOST_CHANGED, limit=MAX_LISTED):
            largest.add(pair)
        largest.seen = matching.count_pairs(condition)
    found.dots.seen = found.matched - found.shared
    found.dots.kept = matching.every(found.dots.step_for(found.dots.seen), "NOT shared")
    for side, listed_alone in (("before", found.gone), ("after", found.new)):
        listed_alone.seen = matching.count_alone(side)
        listed_alone.kept = matching.alone(side, limit=MAX_LISTED) if listed_alone.seen else []
    found.renewed = matching.count_renewed() if found.new.seen else 0
    return found


def _count(found: Differences, matching: Matching) -> None:
    """Count the pairs by domain and question, what became of them and how long they took."""
    counted = ["count(*)", "sum(shared)"]
    counted += [f"count(*) FILTER (WHERE {_CHANGE} = '{change}')" for change in CHANGES]
    counted += [f"{what} FILTER (WHERE {_COMPARABLE})" for what in _TIMES]
    for domain, question, (matched, shared, *rest) in matching.groups(", ".join(counted)):
        *changes, compared, before, after = rest
        part = found.parts[domain, question] = Part(matched)
        part.changes.update({change: number for change, number in zip(CHANGES, changes, strict=True) if number})
        found.shared += shared
        for times in (part.times, found.times):
            times.answers += compared
            times.before += before or 0.0
            times.after += after or 0.0
    for domain, question, ratio, times_seen, least, most in matching.ratios(_COMPARABLE):
        for times in (found.parts[domain, question].times, found.times):
            times.ratios.add_many(ratio, times_seen, least, most)


def _seconds_changed(pair: Pair) -> float:
    return abs(pair.before.seconds - pair.after.seconds)
