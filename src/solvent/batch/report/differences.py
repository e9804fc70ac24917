"""What changed between two runs: verdicts, times, and which instances there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from solvent.batch.report.gathering import MAX_DOTS
from solvent.batch.report.matching import Alone, Matching, Pair
from solvent.batch.report.spread import Spread
from solvent.batch.report.thinning import Listing, Thinned

NOISE_RATIO = 1.5
NOISE_SECONDS = 0.05
"""A time has changed if it is at least so many times the other, and by so many seconds; less may be chance."""
MAX_LISTED = 100

CONTRADICTED, LOST, GAINED, UNPROVED, OTHERWISE = "contradicted", "lost", "gained", "unproved", "otherwise"
CHANGES = (CONTRADICTED, LOST, GAINED, UNPROVED, OTHERWISE)
"""What can become of an answer, the worst first."""


@dataclass(slots=True)
class Most:
    """Hold the pairs whose time changed most, and how many there are."""

    kept: list[Pair] = field(default_factory=list)
    seen: int = 0

    def add(self, pair: Pair) -> None:
        """Take one more."""
        self.seen += 1
        self.kept.append(pair)
        if len(self.kept) > 2 * MAX_LISTED:
            self.settle()

    def settle(self) -> None:
        """Put those first that changed by the most seconds, and drop the rest."""
        self.kept.sort(key=lambda pair: -abs(pair.before.seconds - pair.after.seconds))
        del self.kept[MAX_LISTED:]


@dataclass(slots=True)
class Times:
    """Hold the times of answers that both runs decided, each for itself and alike."""

    answers: int = 0
    before: float = 0.0
    after: float = 0.0
    ratios: Spread = field(default_factory=Spread)
    """How many times as fast the later run was, answer by answer."""

    def add(self, pair: Pair) -> None:
        """Count one pair."""
        self.answers += 1
        self.before += pair.before.seconds
        self.after += pair.after.seconds
        if pair.before.seconds > 0 and pair.after.seconds > 0:
            self.ratios.add(pair.before.seconds / pair.after.seconds)


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
    faster: Most = field(default_factory=Most)
    slower: Most = field(default_factory=Most)
    times: Times = field(default_factory=Times)
    shared: int = 0
    """Pairs that are one and the same stored answer, because the later run found it in the store."""
    dots: Thinned[Pair] = field(default_factory=lambda: Thinned(MAX_DOTS))
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


def find_differences(matching: Matching, *, one_store: bool) -> Differences:
    """Compare two runs, pair by pair. In one store, two runs may have one answer in common."""
    found = Differences(unread=matching.unread, bugs_while_reading=matching.bugs_while_reading)
    for pair in matching.pairs():
        part = found.parts.setdefault((pair.after.domain, pair.question), Part())
        part.matched += 1
        change = change_of(pair)
        if change is not None:
            part.changes[change] += 1
            found.changed[change].add(pair)
        if one_store and pair.before.answer == pair.after.answer:
            found.shared += 1
            continue
        found.dots.add(pair)
        if pair.before.decided and pair.before.kind == pair.after.kind:
            _compare_times(found, part, pair)
    for alone in matching.alone("before"):
        found.gone.add(alone)
    for alone in matching.alone("after"):
        found.new.add(alone)
        found.renewed += alone.renewed
    found.faster.settle()
    found.slower.settle()
    return found


def _compare_times(found: Differences, part: Part, pair: Pair) -> None:
    found.times.add(pair)
    part.times.add(pair)
    quick, slow = sorted((pair.before.seconds, pair.after.seconds))
    if slow - quick >= NOISE_SECONDS and slow >= NOISE_RATIO * quick:
        (found.slower if pair.after.seconds > pair.before.seconds else found.faster).add(pair)
