"""Open a store: make sure that it is one, that this version knows it, and that what is not ours stays untouched.

Errors of SQLite are explained: what is wrong with which file, what became of what was stored, and what to do.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from solvent.batch.damage import damaged
from solvent.batch.store.log import find_log_damage, has_log, log_of
from solvent.batch.store.schema import APPLICATION_ID, MIGRATIONS, Migration, find_strangers, upgrade, version_of
from solvent.core.errors import StoreError

SECONDS_TO_WAIT = 60.0
"""How long to wait for another process that writes to the same store."""
_KEPT = "what was stored before is kept"
_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_APPLICATION_ID_AT = 68
"""Where the header of an SQLite file says whose it is; four bytes, the highest first."""
_FORMATS_AT = 18
"""Where it says how it is to be written and read, a byte each: 1 or 2, as long as we know SQLite."""
_MEANS_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH")
"""What we write breaks no constraint, unless what is there already is not what we wrote."""
ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the latter where its message quotes damage that is no text."""
_SECONDS_BETWEEN_TRIES = 0.1
_CACHE_KILOBYTES = 4_000
_LARGEST_LOG_BYTES = 64 << 20


def connect(
    path: Path,
    *,
    create: bool,
    read_only: bool,
    migrations: Sequence[Migration] = MIGRATIONS,
    wait: float = SECONDS_TO_WAIT,
) -> sqlite3.Connection:
    """Open a store, making it where there is none and `create` says so; raises StoreError if it cannot be used.

    A reader waits at most `wait` seconds for a process that keeps it locked.
    """
    there = is_store(path)
    if not there and (read_only or not create):
        raise StoreError(f"{path} is empty, not a store of results" if path.exists() else f"there is no store {path}")
    if read_only:
        with explained(path):
            return _connect_to_read(path, migrations, wait)
    if not there:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot make the folder {path.parent}: {error.strerror or error}") from None
    with explained(path):
        connection = _connect(path, "rwc" if create else "rw")
        try:
            _make_current(connection, path, migrations)
            # Readers do not wait for writers, and a kill at any moment loses nothing that was committed.
            _patiently(connection, "PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA journal_size_limit = {_LARGEST_LOG_BYTES}")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
            # A transaction writes each page to the log once: a kill in the middle never looks like damage; see log.py.
            connection.execute("PRAGMA cache_spill = OFF")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection


def begin(connection: sqlite3.Connection) -> None:
    """Begin to write, waiting for other writers; a no-op within a transaction.

    SQLite itself could wait as long, but not be interrupted while it does.
    """
    if connection.in_transaction:
        return
    _patiently(connection, "BEGIN IMMEDIATE")


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """Run a statement that needs a lock again and again, until it gets it or the time is over."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    connection.execute(f"PRAGMA busy_timeout = {_SECONDS_BETWEEN_TRIES * 1000:.0f}")
    try:
        while True:
            try:
                connection.execute(statement).fetchall()
                return
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                    raise
    finally:
        connection.execute(f"PRAGMA busy_timeout = {SECONDS_TO_WAIT * 1000:.0f}")


def is_store(path: Path) -> bool:
    """Tell whether there is a store; False for no file, or an empty one; raises StoreError if there is anything else.

    Only looks: SQLite is not let near a file that is not ours, because opening can already change it. The mark stands
    in the header before anything else is ever written. Nor is it let near a log that it would drop commits of.
    """
    try:
        if path.is_dir():
            raise StoreError(f"{path} is a folder, not a store of results")
        if not path.exists():
            return False
        if not path.is_file():
            raise StoreError(f"{path} is not a store of results")
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        raise StoreError(f"cannot read {path}: {error.strerror or error}") from None
    if not header:
        return False
    if not header.startswith(_MAGIC) or len(header) < _HEADER_BYTES:
        raise StoreError(f"{path} is not a store of results")
    mark = header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4]
    if int.from_bytes(mark, "big") != APPLICATION_ID:
        raise StoreError(f"{path} is not a store of results but an SQLite database of another program")
    if not all(1 <= byte <= 2 for byte in header[_FORMATS_AT : _FORMATS_AT + 2]):
        raise damaged(path, "its header does not say how it is to be read")
    damage = find_log_damage(path)
    if damage is not None:
        raise damaged(path, damage)
    return True


def _connect(path: Path, mode: str, wait: float = SECONDS_TO_WAIT) -> sqlite3.Connection:
    # Not by its plain name: SQLite takes some names, such as `:memory:`, for something else.
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,  # one at a time, but not always the same: generators end wherever they are dropped
    )


def _make_current(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    _require_known(connection, path, migrations)
    if version_of(connection) == len(migrations):
        return
    begin(connection)
    try:
        _require_known(connection, path, migrations)  # another process may have been faster
        upgrade(connection, migrations)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _require_known(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> None:
    version = version_of(connection)
    if version < 0:
        raise damaged(path, f"its header says that its version is {version}")
    if version > len(migrations):
        known = len(migrations)
        raise StoreError(
            f"{path} was written by a newer Solvent (store version {version}; this one knows up to {known})"
        )
    strange = find_strangers(connection, migrations)
    if strange is not None:
        raise damaged(path, strange)


def _connect_to_read(path: Path, migrations: Sequence[Migration], wait: float) -> sqlite3.Connection:
    """Open a store without ever changing it: one of an earlier version is copied and the copy brought up to date."""
    connection = _connect_to_look(path, wait)
    try:
        _require_known(connection, path, migrations)
        if version_of(connection) < len(migrations):
            copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)  # a temporary file
            with contextlib.closing(connection):
                connection.backup(copy)
            connection = copy
            _make_current(connection, path, migrations)
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def connect_to_look(path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> sqlite3.Connection:
    """Open a store, of whatever version, before it is written to; its file stays as it is, also if it is damaged."""
    # Who may write to it moves the log into the file when it is closed. Who may not leaves an empty log behind.
    connection = _connect(path, "ro" if has_log(path) else "rw")
    try:
        _require_known(connection, path, migrations)
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_look(path: Path, wait: float) -> sqlite3.Connection:
    """Open a store that may stand where nothing can be written."""
    # SQLite tidies up behind those who may write, so that is tried first; `query_only` follows.
    connection = _connect(path, "rw", wait)
    try:
        version_of(connection)
        return connection
    except sqlite3.OperationalError as error:
        connection.close()
        if not error.sqlite_errorname.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
            raise
    log = log_of(path)
    if log.exists() and log.stat().st_size > 0:
        raise StoreError(
            f"cannot read {path}: its folder is read-only, and the last run ended without tidying up; "
            f"copy {path.name} and {log.name} to a folder that can be written"
        )
    return _connect(path, "ro&immutable=1", wait)


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into StoreError."""
    try:
        yield
    except ERRORS as error:
        raise StoreError(explain(path, error)) from error


def explain(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> str:
    """Say in a sentence what an error of SQLite means for this store."""
    if isinstance(error, UnicodeDecodeError):
        return str(damaged(path, "a name in it is no text"))
    code = getattr(error, "sqlite_errorname", None) or ""
    if code.startswith("SQLITE_FULL"):
        return f"cannot write to {path}: the disk is full; {_KEPT}"
    if code.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return f"cannot write to {path}: the file or its folder is read-only; {_KEPT}"
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"cannot write to {path}: another process kept it locked for {SECONDS_TO_WAIT:.0f} s; {_KEPT}"
    if code.startswith("SQLITE_CANTOPEN"):
        return f"cannot open {path}: the file or its folder cannot be read or written"
    if code.startswith(_MEANS_DAMAGE) or "decode to UTF-8" in str(error):
        return str(damaged(path, str(error)))
    if code in ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"):  # what a quota looks like
        return f"cannot write to {path}: the disk is full, a quota is used up, or the disk fails ({error}); {_KEPT}"
    if code.startswith("SQLITE_IOERR"):
        return f"cannot read or write {path}: {error} ({code}); {_KEPT}"
    if code == "SQLITE_ERROR" and ("no such table" in str(error) or "no such column" in str(error)):
        return str(damaged(path, str(error)))
    return f"cannot use {path}: {error}"
