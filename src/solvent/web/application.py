"""The application: which address leads where."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from solvent.core.errors import show_value
from solvent.core.workbench import workbench_folder
from solvent.registry import all_domains
from solvent.web import schemas
from solvent.web.description import Get, describe
from solvent.web.endpoints import Endpoints, as_json
from solvent.web.failures import Refusal, refusal_for
from solvent.web.guards import Guard, refusal_response
from solvent.web.served_files import Places
from solvent.web.settings import Settings
from solvent.web.user_routes import addresses
from solvent.web.verbs import VERBS
from solvent.web.worker_queue import Lanes

STATIC = Path(__file__).parent / "static"


class Fresh(StaticFiles):
    """Files of the page, which browsers ask after every time: an update must not leave half of an old page behind."""

    def file_response(self, *arguments: Any, **more: Any) -> Response:
        """Return a file, or that it has not changed."""
        reply = super().file_response(*arguments, **more)
        reply.headers["cache-control"] = "no-cache"
        return reply


def make_application(settings: Settings, lanes: Lanes | None = None) -> ASGIApp:
    """Return the application of one server; its workers end with it, whoever started them."""
    lanes = lanes or Lanes(settings)
    places = Places(settings.paths)
    endpoints = Endpoints(settings, lanes, places)
    given = addresses(settings, places, lanes)

    @contextlib.asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        lanes.close()

    async def index(_request: Request) -> Response:
        return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})

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
        return refusal_response(refusal_for(error))  # whoever runs the application logs it

    gets = {
        "/api/about": Get("Say what this server is and allows", schemas.About),
        "/api/examples": Get("List the bundled instances", list[schemas.ExampleShown]),
        "/api/examples/{domain}/{name}": Get("Return a bundled instance", schemas.ExampleShown),
        "/api/pictures/{domain}/{name}.svg": Get("Draw a bundled instance", None, "image/svg+xml"),
        **{path: get for path, get, _ in given},
    }
    described = describe(gets)

    async def openapi(_request: Request) -> Response:
        return as_json(described)

    app = Starlette(
        routes=[
            Route("/", index),
            Route("/api/about", endpoints.guarded(endpoints.about)),
            Route("/api/examples", endpoints.guarded(endpoints.examples)),
            Route("/api/examples/{domain}/{name}", endpoints.guarded(endpoints.example)),
            Route("/api/pictures/{domain}/{name}.svg", endpoints.guarded(endpoints.picture)),
            *(Route(path, endpoints.guarded(endpoint)) for path, _, endpoint in given),
            Route("/api/openapi.json", openapi),
            *(Route(f"/api/{verb.name}", endpoints.of_verb(verb), methods=["POST"]) for verb in VERBS),
            *(
                Mount(f"/domains/{domain.name}", Fresh(directory=workbench_folder(domain.page)))
                for domain in all_domains()
                if domain.page is not None
            ),
            Mount("/static", Fresh(directory=STATIC)),
        ],
        exception_handlers={HTTPException: missing, Exception: bug},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # an address is right or wrong
    # Nothing is compressed: that would keep the server from answering others, and most of them are on this machine.
    return Guard(app, settings)
