"""The command, run in this process: away from the project, in a folder that is empty."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Ran:
    """What one run of the command left."""

    code: int
    out: str
    err: str

    @property
    def no_answer(self) -> bool:
        """Tell whether standard output holds nothing, or with `--json` what went wrong and nothing else."""
        if not self.out:
            return True
        value = json.loads(self.out)
        return list(value) == ["error"] and value["error"]["exit_code"] == self.code


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process."""
    from solvent.cli.start import main

    def run_command(*words: str) -> Ran:
        capfd.readouterr()
        code = main(words)
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return run_command


@pytest.fixture
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Make an empty folder the current one, as on a terminal of 80 columns without colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path
