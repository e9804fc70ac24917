"""Read the body of a request: no more than allowed, and no longer than allowed."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from solvent.web.failures import Refusal
from solvent.web.settings import Settings

LONGEST_NUMBER = 18
"""Digits; what is longer is too large in any case, and Python does not read thousands of them."""

Wanted = TypeVar("Wanted", bound=msgspec.Struct)


async def read_body(request: Request, kind: type[Wanted], settings: Settings) -> Wanted:
    """Return the body as an object of this kind, or raise Refusal saying what is wrong with it."""
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said != "application/json":
        raise Refusal("request", f"expected the content type application/json, found {said or 'none'!r}")
    data = await _collect(request, settings)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise Refusal("request", f"the request is not as described: {error}") from None
    except RecursionError:
        raise Refusal("request", "the request is nested too deeply to be read") from None
    except UnicodeDecodeError:
        raise Refusal("request", "expected text in UTF-8") from None


async def _collect(request: Request, settings: Settings) -> bytes:
    most = settings.body_bytes
    too_large = Refusal("too_large", f"expected at most {most >> 20} MB, found more")
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and (len(announced) > LONGEST_NUMBER or int(announced) > most):
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for piece in request.stream():
                body += piece
                if len(body) > most:
                    raise too_large
    except TimeoutError:
        raise Refusal(
            "too_slow", f"the request did not arrive within {settings.body_seconds:g} s; please send it again"
        ) from None
    except ClientDisconnect:
        raise Refusal("stopped", "the request was never finished") from None
    return bytes(body)
