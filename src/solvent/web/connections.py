"""How one connection behaves: who does not come out with their request is not waited for."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from solvent.web.settings import Settings


class Connection(H11Protocol):
    """Close a connection on which nothing is being answered and nothing new was asked for a while.

    The server itself only ends connections that stay silent between two requests; one that sends a letter now and then,
    or what is left of a body that was refused, would be kept for ever.
    """

    seconds_for_headers: float
    """How long it may be open without a request that can be answered; in fact up to twice as long."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._seen: RequestResponseCycle | None = None
        """The request that was last answered when we looked before."""
        self._looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        super().connection_made(transport)
        self._looking = self.loop.call_later(self.seconds_for_headers, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        asked: RequestResponseCycle | None = self.cycle
        if (asked is None or asked.response_complete) and (asked is None or asked is self._seen):
            self.transport.abort()
            return
        self._seen = asked
        self._looking = self.loop.call_later(self.seconds_for_headers, self._look)


def make_connection_class(settings: Settings) -> type[Connection]:
    """Return what a server makes for each connection."""
    return type("Connection", (Connection,), {"seconds_for_headers": settings.header_seconds})
