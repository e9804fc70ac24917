"""Results as lines of JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from msgspec import structs

from batch.result_rows import not_validated, validated
from solvent.batch.exports import LINE_BEGINNING, json_line
from solvent.batch.records import ReadAs
from solvent.registry import all_domains

pytestmark = pytest.mark.usefixtures("hostile_domain")


def test_an_answer():
    result = validated(
        "NO",
        seconds=0.12345678,
        cpu_seconds=0.1,
        stats={"tries": 3, "parts": {"a": 1}},
        expanded=3,
        length=2,
        because="It says no.",
        form="word",
        peak_megabytes=1.25,
    )
    line = json_line(result)
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "validated": "a.txt",
        "domain": "hostile",
        "question": "solvable",
        "status": "FAIL",
        "verdict": "NO",
        "certified": True,
        "form": "word",
        "reason": None,
        "because": "It says no.",
        "expanded": 3,
        "length": 2,
        "seconds": 0.123457,
        "cpu_seconds": 0.1,
        "peak_megabytes": 1.25,
        "attempts": 1,
        "known": False,
        "read_as": "instance",
        "remarks": [],
        "path": "a.txt",
        "line": None,
        "size": 9,
        "hash": "f00d",
        "stats": {"tries": 3, "parts": {"a": 1}},
        "error": None,
    }


def test_every_line_has_the_same_keys():
    results = [
        validated("YES"),
        validated("UNKNOWN", cause="INCOMPLETE"),
        validated(None, error="Traceback (most recent call last):\nKeyError: 1"),
        not_validated(ReadAs.UNRECOGNISED, "a.txt: expected an instance"),
        not_validated(ReadAs.KILLED, "killed while reading (over 60 s)"),
        not_validated(ReadAs.INSTANCE),
        not_validated(ReadAs.BUG, "Traceback (most recent call last):\nKeyError: 2"),
    ]
    lines = [json.loads(json_line(result)) for result in results]
    assert len({tuple(line) for line in lines}) == 1
    assert [line["status"] for line in lines] == ["PASS", "UNKNOWN", "ERROR", None, "ERROR", None, "ERROR"]
    assert [line["reason"] for line in lines] == [
        None,
        "incomplete",
        "bug: KeyError: 1",
        "expected an instance",
        "killed while reading (over 60 s)",
        "nothing was asked",
        "bug: KeyError: 2",
    ]
    assert [line["read_as"] for line in lines[3:]] == ["unrecognised", "killed", "instance", "bug"]
    assert [line["error"] for line in lines[3:]] == [
        None,
        None,
        None,
        "Traceback (most recent call last):\nKeyError: 2",
    ]
    assert lines[2]["error"] == "Traceback (most recent call last):\nKeyError: 1"


def test_an_odd_name_is_still_json():
    odd = validated("YES")
    odd = replace(odd, reading=structs.replace(odd.reading, source=structs.replace(odd.source, path="caf\udce9.txt")))
    assert json.loads(json_line(odd))["path"] == "caf\\xe9.txt"


def test_how_lines_begin_tells_them_from_instances():
    assert json_line(validated("YES")).startswith(LINE_BEGINNING)
    for domain in all_domains():
        for example in domain.examples():
            assert not example.text.encode().startswith(LINE_BEGINNING)
