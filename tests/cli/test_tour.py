"""`solvent tour`: what it shows must run as written."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from batch.inline_pool import InlinePool
from cli import coins
from cli.conftest import COINS_ONLY, TESTS
from helpers.command import Ran, Run
from solvent.batch import library
from solvent.core.answer import Verdict


@pytest.fixture(autouse=True)
def _pool_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only this process knows the coins."""
    monkeypatch.setattr(library, "open_pools", lambda settings, *, jobs=None, cluster=None: (InlinePool(), None))


def test_the_tour_fits_the_page_and_ends_with_where_to_go_next(run: Run) -> None:
    ran = run("tour")
    assert (ran.code, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    assert max(len(line) for line in ran.out.splitlines()) <= 80
    for told in ("lunch: three coins", "unique: NO, checked", "read back, accepted again.", "A hint for lunch:"):
        assert told in ran.out
    assert "solvent domains" in ran.out[ran.out.index("where to go next") :]


def test_the_tour_shows_many_at_once_with_what_is_hoped_for(run: Run) -> None:
    out = run("tour", "--fast").out
    many = out[out.index("many at once") : out.index("where to go next")]
    expected = [example.expected["payable"] is Verdict.YES for example in coins.DOMAIN.examples()]
    row = next(line.split() for line in many.splitlines() if line.startswith("coins "))
    assert row[:4] == ["coins", "payable", str(len(expected)), str(sum(expected))]


def test_a_fast_tour_shows_one_example(run: Run) -> None:
    fast = run("tour", "coins", "--fast").out
    assert "lunch:" in fast
    assert "twins:" not in fast
    assert run("tour", "notes") == Ran(2, "", "solvent: unknown domain 'notes'; there are: coins\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_every_command_of_the_tour_runs_as_written(
    run: Run, coins_process: Callable[..., subprocess.Popen[bytes]], tmp_path: Path
) -> None:
    commands = [line.strip()[2:] for line in run("tour").out.splitlines() if line.strip().startswith("$ ")]
    assert len(commands) == 18
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
        assert (ran.returncode in (0, 10), ran.stderr) == (True, b""), command
    assert Path("picture.svg").read_text().startswith("<svg ")
