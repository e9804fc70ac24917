"""How a server begins and ends, and that nothing of it is left behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from batch.hostile import install
from helpers.marks import slow
from helpers.processes import descendants, is_alive, wait_until
from solvent.core.errors import BadOption
from solvent.web.serving import address_of, open_port
from solvent.web.settings import Settings
from web.calling import (
    EVENTS,
    PATIENCE,
    ask_in_full,
    call,
    hold,
    serving_with,
)


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with serving_with(install(tmp_path), jobs=2, quick_jobs=1) as serving:
        ask_in_full(serving[1], "ask", {"text": "HOSTILE yes"})
        ask_in_full(serving[1], "load", {"text": "HOSTILE yes"})
        yield serving


def busy(address: str, behaviour: str) -> list[socket.socket]:
    """Have all workers busy, some listened to, and one request waiting for its body."""
    lines = [
        hold(address, "ask", {"text": f"HOSTILE {behaviour}", "seconds": 60}),
        hold(address, "ask", {"text": f"HOSTILE {behaviour}", "seconds": 60}, accept=EVENTS["accept"]),
        hold(address, "ask", {"text": "HOSTILE yes"}, accept=EVENTS["accept"]),
        hold(address, "ask", {"text": "HOSTILE yes"}),
    ]
    lines.append(socket.create_connection(lines[0].getpeername(), timeout=PATIENCE))
    lines[-1].sendall(
        b"POST /api/load HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n"
    )
    assert b"200" in lines[1].recv(1000)
    return lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "behaviour"),
    [
        (signal.SIGINT, "soft"),
        (signal.SIGTERM, "loop"),
        (signal.SIGKILL, "loop"),
        *slow([(signal.SIGINT, "loop"), (signal.SIGTERM, "soft"), (signal.SIGKILL, "soft")]),
    ],
)
def test_no_worker_outlives_the_server(
    hostile: tuple[subprocess.Popen[str], str], how: signal.Signals, behaviour: str
) -> None:
    server, address = hostile
    workers = descendants(server.pid)
    assert len(workers) >= 4  # two of each queue: who has the workers, and a worker
    lines = busy(address, behaviour)
    workers |= descendants(server.pid)
    server.send_signal(how)
    server.wait(PATIENCE)
    wait_until(lambda: not any(map(is_alive, workers)), "all workers are gone")
    for line in lines:
        line.close()


def test_who_waits_is_told_that_it_ends(tmp_path: Path) -> None:
    with serving_with(install(tmp_path), jobs=1, quick_jobs=1) as (server, address):
        ask_in_full(address, "ask", {"text": "HOSTILE yes"})
        running = hold(address, "ask", {"text": "HOSTILE loop", "seconds": 60})
        waiting = hold(address, "ask", {"text": "HOSTILE yes", "seconds": 60}, accept=EVENTS["accept"])
        assert b"200" in waiting.recv(1000)
        server.send_signal(signal.SIGINT)
        assert b" 503 " in running.recv(1000)
        heard = b""
        while piece := waiting.recv(1000):
            heard += piece
        assert b"event: failure" in heard
        assert b"being stopped" in heard


def test_killed_while_it_gets_ready_it_leaves_nothing_behind() -> None:
    with serving_with(jobs=1, quick_jobs=1) as (server, address):
        assert call(address, "GET", "/api/about").status == 200
        wait_until(lambda: len(descendants(server.pid)) >= 2, "workers are being started")
        workers = descendants(server.pid)
        os.kill(server.pid, signal.SIGKILL)
        server.wait(PATIENCE)
        wait_until(lambda: not any(map(is_alive, workers)), "all workers are gone")


def test_the_page_is_there_while_it_gets_ready() -> None:
    with serving_with(jobs=1, quick_jobs=1) as (_, address):
        for path in ("/", "/static/app.js", "/api/about", "/api/examples"):
            assert call(address, "GET", path).status == 200


def test_a_port_is_taken_once() -> None:
    first = open_port(Settings(port=0))
    with first:
        port = first.getsockname()[1]
        with pytest.raises(BadOption, match=f"127.0.0.1 port {port}: .*in use"):
            open_port(Settings(port=port))


@pytest.mark.parametrize("host", ["256.0.0.1", "no such host", "", "[::1", "x" * 300])
def test_a_host_that_is_none_is_refused(host: str) -> None:
    if host == "":
        open_port(
            Settings(host="", port=0)
        ).close()  # all addresses of this machine, as a token or consent is asked for
        assert not Settings(host="").is_local
        return
    with pytest.raises(BadOption, match="cannot listen"):
        open_port(Settings(host=host, port=0))


def test_the_address_can_be_opened() -> None:
    with open_port(Settings(port=0)) as port:
        number = port.getsockname()[1]
        assert address_of(Settings(), port) == f"http://127.0.0.1:{number}/"
        assert address_of(Settings(token="a-b-c-d-e"), port) == f"http://127.0.0.1:{number}/?token=a-b-c-d-e"
        assert address_of(Settings(host="::1"), port) == f"http://[::1]:{number}/"
        assert address_of(Settings(host="0.0.0.0"), port) == f"http://{socket.gethostname()}:{number}/"
