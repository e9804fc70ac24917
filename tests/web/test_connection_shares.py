"""A client with hundreds of connections keeps nobody else from having one."""

from __future__ import annotations

import contextlib
import http.client
import socket
import sys
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from batch.hostile import install
from helpers.processes import PATIENCE, wait_until
from solvent.web.connection_shares import SPARE, ConnectionShares
from web.calling import ask_in_full, hold, serving_with

GREEDY, MODEST = "127.0.0.2", "127.0.0.1"


@dataclass(eq=False)
class Line:
    """A connection that notes when it is dropped."""

    peer: str
    dropped: list[Line]
    is_idle: bool = True

    def drop(self) -> None:
        self.dropped.append(self)


@dataclass
class Server:
    most: int
    dropped: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shares = ConnectionShares(self.most)

    def open(self, peer: str, *, is_idle: bool = True) -> Line:
        line = Line(peer, self.dropped, is_idle)
        self.shares.admit(line)
        return line


def test_the_greediest_makes_room_for_another() -> None:
    server = Server(10)
    greedy = [server.open("10.0.0.1") for _ in range(10)]
    assert server.dropped == []
    for number in range(5):
        server.open("10.0.0.2")
        assert server.dropped == greedy[: -number - 2 : -1], "its latest first"
    server.open("10.0.0.2")
    assert len(server.dropped) == 5, "each has as many"
    server.open("10.0.0.3")
    assert server.dropped[5].peer == "10.0.0.2", "now the other one has the most"


def test_one_on_which_nothing_is_answered_goes_first() -> None:
    server = Server(4)
    busy, idle, latest, _ = (server.open("10.0.0.1", is_idle=number == 1) for number in range(4))
    server.open("10.0.0.2")
    assert server.dropped == [idle]
    server.open("10.0.0.3")
    assert busy not in server.dropped
    assert latest not in server.dropped
    assert len(server.dropped) == 2


def test_a_client_alone_is_told_to_come_back_and_then_closed() -> None:
    server = Server(10)
    lines = [server.open("10.0.0.1") for _ in range(10 + SPARE)]
    assert server.dropped == []
    last = server.open("10.0.0.1")
    assert server.dropped == [last]
    server.open("10.0.0.2")
    assert len(server.dropped) == 1 + SPARE + 1, "all that are too many, so that the other is answered"
    for line in lines:
        server.shares.release(line)
        server.shares.release(line)
    assert list(server.shares._held) == ["10.0.0.2"]
    assert server.shares._total == 1


def test_addresses_of_one_network_are_one_client() -> None:
    server = Server(4)
    for number in range(4):
        server.open(f"2001:db8::{number}")
    server.open("2001:db8:1::1")
    assert [line.peer for line in server.dropped] == ["2001:db8::3"]


def call_from(source: str, address: str, path: str, body: bytes | None = None) -> int:
    """Make one request from an address of this machine; return the status."""
    where = urlsplit(address)
    line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE, source_address=(source, 0))
    with contextlib.closing(line):
        line.request("GET" if body is None else "POST", path, body, {"content-type": "application/json"})
        return line.getresponse().status


def connect_from(source: str, address: str) -> socket.socket:
    where = urlsplit(address)
    return socket.create_connection((where.hostname, where.port), timeout=PATIENCE, source_address=(source, 0))


needs_addresses = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has a whole network of local addresses"
)


@needs_addresses
def test_connections_of_one_client_keep_nobody_out() -> None:
    with serving_with(jobs=1, quick_jobs=1, connections=20) as (_, address):
        with contextlib.ExitStack() as stack:
            lines = [stack.enter_context(connect_from(GREEDY, address)) for _ in range(60)]
            for line in lines:
                with contextlib.suppress(OSError):
                    line.sendall(b"GET /api/about HTTP/1.1\r\nhost: 127.0.0.1\r\n")  # and nothing more
            assert {call_from(MODEST, address, "/api/about") for _ in range(5)} == {200}
        wait_until(lambda: call_from(GREEDY, address, "/api/about") == 200, "who hung up may come back")


@needs_addresses
def test_requests_of_one_client_keep_nobody_waiting(tmp_path: Path) -> None:
    """All workers but one are its, and the queue is full of it; the other is answered before any of these."""
    with serving_with(install(tmp_path), jobs=3, quick_jobs=1, waiting=20) as (_, address):
        ask_in_full(address, "ask", {"text": "HOSTILE yes"})
        with contextlib.ExitStack() as stack:
            wanted = {"text": "HOSTILE soft", "seconds": 60}
            greedy = [stack.enter_context(hold(address, "ask", wanted, source=GREEDY)) for _ in range(200)]
            for line in greedy[22:]:  # two have workers and twenty wait
                assert b" 503 " in line.recv(100)
            for _ in range(3):
                assert call_from(MODEST, address, "/api/ask", b'{"text": "HOSTILE yes"}') == 200
            for line in greedy[:22]:
                line.setblocking(False)
            answered = [line for line in greedy[:22] if _has_reply(line)]
            assert answered == [], "the others were before all of them"


def _has_reply(line: socket.socket) -> bool:
    try:
        return bool(line.recv(1))
    except BlockingIOError:
        return False
