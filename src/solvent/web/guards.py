"""Who may ask, and which headers browsers get: checked for every request before anything else sees it.

- The name in the Host header must be one that this server goes by. Otherwise a page elsewhere could point a name of its
  own at this machine and talk to us as if we were part of it.
- A request that changes or computes something (anything but GET and HEAD) must come from our own page, if it comes from
  a page at all: browsers say so in Origin and Sec-Fetch-Site, and programs send neither.
- With a token, nothing is answered without it.
"""

from __future__ import annotations

import hmac
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solvent.web import schemas
from solvent.web.errors import SECONDS_TO_COME_BACK, Refusal
from solvent.web.settings import Settings, is_loopback

COOKIE = "solvent_token"
QUERY = "token"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What the page may load: its own files, and pictures that it made itself."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """Let a request through to the application, or refuse it; an ASGI middleware."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there is nothing else here
            await send({"type": "websocket.close", "code": 1008})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check_host(headers)
            self._check_origin(scope, headers)
            reply = self._check_token(scope, headers)
        except Refusal as refusal:
            reply = refusal_response(refusal)
        await (reply or self._app)(scope, receive, send_with_headers)

    def _check_host(self, headers: Headers) -> None:
        host = headers.get("host", "")
        name = _host_name(host)
        if not self._settings.is_local:
            return  # a server that is open to others may have any name; it has its token
        if name is None or not is_loopback(name):
            raise Refusal("forbidden", f"this server is only for this machine, not for {host!r}")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        if scope["method"] in ("GET", "HEAD"):
            return
        site = headers.get("sec-fetch-site", "same-origin")
        origin = headers.get("origin")
        if site not in ("same-origin", "none") or (origin is not None and not _is_own(origin, headers)):
            raise Refusal("forbidden", f"requests from the page {origin!r} are not taken, only from our own")

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return a redirection for a link with the token in it; raises Refusal without a token."""
        token = self._settings.token
        if token is None:
            return None
        fields = parse_qsl(scope.get("query_string", b"").decode("latin-1"))
        by_link = [value for name, value in fields if name == QUERY]
        if scope["method"] == "GET" and by_link and _same(by_link[-1], token):
            rest = urlencode([(name, value) for name, value in fields if name != QUERY])
            # One leading slash only: `//somewhere` would be another host.
            path = "/" + scope["path"].lstrip("/\\")
            reply = RedirectResponse(f"{path}?{rest}" if rest else path, status_code=303)
            reply.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
            return reply
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and _same(bearer.strip(), token):
            return None
        if any(_same(cookie, token) for cookie in _cookies(headers)):
            return None
        raise Refusal("token", "this server asks for its token: open the link it printed when it was started")


def refusal_response(refusal: Refusal) -> Response:
    """Return a refusal as a reply."""
    headers = {"cache-control": "no-store"}
    if refusal.status == 503:
        headers["retry-after"] = str(SECONDS_TO_COME_BACK)
        headers["connection"] = "close"  # the body may not have been read
    elif refusal.status == 401:
        headers["www-authenticate"] = "Bearer"
    elif refusal.status in (408, 413):
        headers["connection"] = "close"  # what is left of the body is not waited for
    body = msgspec.json.encode(schemas.Failed(error=refusal.failure))
    return Response(body, status_code=refusal.status, media_type="application/json", headers=headers)


def _host_name(host: str) -> str | None:
    """Return the name in a Host header; None if it is not a name with perhaps a port."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises if it is none
    except ValueError:
        return None
    return parts.hostname if parts.netloc == host and "@" not in host else None


def _is_own(origin: str, headers: Headers) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and parts.netloc == headers.get("host", "")


def _cookies(headers: Headers) -> list[str]:
    """Return what browsers kept for us; other programs on this machine may have left odd cookies beside it."""
    kept = [cookie_parser(line) for line in headers.getlist("cookie")]
    return [cookies[COOKIE] for cookies in kept if COOKIE in cookies]


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode("utf-8"))
