"""Compare two runs: match the answers to the same question about the same instance, and find what changed.

Instances are the same if they hold the same, whatever their files are called.
The rows go through a temporary database that SQLite keeps on disk, so memory does not grow with the runs.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from solvent.batch.names import valid_text
from solvent.batch.records import ReadAs
from solvent.batch.report.run_statistics import MAX_DOTS
from solvent.batch.report.sampling import Distribution, Largest, Listing, Sample
from solvent.batch.rows import UNREADABLE, Row

if TYPE_CHECKING:
    from solvent.batch.store.reading import ComparedRow

NOISE_RATIO = 1.5
NOISE_SECONDS = 0.05
"""A time has changed if it is at least so many times the other, and by so many seconds; less may be chance."""
MAX_LISTED = 100

CONTRADICTED, LOST, GAINED, UNPROVED, OTHERWISE = "contradicted", "lost", "gained", "unproved", "otherwise"
CHANGES = (CONTRADICTED, LOST, GAINED, UNPROVED, OTHERWISE)
"""What can become of an answer, the worst first."""
SIDES = ("before", "after")
_TABLE = (
    "CREATE TABLE {} (instance TEXT, question TEXT, number INTEGER, name TEXT, domain TEXT, verdict TEXT,"
    " certified INTEGER, seconds REAL, answer INTEGER, PRIMARY KEY (instance, question)) WITHOUT ROWID"
)
_SIDE = "{0}.number, {0}.name, {0}.domain, {0}.verdict, {0}.certified, {0}.seconds, {0}.answer"
_PAIRS = (
    f"SELECT question, {_SIDE.format('before')}, {_SIDE.format('after')} FROM after JOIN before"
    " USING (instance, question) ORDER BY after.number, question"
)
_ALONE = (
    f"SELECT question, {_SIDE.format('mine')}, EXISTS (SELECT 1 FROM names_of_{{1}} AS other"
    " WHERE other.name = mine.name) FROM {0} AS mine WHERE NOT EXISTS (SELECT 1 FROM {1} AS other"
    " WHERE other.instance = mine.instance AND other.question = mine.question) ORDER BY number, question"
)


@dataclass(frozen=True, slots=True)
class Side:
    """Hold one answer as far as it is compared."""

    number: int
    """The place of its source in the run."""
    name: str
    domain: str
    kind: str
    """The verdict, or ERROR where a bug prevented one."""
    certified: bool
    seconds: float
    answer: int
    """The row of the answer in its store."""

    @property
    def decided(self) -> bool:
        """Tell whether it is YES or NO."""
        return self.kind in ("YES", "NO")


@dataclass(frozen=True, slots=True)
class Pair:
    """Hold the two answers to the same question about the same instance."""

    question: str
    before: Side
    after: Side


@dataclass(frozen=True, slots=True)
class Alone:
    """Hold an answer about an instance that the other run did not ask about."""

    question: str
    side: Side
    renewed: bool
    """Whether the other run has something else under the same name: the file was changed."""


class Matching:
    """Hold the answers of two runs, ready to be compared; a context manager."""

    def __init__(self, before: Iterable[Row | ComparedRow], after: Iterable[Row | ComparedRow]) -> None:
        self.unread: dict[str, int] = {}
        self.bugs_while_reading: dict[str, int] = {}
        """How many sources could not be read, by side."""
        self.repeated: dict[str, int] = {}
        """How many answers are about an instance that came earlier in the run already, under another name."""
        self.solvers: dict[str, dict[str, Counter[str]]] = {}
        """How many answers are of which solver, by side and domain."""
        self.machines: dict[str, Counter[str]] = {}
        """How many answers are from which machine, by side."""
        # Without a name, SQLite keeps a database in memory while it is small, then in a hidden file.
        self._database = sqlite3.connect("")
        try:
            for side, rows in zip(SIDES, (before, after), strict=True):
                self._fill(side, rows)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Matching:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def pairs(self) -> Iterator[Pair]:
        """Yield what both runs answered, in the order of the later one."""
        with closing(self._database.execute(_PAIRS)) as found:
            for question, *both in found:
                yield Pair(question, _side(both[:7]), _side(both[7:]))

    def alone(self, side: str) -> Iterator[Alone]:
        """Yield what only one run answered, `before` or `after`."""
        other = SIDES[1 - SIDES.index(side)]
        with closing(self._database.execute(_ALONE.format(side, other))) as found:
            for question, *mine, renewed in found:
                yield Alone(question, _side(mine), bool(renewed))

    def _fill(self, side: str, rows: Iterable[Row | ComparedRow]) -> None:
        self._database.execute(_TABLE.format(side))
        self._database.execute(f"CREATE TABLE names_of_{side} (name TEXT PRIMARY KEY) WITHOUT ROWID")
        self.unread[side] = self.bugs_while_reading[side] = self.repeated[side] = 0
        self.solvers[side], self.machines[side] = {}, Counter()
        for row in rows:
            name = valid_text(row.name)
            self._database.execute(f"INSERT OR IGNORE INTO names_of_{side} VALUES (?)", (name,))
            self.unread[side] += row.read_as in UNREADABLE
            self.bugs_while_reading[side] += row.read_as == ReadAs.BUG.value
            if row.instance is None or row.domain is None or row.question is None or row.answer is None:
                continue
            self.solvers[side].setdefault(row.domain, Counter())[row.solver] += 1
            self.machines[side][row.machine] += 1
            verdict = "ERROR" if row.error or row.verdict is None else row.verdict
            values = (row.instance, row.question, row.number, name, row.domain, verdict, row.certified, row.seconds)
            added = self._database.execute(
                f"INSERT OR IGNORE INTO {side} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, row.answer)
            )
            self.repeated[side] += 1 - added.rowcount


def _side(values: list[object]) -> Side:
    number, name, domain, kind, certified, seconds, answer = values
    return Side(number, name, domain, kind, bool(certified), seconds, answer)  # type: ignore[arg-type]


@dataclass(slots=True)
class Times:
    """Hold the times of answers that both runs decided, each for itself and alike."""

    answers: int = 0
    before: float = 0.0
    after: float = 0.0
    ratios: Distribution = field(default_factory=Distribution)
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
    return found


def _compare_times(found: Differences, part: Part, pair: Pair) -> None:
    found.times.add(pair)
    part.times.add(pair)
    quick, slow = sorted((pair.before.seconds, pair.after.seconds))
    if slow - quick >= NOISE_SECONDS and slow >= NOISE_RATIO * quick:
        (found.slower if pair.after.seconds > pair.before.seconds else found.faster).add(pair)


def _seconds_changed(pair: Pair) -> float:
    return abs(pair.before.seconds - pair.after.seconds)
