"""Talk to a server as a program does that follows no rules: any host, any path, any header, half a request."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec

from helpers.browser import end_with_us
from helpers.processes import PATIENCE
from solvent.registry import all_domains
from solvent.web.application import make_application
from solvent.web.settings import Settings

JSON = {"content-type": "application/json"}
EVENTS = {**JSON, "accept": "text/event-stream"}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    """By name in small letters."""
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def error(self) -> Any:
        return self.json["error"]


def call(address: str, method: str, path: str, body: object = None, **headers: str) -> Reply:
    """Make one request; a body that is no bytes goes as JSON. Underscores in names of headers are dashes."""
    where = urlsplit(address)
    sent = body if isinstance(body, bytes) or body is None else msgspec.json.encode(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    if sent is not None:
        named.setdefault("content-type", "application/json")
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host="host" in named, skip_accept_encoding=True)
        for name, value in named.items():
            connection.putheader(name, value)
        if sent is not None and "content-length" not in named:
            connection.putheader("content-length", str(len(sent)))
        connection.endheaders()
        if sent is not None:
            connection.send(sent)
        reply = connection.getresponse()
        return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
    finally:
        connection.close()


def start_with(env: Mapping[str, str] | None = None, **settings: Any) -> tuple[subprocess.Popen[str], str]:
    """Start a server with settings that the command has no options for; return its process and address."""
    code = (
        "from solvent.web import serving; from solvent.web.settings import Settings; "
        f"settings = Settings(port=0, **{settings!r}); port = serving.open_port(settings); "
        "serving.serve(settings, port, ready=lambda: print(serving.address_of(settings, port), flush=True))"
    )
    command = [sys.executable, "-c", code]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, preexec_fn=end_with_us)
    assert server.stdout is not None
    return server, server.stdout.readline().strip()


@contextlib.contextmanager
def serving_with(env: Mapping[str, str] | None = None, **settings: Any) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The same, and end it."""
    server, address = start_with(env, **settings)
    try:
        assert address, "it did not start"
        yield server, address
    finally:
        server.kill()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


def post(address: str, verb: str, body: object, **headers: str) -> Reply:
    return call(address, "POST", f"/api/{verb}", body, **headers)


def ask_in_full(address: str, verb: str, body: object) -> Any:
    """Return what a verb gives, which must not be a refusal."""
    reply = post(address, verb, body)
    assert reply.status == 200, f"{verb}: {reply.data[:500]!r}"
    return reply.json


def hold(address: str, verb: str, body: object, *, source: str | None = None, **headers: str) -> socket.socket:
    """Send a whole request, perhaps from another address of this machine; return the socket without reading a reply."""
    where = urlsplit(address)
    data = msgspec.json.encode(body)
    named = {"host": where.netloc, "content-length": str(len(data)), **JSON, **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    came_from = None if source is None else (source, 0)
    line = socket.create_connection((where.hostname, where.port), timeout=PATIENCE, source_address=came_from)
    line.sendall(f"POST /api/{verb} HTTP/1.1\r\n{lines}\r\n".encode() + data)
    return line


def read_events(address: str, verb: str, body: object) -> Iterator[tuple[str, Any]]:
    """Yield the name and the data of each event; closing the generator hangs up."""
    timeout = httpx.Timeout(PATIENCE)
    with httpx.stream("POST", f"{address}api/{verb}", json=body, headers=EVENTS, timeout=timeout) as reply:
        assert reply.status_code == 200, reply.read()
        assert reply.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in reply.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))


def run_alone(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread of its own: the browser's fixture has a loop running in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class InlineQueue:
    """A queue without workers: everything is done at once, in this process."""

    is_ready = True

    def is_busy(self, client: str = "") -> bool:
        return False

    is_full = is_busy

    async def run(
        self, function: Callable[..., Any], *arguments: Any, seconds: float, hear: Any = None, client: str = ""
    ) -> Any:
        return function(*arguments)

    def close(self) -> None:
        pass


class InlineQueues(InlineQueue):
    def __init__(self) -> None:
        self.quick = self.long = self.reading = InlineQueue()


def inside(
    method: str, path: str, *, settings: Settings | None = None, queues: Any = None, **more: Any
) -> httpx.Response:
    """Make one request to an application in this process."""
    inline: Any = queues or InlineQueues()
    app = make_application(settings or Settings(), inline)

    async def make() -> httpx.Response:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            return await client.request(method, path, **more)

    reply: httpx.Response = run_alone(make())
    return reply


def an_example() -> tuple[str, str, str]:
    """Return the domain, name and text of some bundled instance."""
    domain = next(iter(all_domains()))
    example = domain.examples()[0]
    return domain.name, example.name, example.text
