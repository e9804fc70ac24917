"""The results of a run as a table for spreadsheets and statistics: `validation_<timestamp>.csv`."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from solvent.batch.names import valid_text
from solvent.batch.summary import reason_of, status_of

if TYPE_CHECKING:
    from solvent.batch.store.reading import Row

Cell = str | int | float | None


def _stat(name: str) -> Callable[[Row], Cell]:
    def read(row: Row) -> Cell:
        value = row.stats.get(name)
        return value if isinstance(value, int | float) else None

    return read


_COLUMNS: dict[str, Callable[[Row], Cell]] = {
    "instance": lambda row: _harmless(row.name),
    "domain": lambda row: row.domain,
    "question": lambda row: row.question,
    # What every run records, whatever the domain; empty where a domain does not count such a thing.
    "status": status_of,
    "expanded_states": lambda row: row.expanded,
    "runtime_seconds": lambda row: _seconds(row, row.seconds),
    "macro_attempts": _stat("macro_attempts"),
    "macro_successes": _stat("macro_successes"),
    "macro_failures": _stat("macro_failures"),
    "reverse_pruned": _stat("reverse_pruned"),
    "max_open_size": _stat("max_open"),
    "peak_memory": lambda row: row.peak_megabytes,  # in megabytes
    "plan_length": lambda row: row.length,
    "verdict": lambda row: row.verdict,
    "certified": lambda row: None if row.verdict is None else "yes" if row.certified else "no",
    "form": lambda row: row.form,
    "reason": lambda row: _harmless(reason_of(row)),
    "because": lambda row: _harmless(row.because),
    "size": lambda row: row.size,
    "cpu_seconds": lambda row: _seconds(row, row.cpu_seconds),
    "remarks": lambda row: _harmless(" ".join(row.remarks)),
    "path": lambda row: _harmless(row.path),
    "line": lambda row: row.line,
    "hash": lambda row: row.instance,
    "solver": lambda row: row.solver,
}

HEADER = ",".join(_COLUMNS).encode() + b"\r\n"
"""How such a file begins."""


def table_name(now: float) -> str:
    """Return the name of a table that is written at this moment, in seconds since 1970."""
    return time.strftime("validation_%Y%m%dT%H%M%SZ.csv", time.gmtime(now))


def write_table(rows: Iterable[Row], path: str | os.PathLike[str]) -> None:
    """Write a row for each result, all of them or no file at all; raises OSError if the file cannot be written."""
    target = Path(path)
    if target.exists() and not target.is_file():  # a device or a pipe takes no other name
        with target.open("wb") as file:
            write_rows(rows, file)
        return
    with _whole(rows, target) as part:
        part.replace(target)


def write_new_table(rows: Iterable[Row], path: str | os.PathLike[str]) -> Path:
    """Write the table as `write_table` does, but over nothing that is there; returns the name that was free.

    Two runs may end at the same moment. So the name is taken by making the file, which only one of them can.
    """
    target = name = Path(path)
    number = 1
    with _whole(rows, target) as part:
        while True:
            try:
                name.open("xb").close()
            except FileExistsError:
                number += 1
                name = target.with_stem(f"{target.stem}_{number}")
            else:
                part.replace(name)
                return name


@contextlib.contextmanager
def _whole(rows: Iterable[Row], target: Path) -> Iterator[Path]:
    """Write the table under a hidden name beside its own, which nobody else uses; whoever gets it gives it its name."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("wb") as file:
            write_rows(rows, file)
        yield part
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def write_rows(rows: Iterable[Row], file: IO[bytes]) -> None:
    """Write the table to an open file, a row at a time: UTF-8, cells quoted where they must be (RFC 4180)."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text)
        writer.writerow(_COLUMNS)
        for row in rows:
            writer.writerow(["" if value is None else value for value in (cell(row) for cell in _COLUMNS.values())])
        text.flush()
    finally:
        text.detach()  # the file is the caller's to close


def _harmless(text: str | None) -> str | None:
    """Keep a spreadsheet from taking the name of a file, or a message, for a formula to run."""
    if text is None:
        return None
    return valid_text(f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text)


def _seconds(row: Row, seconds: float) -> float | None:
    return None if row.answer is None else round(seconds, 6)
