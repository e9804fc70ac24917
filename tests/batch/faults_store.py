"""Everything a store holds that must not depend on how often a run was killed: all but times and row numbers."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ITEMS = """
    SELECT item.run, number, name, path, line, read_as, message, remarks, hash
    FROM item LEFT JOIN instance ON instance.id = item.instance ORDER BY item.run, number
"""
ANSWERS = """
    SELECT key, superseded, hash, question, verdict, cause, certified, form, expanded, length, detail, because, budget,
        error, solver, attempts, certificate, stats
    FROM answer JOIN instance ON instance.id = answer.instance ORDER BY key, superseded
"""
LINKS = """
    SELECT run_answer.run, number, run_answer.question, key
    FROM run_answer JOIN answer ON answer.id = run_answer.answer ORDER BY 1, 2, 3
"""
INSTANCES = "SELECT hash, domain, size, packed FROM instance ORDER BY hash"


@dataclass(frozen=True)
class Contents:
    """What is in a store, table by table."""

    runs: list[tuple[Any, ...]]
    instances: list[tuple[Any, ...]]
    items: list[tuple[Any, ...]]
    answers: list[tuple[Any, ...]]
    links: list[tuple[Any, ...]]


def contents(store: Path) -> Contents:
    """Return what a store holds, having made sure that nothing in it is broken."""
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []

        def table(statement: str) -> list[tuple[Any, ...]]:
            return connection.execute(statement).fetchall()

        return Contents(
            runs=table("SELECT id, state, settings FROM run ORDER BY id"),
            instances=table(INSTANCES),
            items=table(ITEMS),
            answers=[(*row[:-1], without_times(json.loads(row[-1]))) for row in table(ANSWERS)],
            links=table(LINKS),
        )


def without_times(value: Any) -> Any:
    """Return statistics without what a clock measured."""
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if "seconds" not in name}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def query(store: Path, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT; none if there is no store, or an empty one."""
    if not store.exists():
        return []
    with closing(sqlite3.connect(store)) as connection:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            return []
        return connection.execute(statement, values).fetchall()


def answered(store: Path) -> dict[tuple[str, str], str | None]:
    """Return the verdicts that are committed, by name of the source and question."""
    found = query(
        store,
        "SELECT name, run_answer.question, verdict FROM run_answer JOIN answer ON answer.id = run_answer.answer"
        " JOIN item ON item.run = run_answer.run AND item.number = run_answer.number",
    )
    return {(name, question): verdict for name, question, verdict in found}


def solved_labels(store: Path) -> set[tuple[str, str]]:
    """Return the labels of hostile instances whose answers are committed, with the question."""
    import zlib

    found = query(
        store, "SELECT packed, question FROM answer JOIN instance ON instance.id = answer.instance WHERE superseded = 0"
    )
    texts = ((zlib.decompress(packed).decode().strip(), question) for packed, question in found)
    return {(text.rpartition("#")[2], question) for text, question in texts}
