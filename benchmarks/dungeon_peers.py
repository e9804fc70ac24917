"""Who competes with Solvent on dungeons: Fast Downward, a general planner, on the dungeon as PDDL.

Writing the PDDL is not on the clock. Its whole call is, translating included; what it says its search alone took is
told beside it. Each plan it finds is played by Solvent's rules. As it can only be had as a process of its own, Solvent
also competes as one.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import solvent
from benchmarks.dungeon_pddl import place_of, write_pddl
from benchmarks.repeats import OVER
from solvent.core.answer import Verdict
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game

PACKAGES = {"up-fast-downward": "up_fast_downward", "fast-downward-translate": "fast_downward"}
"""What the planner needs, each with the module that shows it is there. The second half comes with the first."""
MEGABYTES = 3000


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what a contender says about one dungeon."""

    verdict: Verdict
    length: int | None = None
    """How many moves its plan or walk has."""
    shortest: bool = False
    """True if it claims that no other has fewer."""
    reason: str | None = None
    """Why the verdict is UNKNOWN."""
    wrong: str | None = None
    """What is wrong with the answer itself, whatever others say."""
    certified: bool = False
    own_seconds: float | None = None
    """What the contender says its search alone took."""
    stats: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contender:
    """Hold a name and a way to an answer."""

    name: str
    attempt: Callable[[Any, float], Any]
    """What the clock runs for, given what was prepared and the seconds it may take."""
    read: Callable[[Dungeon, Any], Outcome]
    """Turns what `attempt` returned into an outcome, off the clock."""
    question: str = "solvable"
    prepare: Callable[[Dungeon], Any] = lambda dungeon: dungeon
    """Turns the dungeon into what `attempt` wants, off the clock."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Hold how a call of the planner ended."""

    code: int | None
    """Its exit code; None if it was stopped at the limit."""
    output: str
    plan: tuple[tuple[str, ...], ...] = ()
    """The actions: name and objects."""


def fast_downward(name: str, *words: str, shortest: bool) -> Contender:
    """Return the planner with a search, given as the words of its command line."""

    def attempt(texts: tuple[str, str], seconds: float) -> Ended:
        return call_planner(texts, words, seconds)

    def read(dungeon: Dungeon, ended: Ended) -> Outcome:
        return judge(dungeon, ended, shortest=shortest)

    return Contender(name, attempt, read, prepare=write_pddl)


def call_solvent(text: str, seconds: float) -> Ended:
    """Run Solvent's own command on a dungeon as text."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "level.txt").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "solvent", "solve", "level.txt", "--json", "--seconds", str(seconds)]
        return Ended(*run_command(command, folder, seconds))


def judge_command(_dungeon: Dungeon, ended: Ended) -> Outcome:
    """Turn what Solvent's command printed into an outcome."""
    if ended.code is None:
        return Outcome(Verdict.UNKNOWN, reason=OVER)
    answer = json.loads(ended.output)
    return Outcome(
        Verdict(answer["verdict"]),
        length=answer["stats"].get("plan_length"),
        shortest=bool(answer["stats"].get("shortest", False)),
        reason=None if answer["reason"] is None else str(answer["reason"]),
        certified=answer["certified"],
        stats=answer["stats"],
    )


AS_COMMAND = Contender("as a command", call_solvent, judge_command, prepare=solvent.format)
"""Solvent with all it costs to start Python and load its kernels, as whoever solves a single dungeon has to pay it."""
BLIND, LAMA = "FD blind", "FD lama-first"
PEERS = (
    fast_downward(BLIND, "--search", "astar(blind())", shortest=True),
    fast_downward(LAMA, "--alias", "lama-first", shortest=False),
)


def is_installed() -> bool:
    """Tell whether the planner is there, without importing it: its Python side wants more than the planner does."""
    return all(find_spec(module) is not None for module in PACKAGES.values())


def peer_versions() -> dict[str, str | None]:
    """Return the versions of the planner's packages, None where one is missing."""
    versions: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    return versions


def find_driver() -> Path:
    """Return the planner's own command."""
    found = find_spec("up_fast_downward")
    if found is None or not found.submodule_search_locations:
        raise ModuleNotFoundError("up-fast-downward is not installed; Solvent's extra `bench` has it")
    return Path(next(iter(found.submodule_search_locations))) / "downward" / "fast-downward.py"


def call_planner(texts: tuple[str, str], words: Sequence[str], seconds: float) -> Ended:
    """Run the planner in a folder of its own."""
    before, after = (words, ()) if words[0] == "--alias" else ((), words)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in zip(("domain.pddl", "problem.pddl"), texts, strict=True):
            Path(folder, name).write_text(text, encoding="ascii")
        limits = ["--overall-memory-limit", f"{MEGABYTES}M", "--plan-file", "plan"]
        command = [sys.executable, str(find_driver()), *limits, *before, "domain.pddl", "problem.pddl", *after]
        code, output = run_command(command, folder, seconds)
        plan = Path(folder, "plan")
        return Ended(code, output, read_plan(plan.read_text()) if code is not None and plan.exists() else ())


def run_command(command: Sequence[str], folder: str, seconds: float) -> tuple[int | None, str]:
    """Return the exit code and the output of a command; stopped at the limit with all its children, code None."""
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return process.returncode, output


def read_plan(text: str) -> tuple[tuple[str, ...], ...]:
    """Read the actions in a plan file."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(tuple(line.strip("()").split()) for line in lines if line.startswith("("))


FOUND = range(4)
NO_PLAN = (10, 11)
INCOMPLETE = 12
OUT_OF_SOMETHING = range(20, 25)
"""The planner's exit codes, as it documents them."""


def judge(dungeon: Dungeon, ended: Ended, *, shortest: bool) -> Outcome:
    """Turn the end of a call into an outcome; raises if the planner failed, or did not understand its input."""
    if ended.code is None or ended.code in OUT_OF_SOMETHING:
        return Outcome(Verdict.UNKNOWN, reason=OVER)
    if ended.code == INCOMPLETE:
        return Outcome(Verdict.UNKNOWN, reason="found no plan, which proves nothing")
    own, stats = _own_seconds(ended.output), {"expanded": _expanded(ended.output)}
    if ended.code in NO_PLAN:
        return Outcome(Verdict.NO, own_seconds=own, stats=stats)
    if ended.code not in FOUND:
        raise RuntimeError(f"Fast Downward ended with exit code {ended.code}: {ended.output[-2000:]}")
    wrong = None if plays(dungeon, ended.plan) else "its plan cannot be played"
    return Outcome(Verdict.YES, length=len(ended.plan), shortest=shortest, wrong=wrong, own_seconds=own, stats=stats)


def plays(dungeon: Dungeon, plan: Iterable[tuple[str, ...]]) -> bool:
    """Play the places that a plan visits by Solvent's rules, and tell whether that ends on a goal."""
    game = Game(dungeon)
    states = {game.present_state()}
    for action in plan:
        place = place_of(action[2])
        after = (there for state in states for _, there in game.moves(state))
        states = {there for there in after if (game.is_won(there) if place is None else there.place == place)}
    return any(game.is_won(state) for state in states)


def _own_seconds(output: str) -> float | None:
    found = re.search(r"Search time: ([\d.e+-]+)s", output)
    return float(found[1]) if found else None


def _expanded(output: str) -> int:
    found = re.search(r"Expanded (\d+) state", output)
    return int(found[1]) if found else 0
