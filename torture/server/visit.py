"""Talk to a server as programs do that follow no rules, and judge every reply."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from solvent.registry import all_domains
from solvent.web.schemas import STATUS
from torture.campaign import Tally

PATIENCE = 120.0
"""Seconds until a reply counts as missing; no measurement."""
DOCUMENTED = {200, 206, 304, *STATUS.values()} - {500, 499}
"""What a reply may be: what the API describes, and for files also what a browser has already or reads in parts.

500 is a bug, and 499 is for clients that have gone.
"""


@dataclass(frozen=True)
class Reply:
    """Hold what came back."""

    status: int | None
    """None if the connection ended without a reply."""
    headers: dict[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        """Return the data as JSON."""
        return json.loads(self.data)


@dataclass(frozen=True)
class Sent:
    """Hold what to send, piece by piece."""

    pieces: Sequence[bytes]
    pause: float = 0.0
    """Seconds between two pieces."""
    group: str = "request"
    """Under what it is counted."""
    whole: bool = True
    """Whether it is all there, so that a reply is due."""


def request(method: str, path: str, body: bytes | None = None, **headers: str) -> bytes:
    """Return a request as it goes over the line; underscores in names of headers are dashes."""
    named = {"host": "127.0.0.1", "connection": "close"}
    if body is not None:
        named |= {"content-type": "application/json", "content-length": str(len(body))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode("utf-8", "surrogatepass") + (body or b"")


def post(verb: str, body: object, **headers: str) -> bytes:
    """Return a request with a verb of the API."""
    return request("POST", f"/api/{verb}", json.dumps(body).encode(), **headers)


class Visit:
    """Make requests to one server, and keep what is wrong with its replies."""

    def __init__(self, address: str, tally: Tally) -> None:
        where = urlsplit(address)
        self.address = address
        self.host, self.port = where.hostname or "127.0.0.1", where.port or 80
        self.tally = tally
        self.requests = 0
        self._faults: list[tuple[str, str]] = []

    def fault(self, kind: str, what: str) -> None:
        """Keep what went wrong."""
        self._faults.append((kind, what))

    def take_faults(self) -> list[tuple[str, str]]:
        """Return what went wrong since this was last asked."""
        found, self._faults = self._faults, []
        return found

    def count(self, group: str, number: int = 1) -> None:
        """Count requests."""
        self.requests += number
        self.tally.count(group, number)

    async def connect(self, source: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection, perhaps from another address of this machine."""
        async with asyncio.timeout(PATIENCE):
            return await asyncio.open_connection(self.host, self.port, local_addr=(source, 0))

    async def send(self, sent: Sent, *, source: str = "127.0.0.1") -> Reply:
        """Send a request on a connection of its own, read the reply to its end and judge it."""
        self.count(sent.group)
        try:
            reader, writer = await self.connect(source)
        except OSError as error:
            self.fault("lost", f"{sent.group}: no connection: {error}")
            return Reply(None, {}, b"")
        try:
            async with asyncio.timeout(PATIENCE):
                reply = await self.exchange(reader, writer, sent)
        finally:
            writer.close()
        self.judge(sent, reply)
        return reply

    async def exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: Sent) -> Reply:
        """Send a request on a connection and read the reply to its end; a server may reply before all is sent."""
        reading = asyncio.ensure_future(read_reply(reader))
        try:
            for piece in sent.pieces:
                writer.write(piece)
                await writer.drain()
                if sent.pause:
                    await asyncio.wait({reading}, timeout=sent.pause)
                if reading.done():
                    break
            else:
                if not sent.whole:
                    writer.write_eof()
        except OSError:  # it has sent us away before we were done; it may have said why
            pass
        return await reading

    def judge(self, sent: Sent, reply: Reply) -> None:
        """Keep what is wrong with a reply."""
        shown = f"{sent.group}: {b''.join(sent.pieces)[:300]!r}"
        if reply.status is None:
            if sent.whole:
                self.fault("lost", f"no reply to {shown}")
        elif reply.status == 500 or b'"kind":"bug"' in reply.data:
            self.fault("crashed", f"status {reply.status} {reply.data[:300]!r} for {shown}")
        elif reply.status not in DOCUMENTED:
            self.fault("wrong", f"status {reply.status} {reply.data[:300]!r} for {shown}")

    async def get_ready(self) -> None:
        """Wait until every domain was answered once: all that is loaded late is loaded then."""
        for domain in all_domains():
            text = domain.examples()[0].text
            for verb in ("load", "ask", "draw"):
                await self.send(Sent([post(verb, {"text": text, "domain": domain.name})], group="warm-up"))

    async def require_calm(self) -> None:
        """Make sure that the server answers as if nothing had happened."""
        reply = await self.send(Sent([request("GET", "/api/about")], group="afterwards"))
        if reply.status != 200:
            self.fault("crashed", f"afterwards the server says {reply.status}")


async def read_reply(reader: asyncio.StreamReader) -> Reply:
    """Read a reply until the connection ends."""
    data = b""
    try:
        while piece := await reader.read(1 << 16):
            data += piece
    except OSError:
        pass
    while data.startswith(b"HTTP/1.1 1"):  # "go on"
        data = data.partition(b"\r\n\r\n")[2]
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split()
    if len(words) < 2 or not words[1].isdecimal():
        return Reply(None, {}, data)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Reply(int(words[1]), headers, body)
