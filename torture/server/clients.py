"""Clients that are slow, that hang up, and that send what nobody should."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gzip
import json
from collections.abc import Callable
from random import Random
from typing import Any

from solvent.registry import all_domains
from solvent.web.verbs import VERBS
from torture.server.crowds import long_question, small_request
from torture.server.visit import Sent, Visit, post, request

SLOW = 24
"""Slow clients at once."""
NAMES = [verb.name for verb in VERBS]
ODD: list[Any] = [
    *(None, True, -1, 0, 10**30, 1e308, 1.5, "", "x", "\0", "\ud7ff", "9" * 3000, "é" * 300, "../../etc/passwd"),
    *([], {}, [[]], {"a": {}}, ["x"] * 500, {"text": "x"}, "<svg onload=alert(1)>", "%s%n{0}", [None] * 50),
]


async def send_hostile_requests(visit: Visit, dice: Random) -> None:
    """Send many requests that are wrong in many ways, some at the same time."""
    at_once = asyncio.Semaphore(dice.randint(1, 24))

    async def one(sent: Sent) -> None:
        async with at_once:
            await visit.send(sent)

    await asyncio.gather(*(one(hostile_request(dice)) for _ in range(200)))


def hostile_request(dice: Random) -> Sent:
    """Return a request that is wrong in one way or another."""
    return dice.choice(_WAYS)(dice)


def _valid_body(dice: Random) -> dict[str, Any]:
    domain = dice.choice(list(all_domains()))
    text = min((example.text for example in domain.examples()), key=len)
    return {"text": text, "domain": domain.name}


def _broken_json(dice: Random) -> Sent:
    whole = json.dumps(_valid_body(dice)).encode()
    broken = dice.choice(
        [
            whole[: dice.randrange(len(whole))],
            whole + dice.choice([b"}", b"x", b"\0", b" []"]),
            dice.randbytes(dice.randint(0, 400)),
            b"\xef\xbb\xbf" + whole,
            whole.decode().encode("utf-16"),
            b'{"text": NaN}',
            b'{"text": "\\ud800"}',
            b'{"text": "a", "text": 5}',
            b"{" + b'"a":1,' * 5000 + b'"b":1}',
            b'{"text": ' + b"9" * 10_000 + b"}",
        ]
    )
    return Sent([request("POST", f"/api/{dice.choice(NAMES)}", broken)], group="broken JSON")


def _deep_json(dice: Random) -> Sent:
    depth = dice.choice([100, 2_000, 100_000])
    opening = dice.choice([b"[", b'{"text":', b'{"certificate":{"a":', b'{"text":"x","options":{"a":'])
    return Sent([request("POST", f"/api/{dice.choice(NAMES)}", opening * depth)], group="deep JSON")


def _deep_certificate(dice: Random) -> Sent:
    depth = dice.choice([50, 500, 900])
    body = {**_valid_body(dice), "certificate": "HERE"}
    nested = json.dumps(body).replace('"HERE"', '{"a":' * depth + "1" + "}" * depth).encode()
    return Sent([request("POST", f"/api/{dice.choice(['check', 'draw'])}", nested)], group="deep JSON")


def _huge(dice: Random) -> Sent:
    """Send more than is allowed, or announce it; the server need not wait for all of it before it hangs up."""
    if dice.random() < 0.5:
        head = request("POST", "/api/load", b"", content_length=dice.choice(["9999999", "9" * 19, "1" * 400]))
        return Sent([head], group="huge body", whole=False)
    body = json.dumps({"text": "A" * dice.choice([900_000, 1_200_000, 3_000_000])}).encode()
    return Sent([request("POST", "/api/load", body)], group="huge body", whole=len(body) < 1_000_000)


def _wrong_types(dice: Random) -> Sent:
    fields = ["text", "domain", "rules", "name", "seconds", "nodes", "options", "question", "proof", "certificate"]
    fields += ["path", "count", "seed", "move", "highlights", "view", "format", "ending", "stats", "action", "other"]
    body = _valid_body(dice)
    for field in dice.sample(fields, dice.randint(1, 3)):
        body[field] = dice.choice(ODD)
    if dice.random() < 0.1:
        return Sent([post(dice.choice(NAMES), dice.choice(ODD))], group="wrong types")
    return Sent([post(dice.choice(NAMES), {**body, "nodes": body.get("nodes", 50)})], group="wrong types")


def _wrong_content(dice: Random) -> Sent:
    body = json.dumps(_valid_body(dice)).encode()
    kinds = [
        "text/plain",
        "application/xml",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-7",
        "",
        "é",
    ]
    kind = dice.choice(kinds)
    return Sent([request("POST", f"/api/{dice.choice(NAMES)}", body, content_type=kind)], group="wrong content type")


def _bomb(dice: Random) -> Sent:
    encoding = dice.choice(["gzip", "br", "deflate", "gzip, gzip"])
    return Sent([request("POST", "/api/load", _packed_bomb(), content_encoding=encoding)], group="compressed bomb")


@functools.cache
def _packed_bomb() -> bytes:
    return gzip.compress(b"[" * 20_000_000, 1, mtime=0)


def _truncated(dice: Random) -> Sent:
    body = json.dumps(_valid_body(dice)).encode()
    sent = post(dice.choice(NAMES), _valid_body(dice))
    cut = sent[: dice.randrange(len(sent))]
    more = request("POST", "/api/load", body, content_length=str(len(body) + dice.randint(1, 10_000)))
    return Sent([dice.choice([cut, more])], group="truncated", whole=False)


def _odd_method(dice: Random) -> Sent:
    method = dice.choice(["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "HEAD", "FOO", "CONNECT", "get"])
    return Sent([request(method, dice.choice(["/", "/api/ask", "/api/about", "/static/app.js"]))], group="odd method")


def _odd_path(dice: Random) -> Sent:
    path = dice.choice(
        [
            *("//", "/..%2f..%2fetc/passwd", "/static/../../../../etc/passwd", "/static/%2e%2e/%2e%2e/settings.py"),
            *("/%00", "/static/%00", "/api/examples/%ff/x", "/api/pictures/a/b.svg", "/api/files/x", "/api/runs/x/y"),
            *("/api/files?start=x", "/api/files?count=-1&count=2", "/api/runs?text=%F0%9F", "/domains/dungeon/../x"),
            *("/api/" + "a" * 5000, "/?" + "a=b&" * 3000, "/<script>alert(1)</script>", "/static/app.js/", "*", "x"),
        ]
    )
    return Sent([request("GET", path)], group="odd path")


def _odd_headers(dice: Random) -> Sent:
    body = json.dumps(_valid_body(dice)).encode()
    headers: dict[str, str] = dice.choice(
        [
            {"host": "evil.example"},
            {"host": "127.0.0.1:99999"},
            {"host": "[::1"},
            {"host": ""},
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"sec_fetch_site": "cross-site"},
            {"cookie": "solvent_token=" + "x" * 3000},
            {"authorization": "Bearer " + "\x7f" * 30},
            {"accept": "text/event-stream" * 50},
            {"accept": "text/event-stream"},
            {"range": "bytes=0-1,5-"},
            {"range": "bytes=x"},
            {"if_none_match": '"' * 900},
            {"if_modified_since": "yesterday"},
            {"upgrade": "websocket", "connection": "upgrade", "sec_websocket_key": "x", "sec_websocket_version": "13"},
            {"expect": "100-continue"},
            {"transfer_encoding": "chunked"},
            {"transfer_encoding": "gzip, chunked"},
            {"x_many": "y" * 70_000},
            {f"x_{number}": "y" for number in range(300)},
        ]
    )
    # What is not HTTP at all is answered as far as the line goes; some of these leave a body that is never complete.
    whole = not {"transfer_encoding", "expect", "connection"} & headers.keys()
    if dice.random() < 0.5:
        return Sent([request("POST", "/api/load", body, **headers)], group="odd headers", whole=whole)
    return Sent(
        [request("GET", dice.choice(["/", "/static/app.js"]), None, **headers)], group="odd headers", whole=whole
    )


def _no_http(dice: Random) -> Sent:
    data = dice.choice([b"\x16\x03\x01\x02\x00", b"\r\n\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"])
    return Sent([data + dice.randbytes(dice.randint(0, 60))], group="no HTTP", whole=False)


_WAYS: list[Callable[[Random], Sent]] = [
    *(_broken_json, _deep_json, _deep_certificate, _huge, _wrong_types, _wrong_types, _wrong_types, _wrong_content),
    *(_bomb, _truncated, _odd_method, _odd_path, _odd_headers, _odd_headers, _no_http),
]


async def send_slowly(visit: Visit, dice: Random) -> None:
    """Send headers and bodies letter by letter; all are sent away, and others are served meanwhile."""

    def slow(number: int) -> Sent:
        whole = post("load", {**_valid_body(dice), "name": "x" * 190})
        head, _, body = whole.partition(b"\r\n\r\n")
        if number % 2:
            pieces = [bytes([letter]) for letter in whole]
            return Sent(pieces, pause=0.3, group="slow headers", whole=False)
        pieces = [head + b"\r\n\r\n", *(bytes([letter]) for letter in body)]
        return Sent(pieces, pause=0.3, group="slow body", whole=False)

    async def others() -> None:
        for _ in range(10):
            sent = small_request(dice)
            reply = await visit.send(sent)
            if reply.status != 200:
                visit.fault("lost", f"{sent.group}: not served beside slow clients: {reply.status}")

    replies = await asyncio.gather(*(visit.send(slow(number)) for number in range(SLOW)), others())
    for reply in replies[:-1]:
        if reply is not None and reply.status not in (None, 408):
            visit.fault("wrong", f"a slow client was answered with {reply.status}")


async def hang_up(visit: Visit, dice: Random) -> None:
    """Ask long questions and leave before the answer: at once, after some events, or in the middle of one."""

    async def one(after: float, events: bool) -> None:
        reader, writer = await visit.connect()
        accept = "text/event-stream" if events else "*/*"
        verb = dice.choice(["ask", "ask", "hints", "explain"])
        writer.write(post(verb, long_question(), accept=accept))
        visit.count("event stream dropped" if events else "question dropped")
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(after):
                while await reader.read(dice.choice([1, 100, 5000])):
                    pass
        if dice.random() < 0.3:
            writer.transport.abort()
        writer.close()

    await asyncio.gather(*(one(dice.uniform(0.0, 1.5), dice.random() < 0.6) for _ in range(30)))
    domain = dice.choice(list(all_domains()))
    example = domain.examples()[0]
    question = Sent([post("ask", {"text": example.text, "domain": domain.name})], group="question after dropped ones")
    for _ in range(60):  # work that was dropped is stopped, which takes a moment
        reply = await visit.send(question)
        if reply.status != 503:
            break
        await asyncio.sleep(0.5)
    if reply.status != 200:
        visit.fault("lost", f"after dropped questions the next one got {reply.status}")
