"""Maps in our own glyphs without the line `dungeon:` before them, as people type and paste them.

A map is recognised only where it is certain: every glyph has a meaning, and there are a start and a goal. Sections such
as `legend:` may follow it after a blank line. This module imports almost nothing, since it looks at the files of every
domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

GLYPHS = "#. _~^>v<@GkLbBmo"
"""Those that mean something without a legend."""
COLOURS = {"r": "red", "y": "yellow"}
"""Letters that bare maps have for a key of a colour; the large letter is its lock."""
_SECTIONS = r"(rules|goal|missing|map|legend|switches|rooms|places|ways|moves)\b[^:=<>,+]*:"
_LEGEND_LINE = r"\s*(\S)\s*=(.*)"
_LIKELY = {"S": "start", "P": "start", "E": "goal", "X": "goal", "D": "lock", "W": "wall"}
"""What letters often mean on maps that are not ours, for examples."""
_LONGEST_LOOKED_AT = 1 << 21
"""A map of a million tiles, however short its rows, has no more letters than this."""
_LETTERS_OF_A_MAP = frozenset("#.")


def is_bare_map(text: str) -> bool:
    """Tell whether a text is certainly a map in our glyphs, with or without sections after it."""
    if len(text) > _LONGEST_LOOKED_AT or not ("@" in text or "start" in text):
        return False
    rows, rest = _split(text)
    glyphs = set().union(*rows)
    if not glyphs & _LETTERS_OF_A_MAP or (rest and not re.match(_SECTIONS, rest[0])):
        return False
    legend = {found[1]: found[2] for line in rest if (found := re.match(_LEGEND_LINE, line))}
    if not glyphs <= {*GLYPHS, *COLOURS, *map(str.upper, COLOURS), *legend}:
        return False
    return all(
        any(re.search(rf"\b{word}\b", legend[own]) if own in legend else own == glyph for own in glyphs)
        for glyph, word in (("@", "start"), ("G", "goal"))
    )


def describe_near_miss(text: str) -> str:
    """Say which line would make a text a dungeon, where it looks like one; else return an empty text."""
    beginning = text[:20_000].removeprefix("\ufeff")
    lines = [line for line in _lines(beginning) if line.strip()]
    if not lines or lines[0].lstrip()[:1] in ("{", "[", "<"):
        return ""
    if re.match(_SECTIONS, lines[0]) and any(re.match(r"map\b|places:", line) for line in lines):
        return "a dungeon begins with the line 'dungeon:' and a title"
    rows = _split(beginning)[0]
    letters = "".join(rows).replace(" ", "")
    walls, floor = letters.count("#"), letters.count(".")
    known = sum(letters.count(glyph) for glyph in GLYPHS)
    if not walls or len(letters) < 5 or walls + floor < len(letters) * 0.3 or known < len(letters) * 0.6:
        return ""
    unknown = sorted(set(letters) - {*GLYPHS, *COLOURS, *map(str.upper, COLOURS)})
    if unknown:
        shown = ", ".join(map(repr, unknown[:5])) + (" …" if len(unknown) > 5 else "")
        example = f"{unknown[0]} = {_LIKELY.get(unknown[0].upper(), 'key')}"
        means = "means" if len(unknown) == 1 else "mean"
        return (
            f"if this is a map of a dungeon, say what {shown} {means}: below it, after a blank line, add 'legend:' and "
            f"lines such as '{example}'"
        )
    missing = [name for glyph, name in (("@", "start (@)"), ("G", "goal (G)")) if glyph not in letters]
    if missing:
        return f"a map of a dungeon needs a {' and a '.join(missing)}"
    return "a map of a dungeon begins with the lines 'dungeon:' and 'map:'"


def _split(text: str) -> tuple[list[str], list[str]]:
    """Return the lines up to the first blank one, and those that say something after it."""
    rows: list[str] = []
    rest: list[str] = []
    is_over = False
    for line in _lines(text.removeprefix("\ufeff")):
        if line.strip():
            (rest if is_over else rows).append(line)
        elif rows:
            is_over = True
    return rows, rest


def _lines(text: str) -> Iterator[str]:
    return iter(re.split(r"\r\n|\r|\n", text))
