"""Make things to keep, without solving anything."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path
from typing import Any

from solvent.batch.columns import text
from solvent.batch.records import Instance, Outcome, ReadAs, Reading, Source, Task, pack
from solvent.batch.settings import Settings, instance_hash
from solvent.batch.store import Run, Store
from solvent.batch.store.seals import ANSWERS, SEALED_ANSWER, SEALED_INSTANCE, seal_of, seal_of_run

SETTINGS = Settings().as_json()


def begin(store: Store, token: str = "a command", settings: dict[str, Any] | None = None) -> Run:
    return store.begin_run(settings or SETTINGS, token=token, command="validate x", solver="1.0", machine="a machine")


def make_instance(number: int, domain: str = "chess") -> Instance:
    board = f"board {number}"
    return Instance(instance_hash(domain, board), domain, number, pack(board.encode()))


def make_reading(number: int, *, content: int | None = None) -> Reading:
    """Make the reading of a source; its content is its number unless another is given."""
    source = Source(number, f"{number}.txt", path=f"folder/{number}.txt")
    return Reading(source, ReadAs.INSTANCE, make_instance(number if content is None else content), seconds=0.25)


def make_task(instance: Instance, question: str = "mate", *, salt: str = "") -> Task:
    key = hashlib.sha256(f"{instance.hash} {question} {salt}".encode()).hexdigest()
    return Task(key, instance, question, "somebody", "1.0+abc")


def make_outcome(task: Task, verdict: str | None = "YES", **more: Any) -> Outcome:
    if verdict in ("YES", "NO"):
        more = {"form": "plan", "certificate": pack(b'{"plan":[]}'), **more}
    return Outcome(task.key, task.question, verdict, machine="a machine", **more)


def add(store: Store, run: Run, number: int, verdict: str | None = "YES", **more: Any) -> None:
    """Keep one source and one answer about it, without a commit."""
    reading = make_reading(number)
    assert reading.instance is not None
    task = make_task(reading.instance)
    store.add_reading(run, reading)
    store.add_outcome(run, task, make_outcome(task, verdict, **more))
    store.link(run, reading.source, task.key)


def find(store: Store, task: Task, *, proof: bool = True) -> Outcome | None:
    """Return the answer to a task, if there is one that can be relied upon."""
    return store.outcome(task.key, instance=task.instance.hash, question=task.question, proof=proof)


def integrity(path: Path) -> str:
    """Return what SQLite itself finds wrong with a file; `ok` if nothing."""
    connection = sqlite3.connect(path)
    try:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()


def edit(path: Path, statement: str, *values: Any) -> None:
    """Change a store behind its back."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement, values).rowcount, statement


def forge(path: Path, statement: str, *values: Any) -> None:
    """Change a store behind its back, and compute all seals anew, so that only what the checkers know tells."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement, values).rowcount, statement
        for table, sealed, rows in (("instance", SEALED_INSTANCE, "instance"), ("answer", SEALED_ANSWER, ANSWERS)):
            for number, *facts, blob, _ in connection.execute(f"SELECT {table}.id, {sealed} FROM {rows}").fetchall():
                seal = seal_of([text(fact) for fact in facts], blob.encode() if isinstance(blob, str) else blob)
                connection.execute(f"UPDATE {table} SET seal = ? WHERE id = ?", (seal, number))
        for (number,) in connection.execute("SELECT id FROM run WHERE seal IS NOT NULL").fetchall():
            connection.execute("UPDATE run SET seal = ? WHERE id = ?", (seal_of_run(connection, number), number))
