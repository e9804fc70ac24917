"""Keep instances as they were parsed until they are asked about, so that a worker parses each but once.

What is asked about is the text that the store keeps, in the domain's first format. So only an instance that was read
from that very text is kept; any other is parsed again from there. A worker that did not read it parses it too.
"""

from __future__ import annotations

from typing import Any

MAX_TEXT = 4 << 20
"""How many characters the texts may have together whose instances are kept; the oldest go first."""

_kept: dict[str, tuple[Any, int]] = {}
"""By hash of the instance: what was parsed, and the length of its text."""
_length = 0


def keep(hash: str, problem: Any, text: str) -> None:
    """Keep an instance that was read from a text, which is how its domain writes it; others are not kept."""
    global _length
    source = getattr(problem, "source", None)
    if source is None or source.mapping is not None or source.text != text or hash in _kept:
        return
    _kept[hash] = problem, len(text)
    _length += len(text)
    while _length > MAX_TEXT:
        take(next(iter(_kept)))


def take(hash: str) -> Any | None:
    """Return the instance with a hash, and keep it no longer; None if it is not kept."""
    global _length
    problem, length = _kept.pop(hash, (None, 0))
    _length -= length
    return problem
