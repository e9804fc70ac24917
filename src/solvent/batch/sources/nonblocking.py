"""Sources that come slowly, such as lines of a program that still makes them: take what is there, wait for none."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator

from solvent.batch.records import Source

SOURCES_AHEAD = 200
SECONDS_TO_WAIT = 0.05

Found = Source | BaseException | None
"""A source, what went wrong with finding the next one, or None where there are no more."""


def without_waiting(sources: Iterable[Source]) -> Iterator[Source | None]:
    """Yield the sources as they come, and None whenever the next one is not there yet.

    They are drawn by a thread that runs just so far ahead, and ends when the caller stops.
    """
    ready: queue.Queue[Found] = queue.Queue(SOURCES_AHEAD)
    left = threading.Event()
    thread = threading.Thread(target=_draw, args=(sources, ready, left), name="solvent-sources", daemon=True)
    thread.start()
    try:
        while True:
            try:
                found = ready.get(timeout=SECONDS_TO_WAIT)
            except queue.Empty:
                yield None
                continue
            if found is None:
                return
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        left.set()


def _draw(sources: Iterable[Source], ready: queue.Queue[Found], left: threading.Event) -> None:
    try:
        for source in sources:
            if not _put(source, ready, left):
                return
    except BaseException as error:  # raised again where the sources are taken
        _put(error, ready, left)
    else:
        _put(None, ready, left)


def _put(found: Found, ready: queue.Queue[Found], left: threading.Event) -> bool:
    """Put something where it is taken from; False once the caller has stopped."""
    while not left.is_set():
        try:
            ready.put(found, timeout=SECONDS_TO_WAIT)
        except queue.Full:
            continue
        return True
    return False
