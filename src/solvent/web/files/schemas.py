"""Requests and replies about the user's own files."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Start = Annotated[int, Meta(ge=0, le=10**9)]
Searched = Annotated[str, Meta(max_length=200)]


class FilesWanted(Struct, forbid_unknown_fields=True, kw_only=True):
    """Which files to list."""

    text: Searched = ""
    """Only those with all of these words in their name."""
    start: Start = 0
    count: Annotated[int, Meta(ge=1, le=200)] = 60
    again: bool = False
    """Whether to look through the folders once more."""


class FileShown(Struct, kw_only=True):
    """A file that can be opened."""

    id: str
    name: str
    bytes: int
    changed: float
    """When, in seconds since 1970."""


class FilesShown(Struct, kw_only=True):
    """Some of the files that can be opened."""

    total: int
    matching: int
    start: int
    files: list[FileShown]
    troubles: list[str]
    """Folders that could not be looked into."""
    cut: bool
    """Whether there are more files than are ever listed."""


class FileRead(Struct, kw_only=True):
    """An instance from a file, with what lies beside it that belongs to it."""

    id: str
    name: str
    domain: str
    text: str
    """In the domain's first format, which holds everything."""
    remarks: list[str] = []
    """What reading the file assumed, which the text does not say any more."""
