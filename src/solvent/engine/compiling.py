"""Who wants to know when kernels are being compiled. Light: nothing here imports numba."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from solvent.core.events import Event, Kind, Listener

_listeners: list[Listener] = []


@contextmanager
def tell_when_compiling(listen: Listener) -> Iterator[None]:
    """While inside, send the listener an event for each kernel that is compiled rather than loaded from the cache."""
    _listeners.append(listen)
    try:
        yield
    finally:
        _listeners.remove(listen)


def announce(kernel_name: str) -> None:
    """Tell everyone who asked that a kernel is being compiled now."""
    event = Event(Kind.COMPILING, f"compiling {kernel_name} (first run only)")
    for listen in list(_listeners):
        listen(event)
