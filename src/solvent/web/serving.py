"""Start the server: take the port, answer requests, drop connections that only wait or are too many."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from solvent.core.errors import BadOption
from solvent.web.application import make_application
from solvent.web.connection_shares import ConnectionShares
from solvent.web.settings import Settings, bare_host
from solvent.web.worker_queue import WorkerQueues

FILES_BESIDE_CONNECTIONS = 100
"""How many files a server has open beside its connections: workers, stores, what a page consists of."""
SECONDS_TO_SAY_GOODBYE = 1
"""How long open connections may take to end when the server is stopped."""


def open_port(settings: Settings) -> socket.socket:
    """Take the port, or raise BadOption saying why it cannot be had."""
    host = bare_host(settings.host)
    # Named as TCP, or each connection would keep back the end of a reply until its beginning is acknowledged, up to
    # 40 ms: asyncio turns that off (TCP_NODELAY) only where the protocol is given.
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, settings.port))
        listening.listen(512)
    except (OSError, OverflowError, ValueError, TypeError) as error:  # how Python says that a name is no host name
        listening.close()
        why = getattr(error, "strerror", None) or error
        advice = "; --port 0 takes a free one" if getattr(error, "errno", None) == errno.EADDRINUSE else ""
        raise BadOption(f"cannot listen on {settings.host} port {settings.port}: {why}{advice}") from None
    return listening


def address_of(settings: Settings, listening: socket.socket) -> str:
    """Return the address to open in a browser, with the token in it if there is one."""
    port = listening.getsockname()[1]
    host = bare_host(settings.host)
    if host in ("", "0.0.0.0", "::"):  # noqa: S104  # nothing listens there unless the user says so
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={settings.token}" if settings.token else "")


def serve(settings: Settings, listening: socket.socket, *, ready: Callable[[], None] | None = None) -> None:
    """Answer requests until Ctrl-C; `ready` is called once the first can be answered."""
    queues = WorkerQueues(settings)
    config = uvicorn.Config(
        make_application(settings, queues),
        http=make_connection_class(settings),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=_most_connections(settings) + 1,
        timeout_graceful_shutdown=SECONDS_TO_SAY_GOODBYE,
        lifespan="on",
    )
    server = _Server(config, queues, ready)
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Say when it is ready, and leave without delay."""

    def __init__(self, config: uvicorn.Config, queues: WorkerQueues, ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._queues = queues
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then say so."""
        await super().startup(sockets=sockets)
        if self._ready is not None and not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all work first, so that every request gets a reply and no connection has to be waited for."""
        self._queues.close()
        await super().shutdown(sockets=sockets)


class Connection(H11Protocol):
    """Close a connection on which nothing is being answered and nothing new was asked for a while.

    The server itself only ends connections that stay silent between two requests; one that sends a letter now and then,
    or what is left of a body that was refused, would be kept for ever.
    """

    seconds_for_headers: float
    """How long it may be open without a request that can be answered; in fact up to twice as long."""
    shares: ConnectionShares
    """All connections of the server."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._seen: RequestResponseCycle | None = None
        """The request that was last answered when we looked before."""
        self._looking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        super().connection_made(transport)
        self.peer = self.client[0] if self.client is not None else ""
        self._looking = self.loop.call_later(self.seconds_for_headers, self._look)
        self.shares.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self.shares.release(self)
        if self._looking is not None:
            self._looking.cancel()
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Return whether nothing is being answered on it."""
        return self.cycle is None or bool(self.cycle.response_complete)

    def drop(self) -> None:
        """Close it at once."""
        self.transport.abort()

    def _look(self) -> None:
        asked: RequestResponseCycle | None = self.cycle
        if self.is_idle and (asked is None or asked is self._seen):
            self.drop()
            return
        self._seen = asked
        self._looking = self.loop.call_later(self.seconds_for_headers, self._look)


def make_connection_class(settings: Settings) -> type[Connection]:
    """Return what a server makes for each connection."""
    shares = ConnectionShares(_most_connections(settings))
    return type("Connection", (Connection,), {"seconds_for_headers": settings.header_seconds, "shares": shares})


def _most_connections(settings: Settings) -> int:
    """Return how many connections may be open: no more than the system has files for."""
    try:
        import resource
    except ImportError:  # there is no such limit on Windows
        return settings.connections
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return settings.connections
    return max(1, min(settings.connections, allowed - FILES_BESIDE_CONNECTIONS))
