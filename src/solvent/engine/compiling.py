"""Who wants to know when kernels are being compiled. Light: nothing here imports numba."""

from __future__ import annotations

from solvent.core.events import Event, Kind, Listener

_listeners: list[Listener] = []


class tell_when_compiling:
    """While inside, send the listener an event for each kernel that is compiled rather than loaded from the cache."""

    __slots__ = ("_listen",)

    def __init__(self, listen: Listener) -> None:
        self._listen = listen

    def __enter__(self) -> None:
        _listeners.append(self._listen)

    def __exit__(self, *_error: object) -> None:
        _listeners.remove(self._listen)


def announce(kernel_name: str) -> None:
    """Tell everyone who asked that a kernel is being compiled now."""
    event = Event(Kind.COMPILING, f"compiling {kernel_name} (first run only)")
    for listen in list(_listeners):
        listen(event)
