from __future__ import annotations

import json

import pytest

from solvent.core.answer import Answer, Cause, Finding, Reason, Verdict


def answer(verdict: Verdict, *, certificate=None, reason=None) -> Answer:
    return Answer("lamps", "solvable", verdict, certificate, reason, {"nodes": 3}, 0.1234567)


@pytest.mark.parametrize("verdict", Verdict)
def test_a_verdict_has_no_truth_value(verdict: Verdict):
    with pytest.raises(TypeError, match=f"{verdict.value} is neither true nor false"):
        bool(verdict)
    with pytest.raises(TypeError):
        _ = "yes" if verdict else "no"
    with pytest.raises(TypeError):
        _ = not verdict


def test_there_are_three_verdicts():
    assert [str(verdict) for verdict in Verdict] == ["YES", "NO", "UNKNOWN"]


def test_a_reason_reads_as_a_phrase():
    assert str(Reason(Cause.CANCELLED)) == "cancelled"
    assert str(Reason(Cause.NODES, "limit 5")) == "out of nodes (limit 5)"


def test_an_answer_is_one_readable_line():
    assert str(answer(Verdict.YES, certificate={"form": "plan"})) == "solvable: YES, checked (plan), 0.12 s"
    assert str(answer(Verdict.NO)) == "solvable: NO, not certified, 0.12 s"
    unknown = answer(Verdict.UNKNOWN, reason=Reason(Cause.TIME, "limit 1 s"))
    assert str(unknown) == "solvable: UNKNOWN, out of time (limit 1 s), 0.12 s"


def test_certified_means_that_a_certificate_came_with_it():
    assert answer(Verdict.YES, certificate={"form": "plan"}).certified
    assert not answer(Verdict.NO).certified


def test_as_json_holds_json_values_only():
    shown = answer(Verdict.UNKNOWN, reason=Reason(Cause.MEMORY)).as_json()
    assert json.loads(json.dumps(shown)) == shown
    assert shown["verdict"] == "UNKNOWN"
    assert shown["reason"] == "out of memory"
    assert shown["certified"] is False
    assert shown["seconds"] == 0.123457


def test_answers_and_findings_cannot_be_changed():
    for thing, field in (
        (answer(Verdict.NO), "verdict"),
        (Finding(Verdict.NO), "verdict"),
        (Reason(Cause.TIME), "cause"),
    ):
        with pytest.raises(AttributeError):
            setattr(thing, field, None)
