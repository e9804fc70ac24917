"""Events as they come, and an end to everything when whoever asked has gone."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from batch.hostile import install
from helpers.processes import wait_until
from solvent.registry import all_domains
from solvent.web import streaming
from web.calling import (
    EVENTS,
    PATIENCE,
    an_example,
    ask_in_full,
    hold,
    post,
    read_events,
    run_alone,
    serving_with,
)

LONG = {"text": "HOSTILE soft", "seconds": 60}
"""Keeps to its budget and stops when it is asked to."""
DEAF = {"text": "HOSTILE loop", "seconds": 60}
"""Does neither."""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server with one worker, and instances that misbehave on purpose."""
    env = install(tmp_path_factory.mktemp("hostile"))
    with serving_with(env, jobs=1, quick_jobs=1, waiting=2, seconds=1.0, most_seconds=60.0) as serving:
        ask_in_full(serving[1], "ask", {"text": "HOSTILE yes"})
        yield serving


def test_the_result_comes_last_and_is_what_the_reply_would_be(workbench: str) -> None:
    body = {"text": an_example()[2], "nodes": 20_000}
    events = list(read_events(workbench, "ask", body))
    assert [name for name, _ in events].count("result") == 1
    assert events[-1][0] == "result"
    assert {name for name, _ in events[:-1]} <= {"progress"}
    whole = ask_in_full(workbench, "ask", body)
    for key in ("verdict", "certificate", "command", "python", "question"):
        assert events[-1][1][key] == whole[key]


def test_each_hint_is_told_as_soon_as_it_is_found(workbench: str) -> None:
    for domain in all_domains():
        if domain.hints is None:
            continue
        body = {"text": domain.examples()[0].text, "count": 4, "nodes": 20_000}
        events = list(read_events(workbench, "hints", body))
        told = [data for name, data in events if name == "hint"]
        assert events[-1][0] == "result"
        assert events[-1][1]["hints"] == told
        assert told


def test_a_failure_comes_as_an_event(workbench: str) -> None:
    for body in ({"text": "nonsense"}, {"text": an_example()[2], "question": "none"}):
        events = list(read_events(workbench, "ask", body))
        assert [name for name, _ in events if name != "progress"] == ["failure"]
        assert events[-1][1]["error"]["message"] == post(workbench, "ask", body).error["message"]


def test_what_makes_no_sense_is_refused_before_there_is_a_stream(workbench: str) -> None:
    reply = post(workbench, "ask", {"nonsense": 1}, accept="text/event-stream")
    assert reply.status == 400


def test_quick_verbs_have_no_stream(workbench: str) -> None:
    reply = post(workbench, "load", {"text": an_example()[2]}, accept="text/event-stream")
    assert reply.headers["content-type"] == "application/json"


def test_generating_tells_how_it_gets_on(workbench: str) -> None:
    domain = next(each for each in all_domains() if each.generator is not None)
    events = list(read_events(workbench, "generate", {"domain": domain.name, "seed": 1}))
    assert events[-1][0] == "result"
    assert all(data["kind"] and "message" in data for name, data in events if name == "progress")


def is_idle(address: str) -> bool:
    """Tell whether the only worker answers."""
    line = hold(address, "ask", {"text": "HOSTILE yes"})
    with line:
        line.settimeout(5)
        try:
            return b" 200 " in line.recv(100)
        except TimeoutError:
            return False


@pytest.mark.parametrize("accept", [{}, {"accept": EVENTS["accept"]}])
@pytest.mark.parametrize("body", [LONG, DEAF])
def test_hanging_up_stops_the_work(
    hostile: tuple[subprocess.Popen[str], str], body: dict[str, Any], accept: dict[str, str]
) -> None:
    """Its budget is a minute; the next question would have to wait for that."""
    _, address = hostile
    line = hold(address, "ask", body, **accept)
    wait_until(lambda: busy(address), "somebody is at work")
    line.close()
    wait_until(lambda: not busy(address), "nobody is at work")
    assert is_idle(address)


def busy(address: str) -> bool:
    """Tell whether the only worker is at something: a stream would begin with the word that it has to wait."""
    events = read_events(address, "ask", {"text": "HOSTILE yes"})
    first = next(events)
    events.close()  # type: ignore[attr-defined]  # a generator
    return first[0] == "progress" and first[1]["kind"] == "waiting"


def test_leaving_the_queue_leaves_no_trace(hostile: tuple[subprocess.Popen[str], str]) -> None:
    _, address = hostile
    with hold(address, "ask", LONG):
        wait_until(lambda: busy(address), "somebody is at work")
        for _ in range(20):  # many more than may wait at once
            waiting = hold(address, "ask", LONG, accept=EVENTS["accept"])
            assert b"200" in waiting.recv(1000)
            waiting.close()
            wait_until(lambda: post_busy(address) != 503, "there is room again")
    wait_until(lambda: not busy(address), "nobody is at work")


def post_busy(address: str) -> int:
    """Return the status of a stream that is not listened to."""
    line = hold(address, "ask", LONG, accept=EVENTS["accept"])
    with line:
        return int(line.recv(1000).split()[1])


def test_a_full_queue_says_so_kindly_and_recovers(hostile: tuple[subprocess.Popen[str], str]) -> None:
    _, address = hostile
    lines: list[socket.socket] = []
    try:
        for _ in range(3):  # one at work, two that wait
            lines.append(hold(address, "ask", LONG))
        wait_until(lambda: post_busy(address) == 503, "the queue is full")
        refused = post(address, "ask", {"text": "HOSTILE yes"})
        assert refused.status == 503
        assert refused.error["kind"] == "busy"
        assert "again" in refused.error["message"]
        assert int(refused.headers["retry-after"]) > 0
        streamed = post(address, "ask", {"text": "HOSTILE yes"}, accept=EVENTS["accept"])
        assert streamed.status == 503
        assert post(address, "load", {"text": "HOSTILE yes"}).status == 200  # quick work has a queue of its own
    finally:
        for line in lines:
            line.close()
    wait_until(lambda: post(address, "ask", {"text": "HOSTILE yes"}).status == 200, "it answers again")


def test_silence_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setattr(streaming, "SECONDS_OF_SILENCE", 0.01)
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def stay() -> Any:
        await asyncio.sleep(PATIENCE)

    async def work(_: Any) -> bytes:
        while len(sent) < 4:
            await asyncio.sleep(0.001)
        return b"{}"

    run_alone(streaming.EventStream(work, lambda error: None)({"type": "http"}, stay, send))
    assert b": still at it\n\n" in sent
    assert sent[-2:] == [b"event: result\ndata: {}\n\n", b""]


def test_the_domain_for_faults_is_there(hostile: tuple[subprocess.Popen[str], str], tmp_path: Path) -> None:
    assert ask_in_full(hostile[1], "load", {"text": "HOSTILE yes"})["domain"] == "hostile"
