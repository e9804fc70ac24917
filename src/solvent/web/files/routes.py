"""The addresses of the user's own files: list them, open one, draw one small."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response

from solvent.web.endpoints import SVG_POLICY, as_json
from solvent.web.failures import Refusal
from solvent.web.files import schemas as file_schemas
from solvent.web.files import work as file_work
from solvent.web.queries import read_query
from solvent.web.served_files import Place, Places
from solvent.web.settings import Settings
from solvent.web.streaming import attend
from solvent.web.worker_queue import Lane

MAX_PICTURE_BYTES = 16 << 20
"""How much is kept of small pictures, the latest that were looked at."""
POLL_SECONDS = 2.0
"""Folders are looked through no more often than this, however often somebody wishes it."""


class FileEndpoints:
    """Answer requests about the user's files."""

    def __init__(self, settings: Settings, places: Places, lane: Lane) -> None:
        self._settings = settings
        self._places = places
        self._lane = lane
        self._pictures: OrderedDict[tuple[str, float, int], bytes] = OrderedDict()
        self._picture_bytes = 0
        self._looked = 0.0

    async def files(self, request: Request) -> Response:
        """List some of the files."""
        wanted = read_query(request, file_schemas.FilesWanted)
        found = await self._places.find(again=wanted.again and self._may_look_again())
        words = [word.casefold() for word in wanted.text.split()]
        listed: Sequence[Place] = list(found.files.values())
        if words:
            listed = [place for place in listed if all(word in place.name.casefold() for word in words)]
        return as_json(
            file_schemas.FilesShown(
                total=len(found.files),
                matching=len(listed),
                start=wanted.start,
                files=[
                    file_schemas.FileShown(id=place.id, name=place.name, bytes=place.bytes, changed=place.changed)
                    for place in listed[wanted.start : wanted.start + wanted.count]
                ],
                troubles=list(found.troubles[:20]),
                cut=found.cut,
            )
        )

    async def file(self, request: Request) -> Response:
        """Read an instance from a file."""
        place = await self._find(request)
        work = self._lane.run(
            file_work.read_file, self._order(place, self._settings.body_bytes), seconds=self._settings.quick_seconds
        )
        return json_of(await attend(request.receive, work))

    async def picture(self, request: Request) -> Response:
        """Draw a file small."""
        place = await self._find(request)
        key = (place.id, place.changed, place.bytes)
        drawn = self._pictures.get(key)
        if drawn is None:
            order = self._order(place, file_work.LARGEST_DRAWN_BYTES)
            work = self._lane.run(file_work.draw_file, order, seconds=self._settings.quick_seconds)
            drawn = await attend(request.receive, work)
            if drawn is None:
                raise Refusal("stopped", "The work was stopped.")
            self._keep(key, drawn)
        else:
            self._pictures.move_to_end(key)
        return Response(
            drawn,
            media_type="image/svg+xml",
            headers={"cache-control": "max-age=60", "content-security-policy": SVG_POLICY},
        )

    def _may_look_again(self) -> bool:
        now = time.monotonic()
        if now - self._looked < POLL_SECONDS:
            return False
        self._looked = now
        return True

    async def _find(self, request: Request) -> Place:
        found = (await self._places.find()).files.get(request.path_params["id"])
        if found is None:
            raise Refusal("missing", "This file is not among those that may be opened here, or was not found again.")
        return found

    def _order(self, place: Place, most_bytes: int) -> file_work.Order:
        given = tuple(map(str, self._places.given))
        return file_work.Order(place.id, str(place.path), place.name, given, most_bytes)

    def _keep(self, key: tuple[str, float, int], drawn: bytes) -> None:
        self._picture_bytes += len(drawn) - len(self._pictures.pop(key, b""))
        self._pictures[key] = drawn
        while self._picture_bytes > MAX_PICTURE_BYTES:
            self._picture_bytes -= len(self._pictures.popitem(last=False)[1])


def json_of(result: bytes | None) -> Response:
    """Return what a worker made as a reply; None if whoever asked has left."""
    if result is None:
        raise Refusal("stopped", "The work was stopped.")
    return Response(result, media_type="application/json", headers={"cache-control": "no-store"})
