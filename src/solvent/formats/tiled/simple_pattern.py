r"""Regular expressions of the simple kind that names of files need, matched without going back and forth.

There are letters, `.`, `\d`, `\w`, `\s`, `[a-z]` and `[^a-z]`, each with `*`, `+`, `?` or `{2,3}` after it, groups in
parentheses, and `^` and `$`. Other things, such as `|`, are refused. A match takes at most the length of the pattern
times the square of that of the text, whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.formats.companion_files import Where

LONGEST_PATTERN = 200
LONGEST_TEXT = 255
_LETTER = r"\[\^?\]?[^\]\\]*(?:\\.[^\]\\]*)*\]|\\[dws.\-_+*?()\[\]{}^$/\\]|[^\\\[\](){}|^$*+?]"
_TIMES = r"\*|\+|\?|\{\d{1,3}(?:,\d{0,3})?\}"
_ATOM = rf"({_LETTER})({_TIMES})?(\?)?"


class _Atom(Struct, frozen=True):
    """Hold one letter or class of letters, and how often it may come."""

    letter: re.Pattern[str]
    least: int
    most: int
    is_lazy: bool


class SimplePattern(Struct, frozen=True):
    """Hold a pattern: atoms, and which of them each group begins and ends before."""

    atoms: Sequence[_Atom]
    spans: Sequence[tuple[int, int]]
    from_start: bool
    to_end: bool

    @property
    def groups(self) -> int:
        """Return how many groups there are."""
        return len(self.spans)

    def search(self, text: str) -> list[str] | None:
        """Return the groups of the first match anywhere in a text; None if there is none."""
        if len(text) > LONGEST_TEXT:
            return None
        ends = self._ends(text)
        for start in range(1 if self.from_start else len(text) + 1):
            if ends[0][start]:
                places = self._walk(text, start, ends)
                return [text[places[first] : places[last]] for first, last in self.spans]
        return None

    def _ends(self, text: str) -> list[list[bool]]:
        """Return for each atom and place whether the pattern from there on matches."""
        size = len(text)
        after = [not self.to_end or at == size for at in range(size + 1)]
        table = [after]
        for atom in reversed(self.atoms):
            runs = _runs(atom, text)
            after = [
                any(after[at + atom.least : at + min(runs[at], atom.most) + 1]) if runs[at] >= atom.least else False
                for at in range(size + 1)
            ]
            table.append(after)
        table.reverse()
        return table

    def _walk(self, text: str, start: int, ends: Sequence[Sequence[bool]]) -> list[int]:
        """Return where each atom begins in the match that starts at a place, and where the last one ends."""
        places = [start]
        for number, atom in enumerate(self.atoms):
            at = places[-1]
            most = min(_runs(atom, text)[at], atom.most)
            counts = range(atom.least, most + 1)
            places.append(
                at + next(n for n in (counts if atom.is_lazy else reversed(counts)) if ends[number + 1][at + n])
            )
        return places


def _runs(atom: _Atom, text: str) -> list[int]:
    """Return for each place how many letters from there on fit an atom."""
    runs = [0] * (len(text) + 1)
    for at in range(len(text) - 1, -1, -1):
        runs[at] = runs[at + 1] + 1 if atom.letter.fullmatch(text[at]) else 0
    return runs


def parse_pattern(text: str, where: Where) -> SimplePattern:
    """Read a pattern, or raise ParseError for one that is not simple."""
    if len(text) > LONGEST_PATTERN:
        raise ParseError(f"a pattern of at most {LONGEST_PATTERN} letters", text, **where)
    from_start, to_end = text.startswith("^"), text.endswith("$") and not text.endswith("\\$")
    body = text[from_start : len(text) - to_end]
    atoms: list[_Atom] = []
    spans: list[tuple[int, int]] = []
    opened: list[int | None] = []
    at = 0
    while at < len(body):
        if body.startswith("(?:", at):
            opened.append(None)
            at += 3
        elif body[at] == "(":
            spans.append((len(atoms), -1))
            opened.append(len(spans) - 1)
            at += 1
        elif body[at] == ")" and opened and body[at + 1 : at + 2] not in ("*", "+", "?", "{"):
            group = opened.pop()
            if group is not None:
                spans[group] = (spans[group][0], len(atoms))
            at += 1
        else:
            found = re.compile(_ATOM).match(body, at)
            if found is None:
                raise _not_simple(text[at:], where)
            atoms.append(_read_atom(found, text, where))
            at = found.end()
    if opened:
        raise ParseError("a pattern in which every parenthesis is closed", text, **where)
    return SimplePattern(atoms, spans, from_start, to_end)


def _read_atom(found: re.Match[str], text: str, where: Where) -> _Atom:
    letter, times, lazy = found[1], found[2] or "", bool(found[3])
    if lazy and not times:
        raise _not_simple(text, where)
    try:
        pattern = re.compile(letter, re.DOTALL)
    except re.error:
        raise _not_simple(letter, where) from None
    if times.startswith("{"):
        low, comma, high = times[1:-1].partition(",")
        least, most = int(low), int(high) if high else (LONGEST_TEXT if comma else int(low))
    else:
        least, most = {"": (1, 1), "*": (0, LONGEST_TEXT), "+": (1, LONGEST_TEXT), "?": (0, 1)}[times]
    return _Atom(pattern, least, most, lazy)


def _not_simple(text: str, where: Where) -> ParseError:
    return ParseError("a pattern of letters, . \\d \\w [a-z] with * + ? {2,3}, and groups of these", text, **where)
