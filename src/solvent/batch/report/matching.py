"""Match the answers of two runs: the same question about the same instance, by what it holds and not by its name.

The rows go through a temporary database that SQLite keeps on disk, so memory does not grow with the runs.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvent.batch.names import valid_text
from solvent.batch.records import ReadAs
from solvent.batch.rows import UNREADABLE, Row

if TYPE_CHECKING:
    from solvent.batch.store.reading import ComparedRow

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
        # Without a name, SQLite keeps a database in memory while it is small, then in a file that nobody else sees.
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
