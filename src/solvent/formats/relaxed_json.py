"""JSON as people write it: with comments, and commas after the last entry. Both are replaced by blanks, so that what an
error says about lines and columns holds for the text as it is written.
"""

from __future__ import annotations

import re

_PARTS = re.compile(r'"(?:[^"\\]|\\.)*+"|//[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/|"|/\*|,|[^\s",/]+|/', re.DOTALL)
"""What a text is made of but blanks. Each pattern is tried where the last one ended, so that reading is one pass."""


def to_strict_json(text: str) -> str:
    """Return a text without comments and without commas that end a list or an object.

    From a string or a comment that does not end, the text stays as it is: whoever reads it says so.
    """
    pieces = []
    copied = 0
    comma = None  # where a comma stands that nothing but blanks and comments follow
    for part in _PARTS.finditer(text):
        found = part[0]
        if found in ('"', "/*"):
            break
        if found.startswith(("//", "/*")):
            pieces += [text[copied : part.start()], re.sub(r"[^\n]", " ", found)]
            copied = part.end()
        elif found == ",":
            comma = (len(pieces), copied, part.start())
        else:
            if comma is not None and found[0] in "}]":
                place, begin, at = comma
                if place == len(pieces):
                    pieces += [text[copied:at], " "]
                    copied = at + 1
                else:
                    pieces[place] = f"{text[begin:at]} {pieces[place][at - begin + 1 :]}"
            comma = None
    return "".join(pieces) + text[copied:]
