"""Addresses that hold a whole puzzle in a parameter: `…?load=…` or `…#m=edit&p=…`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote

from solvent.starbattle.notation.reading import Content, Line, read_content

_OTHER_PUZZLE = re.compile(r"(?i:(?:https?://)?([\w.-]+)/p(?:\.html)?\?(?!starbattle)(?:m\+)?([a-z][\w-]*)/\S*)")
LONGEST_ADDRESS = 400_000
"""Characters at most; pages put drawings, colours and what was undone into their addresses."""


def read_address(text: str, *extras: str) -> tuple[Content, Line]:
    """Read the one address that a text consists of, and the extras it has no words for."""
    content = read_content(text, most_lines=1, longest_line=LONGEST_ADDRESS)
    content.allow_extras(*extras)
    [line, *more] = content.lines
    if more:
        raise more[0].place().error("nothing after the address", more[0].text)
    return content, line


def near_miss(text: str) -> str:
    """Say what is wrong with an address of a site whose addresses are read; an empty text for anything else."""
    other = _OTHER_PUZZLE.match(text.strip()[:LONGEST_ADDRESS])
    return f"of {other[1]} it reads starbattle, and this is {other[2]}" if other else ""


def parameters(address: str) -> Mapping[str, str]:
    """Return the parameters behind `?` and `#`, decoded; a plus stays one, since base 64 has it."""
    found: dict[str, str] = {}
    parts = re.split(r"[?#]", address)
    for part in parts[1:] or parts:  # somebody may have left the host away
        for piece in part.split("&"):
            name, _, value = piece.partition("=")
            found.setdefault(name, unquote(value).replace(" ", "+"))
    return found
