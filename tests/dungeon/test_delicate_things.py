"""What a player may be worse off with, and what proofs about many states at once rest on, looked at state by state."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from torture.judges.dungeon import (
    GOAL,
    State,
    Twin,
    all_states,
    can_win,
    delicate,
    depths_of,
    first_loss_by_taking,
    states_from,
    thorough_moves,
    within_reach,
)

from dungeon.dungeons import dungeon_of
from dungeon.strategies import random_rich_dungeon
from helpers.depth import up_to
from solvent.dungeon.model import AllOf, Cleared, Dungeon, Gate, Have, Not, Pickup, Room, Rules

TORCH, GEM = Have("item", "torch"), Have("item", "gem")


def _with_gate(text: str, rule: object, **changes: object) -> Dungeon:
    made = dungeon_of(text.replace("?", "."))
    gate = Gate("rule", (), ((0, 0, text.index("?")),), rule=rule)  # type: ignore[arg-type]
    return replace(made, gates=(*made.gates, gate), **changes)  # type: ignore[arg-type]


class TestDelicate:
    def test_what_a_gate_refuses(self):
        assert delicate(_with_gate("t@?G", Not(TORCH))) == {0}
        assert delicate(_with_gate("t@?G", TORCH)) == frozenset()
        assert delicate(_with_gate("t@?G", Not(AllOf((Not(TORCH), Have("key")))))) == frozenset()

    def test_monsters_of_a_room_that_must_not_be_cleared(self):
        den = (Room("den", (0, 0, 0), 1, 1),)
        assert delicate(_with_gate("m@?Gm", Not(Cleared("den")), rooms=den)) == {0}

    def test_what_renews_and_all_that_is_counted_with_it(self):
        keys = (Pickup((0, 0, 0), "key", renews=True), Pickup((0, 0, 1), "key"), Pickup((0, 0, 2), "key", "red"))
        dungeon = replace(dungeon_of("...@LRG", strict=False), pickups=keys)
        assert delicate(dungeon) == {0, 1}
        assert delicate(replace(dungeon, rules=Rules(keys_counted=False))) == frozenset()

    def test_what_makes_something_delicate_appear(self):
        """The torch bars nothing itself, yet a player who has it cannot pass the gem without taking it."""
        gem = Pickup((0, 0, 2), "item", "gem", rule=TORCH)
        dungeon = _with_gate("t@.?G", Not(GEM))
        dungeon = replace(dungeon, pickups=(*dungeon.pickups, gem))
        assert delicate(dungeon) == {0, 1}
        without, having = [state for state in all_states(dungeon) if state.place == (0, 0, 1)][:2]
        assert having == without._replace(taken=frozenset({0}))
        assert GOAL in within_reach(dungeon, states_from(dungeon, without))
        assert GOAL not in within_reach(dungeon, states_from(dungeon, having))


class TestFacts:
    def test_more_of_what_is_not_delicate_never_bars_a_move(self):
        pairs = 0
        for seed in range(up_to(20, deep=100)):
            dungeon = random_rich_dungeon(seed)
            twin = Twin(dungeon)
            alike: dict[object, list[State]] = {}
            states = all_states(dungeon)
            for state in states:
                rest = (state._replace(taken=frozenset()), state.taken & twin.delicate)
                alike.setdefault(rest, []).append(state)
            for group in alike.values():
                for less, more in permutations(group[:8], 2):
                    if less.taken < more.taken:
                        pairs += 1
                        for move, after in states[less].items():
                            there = states[more][move]
                            assert there._replace(taken=after.taken) == after, (seed, less, more, move)
                            assert there.taken >= after.taken
                            assert (there.taken - after.taken).isdisjoint(twin.delicate), (seed, less, more, move)
        assert pairs > 100

    def test_being_thorough_never_costs_the_goal(self):
        looked_at = 0
        for seed in range(up_to(40, deep=100)):
            dungeon = random_rich_dungeon(seed)
            states = all_states(dungeon)
            won = {state for state in states if state.place in dungeon.goals}
            careful = thorough_moves(dungeon, states)
            reached = depths_of(careful)
            assert can_win(careful, won) & set(reached) == can_win(states, won) & set(reached), seed
            looked_at += len(reached)
        assert looked_at > 1_000

    def test_only_what_is_delicate_takes_access_away(self):
        looked_at = 0
        for seed in range(up_to(30, deep=60)):
            dungeon = random_rich_dungeon(seed)
            ordinary = frozenset(range(len(dungeon.pickups))) - delicate(dungeon)
            states = all_states(dungeon)
            for state, moves in list(states.items())[:40]:
                for after in moves.values():
                    taken = after.taken - state.taken
                    if taken and taken <= ordinary:
                        without = states_from(dungeon, after._replace(taken=after.taken - taken))
                        gone = within_reach(dungeon, without) - within_reach(dungeon, states_from(dungeon, after))
                        assert not gone - taken, (seed, state, taken)
                        looked_at += 1
        assert looked_at > 60


class TestLossByTaking:
    def test_a_gate_that_refuses_what_was_taken(self):
        dungeon = _with_gate("t@?G", Not(TORCH))
        loss = first_loss_by_taking(dungeon)
        assert loss is not None
        assert (loss.moves, loss.taken, loss.gone) == (1, {0}, {GOAL})

    def test_another_way_to_the_goal_makes_it_harmless(self):
        dungeon = _with_gate("t@?G", Not(TORCH))
        around = replace(dungeon, floors=dungeon_of("t@.G/....").floors)
        assert first_loss_by_taking(around) is None

    def test_spending_is_not_taking(self):
        assert first_loss_by_taking(dungeon_of("k@LG/.L##")) is None
