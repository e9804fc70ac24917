"""Patterns of paths, as in `exclude` and `mappings`, and the files that they stand for.

`*` and `?` stand for signs within a name and `**` for any number of folders. A pattern without a slash is about names,
wherever they are; a pattern that fits a folder stands for everything below it.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence


def matches(path: str | os.PathLike[str], pattern: str) -> bool:
    """Tell whether a pattern stands for a file. A pattern with a slash is relative to the current folder."""
    name = os.path.abspath(path).replace(os.sep, "/")
    if "/" not in pattern.rstrip("/"):
        return any(_expression(pattern.rstrip("/")).fullmatch(part) for part in name.split("/"))
    whole = os.path.abspath(pattern).replace(os.sep, "/")
    return _expression(whole).fullmatch(name) is not None


def matches_any(path: str | os.PathLike[str], patterns: Sequence[str]) -> bool:
    """Tell whether some pattern stands for a file."""
    return any(matches(path, pattern) for pattern in patterns)


@functools.lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    parts = []
    for part in re.split(r"(\*\*/|/\*\*$|\*|\?|\[[^\]/]+\])", pattern):
        if part == "**/":
            parts.append("(?:[^/]+/)*")
        elif part == "/**":
            parts.append("/.+")
        elif part == "*":
            parts.append("[^/]*")
        elif part == "?":
            parts.append("[^/]")
        elif part.startswith("[") and part.endswith("]"):
            inner = part[1:-1].replace("\\", "\\\\")
            parts.append(f"[^{inner[1:]}]" if inner.startswith("!") else f"[{inner}]")
        else:
            parts.append(re.escape(part))
    return re.compile("".join(parts) + "(?:/.*)?", re.DOTALL)
