"""The formats of Harmony boards: how each is recognised, and where it is read and written.

This module imports almost nothing, since it looks at the files of every domain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from solvent.formats.table import Format, FormatTable

if TYPE_CHECKING:
    from solvent.harmony.model import Board


_OPENING_LENGTH = 1 << 20
"""How many letters of a text are looked at to find its format; the largest board takes a twentieth of that."""


def sniff_board(text: str) -> bool:
    """Tell whether the text has the headings ROWS, COLS and BOARD."""
    return _has_headings(text, "ROWS", "COLS", "BOARD")


def sniff_tiles(text: str) -> bool:
    """Tell whether the text has the headings ROWS, COLS and TILES."""
    return _has_headings(text, "ROWS", "COLS", "TILES")


def _has_headings(text: str, *words: str) -> bool:
    return all(
        re.search(rf"(?:^|\r)[ \t\ufeff]*{word}(?![^\s#])", text, re.IGNORECASE | re.MULTILINE) for word in words
    )


FORMATS: FormatTable[Board] = FormatTable(
    "solvent.harmony",
    (
        Format(
            "board",
            "one line per colour: where its tiles stand and their moves",
            sniff_board,
            parse="notation:parse_board",
            format="notation:format_board",
        ),
        Format(
            "tiles",
            "colours by number, targets, then one line per tile",
            sniff_tiles,
            parse="notation:parse_board",
            format="notation:format_tiles",
        ),
    ),
    otherwise="board",
    opening=lambda text: text[:_OPENING_LENGTH],
    keeps_source=True,
)
