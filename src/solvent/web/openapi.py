"""The OpenAPI description, made from the verbs and the classes of requests and replies themselves."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from types import ModuleType
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
from starlette.requests import Request

from solvent.version import __version__
from solvent.web import schemas
from solvent.web.examples import bundled_examples
from solvent.web.verbs import BINARY, VERBS, Verb

_REFUSALS = {
    400: "The request is not as described.",
    401: "The token is missing or wrong.",
    403: "The request comes from somewhere it must not.",
    404: "There is nothing here.",
    405: "Another method is expected here.",
    408: "The request took too long to arrive.",
    413: "The request is too large.",
    422: "The instance, an option or the like cannot be used; the message says what was expected, and where.",
    500: "A bug in Solvent.",
    503: "Too much to do at the moment; Retry-After says when to come back.",
}


LARGEST_NUMBER = 10**18 - 1
"""What a number in a path may be."""
NUMBERS = ("run", "number", "other_run")
"""Which parts of paths are numbers."""


class Get(NamedTuple):
    """Hold a route that is only read."""

    path: str
    summary: str
    """What it does, in one line."""
    gives: Any
    """None for an SVG picture."""
    endpoint: Callable[[Request], Awaitable[Any]]
    query: type[msgspec.Struct] | None = None
    """What may stand behind the question mark."""


def describe(gets: Sequence[Get]) -> dict[str, Any]:
    """Return the description of these routes and of all verbs."""
    types: list[Any] = [schemas.Failed, schemas.Progress, schemas.Hinted]
    types += [kind for verb in VERBS for kind in (verb.takes, verb.gives) if kind is not None]
    types += [kind for get in gets for kind in (get.gives, get.query) if kind is not None]
    found, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(map(_key, types), found, strict=True))
    _add_notes(components, types)
    paths: dict[str, Any] = {f"/api/{verb.name}": {"post": _describe_verb(verb, by_type)} for verb in VERBS}
    for get in gets:
        query = {} if get.query is None else components[by_type[_key(get.query)]["$ref"].rpartition("/")[2]]
        paths[get.path] = {"get": _describe_get(get, by_type.get(_key(get.gives)), query)}
    for query in {_key(get.query) for get in gets if get.query is not None}:  # they are described as parameters
        components.pop(by_type[query]["$ref"].rpartition("/")[2], None)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Solvent",
            "version": __version__,
            "description": "Find out whether a puzzle or a game level can be solved, show how, and prove it.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _add_notes(components: dict[str, Any], types: Sequence[Any]) -> None:
    """Say of each field what stands under it in the source."""
    records = {kind.__name__: kind for kind in _records(types)}
    for name, component in components.items():
        for field, note in field_notes(records[name]).items() if name in records else ():
            schema = component.get("properties", {}).get(field)
            if schema is not None:
                schema.setdefault("description", note)


def _records(types: Iterable[Any]) -> set[type]:
    """Return the classes of these types and of everything in them."""
    found: set[type] = set()
    waiting = list(types)
    while waiting:
        kind = waiting.pop()
        waiting += [each for each in get_args(kind) if each not in found]
        if isinstance(kind, type) and kind.__module__.startswith("solvent.") and kind not in found:
            found.add(kind)
            waiting += get_type_hints(kind, include_extras=True).values()
    return found


@functools.cache
def _examples() -> dict[str, dict[str, Any]]:
    """Return a request for each verb that one can be written for without asking a solver first."""
    (domain, name), example = next(iter(bundled_examples().items()))
    instance = {"text": example.text}
    return {
        "load": instance,
        "ask": {**instance, "question": next(iter(example.expected)), "seconds": 5},
        "hints": {**instance, "count": 2, "seconds": 5},
        "explain": {**instance, "seconds": 5},
        "generate": {"domain": domain, "seed": 7},
        "draw": {**instance, "name": f"{name}.txt"},
        "format": instance,
    }


def field_notes(kind: type) -> dict[str, str]:
    """Return the docstring under each field of a class and its bases; nothing where there is no source."""
    notes: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        module = sys.modules.get(each.__module__)
        if module is not None and each.__module__.startswith("solvent."):
            notes |= _notes_of_module(module).get(each.__name__, {})
    return notes


@functools.cache
def _notes_of_module(module: ModuleType) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return {}
    return {node.name: _notes_of_class(node) for node in tree.body if isinstance(node, ast.ClassDef)}


def _notes_of_class(node: ast.ClassDef) -> dict[str, str]:
    notes = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            notes[field.target.id] = inspect.cleandoc(below.value.value)
    return notes


def _key(kind: Any) -> str:
    return repr(kind)


def _describe_verb(verb: Verb, schemas: dict[str, Any]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if verb.gives is None:
        content[BINARY] = {"schema": {"type": "string", "format": "binary"}}
    else:
        content["application/json"] = {"schema": schemas[_key(verb.gives)]}
    if verb.streams:
        content["text/event-stream"] = {"schema": {"type": "string"}}
    taken = {"schema": schemas[_key(verb.takes)]}
    if verb.name in _examples():
        taken["example"] = _examples()[verb.name]
    streamed = (
        " With `Accept: text/event-stream` the reply is a stream of events: `progress` any number of times,"
        + (" `hint` for each step," if verb.name == "hints" else "")
        + " then `result` or `failure`. Hanging up stops the work."
        if verb.streams
        else ""
    )
    return {
        "operationId": verb.name,
        "summary": verb.summary,
        "description": f"{verb.summary}.{streamed}",
        "requestBody": {"required": True, "content": {"application/json": taken}},
        "responses": {"200": {"description": "Done.", "content": content}, **_refusals(set(_REFUSALS) - {404, 405})},
    }


def _describe_get(get: Get, schema: Any, query: dict[str, Any]) -> dict[str, Any]:
    names = [part[1:-1] for part in get.path.replace(".svg", "").split("/") if part.startswith("{")]
    content = {"application/json": {"schema": schema}} if schema else {"image/svg+xml": {"schema": {"type": "string"}}}
    described: dict[str, Any] = {
        "operationId": get.path.strip("/").replace("/", "_").replace("{", "").replace("}", "").replace(".", "_"),
        "summary": get.summary,
        "responses": {
            "200": {"description": "Done.", "content": content},
            **_refusals({400, 401, 403, 404, 422, 500, 503}),
        },
    }
    number = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": number if name in NUMBERS else {"type": "string"}}
        for name in names
    ]
    parameters += [
        {"name": name, "in": "query", "required": name in query.get("required", ()), "schema": schema}
        for name, schema in query.get("properties", {}).items()
    ]
    if parameters:
        described["parameters"] = parameters
    return described


@functools.cache
def _refusal(status: int) -> dict[str, Any]:
    described: dict[str, Any] = {
        "description": _REFUSALS[status],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failed"}}},
    }
    if status == 503:
        seconds = {"type": "integer", "minimum": 1}
        described["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": seconds}}
    return described


def _refusals(statuses: set[int]) -> dict[str, Any]:
    assert statuses <= set(schemas.STATUS.values())
    return {str(status): _refusal(status) for status in sorted(statuses)}
