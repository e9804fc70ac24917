"""What a search tells while it runs. The library never prints; the listener decides what to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple


class Kind(Enum):
    """Tell what an event is about."""

    STAGE = "stage"
    """A new part of the work begins."""
    PROGRESS = "progress"
    """The same part goes on."""
    WATCH = "watch"
    """Something of the search itself to look at; sent only where `Request.watch` asks for it."""


class Event(NamedTuple):
    """Hold one piece of news."""

    kind: Kind
    message: str
    """A few plain words, for people."""
    nodes: int = 0
    """Work done so far in this part."""
    data: Mapping[str, Any] | None = None
    """With WATCH: what to show, as JSON values, for the domain's own page."""


Listener = Callable[[Event], None]
"""Called with each event, possibly from a worker thread; must be quick and must not raise."""


def ignore(event: Event) -> None:
    """Listen to nothing."""
