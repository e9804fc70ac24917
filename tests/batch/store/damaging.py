"""Make a store, flip bytes in its files, and look at all it holds."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import solvent
from batch.store.answered import keep_answers
from batch.store.making import find
from solvent.batch.records import Instance, ReadAs, Reading, Source, Task
from solvent.batch.store import Store
from solvent.batch.store.evidence import answers

TABLES = ("machine", "run", "instance", "answer", "item", "run_answer")
FILES = ("", "-wal", "-shm")

Contents = dict[str, list[tuple[Any, ...]]]


def fill(store: Store) -> None:
    """Keep three runs: two that share answers, one of which was given again, and one that read nothing."""
    boards = [(f"{number}.txt", make_board(number)) for number in range(40)]
    keep_answers(store, boards[:30])
    keep_answers(store, boards[10:], token="another")
    run = store.begin_run({"proof": True}, token="a third", command="validate x", solver="1", machine="another")
    first = next(answers(store))
    ((key, hash, packed),) = store.query(
        "SELECT key, hash, packed FROM answer JOIN instance ON instance.id = instance WHERE answer.id = ?", first.id
    )
    task = Task(key, Instance(hash, "harmony", None, packed), first.question, "x", "1")
    known = find(store, task)
    assert known is not None
    store.replace_outcome(run, task, known)
    again = Source(5, "again.txt")
    store.add_reading(run, Reading(again, ReadAs.INSTANCE, task.instance))
    store.link(run, again, key)
    for number in range(5):
        source = Source(number, f"notes-{number}.txt", path=f"notes-{number}.txt")
        store.add_reading(run, Reading(source, ReadAs.UNREADABLE, None, message="expected a board, found notes"))
    store.end_run(run, "interrupted", seconds=2)


def make_board(number: int) -> Any:
    return solvent.generate("harmony", rows=2 + number % 2, cols=3, swaps=3 + number % 4, seed=number)


def make_store(path: Path) -> Path:
    """Make a store that was closed in order."""
    with Store.open(path) as store:
        fill(store)
    return path


def make_store_with_log(path: Path) -> Path:
    """Make a store as a process leaves it that was killed: its last run is in the log alone."""
    place = path.with_name("origin.db")
    make_store(place)
    with Store.open(place) as store:
        keep_answers(store, [(f"{number}.txt", make_board(number)) for number in range(40, 50)], token="the last")
        for ending in FILES:
            shutil.copy(f"{place}{ending}", f"{path}{ending}")
    return path


def copy_store(path: Path, target: Path) -> None:
    """Copy a store with what stands beside it, in place of what is there."""
    for ending in FILES:
        Path(f"{target}{ending}").unlink(missing_ok=True)
        if Path(f"{path}{ending}").exists():
            shutil.copy(f"{path}{ending}", f"{target}{ending}")


def flip(chance: random.Random, files: list[Path], flips: int) -> None:
    """Change some bytes, half of them by one bit."""
    for _ in range(flips):
        file = chance.choice(files)
        data = bytearray(file.read_bytes())
        by = 1 << chance.randrange(8) if chance.random() < 0.5 else chance.randrange(1, 256)
        data[chance.randrange(len(data))] ^= by
        file.write_bytes(data)


def contents(path: Path) -> Contents:
    """Return every value in a store, table by table; nothing beside it changes but the index of its log."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def named(path: Path, table: str, without: set[str]) -> list[tuple[Any, ...]]:
    """Return the rows of a table without some of its columns."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        columns = [row[1].decode() for row in connection.execute(f"PRAGMA table_info({table})")]
        kept = ", ".join(column for column in columns if column not in without)
        return connection.execute(f"SELECT {kept} FROM {table}").fetchall()
