"""The application: which route leads where."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp

from solvent.core.domain import workbench_folder
from solvent.core.errors import show_value
from solvent.registry import all_domains
from solvent.web.endpoints import Endpoints, as_json
from solvent.web.errors import Refusal, refusal_for
from solvent.web.files.routes import FileEndpoints
from solvent.web.guards import Guard, refusal_response
from solvent.web.openapi import describe
from solvent.web.page_files import NO_CACHE, PageFiles, list_modules
from solvent.web.runs.routes import RunEndpoints
from solvent.web.second_checker import FILE_NAME, one_file
from solvent.web.served_files import ServedFiles
from solvent.web.settings import Settings
from solvent.web.verbs import VERBS
from solvent.web.worker_queue import WorkerQueues

STATIC = Path(__file__).parent / "static"


def make_application(settings: Settings, queues: WorkerQueues | None = None) -> ASGIApp:
    """Return the application of one server; its workers end with it."""
    queues = queues or WorkerQueues(settings)
    served = ServedFiles(settings.paths)
    endpoints = Endpoints(settings, queues, served)
    gets = [
        *endpoints.gets(),
        *FileEndpoints(settings, served, queues.reading).gets(),
        *RunEndpoints(settings, served, queues.reading, queues.long).gets(),
    ]
    description = functools.cache(lambda: describe(gets))  # most servers are never asked for it

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        queues.close()
        served.close()

    pages = {domain.name: workbench_folder(domain.page) for domain in all_domains() if domain.page is not None}

    modules = list_modules(STATIC, pages)

    async def index(_request: Request) -> Response:
        text = (STATIC / "index.html").read_text(encoding="utf-8").replace("<!-- modules -->", modules)
        return HTMLResponse(text, headers=NO_CACHE)

    async def missing(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        if status == 405:
            refusal = Refusal("method", f"{request.method} is not for {show_value(request.scope['path'])}")
        else:
            refusal = Refusal("missing", f"there is nothing at {show_value(request.scope['path'])}")
        reply = refusal_response(refusal)
        if isinstance(error, HTTPException) and error.headers:
            reply.headers.update(error.headers)
        return reply

    async def bug(_request: Request, error: Exception) -> Response:
        return refusal_response(refusal_for(error))  # the server logs it

    async def openapi(_request: Request) -> Response:
        return as_json(description())

    async def second_checker(_request: Request) -> Response:
        return Response(one_file(), media_type="text/javascript")

    app = Starlette(
        routes=[
            Route("/", index),
            Route(f"/{FILE_NAME}", second_checker),
            *(Route(get.path, endpoints.guarded(get.endpoint)) for get in gets),
            Route("/api/openapi.json", openapi),
            *(Route(f"/api/{verb.name}", endpoints.of_verb(verb), methods=["POST"]) for verb in VERBS),
            *(Mount(f"/domains/{name}", PageFiles(folder)) for name, folder in pages.items()),
            Mount("/static", PageFiles(STATIC)),
        ],
        exception_handlers={HTTPException: missing, Exception: bug},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # a path is right or wrong
    # Nothing is compressed: that would keep the server from answering others, and most of them are on this machine.
    return Guard(app, settings)
