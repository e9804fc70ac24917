"""Compare what a whole process costs: the command beside a minimal script for the same file, and beside bare Python.

Processor time and peak memory are those the system counts for the process, from its start to its end. Solving is part
of it but hardly matters: the instances are small, as most questions are.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import solvent
from benchmarks.measures import SHARES

EXAMPLES = {
    "starbattle": "04_two_stars.txt",
    "harmony": "02_three_by_three.txt",
    "dungeon": "01_first_door.txt",
    "valency": "colouring.json",
}
"""The bundled instance of each domain that is asked about."""
HINTED = ("starbattle", "harmony", "dungeon")
BARE = "python -c pass"
VERDICTS = {0: "YES", 10: "NO"}
"""What the exit codes of `solvent solve` mean."""


@dataclass(frozen=True, slots=True)
class Command:
    """Hold what to start, and what to compare it with."""

    name: str
    words: tuple[str, ...]
    beside: str
    """The command whose costs are 1."""
    answers: bool = False
    """Whether its first word or its exit code says YES or NO."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Hold what one process cost."""

    seconds: float
    """Processor time."""
    megabytes: float
    """The most memory it held at once."""
    code: int
    output: str


def all_commands() -> list[Command]:
    """Return everything that is started, yardsticks included."""
    examples = {domain: Path(solvent.__file__).parent / domain / "examples" / name for domain, name in EXAMPLES.items()}
    scripts = Path(__file__).parent / "minimal"
    ours = (sys.executable, "-m", "solvent")
    commands = [
        Command(BARE, (sys.executable, "-c", "pass"), BARE),
        Command("solvent --version", (*ours, "--version"), BARE),
        Command("solvent --help", (*ours, "--help"), BARE),
    ]
    for domain, file in examples.items():
        script = f"script, {domain}"
        commands.append(
            Command(script, (sys.executable, str(scripts / f"{domain}.py"), str(file)), script, answers=True)
        )
        commands.append(Command(f"solve, {domain}", (*ours, "solve", str(file)), script, answers=True))
        if domain in HINTED:
            commands.append(Command(f"hint, {domain}", (*ours, "hint", str(file)), script))
    return commands


def measure_processes(
    rounds: int, commands: Sequence[Command] | None = None, tell: Callable[[int], None] = lambda _done: None
) -> dict[str, list[Cost]]:
    """Start every command once in each round, in turning order; a round before the first is not counted.

    It leaves the bytecode behind that an installed package has. `tell` hears after each round how many there were.
    """
    chosen = all_commands() if commands is None else commands
    costs: dict[str, list[Cost]] = {command.name: [] for command in chosen}
    with tempfile.TemporaryDirectory() as folder, _starter(Path(folder)) as start:
        for command in chosen:
            start(command.words)
        for index in range(rounds):
            for command in chosen if index % 2 == 0 else chosen[::-1]:
                costs[command.name].append(start(command.words))
            tell(index + 1)
    return costs


_STARTING = """
import os, sys
nowhere = os.open(os.devnull, os.O_RDWR)
for line in sys.stdin:
    out, err, *words = line.rstrip("\\n").split("\\0")
    files = [(os.POSIX_SPAWN_DUP2, nowhere, 0)]
    for number, name in ((1, out), (2, err)):
        files.append((os.POSIX_SPAWN_OPEN, number, name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    process = os.posix_spawn(words[0], words, os.environ, file_actions=files)
    _, status, used = os.wait4(process, 0)
    print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss, flush=True)
"""
"""A small process that starts the others: what a process holds at most is never less than what its parent holds."""


@contextmanager
def _starter(folder: Path) -> Iterator[Callable[[Sequence[str]], Cost]]:
    """Yield what starts a command and returns its cost; bytecode goes into the folder."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    out, err = folder / "out", folder / "err"
    unit = 1e6 if sys.platform == "darwin" else 1e3
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _STARTING],
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as starting:
        orders, reports = starting.stdin, starting.stdout
        assert orders is not None
        assert reports is not None

        def start(words: Sequence[str]) -> Cost:
            orders.write("\0".join([str(out), str(err), *words]) + "\n")
            orders.flush()
            code, seconds, memory = reports.readline().split()
            if int(code) not in (0, 10):
                raise RuntimeError(f"{' '.join(words)} ended with exit code {code}: {err.read_text()[-2000:]}")
            return Cost(float(seconds), float(memory) / unit, int(code), out.read_text(encoding="utf-8"))

        yield start


def report(costs: Mapping[str, Sequence[Cost]], commands: Sequence[Command] | None = None) -> dict[str, Any]:
    """Gather everything the table shows and the JSON file holds, except machine and commit."""
    chosen = all_commands() if commands is None else commands
    times = {name: _quantiles([cost.seconds for cost in found]) for name, found in costs.items()}
    return {
        "summary": [
            {
                "command": command.name,
                "beside": command.beside,
                "cpu_seconds": times[command.name],
                "megabytes": _quantiles([cost.megabytes for cost in costs[command.name]]),
                "ratio": {key: value / times[command.beside][key] for key, value in times[command.name].items()},
                "rounds": len(costs[command.name]),
            }
            for command in chosen
        ],
        "wrong": find_wrong(costs, chosen),
    }


def find_wrong(costs: Mapping[str, Sequence[Cost]], commands: Sequence[Command]) -> list[str]:
    """Return which commands did not answer what their yardstick answers."""
    said = {command.name: {_verdict(cost) for cost in costs[command.name]} for command in commands if command.answers}
    return [
        f"{command.name} said {', '.join(sorted(said[command.name]))}, {command.beside} said "
        f"{', '.join(sorted(said[command.beside]))}"
        for command in commands
        if command.answers and said[command.name] != said[command.beside]
    ]


def _verdict(cost: Cost) -> str:
    """Return what was answered: a script says it first, the command with its exit code."""
    first = cost.output.partition("\n")[0]
    return first if first in VERDICTS.values() else VERDICTS[cost.code]


def _quantiles(numbers: Sequence[float]) -> dict[str, float]:
    ordered = sorted(numbers)
    return {name: ordered[round(share * (len(ordered) - 1))] for name, share in SHARES.items()}
