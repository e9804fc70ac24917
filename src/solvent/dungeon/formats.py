"""The formats of dungeons: how each is recognised, and where it is read and written.

This module imports almost nothing, since it looks at the files of every domain. Patterns are written where they are
used, so that each is compiled when it is first needed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from solvent.dungeon.bare_maps import describe_near_miss, is_bare_map
from solvent.formats.table import Format, FormatTable

if TYPE_CHECKING:
    from solvent.dungeon.model import Dungeon

LINE_END = r"\r\n|\r|\n"
ROOM_HEIGHT, ROOM_WIDTH = 16, 11
"""How large the rooms of a VGLC map are, in tiles."""
_LONGEST_FOREWORD = 1 << 20
"""How many letters of comments and blanks may stand before a dungeon for it to be recognised."""
EDITOR_FORMATS = ("tmj", "tmx", "ldtk")
"""Those with names of a project's own, which a mapping can say."""
LETTERS = "FWDBMPOIS-"
"""Floor, wall, doorway, block, statue, water, sand, block in water, stairs, and outside or dark floor."""


def sniff_text(text: str) -> bool:
    """Tell whether the text begins with `dungeon:`, or is certainly a map in our glyphs."""
    return begins_with_dungeon(text) or is_bare_map(text)


def begins_with_dungeon(text: str) -> bool:
    """Tell whether the first line that says something begins with `dungeon:`."""
    at = 1 if text.startswith("\ufeff") else 0
    blanks, line_end = re.compile(r"\s*"), re.compile(LINE_END)
    text = text[:_LONGEST_FOREWORD]
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
    """Tell whether the text looks like a Tiled map in JSON, or a world of maps."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    if not start.startswith("{"):
        return False
    return all(word in text for word in ('"tilewidth"', '"tileheight"', '"layers"')) or sniff_tiled_world(text)


def sniff_tiled_world(text: str) -> bool:
    """Tell whether the text looks like a world of Tiled maps."""
    if not text[:100].lstrip("\ufeff \t\r\n").startswith("{") or '"layers"' in text:
        return False
    return ('"maps"' in text and '"fileName"' in text) or ('"patterns"' in text and '"regexp"' in text)


def sniff_tmx(text: str) -> bool:
    """Tell whether the text looks like a Tiled map in XML."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    at = text.find("<map", 0, 20_000)
    return start.startswith("<") and at >= 0 and "tilewidth" in text[at : at + 2_000]


def sniff_ldtk(text: str) -> bool:
    """Tell whether the text looks like an LDtk project, or a level of one in a file of its own."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    if not start.startswith("{"):
        return False
    return all(word in text for word in ('"jsonVersion"', '"defs"', '"levels"')) or sniff_ldtk_level(text)


def sniff_ldtk_level(text: str) -> bool:
    """Tell whether the text looks like a level of an LDtk project in a file of its own."""
    return '"defs"' not in text and all(word in text for word in ('"layerInstances"', '"worldX"', '"pxWid"'))


def sniff_logic(text: str) -> bool:
    """Tell whether the text looks like the logic of a randomizer in JSON: regions with exits and locations."""
    if not text[:100].lstrip("\ufeff \t\r\n").startswith("{"):
        return False
    if '"solvent-logic"' in text[:2_000]:
        return True
    return '"regions"' in text and '"locations"' in text and ('"exits"' in text or '"entrances"' in text)


def sniff_graph(text: str) -> bool:
    """Tell whether the text begins like a graph in DOT."""
    beginning = text[:5000]
    if "graph" not in beginning.lower() or "{" not in text:
        return False
    # Atomic groups: a comment is never tried again as several, which would take forever on hostile text.
    blank = r"(?>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|#[^\n]*)*+"
    name = r'(?:[\w.]+|"(?>[^"\\]|\\.)*")?'
    opening = rf"\ufeff?{blank}(?:strict{blank})?(?:di)?graph(?![\w.]){blank}{name}{blank}\{{"
    return re.match(opening, beginning, re.IGNORECASE | re.DOTALL) is not None


def sniff_map(text: str) -> bool:
    """Tell whether the text begins like a tile map: half a room or more of lines in its letters, with walls."""
    beginning = text[:20_000]
    if "W" not in beginning:
        return False
    lines = [line.rstrip() for line in re.split(LINE_END, beginning) if line.strip()][: ROOM_HEIGHT // 2]
    return len(lines) == ROOM_HEIGHT // 2 and all(len(line) >= ROOM_WIDTH and not line.strip(LETTERS) for line in lines)


FORMATS: FormatTable[Dungeon] = FormatTable(
    "solvent.dungeon.notation",
    (
        Format(
            "text",
            "maps of characters with a legend, rules, rooms and ways",
            sniff_text,
            parse="text.reading:parse_text",
            format="text.writing:format_text",
        ),
        Format(
            "tmj",
            "a Tiled map in JSON, with what stands on it as objects",
            sniff_tmj,
            parse="tiled.reading:parse_tiled",
            format="tiled.writing:format_tmj",
            needs_path=True,
        ),
        Format(
            "tmx",
            "a Tiled map in XML, with what stands on it as objects",
            sniff_tmx,
            parse="tiled.reading:parse_tiled",
            format="tiled.writing:format_tmx",
            needs_path=True,
        ),
        Format(
            "ldtk",
            "an LDtk project, with what stands on it as entities",
            sniff_ldtk,
            parse="ldtk.reading:parse_ldtk",
            format="ldtk.writing:format_ldtk",
            needs_path=True,
        ),
        Format(
            "logic",
            "the logic of a randomizer in JSON: regions, entrances and locations with rules; for dungeons of places",
            sniff_logic,
            parse="randomizer.reading:parse_logic",
            format="randomizer.writing:format_logic",
        ),
        Format(
            "dot",
            "a graph of rooms as the VGLC has them; for dungeons whose rooms are single tiles",
            sniff_graph,
            parse="vglc.rooms_only:parse_graph",
            format="vglc.rooms_only:format_graph",
        ),
        Format(
            "vglc",
            "a tile map as the VGLC has them; read from a file, with its graph found beside it",
            sniff_map,
            parse="vglc.files:parse_map",
            format="vglc.files:format_map",
            needs_path=True,
        ),
    ),
    expected="a dungeon: a text that begins with 'dungeon:', a Tiled or LDtk map, the logic of a randomizer, "
    "or a VGLC map or graph",
    near_miss=describe_near_miss,
    keeps_source=True,
)
