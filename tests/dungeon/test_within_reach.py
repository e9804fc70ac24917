"""The form `within reach`: homes for any choice of gates to forget, true and spoilt, never prove what is false."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from torture.judges.dungeon import TooLarge, truth

import solvent
from dungeon.strategies import random_dungeon
from dungeon.test_checker_soundness import accepts, dense_dungeon
from dungeon.test_checker_soundness import random_dungeon as odd_dungeon
from helpers.depth import up_to
from helpers.marks import slow
from solvent.asking import make_request
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.dungeon.checker import violations
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.model import Dungeon, Floor, Gate, Pickup, Room, Rules, Way
from solvent.dungeon.rules import resource_of
from solvent.dungeon.solver.certificates import certify, describe_states
from solvent.dungeon.solver.easier import Decider
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.situations import Analysis
from solvent.dungeon.solver.within_reach import _forget, _Homes, _Kept, _Stage, find_within_reach

FORM = "within reach"
MAX_STATES = 4000
MAX_HOMES = 60


def stages_of(dungeon: Dungeon, dice: Random) -> list[dict[str, Any]] | None:
    """Return homes for gates to forget that are chosen at random; whether they prove anything is another question."""
    items = sorted({pickup.name for pickup in dungeon.pickups if pickup.kind == "item"} - set(dungeon.rules.items))
    wanted: list[str | None] = [*dice.sample(items, dice.randrange(len(items) + 1)), None]
    stages, had = [], []
    for item in wanted:
        places = {pickup.place for pickup in dungeon.pickups if pickup.kind == "item" and pickup.name == item}
        stage = _Stage(item, tuple(sorted({*dungeon.goals, *places})), tuple(had))
        resources = {
            resource_of(gate.kind, gate.needs[0] if gate.needs else "")
            for gate in dungeon.gates
            if gate.kind in ("lock", "cracked")
        }
        named = {name for gate in dungeon.gates if gate.kind == "item" for name in gate.needs}
        kept = _Kept(
            frozenset(name for name in sorted(resources) if dice.random() < 0.5),
            frozenset(name for name in sorted(named) if dice.random() < 0.5),
        )
        stages.append(stage_of(dungeon, stage, kept, step_by_step=dice.random() < 0.4))
        if item is not None:
            had.append(item)
    return None if None in stages else stages


def stage_of(dungeon: Dungeon, stage: _Stage, kept: _Kept, *, step_by_step: bool) -> dict[str, Any] | None:
    forgotten = kept.forgotten(dungeon)
    harder, openers = _forget(dungeon, stage, forgotten)
    variant = Analysis.of(ground_level(harder))
    state = Analysis.of(ground_level(dungeon)).ground.game.present_state()
    body: dict[str, Any] = {"states": [], "ranks": [], "forgotten": forgotten, "step_by_step": step_by_step}
    if stage.item is not None:
        body["item"] = stage.item
    if state.place in stage.goals:
        return body
    homes = _Homes(variant, openers, step_by_step, UNLIMITED)
    homes.explore(state)
    if len(homes.homes) > MAX_HOMES:
        return None
    body["states"] = describe_states(variant.ground, homes.areas, homes.homes)
    # Where no way leads to a goal, a rank that is hopeful and wrong.
    body["ranks"] = homes.ranks() or [0 if wins else 1 for wins in homes.wins]
    return body


def spoilt(stages: list[dict[str, Any]], dungeon: Dungeon, dice: Random) -> Iterator[list[dict[str, Any]]]:
    """Yield stages that differ a little from those given."""
    for _ in range(8):
        changed = deepcopy(stages)
        stage = dice.choice(changed)
        what = dice.randrange(8)
        if what == 0 and dungeon.gates:
            stage["forgotten"] = sorted({*stage["forgotten"]} ^ {dice.randrange(len(dungeon.gates))})
        elif what == 1:
            stage["step_by_step"] = not stage["step_by_step"]
        elif what == 2 and stage["states"]:
            index = dice.randrange(len(stage["states"]))
            del stage["states"][index], stage["ranks"][index]
        elif what == 3:
            dice.shuffle(stage["ranks"])
        elif what == 4:
            stage["ranks"] = [0] * len(stage["ranks"])
        elif what == 5 and len(changed) > 1:
            del changed[dice.randrange(len(changed) - 1)]
        elif what == 6 and len(changed) > 1:
            changed[:-1] = dice.sample(changed[:-1], len(changed) - 1)
        elif stage["states"]:
            situation = dice.choice(stage["states"])
            part = dice.choice(["taken", "items", "opened", "fallen", "on", "moved"])
            if situation.get(part):
                situation[part] = situation[part][1:]
            else:
                situation["at"] = dice.choice(stage["states"])["at"]
        yield changed


def dungeons(seed: int) -> Iterator[Dungeon]:
    yield random_dungeon(seed)
    yield dense_dungeon(seed)
    odd = odd_dungeon(seed)
    plates = {switch.name for switch in odd.switches}
    if all(gate.kind != "barrier" or gate.needs[0] in plates for gate in odd.gates):
        yield odd


@pytest.mark.parametrize("seeds", [range(30), *slow([range(30, up_to(90, deep=400))])], ids=["some", "many"])
def test_it_is_accepted_only_where_nobody_can_lose(seeds: range):
    seen: Counter[str] = Counter()
    for seed in seeds:
        for dungeon in dungeons(seed):
            try:
                known = truth(dungeon, MAX_STATES)
            except TooLarge:
                continue
            if known.plan == 0:
                continue
            dice = Random(seed)
            for _ in range(4):
                stages = stages_of(dungeon, dice)
                if stages is None:
                    continue
                for body in (stages, *spoilt(stages, dungeon, dice)):
                    seen["tried"] += 1
                    if accepts(dungeon, FORM, stages=body):
                        assert known.lost is None, (seed, dungeon, body)
                        seen["accepted"] += 1
                        seen["in stages"] += len(body) > 1
                        seen["step by step"] += any(stage["step_by_step"] for stage in body)
                        seen["forgotten"] += any(stage["forgotten"] for stage in body)
                    seen["could be lost"] += known.lost is not None
    assert seen["accepted"] > len(seeds)
    assert seen["could be lost"] > 5 * len(seeds)
    assert min(seen["in stages"], seen["step by step"], seen["forgotten"]) > len(seeds) // 10, seen


class TestThoroughPlayersOfLaterStages:
    """A thorough player who lacks an item leaves behind what only that item leads to: that is not careless."""

    LEDGE = Dungeon(
        floors=(Floor("ledge", (".~.>....",)),),
        start=(0, 0, 2),
        goals=((0, 0, 6),),
        pickups=(Pickup((0, 0, 0), "key"), Pickup((0, 0, 4), "item", "ladder")),
        gates=(Gate("soft", ("den",), ((0, 0, 3),)), Gate("lock", ("",), ((0, 0, 5),))),
        rooms=(Room("den", (0, 0, 7), 1, 1),),
        rules=Rules(soft="shut", player="thorough"),
    )

    def test_what_an_item_of_an_earlier_stage_leads_to_may_be_left_behind(self):
        had = {"taken": [0], "items": ["ladder"]}
        stages = [
            {"item": "ladder", "states": [{"at": [0, 0, 2]}, {"at": [0, 0, 3], "fallen": [0]}], "ranks": [1, 0]},
            {
                "states": [
                    {"at": [0, 0, 2], **had},
                    {"at": [0, 0, 3], **had, "fallen": [0]},
                    {"at": [0, 0, 4], **had, "fallen": [0]},
                    {"at": [0, 0, 5], **had, "fallen": [0], "opened": [1]},
                ],
                "ranks": [3, 2, 1, 0],
            },
        ]
        false = certify(self.LEDGE, "losable", Verdict.NO, "within reach", stages=stages)
        assert violations(self.LEDGE, false) == [
            "stage 1: situation 0: E at row 0, column 2 of ledge may leave something behind"
        ]

    def test_the_solver_does_not_think_so_either(self):
        dungeon = Dungeon(
            floors=(Floor("ledge", ("...>.....",)), Floor("cell", (".",))),
            start=(0, 0, 2),
            goals=((0, 0, 7),),
            pickups=(
                Pickup((0, 0, 0), "key"),
                Pickup((0, 0, 2), "item", "torch"),
                Pickup((0, 0, 4), "item", "ladder"),
                Pickup((1, 0, 0), "item", "ladder"),
            ),
            gates=(
                Gate("item", ("ladder",), ((0, 0, 1), (0, 0, 6))),
                Gate("soft", ("den",), ((0, 0, 3),)),
                Gate("lock", ("",), ((0, 0, 5),)),
                Gate("soft", ("den",)),
                Gate("item", ("torch",)),
            ),
            ways=(Way((0, 0, 2), (1, 0, 0), "door", 3), Way((1, 0, 0), (0, 0, 2), "door")),
            rooms=(Room("den", (0, 0, 8), 1, 1),),
            rules=Rules(soft="shut", player="thorough"),
        )
        assert solvent.ask(dungeon, "losable").verdict is Verdict.YES
        analysis = Analysis.of(ground_level(dungeon))
        decider = Decider.of(analysis, make_request(DOMAIN, "losable", options={}), UNLIMITED)
        assert find_within_reach(decider, analysis.ground.game.present_state(), UNLIMITED) is None
