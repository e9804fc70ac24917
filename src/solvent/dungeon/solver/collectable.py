"""Can everything be had in one play? As the question whether the goal can be reached once all of it is in hand.

Where the answer is no, the sentence that goes with it names a few things of which no play has all, fewer than which do
not clash: single ones are asked about first, then pairs, and for more, things are left out for as long as the rest
still clashes. A play that has several of them answers all questions about fewer of these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from solvent.core.answer import Cause, Certificate, Finding, Reason, Verdict
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.core.subquestions import SubQuestions
from solvent.drawing.phrases import counted, listed
from solvent.dungeon.derived import after_all, after_each, collected, goal_groups
from solvent.dungeon.events import name_all
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game, State
from solvent.dungeon.solver.certificates import certify

MAX_QUESTIONS = 200
"""How many questions naming a clash is worth."""
MAX_NAMED = 6
"""How many things a sentence names."""
NOT_ALWAYS_ON_GOAL = "something that lies on a goal is there only at times, and no proof covers that"


def answer_collectable(dungeon: Dungeon, request: Request, questions: SubQuestions[Dungeon]) -> Finding:
    """Answer the question `collectable`."""
    meter = questions.meter
    game = Game(dungeon, meter)
    state = game.present_state(meter)
    wanted = collected(dungeon)
    if game.is_won(state):
        return _over(dungeon, state, wanted)
    sets: list[dict[str, Any]] = []
    stats: dict[str, Any] = {}
    undecided: Reason | None = None
    for goals in goal_groups(dungeon, wanted):
        finding = questions.ask(after_all(dungeon, wanted, goals), "solvable", proof=request.proof, **request.options)
        stats = {**stats, **finding.stats}
        if finding.verdict is Verdict.UNKNOWN:
            undecided = finding.reason
        elif finding.verdict is Verdict.YES:
            assert finding.certificate is not None, "a plan is always given"
            plan = finding.certificate["plan"]
            if _taken(game, state, plan).issuperset(wanted):
                because = finding.because if wanted else f"{_NOTHING} {finding.because}".strip()
                certificate = certify(dungeon, "collectable", Verdict.YES, "plan", plan=plan)
                return Finding(Verdict.YES, certificate, because=because, stats={**stats, "items": len(wanted)})
            undecided = Reason(Cause.INCOMPLETE, NOT_ALWAYS_ON_GOAL)
        elif finding.certificate is not None:
            sets.append({"goals": [list(goal) for goal in goals], **proof_in(finding.certificate)})
    stats["items"] = len(wanted)
    if undecided is not None:
        return Finding(Verdict.UNKNOWN, reason=undecided, stats=stats)
    certificate_of_no: Certificate | None = None
    if request.proof:
        certificate_of_no = certify(dungeon, "collectable", Verdict.NO, "closed sets", sets=sets)
    because = _Clash(dungeon, questions, game, state).describe(wanted)
    return Finding(Verdict.NO, certificate_of_no, because=because, stats=stats)


_NOTHING = "There is nothing to collect."


def proof_in(certificate: Certificate) -> dict[str, Any]:
    """Return what a closed set holds beside its envelope."""
    return {part: certificate[part] for part in ("states", "waived") if part in certificate}


def _over(dungeon: Dungeon, state: State, wanted: list[int]) -> Finding:
    left = [number for number in wanted if number not in state.taken]
    if left:
        certificate = certify(dungeon, "collectable", Verdict.NO, "closed sets", sets=[])
        return Finding(Verdict.NO, certificate, because=f"The game is over, without {name_all(dungeon, left)}.")
    certificate = certify(dungeon, "collectable", Verdict.YES, "plan", plan=[])
    return Finding(Verdict.YES, certificate, because="" if wanted else _NOTHING, stats={"plan_length": 0})


def _taken(game: Game, state: State, moves: list[str]) -> frozenset[int]:
    for after in game.walk(state, moves):
        state = after
    return state.taken


def _describe_supply(dungeon: Dungeon, kind: str) -> str:
    """Say how many keys there are for how many locks, or bombs for cracked walls."""
    gates = [gate for gate in dungeon.gates if gate.kind == kind]
    rules, parts = dungeon.rules, []
    if kind == "cracked":
        amounts = [p.count or rules.bombs_per_pickup for p in dungeon.pickups if p.kind == "bombs" and not p.renews]
        bombs = counted((rules.bombs or 0) + sum(amounts), "bomb")
        return f"Bombs do not suffice: {bombs} for {counted(len(gates), 'cracked wall')}."
    for colour in sorted({gate.needs[0] for gate in gates}):
        locks = sum(gate.needs[0] == colour for gate in gates)
        found = [p.count for p in dungeon.pickups if p.kind == "key" and p.name == colour and not p.renews]
        keys = dict(rules.keys).get(colour, 0) + sum(found)
        if keys < locks:
            parts.append(f"{counted(keys, f'{colour} key'.strip())} for {counted(locks, f'{colour} lock'.strip())}")
    return f"Keys do not suffice: {listed(parts)}." if parts else "With keys for all locks there would be a way."


class _Clash:
    """Look for a few things of which no play that reaches the goal has all."""

    def __init__(self, dungeon: Dungeon, questions: SubQuestions[Dungeon], game: Game, state: State) -> None:
        self.dungeon, self.questions, self.game, self.state = dungeon, questions, game, state
        self.had: list[frozenset[int]] = []
        """What plays that reach the goal have."""
        self.asked = 0

    def describe(self, wanted: list[int]) -> str:
        """Say what clashes, as far as the budget lets one find out."""
        try:
            return self._describe(wanted)
        except LimitReached as limit:
            self.questions.stop(limit)
            return ""

    def _describe(self, wanted: list[int]) -> str:
        if self.clashes([]):
            return "The goal cannot be reached at all."
        left = [number for number in wanted if number not in self.state.taken]
        alone = [number for number in left if self.clashes([number])]
        if alone:
            return f"Cannot be had, at least not by a play that reaches the goal: {name_all(self.dungeon, alone)}."
        few: Collection[int] | None = next((some for some in self._small_sets(left) if self.clashes(some)), None)
        if few is None:
            few = self._without_needless(left)
        if not few:
            return ""
        short = self._shortage(few)
        if len(few) == 2:
            return f"No play has both {name_all(self.dungeon, few)}; each alone can be had.{short}"
        named = name_all(self.dungeon, few)
        return f"No play has all of {named}; without any one of them the rest can be had.{short}"

    def _shortage(self, few: Collection[int]) -> str:
        """Say that keys or bombs do not suffice, if with enough of them all of these could be had."""
        dungeon, rules = self.dungeon, self.dungeon.rules
        for changed, kind in ((replace(rules, keys_counted=False), "lock"), (replace(rules, bombs=None), "cracked")):
            if changed == rules or not any(gate.kind == kind for gate in dungeon.gates):
                continue
            game = Game(replace(dungeon, rules=changed), self.questions.meter)
            free = _Clash(game.dungeon, self.questions, game, game.present_state(self.questions.meter))
            try:
                suffice = not free.clashes(few)
            except LimitReached:
                return ""
            if suffice:
                return f" {_describe_supply(dungeon, kind)}"
        return ""

    def _small_sets(self, left: list[int]) -> Iterator[tuple[int, ...]]:
        yield from combinations(left, 2)
        if len(left) <= MAX_NAMED:
            for size in range(3, len(left)):
                yield from combinations(left, size)

    def _without_needless(self, left: list[int]) -> list[int]:
        """Leave out one after the other for as long as the rest clashes; empty if that was not found out."""
        few = list(left)
        for number in left:
            rest = [other for other in few if other != number]
            if self.clashes(rest):
                few = rest
        return [] if self.asked > MAX_QUESTIONS else few

    def clashes(self, numbers: Collection[int]) -> bool:
        """Tell whether no play that reaches the goal has all of these; raises LimitReached if that is not known."""
        if any(had.issuperset(numbers) for had in self.had):
            return False
        for goals in goal_groups(self.dungeon, numbers):
            self.asked += 1
            reason = self.questions.meter.stop_reason()
            if reason is not None or self.asked > MAX_QUESTIONS:
                raise LimitReached(reason or Reason(Cause.INCOMPLETE, "enough was asked"))
            changed = after_each(self.dungeon, numbers, goals)
            finding = self.questions.ask(changed, "solvable", proof=False, shortest=False)
            if finding.verdict is Verdict.UNKNOWN:
                assert finding.reason is not None
                raise LimitReached(finding.reason)
            if finding.verdict is Verdict.YES:
                assert finding.certificate is not None, "a plan is always given"
                had = _taken(self.game, self.state, finding.certificate["plan"])
                self.had.append(had)
                if had.issuperset(numbers):
                    return False
                raise LimitReached(Reason(Cause.INCOMPLETE, NOT_ALWAYS_ON_GOAL))
        return True
