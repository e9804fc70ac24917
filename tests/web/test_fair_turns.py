"""A client with hundreds of requests keeps nobody else from theirs. What counts is the order of turns, not the time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.requests import Request

from solvent.web.errors import Busy
from solvent.web.fair_turns import FairTurns, client_of
from web.calling import run_alone


class Server:
    """Take turns, and note who began, who was sent away, in that order."""

    def __init__(self, workers: int, room: int) -> None:
        self.turns = FairTurns(workers, room)
        self.began: list[str] = []
        self.sent_away: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def request(self, client: str, name: str) -> None:
        async def wait() -> None:
            try:
                await self.turns.take(client)
            except Busy:
                self.sent_away.append(name)
                return
            self.began.append(name)

        self.tasks[name] = asyncio.create_task(wait())
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # whoever had to make room hears of it

    async def finish(self, client: str) -> None:
        self.turns.give_back(client)
        await asyncio.sleep(0)
        await asyncio.sleep(0)


def run(check: Callable[[Server], Awaitable[None]], *, workers: int = 1, room: int = 10) -> None:
    async def alone() -> None:
        server = Server(workers, room)
        await check(server)
        for task in server.tasks.values():
            task.cancel()
        await asyncio.gather(*server.tasks.values(), return_exceptions=True)

    run_alone(alone())


def test_a_modest_client_is_next_however_many_wait_before_it():
    async def check(server: Server) -> None:
        for number in range(300):
            await server.request("greedy", f"greedy {number}")
        await server.request("modest", "modest")
        assert server.began == ["greedy 0"]
        await server.finish("greedy")
        await server.finish("modest")
        assert server.began == ["greedy 0", "modest", "greedy 1"]

    run(check, room=400)


def test_a_full_queue_makes_room_for_another_client():
    async def check(server: Server) -> None:
        for number in range(300):
            await server.request("greedy", f"greedy {number}")
        assert len(server.sent_away) == 289
        assert not server.turns.has_room("greedy")
        assert server.turns.has_room("modest")
        await server.request("modest", "modest")
        assert server.sent_away[-1] == "greedy 10"  # the latest of those who waited
        await server.finish("greedy")
        assert server.began == ["greedy 0", "modest"]

    run(check)


def test_clients_come_in_turns():
    async def check(server: Server) -> None:
        for client in "abc":
            for number in range(3):
                await server.request(client, f"{client}{number}")
        for _ in range(8):
            await server.finish(server.began[-1][0])
        assert server.began == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]

    run(check)


def test_many_clients_share_a_full_queue_evenly():
    async def check(server: Server) -> None:
        for number in range(12):
            for client in "abcde":
                await server.request(client, f"{client}{number}")
        waiting = [name for name, task in server.tasks.items() if not task.done()]
        assert len(waiting) == 10
        assert sorted(name[0] for name in waiting) == sorted("abcde" * 2)

    run(check)


def test_one_worker_is_left_to_others():
    async def check(server: Server) -> None:
        for number in range(8):
            await server.request("greedy", f"greedy {number}")
        assert len(server.began) == 3
        assert server.turns.must_wait("greedy")
        assert not server.turns.must_wait("modest")
        await server.request("modest", "modest")
        assert server.began[-1] == "modest"

    run(check, workers=4)


@pytest.mark.parametrize("workers", [1, 2])
def test_too_few_workers_to_share_are_all_used(workers: int):
    async def check(server: Server) -> None:
        for number in range(4):
            await server.request("alone", f"{number}")
        assert len(server.began) == workers

    run(check, workers=workers)


def test_who_leaves_is_forgotten_and_never_takes_a_worker():
    async def check(server: Server) -> None:
        for name in ("first", "second", "third"):
            await server.request("alone", name)
        server.tasks["second"].cancel()
        await asyncio.sleep(0)
        await server.finish("alone")
        assert server.began == ["first", "third"]
        await server.finish("alone")
        assert not server.turns.must_wait("alone")

    run(check)


def test_who_leaves_at_the_moment_of_its_turn_gives_it_on():
    async def check(server: Server) -> None:
        for name in ("first", "second", "third"):
            await server.request("alone", name)
        server.turns.give_back("alone")  # the second's turn, which it has not noticed yet
        server.tasks["second"].cancel()
        for _ in range(4):
            await asyncio.sleep(0)
        assert server.began == ["first", "third"]

    run(check)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("testclient", "testclient", True),
    ],
)
def test_what_tells_clients_apart(one: str, other: str, same: bool):
    def asked_from(host: str) -> Any:
        return client_of(Request({"type": "http", "client": (host, 1234), "headers": []}))

    assert (asked_from(one) == asked_from(other)) is same
    assert client_of(Request({"type": "http", "client": None, "headers": []})) == ""
