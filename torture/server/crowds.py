"""Many clients at once: questions with right answers, hundreds of connections, and one that wants everything."""

from __future__ import annotations

import asyncio
import functools
from random import Random

from benchmarks.web_load import find_wrong, run_load

import solvent
from solvent.reading import format_problem
from solvent.registry import all_domains
from torture.server.visit import PATIENCE, Reply, Sent, Visit, post, read_reply, request

CROWD = 500
"""Connections at the same time."""
FLOOD = 120
"""Long questions at the same time from one client."""
POLITE = "127.0.0.2"
"""Another address of this machine, for a client that is not the greedy one."""


async def ask_questions(visit: Visit, dice: Random) -> None:
    """Have many questions answered, and check every certificate."""
    number = dice.randint(60, 160)
    load = functools.partial(
        run_load, visit.address, at_once=dice.randint(4, 60), requests=number, seed=dice.randrange(10**6)
    )
    replies = await asyncio.to_thread(load)
    visit.count("questions and hints, each answer checked", len(replies))
    if len(replies) != number:
        visit.fault("lost", f"{number - len(replies)} of {number} questions have no reply")
    for wrong in find_wrong(replies):
        visit.fault("wrong", wrong)


async def connect_at_once(visit: Visit, dice: Random) -> None:
    """Open hundreds of connections, and only then send on all of them."""
    await connect_many(visit, dice, CROWD)


async def connect_many(visit: Visit, dice: Random, number: int) -> None:
    """Do the same with so many."""
    opened = asyncio.Semaphore(64)  # the queue of connections that wait to be accepted has an end
    everybody = asyncio.Event()
    waiting = number

    async def one(sent: Sent) -> Reply:
        nonlocal waiting
        async with opened:
            reader, writer = await visit.connect()
        waiting -= 1
        if not waiting:
            everybody.set()
        await everybody.wait()
        visit.count(sent.group)
        try:
            async with asyncio.timeout(PATIENCE):
                reply = await visit.exchange(reader, writer, sent)
        finally:
            writer.close()
        visit.judge(sent, reply)
        return reply

    replies = await asyncio.gather(*(one(small_request(dice)) for _ in range(number)))
    answered = sum(reply.status == 200 for reply in replies)
    if not answered:
        visit.fault("lost", f"none of {number} connections at once was answered")


def small_request(dice: Random) -> Sent:
    """Return something that the page asks for."""
    if dice.random() < 0.7:
        path = dice.choice(["/", "/static/app.js", "/api/about", "/api/examples", "/api/openapi.json"])
        return Sent([request("GET", path)], group="at once: a page or file")
    domain = dice.choice(list(all_domains()))
    text = min((example.text for example in domain.examples()), key=len)
    verb = dice.choice(["load", "draw", "format"])
    return Sent([post(verb, {"text": text, "domain": domain.name})], group="at once: an instance read or drawn")


@functools.cache
def long_question() -> dict[str, object]:
    """Return a question that takes as long as it is given."""
    board = solvent.generate("harmony", rows=9, cols=9, swaps=200, seed=1)
    return {"text": format_problem(board), "domain": "harmony", "seconds": 5}


async def flood(visit: Visit, dice: Random) -> None:
    """Let one client ask long questions without end, while another makes small requests; those are answered."""
    greedy = [asyncio.ensure_future(_ask_without_end(visit)) for _ in range(FLOOD)]
    try:
        await asyncio.sleep(1.0)
        for _ in range(12):
            await _until_served(visit, small_request(dice))
    finally:
        for each in greedy:
            each.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)
    # Whoever hung up has its work stopped, so that the next question finds a worker.
    await _until_served(visit, small_question(dice, "question after a flood"))


async def ask_beside_flood(visit: Visit, dice: Random) -> None:
    """The same, and the other client's questions are answered too: there is room and a turn for each client."""
    greedy = [asyncio.ensure_future(_ask_without_end(visit)) for _ in range(FLOOD)]
    try:
        await asyncio.sleep(1.0)
        for _ in range(2):
            reply = await visit.send(small_question(dice, "question beside a flood"), source=POLITE)
            if reply.status != 200:
                visit.fault("lost", f"a client's only question was met with {reply.status} beside a greedy client")
    finally:
        for each in greedy:
            each.cancel()
        await asyncio.gather(*greedy, return_exceptions=True)


async def _ask_without_end(visit: Visit) -> None:
    """Ask a long question again as soon as it was answered or refused; whoever is cancelled hangs up."""
    while True:
        reader, writer = await visit.connect()
        try:
            writer.write(post("ask", long_question()))
            visit.count("long questions of a greedy client")
            await read_reply(reader)
        finally:
            writer.close()
        await asyncio.sleep(2.0)


def small_question(dice: Random, group: str) -> Sent:
    """Return a question that takes no time."""
    domain = dice.choice(list(all_domains()))
    return Sent([post("ask", {"text": domain.examples()[0].text, "domain": domain.name})], group=group)


async def _until_served(visit: Visit, sent: Sent) -> Reply:
    """Come back as long as the server says that it has too much to do; it must not say so for ever."""
    for _ in range(120):
        reply = await visit.send(sent, source=POLITE)
        if reply.status != 503:
            break
        await asyncio.sleep(0.5)
    if reply.status != 200:
        visit.fault("lost", f"{sent.group}: not served beside a greedy client: {reply.status}")
    return reply
