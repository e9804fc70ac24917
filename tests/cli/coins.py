"""A domain small enough to read in a minute: can some of these coins pay the amount exactly?

Its options make it slow, quiet, wrong or broken on purpose, which no real domain would agree to.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from solvent.core.answer import Cause, Certificate, Finding, Reason, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.domain import Audit, Domain, Drawing, Generator, Hints, Option, Question, Request
from solvent.core.errors import BadOption, ParseError
from solvent.core.events import Event, Kind, Listener
from solvent.core.examples import Example, TourStop
from solvent.core.hints import Hint
from solvent.core.trial import AuditScope, Trial, TrialCount
from solvent.proof.certificate import make_certificate


@dataclass(frozen=True)
class Purse:
    coins: tuple[int, ...]
    pay: int

    domain: ClassVar[str] = "coins"


def payments(purse: Purse) -> Iterator[tuple[int, ...]]:
    for count in range(len(purse.coins) + 1):
        for chosen in itertools.combinations(range(len(purse.coins)), count):
            if sum(purse.coins[index] for index in chosen) == purse.pay:
                yield tuple(purse.coins[index] for index in chosen)


@dataclass(frozen=True)
class TooPoor:
    name: str = "too-poor"
    reason: str = "All coins together are worth less than the amount, so no choice of them reaches it."

    def is_invalid(self, purse: Purse, /) -> bool:
        return sum(purse.coins) < purse.pay


@dataclass(frozen=True)
class OddAmount:
    name: str = "odd-amount"
    reason: str = "It is said that odd amounts cannot be paid."

    def is_invalid(self, purse: Purse, /) -> bool:
        return purse.pay % 2 == 1


def sniff(text: str) -> bool:
    return text.lstrip().startswith(("COINS", '{"coins"'))


def parse(text: str) -> Purse:
    if text.lstrip().startswith("{"):
        data = json.loads(text)
        return Purse(tuple(data["coins"]), data["pay"])
    lines = text.split("\n")
    try:
        return Purse(tuple(int(word) for word in lines[0].split()[1:]), int(lines[1].removeprefix("PAY")))
    except (ValueError, IndexError):
        raise ParseError("PAY and a whole number", lines[1] if len(lines) > 1 else "", line=2) from None


def write(problem: Purse, format: str) -> str:
    if format == "json":
        return json.dumps({"coins": problem.coins, "pay": problem.pay})
    return f"COINS {' '.join(map(str, problem.coins))}\nPAY {problem.pay}\n"


def solve(problem: Purse, request: Request) -> Finding:
    options, meter = request.options, request.budget.start()
    if options["started"]:
        Path(options["started"]).touch()
    time.sleep(options["deaf_nap"])
    while meter.elapsed < options["nap"]:
        request.listen(Event(Kind.PROGRESS, "napping", int(meter.elapsed * 1000)))
        time.sleep(0.01)
        if meter.stop_reason():
            break
    if options["give_up"]:
        return Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, "told to"))
    reason = meter.stop_reason()
    if reason is not None:
        return Finding(Verdict.UNKNOWN, reason=reason)
    ways = list(payments(problem))
    holds = bool(ways) if request.question == "payable" else len(ways) == 1
    verdict = Verdict.YES if holds != options["lie"] else Verdict.NO
    stats = {
        "subsets": 2 ** len(problem.coins),
        "order": options["order"],
        "tests": {"too-poor": {"calls": 1, "hits": 0, "seconds": 0.25}},
    }
    if verdict is Verdict.NO and not request.proof:
        return Finding(verdict, stats=stats)
    if verdict is Verdict.YES:
        body: dict[str, Any] = {"plan": [f"take {coin}" for coin in (ways or [()])[0]]}
    else:
        body = {}
    form = "plan" if verdict is Verdict.YES else "all choices"
    because = "" if verdict is Verdict.YES else f"None of the {2 ** len(problem.coins)} choices is the only one."
    certificate = make_certificate("coins", request.question, verdict, form, **body)
    return Finding(verdict, certificate, because=because, stats=stats)


def check(problem: Purse, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    ways = len(list(payments(problem)))
    holds = ways > 0 if certificate["question"] == "payable" else ways == 1
    found = []
    if (certificate["verdict"] == "YES") != holds:
        found.append(f"there are {ways} ways to pay {problem.pay}")
    if certificate["verdict"] == "YES" and sum(int(step.split()[1]) for step in certificate["plan"]) != problem.pay:
        found.append("the plan pays a different amount")
    return found


def find_hints(problem: Purse, _request: Request) -> Iterator[Hint]:
    ways = list(payments(problem))
    if not ways:
        proof = make_certificate("coins", "payable", Verdict.NO, "all choices")
        tried = "Every choice of coins was tried."
        yield Hint("The amount cannot be paid.", lost=True, narrative=tried, certificate=proof)
        return
    for coin in ways[0]:
        yield Hint(f"Take the coin {coin}.", move=f"take {coin}", narrative="It is part of a payment.")


def generate(options: Mapping[str, Any], seed: int, _listen: Listener, meter: Meter) -> Purse:
    meter.book(options["coins"])
    coins = tuple((seed * 7 + index * 5) % 11 + 1 for index in range(options["coins"]))
    return Purse(coins, sum(coins[::2]))


def draw_svg(problem: Purse, drawing: Drawing) -> str:
    if drawing.move is not None and not drawing.move.startswith("take "):
        raise BadOption(f"move: expected take and a coin, found {drawing.move!r}")
    marks = len(drawing.certificate.get("plan", ())) if drawing.certificate else 0
    return f'<svg xmlns="http://www.w3.org/2000/svg"><!-- {marks} marked, move {drawing.move} --></svg>'


def draw_text(problem: Purse, drawing: Drawing) -> str:
    shown = "  ".join(f"({coin})" for coin in problem.coins)
    return f"\x1b[33m{shown}\x1b[0m → {problem.pay}" if drawing.colour else f"{shown} → {problem.pay}"


def load_examples() -> Sequence[Example]:
    yes, no = Verdict.YES, Verdict.NO
    return (
        Example(
            *("lunch", "three coins pay for lunch", "COINS 5 3 7\nPAY 10\n", {"payable": yes, "unique": yes}),
            tour=TourStop(2, ("payable",), make={"coins": "3"}, seed=7, title="a purse made from a seed"),
        ),
        Example(
            *("twins", "two ways to pay", "COINS 4 4\nPAY 4\n", {"payable": yes, "unique": no}),
            tour=TourStop(1, ("payable", "unique")),
        ),
        Example("short", "not enough money", "COINS 1 2\nPAY 9\n", {"payable": no, "unique": no}),
    )


def invalidity_tests() -> Mapping[str, Any]:
    return {test.name: test for test in (TooPoor(), OddAmount())}


def run_audit(trial: Trial[Purse], options: Mapping[str, Any]) -> Iterator[AuditScope]:
    for count in range(1, options["most"] + 1):
        trial.listen(Event(Kind.PROGRESS, f"{count} coins"))
        counted = TrialCount(trial)
        purses = [Purse(c, pay) for c in itertools.product((1, 2, 4), repeat=count) for pay in range(10)]
        solvable = [purse for purse in purses if any(True for _ in payments(purse))]
        wrong = [purse for purse in solvable if counted.fires_on_solvable(purse)]
        for purse in purses if trial.strength else ():
            if purse not in solvable:
                counted.try_unsolvable(purse)
        label = f"purses of {count} coins worth 1, 2 or 4 and amounts up to 9"
        yield counted.scope(label, write(wrong[0], "coins") if wrong else None)


DOMAIN: Domain[Purse] = Domain(
    name="coins",
    title="Coins: pay an amount exactly with some of the coins in a purse",
    questions={
        "payable": Question("Can the amount be paid exactly?"),
        "unique": Question("Is there exactly one way to pay?"),
    },
    formats={
        "coins": "COINS and their values, then PAY and the amount",
        "json": "the same in JSON",
    },
    sniff=sniff,
    parse=parse,
    format=write,
    solve=solve,
    solve_options=(
        Option("order", "small", "which coins to try first", type=str, choices=("small", "large")),
        Option("nap", 0.0, "seconds to sleep first, looking up for a cancellation", type=float, minimum=0),
        Option("deaf_nap", 0.0, "seconds to sleep first, looking up for nothing", type=float, minimum=0),
        Option("started", None, "a file to make when the nap begins", type=str),
        Option("lie", False, "claim the opposite", type=bool),
        Option("give_up", False, "say that the method cannot decide", type=bool),
    ),
    check=check,
    hints=Hints(find=find_hints),
    generator=Generator(make=generate, options=(Option("coins", 4, "coins in the purse", minimum=1, maximum=9),)),
    draw_svg=draw_svg,
    draw_text=draw_text,
    examples=load_examples,
    audit=Audit(
        tests=invalidity_tests,
        run=run_audit,
        options=(Option("most", 3, "the most coins in a purse", minimum=1, maximum=5),),
    ),
)
