"""The results of a run for other programs: a CSV table (`validation_<timestamp>.csv`) and lines of JSON."""

from __future__ import annotations

import contextlib
import csv
import io
import operator
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from solvent.batch.columns import COLUMNS, Column
from solvent.batch.names import valid_text
from solvent.batch.rows import Row

if TYPE_CHECKING:
    from solvent.batch.run import Validated

SECONDS_DIGITS = 6
_CSV = tuple(column for column in COLUMNS if column.csv)
_JSON = tuple(column for column in COLUMNS if column.json)
_OF_ANSWER = frozenset(column.name for column in COLUMNS if column.is_of_answer)
_ROUNDED = ("seconds", "cpu_seconds")

_SUSPICIOUS = frozenset("=+-@\t\r")
"""How a formula begins."""

HEADER = ",".join(column.csv for column in _CSV).encode() + b"\r\n"
"""How such a table begins."""
LINE_BEGINNING = f'{{"{_JSON[0].json}":"'.encode()
"""How every line of JSON begins; no instance does."""


def json_line(validated: Validated) -> bytes:
    """Return one result as a line of JSON. Certificates stay in the store; they may be large.

    Every key is always there, with null where there is nothing to say.
    """
    import msgspec

    row = validated.row
    values = {column.json: _as_json(_value(column, row)) for column in _JSON}
    return msgspec.json.encode({**values, "certified": row.certified, "known": validated.known}) + b"\n"


def _as_json(value: Any) -> Any:
    if isinstance(value, str):
        return valid_text(value) or None
    return [valid_text(each) for each in value] if isinstance(value, tuple) else value


def _value(column: Column, row: Row) -> Any:
    """Return what a row has in a column; None where it has no answer, or a domain does not count this."""
    if row.answer is None and column.name in _OF_ANSWER:
        return None
    if column.in_stats:
        value = row.stats.get(column.name)
        return value if isinstance(value, int | float) else None
    value = getattr(row, column.name)
    return round(value, SECONDS_DIGITS) if column.name in _ROUNDED else value


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
    """Write the table under a hidden name beside its own, for the caller to give it its name."""
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
        writer.writerow(column.csv for column in _CSV)
        writer.writerows(map(_cells, rows))
        text.flush()
    finally:
        text.detach()  # the file is the caller's to close


def _cells(row: Row) -> list[Any]:
    """Return the cells of a row: a million rows are written, so what is known of a column is found out beforehand.

    None is written as an empty cell.
    """
    cells: list[Any] = []
    for value in _csv_values(row):
        kind = type(value)
        if kind is str:
            cells.append(value if value.isascii() and value[:1] not in _SUSPICIOUS else _harmless(value))
        else:
            cells.append(_harmless(" ".join(value)) if kind is tuple else value)
    for place, name in _IN_STATS:
        value = row.stats.get(name)
        cells[place] = value if isinstance(value, int | float) else None
    if row.answer is None:
        for place in _PLACES_OF_ANSWER:
            cells[place] = None
        return cells
    for place in _ROUNDED_PLACES:
        cells[place] = round(cells[place], SECONDS_DIGITS)
    cells[_CERTIFIED] = None if row.verdict is None else "yes" if row.certified else "no"
    return cells


def _harmless(value: str) -> str:
    """Keep a spreadsheet from taking the name of a file, or a message, for a formula to run."""
    if value[:1] in _SUSPICIOUS:
        value = f"'{value}"
    return value if value.isascii() else valid_text(value)


_csv_values = operator.attrgetter(*("stats" if column.in_stats else column.name for column in _CSV))
_IN_STATS = tuple((place, column.name) for place, column in enumerate(_CSV) if column.in_stats)
_PLACES_OF_ANSWER = tuple(place for place, column in enumerate(_CSV) if column.name in _OF_ANSWER)
"""What is empty where there is no answer."""
_ROUNDED_PLACES = tuple(place for place, column in enumerate(_CSV) if column.name in _ROUNDED)
(_CERTIFIED,) = (place for place, column in enumerate(_CSV) if column.name == "certified")
