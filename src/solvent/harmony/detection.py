"""Tell whether a text is a Harmony board. Imports almost nothing: it looks at every file."""

from __future__ import annotations

import re


def sniff(text: str) -> bool:
    """Tell whether the text has the headings of a Harmony file: ROWS, COLS, and BOARD or TILES."""
    return all(
        re.search(rf"(?:^|\r)[ \t\ufeff]*(?:{heading})(?![^\s#])", text, re.IGNORECASE | re.MULTILINE)
        for heading in ("ROWS", "COLS", "BOARD|TILES")
    )
