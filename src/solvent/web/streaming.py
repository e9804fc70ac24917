"""Long work: progress as server-sent events, then the result; all is stopped when the client leaves.

The stream is a reply to a POST, read by the page as it comes. Cancelling is hanging up: there is no list of jobs to
keep, and a page that is closed, or a machine that goes to sleep, leaves nothing running behind.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.types import Receive, Scope, Send

from solvent.web import schemas
from solvent.web.errors import Refusal, refusal_for

SECONDS_OF_SILENCE = 10.0
"""After so long without news a comment is sent, so that no proxy takes the connection for dead."""

Hear = Callable[[Any], None]
Work = Callable[[Hear], Awaitable[bytes]]
"""Does the work, calling what it is given with pairs of an event's name and its JSON bytes."""


async def until_left(receive: Receive) -> None:
    """Wait until the client has gone. The request has been read to its end before."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def attend(receive: Receive, work: Awaitable[bytes]) -> bytes:
    """Do some work unless the client leaves; the work is then stopped, and Refusal raised."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(until_left(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refusal("stopped", "The work was stopped.")
        return await working
    finally:
        for task in (working, leaving):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


class EventStream:
    """Reply with events as they come; an ASGI response."""

    def __init__(self, work: Work, log: Callable[[BaseException], None]) -> None:
        self._work = work
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send all events, then the result, unless the client leaves before."""
        news: asyncio.Queue[tuple[str, bytes] | None] = asyncio.Queue()
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream; charset=utf-8"),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                ],
            }
        )
        working = asyncio.ensure_future(self._finish(news))
        leaving = asyncio.ensure_future(until_left(receive))
        leaving.add_done_callback(lambda _: working.cancel())
        try:
            await self._pass_on(news, send)
        except OSError:
            pass  # they left while something was being sent
        finally:
            for task in (working, leaving):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def _finish(self, news: asyncio.Queue[tuple[str, bytes] | None]) -> None:
        try:
            result = await self._work(news.put_nowait)
            news.put_nowait(("result", result))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            refusal = refusal_for(error)
            if refusal.failure.kind == "bug":
                self._log(error)
            news.put_nowait(("failure", msgspec.json.encode(schemas.Failed(error=refusal.failure))))
        finally:
            news.put_nowait(None)

    async def _pass_on(self, news: asyncio.Queue[tuple[str, bytes] | None], send: Send) -> None:
        while True:
            try:
                event = await asyncio.wait_for(news.get(), SECONDS_OF_SILENCE)
            except TimeoutError:
                await send({"type": "http.response.body", "body": b": still at it\n\n", "more_body": True})
                continue
            if event is None:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            name, data = event  # JSON on one line, so one data field holds it
            body = b"event: " + name.encode("ascii") + b"\ndata: " + data + b"\n\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})
