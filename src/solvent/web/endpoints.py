"""From requests to replies: what each route does. Instances are never touched here; workers do that."""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solvent.drawing.dark import to_dark
from solvent.version import __version__
from solvent.web import schemas, work
from solvent.web.errors import Busy, Refusal, refusal_for
from solvent.web.examples import (
    bundled_examples,
    find_example,
    find_template,
    show_domains,
    show_example,
    show_templates,
)
from solvent.web.fair_turns import client_of
from solvent.web.guards import refusal_response
from solvent.web.openapi import Get
from solvent.web.request_body import BodyReader
from solvent.web.served_files import ServedFiles
from solvent.web.settings import Settings
from solvent.web.streaming import EventStream, Hear, attend
from solvent.web.verbs import BINARY, Verb
from solvent.web.worker_queue import WorkerQueue, WorkerQueues

log = logging.getLogger("solvent.web")

Endpoint = Callable[[Request], Awaitable[Any]]
Query = TypeVar("Query", bound=msgspec.Struct)

SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""For a picture that is opened by itself: nothing in it runs."""


QUIET_REFUSALS = "solvent-refusals"
"""A header. Browsers log each status from 400 on as an error; with `quiet` a refusal that people meet every day, such
as a step into a wall, has the status 200, the same object, and the same header."""
EXPECTED_REFUSAL = 422


class Endpoints:
    """Answer requests for one server."""

    def __init__(self, settings: Settings, queues: WorkerQueues, served: ServedFiles) -> None:
        self._settings = settings
        self._queues = queues
        self._body_reader = BodyReader(settings)
        self._served = served
        self._pictures: dict[tuple[str, str, str], asyncio.Task[bytes]] = {}
        """What draws something bundled, or drew it; no more than there are examples and templates."""

    def of_verb(self, verb: Verb) -> Endpoint:
        """Return what answers requests with a verb."""

        async def answer(request: Request) -> Any:
            wanted = self._within_limits(await self._body_reader.read(request, verb.takes))
            client = client_of(request)
            wants_events = "text/event-stream" in request.headers.get("accept", "")
            if verb.streams and wants_events:
                if self._queue_for(verb).is_full(client):  # while a status can still be sent
                    raise Busy
                return EventStream(lambda hear: self._perform(verb, wanted, client, hear), self._log)
            result = await attend(request.receive, self._perform(verb, wanted, client, None))
            return reply_with(result, "application/json" if verb.gives is not None else BINARY)

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
                response = refusal_response(refusal)
                if request.headers.get(QUIET_REFUSALS) == "quiet" and response.status_code == EXPECTED_REFUSAL:
                    response.status_code = 200
                    response.headers[QUIET_REFUSALS] = "quiet"
                return response

        return answer

    def gets(self) -> list[Get]:
        """Return the routes that every server has."""
        return [
            Get("/api/about", "Say what this server is and allows", schemas.About, self.about),
            Get("/api/examples", "List the bundled instances", list[schemas.ExampleShown], self.examples),
            Get("/api/examples/{domain}/{name}", "Return a bundled instance", schemas.ExampleShown, self.example),
            Get("/api/samples/{domain}", "Return a sample of each format", list[schemas.SampleShown], self.samples),
            Get("/api/templates/{domain}", "List what to begin from", list[schemas.TemplateShown], self.templates),
            Get(
                "/api/pictures/{domain}/{name}.svg",
                "Draw a bundled instance",
                None,
                self.picture,
                schemas.PictureWanted,
            ),
            Get(
                "/api/pictures/{domain}/templates/{name}.svg",
                "Draw what to begin from",
                None,
                self.template_picture,
                schemas.PictureWanted,
            ),
        ]

    async def about(self, request: Request) -> Response:  # noqa: ARG002
        """Say what this server is and allows."""
        files, runs = await self._served.has()
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
        return reply_with(_list_examples())

    async def example(self, request: Request) -> Response:
        """Return a bundled instance."""
        domain, name = request.path_params["domain"], request.path_params["name"]
        return as_json(show_example(domain, find_example(domain, name), with_text=True))

    async def templates(self, request: Request) -> Response:
        """List what an instance of a domain can be begun from."""
        return as_json(show_templates(request.path_params["domain"]))

    async def samples(self, request: Request) -> Response:
        """Return bundled instances in every format that can be written."""
        domain, client = request.path_params["domain"], client_of(request)
        run = self._queues.quick.run
        return reply_with(await run(work.samples, domain, seconds=self._settings.quick_seconds, client=client))

    async def picture(self, request: Request) -> Response:
        """Draw a bundled instance."""
        domain, name = request.path_params["domain"], request.path_params["name"]
        wanted = read_query(request, schemas.PictureWanted)
        find_example(domain, name)
        drawn = await self._draw_once(work.draw_example, domain, name)
        return picture_reply(painted(drawn, wanted), max_age=3600)

    async def template_picture(self, request: Request) -> Response:
        """Draw what an instance can be begun from."""
        domain, name = request.path_params["domain"], request.path_params["name"]
        wanted = read_query(request, schemas.PictureWanted)
        find_template(domain, name)
        drawn = await self._draw_once(work.draw_template, domain, name)
        return picture_reply(painted(drawn, wanted), max_age=3600)

    async def _draw_once(self, does: Callable[[str, str], bytes], domain: str, name: str) -> bytes:
        """Return a picture of something bundled; a page asks for all of them at once, and many pages may."""
        key = (does.__name__, domain, name)
        if key not in self._pictures:
            self._pictures[key] = asyncio.ensure_future(
                self._queues.quick.run(does, domain, name, seconds=self._settings.most_seconds)
            )
        drawing = self._pictures[key]
        try:
            return await asyncio.shield(drawing)
        except Exception:
            if self._pictures.get(key) is drawing:
                del self._pictures[key]  # the next one to ask has it tried again
            raise

    def _queue_for(self, verb: Verb) -> WorkerQueue:
        return self._queues.quick if verb.is_quick else self._queues.long

    async def _perform(self, verb: Verb, wanted: schemas.Request, client: str, hear: Hear | None) -> bytes:
        if verb.does is None:
            return await self._take_store(wanted)
        queue = self._queue_for(verb)
        if verb.is_quick:
            seconds = self._settings.quick_seconds
        else:
            budget = getattr(wanted, "seconds", None)
            seconds = (self._settings.most_seconds if budget is None else budget) + self._settings.seconds_beside
        if hear is not None and (queue.is_busy(client) or not queue.is_ready):
            message = "Waiting for a free worker" if queue.is_ready else "Getting ready"
            hear(("progress", msgspec.json.encode(schemas.Progress(kind="waiting", message=message))))
        result: bytes = await queue.run(verb.does, wanted, seconds=seconds, hear=hear, client=client)
        return result

    async def _take_store(self, wanted: Any) -> bytes:
        taken = await asyncio.to_thread(self._served.take_store, wanted.name, wanted.data)
        return msgspec.json.encode(schemas.StoreTaken(id=taken))

    def _within_limits(self, wanted: schemas.Request) -> schemas.Request:
        """Return a request with no more time than this server allows."""
        if isinstance(wanted, schemas.Search | schemas.Generate):
            return msgspec.structs.replace(wanted, seconds=self._settings.allowed_seconds(wanted.seconds))
        return wanted

    def _log(self, error: BaseException) -> None:
        log.error("a request met a bug", exc_info=error)


def reply_with(data: bytes, media_type: str = "application/json") -> Response:
    """Return data as a reply that is not kept."""
    return Response(data, media_type=media_type, headers={"cache-control": "no-store"})


def as_json(value: Any) -> Response:
    """Return a value as a reply in JSON."""
    return reply_with(msgspec.json.encode(value))


def painted(svg: bytes, wanted: schemas.PictureWanted) -> bytes:
    """Return a picture for the ground that it will stand on."""
    return to_dark(svg.decode("utf-8")).encode("utf-8") if wanted.dark else svg


def picture_reply(svg: bytes, *, max_age: int) -> Response:
    """Return a picture, which may be kept for some seconds."""
    headers = {"cache-control": f"max-age={max_age}", "content-security-policy": SVG_POLICY}
    return Response(svg, media_type="image/svg+xml", headers=headers)


@functools.cache
def _list_examples() -> bytes:
    listed = [show_example(domain, example, with_text=False) for (domain, _), example in bundled_examples().items()]
    return msgspec.json.encode(listed)


def read_query(request: Request, kind: type[Query]) -> Query:
    """Return the query of a request as an object of this kind, or raise Refusal saying what is wrong with it."""
    given = request.query_params.multi_items()
    fields = dict(given)
    if len(fields) < len(given):
        raise Refusal("request", "expected each field of the query once, found one twice")
    try:
        return msgspec.convert(fields, kind, strict=False)  # everything in an address is text
    except msgspec.ValidationError as error:
        raise Refusal("request", f"the address is not as described: {error}") from None
