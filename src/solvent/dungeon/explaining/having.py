"""The section `What can be had`: what some play can get to, what one play can have together, and what taking costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from solvent.core.answer import Certificate, Finding, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import counted
from solvent.dungeon.derived import collected, locations
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver.monotone import delicate_pickups

CollectSection: TypeAlias = "tuple[list[str], dict[str, Any], list[tuple[Dungeon, Certificate]], Having]"
"""Lines, JSON values, proofs, and what is known of each thing."""
SHARE = 0.25
"""How much of what is left of the nodes each of these questions may use."""


@dataclass(frozen=True, slots=True)
class Having:
    """Hold what is known of single things, by the numbers of their pickups."""

    never: frozenset[int] = frozenset()
    """Those that no play takes, as was proved."""
    known: frozenset[int] = frozenset()
    """Those of which it is known whether some play takes them."""

    def is_open(self, dungeon: Dungeon, number: int) -> bool:
        """Tell whether something that is not always there is not known to be had by some play."""
        return dungeon.pickups[number].rule is not None and number not in self.known


def explain_having(dungeon: Dungeon, questions: SubQuestions[Dungeon]) -> CollectSection:
    """Say what can be had. Questions about nothing are not asked."""
    lines: list[str] = []
    data: dict[str, Any] = {}
    proofs: list[tuple[Dungeon, Certificate]] = []
    having = Having()
    asked = {
        "accessible": bool(locations(dungeon)),
        "collectable": bool(collected(dungeon)),
        "monotone": bool(delicate_pickups(dungeon)),
    }
    describe = {"accessible": _accessible, "collectable": _collectable, "monotone": _monotone}
    for question in [question for question, is_worth_it in asked.items() if is_worth_it]:
        left = questions.meter.nodes_left
        finding = questions.ask(dungeon, question, nodes=None if left is None else int(left * SHARE))
        data[question] = {"verdict": finding.verdict.value, "because": finding.because}
        if finding.certificate is not None:
            proofs.append((dungeon, finding.certificate))
            having = _read(dungeon, finding) if question == "accessible" else having
        lines.append(describe[question](dungeon, finding))
    return lines or ["There is nothing to collect."], data, proofs, having


def _read(dungeon: Dungeon, finding: Finding) -> Having:
    """Return what the answer to `accessible` says of each thing."""
    certificate = finding.certificate or {}
    never = frozenset(number for proof in certificate.get("proofs", ()) for number in proof["locations"])
    is_complete = not finding.stats.get("undecided", 0)
    return Having(never, frozenset(locations(dungeon)) if is_complete else never)


def _accessible(dungeon: Dungeon, finding: Finding) -> str:
    number = len(locations(dungeon))
    if finding.verdict is Verdict.UNKNOWN:
        return f"Whether everything is within reach of some play is not known: {finding.reason}."
    if finding.verdict is Verdict.NO:
        return finding.because
    walks = int(finding.stats.get("walks", 0))
    things = "The one thing there is" if number == 1 else f"Each of the {number} things there are"
    how = "one play takes them all" if walks <= 1 else f"{walks} plays take them all between them"
    many = f": {how}" if number > 1 else ""
    return f"{things} can be taken by some play{many}."


def _collectable(dungeon: Dungeon, finding: Finding) -> str:
    number = len(collected(dungeon))
    items = {1: "The one item", 2: "Both items"}.get(number, f"All {number} items")
    if finding.verdict is Verdict.UNKNOWN:
        return f"Whether one play can have {items[0].lower()}{items[1:]} is not known: {finding.reason}."
    if finding.verdict is Verdict.YES:
        moves = counted(int(finding.stats.get("plan_length", 0)), "move")
        return f"{items} can be had by one play that reaches the goal, in {moves}."
    return f"Not all items can be had by one play that reaches the goal. {finding.because}".rstrip()


def _monotone(_dungeon: Dungeon, finding: Finding) -> str:
    if finding.verdict is Verdict.UNKNOWN:
        return f"Whether taking something can put anything out of reach is not known: {finding.reason}."
    if finding.verdict is Verdict.YES:
        return "Taking something never puts anything out of reach."
    return f"Taking something can put other things out of reach. {finding.because}".rstrip()
