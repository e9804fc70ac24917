"""From requests to replies: what each address does. Instances are never touched here; workers do that."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solvent.registry import get_domain
from solvent.version import __version__
from solvent.web import schemas, work
from solvent.web.bundled import bundled_examples, find_example, show_domains, show_example
from solvent.web.failures import Busy, Refusal, refusal_for
from solvent.web.guards import refusal_response
from solvent.web.request_body import Bodies
from solvent.web.served_files import Places
from solvent.web.settings import Settings
from solvent.web.streaming import EventStream, Hear, attend
from solvent.web.verbs import BINARY, Verb
from solvent.web.worker_queue import Lane, Lanes

log = logging.getLogger("solvent.web")

Endpoint = Callable[[Request], Awaitable[Any]]

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""For a picture that somebody opens by itself: nothing in it runs."""


class Endpoints:
    """Answer requests for one server."""

    def __init__(self, settings: Settings, lanes: Lanes, places: Places) -> None:
        self._settings = settings
        self._lanes = lanes
        self._bodies = Bodies(settings)
        self._places = places
        self._pictures: dict[tuple[str, str, bool], asyncio.Task[bytes]] = {}
        """What draws a bundled instance, or drew it; no more than there are examples."""

    def of_verb(self, verb: Verb) -> Endpoint:
        """Return what answers requests with a verb."""

        async def answer(request: Request) -> Any:
            wanted = self._within_limits(await self._bodies.read(request, verb.takes))
            wants_events = "text/event-stream" in request.headers.get("accept", "")
            if verb.streams and wants_events:
                if self._lane_of(verb).is_full:  # said with a status, as long as there is one to say
                    raise Busy
                return EventStream(lambda hear: self._perform(verb, wanted, hear), self._log)
            result = await attend(request.receive, self._perform(verb, wanted, None))
            if result is None:
                raise Refusal("stopped", "The work was stopped.")
            return Response(
                result,
                media_type="application/json" if verb.gives is not None else BINARY,
                headers={"cache-control": "no-store"},
            )

        return self.guarded(answer)

    def guarded(self, endpoint: Endpoint) -> Endpoint:
        """Return the same endpoint with its errors as replies."""

        async def answer(request: Request) -> Any:
            try:
                return await endpoint(request)
            except Exception as error:
                refusal = refusal_for(error)
                if refusal.failure.kind == "bug":
                    self._log(error)
                return refusal_response(refusal)

        return answer

    async def about(self, request: Request) -> Response:  # noqa: ARG002
        """Say what this server is and allows."""
        files, runs = await self._places.has()
        return as_json(
            schemas.About(
                version=__version__,
                domains=show_domains(),
                seconds=self._settings.seconds,
                most_seconds=self._settings.most_seconds,
                body_bytes=self._settings.body_bytes,
                files=files,
                runs=runs,
            )
        )

    async def examples(self, request: Request) -> Response:  # noqa: ARG002
        """List the bundled instances."""
        return Response(_list_examples(), media_type="application/json", headers={"cache-control": "no-store"})

    async def example(self, request: Request) -> Response:
        """Return a bundled instance."""
        domain, name = request.path_params["domain"], request.path_params["name"]
        return as_json(show_example(domain, find_example(domain, name), with_text=True))

    async def picture(self, request: Request) -> Response:
        """Draw a bundled instance."""
        domain, name = request.path_params["domain"], request.path_params["name"]
        find_example(domain, name)
        return Response(
            await self._draw_once(domain, name),
            media_type="image/svg+xml",
            headers={"cache-control": "max-age=3600", "content-security-policy": SVG_POLICY},
        )

    async def _draw_once(self, domain: str, name: str) -> bytes:
        """Return the picture of a bundled instance; a page asks for all of them at once, and many pages may."""
        long = self._lanes.long
        page = get_domain(domain).page
        solved = (
            page is not None
            and page.shows_solutions
            and (
                (domain, name, True) in self._pictures
                or (long.is_ready and not long.is_busy)  # no picture waits for people
            )
        )
        key = (domain, name, solved)
        if key not in self._pictures:
            lane, does = (long, work.draw_solved_example) if solved else (self._lanes.quick, work.draw_example)
            self._pictures[key] = asyncio.ensure_future(
                lane.run(does, domain, name, seconds=self._settings.quick_seconds)
            )
        drawing = self._pictures[key]
        try:
            return await asyncio.shield(drawing)
        except Exception:
            if self._pictures.get(key) is drawing:
                del self._pictures[key]  # the next one to ask has it tried again
            raise

    def _lane_of(self, verb: Verb) -> Lane:
        return self._lanes.quick if verb.is_quick else self._lanes.long

    async def _perform(self, verb: Verb, wanted: schemas.Request, hear: Hear | None) -> bytes:
        lane = self._lane_of(verb)
        if verb.is_quick:
            seconds = self._settings.quick_seconds
        else:
            budget = getattr(wanted, "seconds", None)
            seconds = (self._settings.most_seconds if budget is None else budget) + self._settings.seconds_beside
        if hear is not None and (lane.is_busy or not lane.is_ready):
            message = "Waiting for a free worker" if lane.is_ready else "Getting ready"
            hear(("progress", msgspec.json.encode(schemas.Progress(kind="waiting", message=message))))
        result: bytes = await lane.run(verb.does, wanted, seconds=seconds, hear=hear)
        return result

    def _within_limits(self, wanted: schemas.Request) -> schemas.Request:
        """Return a request with no more time than this server allows."""
        if isinstance(wanted, schemas.Ask | schemas.Hints | schemas.Explain | schemas.Generate):
            return msgspec.structs.replace(wanted, seconds=self._settings.allowed_seconds(wanted.seconds))
        return wanted

    def _log(self, error: BaseException) -> None:
        log.error("a request met a bug", exc_info=error)


def as_json(value: Any) -> Response:
    """Return a reply in JSON."""
    return Response(msgspec.json.encode(value), media_type="application/json", headers={"cache-control": "no-store"})


@functools.cache
def _list_examples() -> bytes:
    listed = [show_example(domain, example, with_text=False) for (domain, _), example in bundled_examples().items()]
    return msgspec.json.encode(listed)
