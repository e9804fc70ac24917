"""The body of a request: what it may be, how large, how slow and how nested."""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from solvent.web.request_body import LARGEST_AT_ONCE
from solvent.web.settings import Settings
from web.calling import PATIENCE, an_example, call, inside, post, serving_with


def send(data: bytes, *, settings: Settings | None = None, **headers: str) -> httpx.Response:
    named = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return inside("POST", "/api/load", settings=settings, content=data, headers=named)


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b"[]", b"null", b"nonsense", b'{"text": 1}', b'{"text": null}', b"{}", b"\x00", b"\xff\xfe"),
        *(b'{"text": "a", "more": 1}', b'{"text": "a", "text_": 1}', b'{"text": "\xff"}', b'{"text": "\\ud800"}'),
        *(b'{"text": NaN}', b'{"text": "a"} {"text": "b"}', b"\xef\xbb\xbf{}", b'{"text": "a", "rules": {"a": []}}'),
    ],
)
def test_what_is_not_as_described_is_refused(data: bytes) -> None:
    reply = send(data)
    assert reply.status_code == 400
    assert reply.json()["error"]["kind"] == "request"
    assert reply.json()["error"]["message"]


@pytest.mark.parametrize(
    "said", [b'{"text": "a", "seconds": %s}' % number for number in (b"-1", b"NaN", b"1e999", b'"5"', b"true")]
)
def test_budgets_are_numbers(said: bytes) -> None:
    headers = {"content-type": "application/json"}
    assert inside("POST", "/api/ask", content=said, headers=headers).status_code == 400


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "json"]
)
def test_only_json_is_read(kind: str) -> None:
    """Forms of other pages can send the other kinds without being asked first."""
    reply = send(b'{"text": "a"}', content_type=kind)
    assert reply.status_code == 400
    assert "application/json" in reply.json()["error"]["message"]


def test_the_kind_may_be_said_with_more() -> None:
    data = json.dumps({"text": an_example()[2]}).encode()
    assert send(data, content_type="Application/JSON; charset=utf-8").status_code == 200


@pytest.mark.parametrize("depth", [500, 5_000, 200_000])
@pytest.mark.parametrize("pair", [("[", "]"), ('{"a":', "}")])
def test_deep_nesting_is_refused_or_read(depth: int, pair: tuple[str, str]) -> None:
    nested = pair[0] * depth + "1" + pair[1] * depth
    body = f'{{"text": {json.dumps(an_example()[2])}, "certificate": {{"a": {nested}}}}}'
    reply = inside("POST", "/api/check", content=body.encode(), headers={"content-type": "application/json"})
    assert reply.status_code in (200, 400, 422)


def test_what_is_too_large_is_refused_whether_announced_or_not() -> None:
    settings = Settings(body_bytes=1 << 20)
    data = b'{"text": "' + b"a" * (1 << 20) + b'"}'
    assert send(data, settings=settings).status_code == 413

    async def in_pieces() -> Any:
        for at in range(0, len(data), 10_000):
            yield data[at : at + 10_000]

    reply = inside(
        "POST", "/api/load", settings=settings, content=in_pieces(), headers={"content-type": "application/json"}
    )
    assert reply.status_code == 413
    assert reply.json()["error"] == {
        **reply.json()["error"],
        "kind": "too_large",
        "message": "expected at most 1 MB, found more",
    }
    assert send(b'{"text": "a"}', settings=settings).status_code != 413


def test_an_impossible_length_is_no_crash() -> None:
    assert send(b"{}", content_length="9" * 6_000).status_code == 413


class Line:
    """A connection on which one says what one likes."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        self.host = where.netloc
        self.socket = socket.create_connection((where.hostname, where.port), timeout=PATIENCE)

    def say(self, text: str | bytes) -> None:
        self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def hear(self) -> bytes:
        """Return everything until the server hangs up."""
        heard = b""
        while piece := self._piece():
            heard += piece
        return heard

    def _piece(self) -> bytes:
        try:
            return self.socket.recv(65_536)
        except ConnectionError:
            return b""


@pytest.fixture
def line(workbench: str) -> Iterator[Line]:
    line = Line(workbench)
    with line.socket:
        yield line


def test_an_announced_giant_is_refused_before_it_comes(line: Line, workbench: str) -> None:
    line.say(
        f"POST /api/load HTTP/1.1\r\nhost: {line.host}\r\ncontent-type: application/json\r\n"
        f"content-length: {10**12}\r\n\r\n"
    )
    heard = line.hear()
    assert heard.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in heard.lower()


def test_a_giant_in_pieces_is_refused_on_the_way(line: Line) -> None:
    line.say(
        f"POST /api/load HTTP/1.1\r\nhost: {line.host}\r\ncontent-type: application/json\r\n"
        "transfer-encoding: chunked\r\n\r\n"
    )
    piece = b"10000\r\n" + b"x" * 65_536 + b"\r\n"
    try:
        for _ in range(2_000):
            line.say(piece)
    except OSError:
        pass  # it hung up, which is what we want
    else:
        pytest.fail("it took 130 MB")


@pytest.mark.parametrize(
    "said",
    [
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/9.9\r\nhost: {host}\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: {host}\r\nhost: evil.example\r\n\r\n",
        "GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        "POST /api/load HTTP/1.1\r\nhost: {host}\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        "POST /api/load HTTP/1.1\r\nhost: {host}\r\ncontent-length: minus one\r\n\r\n",
        "POST /api/load HTTP/1.1\r\nhost: {host}\r\ncontent-length: " + "9" * 6_000 + "\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: {host}\r\nlong: " + "x" * 100_000 + "\r\n\r\n",
        "GET /" + "x" * 100_000 + " HTTP/1.1\r\nhost: {host}\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        "sec-websocket-key: x\r\nsec-websocket-version: 13\r\nconnection: close\r\n\r\n",
    ],
)
def test_malformed_requests_leave_the_server_as_it_was(line: Line, workbench: str, said: str) -> None:
    line.say(said.replace("{host}", line.host))
    line.socket.shutdown(socket.SHUT_WR)
    heard = line.hear()
    assert not heard or heard.split()[1] in (b"200", b"400", b"403", b"404", b"413")
    assert call(workbench, "GET", "/api/about").status == 200


def test_half_a_body_is_nobodys_work(line: Line, workbench: str) -> None:
    line.say(
        f"POST /api/load HTTP/1.1\r\nhost: {line.host}\r\ncontent-type: application/json\r\n"
        "content-length: 100\r\n\r\n{"
    )
    line.socket.close()
    assert post(workbench, "load", {"text": an_example()[2]}).status == 200


def test_slow_bodies_headers_and_silence_are_not_waited_for() -> None:
    with serving_with(body_seconds=0.3, header_seconds=0.2) as (_, address):
        slow, late, silent = Line(address), Line(address), Line(address)
        slow.say(
            f"POST /api/load HTTP/1.1\r\nhost: {slow.host}\r\ncontent-type: application/json\r\n"
            "content-length: 100\r\n\r\n{"
        )
        assert slow.hear().startswith(b"HTTP/1.1 408 ")
        late.say(f"GET / HTTP/1.1\r\nhost: {late.host}\r\n")
        assert late.hear() == b""
        assert silent.hear() == b""

        refused = Line(address)  # it is told no at once, and may not go on sending for ever
        refused.say("POST /api/load HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 1000000\r\n\r\n")
        assert refused.hear().startswith(b"HTTP/1.1 403 ")

        kept = Line(address)  # a second request on a line is as slow as the first may be
        kept.say(f"GET /api/about HTTP/1.1\r\nhost: {kept.host}\r\n\r\nGET / HT")
        assert kept.hear().count(b"HTTP/1.1 ") == 1


def test_many_large_bodies_at_once_do_not_fill_the_memory() -> None:
    with serving_with(body_bytes=1 << 20) as (_, address):
        piece = b"x" * ((1 << 20) - 10)
        lines = [Line(address) for _ in range(LARGEST_AT_ONCE + 8)]
        for line in lines:  # all but the last letters of each
            line.say(
                f"POST /api/load HTTP/1.1\r\nhost: {line.host}\r\ncontent-type: application/json\r\n"
                f"content-length: {1 << 20}\r\n\r\n".encode()
                + piece
            )
        told, _, _ = select.select([line.socket for line in lines], [], [], PATIENCE)
        assert told
        assert all(b" 503 " in each.recv(1000) for each in told)
        for line in lines:
            line.socket.close()
        assert post(address, "load", {"text": an_example()[2]}).status == 200


def test_work_may_take_longer_than_headers() -> None:
    with serving_with(header_seconds=0.1, body_seconds=0.1) as (_, address):
        domain = an_example()[0]
        assert post(address, "ask", {"text": an_example()[2], "domain": domain}).status == 200  # imports and compiles
