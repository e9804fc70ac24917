"""`solvent validate` as people run it: in a process of its own, with workers, signals, pipes and terminals."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from batch.hostile import install
from solvent.batch.store import Store
from solvent.batch.store.reading import newest_run, runs

PATIENCE = 60.0
"""Seconds before a test gives up; what it interrupts would take many times as long."""
START = "import sys; from solvent.cli.start import main; sys.exit(main())"
Start = Callable[..., "subprocess.Popen[bytes]"]


def _listen_to_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the command where the hostile domain is installed; whatever is left of it is ended after the test."""
    environment = install(tmp_path)
    started = []

    def start_words(*words: str, **more: int) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-c", START, "validate", *words],
            env={**environment, "TERM": "xterm", "COLUMNS": "80"},
            stdin=subprocess.PIPE,
            stdout=more.get("stdout", subprocess.PIPE),
            stderr=more.get("stderr", subprocess.PIPE),
            preexec_fn=_listen_to_ctrl_c,
        )
        started.append(process)
        return process

    yield start_words
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def levels(**texts: str) -> None:
    Path("levels").mkdir(exist_ok=True)
    for name, text in texts.items():
        Path(f"levels/{name}").write_text(f"HOSTILE {text}\n")


def finish(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, (out or b"").decode(), (err or b"").decode()


def wait_for_lines(path: str, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if Path(path).exists() and Path(path).read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"{path} never had {count} lines")


def test_hostile_instances_are_recorded_and_take_nothing_down(start: Start):
    levels(yes="yes", no="no", crash="crash", allocate="allocate", printer="print", readcrash="read-crash")
    words = ("levels", "--kill-above", "200", "--jsonl")
    code, out, _ = finish(start(*words))
    found = {line["validated"]: (line["status"], line["reason"]) for line in map(json.loads, out.splitlines())}
    assert code == 0
    assert found == {
        "levels/yes": ("PASS", None),
        "levels/no": ("FAIL", None),
        "levels/printer": ("PASS", None),
        "levels/allocate": ("UNKNOWN", "killed (over 200 MB)"),
        "levels/crash": ("UNKNOWN", "killed (worker died twice: SIGSEGV)"),
        "levels/readcrash": ("ERROR", "killed while reading (worker died twice: SIGSEGV)"),
    }


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(start: Start):
    levels(a="yes #a", b="yes #b", c="no #c", z="slow 600")
    words = ("levels", "--jobs", "2", "--jsonl", "out.jsonl")
    process = start(*words)
    wait_for_lines("out.jsonl", 3)
    process.send_signal(signal.SIGINT)
    said = "solvent: stopped; 3 answered and kept; run the same command again to go on\n"
    assert finish(process) == (130, "", said)
    with Store.open("results/validation.db", read_only=True) as store:
        assert newest_run(store).state == "interrupted"
    assert not list(Path("results").glob("*.csv"))

    levels(z="yes #z")
    ended, out, err = finish(start(*words))
    assert (ended, err) == (0, "solvent: warning: 1 answer did not pass; --strict would exit with 10\n")
    assert "4 answers in" in out
    assert "3 of them known before" in out
    with Store.open("results/validation.db", read_only=True) as store:
        assert [run.state for run in runs(store)] == ["finished"]


def test_answers_come_while_standard_input_is_still_open(start: Start):
    process = start("-", "--jsonl")
    assert process.stdin is not None
    assert process.stdout is not None
    for name in ("first", "second"):
        process.stdin.write(json.dumps({"text": "HOSTILE yes", "name": name}).encode() + b"\n")
        process.stdin.flush()
        assert select.select([process.stdout], [], [], PATIENCE)[0], f"nothing came of the {name} line"
        assert json.loads(process.stdout.readline())["validated"] == name
    assert finish(process) == (0, "", "")


def test_being_told_to_end_while_waiting_for_standard_input(start: Start):
    process = start("-", "--jsonl", "out.jsonl", "-q")
    assert process.stdin is not None
    process.stdin.write(b'"HOSTILE yes"\n')
    process.stdin.flush()
    wait_for_lines("out.jsonl", 1)
    process.send_signal(signal.SIGTERM)
    code, out, err = finish(process)
    assert (code, out) == (143, "")
    assert err == "solvent: stopped; 1 answered and kept; run the same command again to go on\n"


def test_a_closed_pipe_is_quiet(start: Start):
    levels(a="yes", z="slow 600")
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = start("levels", "--jsonl", stdout=write_end)
    os.close(write_end)
    code, _, err = finish(process)
    assert (code, err) == (141, "")


def shown_on(terminal: int) -> str:
    seen = b""
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        seen += data
    return seen.decode()


def test_a_terminal_shows_progress_and_a_pipe_shows_none(start: Start):
    levels(**{f"l{number}": f"slow 0.4 #{number}" for number in range(8)}, long="slow 2.6")
    terminal, other_end = pty.openpty()
    process = start("levels", "--json", stderr=other_end)
    os.close(other_end)
    shown = shown_on(terminal)
    os.close(terminal)
    code, out, _ = finish(process)
    assert (code, json.loads(out)["answered"]) == (0, 9)
    assert "/9" in shown
    assert "YES 8" in shown
    assert re.search(r"levels/long \d s", shown)
    assert shown.rstrip().endswith(("\x1b[2K", "\x1b[?25h"))  # the lines are gone, the cursor is back

    code, _, err = finish(start("levels", "--json"))
    assert (code, err) == (0, "")
