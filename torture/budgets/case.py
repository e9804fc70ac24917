"""One case in a process of its own: make an instance, do one thing with a limit, and say what it took."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random
from typing import Any

import msgspec

import solvent
from solvent.core.errors import CertificateRejected, LimitReached
from torture.budgets.heavy import make_heavy
from torture.budgets.large import make_large


class Case(msgspec.Struct, frozen=True):
    """Say what to do."""

    domain: str
    size: int
    doing: str
    """A question, `hints`, `explain` or `check`."""
    seed: int
    seconds: float | None = None
    nodes: int | None = None
    megabytes: float | None = None
    proof: bool = True
    address_space: int | None = None
    """Megabytes that the process may grow by, as the system keeps account of it; None for any number."""


class Outcome(msgspec.Struct):
    """Say what it took, and what came of it."""

    came: str
    """The verdict, or what else happened."""
    wall: float
    cpu: float
    grown: float
    """Megabytes that the process was larger at its largest than before."""


def measure(case: Case) -> Outcome:
    """Do it, and measure only what has the limit."""
    dice = Random(case.seed)
    problem = make_large(case.domain, case.size, dice)
    work = _prepare(case, problem, dice)
    _limit_address_space(case.address_space)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu, wall = time.process_time(), time.monotonic()
    try:
        came = work()
    except (LimitReached, CertificateRejected) as error:
        came = type(error).__name__
    wall, cpu = time.monotonic() - wall, time.process_time() - cpu
    _limit_address_space(None)
    return Outcome(came, wall, cpu, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000)


def _prepare(case: Case, problem: Any, dice: Random) -> Callable[[], str]:
    limits: dict[str, Any] = {"seconds": case.seconds, "megabytes": case.megabytes}
    if case.doing == "check":
        certificate = make_heavy(problem, dice)

        def check() -> str:
            solvent.check(problem, certificate, **limits)
            return "accepted"

        return check
    # What is loaded at the first question is no part of any limit.
    solvent.ask(make_large(case.domain, 16, Random(1)), nodes=10)
    if case.doing == "hints":
        return lambda: f"{len(list(islice(solvent.hints(problem, nodes=case.nodes, **limits), 1)))} hints"
    if case.doing == "explain":
        return lambda: type(solvent.explain(problem, nodes=case.nodes, **limits)).__name__
    return lambda: str(solvent.ask(problem, case.doing, nodes=case.nodes, proof=case.proof, **limits).verdict)


def _limit_address_space(megabytes: int | None) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if megabytes is None:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        return
    with open("/proc/self/statm", encoding="ascii") as statm:
        held = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + megabytes * 1_000_000, hard))


def main(words: Sequence[str]) -> None:
    """Read a case from the command line and print the outcome, both as JSON."""
    outcome = measure(msgspec.json.decode(words[0], type=Case))
    print(json.dumps(msgspec.to_builtins(outcome)))


if __name__ == "__main__":
    main(sys.argv[1:])
