"""What a page shows of a run, gathered in one pass over its rows: sums of all, and a bounded number of single rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from solvent.batch.names import CommonFolder
from solvent.batch.records import ReadAs
from solvent.batch.report.charts.marks import KINDS
from solvent.batch.report.sampling import Distribution, Largest, Listing, Sample
from solvent.batch.rows import STATUSES, Row, Status, domain_by_name, report_columns_by_name
from solvent.batch.summary import Counts

if TYPE_CHECKING:
    from solvent.batch.store import Store
    from solvent.batch.store.reading import RunRow

MAX_ROWS = 2_000
"""Rows of the table of everything."""
MAX_DOTS = 2_000
"""Dots of all charts together."""
MAX_LISTED = 250
"""Answers of each status that are listed with their reason, and files of each kind that could not be read."""
MAX_MACHINES = 1_000
HARDEST = 10
MAX_SAMPLES = 24
"""Passing instances of a domain that may be shown as a sample of the rest."""

FIGURES = ("seconds", "expanded", "length", "certificate_bytes")
"""What is counted of every answer, beside the diagnostics of its domain."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one row with its place in the run and what it came to."""

    place: int
    """From 0, in the order of the table."""
    row: Row
    """Whole, once all rows were gone over; while they are, only what is counted."""
    status: Status | None
    names: CommonFolder

    @property
    def name(self) -> str:
        """Return what the page calls it: its name without the folder that all have in common."""
        return self.names.shorten(self.row.name)

    @property
    def kind(self) -> str:
        """Return the verdict, or ERROR where a bug prevented one."""
        verdict = self.row.verdict
        return verdict if verdict is not None and verdict in KINDS and not self.row.error else "ERROR"

    @property
    def anchor(self) -> str | None:
        """Return the link to its row within the page; None if the table does not reach so far."""
        return f"#row-{self.place}" if self.place < MAX_ROWS else None


@dataclass(frozen=True, slots=True)
class SizedAnswer:
    """Hold as much of an answer as a dot in a chart needs."""

    size: int
    seconds: float
    kind: str
    name: str
    """The whole of it."""
    anchor: str | None


@dataclass(slots=True, kw_only=True)
class Group(Counts):
    """Hold all answers to one question about instances of one domain."""

    domain: str
    question: str
    certified: int = 0
    sized: Sample[SizedAnswer] = field(default_factory=lambda: Sample(MAX_DOTS))
    """Answers about instances that have a size."""
    distributions: dict[str, Distribution] = field(default_factory=dict)
    """How each figure is spread, by name: those of `FIGURES`, then the diagnostics."""
    diagnostics: tuple[str, ...] = ()
    """What else is counted of the answers of this domain."""

    def __post_init__(self) -> None:
        known = report_columns_by_name(self.domain).diagnostics
        self.diagnostics = tuple(name for name in known if name not in FIGURES)

    def add(self, entry: Entry) -> None:
        """Count one answer."""
        row = entry.row
        self.verdicts[entry.kind] += 1
        self.statuses[entry.status or "ERROR"] += 1
        self.certified += row.certified
        self.seconds += row.seconds or 0.0
        if row.size is not None and row.size > 0:
            if self.sized.wants_next:
                self.sized.add(SizedAnswer(row.size, row.seconds or 0.0, entry.kind, row.name, entry.anchor))
            else:
                self.sized.skip()
        figures = (row.seconds, row.expanded, row.length, row.certificate_bytes or None)
        for name, value in zip(FIGURES, figures, strict=True):
            if value is not None:
                self._distribution(name).add(value)
        for name in self.diagnostics:
            value = row.stats.get(name)
            if value is not None:
                self._distribution(name).add(value)

    def _distribution(self, name: str) -> Distribution:
        if name not in self.distributions:  # making one costs more than counting
            self.distributions[name] = Distribution()
        return self.distributions[name]


def _listing() -> Listing[Entry]:
    return Listing(MAX_LISTED)


@dataclass(slots=True)
class RunStatistics:
    """Hold what a page shows of a run."""

    names: CommonFolder = field(default_factory=CommonFolder)
    groups: dict[tuple[str, str], Group] = field(default_factory=dict)
    """By domain and question, in the order of the page."""
    hardest: dict[str, Largest[Entry]] = field(default_factory=dict)
    """The answers that took longest, by domain, longest first."""
    samples: dict[str, Sample[Entry]] = field(default_factory=dict)
    """Some of those that passed, by domain."""
    failures: dict[str, Listing[Entry]] = field(default_factory=lambda: {status: _listing() for status in STATUSES[1:]})
    """Answers that did not pass, by status."""
    unread: Listing[Entry] = field(default_factory=_listing)
    """Sources that are broken, or whose reader was ended."""
    bugs_while_reading: Listing[Entry] = field(default_factory=_listing)
    """Sources that could not be read because the reader has a bug."""
    unrecognised: Listing[Entry] = field(default_factory=_listing)
    not_asked: int = 0
    """Instances whose domain has none of the questions."""
    table: list[Entry] = field(default_factory=list)
    rows: int = 0
    instances: int = 0
    known: int = 0
    """Answers that an earlier run had given."""
    retried: int = 0
    machines: Counter[str] = field(default_factory=Counter)
    solvers: dict[str, Counter[str]] = field(default_factory=dict)
    """How many answers of which solver, by domain."""

    @property
    def statuses(self) -> Counter[Status]:
        """Return how many answers came to what; sources that were not read count as ERROR."""
        total: Counter[Status] = Counter(dict.fromkeys(STATUSES, 0))
        for group in self.groups.values():
            total += group.statuses
        total["ERROR"] += self.not_read
        return total

    @property
    def not_read(self) -> int:
        """Return how many sources should have been read, and were not."""
        return self.unread.seen + self.bugs_while_reading.seen

    @property
    def answers(self) -> int:
        """Return how many answers there are."""
        return sum(group.answers for group in self.groups.values())

    @property
    def seconds(self) -> float:
        """Return the time of all answers together."""
        return sum(group.seconds for group in self.groups.values())

    @property
    def domains(self) -> list[str]:
        """Return the domains, in the order they came."""
        return list(dict.fromkeys(domain for domain, _ in self.groups))


def gather_of_run(store: Store, run: RunRow) -> RunStatistics:
    """Go over the rows of a run in a store: all of them as far as they are counted, a few as a whole."""
    from solvent.batch.store.reading import Filter, counted_rows, rows

    # As far as it goes, what is counted is read just like a whole row.
    found = gather_statistics(cast("Iterator[Row]", counted_rows(store, run.id)), began=run.began)
    first = {(row.number, row.question): row for row in rows(store, run.id, limit=MAX_ROWS)}

    def completed(entry: Entry) -> Entry:
        number, question = entry.row.number, entry.row.question
        row = first.get((number, question))
        if row is None:
            row = next(rows(store, run.id, Filter(number=number, question=question), limit=1))
        return replace(entry, row=row)

    found.table = [completed(entry) for entry in found.table]
    kept: list[Listing[Entry] | Largest[Entry] | Sample[Entry]] = [found.unread, found.bugs_while_reading]
    kept += [found.unrecognised, *found.failures.values(), *found.hardest.values(), *found.samples.values()]
    for each in kept:
        each.replace(completed)
    return found


def gather_statistics(rows: Iterable[Row], *, began: float) -> RunStatistics:
    """Go over the rows of a run, in their order; `began` is when the run did."""
    found = RunStatistics()
    last_number = None
    for place, row in enumerate(rows):
        entry = Entry(place, row, row.status, found.names)
        found.names.add(row.name)
        found.rows += 1
        if place < MAX_ROWS:
            found.table.append(entry)
        if row.read_as == ReadAs.INSTANCE.value and row.number != last_number:
            found.instances += 1
        last_number = row.number
        if row.read_as == ReadAs.UNRECOGNISED.value:
            found.unrecognised.add(entry)
        elif row.read_as == ReadAs.BUG.value:
            found.bugs_while_reading.add(entry)
        elif row.read_as != ReadAs.INSTANCE.value:
            found.unread.add(entry)
        elif row.domain is None or row.question is None:
            found.not_asked += 1
        else:
            _add_answer(found, entry, row.domain, row.question, began)
    found.groups = _in_order(found.groups)
    return found


def _in_order(groups: dict[tuple[str, str], Group]) -> dict[tuple[str, str], Group]:
    """Sort by the order in which domains came, then the order of the domain's questions."""
    came = list(dict.fromkeys(domain for domain, _ in groups))

    def rank(pair: tuple[str, str]) -> tuple[int, int]:
        owner = domain_by_name(pair[0])
        known = [] if owner is None else list(owner.questions)
        return came.index(pair[0]), known.index(pair[1]) if pair[1] in known else len(known)

    return {pair: groups[pair] for pair in sorted(groups, key=rank)}


def _add_answer(found: RunStatistics, entry: Entry, domain: str, question: str, began: float) -> None:
    row = entry.row
    group = found.groups.get((domain, question))
    if group is None:
        group = found.groups[domain, question] = Group(domain=domain, question=question)
    group.add(entry)
    found.known += 0 < row.finished < began
    found.retried += row.attempts > 1
    if row.machine in found.machines or len(found.machines) < MAX_MACHINES:
        found.machines[row.machine] += 1
    if domain not in found.hardest:
        found.hardest[domain] = Largest(HARDEST, lambda entry: entry.row.seconds or 0.0)
        found.solvers[domain] = Counter()
        found.samples[domain] = Sample(MAX_SAMPLES)
    found.solvers[domain][row.solver] += 1
    found.hardest[domain].add(entry)
    if entry.status in found.failures:
        found.failures[entry.status].add(entry)
    else:
        found.samples[domain].add(entry)
