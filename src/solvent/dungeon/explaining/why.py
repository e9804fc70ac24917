"""The section `Why`: the reason in words, and as JSON values."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Certificate, Finding, Verdict
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import capitalised, listed
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.explaining.reach import Reach
from solvent.dungeon.explaining.reasons import find_reasons
from solvent.dungeon.explaining.reasons.losable import explain_loss
from solvent.dungeon.explaining.reasons.phrases import number_word
from solvent.dungeon.explaining.reasons.record import Reasons
from solvent.dungeon.model import Dungeon

MAX_REMEDIES = 4
Why = tuple[list[str], dict[str, Any], list[tuple[Dungeon, Certificate]]]


def explain_why(land: Land, reach: Reach, questions: SubQuestions[Dungeon], findings: dict[str, Finding]) -> Why:
    """Say why the dungeon cannot be finished, or why it can be lost; lines, JSON values and proofs."""
    solvable, losable = findings["solvable"].verdict, findings["losable"]
    if solvable is Verdict.NO:
        questions.announce("looking for the reason")
        reasons, proofs = find_reasons(land, reach, questions)
        return describe_reasons(reasons, "it could be finished"), {"of": "solvable", **as_json(reasons)}, proofs
    if solvable is Verdict.YES and losable.verdict is Verdict.YES and losable.certificate is not None:
        questions.announce("looking for the reason")
        loss, reasons, proofs = explain_loss(land, losable.certificate["walk"], questions)
        lines = [f"{loss.words} and you lose.", *describe_reasons(reasons, "the goal would still be within reach")]
        return lines, {"of": "losable", "loss": loss.as_json(), **as_json(reasons)}, proofs
    if Verdict.UNKNOWN in (solvable, losable.verdict):
        return ["Not known, as long as the answers are not."], {}, []
    return ["Nothing to explain: it can be finished, and it cannot be lost."], {}, []


def describe_reasons(reasons: Reasons, hope: str) -> list[str]:
    """Say what bars the way and what would help; `hope` is what would be true then."""
    if not reasons.established:
        return [f"The reason was not established: {reasons.not_established}."]
    lines, causes = describe_causes(reasons), reasons.causes
    if reasons.together:
        return [*lines, f"{capitalised(hope)} {listed([cause.remedy for cause in causes])}."]
    if causes[0].remedy:
        lines.append(f"{capitalised(hope)} {causes[0].remedy}.")
    if len(causes) > 1:
        others = listed([cause.remedy for cause in causes[1:]], MAX_REMEDIES, last="or")
        lines.append(f"Or {others}.")
    return lines


def describe_causes(reasons: Reasons) -> list[str]:
    """Say what bars the way, a line for each cause; nothing if that was not established."""
    causes = reasons.causes
    if not reasons.together:
        return [cause.words for cause in causes[:1]]
    many = capitalised(number_word(len(causes)))
    every = "both" if len(causes) == 2 else "all"
    lines = [f"{many} things are in the way, and {every} of them must be fixed:"]
    return [*lines, *(f"{number}. {cause.words}" for number, cause in enumerate(causes, 1))]


def as_json(reasons: Reasons) -> dict[str, Any]:
    """Return the reasons as JSON values."""
    return {
        "established": reasons.established,
        "not_established": reasons.not_established,
        "together": reasons.together,
        "causes": [cause.as_json() for cause in reasons.causes],
    }
