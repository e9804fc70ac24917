"""Copy what is intact in a damaged store to a new one.

Rows are believed if their seal fits, and the table of a run if its seal does. All that was found is first put into
temporary tables that have the names of those of the store. That is where SQL looks for a table first, so the statements
that select what a seal is over in a store select it there.
"""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solvent.batch.store.opening import connect, explained
from solvent.batch.store.rescue.pages import FoundRow, Pages
from solvent.batch.store.schema import MIGRATIONS, split_reasons
from solvent.batch.store.seals import ANSWERS, SEALED, SEALED_ANSWER, SEALED_INSTANCE, is_sealed, seal_of_run
from solvent.core.errors import StoreError
from solvent.core.events import Event, Kind, Listener, ignore

NEWER_VERSIONS = 100
"""A version that is at most so much higher than ours is one to come; anything else is damage to the header."""
_WITH_ROWID = ("machine", "run", "instance", "answer")
_OF_RUN = ("item", "run_answer")
_TABLES = (*_WITH_ROWID, *_OF_RUN)
_LOOKED_UP_BY = {**dict.fromkeys(_WITH_ROWID, "id"), "item": "run, number", "run_answer": "run, number, question"}
_RUN_WITHOUT_SEAL = 13
"""How many columns the rows of runs have that were written before there were seals of runs."""
_HASH_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Rescued:
    """Hold how much of a store was saved, and how much of what is mentioned anywhere in it was not."""

    answers: int
    answers_lost: int
    instances: int
    instances_lost: int
    runs: int
    runs_lost: int
    """Runs whose table is damaged, or that had not ended: the same command makes it anew from the answers."""
    runs_with_gaps: int
    """Of the runs that were saved, those that lack answers or sources now; they count as interrupted."""

    @property
    def is_complete(self) -> bool:
        """Tell whether nothing was lost."""
        return not (self.answers_lost or self.instances_lost or self.runs_lost or self.runs_with_gaps)


def rescue(path: Path, target: Path, *, listen: Listener = ignore) -> Rescued:
    """Copy every instance and answer whose seal fits to a new store, and every run whose table is intact.

    The damaged file is only read. Raises StoreError if there is nothing to save, or if the new store exists already.
    """
    _require_free(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with Pages(path) as pages, tempfile.TemporaryDirectory(dir=target.parent, prefix=".rescue-") as folder:
            made = Path(folder) / target.name
            rescued = _copy(pages, path, made, listen)
            _require_free(target)
            made.rename(target)
    except OSError as error:
        raise StoreError(f"cannot copy {path} to {target}: {error.strerror or error}") from None
    return rescued


def _require_free(target: Path) -> None:
    if target.exists():
        raise StoreError(f"{target} exists already; choose another name for the new store")


def _copy(pages: Pages, path: Path, made: Path, listen: Listener) -> Rescued:
    known = len(MIGRATIONS)
    if known < pages.version <= known + NEWER_VERSIONS:
        raise StoreError(
            f"{path} was written by a newer Solvent (store version {pages.version}; this one knows up to {known})"
        )
    with explained(made), contextlib.closing(connect(made, create=True, read_only=False)) as connection:
        connection.execute("PRAGMA cache_spill = ON")  # nobody else reads it yet, and all of it is one transaction
        connection.execute("BEGIN")
        rescuer = _Rescuer(connection)
        rescuer.find(pages, listen)
        if pages.version == 1:
            split_reasons(connection)
        rescued = rescuer.keep(listen)
        connection.execute("COMMIT")
    if not rescued.instances:
        raise StoreError(f"there is nothing in {path} that could be saved")
    return rescued


class _Rescuer:
    """Fill a new store through a connection to it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._columns: dict[str, list[str]] = {}
        for table in _TABLES:
            columns = connection.execute(f"SELECT name, type FROM pragma_table_info('{table}')").fetchall()
            self._columns[table] = [name for name, _ in columns]
            connection.execute(f"CREATE TEMP TABLE {table} ({', '.join(f'{name} {kind}' for name, kind in columns)})")
        # Which answers were kept, by their numbers before and now.
        connection.execute("CREATE TEMP TABLE kept (before INTEGER, id INTEGER, seal BLOB)")
        connection.execute("CREATE INDEX temp.kept_before ON kept (before)")

    def find(self, pages: Pages, listen: Listener) -> None:
        """Put all rows that can be read into temporary tables."""
        for number, rows in enumerate(pages.rows()):
            listen(Event(Kind.PROGRESS, f"read {number:,} of {len(pages):,} pages"))
            for row in rows:
                if row.values is not None:
                    self._add(row, row.values)
        for table in _TABLES:
            # Pages of the log may hold once more what other pages do.
            columns = ", ".join(self._columns[table])
            self._delete_all_but(table, f"SELECT min(rowid) FROM temp.{table} GROUP BY {columns}")
            self._connection.execute(f"CREATE INDEX temp.found_{table} ON {table} ({_LOOKED_UP_BY[table]})")
        # Of several versions of a run, the latest: one that has ended.
        latest = "first_value(rowid) OVER (PARTITION BY id ORDER BY seal IS NULL, ended DESC)"
        self._delete_all_but("run", f"SELECT {latest} FROM temp.run")

    def _delete_all_but(self, table: str, places: str) -> None:
        self._connection.execute(f"DELETE FROM temp.{table} WHERE rowid NOT IN ({places})")

    def _add(self, row: FoundRow, values: tuple[Any, ...]) -> None:
        table = self._table_of(row, values)
        if table is None:
            return
        if row.rowid is not None:
            values = (row.rowid, *values[1:])
        elif table == "machine":
            values = (values[1], values[0])
        values += (None,) * (len(self._columns[table]) - len(values))
        with contextlib.suppress(OverflowError):  # a number of a row that no row can have
            self._connection.execute(f"INSERT INTO temp.{table} VALUES ({', '.join('?' * len(values))})", values)

    def _table_of(self, row: FoundRow, values: tuple[Any, ...]) -> str | None:
        """Tell by its shape which table a row is of; None for what is in no table, or is of no use."""
        width = len(values)
        if row.rowid is not None:
            if width == _RUN_WITHOUT_SEAL:
                return "run"
            return next((table for table in _WITH_ROWID if len(self._columns[table]) == width), None)
        if width == len(self._columns["item"]):
            return "item"
        if width == len(self._columns["run_answer"]) and isinstance(values[2], str):  # its index has another order
            return "run_answer"
        # The index of machines holds all that their table does; those of hashes and keys look alike.
        is_machine = width == 2 and isinstance(values[0], str) and isinstance(values[1], int)
        return "machine" if is_machine and len(values[0]) != _HASH_LENGTH else None

    def keep(self, listen: Listener) -> Rescued:
        """Move what is intact to the tables of the store, and say how much that is."""
        listen(Event(Kind.STAGE, "looking at seals"))
        self._keep_instances()
        self._keep_answers()
        self._choose_machines()
        with_gaps = [self._keep_run(number) for number in self._intact_runs()]
        rescued = Rescued(
            answers=self._count("SELECT id FROM main.answer"),
            answers_lost=self._count(
                "SELECT id FROM temp.answer UNION SELECT answer FROM temp.run_answer"
                " EXCEPT SELECT before FROM temp.kept"
            ),
            instances=self._count("SELECT id FROM main.instance"),
            instances_lost=self._count(
                "SELECT id FROM temp.instance UNION SELECT instance FROM temp.item WHERE instance IS NOT NULL"
                " EXCEPT SELECT id FROM main.instance"
            ),
            runs=len(with_gaps),
            runs_lost=self._count(
                "SELECT id FROM temp.run UNION SELECT run FROM temp.item UNION SELECT run FROM temp.run_answer"
                " EXCEPT SELECT id FROM main.run"
            ),
            runs_with_gaps=sum(with_gaps),
        )
        for table in (*_TABLES, "kept"):
            self._connection.execute(f"DROP TABLE temp.{table}")
        for (number,) in self._connection.execute("SELECT id FROM run").fetchall():
            seal = seal_of_run(self._connection, number)
            self._connection.execute("UPDATE run SET seal = ? WHERE id = ?", (seal, number))
        return rescued

    def _keep_instances(self) -> None:
        others = ", ".join(name for name in self._columns["instance"] if name != "id")
        for place, number, *row in self._rows(f"SELECT rowid, id, {SEALED_INSTANCE} FROM instance ORDER BY id, rowid"):
            if is_sealed(row) and self._number_of("instance", "hash", place) is None:
                values = (self._free_number("instance", number), place)
                self._connection.execute(
                    f"INSERT INTO main.instance (id, {others}) SELECT ?, {others} FROM temp.instance WHERE rowid = ?",
                    values,
                )

    def _keep_answers(self) -> None:
        """Keep answers about instances that were kept; of those under one key the newest is the one in force."""
        copied = ", ".join((*SEALED, "certificate", "seal"))
        insert = (
            f"INSERT INTO main.answer (id, superseded, instance, machine, {copied}) SELECT ?, ("
            "SELECT count(*) > 0 FROM main.answer AS newer WHERE newer.key = found.key AND newer.superseded = 0"
            f"), ?, ?, {copied} FROM temp.answer AS found WHERE rowid = ?"
        )
        places = "answer.rowid, instance.rowid, machine.rowid, answer.id"
        select = f"SELECT {places}, {SEALED_ANSWER} FROM {ANSWERS} ORDER BY answer.id DESC, answer.rowid"
        for place, instance_place, machine_place, before, *row in self._rows(select):
            if not is_sealed(row) or self._is_kept(before, row[-1]):
                continue
            instance = self._number_of("instance", "hash", instance_place)
            if instance is not None:
                number = self._free_number("answer", before)
                machine = self._keep_machine(machine_place)
                kept = self._connection.execute(insert, (number, instance, machine, place)).lastrowid
                self._connection.execute("INSERT INTO temp.kept VALUES (?, ?, ?)", (before, kept, row[-1]))

    def _is_kept(self, before: int, seal: bytes) -> bool:
        """Tell whether the same answer was found before: a damaged page of the log may hold it once more."""
        found = self._connection.execute("SELECT 1 FROM temp.kept WHERE before = ? AND seal = ?", (before, seal))
        return found.fetchone() is not None

    def _keep_machine(self, place: int) -> int:
        """Return the number of a machine in the store, by its place among those found."""
        number = self._number_of("machine", "description", place)
        if number is None:
            insert = "INSERT INTO main.machine (description) SELECT description FROM temp.machine WHERE rowid = ?"
            number = int(self._connection.execute(insert, (place,)).lastrowid or 0)
        return number

    def _choose_machines(self) -> None:
        """Leave one description for each machine, if its table and its index differ: one that seals have named."""
        chosen = "first_value(found.rowid) OVER (PARTITION BY found.id ORDER BY known.id IS NULL, found.rowid)"
        self._delete_all_but(
            "machine",
            f"SELECT {chosen} FROM temp.machine AS found"
            " LEFT JOIN main.machine AS known ON known.description = found.description",
        )

    def _intact_runs(self) -> list[int]:
        found = self._connection.execute(
            "SELECT id, max(seal) FROM temp.run GROUP BY id HAVING count(*) = 1"
        ).fetchall()
        return [number for number, seal in found if seal is not None and seal == seal_of_run(self._connection, number)]

    def _keep_run(self, number: int) -> bool:
        """Keep a run, the sources whose instances were kept and the links to answers that were; tell if any is lost."""
        execute = self._connection.execute
        ((place,),) = execute(
            "SELECT machine.rowid FROM temp.run JOIN temp.machine ON machine.id = run.machine WHERE run.id = ?",
            (number,),
        ).fetchall()
        others = ", ".join(name for name in self._columns["run"] if name != "machine")
        execute(
            f"INSERT INTO main.run (machine, {others}) SELECT ?, {others} FROM temp.run WHERE id = ?",
            (self._keep_machine(place), number),
        )
        others = ", ".join(f"item.{name}" for name in self._columns["item"] if name != "instance")
        items = execute(
            f"INSERT INTO main.item SELECT {others}, known.id FROM temp.item"
            " LEFT JOIN temp.instance AS found ON found.id = item.instance"
            " LEFT JOIN main.instance AS known ON known.hash = found.hash"
            " WHERE item.run = ? AND (item.instance IS NULL OR known.id IS NOT NULL)",
            (number,),
        )
        links = execute(
            "INSERT INTO main.run_answer SELECT link.run, link.number, link.question, kept.id"
            " FROM temp.run_answer AS link JOIN temp.kept ON kept.before = link.answer"
            " JOIN main.answer AS linked ON linked.id = kept.id"
            " JOIN main.item AS about ON about.run = link.run AND about.number = link.number"
            " AND about.instance = linked.instance WHERE link.run = ? AND linked.question = link.question",
            (number,),
        )
        there = [self._count(f"SELECT 1 FROM temp.{table} WHERE run = {number:d}") for table in _OF_RUN]
        is_whole = [items.rowcount, links.rowcount] == there
        if not is_whole:
            execute("UPDATE main.run SET state = 'interrupted', sources = NULL, answers = NULL WHERE id = ?", (number,))
        return not is_whole

    def _rows(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield rows with text as bytes, as seals are computed from it."""
        rows = self._connection.execute(statement)
        while True:
            self._connection.text_factory = bytes
            row = rows.fetchone()
            self._connection.text_factory = str
            if row is None:
                return
            yield row

    def _count(self, select: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM ({select})").fetchone()[0])

    def _number_of(self, table: str, column: str, place: int | None) -> int | None:
        """Return the number that a row which was found has in the store; None if it is not there."""
        found = self._connection.execute(
            f"SELECT id FROM main.{table} WHERE {column} = (SELECT {column} FROM temp.{table} WHERE rowid = ?)",
            (place,),
        ).fetchone()
        return None if found is None else int(found[0])

    def _free_number(self, table: str, number: int) -> int | None:
        """Return the number that a row had; None if another has it, so that it gets a new one."""
        taken = self._connection.execute(f"SELECT 1 FROM main.{table} WHERE id = ?", (number,)).fetchone()
        return None if taken else number
