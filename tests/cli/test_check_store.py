"""`solvent check --store`: everything in a store, in one command."""

from __future__ import annotations

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs

from batch.store.answered import keep_answers
from batch.store.making import edit
from cli import coins
from cli.coins import Purse
from helpers.command import Ran, Run
from solvent.batch.store import Store
from solvent.core.answer import Certificate

PURSES = (("lunch.txt", Purse((5, 3, 7), 10)), ("twins.txt", Purse((4, 4), 4)))


@pytest.fixture
def store() -> Path:
    """Make a store with four certificates, a verdict without one, and an answer without a verdict."""
    path = Path("validation.db")
    with Store.open(path) as opened:
        keep_answers(opened, PURSES)
        keep_answers(opened, [("short.txt", Purse((1, 2), 9))], proof=False, token="another")
        keep_answers(opened, [("hard.txt", Purse((1,), 8))], nodes=0, token="a third")
    return path


def test_a_store_that_is_accepted(run: Run, store: Path) -> None:
    before = store.read_bytes()
    ran = run("check", "--store", str(store))
    assert ran == Ran(
        0,
        "accepted: 4 of 4 certificates\n"
        "not certified: 2 verdicts, asked for without proof\n"
        "nothing to check: 2 answers without a verdict\n",
        "",
    )
    assert run("check", "--store", str(store), "--run", "1") == Ran(0, "accepted: 4 of 4 certificates\n", "")
    assert store.read_bytes() == before
    assert sorted(os.listdir()) == ["payable.txt", "unpayable.txt", "validation.db"]


def test_a_store_that_was_edited(run: Run, store: Path) -> None:
    edit(store, "UPDATE answer SET verdict = 'NO' WHERE id = 1")
    edit(store, "UPDATE answer SET certificate = x'00' WHERE id = 3")
    ran = run("check", "--store", str(store))
    assert (ran.code, ran.err) == (31, "")
    assert ran.out.startswith(
        "rejected: 2 answers\n"
        "  lunch.txt, payable NO\n"
        "    - its certificate is for the verdict 'YES', but it says 'NO'\n"
        "    - its seal does not fit: something in it was damaged or edited\n"
        "  twins.txt, payable YES\n"
        "    - its certificate is damaged: "
    )
    assert "\naccepted: 2 of 4 certificates\n" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert run("check", "--store", str(store), "--run", "2").code == 0


def test_a_table_with_a_gap(run: Run, store: Path) -> None:
    edit(store, "DELETE FROM run_answer WHERE run = 2")
    ran = run("check", "--store", str(store))
    assert (ran.code, ran.err) == (31, "")
    assert ran.out.startswith("rejected: 1 finding\n  run 2\n    - it had 2 answers, but 0 are there\naccepted: 4 of 4")


def test_as_json(run: Run, store: Path) -> None:
    ran = run("check", "--store", str(store), "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == {
        "accepted": True,
        "store": "validation.db",
        "certificates": 4,
        "accepted_certificates": 4,
        "not_certified": 2,
        "without_verdict": 2,
        "rejected": [],
        "not_checked": [],
    }
    edit(store, "UPDATE answer SET form = 'poem' WHERE id = 2")
    ran = run("check", "--store", str(store), "--json")
    told = json.loads(ran.out)
    assert (ran.code, told["accepted"], told["accepted_certificates"]) == (31, False, 3)
    (rejected,) = told["rejected"]
    assert len(rejected.pop("hash")) == 64
    assert rejected == {
        "name": "lunch.txt",
        "domain": "coins",
        "answer": 2,
        "question": "unique",
        "verdict": "YES",
        "form": "poem",
        "violations": [
            "its certificate is for the form 'plan', but it says 'poem'",
            "its seal does not fit: something in it was damaged or edited",
        ],
    }


def test_an_empty_store(run: Run) -> None:
    Store.open("empty.db").close()
    assert run("check", "--store", "empty.db") == Ran(0, "accepted: 0 of 0 certificates\n", "")


def test_what_is_no_store_is_bad_input(run: Run, store: Path) -> None:
    for name, words in (
        ("gone.db", "there is no store gone.db"),
        ("payable.txt", "payable.txt is not a store of results"),
        (".", ". is a folder, not a store of results"),
    ):
        ran = run("check", "--store", name)
        assert (ran.code, ran.out, ran.err) == (30, "", f"solvent: {words}\n")
    ran = run("check", "--store", str(store), "--run", "9")
    assert (ran.code, ran.err) == (30, "solvent: there is no run 9 in validation.db; there are: 3, 2, 1\n")
    newer = sqlite3.connect(store)
    newer.execute("PRAGMA user_version = 9")
    newer.close()
    ran = run("check", "--store", str(store))
    assert ran.code == 30
    assert "was written by a newer Solvent (store version 9; this one knows up to" in ran.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "missing argument 'FILE'"),
        (("payable.txt",), "missing argument 'CERTIFICATE'"),
        (("--store", "x.db", "payable.txt"), "--store takes the place of FILE and CERTIFICATE"),
        (("--store", "x.db", "payable.txt", "proof.json"), "--store takes the place of FILE and CERTIFICATE"),
        (("--store", "x.db", "--as", "coins"), "--as and --rule are for a FILE"),
        (("--store", "x.db", "--rule", "a=b"), "--as and --rule are for a FILE"),
        (("--run", "1", "payable.txt", "proof.json"), "--run is for a --store"),
    ],
)
def test_usage(run: Run, words: tuple[str, ...], told: str) -> None:
    ran = run("check", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"solvent: {told}")
    assert ran.err.endswith("; see 'solvent check --help'\n")


def test_help_shows_both_ways(run: Run) -> None:
    out = run("check", "--help").out
    assert "solvent check [OPTIONS] [FILE CERTIFICATE]\n" in out
    assert "--store STORE" in out


SLOW = """
import sys, time
sys.path.insert(0, sys.argv.pop(1))
import cli.coins as coins
from msgspec import structs
def slowly(problem, certificate, meter):
    open("checking", "w").close()
    time.sleep(SECONDS)
    return coins.check(problem, certificate)
coins.DOMAIN = structs.replace(coins.DOMAIN, check=slowly)
import solvent.registry as registry
registry.BUILTIN_DOMAINS = ()
registry._added_modules = lambda: {"coins": "cli.coins"}
from solvent.cli.start import main
sys.exit(main())
"""
TESTS = Path(__file__).resolve().parent.parent


def _wait_for(path: Path, process: subprocess.Popen[bytes]) -> None:
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.01)


def test_a_terminal_shows_how_far_it_is(store: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", SLOW.replace("SECONDS", "0.3"), str(TESTS), "check", "--store", str(store)],
        stdout=subprocess.PIPE,
        stderr=theirs,
    ) as process:
        try:
            os.close(theirs)
            shown = b""
            try:
                while more := os.read(ours, 65536):
                    shown += more
            except OSError:
                pass  # the end of a terminal that nobody writes to any more
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
            os.close(ours)
    assert process.returncode == 0
    assert b"checked 1 of 8" in shown or b"checked 2 of 8" in shown
    assert out.startswith(b"accepted: 4 of 4 certificates\n")


def test_ctrl_c(store: Path) -> None:
    """If it were not noticed, this would wait for the checker, which takes longer than the test may."""
    with subprocess.Popen(
        [sys.executable, "-c", SLOW.replace("SECONDS", "100"), str(TESTS), "check", "--store", str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            _wait_for(Path("checking"), process)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, b"", b"solvent: cancelled\n")


def test_a_checker_that_falls_over_is_told(run: Run, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fall_over(problem: Purse, certificate: Certificate, meter: object) -> list[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(coins, "DOMAIN", structs.replace(coins.DOMAIN, check=fall_over))
    ran = run("check", "--store", str(store))
    assert ran.code == 31
    assert ran.out.count("the checker failed: ZeroDivisionError") == 4


def test_in_a_process_of_its_own(store: Path, run_process: Run) -> None:
    """As people run it, with the coins really installed."""
    ran = run_process("check", "--store", str(store), "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["accepted"] is True
