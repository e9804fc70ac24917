"""Ctrl-C, closed pipes and full disks, in processes of their own."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.command import Ran

Start = Callable[..., "subprocess.Popen[bytes]"]
PATIENCE = 30.0
"""Seconds before a test gives up; the work it interrupts would take ten times as long."""


def interrupt_when_it_works(process: subprocess.Popen[bytes], started: Path) -> Ran:
    """Send Ctrl-C when the solver has begun to nap."""
    deadline = time.monotonic() + PATIENCE
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()  # or leaving the block that started it would wait for ever
        raise
    return Ran(process.returncode, out.decode(), err.decode())


def test_ctrl_c_ends_a_solver_that_listens_with_its_last_word(coins_process: Start) -> None:
    with coins_process("solve", "payable.txt", "--nap", "300", "--started", "begun", "--json") as process:
        ran = interrupt_when_it_works(process, Path("begun"))
    assert (ran.code, ran.err) == (130, "solvent: cancelled\n")
    answer = json.loads(ran.out)
    assert (answer["verdict"], answer["reason"]) == ("UNKNOWN", "cancelled")


@pytest.mark.parametrize("json_words", [[], ["--json"]])
def test_ctrl_c_does_not_wait_for_a_solver_that_does_not_listen(coins_process: Start, json_words: list[str]) -> None:
    words = ("solve", "payable.txt", "--deaf-nap", "300", "--started", "begun", *json_words)
    with coins_process(*words) as process:
        ran = interrupt_when_it_works(process, Path("begun"))
    assert ran.code == 130
    assert ran.err == "solvent: cancelled\n"
    if json_words:
        assert json.loads(ran.out)["error"]["kind"] == "cancelled"
    else:
        assert ran.out == "(5)  (3)  (7) → 10\n\n"


class InterruptedRead(io.RawIOBase):
    """Standard input where somebody presses Ctrl-C instead of typing."""

    def readable(self) -> bool:
        return True

    def readall(self) -> bytes:
        raise KeyboardInterrupt

    def readinto(self, buffer: object) -> int:
        raise KeyboardInterrupt


def test_ctrl_c_while_waiting_for_standard_input(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(InterruptedRead())))
    assert run("solve", "-") == Ran(130, "", "solvent: cancelled\n")


@pytest.mark.parametrize(
    "words", [("--help",), ("solve", "payable.txt"), ("solve", "payable.txt", "--json"), ("tour",)]
)
def test_a_closed_pipe_is_quiet(coins_process: Start, words: tuple[str, ...]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with coins_process(*words, stdout=write_end) as process:
        os.close(write_end)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize(
    "words", [("--version",), ("solve", "payable.txt"), ("convert", "payable.txt", "--to", "json")]
)
def test_a_full_disk_behind_standard_output_is_told(coins_process: Start, words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full, coins_process(*words, stdout=full) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 30
    assert err.decode().startswith("solvent: cannot write to standard output: ")
    assert err.count(b"\n") == 1


def read_terminal(terminal: int) -> str:
    """Read what was written to a terminal until nobody holds it open any more."""
    seen = b""
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        seen += data
    return seen.decode()


def test_a_terminal_shows_progress_and_a_pipe_shows_none(coins_process: Start) -> None:
    words = ("solve", "payable.txt", "--nap", "2.5", "--json")
    terminal, other_end = pty.openpty()
    with coins_process(*words, stderr=other_end) as process:
        os.close(other_end)
        shown = read_terminal(terminal)
        out, _ = process.communicate(timeout=PATIENCE)
    os.close(terminal)
    assert "napping" in shown
    assert " nodes" in shown
    assert json.loads(out)["verdict"] == "YES"

    with coins_process(*words) as process:
        _, err = process.communicate(timeout=PATIENCE)
    assert err == b""


def test_a_sign_the_terminal_lacks_becomes_a_question_mark(coins_process: Start) -> None:
    environment = {"PYTHONIOENCODING": "ascii"}
    with coins_process("solve", "payable.txt", extra_environment=environment) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"(5)  (3)  (7) ? 10\n")


def test_standard_input_of_a_real_process(run_process: Callable[..., Ran]) -> None:
    ran = run_process("convert", "-", "--to", "json", stdin=b"COINS 1\nPAY 1\n")
    assert ran == Ran(0, '{"coins": [1], "pay": 1}\n', "")
