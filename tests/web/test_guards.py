"""Who may ask, and what browsers are told."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import httpx
import pytest

from solvent.web.guards import COOKIE, HEADERS, Guard
from solvent.web.settings import Settings
from web.calling import InlineQueues, an_example, inside, run_alone

TOKEN = "correct-horse"
OWN = "http://127.0.0.1:8000"


def post(**more: Any) -> httpx.Response:
    return inside("POST", "/api/load", json={"text": an_example()[2]}, **more)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:8000", "localhost", "localhost:1234", "[::1]:8000", "127.9.9.9"]
)
def test_a_local_server_goes_by_local_names(host: str) -> None:
    assert inside("GET", "/api/about", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"),
        *("0.0.0.0", "", "[::1", "[", "127.0.0.1@evil.example", "2130706433", "localhost:8000.evil.example"),
    ],
)
def test_no_other_name_is_pointed_at_it(host: str) -> None:
    for path in ("/", "/api/about", "/static/app.js", "/nowhere"):
        reply = inside("GET", path, headers={"host": host})
        assert reply.status_code == 403
        assert reply.json()["error"]["kind"] == "forbidden"


def test_a_server_for_others_goes_by_any_name() -> None:
    for host in ("box.lan:8000", "192.168.1.5", "[::1", "bad host"):
        settings = Settings(host="0.0.0.0", token=TOKEN)
        headers = {"host": host, "authorization": f"Bearer {TOKEN}"}
        assert inside("GET", "/api/about", settings=settings, headers=headers).status_code == 200
        assert inside("GET", "/nowhere", settings=settings, headers=headers).status_code == 404


@pytest.mark.parametrize(
    "origin",
    [
        *("http://evil.example", "https://127.0.0.1:8000.evil.example", "null", "", "file://", "http://127.0.0.1:8001"),
        *(
            "http://localhost:8000",
            "http://[",
            "127.0.0.1:8000",
            "chrome-extension://127.0.0.1:8000",
            "http://127.0.0.1",
        ),
    ],
)
def test_other_pages_cannot_have_anything_done(origin: str) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        reply = inside(method, "/api/load", headers={"origin": origin}, json={})
        assert reply.status_code == 403
        assert "access-control-allow-origin" not in reply.headers


def test_the_own_page_and_programs_can() -> None:
    assert post(headers={"origin": OWN}).status_code == 200
    assert post(headers={"origin": OWN, "sec-fetch-site": "same-origin"}).status_code == 200
    assert post().status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_what_a_browser_says_of_the_site_counts_too(site: str) -> None:
    assert post(headers={"sec-fetch-site": site}).status_code == 403
    assert post(headers={"sec-fetch-site": site, "origin": OWN}).status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/api/about", "/api/examples", "/static/app.js", "/api/openapi.json", "/nowhere"]
)
def test_nothing_is_answered_without_the_token(path: str) -> None:
    settings = Settings(token=TOKEN)
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": TOKEN},
        {"authorization": "Bearer"},
        {"authorization": f"Bearer {TOKEN}x"},
        {"cookie": f"{COOKIE}=wrong"},
        {"cookie": f"other={TOKEN}"},
        {"authorization": b"Bearer \xff\xfe"},
    ):
        reply = inside("GET", path, settings=settings, headers=headers)
        assert reply.status_code == 401
        assert reply.headers["www-authenticate"] == "Bearer"
        assert TOKEN not in reply.text
    assert inside("GET", f"{path}?token=wrong", settings=settings).status_code == 401


def test_the_token_opens_by_header_and_by_cookie() -> None:
    settings = Settings(token=TOKEN)
    for headers in (
        {"authorization": f"Bearer {TOKEN}"},
        {"authorization": f"bearer  {TOKEN}"},
        {"cookie": f"{COOKIE}={TOKEN}"},
        {"cookie": f'odd={{"a": [1, "b"]}}; {COOKIE}={TOKEN}; more=@;'},
    ):
        assert inside("GET", "/api/about", settings=settings, headers=headers).status_code == 200


def test_the_link_leaves_a_cookie_and_hides_the_token() -> None:
    reply = inside("GET", f"/?token={TOKEN}&view=1", settings=Settings(token=TOKEN))
    assert reply.status_code == 303
    assert reply.headers["location"] == "/?view=1"
    cookie = reply.headers["set-cookie"].lower()
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


@pytest.mark.parametrize(
    "path", ["//evil.example", "///evil.example/a", "/\\evil.example", "/%2Fevil.example", "/%5Cevil.example"]
)
def test_the_link_leads_nowhere_else(path: str) -> None:
    reply = inside("GET", f"{OWN}{path}?token={TOKEN}", settings=Settings(token=TOKEN))
    location = httpx.URL(OWN).join(reply.headers["location"])
    assert location.host == "127.0.0.1"
    for sign in "\r\n\t":
        odd = inside("GET", f"/{quote(sign)}/evil.example?token={TOKEN}", settings=Settings(token=TOKEN))
        assert httpx.URL(OWN).join(odd.headers["location"]).host == "127.0.0.1"
        assert sign not in odd.headers["location"]


def test_the_token_in_a_link_is_not_for_posting() -> None:
    reply = inside("POST", f"/api/load?token={TOKEN}", settings=Settings(token=TOKEN), json={})
    assert reply.status_code == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("GET", path) for path in ("/", "/api/about", "/static/app.js", "/static/style.css", "/static/none.js")),
        *(("GET", path) for path in ("/nowhere", "/api/openapi.json", "/api/examples/none/none", "/api/load")),
        *(("POST", "/"), ("POST", "/api/load"), ("OPTIONS", "/api/load"), ("HEAD", "/"), ("TRACE", "/static/app.js")),
    ],
)
def test_every_reply_tells_browsers_what_is_allowed(method: str, path: str) -> None:
    reply = inside(method, path)
    for name, value in HEADERS.items():
        assert reply.headers[name] == value
    assert "server" not in reply.headers


def test_refusals_of_the_guard_have_the_headers_too() -> None:
    for reply in (
        inside("GET", "/", headers={"host": "evil.example"}),
        inside("GET", "/", settings=Settings(token=TOKEN)),
    ):
        assert reply.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_the_policy_lets_only_own_things_in() -> None:
    policy = HEADERS["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy


def test_a_picture_by_itself_runs_nothing() -> None:
    domain, name, _ = an_example()
    reply = inside("GET", f"/api/pictures/{domain}/{name}.svg")
    assert reply.headers["content-type"].startswith("image/svg+xml")
    policy = reply.headers["content-security-policy"]
    assert "sandbox" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy


def test_there_is_nothing_but_requests() -> None:
    said: list[Any] = []

    async def hear(message: Any) -> None:
        said.append(message)

    async def never(*_: Any) -> None:
        raise AssertionError("let through")

    run_alone(Guard(never, Settings())({"type": "websocket", "headers": []}, never, hear))
    assert [message["type"] for message in said] == ["websocket.close"]


def test_a_bug_is_said_without_its_insides(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    queues = InlineQueues()

    async def fail(*_: Any, **__: Any) -> None:
        raise KeyError("secret insides")

    monkeypatch.setattr(queues.quick, "run", fail)
    reply = post(queues=queues)
    assert reply.status_code == 500
    assert reply.json()["error"]["kind"] == "bug"
    assert "secret" not in reply.text
    assert "secret insides" in caplog.text
