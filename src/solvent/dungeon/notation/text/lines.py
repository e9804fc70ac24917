"""Lines of our text format that know where they stand, gathered into sections.

A section begins with its word at the left edge and a colon. A bare map, without `dungeon:` and `map:` before it, is
read as if they were there. The rows of a map follow its heading until a blank line;
nothing in them is a comment. Elsewhere blank lines and lines that begin with `#` say nothing, and entries may be
indented: a place that is called like a section must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from solvent.core.errors import ParseError
from solvent.dungeon.bare_maps import is_bare_map
from solvent.dungeon.formats import begins_with_dungeon
from solvent.dungeon.notation.assembling import MAX_THINGS, MAX_TILES
from solvent.formats.lines import numbered_lines

SECTIONS = ("dungeon", "rules", "goal", "missing", "map", "legend", "switches", "rooms", "places", "ways", "moves")
_WITH_ENTRIES = ("legend", "switches", "rooms", "places", "ways", "moves")
_IN_ONE_LINE = ("dungeon", "rules", "goal", "missing", "moves")
_MAX_ENTRIES = {**dict.fromkeys(("legend", "switches", "rooms", "ways"), MAX_THINGS), "places": MAX_TILES}
"""A text with more lines than this in all sections of a kind is refused while it is read, before anything is built."""
SECTION_LIST = ", ".join(f"{word}:" for word in SECTIONS[1:])

_HEADING = re.compile(rf"({'|'.join(SECTIONS)})\b([^:=<>,+]*):")
_LIKE_A_HEADING = re.compile(r"\w{2,}(?: [^:=<>]*)?:")


class Line(NamedTuple):
    """Hold a piece of one line, without blanks around it, and where it begins."""

    number: int
    column: int
    text: str

    def error(self, expected: str, *, at: int = 0) -> ParseError:
        """Make the error for this piece, or for what begins in it at an index."""
        return ParseError(expected, self.text[at:], line=self.number, column=self.column + at)

    def piece(self, start: int, end: int | None = None) -> Line:
        """Return a part of it, again without blanks around it."""
        part = self.text[start:end]
        bare = part.lstrip()
        return Line(self.number, self.column + start + len(part) - len(bare), bare.rstrip())

    def split(self, separator: str) -> Iterator[Line]:
        """Yield the pieces between separators."""
        start = 0
        while (end := self.text.find(separator, start)) >= 0:
            yield self.piece(start, end)
            start = end + len(separator)
        yield self.piece(start)


class Section(NamedTuple):
    """Hold a heading and what stands under it."""

    word: str
    heading: Line
    about: Line
    """What stands in the heading's own line: the title, rules, what goals need, what is missing, moves, or the name of
    a map."""
    entries: list[Line]
    """Its lines; the rows of a map are whole, with all their blanks."""


def read_sections(text: str) -> list[Section]:
    """Gather all lines into sections; the first is always `dungeon:`, even where a bare map leaves it out."""
    sections: list[Section] = []
    taking: Section | None = None
    is_bare = not begins_with_dungeon(text) and is_bare_map(text)
    if is_bare:
        unsaid = Line(1, 1, "")
        taking = Section("map", unsaid, unsaid, [])
        sections = [Section("dungeon", unsaid, unsaid, []), taking]
    tiles = 0
    entries = dict.fromkeys(_WITH_ENTRIES, 0)
    for number, raw in numbered_lines(text):
        if not raw.strip():
            if taking is not None and taking.word in ("map", "moves"):
                if is_bare and not sections[1].entries:
                    continue
                if taking.word == "map" and not taking.entries:
                    raise taking.heading.error("rows of a map in the lines below")
                taking = None
            continue
        if taking is not None and taking.word == "map":
            taking.entries.append(Line(number, 1, raw))
            tiles += len(raw.rstrip())  # blanks at the end need not be part of the map
            if tiles > MAX_TILES:
                raise ParseError(f"at most {MAX_TILES:,} tiles, but there are more", line=number, column=1)
            continue
        line = Line(number, 1, raw).piece(0)
        if line.text.startswith("#"):
            continue
        found = _HEADING.match(raw)
        if found is not None:
            taking = _begin(Line(number, 1, raw), found, first=not sections)
            sections.append(taking)
        elif not sections:
            raise line.error("'dungeon:' and a title first, at the left edge")
        elif taking is None or taking.word not in _WITH_ENTRIES:
            hint = " (a blank line ends a map)" if sections[-1].word == "map" else ""
            raise line.error(f"a section ({SECTION_LIST}){hint}")
        elif taking.word != "places" and _LIKE_A_HEADING.match(raw):
            raise line.error(f"a section ({SECTION_LIST})")
        else:
            taking.entries.append(line)
            entries[taking.word] += 1
            if entries[taking.word] > _MAX_ENTRIES.get(taking.word, number):
                raise line.error(f"at most {_MAX_ENTRIES[taking.word]:,} lines under '{taking.word}:'")
    if not sections:
        raise ParseError("'dungeon:' and a title, but there is nothing", line=1)
    if is_bare:
        _straighten(sections[1].entries)
    return sections


def _straighten(rows: list[Line]) -> None:
    """Make the rows of a bare map equally long, and take off what all are indented by: both are nothing."""
    indent = min(len(row.text) - len(row.text.lstrip(" ")) for row in rows)
    width = max(len(row.text.rstrip()) for row in rows)
    if width * len(rows) > MAX_TILES:
        raise ParseError(f"at most {MAX_TILES:,} tiles, but there are more", line=rows[0].number)
    rows[:] = [Line(row.number, 1 + indent, row.text[:width].ljust(width)[indent:]) for row in rows]


def _begin(line: Line, found: re.Match[str], *, first: bool) -> Section:
    word = found[1]
    if first != (word == "dungeon"):
        raise line.error("'dungeon:' and a title first" if first else "'dungeon:' only once")
    name, rest = line.piece(found.start(2), found.end(2)), line.piece(found.end())
    if name.text and word != "map":
        raise name.error(f"nothing between {word} and the colon")
    if rest.text and word not in _IN_ONE_LINE:
        raise rest.error(f"nothing after '{word}:' in this line")
    entries = [rest] if word == "moves" and rest.text else []
    return Section(word, line.piece(0, found.end()), name if word == "map" else rest, entries)
