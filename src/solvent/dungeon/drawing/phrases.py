"""Make words safe for a drawing, whatever they come from."""

from __future__ import annotations


def plain(text: str) -> str:
    """Replace what neither a terminal nor XML should be given: control characters and halves of characters."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def escape(text: str) -> str:
    """Return a text as XML has it, in an element or in a quoted attribute."""
    import html  # loads every name a letter has, which text does not need

    return html.escape(plain(text))
