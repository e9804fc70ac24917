"""The OpenAPI description, made from the verbs and words themselves so that it cannot say anything else."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from solvent.version import __version__
from solvent.web import schemas
from solvent.web.bundled import bundled_examples
from solvent.web.failures import STATUS
from solvent.web.field_notes import field_notes
from solvent.web.verbs import BINARY, VERBS, Verb

_REFUSALS = {
    400: "The request is not as described.",
    401: "The token is missing or wrong.",
    403: "The request comes from somewhere it must not.",
    404: "There is no such thing.",
    405: "Not this way: another method is expected.",
    408: "The request took too long to arrive.",
    413: "The request is too large.",
    422: "The instance, an option or the like cannot be used; the message says what was expected, and where.",
    500: "A bug in Solvent.",
    503: "Too much to do at the moment; Retry-After says when to come back.",
}


LARGEST_NUMBER = 10**18 - 1
"""What a number in an address may be."""


class Get(NamedTuple):
    """Describe an address that is only read."""

    says: str
    """What it does, in one line."""
    gives: Any
    """None for what is no JSON."""
    media: str = "application/json"
    query: type[msgspec.Struct] | None = None
    """What may stand behind the question mark."""
    numbers: tuple[str, ...] = ()
    """Which parts of the address are numbers."""


def describe(gets: Mapping[str, Get]) -> dict[str, Any]:
    """Return the description; `gets` are the addresses that are only read."""
    types: list[Any] = [schemas.Failed, schemas.Progress, schemas.Hinted]
    types += [kind for verb in VERBS for kind in (verb.takes, verb.gives) if kind is not None]
    types += [kind for get in gets.values() for kind in (get.gives, get.query) if kind is not None]
    found, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(map(_key, types), found, strict=True))
    _add_notes(components)
    paths: dict[str, Any] = {f"/api/{verb.name}": {"post": _describe_verb(verb, by_type)} for verb in VERBS}
    queries = {_key(get.query) for get in gets.values() if get.query is not None}
    for path, get in gets.items():
        asked = {} if get.query is None else components[by_type[_key(get.query)]["$ref"].rpartition("/")[2]]
        paths[path] = {"get": _describe_get(path, get, by_type.get(_key(get.gives)), asked)}
    for query in queries:  # told as parameters, where they belong
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


def _add_notes(components: dict[str, Any]) -> None:
    """Say of each field what stands under it in the source."""
    kinds = {kind.__name__: kind for kind in _all_structs(msgspec.Struct)}
    for name, component in components.items():
        for field, note in field_notes(kinds[name]).items() if name in kinds else ():
            schema = component.get("properties", {}).get(field)
            if schema is not None:
                schema.setdefault("description", note)


def _all_structs(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("solvent.web."):
            yield each
        yield from _all_structs(each)


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
        "summary": verb.says,
        "description": f"{verb.says}.{streamed}",
        "requestBody": {"required": True, "content": {"application/json": taken}},
        "responses": {"200": {"description": "Done.", "content": content}, **_refusals(set(_REFUSALS) - {404, 405})},
    }


def _describe_get(path: str, get: Get, schema: Any, asked: dict[str, Any]) -> dict[str, Any]:
    names = [part[1:-1] for part in path.replace(".svg", "").split("/") if part.startswith("{")]
    described: dict[str, Any] = {
        "operationId": path.strip("/").replace("/", "_").replace("{", "").replace("}", "").replace(".", "_"),
        "summary": get.says,
        "responses": {
            "200": {"description": "Done.", "content": {get.media: {"schema": schema or {"type": "string"}}}},
            **_refusals({400, 401, 403, 404, 422, 500, 503}),
        },
    }
    number = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": number if name in get.numbers else {"type": "string"}}
        for name in names
    ]
    parameters += [
        {"name": name, "in": "query", "required": name in asked.get("required", ()), "schema": schema}
        for name, schema in asked.get("properties", {}).items()
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
    assert statuses <= set(STATUS.values())
    return {str(status): _refusal(status) for status in sorted(statuses)}
