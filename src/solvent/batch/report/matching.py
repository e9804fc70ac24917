"""Bring the answers of two runs together: those to the same question about the same instance, and those alone.

The answers go through a temporary database that SQLite keeps on disk, so memory does not grow with the runs. Rows are
carried there as they stand in the stores and counted there; Python only sees those that are shown.
"""

from __future__ import annotations

import itertools
import operator
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solvent.batch.columns import text, text_or_empty
from solvent.batch.damage import damaged
from solvent.batch.names import valid_text
from solvent.batch.records import ReadAs
from solvent.batch.report.sampling import DIGITS
from solvent.batch.rows import UNREADABLE

if TYPE_CHECKING:
    from solvent.batch.store import Store

SIDES = ("before", "after")
_CACHE_KILOBYTES = 16_000
# By instance and question, so that both sides are gone through side by side. Text is kept as bytes, as it comes from
# the stores: damage may have made it no text at all.
_TABLE = (
    "CREATE TABLE {} (instance, question BLOB, number INTEGER, domain BLOB, kind BLOB, certified INTEGER, seconds REAL,"
    " answer INTEGER, PRIMARY KEY (instance, question)) WITHOUT ROWID"
)
_COUNTED = operator.itemgetter(3, 8, 9)
"""Domain, solver and machine of a row."""
_COMPARED = operator.itemgetter(slice(8))
"""What is kept of a row."""
_ADD = "INSERT OR IGNORE INTO {} VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_ANSWERS = (
    "SELECT {0}, run_answer.question, item.number, instance.domain,"
    " CASE WHEN answer.error <> '' OR answer.verdict IS NULL THEN 'ERROR' ELSE answer.verdict END,"
    " answer.certified, answer.seconds, answer.id, answer.solver, answer.machine"
    " FROM item JOIN run_answer ON run_answer.run = item.run AND run_answer.number = item.number"
    " JOIN answer ON answer.id = run_answer.answer JOIN instance ON instance.id = item.instance"
    " WHERE item.run = ? ORDER BY 1, 2, 3"
)
"""In this order: of those about the same instance the first comes first, and a table in order is quick to fill."""
_NO_NUMBERS = "SELECT number FROM {} WHERE typeof(seconds) NOT IN ('real', 'integer') OR typeof(certified) <> 'integer'"
_SIDE = "{0}.number, {0}.domain, {0}.kind, {0}.certified, {0}.seconds, {0}.answer"
_PAIRS = (
    "CREATE TABLE pair AS SELECT after.question AS question, after.domain AS domain,"
    + ",".join(
        f" {side}.{name} AS {side}_{name}"
        for side in SIDES
        for name in ("number", "domain", "kind", "certified", "seconds", "answer")
    )
    + ", {} AND before.answer = after.answer AS shared FROM after JOIN before USING (instance, question)"
    " ORDER BY after.number, after.question"
)
_PAIR = "question, " + ", ".join(
    f"{side}_{name}" for side in SIDES for name in ("number", "domain", "kind", "certified", "seconds", "answer")
)
_FACTS = 6
"""How many facts there are of each side."""
_IS_ALONE = (
    "NOT EXISTS (SELECT 1 FROM {1} AS other WHERE other.instance = {0}.instance AND other.question = {0}.question)"
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
    """Hold the answers of two runs, each a store and the number of a run, ready to be compared; a context manager.

    The stores have to stay open meanwhile. Conditions are SQL over the columns of the table `pair`.
    """

    def __init__(self, before: tuple[Store, int], after: tuple[Store, int]) -> None:
        self.unread: dict[str, int] = {}
        self.bugs_while_reading: dict[str, int] = {}
        """How many sources could not be read, by side."""
        self.repeated: dict[str, int] = {}
        """How many answers are about an instance that came earlier in the run already, under another name."""
        self.solvers: dict[str, dict[str, Counter[str]]] = {}
        """How many answers are of which solver, by side and domain."""
        self.machines: dict[str, Counter[str]] = {}
        """How many answers are from which machine, by side."""
        self._runs = dict(zip(SIDES, (before, after), strict=True))
        self._has_names = False
        one_store = before[0].path.resolve() == after[0].path.resolve()
        # Without a name, SQLite keeps a database in memory while it is small, then in a hidden file.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.text_factory = bytes
        try:
            for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KILOBYTES}"):
                self._database.execute(f"PRAGMA {pragma}").fetchall()
            for side in SIDES:
                # In one store an instance has one row, and a number is quicker to compare than a hash.
                self._fill(side, "instance.id" if one_store else "instance.hash")
            self._database.execute(_PAIRS.format(int(one_store)))
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Matching:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def groups(self, counted: str) -> Iterator[tuple[str, str, Sequence[Any]]]:
        """Yield what is counted, for each domain and question that both runs have, in the order of the later one."""
        statement = f"SELECT domain, question, {counted} FROM pair GROUP BY domain, question ORDER BY min(rowid)"
        for domain, question, *values in self._query(statement):
            yield text(domain), text(question), values

    def ratios(self, condition: str) -> Iterator[tuple[str, str, float, int, float, float]]:
        """Yield how many times as fast the later run was: domain, question, ratio, how often, from, to.

        A ratio is rounded to as many digits as a `Distribution` counts.
        """
        statement = (
            f"SELECT domain, question, printf('%.{DIGITS}g', before_seconds / after_seconds), count(*),"
            f" min(before_seconds / after_seconds), max(before_seconds / after_seconds) FROM pair WHERE {condition}"
            " AND before_seconds > 0 AND after_seconds > 0 GROUP BY 1, 2, 3"
        )
        for domain, question, ratio, times, least, most in self._query(statement):
            yield text(domain), text(question), float(ratio), times, least, most

    def count_pairs(self, condition: str) -> int:
        """Return how many pairs a condition leaves."""
        ((count,),) = self._query(f"SELECT count(*) FROM pair WHERE {condition}")
        return int(count)

    def pairs(self, condition: str, *, order: str = "place", limit: int) -> list[Pair]:
        """Return the first pairs that a condition leaves, in the order of the later run or another."""
        statement = f"SELECT rowid AS place, {_PAIR} FROM pair WHERE {condition} ORDER BY {order} LIMIT {limit}"
        return [self._pair(row) for _, *row in self._query(statement)]

    def every(self, step: int, condition: str) -> list[Pair]:
        """Return every so many-th of the pairs that a condition leaves, from the first on."""
        statement = (
            f"SELECT {_PAIR} FROM pair JOIN (SELECT rowid AS place, row_number() OVER (ORDER BY rowid) AS position"
            f" FROM pair WHERE {condition}) ON place = pair.rowid WHERE (position - 1) % {step} = 0 ORDER BY place"
        )
        return [self._pair(row) for row in self._query(statement)]

    def count_alone(self, side: str) -> int:
        """Return how many answers only one run has, `before` or `after`."""
        ((count,),) = self._query(f"SELECT count(*) FROM {side} WHERE {_IS_ALONE.format(side, _other(side))}")
        return int(count)

    def alone(self, side: str, *, limit: int) -> list[Alone]:
        """Return the first answers that only one run has."""
        self._fetch_names()
        statement = (
            f"SELECT question, {_SIDE.format(side)}, name IN (SELECT name FROM names_of_{_other(side)})"
            f" FROM {side} JOIN names_of_{side} USING (number) WHERE {_IS_ALONE.format(side, _other(side))}"
            f" ORDER BY number, question LIMIT {limit}"
        )
        return [
            Alone(text(question), self._side(side, facts), bool(renewed))
            for question, *facts, renewed in self._query(statement)
        ]

    def count_renewed(self) -> int:
        """Return how many answers that only the later run has are about another content of a name that both have."""
        self._fetch_names()
        ((count,),) = self._query(
            f"SELECT count(*) FROM after JOIN names_of_after USING (number) WHERE {_IS_ALONE.format('after', 'before')}"
            " AND name IN (SELECT name FROM names_of_before)"
        )
        return int(count)

    def _fill(self, side: str, instance: str) -> None:
        store, run = self._runs[side]
        self._database.execute(_TABLE.format(side))
        found: Counter[tuple[Any, ...]] = Counter()

        def compared() -> Iterator[tuple[Any, ...]]:
            for block in store.blocks(_ANSWERS.format(instance), run):
                found.update(map(_COUNTED, block))
                yield from map(_COMPARED, block)

        added = self._insert(_ADD.format(side), compared())
        self.repeated[side] = found.total() - added
        for (number,) in self._query(f"{_NO_NUMBERS.format(side)} LIMIT 1"):
            raise damaged(store.path, f"the answer about source {number} of run {run} lacks its numbers")
        kinds = {text(kind): count for kind, count in self._read(side, _READ_AS)}
        self.unread[side] = sum(kinds.get(kind, 0) for kind in UNREADABLE)
        self.bugs_while_reading[side] = kinds.get(ReadAs.BUG.value, 0)
        self.solvers[side], self.machines[side] = {}, Counter()
        described = dict(store.query("SELECT id, description FROM machine", as_bytes=True))
        for (domain, solver, machine), count in found.items():
            self.solvers[side].setdefault(text(domain), Counter())[text_or_empty(solver)] += count
            self.machines[side][text_or_empty(described.get(machine))] += count

    def _fetch_names(self) -> None:
        """Have the names of all sources at hand: needed only where something is new or gone."""
        if self._has_names:
            return
        self._has_names = True
        for side, (store, run) in self._runs.items():
            self._database.execute(f"CREATE TABLE names_of_{side} (number INTEGER PRIMARY KEY, name)")
            names = store.blocks("SELECT number, name FROM item WHERE run = ? ORDER BY number", run)
            self._insert(f"INSERT INTO names_of_{side} VALUES (?, ?)", itertools.chain.from_iterable(names))

    def _insert(self, statement: str, rows: Iterator[tuple[Any, ...]]) -> int:
        """Add rows, and return how many there were that could be added."""
        self._database.execute("BEGIN")
        added = self._database.executemany(statement, rows).rowcount
        self._database.execute("COMMIT")
        return added

    def _read(self, side: str, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        store, run = self._runs[side]
        return store.query(statement, run, *values, as_bytes=True)

    def _query(self, statement: str) -> Iterator[Any]:
        with closing(self._database.execute(statement)) as found:
            yield from found

    def _pair(self, row: Sequence[Any]) -> Pair:
        question, *facts = row
        return Pair(text(question), self._side("before", facts[:_FACTS]), self._side("after", facts[_FACTS:]))

    def _side(self, side: str, facts: Sequence[Any]) -> Side:
        number, domain, kind, certified, seconds, answer = facts
        ((name,),) = self._read(side, _NAME, number)
        return Side(number, valid_text(text(name)), text(domain), text(kind), bool(certified), seconds, answer)


_NAME = "SELECT name FROM item WHERE run = ? AND number = ?"
_READ_AS = "SELECT read_as, count(*) FROM item WHERE run = ? GROUP BY read_as"


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]
