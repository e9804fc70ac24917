"""Run the command with the coins domain installed and no other: in this process, or in one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO

import pytest

from helpers.command import Ran
from solvent import registry

TESTS = Path(__file__).resolve().parent.parent
COINS_ONLY = (
    "import sys, solvent.registry as registry; registry.BUILTIN_DOMAINS = ();"
    "from solvent.cli.start import main; sys.exit(main())"
)
PAYABLE = "COINS 5 3 7\nPAY 10\n"
UNPAYABLE = "COINS 1 2\nPAY 9\n"


@pytest.fixture(autouse=True)
def _only_coins(empty_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "BUILTIN_DOMAINS", ())
    monkeypatch.setattr(registry, "_added_modules", lambda: {"coins": "cli.coins"})
    Path("payable.txt").write_text(PAYABLE)
    Path("unpayable.txt").write_text(UNPAYABLE)


def _listen_to_ctrl_c() -> None:
    """Undo what a shell does to programs in the background: they, and all they start, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def coins_process(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Start the command in a process of its own, where coins is a package that was really installed."""
    site = tmp_path / "site"
    about = site / "coins_for_tests-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: coins-for-tests\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{registry.ENTRY_POINT_GROUP}]\ncoins = cli.coins\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(TESTS)])}

    def start(
        *words: str,
        stdout: int | IO[bytes] = subprocess.PIPE,
        stderr: int = subprocess.PIPE,
        extra_environment: Mapping[str, str] = MappingProxyType({}),
    ) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", COINS_ONLY, *words],
            env={**environment, **extra_environment},
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
            preexec_fn=_listen_to_ctrl_c,
        )

    return start


@pytest.fixture
def run_process(coins_process: Callable[..., subprocess.Popen[bytes]]) -> Callable[..., Ran]:
    """Run the command in a process of its own, to its end."""

    def run_words(*words: str, stdin: bytes = b"") -> Ran:
        with coins_process(*words) as process:
            out, err = process.communicate(stdin, timeout=60)
        return Ran(process.returncode, out.decode(), err.decode())

    return run_words
