"""Plans that work at any time: where nothing is used up and a player can always return to the start."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from torture.judges.dungeon import verdict

import solvent
from dungeon.dungeons import dungeon_of
from solvent.core.answer import Verdict
from solvent.dungeon.checker import violations
from solvent.dungeon.model import (
    AllOf,
    AnyOf,
    Block,
    Cleared,
    Dungeon,
    Floor,
    Gate,
    Have,
    Not,
    Pickup,
    Requirement,
    Room,
    Rules,
    Switch,
    Way,
)

HOME = Rules(home="always")
FORM = "plan from home"


def random_logic(seed: int) -> Dungeon:
    """Make rooms joined by ways, mostly one-way, behind gates that need items or cleared rooms; nothing is used up."""
    dice = Random(seed)
    count = dice.randint(3, 7)
    names = ["bow", "lamp", "gem"]

    def requirement(depth: int = 0) -> Requirement:
        if depth < 2 and dice.random() < 0.4:
            parts = tuple(requirement(depth + 1) for _ in range(dice.randint(1, 3)))
            return dice.choice((AllOf, AnyOf))(parts)
        if dice.random() < 0.2:
            return Cleared("den")
        return Have("item", dice.choice(names), dice.choice((1, 1, 2)))

    def pickup(room: int) -> Pickup:
        rule = requirement() if dice.random() < 0.2 else None
        if dice.random() < 0.15:
            return Pickup((room, 0, 0), "monster")
        return Pickup((room, 0, 0), "item", dice.choice(names), dice.choice((1, 1, 2)), rule)

    gates, ways = [], []
    for source in range(count):
        for target in dice.sample(range(count), dice.randint(1, 2)):
            if source != target:
                gates.append(Gate("rule", rule=requirement()))
                ways.append(Way((source, 0, 0), (target, 0, 0), gate=len(gates) - 1 if dice.random() < 0.6 else None))
    pickups = {pickup(dice.randrange(count)) for _ in range(dice.randint(1, 5))}
    return Dungeon(
        tuple(Floor(f"room {number}", (".",)) for number in range(count)),
        (0, 0, 0),
        ((count - 1, 0, 0),),
        tuple(sorted(pickups, key=lambda one: (one.place, one.kind, one.name, one.count, repr(one.rule)))),
        tuple(gates),
        ways=tuple(ways),
        rooms=(Room("den", (count - 2, 0, 0), 1, 1),),
        rules=HOME,
    )


def test_brute_force_agrees_and_spoilt_plans_are_refused():
    forms, spoilt = [], 0
    for seed in range(250):
        dungeon = random_logic(seed)
        answer = solvent.ask(dungeon, "losable")
        assert (answer.verdict is Verdict.YES) == verdict(dungeon, "losable"), seed
        forms.append(answer.certificate["form"])
        if answer.certificate["form"] != FORM:
            continue
        plan = answer.certificate["plan"]
        for index in range(len(plan)):
            shorter = {**answer.certificate, "plan": plan[:index] + plan[index + 1 :]}
            # What is accepted all the same is a plan: it leads to a goal from the start.
            assert violations(dungeon, shorter) == violations(
                dungeon, {**shorter, "question": "solvable", "verdict": "YES", "form": "plan"}
            )
            spoilt += 1
    assert forms.count(FORM) > 60
    assert forms.count("lost walk") > 40
    assert spoilt > 120


LEDGE = dungeon_of("@>.G/####", rules=HOME)
PLAN = ["E", "E", "E"]


def certificate(dungeon: Dungeon) -> dict[str, object]:
    plan = solvent.ask(replace(dungeon, played=()), "solvable").certificate
    return {**plan, "question": "losable", "verdict": "NO", "form": FORM, "plan": PLAN}


OTHERS: dict[str, Dungeon] = {
    "a player cannot always go back to the start": replace(LEDGE, rules=Rules()),
    "the start may be barred": replace(LEDGE, gates=(Gate("rule", (), ((0, 0, 0),), rule=AllOf(())),)),
    "a gate of the kind 'lock'": replace(
        LEDGE, gates=(Gate("lock", ("",), ((0, 0, 2),)),), rules=Rules(home="always", keys=(("", 1),))
    ),
    "there are switches": replace(LEDGE, switches=(Switch((0, 0, 2), "lever"),)),
    "there are blocks": replace(LEDGE, floors=(Floor("", (".>..", "....")),), blocks=(Block((0, 1, 1)),)),
    "there are pickups that renew": replace(LEDGE, pickups=(Pickup((0, 0, 2), "bombs", "", 2, None, True),)),
    "a requirement asks for more": replace(
        LEDGE, gates=(Gate("rule", (), ((0, 0, 2),), rule=Not(Have("item", "bow"))),)
    ),
}


@pytest.mark.parametrize("reason", OTHERS)
def test_it_is_refused_where_something_could_be_used_up(reason: str):
    dungeon = OTHERS[reason]
    assert violations(LEDGE, certificate(LEDGE)) == []
    [found] = violations(dungeon, certificate(dungeon))
    assert found.startswith(f"does not apply: {reason}")


def test_the_plan_is_from_the_start_also_later():
    later = replace(LEDGE, played=("E", "E", "r"))
    assert solvent.ask(later, "losable").certificate["plan"] == PLAN
    assert violations(later, certificate(LEDGE)) == []
    assert violations(replace(LEDGE, played=("N",)), certificate(LEDGE))
