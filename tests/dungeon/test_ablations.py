"""Each part of the search switched off, one at a time and all at once: the answers stay what they are."""

from __future__ import annotations

import pytest
from torture.judges.dungeon import all_states, dead_states

import solvent
from dungeon.dungeons import KNOWN
from dungeon.strategies import random_dungeon, random_truth
from dungeon.test_solver import assert_plan_wins, assert_right, expected_verdict
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict

PARTS = ("macros", "plan_heuristic", "dominance", "reverse", "areas")
ABLATIONS = {
    **{f"without {part}": {part: False} for part in PARTS},
    **{f"only {part}": {other: other == part for other in PARTS} for part in PARTS},
    "without anything": dict.fromkeys(PARTS, False),
}


@pytest.mark.parametrize("name", ABLATIONS)
@pytest.mark.parametrize("question", ["solvable", "losable"])
@pytest.mark.parametrize("seeds", [range(15), *slow([range(15, 80)])], ids=str)
def test_the_answer_is_the_same(name: str, question: str, seeds: range):
    for seed in seeds:
        answer = solvent.ask(random_dungeon(seed), question, **ABLATIONS[name])
        assert answer.certified
        assert_right(random_dungeon(seed), answer, random_truth(seed))
        assert answer.verdict is Verdict.NO or answer.stats["shortest"]


@pytest.mark.parametrize("name", ABLATIONS)
def test_known_dungeons(name: str):
    for known in KNOWN.values():
        answer = solvent.ask(known.dungeon, "solvable", **ABLATIONS[name])
        assert answer.verdict is (Verdict.NO if known.plan is None else Verdict.YES)
        if answer.certificate is not None and known.plan is not None:
            assert len(answer.certificate["plan"]) == known.plan


@pytest.mark.parametrize("name", ["with all", *ABLATIONS])
def test_with_weight_there_is_a_plan_not_proved_shortest(name: str):
    for seed in range(up_to(15, deep=100)):
        known = random_truth(seed)
        answer = solvent.ask(random_dungeon(seed), "solvable", weight=3, **ABLATIONS.get(name, {}))
        assert answer.verdict is expected_verdict("solvable", known)
        if known.plan:
            assert answer.certificate is not None
            assert answer.stats["shortest"] is False
            assert_plan_wins(random_dungeon(seed), answer.certificate["plan"])
            assert len(answer.certificate["plan"]) <= 3 * known.plan  # the price that a weight may have


@pytest.mark.parametrize("name", ["with all", *ABLATIONS])
def test_a_small_budget_never_gives_another_verdict(name: str):
    unknown = 0
    for seed in range(up_to(15, deep=30)):
        for nodes in (1, 5, 25):
            answer = solvent.ask(random_dungeon(seed), "solvable", nodes=nodes, **ABLATIONS.get(name, {}))
            if answer.verdict is Verdict.UNKNOWN:
                unknown += 1
            else:
                assert answer.verdict is expected_verdict("solvable", random_truth(seed))
    assert unknown > 0


class TestReversePruning:
    """Skipping positions from which nothing leads to the goal, even with endless keys."""

    @pytest.mark.parametrize("seeds", [range(50), *slow([range(50, 150)])], ids=str)
    def test_no_position_that_can_be_won_is_skipped(self, seeds: range):
        from solvent.dungeon.invalidity import RelaxedReverseReachability
        from solvent.dungeon.rules import State

        skipped = dead = 0
        for seed in seeds:
            dungeon = random_dungeon(seed)
            test = RelaxedReverseReachability(dungeon)
            hopeless = dead_states(dungeon)
            for state in all_states(dungeon):
                moved = dict(state.moved)
                pushed = tuple(moved.get(block, "") for block in range(len(dungeon.blocks)))
                if test.is_invalid(State(*state[:5], pushed)):
                    assert state in hopeless, (dungeon, state)
                    skipped += 1
            dead += len(hopeless)
        assert 0 < skipped <= dead
