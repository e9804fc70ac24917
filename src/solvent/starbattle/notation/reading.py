"""What all formats read alike: lines, comments, numbers, and the extras that a format has no room for.

A comment begins with `#`, at the start of a line or after a blank, and runs to the end of the line. A `#` before
`stars=`, `marks=` or `regions=` begins extras instead, such as `#stars=2&marks=..*x` followed by the other cells. Other
programs take extras for a comment or for the fragment of an address, and ignore them. Only what a format cannot say in
its own words is written there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from solvent.core.errors import ParseError
from solvent.formats.lines import numbered_lines
from solvent.starbattle.formats import COMMENT, EXTRAS
from solvent.starbattle.model import LARGEST_SIZE, SMALLEST_SIZE, most_stars

LONGEST_LINE = 20_000
"""The largest puzzle takes a quarter of it in one line. Comments may be longer."""

_COMMENT = re.compile(COMMENT)
# Only ASCII digits count as digits: `\d` and `int` would also take those of every other script.
_NUMBER = re.compile(r"0*([0-9]{1,6})")


class Place(NamedTuple):
    """Say where something stands: line and column, or a path into JSON."""

    line: int | None = None
    column: int | None = None
    path: str | None = None

    def error(self, expected: str, *value: object) -> ParseError:
        """Make the error for what stands here; the value is shown if there is one."""
        return ParseError(expected, *value, line=self.line, column=self.column, path=self.path)


class Line(NamedTuple):
    """Hold what a line says, without comment and blanks around it."""

    number: int
    column: int
    """Where the text begins."""
    text: str

    def place(self, index: int = 0) -> Place:
        """Return where a character of the text stands."""
        return Place(self.number, self.column + index)


class Content(NamedTuple):
    """Hold what a text says: its lines that are neither blank nor comment, and its extras."""

    lines: tuple[Line, ...]
    extras: Mapping[str, Line]
    """The value of each extra, as a piece of its line."""
    end: int
    """The number of the line after the last one that says something."""

    def allow_extras(self, *names: str) -> None:
        """Refuse extras that the format says in its own words."""
        for name, value in self.extras.items():
            if name not in names:
                place = Place(value.number, value.column - len(name) - 1)
                raise place.error(" or ".join(f"{each}=" for each in names) or "no extras in this format", f"{name}=")


def read_content(text: str, *, most_lines: int, longest_line: int = LONGEST_LINE) -> Content:
    """Read lines and extras; stops one line after the most that a format has, however long the text is."""
    lines: list[Line] = []
    extras: dict[str, Line] = {}
    end = 1
    for number, raw in numbered_lines(text):
        if not raw:
            continue
        if len(raw) > longest_line and not raw.startswith("#"):
            raise Place(number, longest_line + 1).error(f"at most {longest_line:,} characters in a line")
        found = _COMMENT.search(raw)
        content = raw if found is None else raw[: found.start()]
        if found is not None and raw.startswith(tuple(f"{name}=" for name in EXTRAS), found.end()):
            _read_extras(Line(number, found.end() + 1, raw[found.end() :]), extras)
        stripped = content.strip()
        if stripped:
            lines.append(Line(number, len(content) - len(content.lstrip()) + 1, stripped))
            end = number + 1
            if len(lines) > most_lines:
                break
    return Content(tuple(lines), extras, end)


def read_line(text: str, *extras: str) -> tuple[Content, Line]:
    """Read a format that has just one line, and the extras it has no words for."""
    content = read_content(text, most_lines=1)
    content.allow_extras(*extras)
    if not content.lines:
        raise Place(1).error("a puzzle, but there is none")
    if len(content.lines) > 1:
        raise content.lines[1].place().error("nothing after the puzzle", content.lines[1].text)
    return content, content.lines[0]


def parse_number(text: str, expected: str, least: int, most: int, place: Place) -> int:
    """Read a whole number in ASCII digits between two limits."""
    found = _NUMBER.fullmatch(text)
    if found is None or not least <= int(found[1]) <= most:
        raise place.error(f"{expected} from {least} to {most}", text)
    return int(found[1])


def parse_size(text: str, place: Place) -> int:
    """Read the number of rows, columns and regions."""
    return parse_number(text, "a size", SMALLEST_SIZE, LARGEST_SIZE, place)


def check_size(size: int, what: str, place: Place) -> int:
    """Return the size that was counted, or refuse it."""
    if not SMALLEST_SIZE <= size <= LARGEST_SIZE:
        raise place.error(f"{SMALLEST_SIZE} to {LARGEST_SIZE} {what}", size)
    return size


def parse_stars(text: str, size: int, place: Place) -> int:
    """Read how many stars each row, column and region gets; more than fit on the board are refused."""
    return parse_number(text, f"a number of stars that fits size {size},", 1, most_stars(size), place)


def _read_extras(line: Line, extras: dict[str, Line]) -> None:
    listed, _, rest = line.text.partition(" ")
    listed = listed.rstrip()
    if rest.strip() and not rest.lstrip().startswith("#"):
        raise line.place(len(listed) + 1).error("nothing after the extras", rest.strip())
    start = 0
    for piece in listed.split("&"):
        name, equals, value = piece.partition("=")
        if name not in EXTRAS or not equals:
            raise line.place(start).error(" or ".join(f"{each}=" for each in EXTRAS), piece)
        if name in extras:
            raise line.place(start).error(f"{name}= once", piece)
        extras[name] = Line(line.number, line.column + start + len(name) + 1, value)
        start += len(piece) + 1
