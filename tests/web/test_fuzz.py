"""Whatever is sent, there is a reply as described, and the server goes on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.errors import BadOption
from solvent.reading import format_problem, parse_problem
from solvent.registry import all_domains, domain_names, get_domain
from web.calling import Reply, call, inside, post, serving_with

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
TEXTS = [domain.examples()[0].text for domain in all_domains()]


@pytest.fixture(scope="module")
def impatient() -> Iterator[str]:
    """A server whose questions get little time, so that there is time for many of them."""
    with serving_with(jobs=2, quick_jobs=2, seconds=0.2, most_seconds=0.2, body_bytes=4 << 20) as (server, address):
        post(address, "ask", {"text": TEXTS[0]})  # waits until all kernels are loaded
        yield address
        assert server.poll() is None, "the server has ended"


schema = schemathesis.openapi.from_dict(inside("GET", "/api/openapi.json").json())


@schema.parametrize()
@settings(max_examples=up_to(10, deep=30), suppress_health_check=list(HealthCheck))
def test_every_reply_is_as_described(impatient: str, case: schemathesis.Case) -> None:
    body = case.body
    if isinstance(body, dict) and isinstance(body.get("text"), str) and len(body["text"]) % 2:
        body["text"] = TEXTS[len(body["text"]) // 2 % len(TEXTS)]  # text at random is no instance of anything
        if body.get("domain") is not None:
            body["domain"] = None
    if isinstance(body, dict) and isinstance(body.get("domain"), str) and "text" not in body:
        body["domain"] = domain_names()[len(body["domain"]) % len(domain_names())]
    response = case.call(base_url=impatient)
    if response.status_code != 503:
        case.validate_response(response, checks=CHECKS)


def texts_of(domain: str) -> list[str]:
    """Return the examples of a domain in every format that can hold them."""
    texts = []
    for example in get_domain(domain).examples():
        problem = parse_problem(example.text, domain=domain)
        texts.append(example.text)
        for format in get_domain(domain).formats:
            try:
                texts.append(format_problem(problem, format))
            except BadOption:
                continue
    small = sorted(set(texts), key=lambda text: (len(text), text))
    return small[:: max(1, len(small) // 12)]


ODD = [
    "\0",
    "\ud7ff",
    "￾",
    "9" * 30,
    "-1",
    "1e400",
    "NaN",
    "null",
    "{",
    "]",
    '"',
    "<",
    "&",
    "\n\n",
    "\t",
    "\u2028",
    "é",
]
BOMB = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;">]>'


def mutate(text: str, chance: random.Random) -> str:
    """Change a text a little: letters, lines, numbers, or halves."""
    kind = chance.randrange(7)
    at, to = sorted((chance.randrange(len(text) + 1), chance.randrange(len(text) + 1)))
    if kind == 0:
        return text[:at] + chance.choice(ODD) + text[at:]
    if kind == 1:
        return text[:at] + text[min(to, at + 20) :]
    if kind == 2:
        return text[:at] + chr(chance.randrange(32, 127)) + text[at + 1 :]
    if kind == 3:
        return text[:at]
    if kind == 4:
        return text[:at] + text[at:to] * 2 + text[to:]
    if kind == 5:
        lines = text.splitlines(keepends=True)
        chance.shuffle(lines)
        return "".join(lines)
    digits = [index for index, sign in enumerate(text) if sign.isdigit()]
    if not digits:
        return text[::-1]
    at = chance.choice(digits)
    return text[:at] + chance.choice(["0", "999999", "1000000000", "-5", "1.5", "", "x"]) + text[at + 1 :]


def is_polite(reply: Reply) -> bool:
    return reply.status in (200, 400, 422, 503) and b'"bug"' not in reply.data


@pytest.mark.parametrize("domain", domain_names())
@pytest.mark.parametrize("mutations", [8, *slow([25])])
def test_spoilt_uploads_are_read_or_refused(impatient: str, domain: str, mutations: int) -> None:
    """Change each text so many times; seeded, so that what failed once fails again."""
    chance = random.Random(f"spoil {domain}")
    for text in texts_of(domain):
        for _ in range(mutations):
            spoilt = text
            for _ in range(chance.randrange(1, 4)):
                spoilt = mutate(spoilt, chance)
            named = {"domain": domain} if chance.random() < 0.5 else {}
            loaded = post(impatient, "load", {"text": spoilt, **named})
            assert is_polite(loaded), (spoilt, loaded.data)
            if loaded.status != 200:
                continue
            for verb in chance.sample(("ask", "hints", "draw", "format", "explain"), 2):
                reply = post(impatient, verb, {"text": spoilt, **named})
                assert is_polite(reply), (verb, spoilt, reply.data)


def bombs() -> Iterator[str]:
    yield f'{BOMB}<map version="1.0" width="2" height="2"><layer><data>&d;</data></layer></map>'
    yield f'<?xml version="1.0"?>{BOMB}<set><tiles><tile name="&d;"/></tiles></set>'
    yield f'{BOMB}<graphml><graph><node id="&d;"/></graph></graphml>'
    yield '<!DOCTYPE a SYSTEM "file:///etc/passwd"><map/>'
    yield '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><map>&b;</map>'
    yield "[" * 100_000
    yield '{"a":' * 100_000
    yield "PK\x03\x04" + "A" * 1000
    yield "9" * 100_000
    yield "ROWS 999999\nCOLS 999999\n"
    yield "ROWS 1000000000\nCOLS 1000000000\nCOLORS 9\n"
    yield '{"width": 999999, "height": 999999}'
    yield '{"a": NaN, "b": Infinity, "c": -Infinity, "d": 1e400}'
    yield '{"a": "\\ud800", "\\udfff": 1}'
    yield "\ufeff" * 1000
    yield "\n" * 1_000_000
    yield "A" * 3_000_000
    yield ("A" * 1000 + "\n") * 1000
    yield "https://puzz.link/p?starbattle/" + "9" * 1000
    yield "https://puzz.link/p?x/999999/999999/1/000"
    yield "999999 999999\n"


@pytest.mark.parametrize("bomb", list(bombs()), ids=lambda text: text[:30])
def test_bombs_do_not_go_off(impatient: str, bomb: str) -> None:
    for domain in (None, *domain_names()):
        reply = post(impatient, "load", {"text": bomb, "domain": domain})
        assert is_polite(reply), (domain, reply.data[:500])
    assert call(impatient, "GET", "/api/about").status == 200


@pytest.mark.parametrize("domain", domain_names())
def test_odd_drawings_are_refused(impatient: str, domain: str) -> None:
    text = get_domain(domain).examples()[0].text
    odd = [None, 1, -1, 1e300, "x", [], {}, [[]], [{"a": 1}], "R1C1", [1, 2], {"cells": 5}, 10**30, True, "\n"]
    keys = [
        "cells",
        "highlights",
        "causes",
        "removals",
        "path",
        "nodes",
        "candidates",
        "marks",
        "regions",
        "lines",
        "heat",
    ]
    for key in keys:
        for value in odd:
            reply = post(impatient, "draw", {"text": text, "highlights": {key: value}})
            assert is_polite(reply), (key, value, reply.data[:500])
    for move in ("", "x", "R1C1", "(0,0) (0,1)", "1,1-1,2", "9" * 500, "\0", "up", "A1 B2"):
        reply = post(impatient, "draw", {"text": text, "move": move})
        assert is_polite(reply), (move, reply.data[:500])


@pytest.mark.parametrize("domain", domain_names())
def test_odd_certificates_are_not_accepted(impatient: str, domain: str) -> None:
    text = get_domain(domain).examples()[0].text
    good = post(impatient, "ask", {"text": text}).json["certificate"]
    chance = random.Random(f"certificates of {domain}")
    values: list[Any] = [None, True, -1, 10**30, 1.5, "", "x", [], {}, [[[]]], {"a": {}}, ["x"] * 50, "9" * 500]
    for key in good or {}:
        for value in values:
            spoilt = {**good, key: value}
            for verb, more in (("check", {}), ("draw", {}), ("export", {"ending": "none"})):
                reply = post(impatient, verb, {"text": text, "certificate": spoilt, **more})
                assert is_polite(reply), (verb, key, value, reply.data[:500])
                if verb == "check" and value != good[key]:
                    assert not reply.json["accepted"] or key not in ("question", "verdict", "form"), (key, value)
            if chance.random() < 0.5:
                break
