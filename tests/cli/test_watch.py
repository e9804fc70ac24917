"""`solvent validate --watch`, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.processes import wait_until

Start = Callable[..., subprocess.Popen[bytes]]
SECOND = 1_000_000_000


def write(name: str, text: str) -> None:
    """Write a file at once, so that no half of it is seen, with a time of its own."""
    part = Path(f"{name}.part")
    part.write_text(text)
    part.rename(name)


class Watching:
    """A command that watches, and the lines it wrote."""

    def __init__(self, process: subprocess.Popen[bytes], out: Path) -> None:
        self.process = process
        self.out = out

    def text(self) -> str:
        return self.out.read_text()

    def wait_for(self, line: str) -> None:
        wait_until(lambda: line in self.text() or self.process.poll() is not None, line)
        assert line in self.text(), self.text()


@pytest.fixture
def watching(coins_process: Start, tmp_path: Path) -> Iterator[Watching]:
    os.mkdir("levels")
    Path("payable.txt").rename("levels/a.txt")
    Path("unpayable.txt").rename("levels/b.txt")
    Path("solvent.toml").write_text('paths = ["levels"]\nnodes = 100000\njobs = 1\n')
    out = tmp_path / "out.txt"
    with out.open("wb") as file:
        process = coins_process("validate", "--watch", "--as", "coins", stdout=file, stderr=subprocess.STDOUT)
    watch = Watching(process, out)
    try:
        watch.wait_for("Watching 3 files; Ctrl-C ends.")
        yield watch
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_what_changes_is_validated_again(watching: Watching) -> None:
    assert "levels/b.txt  payable  FAIL\n" in watching.text()
    assert "1 PASS, 1 FAIL" in watching.text()
    write("levels/b.txt", "COINS 4 5\nPAY 9\n")
    watching.wait_for("levels/b.txt  payable  FAIL -> PASS\n")
    write("levels/c.txt", "COINS 1\nPAY 9\n")
    watching.wait_for("levels/c.txt  payable  FAIL\n")
    os.remove("levels/c.txt")
    watching.wait_for("levels/c.txt  removed (was payable FAIL)\n")
    write("levels/a.txt", "COINS 5 3 7 \nPAY 10\n")
    watching.wait_for("levels/a.txt: no verdict changed; 2 PASS\n")
    write("solvent.toml", "nods = 1\n")
    watching.wait_for("solvent.toml, line 1: unknown key 'nods'")
    write("solvent.toml", 'paths = ["levels"]\nnodes = 100000\njobs = 1\n\n[coins]\ngive_up = true\n')
    watching.wait_for("solvent.toml changed: starting again\n")
    watching.wait_for("2 UNKNOWN\n")

    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(timeout=60) == 130
    assert watching.text().endswith("solvent: stopped watching; every answer is kept\n")
    assert Path("results/validation.db").exists()
