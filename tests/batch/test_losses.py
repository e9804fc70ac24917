"""What becomes of tasks whose worker is gone."""

from __future__ import annotations

import pytest

from batch.test_sizing import task
from solvent.batch.losses import after_loss, unread
from solvent.batch.pool import WorkerLost
from solvent.batch.records import ReadAs, Source

TASKS = [task(0), task(1), task(2)]


@pytest.mark.parametrize("kind", ["time", "memory", "died"])
def test_of_several_tasks_nobody_is_held_responsible(kind: str):
    assert after_loss(TASKS, WorkerLost(kind, "over 5 s"), {}) == (TASKS, [])


@pytest.mark.parametrize(
    ("kind", "detail", "reason"),
    [
        ("time", "over 12 s", "killed (over 12 s)"),
        ("memory", "over 400 MB", "killed (over 400 MB)"),
    ],
)
def test_a_single_task_over_its_limit_is_recorded_at_once(kind: str, detail: str, reason: str):
    retry, (outcome,) = after_loss(TASKS[:1], WorkerLost(kind, detail, 3.5), {})
    assert retry == []
    assert (outcome.verdict, outcome.cause, outcome.reason) == ("UNKNOWN", "KILLED", reason)
    assert (outcome.key, outcome.seconds, outcome.attempts) == ("key0", 3.5, 1)
    assert not outcome.certified


def test_a_death_is_forgiven_once():
    lost = WorkerLost("died", "SIGSEGV")
    assert after_loss(TASKS[:1], lost, {}) == (TASKS[:1], [])
    retry, (outcome,) = after_loss(TASKS[:1], lost, {"key0": 1})
    assert retry == []
    assert outcome.reason == "killed (worker died twice: SIGSEGV)"
    assert outcome.attempts == 2


def test_a_source_that_kills_its_reader_is_told():
    reading = unread(Source(3, "bad.txt", path="bad.txt"), WorkerLost("time", "over 60 s", 60.0))
    assert reading.read_as is ReadAs.KILLED
    assert reading.message == "killed while reading (over 60 s)"
    assert reading.instance is None
