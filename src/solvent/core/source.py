"""The text that an instance was read from."""

from __future__ import annotations

from msgspec import Struct


class Source(Struct, frozen=True):
    """Remember what an instance was read from, so that it can be read again to say where something stands in it.

    It is no part of what makes two instances equal, of their hash or of how they are written.
    """

    text: str
    path: str | None = None
    """The file, where there is one: others may lie beside it."""
    mapping: str | None = None
    """The file that says what the names in the text mean, where one was given."""
