"""A domain for fault tests: an instance is one line that says how to misbehave, such as `HOSTILE loop`.

    HOSTILE behaviour [amount] [#label]

Labels make instances of one behaviour differ. Whatever begins with `read-` misbehaves while it is read, `check-` while
its certificate is checked, all else while it is solved. This file stands alone: tests copy it to where it is installed.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from solvent.core.answer import Cause, Certificate, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Domain, Drawing, Option, Question, ReportColumns, Request
from solvent.core.errors import ParseError
from solvent.core.examples import Example
from solvent.proof.certificate import make_certificate

LINE = re.compile(r"HOSTILE (?P<behaviour>[a-z-]+)(?: (?P<amount>[0-9.]+))?(?: #(?P<label>\S*))?")


@dataclass(frozen=True)
class Hostility:
    behaviour: str
    amount: float = 0.0
    label: str = ""

    domain: ClassVar[str] = "hostile"

    def __str__(self) -> str:
        amount = f" {self.amount:g}" if self.amount else ""
        label = f" #{self.label}" if self.label else ""
        return f"HOSTILE {self.behaviour}{amount}{label}"


def loop(_amount: float) -> None:
    while True:
        pass


def allocate(_amount: float) -> None:
    held = []
    while True:
        held.append(bytearray(b"x") * 10_000_000)


def allocate_holding_the_gil(_amount: float) -> None:
    """Make Python multiply a text in one call, during which no other thread of this process can run."""
    held = []
    while True:
        held.append("x" * 1_000_000_000)


def hold_memory(megabytes: float) -> None:
    held = b"x" * int(megabytes * 1e6)
    time.sleep(0.2)
    del held


def hold_the_gil(_amount: float) -> None:
    re.match(r"(a|a)*b", "a" * 200)


def ignore_signals(_amount: float) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep(86_400)


def crash(_amount: float) -> None:
    ctypes.string_at(0)


def abort(_amount: float) -> None:
    os.abort()


def kill(_amount: float) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave(amount: float) -> None:
    os._exit(int(amount) or 7)


def leave_politely(amount: float) -> None:
    sys.exit(int(amount) or 7)


def bug(_amount: float) -> None:
    raise KeyError("a bug, on purpose")


class Unpicklable(Exception):
    """An exception that cannot be sent to another process."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)
        self.second = lambda: second


def unpicklable_bug(_amount: float) -> None:
    raise Unpicklable("one", "two")


def run_out_of_memory(_amount: float) -> None:
    raise MemoryError


def recurse(amount: float) -> None:
    recurse(amount + 1)


def nap(seconds: float) -> None:
    time.sleep(seconds)


def spin(milliseconds: float) -> None:
    until = time.thread_time() + milliseconds / 1000
    while time.thread_time() < until:
        pass


def speak(_amount: float) -> None:
    print("the solver prints this")  # noqa: T201  on purpose: it must not end up among the answers
    os.write(1, b"the solver writes this\n")


def read_standard_input(_amount: float) -> None:
    if os.read(0, 1):
        raise RuntimeError("a worker stole from standard input")


MISBEHAVIOURS: Mapping[str, Callable[[float], None]] = {
    "loop": loop,
    "allocate": allocate,
    "allocate-gil": allocate_holding_the_gil,
    "hold": hold_memory,
    "gil": hold_the_gil,
    "deaf": ignore_signals,
    "crash": crash,
    "abort": abort,
    "kill": kill,
    "exit": leave,
    "sys-exit": leave_politely,
    "bug": bug,
    "unpicklable": unpicklable_bug,
    "memory-error": run_out_of_memory,
    "recurse": recurse,
    "slow": nap,
    "spin": spin,
    "print": speak,
    "stdin": read_standard_input,
}
PEACEFUL = ("yes", "no", "lie", "unknown", "soft", "large", "crash-once")


class Hostile:
    def size(self, problem: Hostility) -> int:
        return len(str(problem))

    def sniff(self, text: str) -> bool:
        return text.startswith("HOSTILE")

    def parse(self, text: str) -> Hostility:
        match = LINE.fullmatch(text.strip())
        if match is None:
            raise ParseError("HOSTILE, a behaviour, perhaps an amount and a label", text.strip()[:40], line=1)
        behaviour, amount = match["behaviour"], float(match["amount"] or 0)
        stage, _, act = behaviour.partition("-")
        known = act in MISBEHAVIOURS if stage in ("read", "check") else behaviour in (*MISBEHAVIOURS, *PEACEFUL)
        if not known:
            raise ParseError("a behaviour", behaviour, line=1)
        if stage == "read":
            MISBEHAVIOURS[act](amount)
        return Hostility(behaviour, amount, match["label"] or "")

    def format(self, problem: Hostility, format: str) -> str:
        return f"{problem}\n"

    def solve(self, problem: Hostility, request: Request) -> Finding:
        behaviour, amount = problem.behaviour, problem.amount
        meter = request.budget.start()
        if behaviour in MISBEHAVIOURS:
            MISBEHAVIOURS[behaviour](amount)
        elif behaviour == "unknown":
            return Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, "told to"))
        elif behaviour == "soft":  # keeps to its budget
            while (reason := meter.stop_reason()) is None:
                meter.spend(1)
                time.sleep(0.001)
            return Finding(Verdict.UNKNOWN, reason=reason, stats={"nodes": meter.nodes})
        elif behaviour == "crash-once":  # the label names a file that remembers
            try:
                os.close(os.open(problem.label, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                crash(amount)
        reason = meter.stop_reason()
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats={"nodes": meter.nodes})
        verdict = Verdict.NO if behaviour == "no" else Verdict.YES
        word = "a lie" if behaviour == "lie" else behaviour
        body: dict[str, Any] = {"word": word}
        if behaviour == "large":  # the amount is in kilobytes
            body["padding"] = random.Random(problem.label).randbytes(int(amount * 500)).hex()
        certificate = make_certificate("hostile", request.question, verdict, "word", **body)
        stats = {"expanded": 1, "plan_length": len(behaviour), "tries": 1, "manner": request.options["manner"]}
        return Finding(verdict, certificate, because="" if verdict is Verdict.YES else "It says no.", stats=stats)

    def check(self, problem: Hostility, certificate: Certificate, meter: Meter) -> list[str]:
        stage, _, act = problem.behaviour.partition("-")
        if stage == "check":
            MISBEHAVIOURS[act](problem.amount)
        found = []
        if certificate.get("word") != problem.behaviour:
            found.append(f"expected the word {problem.behaviour!r}, found {certificate.get('word')!r}")
        if (certificate["verdict"] == "NO") != (problem.behaviour == "no"):
            found.append(f"{problem.behaviour} is not a {certificate['verdict']}")
        return found

    def draw_svg(self, problem: Hostility, drawing: Drawing) -> str:
        word = problem.behaviour
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40" width="120" height="40">'
            f'<rect width="120" height="40" fill="#fee"/><text x="8" y="25">{word}</text></svg>'
        )

    def draw_text(self, problem: Hostility, drawing: Drawing) -> str:
        return str(problem)

    def examples(self) -> Sequence[Example]:
        yes, no = Verdict.YES, Verdict.NO
        return (
            Example("yes", "says yes", "HOSTILE yes\n", {"solvable": yes, "unique": yes}),
            Example("no", "says no", "HOSTILE no\n", {"solvable": no, "unique": no}),
        )


HOSTILE = Hostile()
DOMAIN: Domain[Hostility] = Domain(
    name="hostile",
    title="Hostile: instances that misbehave on purpose",
    questions={
        "solvable": Question("Does it answer?"),
        "unique": Question("Does it answer once more?"),
    },
    formats={"hostile": "HOSTILE, a behaviour, an amount and a label"},
    sniff=HOSTILE.sniff,
    parse=HOSTILE.parse,
    format=HOSTILE.format,
    solve=HOSTILE.solve,
    solve_options=(Option("manner", "plain", "how to say it", type=str, choices=("plain", "fancy")),),
    check=HOSTILE.check,
    draw_svg=HOSTILE.draw_svg,
    draw_text=HOSTILE.draw_text,
    examples=HOSTILE.examples,
    size=HOSTILE.size,
    report_columns=ReportColumns(unit="letters", diagnostics=("tries",)),
)
