"""Lines of text for a terminal: painted by escape codes if asked, wrapped, and free of what would move the cursor."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from itertools import groupby

from solvent.drawing.palette import Paint, ink_on

WIDTH = 80
"""Columns that every terminal has."""
TIE = "\N{NO-BREAK SPACE}"
"""A blank at which a line is not broken."""
_RESET = "\x1b[0m"
_GAP = "   "
"""Between two entries of a key."""

Painted = tuple[str, Paint | None]
"""Some characters and the paint behind them, None for the terminal's own."""
Piece = Painted | tuple[str, Paint | None, Paint]
"""The same, or with an ink that is not the one that reads best on the paint."""


def write_pieces(pieces: Iterable[Piece], *, colour: bool) -> str:
    """Write a line without blanks at its end; escape codes paint it if `colour` is true."""
    if not colour:
        return "".join(piece[0] for piece in pieces).rstrip()
    written = ""
    for (paint, *ink), group in groupby(pieces, key=lambda piece: piece[1:]):
        text = "".join(piece[0] for piece in group)
        if paint is None:
            written += text
        else:
            written += f"\x1b[48;2;{_codes(paint)}m\x1b[38;2;{_codes(ink[0] if ink else ink_on(paint))}m{text}{_RESET}"
    return written.rstrip()


def plain(text: str) -> str:
    """Replace what a terminal should not be given: control characters and halves of characters."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def wrap(text: str, width: int = WIDTH, *, indent: str = "") -> list[str]:
    """Break a text into lines, but not at ties or hyphens; all lines but the first are indented."""
    lines = textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
    return [plain(line.replace(TIE, " ")) for line in lines]


def wrap_key(entries: Iterable[str]) -> str:
    """Write what the signs of a drawing mean, each entry on one line; one too long for that goes on, indented."""
    lines: list[str] = []
    has_room = False
    for entry in entries:
        if len(entry) > WIDTH:
            lines += wrap(entry, indent="  ")
            has_room = False
            continue
        for text in wrap(entry.replace(" ", TIE)):
            if has_room and len(lines[-1]) + len(_GAP) + len(text) <= WIDTH:
                lines[-1] += _GAP + text
            else:
                lines.append(text)
            has_room = True
    return "\n".join(lines)


def _codes(paint: Paint) -> str:
    return ";".join(map(str, paint))
