"""Can each thing be reached, and the goal? Each on its own: what one play takes, another may have to leave.

A few walks are looked for that take everything between them. First one that takes all and ends on a goal, with a part
of the budget: where keys suffice there is one. Otherwise walks to any of what is missing, one after the other, each led
on from its end for as long as more can be taken; whatever lies within reach on the way is taken as well. When no walk
takes any of what is missing, all of it is out of reach, by one proof.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.domain import Request
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.derived import about, after_each, locations, with_marks
from solvent.dungeon.events import name_all
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rules import Game, State
from solvent.dungeon.solver.certificates import certify
from solvent.dungeon.solver.collectable import NOT_ALWAYS_ON_GOAL, proof_in

NODES_FOR_ONE_WALK = 20_000
"""What looking for one walk that takes everything may cost."""
EXTEND_UP_TO = 40
"""How often a walk is led on from its end."""


def answer_accessible(dungeon: Dungeon, request: Request, questions: SubQuestions[Dungeon]) -> Finding:
    """Answer the question `accessible`."""
    cover = _Cover(dungeon, questions)
    if cover.is_over:
        return _over(cover)
    if cover.missing and len(cover.missing) > 1:
        cover.try_all_at_once()
    proofs = []
    reason: Reason | None = None
    for group in cover.groups():
        while missing := cover.missing_in(group):
            finding = cover.walk_to(missing, proof=request.proof)
            if finding.verdict is Verdict.NO:
                cover.out_of_reach += missing
                proofs += [] if finding.certificate is None else [_proof(missing, finding)]
                cover.obstacles = cover.obstacles or _plain(dungeon, missing, finding)
                break
            if finding.verdict is Verdict.UNKNOWN:
                reason = finding.reason
                break
            if cover.missing_in(group) == missing:
                reason = Reason(Cause.INCOMPLETE, NOT_ALWAYS_ON_GOAL)
                break
    if not cover.wins:
        finding = questions.ask(dungeon, "solvable", proof=request.proof)
        if finding.verdict is Verdict.YES:
            assert finding.certificate is not None, "a plan is always given"
            cover.add(finding.certificate["plan"])
        elif finding.verdict is Verdict.NO:
            proofs += [] if finding.certificate is None else [_proof([], finding)]
            cover.obstacles = cover.obstacles or finding.because
        else:
            reason = finding.reason
        goal_is_out = finding.verdict is Verdict.NO
    else:
        goal_is_out = False
    stats = cover.stats()
    if cover.out_of_reach or goal_is_out:
        certificate = None
        if request.proof:
            certificate = certify(dungeon, "accessible", Verdict.NO, "out of reach", proofs=proofs)
        if reason is not None:
            stats["undecided"] = len(set(cover.missing) - set(cover.out_of_reach))
        because = _describe_out(dungeon, cover, goal_is_out, complete=reason is None)
        return Finding(Verdict.NO, certificate, because=because, stats=stats)
    if reason is not None:
        return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)
    certificate = certify(dungeon, "accessible", Verdict.YES, "walks", walks=cover.walks)
    because = "" if cover.numbers else "Only the goal is asked for."
    return Finding(Verdict.YES, certificate, because=because, stats=stats)


def _over(cover: _Cover) -> Finding:
    """Answer where the game is over: the goal is reached, and nothing more can be taken."""
    dungeon, missing = cover.dungeon, cover.missing
    if missing:
        proofs = [{"locations": missing, "states": []}]
        certificate = certify(dungeon, "accessible", Verdict.NO, "out of reach", proofs=proofs)
        return Finding(Verdict.NO, certificate, because=f"The game is over, without {name_all(dungeon, missing)}.")
    certificate = certify(dungeon, "accessible", Verdict.YES, "walks", walks=[[]])
    return Finding(Verdict.YES, certificate, because="The goal is reached already.")


def _proof(missing: list[int], finding: Finding) -> dict[str, Any]:
    assert finding.certificate is not None
    return {"locations": missing, **proof_in(finding.certificate)}


def _plain(dungeon: Dungeon, missing: Collection[int], finding: Finding) -> str:
    """Return what is still closed, unless what is missing may be within reach and not there."""
    return "" if any(dungeon.pickups[number].rule is not None for number in missing) else finding.because


def _describe_out(dungeon: Dungeon, cover: _Cover, goal_is_out: bool, *, complete: bool) -> str:
    parts = [name_all(dungeon, cover.out_of_reach, last="or")] if cover.out_of_reach else []
    parts += ["the goal"] if goal_is_out else []
    named = " or ".join(parts) if len(parts) < 2 or len(cover.out_of_reach) < 2 else ", nor ".join(parts)
    unsure = "" if complete else "Whether all else can be was not found out."
    return " ".join(part for part in (f"No play gets to {named}.", cover.obstacles, unsure) if part)


class _Cover:
    """Gather walks until everything was taken that can be."""

    def __init__(self, dungeon: Dungeon, questions: SubQuestions[Dungeon]) -> None:
        self.dungeon, self.questions = dungeon, questions
        self.goals = frozenset(dungeon.goals)
        self.numbers = locations(dungeon)
        """What is asked for, by the number of the pickup."""
        # What renews is never marked as taken; its mark is.
        renewing = [number for number in self.numbers if dungeon.pickups[number].renews]
        marked, _ = with_marks(dungeon, renewing)
        self.game = Game(marked, questions.meter)
        self.number_of: dict[int, int] = {}
        """For each number in the dungeon with marks the number of the location it tells of."""
        shift = 0
        for number in range(len(dungeon.pickups)):
            self.number_of[number + shift] = number
            shift += number in renewing
        self.state = self.game.present_state(questions.meter)
        self.is_over = self.game.is_won(self.state)
        self.had = self._had(self.state)
        self.walks: list[list[str]] = []
        self.wins = self.is_over
        """Whether one of the walks ends on a goal."""
        self.out_of_reach: list[int] = []
        self.obstacles = ""
        """What is still closed, in words."""
        self.asked = 0

    @property
    def missing(self) -> list[int]:
        """Return what no walk has taken so far."""
        return self.missing_in(self.numbers)

    def groups(self) -> list[list[int]]:
        """Return what is asked for in groups: all that lies on no goal together, then what lies on each goal."""
        by_goal: dict[Place | None, list[int]] = {None: []}
        for number in self.numbers:
            place = self.dungeon.pickups[number].place
            by_goal.setdefault(place if place in self.goals else None, []).append(number)
        return list(by_goal.values())

    def missing_in(self, group: list[int]) -> list[int]:
        """Return what no walk has taken so far of some."""
        return [number for number in group if number not in self.had]

    def stats(self) -> dict[str, Any]:
        """Return what is to be known of the answer."""
        length = sum(len(walk) for walk in self.walks)
        return {"locations": len(self.numbers), "walks": len(self.walks), "walk_length": length, "asked": self.asked}

    def add(self, walk: list[str], start: State | None = None) -> State:
        """Add a walk, in place of the last if it goes on from its end `start`; return where it ends."""
        state = self.state if start is None else start
        for after in self.questions.meter.each(self.game.walk(state, walk), every=20):
            state = after
        if start is None:
            self.walks.append(list(walk))
        else:
            self.walks[-1] = [*self.walks[-1], *walk]
        self.had |= self._had(state)
        self.wins = self.wins or self.game.is_won(state)
        return state

    def _had(self, state: State) -> set[int]:
        return {self.number_of[number] for number in state.taken if number in self.number_of}

    def try_all_at_once(self) -> None:
        """Look for one walk that takes everything and ends on a goal."""
        apart = [number for number in self.missing if self.dungeon.pickups[number].place not in self.goals]
        self.asked += 1
        wanted = after_each(self.dungeon, apart, self.dungeon.goals)
        finding = self.questions.ask(wanted, "solvable", nodes=NODES_FOR_ONE_WALK, proof=False)
        if finding.verdict is Verdict.YES:
            assert finding.certificate is not None, "a plan is always given"
            self.add(finding.certificate["plan"])

    def walk_to(self, wanted: list[int], *, proof: bool) -> Finding:
        """Look for a walk that takes one of these, and lead it on from its end; or find that there is none."""
        finding = self._ask(wanted, (), proof=proof)
        if finding.verdict is not Verdict.YES:
            return finding
        end = self.add(walk_of_plan(self.dungeon, finding))
        for _ in range(EXTEND_UP_TO):
            missing = self.missing_in(self.groups()[0])
            if not missing or self.game.is_won(end):
                break
            further = self._ask(missing, self.walks[-1], proof=False, nodes=NODES_FOR_ONE_WALK)
            if further.verdict is not Verdict.YES:
                break
            end = self.add(walk_of_plan(self.dungeon, further), end)
        return finding

    def _ask(self, wanted: list[int], walk: Collection[str], *, proof: bool, nodes: int | None = None) -> Finding:
        self.asked += 1
        played = replace(self.dungeon, played=(*self.dungeon.played, *walk))
        return self.questions.ask(about(played, wanted), "solvable", nodes=nodes, proof=proof)


def walk_of_plan(dungeon: Dungeon, finding: Finding) -> list[str]:
    """Return the walk of a plan: without its last move, if that leads to a place that the dungeon has not."""
    assert finding.certificate is not None, "a plan is always given"
    plan: list[str] = finding.certificate["plan"]
    last = plan[-1] if plan else ""
    return plan[:-1] if last.isdigit() and int(last) >= len(dungeon.ways) else plan
