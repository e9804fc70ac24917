"""Explain a dungeon as a whole: what leads to what, what can never be reached, and what would fix it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Cause, Certificate, Finding, Reason, Verdict
from solvent.core.domain import Drawing, Request
from solvent.core.errors import LimitReached
from solvent.core.explanation import Explanation
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import capitalised
from solvent.dungeon.interest import DEFAULT_POINTS
from solvent.dungeon.model import Dungeon
from solvent.dungeon.options import SOLVE_OPTIONS

if TYPE_CHECKING:
    from solvent.dungeon.explaining.having import Having
    from solvent.dungeon.explaining.land import Land
    from solvent.dungeon.explaining.reach import Reach

__all__ = ["explain"]

QUESTIONS = {"solvable": "be finished", "losable": "be lost"}
"""The questions that are always looked at, and what a dungeon can do if the answer is yes."""
QUICK: dict[str, Any] = {option.name: option.default for option in SOLVE_OPTIONS} | {
    "shortest": False,
    "shortest_nodes": 20_000,
}
"""How questions are asked here: any plan or walk will do."""


def explain(dungeon: Dungeon, request: Request) -> Explanation:
    """Say what can be reached with what, what never, and what would help, from the position after the moves played.

    Both questions are looked at, whichever was asked. Everything together keeps within the budget; what could not be
    looked at is said.
    """
    from solvent.dungeon.rules import Game

    questions = make_questions(request)
    findings: dict[str, Finding] = {}
    gathered = _Gathered()
    try:
        game = Game(dungeon, questions.meter)
        if game.is_won(game.present_state(questions.meter)):
            return Explanation((("In short", ("The goal is reached: the game is over.",)),), {"fixes": []})
        questions.announce("asking both questions")
        findings = {question: questions.ask(dungeon, question) for question in ("solvable", "losable")}
        gathered.certificates += [
            (dungeon, finding.certificate) for finding in findings.values() if finding.certificate is not None
        ]
        _look_around(dungeon, questions, findings, gathered, request.options)
    except LimitReached as limit:
        reason = questions.stop(limit)
        for question in ("solvable", "losable"):
            findings.setdefault(question, Finding(Verdict.UNKNOWN, reason=reason))
        for title in gathered.sections:
            gathered.sections[title] = gathered.sections[title] or [f"Not looked at: {reason}."]
    verdicts = {question: finding.verdict.value for question, finding in findings.items()}
    sections = {"In short": _in_short(findings, gathered), **gathered.sections}
    return Explanation(
        tuple((title, tuple(lines)) for title, lines in sections.items()),
        {**verdicts, **gathered.data},
        tuple(gathered.certificates),
        _drawing(findings, gathered),
        why=tuple(gathered.sections["Why"]),
        fixes=tuple(f"{capitalised(each['words'])}." for each in gathered.data["fixes"]),
        fallbacks=tuple(_fallback(dungeon, findings, gathered, known) for known in (QUESTIONS, ("solvable",), ())),
    )


NOT_CHECKED = Reason(Cause.TIME, "the proofs were not checked")


def _fallback(dungeon: Dungeon, findings: dict[str, Finding], gathered: _Gathered, known: Iterable[str]) -> Explanation:
    """Return what can be said where only the certificates of these answers count."""
    unknown = Finding(Verdict.UNKNOWN, reason=NOT_CHECKED)
    left = {question: findings[question] if question in known else unknown for question in QUESTIONS}
    poorer = _Gathered()
    spheres, poorer.data["spheres"] = gathered.spheres_unproved
    poorer.data |= {name: gathered.data[name] for name in ("exact", "abstract")}
    sections = {
        "In short": _in_short(left, poorer),
        **{title: [f"Not established: {NOT_CHECKED}."] for title in poorer.sections},
        "Spheres": spheres or gathered.sections["Spheres"],
        "Points of interest": gathered.sections["Points of interest"],
    }
    verdicts = {question: finding.verdict.value for question, finding in left.items()}
    return Explanation(
        tuple((title, tuple(lines)) for title, lines in sections.items()),
        {**verdicts, **poorer.data},
        tuple((dungeon, each.certificate) for each in left.values() if each.certificate is not None),
        _drawing(left, poorer),
    )


def _drawing(findings: dict[str, Finding], gathered: _Gathered) -> Drawing | None:
    """Draw the spheres, and the plan on them if there is one."""
    if not gathered.data["spheres"]:
        return None
    solvable = findings["solvable"]
    plan = solvable.certificate if solvable.verdict is Verdict.YES else None
    return Drawing(certificate=plan, highlights={"spheres": gathered.data["spheres"]})


class _Gathered:
    """Hold what was found so far: all but the answers themselves."""

    def __init__(self) -> None:
        self.sections: dict[str, list[str]] = {
            "Why": [],
            "Spheres": [],
            "What can be had": [],
            "Never reachable": [],
            "If keys were no issue": [],
            "Points of interest": [],
            "Fixes": [],
        }
        self.data: dict[str, Any] = {
            "exact": False,
            "reasons": {},
            "spheres": [],
            "had": {},
            "never_reachable": [],
            "if_keys_were_no_issue": {},
            "fixes": [],
            "abstract": None,
        }
        self.certificates: list[tuple[Any, Certificate]] = []
        self.spheres_unproved: tuple[list[str], list[dict[str, Any]]] = [], []
        """The spheres as far as they rest on no certificate."""


def _look_around(
    dungeon: Dungeon,
    questions: SubQuestions[Dungeon],
    findings: dict[str, Finding],
    gathered: _Gathered,
    options: Mapping[str, Any],
) -> None:
    """Find out what can be reached and what would fix the dungeon, one part after the other."""
    from solvent.dungeon.explaining.abstract import describe_abstraction
    from solvent.dungeon.explaining.having import Having, explain_having
    from solvent.dungeon.explaining.land import look_at
    from solvent.dungeon.explaining.out_of_reach import describe_hidden, find_hidden, without_counting
    from solvent.dungeon.explaining.reach import explore_reach
    from solvent.dungeon.explaining.why import explain_why

    questions.announce("finding points of interest")
    gathered.sections["Points of interest"], gathered.data["abstract"] = describe_abstraction(
        dungeon, options.get("points", DEFAULT_POINTS), questions.meter
    )
    questions.announce("finding what can be reached")
    land = look_at(dungeon, questions.meter)
    reach = explore_reach(land, questions)
    gathered.data["exact"] = reach.exact
    gathered.sections["Why"], gathered.data["reasons"], proofs = explain_why(land, reach, questions, findings)
    gathered.certificates += proofs
    gathered.spheres_unproved = _spheres(land, reach, Having())
    gathered.sections["Spheres"], gathered.data["spheres"] = gathered.spheres_unproved
    questions.announce("finding what can be had")
    gathered.sections["What can be had"], gathered.data["had"], more, having = explain_having(dungeon, questions)
    gathered.certificates += more
    if having != Having():
        gathered.sections["Spheres"], gathered.data["spheres"] = _spheres(land, reach, having)
    hidden = find_hidden(land, reach)
    lines, gathered.data["never_reachable"] = describe_hidden(land, reach, hidden, having)
    gathered.sections["Never reachable"] = lines
    free_lines, gathered.data["if_keys_were_no_issue"], more = without_counting(land, reach, questions)
    gathered.sections["If keys were no issue"] = free_lines
    gathered.certificates += more
    gathered.sections["Fixes"], gathered.data["fixes"], more = _fix(land, reach, questions, findings)
    gathered.certificates += more


def _spheres(land: Land, reach: Reach, having: Having) -> tuple[list[str], list[dict[str, Any]]]:
    """Find the spheres without what was proved never to be had, and say what of them is not certain."""
    from solvent.dungeon.explaining.passages import Passages
    from solvent.dungeon.explaining.spheres import describe_spheres, find_spheres

    within = reach.areas if reach.exact else None
    spheres = find_spheres(Passages(land), within, reach.never_missed, having.never)
    lines, data = describe_spheres(land, spheres, exact=reach.exact)
    if not reach.exact:
        lines.append("Not every situation was looked at: the last spheres may be out of reach.")
    elif any(having.is_open(land.dungeon, number) for sphere in spheres for number in sphere.found):
        lines.append("Whether everything that appears can be had was not established.")
    return lines, data


SHARE_FOR_LOOKING = 0.6
"""How much of the time may go into looking; the rest is for checking every certificate that this rests on."""


def make_questions(request: Request) -> SubQuestions[Dungeon]:
    """Prepare to ask about changed dungeons with the budget of a request."""
    from solvent.dungeon.solver import solve

    def spent(finding: Finding) -> int:
        return int(finding.stats.get("nodes", 0))

    return SubQuestions(request, solve, options=QUICK, spent=spent, share=SHARE_FOR_LOOKING)


def _in_short(findings: dict[str, Finding], gathered: _Gathered) -> list[str]:
    lines = []
    if findings["solvable"].verdict is Verdict.NO:
        # The section Why has the reason; without one, what is still closed is better than nothing.
        is_known = bool(gathered.data["reasons"]) and gathered.data["reasons"]["established"]
        because = "" if is_known else findings["solvable"].because
        return [f"It cannot be finished, so it is lost from the start. {because}".strip()]
    for question, finding in findings.items():
        if finding.verdict is Verdict.UNKNOWN:
            lines.append(f"Whether it can {QUESTIONS[question]} is not known: {finding.reason}.")
        elif finding.verdict is Verdict.YES:
            walk = len(finding.certificate["walk"]) if question == "losable" and finding.certificate is not None else 0
            # The walk need not be a shortest one.
            enough = "one move is enough" if walk == 1 else f"at most {walk} moves are needed"
            after = f": {enough} to put the goal out of reach" if walk else ""
            lines.append(f"It can {QUESTIONS[question]}{after}.")
        else:
            lines.append(f"It cannot {QUESTIONS[question]}. {finding.because}".strip())
    return lines


def _fix(
    land: Land, reach: Reach, questions: SubQuestions[Dungeon], findings: dict[str, Finding]
) -> tuple[list[str], list[dict[str, Any]], list[tuple[Any, Certificate]]]:
    """Look for fixes where there is something to fix."""
    from solvent.dungeon.explaining.fixes import describe_fixes, fix

    verdicts = findings["solvable"].verdict, findings["losable"].verdict
    if verdicts == (Verdict.YES, Verdict.NO):
        return ["Nothing to fix: it can be finished, and it cannot be lost."], [], []
    if verdicts[0] is Verdict.UNKNOWN or (verdicts[0] is Verdict.YES and verdicts[1] is Verdict.UNKNOWN):
        return ["Whether there is something to fix is not known."], [], []
    certificate = findings["losable"].certificate
    questions.announce("trying fixes")
    if verdicts[0] is Verdict.NO:
        found = fix(land, reach, questions, None)
    else:
        assert certificate is not None, "a dungeon that can be lost comes with a walk that loses"
        found = fix(land, reach, questions, certificate["walk"])
    lines, data = describe_fixes(found, questions)
    proofs: list[tuple[Any, Certificate]] = []
    for each in found.fixes:
        proofs.append((each.dungeon, each.certificate))
        if each.losable_certificate is not None:
            proofs.append((each.dungeon, each.losable_certificate))
    return lines, data, proofs
