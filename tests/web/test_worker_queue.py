"""Workers that are lost, loop or eat memory: it is told, and the next request is answered."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest

from batch.hostile import install
from helpers.processes import descendants, is_alive, wait_until
from solvent.web.errors import Busy, Refusal
from solvent.web.worker_queue import WorkerQueue
from web.calling import hold, post, run_alone, serving_with


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server that gives instances little, with some that misbehave on purpose."""
    env = install(tmp_path_factory.mktemp("hostile"))
    limits: dict[str, Any] = {"jobs": 1, "quick_jobs": 1, "seconds": 0.5, "most_seconds": 0.5, "seconds_beside": 0.5}
    with serving_with(env, **limits, quick_seconds=1.0, megabytes=50.0) as serving:
        ask_until_answered(serving[1], "ask", {"text": "HOSTILE yes"})  # waits until all kernels are loaded
        yield serving


def ask_until_answered(address: str, verb: str, body: object) -> Any:
    """Ask until it is answered: a busy machine may need longer for any request than these have, and end it too."""
    replies = []

    def is_answered() -> bool:
        replies.append(post(address, verb, body))
        assert replies[-1].status == 200 or replies[-1].error["kind"] == "killed", replies[-1].data[:500]
        return replies[-1].status == 200

    wait_until(is_answered, "it answers again")
    return replies[-1].json


@pytest.mark.parametrize("behaviour", ["loop", "gil", "deaf", "allocate", "allocate-gil", "check-loop"])
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_what_takes_too_much_is_ended_and_told(
    hostile: tuple[subprocess.Popen[str], str], behaviour: str, accept: str
) -> None:
    _, address = hostile
    reply = post(address, "ask", {"text": f"HOSTILE {behaviour}"}, accept=accept)
    if accept == "application/json":
        assert reply.status == 422
        assert reply.error["kind"] == "killed"
        assert "over" in reply.error["message"]
    else:
        assert b"event: failure" in reply.data
        assert b'"killed"' in reply.data
    assert ask_until_answered(address, "ask", {"text": "HOSTILE yes"})["verdict"] == "YES"


@pytest.mark.parametrize("behaviour", ["kill", "crash", "abort", "exit 3", "sys-exit 3"])
def test_a_worker_that_dies_takes_nothing_with_it(hostile: tuple[subprocess.Popen[str], str], behaviour: str) -> None:
    _, address = hostile
    reply = post(address, "ask", {"text": f"HOSTILE {behaviour}"})
    assert reply.status == 422
    assert reply.error["kind"] == "killed"
    assert ask_until_answered(address, "ask", {"text": "HOSTILE no"})["verdict"] == "NO"


def test_a_want_of_memory_is_an_unknown(hostile: tuple[subprocess.Popen[str], str]) -> None:
    _, address = hostile
    answer = ask_until_answered(address, "ask", {"text": "HOSTILE memory-error"})
    assert (answer["verdict"], answer["reason"]) == ("UNKNOWN", "out of memory (the machine has no more)")


@pytest.mark.parametrize("behaviour", ["bug", "unpicklable", "lie", "check-bug"])
def test_a_bug_is_a_bug(hostile: tuple[subprocess.Popen[str], str], behaviour: str) -> None:
    _, address = hostile
    reply = post(address, "ask", {"text": f"HOSTILE {behaviour}"})
    assert reply.status == 500
    assert reply.error["kind"] == "bug"
    assert "on purpose" not in reply.error["message"]
    assert ask_until_answered(address, "ask", {"text": "HOSTILE no"})["verdict"] == "NO"


@pytest.mark.parametrize(
    "behaviour", ["read-loop", "read-kill", "read-allocate", "read-recurse", "read-print", "read-stdin"]
)
def test_reading_is_guarded_like_everything_else(hostile: tuple[subprocess.Popen[str], str], behaviour: str) -> None:
    _, address = hostile
    reply = post(address, "load", {"text": f"HOSTILE {behaviour}"})
    assert reply.status in (200, 422)
    assert ask_until_answered(address, "load", {"text": "HOSTILE yes"})["domain"] == "hostile"


def test_a_worker_killed_in_the_middle_is_replaced(hostile: tuple[subprocess.Popen[str], str]) -> None:
    server, address = hostile
    before = descendants(server.pid)
    with hold(address, "ask", {"text": "HOSTILE slow 0.9"}) as line:
        time.sleep(0.1)
        newest = max(before)  # a fork server is older than its workers; killing one must not matter either
        os.kill(newest, signal.SIGKILL)
        assert b"HTTP/1.1 " in line.recv(100)
    wait_until(lambda: post(address, "ask", {"text": "HOSTILE yes"}).status == 200, "it answers again")
    assert server.poll() is None


def test_without_workers_at_all_new_ones_are_started(hostile: tuple[subprocess.Popen[str], str]) -> None:
    server, address = hostile
    doomed = descendants(server.pid)
    for process in doomed:
        if is_alive(process):
            os.kill(process, signal.SIGKILL)
    wait_until(lambda: post(address, "load", {"text": "HOSTILE yes"}).status == 200, "it reads again")
    wait_until(lambda: post(address, "ask", {"text": "HOSTILE yes"}).status == 200, "it answers again")
    assert not doomed & {process for process in descendants(server.pid) if is_alive(process)}


def run_queue(check: Any, **how: Any) -> None:
    async def run() -> None:
        queue = WorkerQueue(how.get("workers", 1), how.get("waiting", 1), 1000.0)
        try:
            await check(queue)
        finally:
            queue.close()

    run_alone(run())


def test_a_queue_is_full_when_nobody_more_may_wait() -> None:
    async def check(queue: WorkerQueue) -> None:
        first = asyncio.create_task(queue.run(time.sleep, 60, seconds=100))
        second = asyncio.create_task(queue.run(os.getpid, seconds=100))
        await asyncio.sleep(0)
        assert (queue.is_busy(), queue.is_full(), queue.running) == (True, True, 1)
        with pytest.raises(Busy):
            await queue.run(os.getpid, seconds=100)
        first.cancel()
        assert await second != os.getpid()
        assert await asyncio.gather(first, return_exceptions=True) != [None]
        assert not queue.is_full()

    run_queue(check)


def test_who_leaves_the_queue_makes_room() -> None:
    async def check(queue: WorkerQueue) -> None:
        first = asyncio.create_task(queue.run(time.sleep, 60, seconds=100))
        await asyncio.sleep(0)
        for _ in range(5):
            waiting = asyncio.create_task(queue.run(time.sleep, 60, seconds=100))
            await asyncio.sleep(0)
            assert queue.is_full()
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert not queue.is_full()
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        assert await queue.run(os.getpid, seconds=100) > 0

    run_queue(check)


def test_closing_tells_those_who_wait() -> None:
    async def check(queue: WorkerQueue) -> None:
        tasks = [asyncio.create_task(queue.run(time.sleep, 60, seconds=100)) for _ in range(2)]
        await asyncio.sleep(0)
        queue.close()
        told = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(each, Refusal) and each.failure.kind == "busy" for each in told), told
        with pytest.raises(Busy):
            await queue.run(os.getpid, seconds=100)

    run_queue(check)


def test_what_a_job_raises_comes_as_it_is() -> None:
    async def check(queue: WorkerQueue) -> None:
        with pytest.raises(ValueError, match="invalid literal"):
            await queue.run(int, "nonsense", seconds=100)
        assert await queue.run(int, "7", seconds=100) == 7

    run_queue(check)
