"""What a job tells while it works, and how it is asked to stop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from batch.workers import conversations
from solvent.batch.workers import launchers, messages, slots
from solvent.batch.workers.pool import LocalPool, WorkerLost

PATIENCE = 60.0
"""Seconds after which a test gives up waiting."""


@pytest.fixture
def workers() -> Iterator[LocalPool]:
    pool = LocalPool(1, make_launcher=lambda: launchers.ForkServerLauncher(preload=()))
    yield pool
    pool.close(now=True)


def test_news_come_in_order_and_before_the_result(workers: LocalPool) -> None:
    heard: list[object] = []
    job = workers.submit(conversations.count_aloud, 5, seconds=PATIENCE, hear=heard.append)
    assert job.result(PATIENCE) == "counted to 5"
    assert heard == [0, 1, 2, 3, 4]


def test_threads_of_a_job_may_talk_at_once(workers: LocalPool) -> None:
    heard: list[tuple[int, str]] = []
    workers.submit(conversations.all_talk_at_once, 4, 50, seconds=PATIENCE, hear=heard.append).result(PATIENCE)
    assert sorted(heard) == sorted((speaker, "x" * 5000) for speaker in range(4) for _ in range(50))


def test_nobody_needs_to_listen(workers: LocalPool) -> None:
    assert workers.submit(conversations.count_aloud, 3, seconds=PATIENCE).result(PATIENCE) == "counted to 3"


def test_news_that_cannot_be_sent_concern_their_own_job_only(workers: LocalPool) -> None:
    with pytest.raises(Exception, match=r"pickle|local"):
        workers.submit(conversations.tell_the_unspeakable, seconds=PATIENCE).result(PATIENCE)
    assert workers.submit(conversations.count_aloud, 1, seconds=PATIENCE).result(PATIENCE) == "counted to 1"


def test_who_listens_to_the_wish_to_stop_keeps_its_worker(workers: LocalPool) -> None:
    first = workers.submit(conversations.process_number, seconds=PATIENCE).result(PATIENCE)
    began: list[object] = []
    job = workers.submit(conversations.go_on_until_asked_to_stop, seconds=PATIENCE, hear=began.append)
    _wait_for(began)
    job.stop()
    assert job.result(PATIENCE) == "stopped in good order"
    # The wish was for that job alone.
    assert workers.submit(conversations.is_asked_to_stop, seconds=PATIENCE).result(PATIENCE) is False
    assert workers.submit(conversations.process_number, seconds=PATIENCE).result(PATIENCE) == first


def test_who_does_not_listen_is_ended(workers: LocalPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "SECONDS_TO_STOP", 0.1)
    began: list[object] = []
    job = workers.submit(conversations.go_on_whatever_is_asked, seconds=PATIENCE, hear=began.append)
    _wait_for(began)
    job.stop()
    with pytest.raises(WorkerLost) as caught:
        job.result(PATIENCE)
    assert caught.value.kind == "stopped"
    assert workers.submit(conversations.count_aloud, 1, seconds=PATIENCE).result(PATIENCE) == "counted to 1"


def test_a_job_that_waits_never_begins(workers: LocalPool) -> None:
    began: list[object] = []
    running = workers.submit(conversations.go_on_until_asked_to_stop, seconds=PATIENCE, hear=began.append)
    _wait_for(began)
    waiting = workers.submit(conversations.count_aloud, 1, seconds=PATIENCE, hear=began.append)
    waiting.stop()
    running.stop()
    running.result(PATIENCE)
    with pytest.raises(CancelledError):
        waiting.result(PATIENCE)
    workers.submit(conversations.count_aloud, 0, seconds=PATIENCE).result(PATIENCE)
    assert len(began) == 1


def test_outside_of_a_worker_nobody_listens_and_nobody_asks() -> None:
    messages.send("something")
    stopping = messages.Stopping()
    assert not stopping.requested
    stopping.cancel()
    assert stopping.requested


def _wait_for(heard: list[object]) -> None:
    until = time.monotonic() + PATIENCE
    while not heard:
        assert time.monotonic() < until
        time.sleep(0.005)
