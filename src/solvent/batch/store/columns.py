"""How values that SQLite has no column for are kept, and how they come back; damage is told by row and column."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from solvent.core.errors import StoreError

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
    elif isinstance(value, int) and abs(value) > LARGEST_INTEGER:
        return float(value) if abs(value) < 1e300 else None
    return value


def text(value: Any) -> Any:
    """Return a text that was kept as bytes; anything else as it is."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def whole(value: Any) -> int | None:
    """Return a count, also one that was too large to be kept exactly."""
    return None if value is None else int(value)


def to_json(value: Any) -> str:
    """Write a value as JSON."""
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


def words(value: Any) -> str:
    """Return a text, an empty one where there is none."""
    return text(value) or ""


def number(value: Any) -> Any:
    """Return a number, or None; raises ValueError if it is neither."""
    if value is not None and not isinstance(value, int | float):
        raise ValueError(f"expected a number, found {type(value).__name__}")
    return value


def number_or_zero(value: Any) -> Any:
    """Return a number, 0 where there is none."""
    return number(value) or 0


class Column(NamedTuple):
    """Say how the values of one column are read."""

    name: str
    decode: Callable[[Any], Any]


def decoded(columns: Sequence[Column], row: Sequence[Any], path: Path, name_row: Callable[[str], str]) -> list[Any]:
    """Return the values of a row; raises StoreError if one was damaged.

    `name_row` says which row it is, given the name of the column, such as `answer.stats`.
    """
    try:
        return [decode(value) for (_, decode), value in zip(columns, row, strict=True)]
    except (ValueError, OverflowError):
        pass
    for (name, decode), value in zip(columns, row, strict=True):
        try:
            decode(value)
        except (ValueError, OverflowError) as error:
            column = name.partition(".")[2]
            raise StoreError(f"{path} is damaged: {column} of {name_row(name)} cannot be read: {error}") from None
    raise AssertionError("decoding a value twice gave two results")
