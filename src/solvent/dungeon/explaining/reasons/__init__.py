"""Why the goal cannot be reached: what bars every way, computed and proved.

1. `lifts`: what can bar the way, and the dungeon without it.
2. `trials`: ask whether such a dungeon can be finished; every answer comes with its proof.
3. `causes`: what is enough to lift alone, or a smallest set.
4. `measuring`: the numbers, and the gates on every way.
5. `phrases`: the sentences; `record`: what programs get.
6. `losable`: the same from a position that is lost, and the move that lost it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from solvent.core.answer import Certificate, Verdict
from solvent.core.errors import LimitReached
from solvent.core.subquestions import SubQuestions
from solvent.dungeon.events import describe_place
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.explaining.reach import Reach
from solvent.dungeon.explaining.reasons.causes import Blame, find_blame
from solvent.dungeon.explaining.reasons.lifts import Lift, missing_argument
from solvent.dungeon.explaining.reasons.measuring import (
    Setting,
    gates_on_every_way,
    measure_shortage,
    spends,
    with_others,
)
from solvent.dungeon.explaining.reasons.phrases import (
    describe_as_is,
    describe_gate_cause,
    describe_item,
    describe_lift,
    describe_one_way,
    describe_shortage,
    describe_supply,
    describe_walls,
)
from solvent.dungeon.explaining.reasons.record import Cause, Reasons
from solvent.dungeon.explaining.reasons.trials import NotEstablished, Trial, Trials
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.notation.requirements import describe_requirement

SHORT_OVERALL, LIES_NOWHERE, WRONG_WAY, IN_THE_WAY, TOO_FEW_WITHIN_REACH, OUT_OF_REACH, TOO_LATE = range(7)
"""How much a cause tells: what the whole dungeon lacks tells most, what only comes too late tells least."""


def find_reasons(
    land: Land, reach: Reach, questions: SubQuestions[Dungeon]
) -> tuple[Reasons, list[tuple[Dungeon, Certificate]]]:
    """Find out why the goal cannot be reached, which is known; with the certificates all of it rests on."""
    if not reach.exact:
        return Reasons(not_established=str(questions.reason or "there are too many situations")), []
    if said := missing_argument(land.dungeon):
        return Reasons(not_established=said), []
    trials = Trials(land, questions)
    try:
        blame = find_blame(trials)
        reasons = _describe(trials, blame, reach)
    except NotEstablished as error:
        return Reasons(not_established=str(error)), []
    except LimitReached as limit:
        return Reasons(not_established=str(questions.stop(limit))), []
    return reasons, trials.claimed


def _describe(trials: Trials, blame: Blame, reach: Reach) -> Reasons:
    """Measure the causes and put them into words."""
    if blame.singles:
        items = {each.name for each in blame.singles if each.kind == "item"}
        named = [each for each in blame.singles if not _is_covered_by(items, trials.land.dungeon, each)]
        causes = sorted(_each_alone(trials, named, reach), key=lambda cause: cause.rank)
        if len(named) == 1 and _bars_alone(trials, named[0], blame.everything):
            granted = ("everything else lifted", "NO")
            return Reasons((replace(causes[0], bars_alone=True, proof=(*causes[0].proof, granted)),))
        return Reasons(tuple(replace(cause, words=describe_as_is(cause.words)) for cause in causes))
    if blame.together:
        return Reasons(tuple(_together(trials, list(blame.together), reach)), together=True)
    trial = trials.with_lifts(blame.everything)
    assert trial is not None, "what cannot be lifted is left out"
    trials.claim(trial)
    dungeon = trials.land.dungeon
    return Reasons((
        Cause(
            "walls",
            None,
            "",
            dungeon.goals,
            words=describe_walls(dungeon, trials.land.state.place, blame.everything, trials.land.meter),
            proof=(("everything lifted", "NO"),),
        ),
    ))  # fmt: skip


def _each_alone(trials: Trials, lifts: Sequence[Lift], reach: Reach) -> list[Cause]:
    """Measure causes of which each is enough; those that take too long to prove are left out, if there are others."""
    causes: list[Cause] = []
    problem: NotEstablished | None = None
    for each in lifts:
        try:
            causes.append(_cause(trials, each, (), reach))
        except NotEstablished as error:
            problem = error
    if problem is not None and not causes:
        raise problem
    return causes


def _bars_alone(trials: Trials, each: Lift, everything: Sequence[Lift]) -> bool:
    """Tell whether a cause bars every way, even if everything else is lifted."""
    dungeon = trials.land.dungeon
    items = {each.name} if each.kind == "item" else set()
    others = [other for other in everything if other != each and not _is_covered_by(items, dungeon, other)]
    trial = trials.with_lifts(others)
    if trial is None or trial.verdict is not Verdict.NO:
        return False
    try:
        trials.claim(trial)
    except NotEstablished:
        return False
    return True


def _together(trials: Trials, lifts: list[Lift], reach: Reach) -> Iterator[Cause]:
    """Yield the causes one after the other: those before are lifted just as far as was found to be enough."""
    for number, each in enumerate(lifts):
        cause = _cause(trials, each, [*lifts[:number], *lifts[number + 1 :]], reach)
        if cause.shortage is not None:
            lifts[number] = replace(each, count=cause.shortage.missing)
        yield cause


def _is_covered_by(items: set[str], dungeon: Dungeon, each: Lift) -> bool:
    """Tell whether a gate is in the way only for want of an item that is a cause itself."""
    return (
        each.kind == "gate"
        and dungeon.gates[each.number].kind == "item"
        and bool(items.intersection(dungeon.gates[each.number].needs))
    )


def _cause(trials: Trials, each: Lift, others: Sequence[Lift], reach: Reach) -> Cause:
    """Measure one cause, once the others are lifted."""
    dungeon = trials.land.dungeon
    lifts = [*others, each]
    helps, without = trials.with_lifts(lifts), trials.with_lifts(others)
    assert helps is not None
    assert without is not None
    if not helps.solvable or without.solvable:
        raise NotEstablished("there are too many situations")
    granted = " and ".join(describe_lift(dungeon, other) for other in others)
    proved: list[tuple[str, Trial]] = [(granted or "as it is", without)]
    if each.kind in ("keys", "bombs"):
        cause, more = _shortage_cause(trials, each, others, reach)
    else:
        cause, more = _thing_cause(trials, each, others, reach)
        proved.append((" and ".join(filter(None, [granted, describe_lift(dungeon, each)])), helps))
    for words, trial in more:
        proved.append((" and ".join(filter(None, [granted, words])), trial))
    for _, trial in proved:
        trials.claim(trial)
    proof = tuple((words, "YES" if trial.solvable else "NO") for words, trial in proved)
    return replace(cause, proof=proof)


def _shortage_cause(
    trials: Trials, each: Lift, others: Sequence[Lift], reach: Reach
) -> tuple[Cause, list[tuple[str, Trial]]]:
    dungeon = trials.land.dungeon
    setting = with_others(trials, others, reach)
    short, proofs = measure_shortage(trials, each, setting)
    gates, more = gates_on_every_way(trials, [*others, each], lambda number: spends(dungeon, number, each))
    lying = _out_of_reach(setting, each)
    words = describe_shortage(dungeon, each, short, gates, lying)
    rank = TOO_LATE
    if short.exist < short.needed:
        rank = SHORT_OVERALL
    elif short.within_reach < short.needed:
        rank = TOO_FEW_WITHIN_REACH
    where = tuple(place for number in gates for place in _places(dungeon, number))
    remedy = f"with {describe_supply(dungeon, each, short.missing)}"
    return Cause(each.kind, each, each.name, where, gates, short, rank=rank, words=words, remedy=remedy), [
        *proofs,
        *more,
    ]


def _places(dungeon: Dungeon, number: int) -> tuple[Place, ...]:
    """Return where a gate stands: its tiles, or both ends of the first way that it bars."""
    ends = [(way.source, way.target) for way in dungeon.ways if way.gate == number]
    return dungeon.gates[number].cells or (ends[0] if ends else ())


def _out_of_reach(setting: Setting, each: Lift) -> list[Place]:
    """Return where keys or bombs lie that no player gets to."""
    kind = "key" if each.kind == "keys" else "bombs"
    return [
        pickup.place
        for pickup in setting.own.dungeon.pickups
        if (pickup.kind, pickup.name if kind == "key" else "") == (kind, each.name)
        and not setting.is_reached(pickup.place)
    ]


def _thing_cause(
    trials: Trials, each: Lift, others: Sequence[Lift], reach: Reach
) -> tuple[Cause, list[tuple[str, Trial]]]:
    """Measure a cause that is not counted."""
    dungeon = trials.land.dungeon
    setting = with_others(trials, others, reach)
    remedy = describe_lift(dungeon, each)
    if each.kind == "item":
        gates, more = gates_on_every_way(
            trials,
            [*others, each],
            lambda number: dungeon.gates[number].kind == "item" and each.name in dungeon.gates[number].needs,
        )
        lying = tuple(pickup.place for pickup in dungeon.pickups if (pickup.kind, pickup.name) == ("item", each.name))
        words = describe_item(setting, each, gates)
        is_had = any(setting.is_reached(place) for place in lying)
        rank = TOO_LATE if is_had else OUT_OF_REACH if lying else LIES_NOWHERE
        return Cause("item", each, each.name, lying, gates, rank=rank, words=words, remedy=remedy), more
    if each.kind == "one-way":
        way = None if each.number < 0 else dungeon.ways[each.number]
        where = each.places if way is None else (way.source, way.target)
        what = "tile" if way is None else way.kind
        words = describe_one_way(setting, each)
        # After a jump down, what was left above tells more than that there is no way back.
        rank = TOO_LATE if dungeon.played else WRONG_WAY
        return Cause("one-way", each, what, where, rank=rank, words=words, remedy=remedy), []
    if each.kind == "gate":
        gate = dungeon.gates[each.number]
        kind = {"barrier": "switch", "item": "item gate", "rule": "rule"}.get(
            gate.kind, "falls shut" if dungeon.rules.soft == "shut" else "monsters"
        )
        words = describe_gate_cause(setting, each.number)
        what = " + ".join(gate.needs)
        where = _places(dungeon, each.number)
        return Cause(kind, each, what, where, (each.number,), rank=IN_THE_WAY, words=words, remedy=remedy), []
    if each.kind == "goal":
        rule = dungeon.goal_rule
        assert rule is not None, "it is lifted only where there is one"
        words = f"The goal needs {describe_requirement(rule)}, and you cannot get there with that."
        return Cause("goal", each, "", dungeon.goals, rank=IN_THE_WAY, words=words, remedy=remedy), []
    if each.kind == "block":
        place = dungeon.blocks[each.number].place
        cannot = " and cannot be pushed" if dungeon.rules.push == "never" else ""
        words = f"The block at {describe_place(dungeon, place)} is in the way{cannot}."
        return Cause("block", each, "", (place,), rank=IN_THE_WAY, words=words, remedy=remedy), []
    words = "One step crosses one tile of water: wider water stops you, and what lies on water stays there."
    return Cause("water", each, dungeon.rules.water, (), rank=IN_THE_WAY, words=words, remedy=remedy), []
