"""Explain errors of SQLite: what is wrong with which file, and what became of what was stored."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from solvent.core.errors import StoreError

SECONDS_TO_WAIT = 60.0
"""How long to wait for another process that writes to the same store."""

_KEPT = "what was stored before is kept"


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(explain(path, error)) from error


def explain(path: Path, error: sqlite3.Error) -> str:
    """Say in a sentence what an error of SQLite means for this store."""
    code = getattr(error, "sqlite_errorname", None) or ""
    if code.startswith("SQLITE_FULL"):
        return f"cannot write to {path}: the disk is full; {_KEPT}"
    if code.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return f"cannot write to {path}: the file or its folder is read-only; {_KEPT}"
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"cannot write to {path}: another process kept it locked for {SECONDS_TO_WAIT:.0f} s; {_KEPT}"
    if code.startswith("SQLITE_CANTOPEN"):
        return f"cannot open {path}: the file or its folder cannot be read or written"
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_FORMAT")) or "decode to UTF-8" in str(error):
        return f"{path} is damaged: {error}"
    if code in ("SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE"):  # what a quota looks like
        return f"cannot write to {path}: the disk is full, a quota is used up, or the disk fails ({error}); {_KEPT}"
    if code.startswith("SQLITE_IOERR"):
        return f"cannot read or write {path}: {error} ({code}); {_KEPT}"
    if code == "SQLITE_ERROR" and ("no such table" in str(error) or "no such column" in str(error)):
        return f"{path} is damaged: {error}"
    return f"cannot use {path}: {error}"
