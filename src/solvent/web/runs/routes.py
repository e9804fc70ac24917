"""The addresses of stores: the runs in them, their rows, charts and results, and what changed between two."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solvent.batch.workers.jobs import WorkerLost
from solvent.core.errors import show_value
from solvent.web.failures import Refusal, refusal_for
from solvent.web.files.routes import json_of
from solvent.web.queries import read_query
from solvent.web.runs import charts as run_charts
from solvent.web.runs import compare as run_compare
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs import work as run_work
from solvent.web.served_files import Place, Places
from solvent.web.settings import Settings
from solvent.web.streaming import attend
from solvent.web.worker_queue import Lane

SECONDS_TO_COMPARE = 300.0
"""What it may take to compare two runs; a hundred thousand answers of each take ten on an idle machine."""
MAX_DIGITS = 18
"""What SQLite has room for."""


class RunEndpoints:
    """Answer requests about stores. Workers open them: a store may be large, or on a disk that is slow."""

    def __init__(self, settings: Settings, places: Places, reading: Lane, checking: Lane) -> None:
        self._settings = settings
        self._places = places
        self._reading = reading
        self._checking = checking
        """Where checkers run, which have kernels to load and may take long."""

    async def runs(self, request: Request) -> Response:
        """List the runs of every store."""
        stores = (await self._places.find()).stores.values()

        async def collect() -> bytes:
            listed = await asyncio.gather(*(self._list(place) for place in stores))
            return b"[" + b",".join(listed) + b"]"

        return json_of(await attend(request.receive, collect()))

    async def run(self, request: Request) -> Response:
        """Tell all about a run but its rows."""
        return await self._read(request, run_work.tell_run, await self._order(request), number_in(request, "run"))

    async def rows(self, request: Request) -> Response:
        """List a page of the rows of a run."""
        wanted = read_query(request, run_schemas.RowsWanted)
        order = await self._order(request)
        return await self._read(request, run_work.list_rows, order, number_in(request, "run"), wanted)

    async def charts(self, request: Request) -> Response:
        """Draw the charts of a run."""
        order = await self._order(request)
        return await self._read(
            request, run_charts.draw_charts, order, number_in(request, "run"), seconds=self._settings.most_seconds
        )

    async def result(self, request: Request) -> Response:
        """Hand out an instance of a run."""
        return await self._read(request, run_work.show_result, *await self._which(request))

    async def checked(self, request: Request) -> Response:
        """Have the checker look at a stored answer."""
        work = self._checking.run(
            run_work.check_result, *await self._which(request), seconds=self._settings.most_seconds
        )
        return json_of(await attend(request.receive, work))

    async def compared(self, request: Request) -> Response:
        """Compare two runs."""
        before, after = await self._order(request), await self._order(request, "other_store")
        return await self._read(
            request,
            run_compare.compare,
            *(before, number_in(request, "run"), after, number_in(request, "other_run")),
            seconds=SECONDS_TO_COMPARE,
        )

    async def _list(self, place: Place) -> bytes:
        """Return a store as JSON; one that takes too long is told so, and is no reason to hide the others."""
        try:
            listed: bytes = await self._reading.run(
                run_work.list_store, order_of(place), seconds=self._settings.most_seconds
            )
        except WorkerLost as error:
            if error.kind == "stopped":
                raise
            return _unlisted(place, str(refusal_for(error)))
        return listed

    async def _which(self, request: Request) -> tuple[run_work.StoreOrder, int, int, str | None]:
        wanted = read_query(request, run_schemas.ResultWanted)
        order = await self._order(request)
        return order, number_in(request, "run"), number_in(request, "number"), wanted.question

    async def _order(self, request: Request, name: str = "store") -> run_work.StoreOrder:
        place = (await self._places.find()).stores.get(request.path_params[name])
        if place is None:
            raise Refusal("missing", "This store is not among those that may be opened here.")
        return order_of(place)

    async def _read(
        self, request: Request, function: Callable[..., Any], *arguments: Any, seconds: float | None = None
    ) -> Response:
        work = self._reading.run(function, *arguments, seconds=seconds or self._settings.quick_seconds)
        return json_of(await attend(request.receive, work))


def number_in(request: Request, name: str) -> int:
    """Return a number that is part of the address; raises Refusal if it is none, or larger than any there is."""
    said = request.path_params[name]
    if not (said.isascii() and said.isdecimal() and len(said) <= MAX_DIGITS):
        raise Refusal("missing", f"there is no {name.removeprefix('other_')} {show_value(said)}")
    return int(said)


def order_of(place: Place) -> run_work.StoreOrder:
    """Return what a worker is told about a store."""
    return run_work.StoreOrder(place.id, str(place.path), place.name, place.bytes)


def _unlisted(place: Place, problem: str) -> bytes:
    return msgspec.json.encode(
        run_schemas.StoreShown(id=place.id, name=place.name, bytes=place.bytes, problem=problem, more=0, runs=[])
    )
