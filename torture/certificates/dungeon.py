"""Forge certificates of dungeons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cached_property
from random import Random
from typing import Any

import solvent
from solvent.core.answer import Verdict
from solvent.dungeon.checker import FORMS
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver import solvable
from torture.certificates.case import CannotJudge, Case, Certificate, Forger
from torture.instances.dungeon import make_dungeon, make_tree, perturb_dungeon
from torture.instances.rich_dungeon import make_rich_dungeon
from torture.judges.dungeon import (
    State,
    TooLarge,
    Twin,
    all_states,
    can_win,
    depths_of,
    first_state,
    thorough_moves,
    to_collect,
    verdict,
)

MAX_STATES = 4_000


class Truth:
    """Know all states of a dungeon, once they are asked for."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.twin = Twin(dungeon)

    @cached_property
    def states(self) -> dict[State, dict[str, State]]:
        try:
            return all_states(self.dungeon, MAX_STATES)
        except TooLarge:
            raise CannotJudge from None

    @cached_property
    def alive(self) -> set[State]:
        return can_win(self.states, {state for state in self.states if self.twin.is_won(state)})

    @cached_property
    def allowed(self) -> dict[State, dict[str, State]]:
        """The moves of the player who may lose."""
        thorough = self.dungeon.rules.player == "thorough"
        return thorough_moves(self.dungeon, self.states) if thorough else self.states

    @cached_property
    def losable(self) -> bool:
        return any(state not in self.alive for state in depths_of(self.allowed))

    def follow(self, moves: Sequence[str], *, first: State | None = None) -> list[State] | None:
        """Return each state on a walk, the first included; None if a move is not legal."""
        trail = [first_state(self.dungeon) if first is None else first]
        for move in moves:
            after = self.twin.step(trail[-1], move) if move in self.twin.moves else None
            if after is None:
                return None
            trail.append(after)
        return trail

    def judge(self, certificate: Certificate) -> str | None:
        """Say what is false about a certificate."""
        form, question = certificate["form"], certificate["question"]
        if question not in ("solvable", "losable"):
            return self._judge_verdict(certificate)
        if form == "plan":
            trail = self.follow(certificate["plan"])
            return None if trail and self.twin.is_won(trail[-1]) else "the plan does not lead to a goal"
        if form == "closed set":
            return "a goal can be reached" if first_state(self.dungeon) in self.alive else None
        if form == "lost walk":
            return self._judge_walk(certificate["walk"], certificate["rescue"])
        return "a player can lose" if self.losable else None

    def _judge_verdict(self, certificate: Certificate) -> str | None:
        """Say whether the claim is false; and of a plan that collects, whether it does not."""
        try:
            true = verdict(self.dungeon, certificate["question"], MAX_STATES)
        except TooLarge:
            raise CannotJudge from None
        if (certificate["verdict"] == Verdict.YES.value) != true:
            return "the verdict is false"
        if certificate["form"] == "plan":
            trail = self.follow(certificate["plan"])
            wins = trail is not None and self.twin.is_won(trail[-1]) and trail[-1].taken >= to_collect(self.dungeon)
            return None if wins else "the plan does not collect everything and lead to a goal"
        return None

    def _judge_walk(self, walk: list[str], rescue: list[str]) -> str | None:
        trail = self.follow(walk)
        if trail is None:
            return "the walk is not legal"
        if trail[-1] in self.alive:
            return "a goal can be reached from the end of the walk"
        if any(move not in self.allowed[state] for state, move in zip(trail, walk, strict=False)):
            return "the player who may lose does not walk like this"
        if walk:
            saved = self.follow(rescue, first=trail[-2])
            if not saved or not self.twin.is_won(saved[-1]):
                return "the rescue does not lead to a goal"
        return None


def make_case(dice: Random) -> Case:
    """Make a dungeon and ask all questions."""
    case = case_of(dice.choice((make_tree, make_dungeon, make_dungeon, make_rich_dungeon, make_rich_dungeon))(dice))
    options: dict[str, Any] = {
        "shortest": dice.random() < 0.8,
        "areas": dice.random() < 0.6,
        "macros": dice.random() < 0.8,
    }
    with _easier_first(dice.random() < 0.5):
        for question in dict.fromkeys(question for question, _ in FORMS):
            answer = solvent.ask(case.problem, question, nodes=50_000, **options)
            if answer.certificate is not None:
                case.honest.append(dict(answer.certificate))
    return case


@contextmanager
def _easier_first(wanted: bool) -> Iterator[None]:
    """Let the solver try easier dungeons before it looks at all situations: else it would do so in large ones only."""
    before = solvable.QUICK_NODES
    solvable.QUICK_NODES = 0 if wanted else before
    try:
        yield
    finally:
        solvable.QUICK_NODES = before


def case_of(dungeon: Dungeon) -> Case:
    """Say what is true of a dungeon, when asked."""
    truth = Truth(dungeon)
    return Case(
        dungeon,
        truth.judge,
        forge=lambda dice: _forge(dice, dungeon),
        perturb=lambda dice: case_of(perturb_dungeon(dice, dungeon)),
        words=[*_moves(dungeon), "torch", "ladder", "lever", "gong", "wheel", "high", "gem", "", "red", "SSE"],
    )


def _moves(dungeon: Dungeon) -> list[str]:
    return Twin(dungeon).moves


def _forge(dice: Random, dungeon: Dungeon) -> Certificate:
    question, form = dice.choice(list(FORMS))
    proved, _ = FORMS[question, form]
    moves = _moves(dungeon)

    def walk() -> list[str]:
        return dice.choices(moves, k=dice.randrange(12))

    count = dice.randrange(5)
    situations = [_situation(dice, dungeon) for _ in range(count)]
    body: dict[str, Any] = {"states": situations}
    if form == "plan":
        body = {"plan": walk()}
    elif form == "lost walk":
        body |= {"walk": walk(), "rescue": walk() if dice.random() < 0.7 else []}
    elif form == "closed sets":
        body = {"sets": [{"goals": [list(goal) for goal in dungeon.goals], "states": situations}]}
    elif form == "walks":
        body = {"walks": [walk() for _ in range(count)]}
    elif form == "out of reach":
        numbers = [number for number in range(len(dungeon.pickups)) if dice.random() < 0.5]
        body = {"proofs": [{"locations": numbers, "states": situations}]}
    elif form == "nothing delicate":
        body = {}
    elif form == "all states":
        body = {"count": dice.randrange(30)}
    elif form == "taken away":
        body |= {"walk": walk(), "lost": dice.randint(-1, len(dungeon.pickups)), "plan": walk()}
    elif form == "plan from home":
        body = {"plan": walk()}
    elif form == "surplus":
        gates = [number for number in range(len(dungeon.gates)) if dice.random() < 0.6]
        items = [["torch", dice.randrange(3)]] if dice.random() < 0.3 else []
        body = {"goal": list(dungeon.goals[0]), "items": items, "least": [[gate, dice.randint(0, 3)] for gate in gates]}
    elif form == "within reach":
        body = {"stages": [_stage(dice, dungeon) for _ in range(dice.randint(1, 2))]}
        body["stages"][-1].pop("item", None)
    elif form != "closed set":
        body["ranks"] = [dice.randrange(3) for _ in range(count)]
    if form in ("closed set", "lost walk") and dice.random() < 0.5:
        body["waived"] = [number for number in range(len(dungeon.gates)) if dice.random() < 0.5]
    rules = asdict(dungeon.rules)
    rules |= {
        "keys": [list(key) for key in rules["keys"]],
        "items": list(rules["items"]),
        "collect": list(rules["collect"]),
    }
    envelope = {"solvent": 1, "domain": "dungeon", "question": question, "verdict": proved.value, "form": form}
    return {**envelope, "rules": rules, **body}


def _stage(dice: Random, dungeon: Dungeon) -> dict[str, Any]:
    count = dice.randrange(5)
    return {
        "states": [_situation(dice, dungeon) for _ in range(count)],
        "ranks": [dice.randrange(3) for _ in range(count)],
        "item": dice.choice(["torch", "ladder"]),
        "forgotten": [number for number in range(len(dungeon.gates)) if dice.random() < 0.5],
        "step_by_step": dice.random() < 0.5,
    }


def _situation(dice: Random, dungeon: Dungeon) -> dict[str, Any]:
    rows = dungeon.floors[0].terrain
    at = [0, dice.randrange(len(rows)), dice.randrange(len(rows[0]))]
    if dice.random() < 0.4:
        at = list(dungeon.start)
    return {
        "at": at,
        "taken": sorted(dice.sample(range(len(dungeon.pickups)), dice.randint(0, len(dungeon.pickups)))),
        "items": dice.choice(([], [], ["torch"], ["ladder"])),
        "opened": sorted(dice.sample(range(len(dungeon.gates)), dice.randint(0, len(dungeon.gates)))),
        "on": dice.choice(([], [], ["lever"], ["gong"], ["winch"])),
        **({"dials": [["wheel", dice.choice(("middle", "high"))]]} if dungeon.dials and dice.random() < 0.5 else {}),
        **({"stock": [["bombs", dice.randint(1, 3)]]} if dice.random() < 0.1 else {}),
        **({"moved": [[0, dice.choice(("N", "E", "SE", "EE"))]]} if dungeon.blocks and dice.random() < 0.4 else {}),
    }


def _name_of(certificate: Certificate) -> str:
    return _group(certificate.get("question"), certificate["form"])


def _group(question: object, form: object) -> str:
    return f"{question}/{form}" if question in ("collectable", "accessible", "monotone") else str(form)


FORGER = Forger("dungeon", make_case, _name_of, [_group(*known) for known in FORMS], share=1.5)
