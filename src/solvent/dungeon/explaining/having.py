"""The section `What can be had`: what some play can get to, what one play can have together, and what taking costs."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Certificate, Finding, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import counted
from solvent.dungeon.derived import collected, locations
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver.monotone import delicate_pickups

Had = tuple[list[str], dict[str, Any], list[tuple[Dungeon, Certificate]]]
SHARE = 0.25
"""How much of what is left of the nodes each of these questions may use."""


def explain_having(dungeon: Dungeon, questions: SubQuestions[Dungeon]) -> Had:
    """Say what can be had; lines, JSON values and proofs. Questions about nothing are not asked."""
    lines: list[str] = []
    data: dict[str, Any] = {}
    proofs: list[tuple[Dungeon, Certificate]] = []
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
        lines.append(describe[question](dungeon, finding))
    return lines or ["Nothing lies about that could be had."], data, proofs


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
    items = "The one item" if number == 1 else f"All {number} items"
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
