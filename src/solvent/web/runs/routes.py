"""The routes of stores: the runs in them, their rows, charts and results, and what changed between two."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solvent.batch.workers.jobs import WorkerLost
from solvent.core.errors import show_value
from solvent.web.endpoints import read_query, reply_with
from solvent.web.errors import Refusal, refusal_for
from solvent.web.openapi import Get
from solvent.web.runs import charts as run_charts
from solvent.web.runs import compare as run_compare
from solvent.web.runs import schemas as run_schemas
from solvent.web.runs import work as run_work
from solvent.web.schemas import from_record
from solvent.web.served_files import ServedFile, ServedFiles
from solvent.web.settings import Settings
from solvent.web.streaming import attend
from solvent.web.worker_queue import WorkerQueue

SECONDS_TO_COMPARE = 300.0
"""What it may take to compare two runs; a hundred thousand answers of each take ten on an idle machine."""
MAX_DIGITS = 18
"""What SQLite has room for."""


class RunEndpoints:
    """Answer requests about stores. Workers open them: a store may be large, or on a disk that is slow."""

    def __init__(self, settings: Settings, served: ServedFiles, reading: WorkerQueue, checking: WorkerQueue) -> None:
        self._settings = settings
        self._served = served
        self._reading = reading
        self._checking = checking
        """Where checkers run, which have kernels to load and may take long."""

    def gets(self) -> list[Get]:
        """Return the routes, in the order in which they are tried."""
        run, result = "/api/runs/{store}/{run}", run_schemas.ResultWanted
        compared = f"{run}/compared/{{other_store}}/{{other_run}}"
        check = "Check a stored answer once more, and return it if it is accepted"
        return [
            Get("/api/runs", "List the runs of every store", list[run_schemas.StoreShown], self.runs),
            Get(run, "Describe a run", run_schemas.RunDetails, self.run),
            Get(f"{run}/rows", "List rows of a run", run_schemas.RowsShown, self.rows, run_schemas.RowsWanted),
            Get(f"{run}/charts", "Draw the charts of a run", run_schemas.Charts, self.charts),
            Get(compared, "Compare a run with a later one", run_schemas.Compared, self.compared),
            Get(f"{run}/{{number}}/checked", check, run_schemas.ResultChecked, self.checked, result),
            Get(f"{run}/{{number}}", "Return an instance of a run", run_schemas.ResultShown, self.result, result),
        ]

    async def runs(self, request: Request) -> Response:
        """List the runs of every store."""
        stores = (await self._served.find()).stores.values()

        async def collect() -> bytes:
            listed = await asyncio.gather(*(self._list(store) for store in stores))
            return b"[" + b",".join(listed) + b"]"

        return reply_with(await attend(request.receive, collect()))

    async def run(self, request: Request) -> Response:
        """Return all about a run but its rows."""
        return await self._read(request, run_work.show_run, await self._store(request), number_in(request, "run"))

    async def rows(self, request: Request) -> Response:
        """List a page of the rows of a run."""
        wanted = read_query(request, run_schemas.RowsWanted)
        store = await self._store(request)
        return await self._read(request, run_work.list_rows, store, number_in(request, "run"), wanted)

    async def charts(self, request: Request) -> Response:
        """Draw the charts of a run."""
        store = await self._store(request)
        return await self._read(
            request, run_charts.draw_charts, store, number_in(request, "run"), seconds=self._settings.most_seconds
        )

    async def result(self, request: Request) -> Response:
        """Hand out an instance of a run."""
        return await self._read(request, run_work.show_result, *await self._which(request))

    async def checked(self, request: Request) -> Response:
        """Have the checker look at a stored answer."""
        work = self._checking.run(
            run_work.check_result, *await self._which(request), seconds=self._settings.most_seconds
        )
        return reply_with(await attend(request.receive, work))

    async def compared(self, request: Request) -> Response:
        """Compare two runs."""
        before, after = await self._store(request), await self._store(request, "other_store")
        return await self._read(
            request,
            run_compare.compare,
            *(before, number_in(request, "run"), after, number_in(request, "other_run")),
            seconds=SECONDS_TO_COMPARE,
        )

    async def _list(self, store: ServedFile) -> bytes:
        """Return a store as JSON; one that takes too long says so, and the others are listed all the same."""
        try:
            listed: bytes = await self._reading.run(run_work.list_store, store, seconds=self._settings.most_seconds)
        except WorkerLost as error:
            if error.kind == "stopped":
                raise
            problem = str(refusal_for(error))
            return msgspec.json.encode(from_record(run_schemas.StoreShown, store, problem=problem, more=0, runs=[]))
        return listed

    async def _which(self, request: Request) -> tuple[ServedFile, int, int, str | None]:
        wanted = read_query(request, run_schemas.ResultWanted)
        store = await self._store(request)
        return store, number_in(request, "run"), number_in(request, "number"), wanted.question

    async def _store(self, request: Request, name: str = "store") -> ServedFile:
        store = (await self._served.find()).stores.get(request.path_params[name])
        if store is None:
            raise Refusal("missing", "This store is not among those that may be opened here.")
        return store

    async def _read(
        self, request: Request, function: Callable[..., Any], *arguments: Any, seconds: float | None = None
    ) -> Response:
        work = self._reading.run(function, *arguments, seconds=seconds or self._settings.quick_seconds)
        return reply_with(await attend(request.receive, work))


def number_in(request: Request, name: str) -> int:
    """Return a number that is part of the path; raises Refusal if it is none, or larger than any there is."""
    text = request.path_params[name]
    if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
        raise Refusal("missing", f"there is no {name.removeprefix('other_')} {show_value(text)}")
    return int(text)
