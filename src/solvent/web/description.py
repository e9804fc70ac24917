"""The OpenAPI description, made from the verbs and words themselves so that it cannot say anything else."""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from solvent.version import __version__
from solvent.web import words
from solvent.web.failures import STATUS
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


def describe(gets: dict[str, tuple[str, Any, str]]) -> dict[str, Any]:
    """Return the description; `gets` are the addresses that are only read, with what each gives and says."""
    types: list[Any] = [words.Failed, words.Progress, words.Hinted]
    types += [kind for verb in VERBS for kind in (verb.takes, verb.gives) if kind is not None]
    types += [gives for _, gives, _ in gets.values() if gives is not None]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(map(_key, types), schemas, strict=True))
    paths: dict[str, Any] = {f"/api/{verb.name}": {"post": _describe_verb(verb, by_type)} for verb in VERBS}
    for path, (says, gives, media) in gets.items():
        paths[path] = {"get": _describe_get(path, says, by_type.get(_key(gives)), media)}
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
        "requestBody": {"required": True, "content": {"application/json": {"schema": schemas[_key(verb.takes)]}}},
        "responses": {"200": {"description": "Done.", "content": content}, **_refusals(set(_REFUSALS) - {404, 405})},
    }


def _describe_get(path: str, says: str, schema: Any, media: str) -> dict[str, Any]:
    names = [part[1:-1] for part in path.replace(".svg", "").split("/") if part.startswith("{")]
    described: dict[str, Any] = {
        "operationId": path.strip("/").replace("/", "_").replace("{", "").replace("}", "").replace(".", "_"),
        "summary": says,
        "responses": {
            "200": {"description": "Done.", "content": {media: {"schema": schema or {"type": "string"}}}},
            **_refusals({400, 401, 403, 404, 422, 500, 503}),
        },
    }
    if names:
        described["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
        ]
    return described


@functools.cache
def _refusal(status: int) -> dict[str, Any]:
    return {
        "description": _REFUSALS[status],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failed"}}},
    }


def _refusals(statuses: set[int]) -> dict[str, Any]:
    assert statuses <= set(STATUS.values())
    return {str(status): _refusal(status) for status in sorted(statuses)}
