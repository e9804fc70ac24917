"""The routes of the user's own files: list them, open one, draw one small."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from solvent.web.endpoints import as_json, painted, picture_reply, read_query, reply_with
from solvent.web.errors import Refusal
from solvent.web.fair_turns import client_of
from solvent.web.files import schemas as file_schemas
from solvent.web.files import work as file_work
from solvent.web.openapi import Get
from solvent.web.schemas import PictureWanted, from_record
from solvent.web.served_files import ServedFile, ServedFiles
from solvent.web.settings import Settings
from solvent.web.streaming import attend
from solvent.web.worker_queue import WorkerQueue

MAX_PICTURE_BYTES = 16 << 20
"""How much is kept of small pictures, the latest that were looked at."""
POLL_SECONDS = 2.0
"""Folders are looked through no more often than this, however often it is asked for."""


class FileEndpoints:
    """Answer requests about the user's files."""

    def __init__(self, settings: Settings, served: ServedFiles, queue: WorkerQueue) -> None:
        self._settings = settings
        self._served = served
        self._queue = queue
        self._pictures: OrderedDict[tuple[str, float, int], bytes] = OrderedDict()
        self._picture_bytes = 0
        self._looked = 0.0

    def gets(self) -> list[Get]:
        """Return the routes."""
        return [
            Get("/api/files", "List the user's files", file_schemas.FilesShown, self.files, file_schemas.FilesWanted),
            Get("/api/files/{id}/picture.svg", "Draw a file small", None, self.picture, PictureWanted),
            Get("/api/files/{id}", "Read an instance from a file", file_schemas.FileRead, self.file),
        ]

    async def files(self, request: Request) -> Response:
        """List some of the files."""
        wanted = read_query(request, file_schemas.FilesWanted)
        found = await self._served.find(again=wanted.again and self._may_look_again())
        words = [word.casefold() for word in wanted.text.split()]
        listed = [file for file in found.files.values() if all(word in file.name.casefold() for word in words)]
        page = listed[wanted.start : wanted.start + wanted.count]
        return as_json(
            file_schemas.FilesShown(
                total=len(found.files),
                matching=len(listed),
                start=wanted.start,
                files=[from_record(file_schemas.FileShown, file) for file in page],
                troubles=list(found.troubles[:20]),
                cut=found.cut,
            )
        )

    async def file(self, request: Request) -> Response:
        """Read an instance from a file."""
        file = await self._find(request)
        return reply_with(await self._work(request, file_work.read_file, file, self._settings.body_bytes))

    async def picture(self, request: Request) -> Response:
        """Draw a file small."""
        wanted = read_query(request, PictureWanted)
        file = await self._find(request)
        key = (file.id, file.changed, file.bytes)
        drawn = self._pictures.get(key)
        if drawn is None:
            drawn = await self._work(request, file_work.draw_file, file, file_work.LARGEST_DRAWN_BYTES)
            self._keep(key, drawn)
        else:
            self._pictures.move_to_end(key)
        return picture_reply(painted(drawn, wanted), max_age=60)

    def _may_look_again(self) -> bool:
        now = time.monotonic()
        if now - self._looked < POLL_SECONDS:
            return False
        self._looked = now
        return True

    async def _find(self, request: Request) -> ServedFile:
        found = (await self._served.find()).files.get(request.path_params["id"])
        if found is None:
            raise Refusal("missing", "This file is not among those that may be opened here, or was not found again.")
        return found

    async def _work(self, request: Request, function: Callable[..., bytes], file: ServedFile, most_bytes: int) -> bytes:
        seconds = self._settings.quick_seconds
        given = self._served.given
        work = self._queue.run(function, file, given, most_bytes, seconds=seconds, client=client_of(request))
        return await attend(request.receive, work)

    def _keep(self, key: tuple[str, float, int], drawn: bytes) -> None:
        self._picture_bytes += len(drawn) - len(self._pictures.pop(key, b""))
        self._pictures[key] = drawn
        while self._picture_bytes > MAX_PICTURE_BYTES:
            self._picture_bytes -= len(self._pictures.popitem(last=False)[1])
