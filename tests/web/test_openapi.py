"""The description of the API says what there is, all of it, and nothing else."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from solvent.web.openapi import field_notes
from solvent.web.schemas import STATUS, Ask
from solvent.web.verbs import VERBS
from web.calling import inside, post

DESCRIBED = inside("GET", "/api/openapi.json").json()
OPERATIONS = [(path, method, each) for path, item in DESCRIBED["paths"].items() for method, each in item.items()]


def references(value: Any) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [found for each in value.values() for found in references(each)]
    return [found for each in value for found in references(each)] if isinstance(value, list) else []


def test_every_verb_is_described_with_what_it_takes_and_gives() -> None:
    for verb in VERBS:
        operation = DESCRIBED["paths"][f"/api/{verb.name}"]["post"]
        taken = operation["requestBody"]["content"]["application/json"]["schema"]
        assert taken == {"$ref": f"#/components/schemas/{verb.takes.__name__}"}
        given = operation["responses"]["200"]["content"]
        assert ("text/event-stream" in given) == verb.streams
        assert ("application/json" in given) == (verb.gives is not None)
        assert operation["summary"] == verb.summary


def test_every_reference_leads_somewhere() -> None:
    for reference in references(DESCRIBED):
        assert reference.rpartition("/")[2] in DESCRIBED["components"]["schemas"]
    assert {"Progress", "Hinted", "Failed"} <= set(DESCRIBED["components"]["schemas"])  # what events hold as well


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=lambda value: str(value)[:40])
def test_parts_of_addresses_and_refusals_are_told(path: str, method: str, operation: dict[str, Any]) -> None:
    parts = {part.split("}")[0][1:] for part in path.split("/") if part.startswith("{")}
    told = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
    assert parts == told
    statuses = {int(status) for status in operation["responses"]} - {200}
    assert {400, 401, 403, 422, 500, 503} <= statuses <= set(STATUS.values())
    assert "Retry-After" in operation["responses"]["503"]["headers"]


def test_fields_are_described_as_in_the_source() -> None:
    schemas = DESCRIBED["components"]["schemas"]
    asked = schemas["Ask"]["properties"]
    assert asked["proof"]["description"] == field_notes(Ask)["proof"]
    assert asked["name"]["description"].startswith("What to call the file")  # from what Ask is made from
    assert asked["text"]["description"]
    assert schemas["Ask"]["additionalProperties"] is False
    assert schemas["Ask"]["required"] == ["text"]


def test_examples_in_it_work(workbench: str) -> None:
    tried = 0
    for path, method, operation in OPERATIONS:
        if method != "post":
            continue
        example = operation["requestBody"]["content"]["application/json"].get("example")
        if example is not None:
            tried += 1
            reply = post(workbench, path.removeprefix("/api/"), example)
            assert reply.status == 200 or reply.error["kind"] == "option", reply.data
    assert tried >= 5


def test_what_has_no_source_has_no_notes() -> None:
    made = msgspec.defstruct("Made", [("a", int)], module="solvent.web.nowhere")
    assert field_notes(made) == {}
    assert field_notes(int) == {}
