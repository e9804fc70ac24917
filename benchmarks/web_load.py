"""Many people at once: questions and hints about the bundled instances, and whether each reply is right."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import solvent
from solvent.registry import all_domains

NODES = 20_000
"""Enough for the examples, and the same on every machine."""
SECONDS = 30
"""For one question. On a machine with too much to do it waits for the processor, and that must not change an answer."""
SECONDS_TO_GIVE_UP = 600.0
MAX_SECONDS_TO_COME_BACK = 2.0


@dataclass(frozen=True, slots=True)
class Task:
    """Hold one request and what is known of its answer."""

    domain: str
    name: str
    verb: str
    body: dict[str, Any]
    expected: str | None
    """The verdict; None for hints."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold what came of a request."""

    task: Task
    status: int
    data: bytes
    seconds: float
    """Until it was answered, waiting for one's turn included."""
    turned_away: int
    """How often it was told to come back later before that."""


def all_tasks() -> list[Task]:
    """Return a question for each expected verdict of each example, and hints where there are any."""
    tasks = []
    for domain in all_domains():
        for example in domain.examples():
            about = {"text": example.text, "domain": domain.name, "nodes": NODES, "seconds": SECONDS}
            for question, verdict in example.expected.items():
                body = {**about, "question": question}
                tasks.append(Task(domain.name, example.name, "ask", body, verdict.value))
            if domain.hints is not None:
                tasks.append(Task(domain.name, example.name, "hints", {**about, "count": 2}, None))
    return tasks


def run_load(address: str, *, at_once: int, requests: int, seed: int = 0) -> list[Reply]:
    """Make so many requests, so many of them at once; who is told to come back later does."""
    chance = random.Random(seed)
    tasks = all_tasks()
    chance.shuffle(tasks)
    waiting = itertools.islice(itertools.cycle(tasks), requests)
    with ThreadPoolExecutor(1) as thread:  # whoever calls may have a loop running in its own
        return thread.submit(asyncio.run, _run(address, at_once, waiting)).result()


async def _run(address: str, at_once: int, waiting: Any) -> list[Reply]:
    replies: list[Reply] = []

    async def one_person() -> None:
        for task in waiting:
            replies.append(await _perform(address, task))

    await asyncio.gather(*(one_person() for _ in range(at_once)))
    return replies


async def _perform(address: str, task: Task) -> Reply:
    began = time.perf_counter()
    body = json.dumps(task.body).encode()
    for turned_away in itertools.count():
        status, headers, data = await _post(address, task.verb, body)
        if status != 503:
            return Reply(task, status, data, time.perf_counter() - began, turned_away)
        await asyncio.sleep(min(float(headers["retry-after"]), MAX_SECONDS_TO_COME_BACK))
    raise AssertionError


async def _post(address: str, verb: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
    """Make one request on a connection of its own; light, since the client shares the processor with the server."""
    where = urlsplit(address)
    async with asyncio.timeout(SECONDS_TO_GIVE_UP):
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        try:
            writer.write(
                f"POST /api/{verb} HTTP/1.1\r\nhost: {where.netloc}\r\nconnection: close\r\n"
                f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()
                + body
            )
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            data = await reader.read()
        finally:
            writer.close()
    return int(first.split()[1]), headers, data


def find_wrong(replies: Sequence[Reply]) -> list[str]:
    """Return a line for each reply that is not right: another verdict, no certificate, or one that is rejected."""
    wrong = []
    for reply in replies:
        why = _what_is_wrong(reply)
        if why:
            wrong.append(f"{reply.task.domain} {reply.task.name} {reply.task.verb}: {why}")
    return wrong


def _what_is_wrong(reply: Reply) -> str:
    if reply.status != 200:
        return f"status {reply.status}: {reply.data[:200]!r}"
    problem = solvent.parse(reply.task.body["text"], domain=reply.task.domain)
    said = json.loads(reply.data)
    if reply.task.verb == "hints":
        return "" if said["hints"] else "no hint and no reason for that"
    if said["verdict"] == "UNKNOWN":  # the budget in nodes decides that, so the library must say the same
        answer = solvent.ask(problem, said["question"], nodes=NODES)
        return "" if answer.verdict.value == "UNKNOWN" else f"UNKNOWN ({said['reason']}), expected {answer.verdict}"
    if said["verdict"] != reply.task.expected:
        return f"{said['verdict']}, expected {reply.task.expected}"
    try:
        solvent.check(problem, said["certificate"])
    except solvent.CertificateRejected as error:
        return str(error)
    return ""
