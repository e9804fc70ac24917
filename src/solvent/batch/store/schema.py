"""What a store holds, table by table, and how a store of an earlier version becomes one of this version."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from solvent.batch.columns import bindable, text
from solvent.batch.store.seals import ANSWERS, SEALED_ANSWER, is_sealed, seal_of, seal_of_run, sealed_values
from solvent.core.answer import Cause

APPLICATION_ID = 0x534C5654
"""Marks the file as ours in its header, where SQLite has a place for that: `SLVT`."""

Migration = Callable[[sqlite3.Connection], None]
"""Turns a store of the version before into one of the next, inside a transaction that is already open."""

_VERSION_1 = (
    # Machines are few and their descriptions long.
    """CREATE TABLE machine (
        id INTEGER PRIMARY KEY,
        description TEXT NOT NULL UNIQUE
    )""",
    """CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        token TEXT NOT NULL,
        state TEXT NOT NULL,                             -- running, finished or interrupted
        began REAL NOT NULL,                             -- seconds since 1970
        ended REAL,
        seconds REAL NOT NULL DEFAULT 0,                 -- at work, over all continuations
        command TEXT NOT NULL,
        settings TEXT NOT NULL,                          -- JSON
        solver TEXT NOT NULL,
        machine INTEGER NOT NULL REFERENCES machine,
        leader TEXT NOT NULL,                            -- the process that leads it; see leader.py
        sources INTEGER,                                 -- how many it had, once it finished: items 0 to sources - 1
        answers INTEGER                                  -- how many rows of run_answer it had, once it finished
    )""",
    "CREATE INDEX run_by_token ON run (token)",
    """CREATE TABLE instance (
        id INTEGER PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        domain TEXT NOT NULL,
        size INTEGER,
        seal BLOB NOT NULL,                              -- see seals.py
        packed BLOB NOT NULL                             -- its text in the first format, compressed
    )""",
    # One source of a run: what reading it came to.
    """CREATE TABLE item (
        run INTEGER NOT NULL REFERENCES run,
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        path TEXT,
        line INTEGER,
        read_as TEXT NOT NULL,
        message TEXT NOT NULL,
        remarks TEXT NOT NULL,                           -- JSON; empty for none
        seconds REAL NOT NULL,
        instance INTEGER REFERENCES instance,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID""",
    # Blobs come last: SQLite reads a row from its front, and rarely needs them.
    """CREATE TABLE answer (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        superseded INTEGER NOT NULL DEFAULT 0,           -- 1 once a newer answer took its place under the key
        instance INTEGER NOT NULL REFERENCES instance,
        question TEXT NOT NULL,
        verdict TEXT,
        cause TEXT,
        certified INTEGER NOT NULL,
        form TEXT,
        expanded INTEGER,
        length INTEGER,
        seconds REAL NOT NULL,
        cpu_seconds REAL NOT NULL,
        peak_megabytes REAL,
        attempts INTEGER NOT NULL,
        finished REAL NOT NULL,
        solver TEXT NOT NULL,
        machine INTEGER NOT NULL REFERENCES machine,
        reason TEXT NOT NULL,
        because TEXT NOT NULL,
        budget TEXT NOT NULL,                            -- JSON: what it was allowed, and the options it was asked with
        stats TEXT NOT NULL,                             -- JSON
        error TEXT NOT NULL,
        seal BLOB NOT NULL,                              -- see seals.py
        certificate BLOB                                 -- JSON, compressed
    )""",
    "CREATE UNIQUE INDEX answer_by_key ON answer (key) WHERE superseded = 0",
    "CREATE INDEX answer_superseded ON answer (id) WHERE superseded = 1",
    # Which answer a run has for a question about a source. Runs and sources share answers.
    """CREATE TABLE run_answer (
        run INTEGER NOT NULL REFERENCES run,
        number INTEGER NOT NULL,
        question TEXT NOT NULL,
        answer INTEGER NOT NULL REFERENCES answer,
        PRIMARY KEY (run, number, question)
    ) WITHOUT ROWID""",
    "CREATE INDEX run_answer_by_answer ON run_answer (answer)",
)


def _make_version_1(connection: sqlite3.Connection) -> None:
    for statement in _VERSION_1:
        connection.execute(statement)


def _make_version_2(connection: sqlite3.Connection) -> None:
    """Keep why an answer is UNKNOWN as data: beside the cause its detail, where version 1 had both in one text."""
    connection.execute("ALTER TABLE answer RENAME COLUMN reason TO detail")
    split_reasons(connection)


def split_reasons(connection: sqlite3.Connection) -> None:
    """Leave only the detail of what version 1 kept as the text of a reason.

    The seal of a row is over the same columns in the same order, so only rows with a reason need a new one. They get it
    if their old seal fits. If it does not, the row was edited, and it gets one that can never fit.
    """
    before, connection.text_factory = connection.text_factory, bytes
    try:
        # One at a time, because a certificate may be large.
        for (number,) in connection.execute("SELECT id FROM answer WHERE detail <> ''").fetchall():
            found = connection.execute(f"SELECT {SEALED_ANSWER} FROM {ANSWERS} WHERE answer.id = ?", (number,))
            row = found.fetchone()
            if not is_sealed(row):
                connection.execute("UPDATE answer SET seal = x'' WHERE id = ?", (number,))
                continue
            sealed = sealed_values(row).items()
            values = {name: text(value) for name, value in sealed if name not in ("certificate", "seal")}
            values["detail"] = _detail_of(values["cause"], values["detail"])
            changes = bindable((values["detail"], seal_of(tuple(values.values()), row[-2])))
            connection.execute("UPDATE answer SET detail = ?, seal = ? WHERE id = ?", (*changes, number))
    finally:
        connection.text_factory = before


def _detail_of(cause: str | None, reason: str) -> str:
    """Take the text of a reason apart as version 1 wrote it: the cause, then the detail in brackets."""
    if cause is None or cause not in Cause.__members__:
        return reason
    rest = reason.removeprefix(Cause[cause].value).strip()
    return rest[1:-1] if rest.startswith("(") and rest.endswith(")") else rest


def _make_version_3(connection: sqlite3.Connection) -> None:
    """Seal the table of each run that ended, as those are sealed that end from now on."""
    connection.execute("ALTER TABLE run ADD COLUMN seal BLOB")  # NULL while it goes on; see seals.py
    for (number,) in connection.execute("SELECT id FROM run WHERE state <> 'running'").fetchall():
        connection.execute("UPDATE run SET seal = ? WHERE id = ?", (seal_of_run(connection, number), number))


MIGRATIONS: Sequence[Migration] = (_make_version_1, _make_version_2, _make_version_3)
"""In order: the first makes version 1 out of an empty file, the next version 2 out of version 1, and so on.

What stores already have is never edited here: a change is a new step at the end.
"""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a store; 0 for an empty file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def upgrade(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run the steps that are missing, within the transaction that is open, so that all of them happen or none."""
    for migrate in migrations[version_of(connection) :]:
        migrate(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {len(migrations)}")


def find_strangers(connection: sqlite3.Connection, migrations: Sequence[Migration] = MIGRATIONS) -> str | None:
    """Say what is not as it should be among the tables and indexes of a store of a known version; None if nothing is.

    Tables and indexes that somebody added are left in peace. Triggers and views are not: they would change what a
    statement of ours does.
    """
    version, found = _version_and_shape(connection)
    for (kind, name), columns in _shape_of_version(tuple(migrations[:version])).items():
        if (kind, name) not in found:
            return f"the {kind} {name} of a store of version {version} is missing"
        if found[kind, name] != columns:
            return f"the {kind} {name} is not that of a store of version {version}"
    if version == 0 and found:
        return "it says that it is empty, but it is not"
    return next((f"it has a {kind} {name}" for kind, name in found if kind in ("trigger", "view")), None)


def _version_and_shape(connection: sqlite3.Connection) -> tuple[int, dict[tuple[str, str], Any]]:
    """Return both as they stand at one moment: another process may make the store just now."""
    within = connection.in_transaction
    if not within:
        connection.execute("BEGIN")
    try:
        return version_of(connection), _shape(connection)
    finally:
        if not within and connection.in_transaction:
            connection.execute("ROLLBACK")


@functools.cache
def _shape_of_version(migrations: tuple[Migration, ...]) -> dict[tuple[str, str], Any]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for migrate in migrations:
            migrate(connection)
        return _shape(connection)


def _shape(connection: sqlite3.Connection) -> dict[tuple[str, str], Any]:
    """Return all tables and indexes with their columns, by kind and name."""
    before, connection.text_factory = connection.text_factory, _any_text
    try:
        listed = connection.execute("SELECT type, name, tbl_name FROM sqlite_master").fetchall()
        # Functions that SQL can be asked with, since a name may hold anything.
        return {
            (kind, name): (
                connection.execute("SELECT * FROM pragma_table_xinfo(?)", (name,)).fetchall(),
                connection.execute("SELECT cid, [desc], coll, key FROM pragma_index_xinfo(?)", (name,)).fetchall(),
                connection.execute(
                    "SELECT [unique], partial FROM pragma_index_list(?) WHERE name = ?", (table, name)
                ).fetchall(),
            )
            for kind, name, table in listed
        }
    finally:
        connection.text_factory = before


def _any_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
