"""`solvent serve`: what it says, whom it lets in, how it ends."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.command import Run
from solvent.cli.serve import SHORTEST_TOKEN

Start = Callable[..., "subprocess.Popen[bytes]"]
SERVE = ("serve", "--port", "0", "--no-open")
PATIENCE = 60


@pytest.fixture
def serve(coins_process: Start) -> Iterator[Callable[..., tuple[subprocess.Popen[bytes], str]]]:
    """Start the command; return its process and what it says first."""
    started = []

    def start(*words: str) -> tuple[subprocess.Popen[bytes], str]:
        process = coins_process(*SERVE, *words)
        started.append(process)
        assert process.stdout is not None
        return process, process.stdout.readline().decode().strip()

    yield start
    for process in started:
        process.kill()
        process.communicate()


def address_in(said: str) -> str:
    assert said.startswith("Solvent is at http://")
    return said.removeprefix("Solvent is at ")


def status_of(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=PATIENCE) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_it_says_where_it_is_and_answers_there(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    _, said = serve()
    address = address_in(said)
    assert address.startswith("http://127.0.0.1:")
    assert status_of(address) == 200
    assert status_of(f"{address}api/about") == 200


def test_its_one_object_is_the_address(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    _, said = serve("--json")
    assert status_of(json.loads(said)["address"]) == 200


def test_ctrl_c_ends_it_without_noise(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    process, said = serve()
    assert status_of(address_in(said)) == 200
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert (out, err.decode().splitlines()) == (b"", ["Ctrl-C stops it.", "Stopped."])


def test_being_told_to_end_is_no_noise_either(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    process, _ = serve()
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGTERM
    assert err.decode().splitlines() == ["Ctrl-C stops it."]


def test_a_token_is_part_of_the_link_and_asked_for(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    _, said = serve("--host", "0.0.0.0", "--token", "correct-horse")
    address = address_in(said)
    assert address.endswith("/?token=correct-horse")
    local = f"http://127.0.0.1:{address.split(':')[2].split('/')[0]}/"
    assert status_of(local) == 401
    assert status_of(local, Authorization="Bearer correct-horse") == 200
    assert status_of(local, Authorization="Bearer wrong-horse") == 401


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.168.1.2", "example.org"])
def test_others_are_not_let_in_by_accident(run_process: Run, host: str) -> None:
    ran = run_process(*SERVE, "--host", host)
    assert ran.code == 2
    assert "Warning" in ran.err
    assert "--token" in ran.err
    assert ran.out == ""


def test_who_says_yes_means_it(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    _, said = serve("--host", "0.0.0.0", "--yes")
    assert "token" not in address_in(said)


@pytest.mark.parametrize(("typed", "code"), [("n\n", 2), ("\n", 2), ("y\n", None)])
def test_on_a_terminal_it_asks(coins_process: Start, tmp_path: Path, typed: str, code: int | None) -> None:
    own, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "solvent", *SERVE, "--host", "0.0.0.0"]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=tmp_path
    )
    try:
        os.write(own, typed.encode())
        assert process.stdout is not None
        assert process.stderr is not None
        said = process.stdout.readline()
        if code is None:
            assert said.startswith(b"Solvent is at ")
        else:
            assert process.wait(PATIENCE) == code
            assert b"Go on without a token?" in process.stderr.read()
    finally:
        process.kill()
        process.communicate()
        os.close(own)
        os.close(theirs)


def test_a_port_in_use_is_said(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = run("serve", "--no-open", "--port", port)
    assert ran.code == 2
    assert f"port {port}" in ran.err
    assert "in use" in ran.err
    assert "--port 0" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("host", ["256.1.1.1", "no such host", "[::1", "a" * 300, "\udcff", "127.0.0.1\0"])
def test_a_host_that_is_none_is_said(run: Run, host: str) -> None:
    ran = run(*SERVE, "--yes", "--host", host)
    assert ran.code == 2
    assert "cannot listen" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "token", ["", "short", "a" * (SHORTEST_TOKEN - 1), "with space", "umlaut-ääää", "a&b=c&d=e", "line\nbreak"]
)
def test_a_token_must_fit_into_a_link(run: Run, token: str) -> None:
    ran = run(*SERVE, "--token", token)
    assert ran.code == 2
    assert "--token" in ran.err


@pytest.mark.parametrize(
    "words", [("--port", "70000"), ("--jobs", "0"), ("--most-seconds", "0"), ("--most-seconds", "nan"), ("--nonsense",)]
)
def test_nonsense_is_refused(run: Run, words: tuple[str, ...]) -> None:
    assert run(*SERVE, *words).code == 2


def test_a_path_must_be_there(run: Run) -> None:
    ran = run(*SERVE, "nowhere/levels")
    assert ran.code == 30
    assert "nowhere/levels" in ran.err


def test_ipv6_has_brackets(serve: Callable[..., tuple[subprocess.Popen[bytes], str]]) -> None:
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    _, said = serve("--host", "::1")
    assert address_in(said).startswith("http://[::1]:")
    assert status_of(address_in(said)) == 200
