"""The columns of an answer, declared once: where the store has each, how it is written and read, what exports call it.

SQL statements, decoding, seals, the CSV table, lines of JSON and the rows of the page are made from `COLUMNS`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from solvent.batch.damage import damaged
from solvent.batch.records import Stats

LARGEST_INTEGER = 2**63 - 1
"""What SQLite has room for in a column of integers."""


def bindable(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return values as SQLite can hold them: text that is not Unicode as bytes, numbers that are too large rounded.

    Only needed where SQLite refused them as they are. File names may hold any byte; `text` gives them back.
    """
    return tuple(_bindable(value) for value in values)


def _bindable(value: Any) -> Any:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogatepass")
    return integer(value) if isinstance(value, int) else value


def text(value: Any) -> Any:
    """Return a text that was kept as bytes; anything else as it is."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def text_or_empty(value: Any) -> str:
    """Return a text, an empty one where there is none."""
    return text(value) or ""


def words(value: Any) -> str:
    """Return a text; raises ValueError if it is none."""
    found = text(value)
    if not isinstance(found, str):
        raise ValueError(f"expected text, found {type(found).__name__}")
    return found


def whole(value: Any) -> int | None:
    """Return a count, also one that was too large to be kept exactly."""
    return None if value is None else int(value)


def number(value: Any) -> Any:
    """Return a number, or None; raises ValueError if it is neither."""
    if value is not None and not isinstance(value, int | float):
        raise ValueError(f"expected a number, found {type(value).__name__}")
    return value


def number_or_zero(value: Any) -> Any:
    """Return a number, 0 where there is none."""
    return number(value) or 0


def real(value: float | None) -> float | None:
    """Return a number as SQLite gives it back from a column of reals."""
    if value is None or math.isnan(value):
        return None
    return float(value) + 0.0  # there is no minus zero


def integer(value: int | None) -> int | float | None:
    """Return a count as SQLite gives it back: what is too large is rounded, or unknown."""
    if value is None or abs(value) <= LARGEST_INTEGER:
        return None if value is None else int(value)
    return float(value) if abs(value) < 1e300 else None


def to_json(value: Any) -> str:
    """Write a value as JSON."""
    if isinstance(value, Stats):
        return value.json.decode()
    import msgspec

    try:
        return msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, OverflowError, UnicodeError):  # a number beyond 64 bits, half a character
        return json.dumps(value, separators=(",", ":"))


def from_json(written: str | bytes) -> Any:
    """Read what `to_json` wrote; raises ValueError if it was damaged."""
    import msgspec

    try:
        try:
            return msgspec.json.decode(written)
        except (msgspec.MsgspecError, UnicodeError):
            return json.loads(written)
    except ValueError as error:
        raise ValueError(f"it is not JSON ({error})") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except TypeError:
        raise ValueError(f"expected text, found {type(written).__name__}") from None


def object_from_json(written: str | bytes | None) -> dict[str, Any]:
    """Read a JSON object; raises ValueError if it is none."""
    value = from_json(written) if written else {}
    if not isinstance(value, dict):
        raise ValueError(f"expected a JSON object, found {type(value).__name__}")
    return value


def texts_from_json(written: str | bytes | None) -> tuple[str, ...]:
    """Read a JSON list of texts, of which an empty one may be kept as nothing; raises ValueError if it is none."""
    value = from_json(written) if written else []
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("expected a JSON list of texts")
    return tuple(value)


class Column(NamedTuple):
    """Describe one column."""

    name: str
    """The field of `Row` that holds it, the property of `Row` that computes it, or the name of a count in its stats."""
    place: str = ""
    """What SQL selects, such as `answer.seconds`; empty if it is computed, or stands in the stats."""
    decode: Callable[[Any], Any] = text
    """How a stored value is read; raises ValueError if it was damaged."""
    encode: Callable[[Any], Any] | None = None
    """How a value is written, where not as it is: just as SQLite will give it back, so that its seal fits."""
    csv: str = ""
    """Its heading in the table for spreadsheets; empty if it is not there."""
    json: str = ""
    """Its key in a line of JSON; empty if it is not there."""
    in_stats: bool = False

    @property
    def is_of_answer(self) -> bool:
        """Tell whether a row without an answer has nothing in it."""
        return self.place.startswith("answer.")


COLUMNS = (
    Column("name", "item.name", csv="instance", json="validated"),
    Column("domain", "instance.domain", csv="domain", json="domain"),
    Column("question", "run_answer.question", csv="question", json="question"),
    Column("status", csv="status", json="status"),
    # Every run exports these counts, whatever the domain; they are empty where a domain does not count them.
    Column("expanded", "answer.expanded", whole, integer, csv="expanded_states", json="expanded"),
    Column("seconds", "answer.seconds", number_or_zero, real, csv="runtime_seconds", json="seconds"),
    Column("macro_attempts", csv="macro_attempts", in_stats=True),
    Column("macro_successes", csv="macro_successes", in_stats=True),
    Column("macro_failures", csv="macro_failures", in_stats=True),
    Column("reverse_pruned", csv="reverse_pruned", in_stats=True),
    Column("max_open", csv="max_open_size", in_stats=True),
    Column("peak_megabytes", "answer.peak_megabytes", number, real, csv="peak_memory", json="peak_megabytes"),
    Column("length", "answer.length", whole, integer, csv="plan_length", json="length"),
    Column("verdict", "answer.verdict", csv="verdict", json="verdict"),
    Column("certified", "answer.certified", bool, int, csv="certified", json="certified"),
    Column("form", "answer.form", csv="form", json="form"),
    Column("reason", csv="reason", json="reason"),
    Column("because", "answer.because", text_or_empty, csv="because", json="because"),
    Column("size", "instance.size", whole, csv="size", json="size"),
    Column("cpu_seconds", "answer.cpu_seconds", number_or_zero, real, csv="cpu_seconds", json="cpu_seconds"),
    Column("remarks", "item.remarks", texts_from_json, csv="remarks", json="remarks"),
    Column("path", "item.path", csv="path", json="path"),
    Column("line", "item.line", number, csv="line", json="line"),
    Column("instance", "instance.hash", csv="hash", json="hash"),
    Column("solver", "answer.solver", text_or_empty, csv="solver"),
    Column("attempts", "answer.attempts", number_or_zero, json="attempts"),
    Column("read_as", "item.read_as", json="read_as"),
    Column("stats", "answer.stats", object_from_json, to_json, json="stats"),
    Column("error_or_traceback", json="error"),
    Column("number", "item.number", number),
    Column("message", "item.message"),
    Column("reading_seconds", "item.seconds", number),
    Column("answer", "answer.id", number),
    Column("cause", "answer.cause"),
    Column("detail", "answer.detail", text_or_empty),
    Column("error", "answer.error", text_or_empty),
    Column("machine", "machine.description", text_or_empty),
    Column("finished", "answer.finished", number_or_zero, real),
    Column("certificate_bytes", "length(answer.certificate)", number_or_zero),
)
"""Those of the CSV table come first, in its order."""
BY_NAME: Mapping[str, Column] = {column.name: column for column in COLUMNS}
STORED = tuple(column for column in COLUMNS if column.place)
"""Those that the store has; the others are computed from them."""


def encoder_of(name: str) -> Callable[[Any], Any] | None:
    """Return what writes a value for its column of the table `answer`; None where it is kept as it is."""
    column = BY_NAME.get(name)
    return None if column is None else column.encode


def decode(name: str, value: Any) -> Any:
    """Return a value that a column of the table `answer` keeps; raises ValueError if it was damaged."""
    column = BY_NAME.get(name)
    return text(value) if column is None else column.decode(value)


def selected(columns: Sequence[Column]) -> str:
    """Return the columns as a SELECT names them."""
    return ", ".join(column.place for column in columns)


def decoded(
    columns: Sequence[Column], row: Sequence[Any], path: Path, name_row: Callable[[str], str]
) -> dict[str, Any]:
    """Return the values of a row by name; raises StoreError if one was damaged.

    `name_row` says which row it is, given the place of the column, such as `answer.stats`.
    """
    try:
        return {column.name: column.decode(value) for column, value in zip(columns, row, strict=True)}
    except (ValueError, OverflowError):  # now look which it is
        for column, value in zip(columns, row, strict=True):
            try:
                column.decode(value)
            except (ValueError, OverflowError) as error:
                name = column.place.partition(".")[2]
                raise damaged(path, f"{name} of {name_row(column.place)} cannot be read: {error}") from None
        raise
