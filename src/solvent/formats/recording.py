"""Listen to a text being read: where each thing stands in it.

Ordinary reading keeps none of that. To say where something stands, a text is read a second time while `record` is on;
the readers then note what they know anyway for the sake of their error messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_NOTES: ContextVar[dict[str, Any] | None] = ContextVar("notes", default=None)


@contextmanager
def record() -> Iterator[dict[str, Any]]:
    """Gather what readers note, by name, while the block runs."""
    notes: dict[str, Any] = {}
    token = _NOTES.set(notes)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def note(**found: Any) -> None:
    """Hand over what a reader knows; the first of a name counts, and nothing happens while nobody listens."""
    notes = _NOTES.get()
    if notes is not None:
        for name, value in found.items():
            notes.setdefault(name, value)
