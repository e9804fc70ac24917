"""Where an answer's subject stands: inside the text, at what its description names, and only where something fails."""

from __future__ import annotations

import re

import pytest

from conformance.cases import NAMES, answer_of
from helpers.examples import domain_named, examples_of
from solvent.core.answer import Answer, Verdict
from solvent.core.examples import Example
from solvent.core.location import Location

BUILT_IN_WITH_LOCATIONS = 4


def _lines(text: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", text)


def _cases(status: str) -> list[tuple[str, Example, str]]:
    found = []
    for name in NAMES:
        questions = domain_named(name).questions
        for example in examples_of(name):
            for question, verdict in example.expected.items():
                passes = verdict is questions[question].passing_verdict
                if passes == (status == "PASS"):
                    found.append((name, example, question))
    return found


def test_a_fail_has_locations_inside_the_text(name: str, example: Example, question: str):
    answer = answer_of(name, example.name, question)
    if answer.status != "FAIL":
        assert answer.locations == ()
        return
    lines = _lines(example.text)
    for location in answer.locations:
        assert location.description
        if location.line is not None:
            assert 1 <= location.line <= len(lines)
        if location.column is not None:
            assert location.line is not None
            assert 1 <= location.column <= len(lines[location.line - 1])


def test_what_is_known_is_written_as_json(name: str, example: Example, question: str):
    written = answer_of(name, example.name, question).as_json()
    assert written["status"] in ("PASS", "FAIL")
    assert (written["locations"] == []) or written["status"] == "FAIL"
    for location in written["locations"]:
        assert set(location) <= set(Location.__struct_fields__)
        assert None not in location.values()
        assert "" not in location.values()


@pytest.mark.parametrize("name", NAMES)
def test_examples_read_again_are_located_alike(name: str):
    domain = domain_named(name)
    for name_of_case, example, question in _cases("FAIL"):
        if name_of_case != name:
            continue
        answer = answer_of(name, example.name, question)
        bare = domain.parse(domain.format(domain.parse(example.text), next(iter(domain.formats))))
        described = [location.description for location in domain.locate(bare, answer)]
        assert described == [location.description for location in answer.locations], "it depends on the level alone"


def test_most_failing_examples_are_located():
    """A slot that is empty, or finds nothing, would pass all other tests."""
    located = {name for name, example, question in _cases("FAIL") if answer_of(name, example.name, question).locations}
    assert len(located) >= BUILT_IN_WITH_LOCATIONS


def test_an_answer_without_a_subject_has_no_locations():
    answer = Answer("coins", "payable", Verdict.NO, None, None, {}, 0.0)
    assert (answer.status, answer.locations) == ("UNKNOWN", ())
