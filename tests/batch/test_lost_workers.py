"""What becomes of tasks whose worker is gone."""

from __future__ import annotations

import pytest

from batch.test_batch_size import task
from solvent.batch.lost_workers import HardLimits, broken, killed, limit_was_raised, tries_again, unread
from solvent.batch.records import ReadAs, Source, is_traceback
from solvent.batch.workers.pool import WorkerLost

TASKS = [task(0), task(1), task(2)]
LIMITS = HardLimits(12, 400)


@pytest.mark.parametrize("kind", ["time", "memory", "died"])
def test_of_several_tasks_nobody_is_held_responsible(kind: str):
    assert tries_again(TASKS, WorkerLost(kind, "over 5 s"), 0)


@pytest.mark.parametrize(
    ("kind", "detail"),
    [
        ("time", "over 12 s"),
        ("memory", "over 400 MB"),
    ],
)
def test_a_single_task_over_its_limit_is_recorded_at_once(kind: str, detail: str):
    lost = WorkerLost(kind, detail, 3.5)
    assert not tries_again(TASKS[:1], lost, 0)
    outcome = killed(TASKS[0], lost, 1, LIMITS)
    assert (outcome.verdict, outcome.cause, outcome.detail) == ("UNKNOWN", "KILLED", detail)
    assert (outcome.key, outcome.seconds, outcome.attempts) == ("key0", 3.5, 1)
    assert not outcome.certified


def test_a_death_is_forgiven_once():
    lost = WorkerLost("died", "SIGSEGV")
    assert tries_again(TASKS[:1], lost, 0)
    assert not tries_again(TASKS[:1], lost, 1)
    outcome = killed(TASKS[0], lost, 2, LIMITS)
    assert (outcome.cause, outcome.detail) == ("KILLED", "worker died twice: SIGSEGV")
    assert outcome.attempts == 2


def test_a_source_that_kills_its_reader_is_told():
    reading = unread(Source(3, "bad.txt", path="bad.txt"), WorkerLost("time", "over 60 s", 60.0))
    assert reading.read_as is ReadAs.KILLED
    assert reading.message == "killed while reading (over 60 s)"
    assert reading.instance is None


@pytest.mark.parametrize(
    ("kind", "limits", "longer"),
    [
        ("time", LIMITS, False),
        ("time", HardLimits(10, 900), False),
        ("time", HardLimits(13, 300), True),
        ("memory", HardLimits(900, 400), False),
        ("memory", HardLimits(1, 500), True),
        ("died", HardLimits(900, 900), False),
    ],
)
def test_only_under_a_wider_limit_is_a_killed_task_worth_asking_again(kind: str, limits: HardLimits, longer: bool):
    outcome = killed(TASKS[0], WorkerLost(kind, "over 12 s"), 2, LIMITS)
    assert limit_was_raised(outcome, limits) is longer


def test_an_answer_that_nobody_killed_has_nothing_to_live_longer_for():
    assert not limit_was_raised(broken(TASKS[0], ValueError("odd")), HardLimits(1e9, 1e9))


def test_a_task_that_came_back_in_no_known_way_is_a_bug():
    outcome = broken(TASKS[0], ValueError("odd"))
    assert outcome.verdict is None
    assert is_traceback(outcome.error)
    assert "ValueError: odd" in outcome.error
