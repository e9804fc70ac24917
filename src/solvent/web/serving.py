"""Start the server, and tell where it is."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable

import uvicorn

from solvent.core.errors import BadOption
from solvent.web.application import make_application
from solvent.web.connections import make_connection_class
from solvent.web.settings import Settings, bare_host
from solvent.web.worker_queue import Lanes

MAX_CONNECTIONS = 1_000
SECONDS_TO_SAY_GOODBYE = 1
"""How long open connections may take to end when the server is stopped."""


def open_port(settings: Settings) -> socket.socket:
    """Take the port, or raise BadOption saying why it cannot be had."""
    host = bare_host(settings.host)
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
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
    if host in ("", "0.0.0.0", "::"):
        host = socket.gethostname()
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={settings.token}" if settings.token else "")


def serve(settings: Settings, listening: socket.socket, *, ready: Callable[[], None] | None = None) -> None:
    """Answer requests until Ctrl-C; `ready` is called once the first can be answered."""
    lanes = Lanes(settings)
    config = uvicorn.Config(
        make_application(settings, lanes),
        http=make_connection_class(settings),
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=SECONDS_TO_SAY_GOODBYE,
        lifespan="on",
    )
    server = _Server(config, lanes, ready)
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """Say when it is ready, and leave without delay."""

    def __init__(self, config: uvicorn.Config, lanes: Lanes, ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._lanes = lanes
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then say so."""
        await super().startup(sockets=sockets)
        if self._ready is not None and not self.should_exit:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all work first, so that every request gets a reply and no connection has to be waited for."""
        self._lanes.close()
        await super().shutdown(sockets=sockets)
