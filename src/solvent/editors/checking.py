"""Ask about a file what an editor asks on save, and say what was found, in few lines."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from solvent import asking
from solvent.core.answer import Answer
from solvent.core.budget import Budget
from solvent.core.domain import Domain
from solvent.core.errors import unknown_name
from solvent.core.location import Location
from solvent.registry import domain_of

EVERY = "all"
"""The word that stands for every question."""


class Check(Struct, frozen=True):
    """Hold the answers about one file."""

    domain: str
    answers: Sequence[Answer]
    remarks: Sequence[str] = ()

    @property
    def status(self) -> str:
        """Return FAIL if any answer is, else UNKNOWN if any is, else PASS."""
        found = {answer.status for answer in self.answers}
        return next((status for status in ("FAIL", "UNKNOWN") if status in found), "PASS")

    def as_json(self) -> dict[str, Any]:
        """Return what editors read, without certificates."""
        return {
            "domain": self.domain,
            "status": self.status,
            "answers": [
                {
                    "question": answer.question,
                    "verdict": answer.verdict.value,
                    "status": answer.status,
                    "message": describe(answer),
                    "seconds": round(answer.seconds, 3),
                    "locations": [location.as_json() for location in answer.locations],
                }
                for answer in self.answers
            ],
            "remarks": list(self.remarks),
        }


def choose_questions(domain: Domain[Any], named: Sequence[str]) -> list[str]:
    """Return the questions named, those that the domain has for editors if there are none, or every one for `all`."""
    if EVERY in named:
        return list(domain.questions)
    for question in named:
        if question not in domain.questions:
            raise unknown_name(f"{domain.name} question", question, domain.questions)
    return list(dict.fromkeys(named)) or list(domain.asked_on_save) or [domain.first_question]


def check_problem(
    problem: Any,
    named: Sequence[str] = (),
    *,
    seconds: float | None = None,
    each: Budget | None = None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Check:
    """Answer the questions one after the other, within `seconds` for all of them and a budget for each."""
    domain = domain_of(problem)
    questions = choose_questions(domain, named)
    ends = None if seconds is None else time.monotonic() + seconds
    answers = []
    for question in questions:
        budget = each or Budget()
        if ends is not None:
            left = max(ends - time.monotonic(), 0.0)
            budget = replace(budget, seconds=left if budget.seconds is None else min(left, budget.seconds))
        answers.append(asking.ask(problem, question, budget=budget, **options))
    return Check(domain.name, answers, tuple(domain.remarks(problem)))


def describe(answer: Answer) -> str:
    """Say in a line what was asked, what the answer is, and why or where."""
    assert answer.subject is not None
    said = f"{answer.question}: {answer.verdict}"
    if answer.reason is not None:
        return f"{said}, {answer.reason}"
    if answer.status != "FAIL":
        return said
    first = next(iter(answer.locations), None)
    if answer.because:
        return f"{said}. {answer.because}"
    where = "" if first is None else f", at {first.description}"
    return f"{said}{where}. {answer.subject.domain.questions[answer.question].text}"


def describe_location(location: Location) -> str:
    """Say where something is, as one finds it in an editor."""
    parts = [f"level {location.map}"] if location.map else []
    if location.tile is not None:
        parts.append(f"cell {location.tile[0]}, {location.tile[1]}")
    if location.layer:
        parts.append(f"layer {location.layer}")
    if location.object:
        parts.append(f"object {location.object}")
    if not parts and location.line is not None:
        parts.append(f"line {location.line}")
    return f"{location.description} ({', '.join(parts)})" if parts else location.description


def lines_of(check: Check) -> list[str]:
    """Say what was found in plain lines, failures first; no line needs colour or a wide window."""
    lines = []
    order = {"FAIL": 0, "UNKNOWN": 1, "PASS": 2}
    for answer in sorted(check.answers, key=lambda answer: order[answer.status]):
        lines.append(f"{answer.status}  {describe(answer)}")
        lines += [f"      {describe_location(location)}" for location in answer.locations]
    return lines
