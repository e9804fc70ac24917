"""Choose cases, run each in a process of its own, and see whether the limit was kept."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from random import Random

import msgspec

from solvent.registry import get_domain
from torture.budgets.case import Case, Outcome
from torture.budgets.large import SIZES
from torture.campaign import Trial

ALLOWED_SECONDS = 0.25
ALLOWED_PART = 0.05
"""How far past a limit of time one may go: so many seconds, and this part of the limit."""
PREPARATION_SECONDS = 10.0
PREPARATION_SECONDS_A_CELL = 30e-6
"""With a limit of nodes there is none of time; but beyond reading the instance there is little to do."""
MOST_NODES = 2_000
HUNG_SECONDS = 60.0
"""Wall-clock time, the making of the instance included, after which a case is ended."""


def run(trial: Trial, measure: Callable[[Case], Outcome | str] | None = None) -> None:
    """Run case after case."""
    measure = measure or run_case
    for dice in trial.rounds():
        case = choose(dice)
        outcome = measure(case)
        judge(trial, case, outcome)


def choose(dice: Random) -> Case:
    """Choose what to do, on what, and within which limit."""
    domain = dice.choice(list(SIZES))
    known = get_domain(domain)
    doings = [*known.questions, *known.questions, "check"]
    doings += ["hints"] if known.hints is not None else []
    doings += ["explain"] if known.explain is not None else []
    case = Case(
        domain, dice.choice(SIZES[domain]), dice.choice(doings), dice.randrange(10**6), proof=dice.random() < 0.7
    )
    limit = dice.random()
    seconds = round(dice.choice((0.05, 0.1, 0.5, 1.0, 2.0, 5.0)) * dice.uniform(0.6, 1.0), 3)
    if limit < 0.12 and case.doing != "check":
        return msgspec.structs.replace(case, nodes=dice.choice((1, 100, 1_000, MOST_NODES)))
    if limit < 0.24:
        return msgspec.structs.replace(case, seconds=seconds, megabytes=dice.choice((1.0, 10.0, 50.0, 200.0)))
    if limit < 0.36:
        # Below some 30 MB even Python's own pieces may not fit; the time is limited too, so that every case ends.
        return msgspec.structs.replace(case, seconds=5.0, address_space=dice.choice((30, 60, 120, 300)))
    return msgspec.structs.replace(case, seconds=seconds)


def command(case: Case) -> list[str]:
    """Return the command that runs a case."""
    return [sys.executable, "-m", "torture.budgets.case", msgspec.json.encode(_said(case)).decode()]


def _said(case: Case) -> dict[str, object]:
    return {name: value for name, value in msgspec.structs.asdict(case).items() if value is not None}


def run_case(case: Case) -> Outcome | str:
    """Return the outcome, or how the process ended without one."""
    try:
        ended = subprocess.run(command(case), capture_output=True, timeout=HUNG_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "hung"
    if ended.returncode:
        return f"ended with {ended.returncode}: {ended.stderr.decode('utf-8', 'replace')[-3000:]}"
    return msgspec.json.decode(ended.stdout.splitlines()[-1], type=Outcome)


def judge(trial: Trial, case: Case, outcome: Outcome | str) -> None:
    """Count the case, measure it, and keep it if the limit was not."""
    tally = trial.tally
    limit = (
        "address space"
        if case.address_space
        else "nodes"
        if case.nodes
        else "megabytes"
        if case.megabytes
        else "seconds"
    )
    tally.count(f"{case.domain}/{case.doing}/{limit}")
    words = shlex.join(["python", *command(case)[1:]])
    if isinstance(outcome, str):
        kind = "hung" if outcome == "hung" else "crashed"
        tally.fail(kind, f"{case.domain} {case.doing} with {case.size:,} cells: {outcome}", words)
        return
    tally.accept(f"{case.domain}/{case.doing}/{outcome.came}")
    what = f"{case.domain}|{case.doing}|{case.size}"
    if case.megabytes is not None:
        tally.measure(f"megabytes past|{what}", outcome.grown - case.megabytes)
    if case.seconds is None:
        tally.measure(f"seconds with a limit of nodes|{what}", outcome.cpu)
        if outcome.cpu > PREPARATION_SECONDS + PREPARATION_SECONDS_A_CELL * case.size:
            took = f"{case.nodes:,} nodes took {outcome.cpu:.1f} s of CPU time"
            tally.fail("overrun", f"{case.domain} {case.doing} with {case.size:,} cells: {took}", words)
        return
    past_wall, past_cpu = outcome.wall - case.seconds, outcome.cpu - case.seconds
    tally.measure(f"seconds past|{what}", past_wall)
    tally.measure(f"CPU seconds past|{what}", past_cpu)
    if min(past_wall, past_cpu) > ALLOWED_SECONDS + ALLOWED_PART * case.seconds:
        past = f"{past_wall:.2f} s past a limit of {case.seconds} s ({past_cpu:.2f} s of CPU time), came {outcome.came}"
        tally.fail("overrun", f"{case.domain} {case.doing} with {case.size:,} cells: {past}", words)
