"""Long work: progress as server-sent events, then the result; all is stopped when the client leaves.

The stream is a reply to a POST, read by the page as it comes. Cancelling is hanging up: there is no list of jobs to
keep, and a page that is closed, or a machine that goes to sleep, leaves nothing running behind.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from starlette.responses import StreamingResponse
from starlette.types import Receive

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


class EventStream(StreamingResponse):
    """Reply with events as they come, then the result; the work is stopped when the client leaves."""

    def __init__(self, work: Work, log: Callable[[BaseException], None]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(_events(work, log), headers=headers, media_type="text/event-stream")


async def _events(work: Work, log: Callable[[BaseException], None]) -> AsyncIterator[bytes]:
    news: asyncio.Queue[tuple[str, bytes] | None] = asyncio.Queue()

    async def finish() -> None:
        try:
            news.put_nowait(("result", await work(news.put_nowait)))
        except Exception as error:
            refusal = refusal_for(error)
            if refusal.failure.kind == "bug":
                log(error)
            news.put_nowait(("failure", msgspec.json.encode(schemas.Failed(error=refusal.failure))))
        finally:
            news.put_nowait(None)

    working = asyncio.ensure_future(finish())
    try:
        while True:
            try:
                event = await asyncio.wait_for(news.get(), SECONDS_OF_SILENCE)
            except TimeoutError:
                yield b": still at it\n\n"
                continue
            if event is None:
                return
            name, data = event  # JSON on one line, so one data field holds it
            yield b"event: " + name.encode("ascii") + b"\ndata: " + data + b"\n\n"
    finally:
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working
