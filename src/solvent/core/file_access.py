"""Files beside a file: which of them may be opened while an instance is read.

Some formats spread over several files, and one names the next. Whoever reads what others wrote, to show it to yet
others, has to make sure that such a name leads nowhere else; readers ask here before they look.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path

_written: ContextVar[Path | None] = ContextVar("solvent_written", default=None)
_places: ContextVar[tuple[Path, ...] | None] = ContextVar("solvent_places", default=None)


@contextlib.contextmanager
def confined(places: Iterable[Path]) -> Iterator[None]:
    """Let nothing be opened meanwhile but these files, and what is in these folders."""
    token = _places.set(tuple(place.resolve() for place in places))
    try:
        yield
    finally:
        _places.reset(token)


def may_open(path: Path) -> bool:
    """Tell whether a file that another one names may be looked at; links are followed first."""
    places = _places.get()
    if places is None:
        return True
    try:
        real = path.resolve()
    except (OSError, RuntimeError, ValueError):  # a link in a circle, a zero byte
        return False
    return any(real.is_relative_to(place) for place in places)


@contextlib.contextmanager
def writing_into(folder: Path | None) -> Iterator[None]:
    """Let what is written meanwhile know the folder it goes to, so that it can name files beside it."""
    token = _written.set(folder)
    try:
        yield
    finally:
        _written.reset(token)


def output_folder() -> Path | None:
    """Return the folder that something is being written to; None if it is not known."""
    return _written.get()
