"""The formats of a domain as a table with one row each; recognising, reading and writing a text follow from it.

A row names its functions, so that a format's module is imported when a text is in that format and not before.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from solvent.core.errors import ParseError, unknown_name
from solvent.core.source import Source

P = TypeVar("P")
"""The class of a domain's instances."""

_LONGEST_KEPT = 100_000
"""How many characters a text may have that is kept in case it is asked about again."""


class Format(NamedTuple):
    """Describe one format."""

    name: str
    description: str
    """What it looks like, in a few words."""
    sniff: Callable[[str], bool]
    """Tell cheaply whether a text looks like this format, with mistakes or without. Never raises."""
    parse: str
    """The function that reads a text, as `module:function`; the module is named from the domain's notation package."""
    format: str
    """The function that writes an instance so that `parse` gives an equal one back."""
    needs_path: bool = False
    """Whether `parse` takes the path of the file as well, or None, to look beside it for what the text does not say."""


def _whole(text: str) -> str:
    return text


class FormatTable(Generic[P]):
    """Recognise, read and write the instances of a domain in any of its formats.

    The first row that recognises a text counts. A text that none recognises is read by the row named `otherwise`, which
    then says what is wrong with it; without such a row the error says that a text like `expected` was expected.
    """

    def __init__(
        self,
        notation: str,
        rows: Sequence[Format],
        *,
        expected: str = "",
        otherwise: str = "",
        opening: Callable[[str], str] = _whole,
        near_miss: Callable[[str], str] | None = None,
        keeps_source: bool = False,
    ) -> None:
        """Make the table; `notation` is the package of the readers, `opening` cuts a text to what `sniff` looks at.

        `near_miss` says what would make a text one of these formats, where it is close; else it returns an empty text.
        With `keeps_source`, instances are dataclasses with a field `source` for the text they were read from.
        """
        self.rows: Mapping[str, Format] = {row.name: row for row in rows}
        self.descriptions: Mapping[str, str] = {row.name: row.description for row in rows}
        self._notation = notation
        self._expected = expected
        self._otherwise = otherwise
        self._opening = opening
        self.near_miss = near_miss
        self._keeps_source = keeps_source
        self._latest: tuple[str, str | None] = "", None
        """The text that was looked at last, and what was found; an empty one is in no format."""

    def find(self, text: str) -> str | None:
        """Return the name of the format that a text is in; None if it looks like none of them."""
        latest, name = self._latest
        if text is latest:  # to find out the domain, and then to read it
            return name
        opening = self._opening(text)
        name = next((row.name for row in self.rows.values() if row.sniff(opening)), None)
        if len(text) <= _LONGEST_KEPT:
            self._latest = text, name
        return name

    def sniff(self, text: str) -> bool:
        """Tell whether a text looks like one of the formats."""
        return self.find(text) is not None

    def parse(self, text: str, path: str | os.PathLike[str] | None = None) -> P:
        """Read an instance in any of the formats; with `path`, a format may look beside that file."""
        name = self.find(text) or self._otherwise
        if not name:
            advice = "" if self.near_miss is None else self.near_miss(text)
            expected = f"{self._expected} ({advice})" if advice else self._expected
            raise ParseError(expected, self._opening(text)[:100].partition("\n")[0], line=1)
        row = self.rows[name]
        parse = self.function(row.parse)
        if not row.needs_path:
            return self.with_source(parse(text), Source(text))
        from pathlib import Path

        place = None if path is None else Path(path)
        return self.with_source(parse(text, place), Source(text, None if place is None else str(place)))

    def with_source(self, problem: P, source: Source) -> P:
        """Return an instance that knows what it was read from, where instances of the domain keep that."""
        return replace(problem, source=source) if self._keeps_source else problem  # type: ignore[type-var]

    def format(self, problem: P, name: str) -> str:
        """Write an instance in one of the formats; raises BadOption where that format cannot hold it."""
        if name not in self.rows:
            raise unknown_name("format", name, self.rows)
        return self.function(self.rows[name].format)(problem)  # type: ignore[no-any-return]

    def function(self, name: str) -> Callable[..., Any]:
        """Import the function that a row names."""
        module, _, function = name.partition(":")
        found: Callable[..., Any] = getattr(importlib.import_module(f"{self._notation}.{module}"), function)
        return found
