"""Read the bodies of requests: no more than allowed, and no longer than allowed."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from solvent.web.errors import Busy, Refusal
from solvent.web.fair_turns import client_of
from solvent.web.settings import Settings

LONGEST_NUMBER = 18
"""Digits; what is longer is too large in any case, and Python does not read thousands of them."""
LARGEST_AT_ONCE = 32
"""So many of the largest bodies may be on their way at the same time; the next is asked to come back later."""
SHARE_OF_ONE_CLIENT = 0.5
"""How much of that one client may take up, however slowly it sends."""

Wanted = TypeVar("Wanted", bound=msgspec.Struct)


class BodyReader:
    """Read bodies for one server, which together must not fill its memory."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._held: Counter[str] = Counter()
        """Bytes of bodies that are on their way, by client."""

    async def read(self, request: Request, kind: type[Wanted]) -> Wanted:
        """Return a body as an object of this kind, or raise Refusal saying what is wrong with it."""
        given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if given != "application/json":
            raise Refusal("request", f"expected the content type application/json, found {given or 'none'!r}")
        data = await self._collect(request)
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise Refusal("request", f"the request is not as described: {error}") from None
        except RecursionError:
            raise Refusal("request", "the request is nested too deeply to be read") from None
        except UnicodeDecodeError:
            raise Refusal("request", "expected text in UTF-8") from None

    async def _collect(self, request: Request) -> bytes:
        most, seconds = self._settings.body_bytes, self._settings.body_seconds
        too_large = Refusal("too_large", f"expected at most {most >> 20} MB, found more")
        announced = request.headers.get("content-length", "")
        if announced.isdecimal() and (len(announced) > LONGEST_NUMBER or int(announced) > most):
            raise too_large
        body = bytearray()
        client, room = client_of(request), LARGEST_AT_ONCE * most
        try:
            async with asyncio.timeout(seconds):
                async for piece in request.stream():
                    body += piece
                    self._held[client] += len(piece)
                    if len(body) > most:
                        raise too_large
                    if self._held[client] > SHARE_OF_ONE_CLIENT * room or self._held.total() > room:
                        raise Busy
        except TimeoutError:
            raise Refusal(
                "too_slow", f"the request did not arrive within {seconds:g} s; please send it again"
            ) from None
        except ClientDisconnect:
            raise Refusal("stopped", "the request was never finished") from None
        finally:
            self._held[client] -= len(body)
            if not self._held[client]:
                del self._held[client]
        return bytes(body)
