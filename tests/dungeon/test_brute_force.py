"""The twin itself: dungeons small enough to see what is true of them, and what it promises about states."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torture.judges.dungeon import (
    State,
    TooLarge,
    all_states,
    can_win,
    dead_states,
    depths_of,
    first_state,
    play,
    shortest_lost_walk,
    shortest_plan,
    thorough_moves,
)

from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth, spoiled
from helpers.depth import up_to


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_by_looking(name: str):
    dungeon, plan, lost = KNOWN[name]
    assert shortest_plan(dungeon) == plan
    assert shortest_lost_walk(dungeon) == lost


@pytest.mark.parametrize("name", [name for name, known in KNOWN.items() if known.lost != 0])
def test_a_thorough_player_loses_no_sooner(name: str):
    dungeon, _, lost = KNOWN[name]
    thorough = shortest_lost_walk(replace(dungeon, rules=replace(dungeon.rules, player="thorough")))
    assert thorough is None or (lost is not None and lost <= thorough)


def test_a_dead_end_is_lost_and_the_way_to_the_goal_is_not():
    dungeon = KNOWN["a dead end one way"].dungeon
    assert {state.place for state in dead_states(dungeon)} == {(0, 0, 0), (0, 0, 1)}


def test_moves_after_the_end_are_not_legal():
    dungeon = dungeon_of("@G.")
    assert play(dungeon, "E") is not None
    assert play(dungeon, "EE") is None
    assert play(dungeon, "EW") is None


def test_moves_that_have_no_name_are_not_legal():
    dungeon = KNOWN["stairs"].dungeon
    assert play(dungeon, ["E", "0"]) is not None
    assert [play(dungeon, ["E", move]) for move in ("1", "2", "-1", "e", "")] == [None] * 5


def test_more_states_than_wanted_are_refused():
    dungeon = dungeon_of("@......G")
    assert len(all_states(dungeon, most=8)) == 8
    with pytest.raises(TooLarge):
        all_states(dungeon, most=7)


def test_the_start_is_stood_on_and_not_stepped_on():
    dungeon = replace(KNOWN["a lever"].dungeon, start=(0, 0, 0))
    assert first_state(dungeon).on == frozenset()
    assert first_state(replace(KNOWN["key and lock"].dungeon, start=(0, 0, 0))).taken == {0}


class TestFacts:
    """What proofs about many states at once rest on, looked at state by state."""

    def test_more_in_hand_never_bars_a_move(self):
        pairs = 0
        for seed in range(80):
            alike: dict[State, list[State]] = {}
            states = all_states(random_dungeon(seed))
            for state in states:
                alike.setdefault(state._replace(taken=frozenset()), []).append(state)
            for group in alike.values():
                for less, more in permutations(group[:12], 2):
                    if less.taken < more.taken:
                        pairs += 1
                        for move, after in states[less].items():
                            assert states[more][move] == after._replace(taken=after.taken | more.taken), (seed, less)
        assert pairs > 1_000

    def test_being_thorough_never_costs_the_goal(self):
        looked_at = 0
        for seed in range(up_to(60, deep=120)):
            dungeon = random_dungeon(seed)
            states = all_states(dungeon)
            won = {state for state in states if state.place in dungeon.goals}
            careful = thorough_moves(dungeon, states)
            reached = depths_of(careful)
            assert can_win(careful, won) & set(reached) == can_win(states, won) & set(reached), seed
            looked_at += len(reached)
        assert looked_at > 1_500


class TestRandomDungeons:
    def test_the_same_seed_makes_the_same_dungeon(self):
        make = random_dungeon.__wrapped__  # past what is remembered
        assert [make(seed) for seed in range(20)] == [make(seed) for seed in range(20)]

    def test_all_kinds_of_dungeons_occur(self):
        seen: Counter[str] = Counter()
        for seed in range(200):
            dungeon = random_dungeon(seed)
            _, plan, lost = random_truth(seed)
            seen["unsolvable" if plan is None else "safe" if lost is None else "losable"] += 1
            seen.update({f"gate {gate.kind}" for gate in dungeon.gates})
            seen.update({f"pickup {pickup.kind}" for pickup in dungeon.pickups})
            seen.update(name for name in ("blocks", "switches", "ways", "played") if getattr(dungeon, name))
            seen.update(f"{name}={getattr(dungeon.rules, name)}" for name in ("crossing", "soft", "push", "player"))
            seen[f"counted={dungeon.rules.keys_counted}"] += 1
            seen[f"unlimited={dungeon.rules.bombs is None}"] += 1
        assert min(seen[verdict] for verdict in ("unsolvable", "safe", "losable")) > 30
        assert len(seen) == 3 + 5 + 4 + 4 + 2 + 3 + 2 + 2 + 2 + 2
        assert min(seen.values()) > 10

    def test_only_the_mechanics_asked_for(self):
        for seed in range(40):
            dungeon = random_dungeon(seed, mechanics=("locks", "blocks"))
            assert {gate.kind for gate in dungeon.gates} <= {"lock"}
            assert not dungeon.ways
            assert not dungeon.switches

    @given(st.data())
    def test_a_spoiled_text_stays_a_text(self, data: st.DataObject):
        text = "dungeon: Small\nmap:\n@.G\n"
        assert isinstance(data.draw(spoiled(text)), str)
