"""Lines of a text with their numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line and its number, from 1, whatever system its line ends come from.

    A huge text is not split to its end for those who look at its first lines only.
    """
    start, number = (1 if text.startswith("\ufeff") else 0), 1
    for found in re.finditer(r"\r\n|\r|\n", text):
        yield number, text[start : found.start()]
        start = found.end()
        number += 1
    yield number, text[start:]
