"""Easier dungeons: the answers they give where nothing else is tried, and closed sets with gates waived."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from torture.judges.dungeon import TooLarge, all_states, can_win, first_state, play

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from dungeon.test_checker_soundness import accepts, certificate, dense_dungeon
from dungeon.test_solver import assert_right
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED
from solvent.core.events import ignore
from solvent.dungeon.checker import violations
from solvent.dungeon.model import Dungeon, Gate, Have, Rules
from solvent.dungeon.solver import solvable
from solvent.dungeon.solver.certificates import describe_situations
from solvent.dungeon.solver.easier import make_easier, waivable_gates
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.situations import Analysis, explore_from


@pytest.fixture
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no nodes for looking at the situations themselves at first."""
    monkeypatch.setattr(solvable, "QUICK_NODES", 0)


@pytest.mark.parametrize("seeds", [range(60), *slow([range(60, up_to(300, deep=1600))])], ids=["some", "many"])
@pytest.mark.usefixtures("nothing_else")
def test_answers_are_those_of_brute_force(seeds: range):
    seen: Counter[str] = Counter()
    for seed in seeds:
        dungeon, known = random_dungeon(seed), random_truth(seed)
        for question in ("solvable", "losable"):
            answer = solvent.ask(dungeon, question)
            assert answer.certified
            assert_right(dungeon, answer, known)
            assert answer.certificate is not None
            form = answer.certificate["form"]
            seen[form] += 1
            seen[f"{form}, waived"] += bool(answer.certificate.get("waived"))
            seen[f"{form}, not shortest"] += answer.stats.get("shortest") is False
    assert seen["plan, not shortest"] == 0
    for what in ("closed set, waived", "lost walk, waived", "lost walk, not shortest", "within reach"):
        assert seen[what] > len(seeds) // 20, seen


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.usefixtures("nothing_else")
def test_known_dungeons(name: str):
    dungeon, plan, lost = KNOWN[name]
    solved, lossy = solvent.ask(dungeon, "solvable"), solvent.ask(dungeon, "losable")
    assert solved.verdict is (Verdict.NO if plan is None else Verdict.YES)
    assert lossy.verdict is (Verdict.NO if lost is None else Verdict.YES)
    if solved.certificate is not None and plan is not None:
        assert len(solved.certificate["plan"]) == plan
        assert solved.stats["shortest"]


@pytest.mark.usefixtures("nothing_else")
def test_any_plan_will_do_where_no_shortest_is_wanted():
    answer = solvent.ask(KNOWN["a short cut that costs the key"].dungeon, "solvable", shortest=False)
    assert answer.verdict is Verdict.YES
    assert answer.certificate is not None
    state = play(KNOWN["a short cut that costs the key"].dungeon, answer.certificate["plan"])
    assert state is not None


# Closed sets with gates waived


def closed_set(dungeon: Dungeon, waived: list[int]) -> list[dict[str, Any]]:
    """Return the situations of the easier dungeon, whether a goal is among what they lead to or not."""
    present = Analysis.of(ground_level(dungeon)).ground.game.present_state()
    easier = Analysis.of(ground_level(make_easier(dungeon, waived, dungeon.goals)))
    exploration, _ = explore_from(easier, present, UNLIMITED, ignore, stop_at_win=False)
    return describe_situations(exploration, range(exploration.count))


@pytest.mark.parametrize("seeds", [range(50), *slow([range(50, up_to(150, deep=800))])], ids=["some", "many"])
def test_nothing_false_is_accepted(seeds: range):
    seen: Counter[str] = Counter()
    for seed in seeds:
        for dungeon in (random_dungeon(seed), dense_dungeon(seed)):
            try:
                states = all_states(dungeon, 1500)
            except TooLarge:
                continue
            first = first_state(dungeon)
            if first.place in dungeon.goals:
                continue
            alive = can_win(states, {state for state in states if state.place in dungeon.goals})
            dice = Random(seed)
            gates = waivable_gates(dungeon) + [n for n, gate in enumerate(dungeon.gates) if gate.kind == "item"]
            for _ in range(3):
                waived = sorted(gate for gate in gates if dice.random() < 0.5)
                situations = closed_set(dungeon, waived)
                if len(situations) > 60:
                    continue
                for body, gone in spoilt(situations, waived, dungeon, dice):
                    seen["tried"] += 1
                    if accepts(dungeon, "closed set", states=body, waived=gone):
                        seen["accepted"] += 1
                        seen["with gates waived"] += bool(gone)
                        assert first not in alive, (seed, dungeon, gone)
    assert seen["tried"] > 8 * len(seeds)
    assert seen["with gates waived"] > len(seeds) // 5, seen


def spoilt(
    situations: list[dict[str, Any]], waived: list[int], dungeon: Dungeon, dice: Random
) -> list[tuple[list[dict[str, Any]], list[int]]]:
    """Return the set as it is, and some that differ a little."""
    bodies = [(situations, waived)]
    for _ in range(6):
        changed, gone = deepcopy(situations), list(waived)
        what = dice.randrange(4)
        if what == 0 and dungeon.gates:
            gone = sorted({*gone} ^ {dice.randrange(len(dungeon.gates))})
        elif what == 1 and changed:
            del changed[dice.randrange(len(changed))]
        elif what == 2 and changed:
            situation = dice.choice(changed)
            part = dice.choice(["taken", "items", "opened", "fallen", "on", "moved"])
            if situation.get(part):
                situation[part] = situation[part][1:]
        else:
            gone = gone[1:]
        bodies.append((changed, gone))
    return bodies


class TestWaived:
    """What may be waived, and how it must be written."""

    DUNGEON = dungeon_of("k@LLG/sT###/tD###", rules=Rules())

    def test_locks_that_do_not_matter(self):
        dungeon = dungeon_of("k@L.#G/..L.#.")
        states = closed_set(dungeon, [0, 1])
        assert accepts(dungeon, "closed set", states=states, waived=[0, 1])
        assert not accepts(dungeon, "closed set", states=states)

    @pytest.mark.parametrize(
        ("waived", "message"),
        [
            ([1, 0], "not sorted"),
            ([0, 0], "said twice"),
            ([-1], "no gate"),
            ([99], "no gate"),
            ([3], "barrier"),
        ],
    )
    def test_lists_that_are_not_right(self, waived: list[int], message: str):
        kinds = [gate.kind for gate in self.DUNGEON.gates]
        assert kinds == ["lock", "lock", "item", "barrier"]
        found = violations(self.DUNGEON, certificate(self.DUNGEON, "closed set", states=[], waived=waived))
        assert len(found) == 1
        assert message in found[0]

    def test_a_requirement_that_asks_about_keys(self):
        dungeon = dungeon_of("k@L.#G/..L.#.")
        asking = Gate("rule", (), ((0, 1, 1),), rule=Have("key"))
        assert waivable_gates(dungeon) == [0, 1]
        assert waivable_gates(replace(dungeon, gates=(*dungeon.gates, asking))) == []
