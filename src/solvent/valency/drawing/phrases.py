"""Make words safe for a drawing, whatever they come from, and count things."""

from __future__ import annotations

import textwrap

TIE = "\N{NO-BREAK SPACE}"
"""Holds words on one line together."""


def plain(text: str) -> str:
    """Replace what neither a terminal nor XML should be given: control characters and halves of characters."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def wrap(text: str, width: int, *, indent: str = "") -> list[str]:
    """Break a text into lines, but not at ties; all lines but the first are indented."""
    lines = textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
    return [plain(line.replace(TIE, " ")) for line in lines]


def escape(text: str) -> str:
    """Return a text as XML has it, in an element or in a quoted attribute."""
    import html  # loads every name a letter has, which text does not need

    return html.escape(plain(text))


def count(number: int, noun: str) -> str:
    """Say how many there are."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def shorten(text: str, longest: int) -> str:
    """Cut a text to so many characters, the last one an ellipsis if something is missing."""
    return text if len(text) <= longest else text[: longest - 1] + "…"
