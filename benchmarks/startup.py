"""Compare what starting the command costs with what starting Python costs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import solvent
from benchmarks.measures import SHARES

BASE = "python -c pass"


def startup_commands(folder: Path) -> dict[str, list[str]]:
    """Return the commands to start, by name; the instance to solve is written into the folder."""
    tiny = folder / "tiny.txt"
    tiny.write_text(solvent.format(solvent.generate("harmony", rows=2, cols=2, swaps=2, seed=1)))
    script = Path(sys.executable).with_name("solvent")
    command = [str(script)] if script.exists() else [sys.executable, "-m", "solvent"]
    return {
        BASE: [sys.executable, "-c", "pass"],
        "solvent --version": [*command, "--version"],
        "solvent --help": [*command, "--help"],
        "solvent solve tiny": [*command, "solve", str(tiny)],
    }


def measure_startup(rounds: int) -> list[dict[str, Any]]:
    """Start every command once in each round, in turning order; a round before the first is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        commands = startup_commands(Path(folder))
        for words in commands.values():
            _time_command(words)
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        names = list(commands)
        for index in range(rounds):
            order = names if index % 2 == 0 else names[::-1]
            for name in order:
                seconds[name].append(_time_command(commands[name]))
    return summarise_startup(seconds)


def summarise_startup(seconds: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """Make one row for each command."""
    base = _quantiles(seconds[BASE])
    return [
        {
            "command": name,
            "seconds": _quantiles(times),
            "ratio": {key: value / base[key] for key, value in _quantiles(times).items()},
            "rounds": len(times),
        }
        for name, times in seconds.items()
    ]


def _quantiles(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {name: ordered[round(share * (len(ordered) - 1))] for name, share in SHARES.items()}


def _time_command(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return time.perf_counter() - began
