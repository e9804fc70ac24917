"""The routes of stores: the runs in them, their rows, charts and results, and what changed between two."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from solvent.batch.workers.jobs import WorkerLost
from solvent.core.errors import show_value
from solvent.web.endpoints import Endpoint, read_query, reply_with
from solvent.web.errors import Refusal, refusal_for
from solvent.web.fair_turns import client_of
from solvent.web.openapi import NUMBERS, Get
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
        long = self._settings.most_seconds
        rows, show = self._by(run_work.list_rows, run_schemas.RowsWanted), self._by(run_work.show_result, result)
        charts = self._by(run_charts.draw_charts, seconds=long)
        compared = f"{run}/compared/{{other_store}}/{{other_run}}"
        compare = self._by(run_compare.compare, seconds=SECONDS_TO_COMPARE)
        checking = "Check a stored answer once more, and return it if it is accepted"
        check = self._by(run_work.check_result, result, seconds=long, queue=self._checking)
        return [
            Get("/api/runs", "List the runs of every store", list[run_schemas.StoreShown], self.runs),
            Get(run, "Describe a run", run_schemas.RunDetails, self._by(run_work.show_run)),
            Get(f"{run}/rows", "List rows of a run", run_schemas.RowsShown, rows, run_schemas.RowsWanted),
            Get(f"{run}/charts", "Draw the charts of a run", run_schemas.Charts, charts),
            Get(compared, "Compare a run with a later one", run_schemas.Compared, compare),
            Get(f"{run}/{{number}}/checked", checking, run_schemas.ResultChecked, check, result),
            Get(f"{run}/{{number}}", "Return an instance of a run", run_schemas.ResultShown, show, result),
        ]

    async def runs(self, request: Request) -> Response:
        """List the runs of every store."""
        stores = (await self._served.find()).stores.values()

        async def collect() -> bytes:
            listed = await asyncio.gather(*(self._list(store, client_of(request)) for store in stores))
            return b"[" + b",".join(listed) + b"]"

        return reply_with(await attend(request.receive, collect()))

    async def _list(self, store: ServedFile, client: str) -> bytes:
        """Return a store as JSON; one that takes too long says so, and the others are listed all the same."""
        try:
            seconds = self._settings.most_seconds
            listed: bytes = await self._reading.run(run_work.list_store, store, seconds=seconds, client=client)
        except WorkerLost as error:
            if error.kind == "stopped":
                raise
            problem = str(refusal_for(error))
            return msgspec.json.encode(from_record(run_schemas.StoreShown, store, problem=problem, more=0, runs=[]))
        return listed

    def _by(
        self,
        does: Callable[..., bytes],
        query: type[msgspec.Struct] | None = None,
        *,
        seconds: float | None = None,
        queue: WorkerQueue | None = None,
    ) -> Endpoint:
        """Return an endpoint whose reply a worker makes from what the path names, in its order, and the query."""

        async def answer(request: Request) -> Response:
            wanted = () if query is None else (read_query(request, query),)
            parts = [await self._part(name, text) for name, text in request.path_params.items()]
            allowed, client = seconds or self._settings.quick_seconds, client_of(request)
            work = (queue or self._reading).run(does, *parts, *wanted, seconds=allowed, client=client)
            return reply_with(await attend(request.receive, work))

        return answer

    async def _part(self, name: str, text: str) -> ServedFile | int:
        """Return the store or the number that a part of the path names; raises Refusal if there is none."""
        if name in NUMBERS:
            if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
                raise Refusal("missing", f"there is no {name.removeprefix('other_')} {show_value(text)}")
            return int(text)
        store = (await self._served.find()).stores.get(text)
        if store is None:
            raise Refusal("missing", "This store is not among those that may be opened here.")
        return store
