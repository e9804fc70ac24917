"""How values that SQLite has no column for are kept, and how they come back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

_LARGEST_INTEGER = 2**63 - 1


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
    elif isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        return float(value) if abs(value) < 1e300 else None
    return value


def text(value: Any) -> Any:
    """Return a text that was kept as bytes; anything else as it is."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def whole(value: Any) -> int | None:
    """Return a count, also one that was too large to be kept exactly."""
    return None if value is None else int(value)


def to_json(value: Any) -> str | bytes:
    """Write a value as JSON."""
    import msgspec

    try:
        return msgspec.json.encode(value).decode()
    except (msgspec.MsgspecError, OverflowError, UnicodeError):  # a number beyond 64 bits, half a character
        return json.dumps(value, separators=(",", ":"))


def from_json(written: str | bytes) -> Any:
    """Read what `to_json` wrote."""
    import msgspec

    try:
        return msgspec.json.decode(written)
    except (msgspec.MsgspecError, UnicodeError):
        return json.loads(written)
