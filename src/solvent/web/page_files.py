"""The files that the page consists of: held in memory, and named in time for browsers to fetch them side by side."""

from __future__ import annotations

import json
import mimetypes
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

NO_CACHE = {"cache-control": "no-cache"}
IMPORT = re.compile(r'^(?:import|export)\b[^"\n]*"([^"\n]+\.js)"', re.MULTILINE)
STYLE = re.compile(r'stylesheet\("([^"]+\.css)"\)')
ENTRIES = ("gallery.js", "bench.js")
"""Modules of the shell that most addresses begin with."""
WORKBENCH = "workbench.js"
"""The module that a domain's page begins with."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Hold a file as it was when it was last read."""

    state: tuple[int, int]
    """When it was changed, in nanoseconds, and how large it is."""
    data: bytes
    headers: Mapping[str, str]


class PageFiles(StaticFiles):
    """Files of the page, which browsers ask after every time: an update must not leave half of an old page behind.

    A page has dozens of them. From memory each costs a quarter of what opening and sending a file does.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory)
        self._held: dict[str, tuple[str, _Held]] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or that it has not changed."""
        held = self._find(path) if scope["method"] == "GET" else None
        if held is None:
            reply = await super().get_response(path, scope)
            reply.headers.update(NO_CACHE)
            return reply
        if self.is_not_modified(Headers(held.headers), Headers(scope=scope)):
            return NotModifiedResponse(Headers(held.headers))
        return Response(held.data, headers=held.headers)

    def _find(self, path: str) -> _Held | None:
        try:
            if path in self._held:
                place, held = self._held[path]
                if held.state == _state(os.stat(place)):
                    return held
            else:
                place, found = self.lookup_path(path)  # leads to nothing outside of the folder
                if found is None or not os.path.isfile(place):
                    return None
            held = _read(place)
        except (OSError, ValueError):
            return None
        self._held[path] = place, held
        return held


def _state(found: os.stat_result) -> tuple[int, int]:
    return found.st_mtime_ns, found.st_size


def _read(place: str) -> _Held:
    data = Path(place).read_bytes()
    found = os.stat(place)
    kind = mimetypes.guess_type(place)[0] or "application/octet-stream"
    is_text = kind.startswith("text/")
    headers = {
        "content-type": f"{kind}; charset=utf-8" if is_text else kind,
        "etag": f'"{found.st_mtime_ns:x}-{found.st_size:x}"',
        "last-modified": formatdate(found.st_mtime, usegmt=True),
        **NO_CACHE,
    }
    return _Held(_state(found), data, headers)


def list_modules(static: Path, domains: Mapping[str, Path]) -> str:
    """Return for the head of the page what it will load; `domains` are the folders of their pages.

    A browser would otherwise learn of one module after the other, each from the one before. What comes after `#` never
    reaches the server, so the page chooses by itself among the lists.
    """
    folders = {"/static/": static, **{f"/domains/{name}/": folder for name, folder in domains.items()}}
    at_once = reachable(folders, "/static/app.js")
    later: dict[str, Any] = {
        entry.removesuffix(".js"): [each for each in reachable(folders, f"/static/{entry}") if each not in at_once]
        for entry in ENTRIES
    }
    known = {*at_once, *later["bench"]}
    for name in domains:
        later[f"domains/{name}"] = [
            each for each in reachable(folders, f"/domains/{name}/{WORKBENCH}") if each not in known
        ]
    links = "\n".join(f'<link rel="modulepreload" href="{address}">' for address in at_once)
    listed = json.dumps(later, separators=(",", ":")).replace("<", "\\u003c")
    return f'{links}\n<script type="application/json" id="modules">{listed}</script>'


def reachable(folders: Mapping[str, Path], address: str) -> list[str]:
    """Return a module, all that it imports at once, and the style sheets it asks for first, nearest first."""
    found = [address]
    for each in found:
        text = _text_at(folders, each)
        found += [other for other in _named_in(text, each) if other not in found]
    styles = STYLE.findall(_text_at(folders, address))
    return [*found, *styles]


def _named_in(text: str, address: str) -> Iterator[str]:
    base = address.rsplit("/", 1)[0]
    for name in IMPORT.findall(text):
        yield name if name.startswith("/") else os.path.normpath(f"{base}/{name}").replace("\\", "/")


def _text_at(folders: Mapping[str, Path], address: str) -> str:
    for start, folder in folders.items():
        path = folder / address.removeprefix(start)
        if address.startswith(start) and path.is_file():
            return path.read_text(encoding="utf-8")
    return ""
