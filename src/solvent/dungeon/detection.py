"""Tell whether a text is a dungeon, and in which format. Imports almost nothing: it looks at everybody's files.

Patterns are written where they are used, so that each is compiled when it is first needed.
"""

from __future__ import annotations

import re

LINE_END = r"\r\n|\r|\n"
ROOM_HEIGHT, ROOM_WIDTH = 16, 11
"""How large the rooms of a VGLC map are, in tiles."""
LETTERS = "FWDBMPOIS-"
"""Floor, wall, doorway, block, statue, water, sand, block in water, stairs, and outside or dark floor."""


def sniff(text: str) -> bool:
    """Tell whether the text looks like a dungeon in one of the formats."""
    return format_of(text) is not None


def format_of(text: str) -> str | None:
    """Return the name of the format a text looks like; each look costs little."""
    if sniff_text(text):
        return "text"
    first = text.lstrip()[:1]
    if first == "<":
        return "tmx" if sniff_tmx(text) else None
    if first == "{":
        return "tmj" if sniff_tmj(text) else "ldtk" if sniff_ldtk(text) else None
    return "dot" if sniff_graph(text) else "vglc" if sniff_map(text) else None


def sniff_text(text: str) -> bool:
    """Tell whether the first line that says something begins with `dungeon:`."""
    at = 1 if text.startswith("\ufeff") else 0
    blanks, line_end = re.compile(r"\s*"), re.compile(LINE_END)
    while True:
        found = blanks.match(text, at)
        at = at if found is None else found.end()
        if not text.startswith("#", at):
            return text.startswith("dungeon:", at)
        found = line_end.search(text, at)
        if found is None:
            return False
        at = found.end()


def sniff_tmj(text: str) -> bool:
    """Tell whether the text looks like a Tiled map in JSON."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    return start.startswith("{") and all(word in text for word in ('"tilewidth"', '"tileheight"', '"layers"'))


def sniff_tmx(text: str) -> bool:
    """Tell whether the text looks like a Tiled map in XML."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    at = text.find("<map", 0, 20_000)
    return start.startswith("<") and at >= 0 and "tilewidth" in text[at : at + 2_000]


def sniff_ldtk(text: str) -> bool:
    """Tell whether the text looks like an LDtk project."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    return start.startswith("{") and all(word in text for word in ('"jsonVersion"', '"defs"', '"levels"'))


def sniff_graph(text: str) -> bool:
    """Tell whether the text begins like a directed graph in DOT."""
    beginning = text[:5000]
    if "digraph" not in beginning:
        return False
    # Atomic groups: a comment is never tried again as several, which would take forever on hostile text.
    opening = r"(?>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|#[^\n]*)*+(?:strict\s+)?digraph(?![A-Za-z0-9_])"
    return re.match(opening, beginning) is not None


def sniff_map(text: str) -> bool:
    """Tell whether the text begins like a tile map: half a room or more of lines in its letters, with walls."""
    beginning = text[:20_000]
    if "W" not in beginning:
        return False
    lines = [line.rstrip() for line in re.split(LINE_END, beginning) if line.strip()][: ROOM_HEIGHT // 2]
    return len(lines) == ROOM_HEIGHT // 2 and all(len(line) >= ROOM_WIDTH and not line.strip(LETTERS) for line in lines)
