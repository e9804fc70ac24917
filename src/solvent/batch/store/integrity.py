"""Look through a store before anything is written to it or shown from it.

Damage is flipped bytes: a failing disk, a bad copy. SQLite knows its own structure (pages, indexes, rows that an index
misses), seals know what rows and the tables of runs said, and `log` knows the commits that are not in the file yet.
Nobody uses what none of them covers: free pages, and the sources of a run that was killed, which are read anew when it
goes on.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from solvent.batch.damage import damaged
from solvent.batch.store.opening import connect_to_look, explained, is_store
from solvent.batch.store.schema import version_of
from solvent.batch.store.seals import ANSWERS, SEALED_ANSWER, SEALED_INSTANCE, is_sealed, seal_of_run

SECONDS_TO_LOOK = 5.0
"""What looking through may take. A store of ten thousand answers takes a third of a second, one of a million half a
minute: of such a store the newest part is looked at, and every answer once more when it is used."""
SECONDS_BEFORE_SHOWING = 1.0
"""What it may take before something is only shown, where nothing can be lost. What is shown one by one is looked at
whatever its age."""
LARGEST_STRUCTURE_BYTES = 1 << 30
"""Of larger files SQLite's own check is left out: it cannot be interrupted everywhere, and reads all of the file."""
_OPERATIONS_BETWEEN_LOOKS_AT_THE_CLOCK = 10_000

Clock = Callable[[], float]


def require_intact(path: Path, *, seconds: float = SECONDS_TO_LOOK) -> bool:
    """Raise StoreError if a store is damaged, or its log; return whether there was time to look at all of it.

    Nothing is written. Where there is no store there is no damage.
    """
    if not is_store(path):
        return True
    with explained(path), contextlib.closing(connect_to_look(path)) as connection:
        return look_through(connection, path, seconds=seconds)


def look_through(
    connection: sqlite3.Connection,
    path: Path,
    *,
    seconds: float = SECONDS_TO_LOOK,
    clock: Clock = time.monotonic,
    indexes: bool = True,
) -> bool:
    """Look through a store that is open, as it stands at one moment; see `require_intact`.

    Without `indexes`, it is not compared whether they say the same as their tables, which takes SQLite longest.
    """
    deadline = clock() + seconds
    within = connection.in_transaction
    before, connection.text_factory = connection.text_factory, bytes
    connection.set_progress_handler(lambda: clock() > deadline, _OPERATIONS_BETWEEN_LOOKS_AT_THE_CLOCK)
    try:
        if not within:
            connection.execute("BEGIN")
        for damage in _find_damage(connection, "integrity_check" if indexes else "quick_check"):
            if damage is not None:
                raise damaged(path, damage)
            if clock() > deadline:
                return False
        return _bytes_of(connection) <= LARGEST_STRUCTURE_BYTES
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname != "SQLITE_INTERRUPT":
            raise
        return False
    finally:
        connection.set_progress_handler(None, 0)
        connection.text_factory = before
        if not within and connection.in_transaction:
            connection.execute("ROLLBACK")


def _find_damage(connection: sqlite3.Connection, structure: str) -> Iterator[str | None]:
    """Yield what is damaged, and None now and then; the newest rows come first, since they are used most."""
    if _bytes_of(connection) <= LARGEST_STRUCTURE_BYTES:
        for (found,) in connection.execute(f"PRAGMA {structure}(1)"):
            yield None if found == b"ok" else found.decode("utf-8", "replace").splitlines()[-1]
    version = version_of(connection)
    if version < 2:  # its seals are looked at when it is brought up to date
        return
    for number, *row in connection.execute(f"SELECT answer.id, {SEALED_ANSWER} FROM {ANSWERS} ORDER BY answer.id DESC"):
        yield None if is_sealed(row) else f"the seal of answer {number} does not fit"
    for number, *row in connection.execute(f"SELECT id, {SEALED_INSTANCE} FROM instance ORDER BY id DESC"):
        yield None if is_sealed(row) else f"the seal of instance {number} does not fit"
    if version < 3:
        return
    for number, seal in connection.execute("SELECT id, seal FROM run WHERE seal IS NOT NULL ORDER BY id DESC"):
        yield None if seal == seal_of_run(connection, number) else f"the seal of run {number} does not fit"


def _bytes_of(connection: sqlite3.Connection) -> int:
    ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
    ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    return int(pages) * int(size)
