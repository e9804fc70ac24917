"""`solvent tour`: it fits a page, never waits where nobody is, and what it shows must run as written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from batch.inline_pool import InlinePool
from cli import coins
from cli.conftest import COINS_ONLY, TESTS
from helpers.command import Ran, Run
from solvent.batch import library
from solvent.cli import exits
from solvent.cli import serve as serve_module
from solvent.cli.tour import workbench
from solvent.core.answer import Verdict


@pytest.fixture(autouse=True)
def _pool_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only this process knows the coins."""
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))


SHORT = """\
Solvent: can it be solved, how, or why not? Each answer is proved and checked.

coins · two ways to pay
(4)  (4) → 4                             (4)  (4) → 4
Can the amount be paid exactly? YES.     Is there exactly one way to pay? NO.
Plan, 1 step:                            None of the 4 choices is the only one.
  take 4
  $ solvent examples coins twins | solvent solve -

coins · a purse made from a seed
(6)  (11)  (5) → 11   Can the amount be paid exactly? YES.
                      Plan, 1 step:
                        take 11
  $ solvent generate coins --coins 3 --seed 7 | solvent solve -

solvent validate FOLDER  ask about all your levels at once
solvent tour --all       see every domain at length
solvent serve            play, solve and make levels in your browser
"""


def test_the_short_tour_shows_the_stops_in_their_order(run: Run) -> None:
    assert run("tour") == Ran(0, SHORT, "")


def test_a_narrow_tour_stands_one_below_the_other(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    lines = run("tour").out.splitlines()
    assert max(len(line) for line in lines if "$" not in line) <= 40
    assert lines.count("(4)  (4) → 4") == 2


def test_in_colour_the_verdict_follows_what_is_hoped_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = run("tour").out
    assert "\x1b[1;32mYES\x1b[0m" in out
    assert "\x1b[1;31mNO\x1b[0m" in out
    assert "\x1b[33m(4)  (4)\x1b[0m → 4" in out


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Sit somebody at a desktop; returns what the workbench is started with."""
    started: list[list[str]] = []

    def serve(words: list[str], *, standalone_mode: bool) -> int:
        assert not standalone_mode
        started.append(words)
        return exits.CANCELLED

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(workbench, "has_desktop", lambda: True)
    monkeypatch.setattr(workbench.sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(serve_module.command, "main", serve)
    return started


@pytest.mark.parametrize(("key", "opens"), [("\r", True), ("\n", True), ("q", False), ("\x1b", False), ("", False)])
def test_a_key_opens_the_workbench_or_leaves(
    run: Run, monkeypatch: pytest.MonkeyPatch, desk: list[list[str]], key: str, opens: bool
) -> None:
    def getchar() -> str:
        if not key:
            raise KeyboardInterrupt
        return key

    monkeypatch.setattr("click.getchar", getchar)
    ran = run("tour")
    assert (ran.code, desk) == (0, [["--open"]] if opens else [])
    assert ran.err == "Press Enter to play, solve and make levels in your browser, any other key to leave.\n"
    assert "solvent serve" not in ran.out


@pytest.mark.parametrize("lacking", ["desktop", "keyboard", "person"])
def test_nothing_waits_where_nobody_can_answer(
    run: Run, monkeypatch: pytest.MonkeyPatch, desk: list[list[str]], lacking: str
) -> None:
    if lacking == "desktop":
        monkeypatch.setattr(workbench, "has_desktop", lambda: False)
    elif lacking == "keyboard":
        monkeypatch.setattr(workbench.sys, "stdin", SimpleNamespace(isatty=lambda: False))
    else:
        monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("click.getchar", lambda: pytest.fail("it waits for a key"))
    assert (run("tour"), desk) == (Ran(0, SHORT, ""), [])


def test_one_domain_and_all_of_them_are_two_things(run: Run) -> None:
    assert run("tour", "coins", "--all").code == 2


def test_the_tour_fits_the_page_and_ends_with_where_to_go_next(run: Run) -> None:
    ran = run("tour", "--all")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    for told in ("lunch: three coins", "unique: NO, checked", "read back, accepted again.", "A hint for lunch:"):
        assert told in ran.out
    assert "solvent domains" in ran.out[ran.out.index("where to go next") :]


def test_the_tour_shows_many_at_once_with_what_is_hoped_for(run: Run) -> None:
    out = run("tour", "--all", "--fast").out
    many = out[out.index("many at once") : out.index("where to go next")]
    expected = [example.expected["payable"] is Verdict.YES for example in coins.DOMAIN.examples()]
    row = next(line.split() for line in many.splitlines() if line.startswith("coins "))
    assert row[:4] == ["coins", "payable", str(len(expected)), str(sum(expected))]


def test_a_fast_tour_shows_one_example(run: Run) -> None:
    fast = run("tour", "coins", "--fast").out
    assert "lunch:" in fast
    assert "twins:" not in fast
    assert run("tour", "notes") == Ran(2, "", "solvent: unknown domain 'notes'; there are: coins\n")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_every_command_of_the_tour_runs_as_written(
    run: Run, coins_process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    lines = [line.strip() for words in ([], ["--all"]) for line in run("tour", *words).out.splitlines()]
    commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    assert len(commands) == 20
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "solvent").write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{COINS_ONLY}" "$@"\n')
    (tools / "solvent").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{TESTS}",
    }
    for command in commands:
        ran = subprocess.run(command, shell=True, env=environment, capture_output=True, timeout=60)
        assert ran.returncode in (0, 10), command
        assert not ran.stderr or ran.stderr.startswith(b"solvent: warning: "), command
    assert Path("picture.svg").read_text().startswith("<svg ")
