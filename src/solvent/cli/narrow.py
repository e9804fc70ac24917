"""The overview for narrow terminals, where two columns have no room side by side."""

from __future__ import annotations

import re
import textwrap

_TWO_COLUMNS = re.compile(r"(\s*\S.*?)\s{2,}(\S.*)")

MAX_INDENT = 2
"""Blanks that are kept at the beginning of a line which is too long."""


def narrow(text: str, width: int) -> str:
    """Wrap each line of a text; of a line in columns that does not fit, they stand one below the other."""
    lines: list[str] = []
    for line in text.splitlines():
        if len(line) <= width:
            lines.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())][:MAX_INDENT]
        parts = _TWO_COLUMNS.fullmatch(line)
        if parts is None:
            lines += textwrap.wrap(line.strip(), width, initial_indent=indent, subsequent_indent=indent + "  ")
            continue
        lines += textwrap.wrap(parts[1].strip(), width, initial_indent=indent, subsequent_indent=indent + "  ")
        for part in re.split(r"\s{2,}", parts[2]):
            lines += textwrap.wrap(part, width, initial_indent=indent + "    ", subsequent_indent=indent + "    ")
    return "\n".join(lines) + "\n"
