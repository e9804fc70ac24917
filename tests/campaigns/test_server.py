"""The campaign against a server: it finds nothing here, and servers that leak, lie or fail it finds."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from torture import server as campaign
from torture.campaign import Tally, Trial
from torture.server import clients, crowds
from torture.server.visit import Reply, Sent, Visit, request

from helpers.browser import end_with_us
from web.calling import serving_with

STUB = """
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

status, leak, held = int(sys.argv[1]), int(sys.argv[2]), []

class Handler(BaseHTTPRequestHandler):
    def reply(self):
        held.append(bytearray(b"x") * leak)
        self.rfile.read(int(self.headers.get("content-length", 0)))
        if status:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"{}")

    do_GET = do_POST = reply

    def log_message(self, *words):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""
"""A server that gives one reply to everything, or none, and keeps some bytes of each request."""


@contextlib.contextmanager
def stub(status: int = 200, leak: int = 0) -> Iterator[tuple[int, str]]:
    command = [sys.executable, "-c", STUB, str(status), str(leak)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=end_with_us) as process:
        assert process.stdout is not None
        try:
            yield process.pid, f"http://127.0.0.1:{process.stdout.readline().strip()}/"
        finally:
            process.kill()


def trial_of(folder: Path, rounds: int) -> Trial:
    return Trial(0, time.monotonic() + 3600, folder, max_rounds=rounds)


async def small_requests(visit: Visit, dice: Random) -> None:
    for _ in range(15):
        await visit.send(crowds.small_request(dice))


def test_a_few_rounds_find_nothing(tmp_path: Path) -> None:
    chosen = {name: campaign.ATTACKS[name] for name in ("hostile", "dropped")}
    trial = trial_of(tmp_path, 2)
    with serving_with(**campaign.SETTINGS) as (server, address):
        campaign.attack(trial, address, server.pid, chosen)
        assert server.poll() is None
    assert trial.tally.as_json()["examples"] == []
    assert trial.tally.tried > 230


@pytest.mark.deep  # `make torture` does the same
def test_every_attack_finds_nothing(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, 3 * len(campaign.ATTACKS))
    campaign.run(trial)
    assert trial.tally.as_json()["examples"] == []
    assert trial.tally.tried > 2_000


def test_a_server_that_leaks_is_found(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, 6)
    with stub(leak=1 << 20) as (process, address):
        campaign.attack(trial, address, process, {"small": (1, small_requests)})
    assert trial.tally.failures["overrun"] == 1
    assert "the server grew by" in trial.tally.examples[0]["what"]


def test_a_server_that_does_not_leak_is_not(tmp_path: Path) -> None:
    trial = trial_of(tmp_path, 6)
    with stub() as (process, address):
        campaign.attack(trial, address, process, {"small": (1, small_requests)})
    assert trial.tally.failures["overrun"] == 0


@pytest.mark.parametrize(("status", "kind"), [(500, "crashed"), (418, "wrong"), (0, "lost"), (502, "wrong")])
def test_a_server_that_fails_is_found(tmp_path: Path, status: int, kind: str) -> None:
    trial = trial_of(tmp_path, 1)
    with stub(status) as (process, address):
        campaign.attack(trial, address, process, {"small": (1, small_requests)})
    assert trial.tally.failures[kind] >= 15


def test_wrong_answers_are_found(tmp_path: Path) -> None:
    """A reply of nothing has no verdict."""
    trial = trial_of(tmp_path, 1)
    with stub(422) as (process, address):
        campaign.attack(trial, address, process, {"answers": (1, crowds.ask_questions)})
    assert trial.tally.failures["wrong"] >= 60


def test_a_server_that_serves_nobody_beside_a_flood_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "FLOOD", 5)
    trial = trial_of(tmp_path, 1)
    with stub(404) as (process, address):
        campaign.attack(trial, address, process, {"greedy": (1, crowds.flood)})
    assert any("not served beside a greedy client" in example["what"] for example in trial.tally.examples)


def test_a_server_without_room_for_a_second_client_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "FLOOD", 5)
    trial = trial_of(tmp_path, 1)
    with stub(503) as (process, address):
        campaign.attack(trial, address, process, {"greedy": (1, crowds.ask_beside_flood)})
    assert any("only question was met with 503" in example["what"] for example in trial.tally.examples)


def test_a_bug_in_a_stream_is_found() -> None:
    visit = Visit("http://127.0.0.1:9/", Tally())
    sent = Sent([request("GET", "/")])
    visit.judge(sent, Reply(200, {}, b'event: failure\ndata: {"error":{"kind":"bug","message":"x"}}\n\n'))
    visit.judge(sent, Reply(200, {}, b'{"message": "the word bug is no bug"}'))
    assert [kind for kind, _ in visit.take_faults()] == ["crashed"]


def test_growth_is_what_stays() -> None:
    held = [{"server": 50.0}, {"server": 90.0}, {"server": 55.0}, {"server": 80.0}, {"server": 70.0}]
    assert campaign.find_growth(held) == {"server": 5.0}
    assert campaign.find_growth([]) == {}
    assert campaign.find_growth([{"server": 50.0}, {"server": 40.0}]) == {"server": 0.0}


def test_the_same_dice_send_the_same() -> None:
    first, second = ([clients.hostile_request(Random(seed)) for seed in range(200)] for _ in range(2))
    assert [(sent.group, list(sent.pieces)) for sent in first] == [(sent.group, list(sent.pieces)) for sent in second]
    assert len({sent.group for sent in first}) >= 10
