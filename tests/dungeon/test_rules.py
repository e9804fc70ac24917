"""The rules against the twin: every move of every state, legal or not, of many dungeons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from torture.judges import dungeon as brute_force
from torture.judges.dungeon import Twin, all_states
from torture.judges.dungeon.twin import all_rules

from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.playing import as_twin_has_it, play_both
from dungeon.strategies import random_dungeon, random_rich_dungeon
from helpers.depth import up_to
from solvent.dungeon.model import Dungeon, Gate, Rules, Way
from solvent.dungeon.rules import Game, State

NAMED_NOTHING = ("", "n", "NE", "-1", "1.0", "٣", "+0", "1000000")


def compare(dungeon: Dungeon) -> int:
    """Play all there is to play in both, and return how many states there were."""
    game, twin = Game(dungeon), Twin(dungeon)
    expected = all_states(dungeon)
    assert as_twin_has_it(dungeon, game.start_state()) == twin.beginning()
    first = game.present_state()
    assert as_twin_has_it(dungeon, first) == brute_force.first_state(dungeon)
    seen, waiting = {first}, [first]
    while waiting:
        state = waiting.pop()
        here = as_twin_has_it(dungeon, state)
        assert game.is_won(state) == twin.is_won(here)
        after = {move: there for move in twin.moves if (there := game.step(state, move)) is not None}
        assert {move: as_twin_has_it(dungeon, there) for move, there in after.items()} == expected[here], (
            dungeon,
            state,
        )
        assert dict(game.moves(state)) == after
        _compare_holdings(game, twin, state, here)
        for there in after.values():
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    assert len(seen) == len(expected)
    return len(seen)


def _compare_holdings(game: Game, twin: Twin, state: State, here: brute_force.State) -> None:
    assert [game.keys(state, colour) for colour in ("", "red")] == [twin.keys(here, colour) for colour in ("", "red")]
    assert game.bombs(state) == (None if game.rules.bombs is None else twin.bombs(here))
    for item in ("torch", "ladder", "raft", "gem", "bow"):
        assert game.holds(state, item) == twin.has_item(here, item)
        assert game.items(state, item) == twin.items(here, item)
    for name in {switch.name for switch in game.dungeon.switches}:
        assert game.switch_state(state, name) == twin.switch_state(here, name)
    for rule in all_rules(game.dungeon):
        assert game.meets(state, rule) == twin.holds(here, rule)


@pytest.mark.parametrize("name", KNOWN)
def test_known_dungeons(name: str):
    assert compare(KNOWN[name].dungeon) >= 1


def test_random_dungeons():
    assert sum(compare(random_dungeon(seed)) for seed in range(up_to(70, deep=120))) > 2_500


@pytest.mark.slow
def test_many_random_dungeons():
    seeds = range(1_000, up_to(1_400, deep=4_000))
    assert sum(compare(random_dungeon(seed)) for seed in seeds) > 30 * len(seeds)


class TestRichDungeons:
    """All mechanics at once."""

    def test_random_dungeons(self):
        assert sum(compare(random_rich_dungeon(seed, picky=False)) for seed in range(up_to(70, deep=320))) > 2_500

    @pytest.mark.slow
    def test_many_random_dungeons(self):
        seeds = range(1_000, up_to(1_400, deep=4_000))
        assert sum(compare(random_rich_dungeon(seed, picky=False)) for seed in seeds) > 30 * len(seeds)
        assert sum(compare(random_rich_dungeon(seed)) for seed in range(150)) > 7_000

    def test_places_that_are_closed(self):
        smaller = 0
        for seed in range(120):
            dungeon = random_rich_dungeon(seed, picky=False)
            places = sorted({state.place for state in all_states(dungeon)} - {dungeon.start})
            if places and not dungeon.played:
                closed = replace(dungeon, closed=(places[seed % len(places)],))
                smaller += compare(closed) < len(all_states(dungeon))
        assert smaller > 60


def test_moves_that_are_none():
    game = Game(KNOWN["stairs"].dungeon)
    state = game.start_state()
    assert [game.step(state, move) for move in NAMED_NOTHING] == [None] * len(NAMED_NOTHING)


def test_a_walk_ends_at_the_first_illegal_move():
    game = Game(dungeon_of("@.#G"))
    start = game.start_state()
    assert [state.place for state in game.walk(start, "EWEEW")] == [(0, 0, 1), (0, 0, 0), (0, 0, 1)]
    assert [*game.walk(start, "N")] == []


class TestOneMove:
    """Corners of the rules that are easy to get wrong, move by move."""

    def after(self, dungeon: Dungeon, *moves: str) -> State | None:
        return play_both(dungeon, *moves)

    def test_a_gate_met_twice_in_a_move_takes_one_key(self):
        gate = Gate("lock", ("",), ((1, 0, 0),))
        dungeon = dungeon_of("k@", ".G", gates=(gate,), ways=(Way((0, 0, 1), (1, 0, 0), gate=0),))
        state = self.after(dungeon, "W", "E", "0")
        assert state is not None
        assert Game(dungeon).keys(state, "") == 0

    def test_two_gates_in_a_move_take_two_keys_or_nothing(self):
        gates = (Gate("lock", ("",)), Gate("lock", ("",), ((1, 0, 0),)))
        dungeon = dungeon_of("k@", ".G", gates=gates, ways=(Way((0, 0, 1), (1, 0, 0), gate=0),))
        assert self.after(dungeon, "W", "E", "0") is None
        richer = replace(dungeon, rules=Rules(keys=(("", 1),)))
        state = self.after(richer, "W", "E", "0")
        assert state is not None
        assert state.opened == {0, 1}

    def test_a_soft_gate_on_a_way_and_its_end_falls_once(self):
        gate = Gate("soft", ("den",), ((1, 0, 0),))
        dungeon = dungeon_of(
            "@.",
            ".G",
            rules=Rules(soft="shut"),
            gates=(gate,),
            ways=(Way((0, 0, 0), (1, 0, 0), gate=0),),
            rooms={"den": ((1, 0, 0), 1, 2)},
        )
        state = self.after(dungeon, "0")
        assert state is not None
        assert state.fallen == {0}

    def test_monsters_hold_up_only_who_is_in_their_room(self):
        rooms = {"den": ((0, 0, 2), 1, 3)}
        dungeon = dungeon_of("@S.mS.G", rooms=rooms, rules=Rules(soft="clear"))
        assert self.after(dungeon, "E", "E") is not None  # the gate itself lies outside the room
        assert self.after(dungeon, "E", "E", "W") is None
        assert self.after(dungeon, "E", "E", "E", "W", "W") is not None

    def test_a_leap_touches_nothing_on_the_water(self):
        dungeon = dungeon_of("@~.G", rules=Rules(items=("ladder",), crossing="one"))
        over = replace(dungeon, pickups=dungeon_of("@k.G").pickups)
        state = self.after(over, "E")
        assert state is not None
        assert state.place == (0, 0, 2)
        assert state.taken == frozenset()

    def test_a_leap_neither_pushes_nor_lands_off_the_map(self):
        rules = Rules(items=("ladder",), crossing="one")
        assert self.after(dungeon_of("@~o.G", rules=rules), "E") is None
        assert self.after(dungeon_of("@~/G.", rules=rules), "E") is None
        assert self.after(dungeon_of("@~<G", rules=rules), "E") is None
        assert self.after(dungeon_of("@~>G", rules=rules), "E") is not None

    def test_one_ways_bind_steps_and_not_ways(self):
        dungeon = dungeon_of("@^.G", ways=(Way((0, 0, 0), (0, 0, 1)), Way((0, 0, 1), (0, 0, 2))))
        assert self.after(dungeon, "E") is None
        assert self.after(dungeon, "0", "E") is None
        assert self.after(dungeon, "0", "1") is not None

    @pytest.mark.parametrize("behind", ["k", "L", "s", "G", "~", ">", "#", " ", "o"])
    def test_a_block_is_pushed_onto_bare_floor_only(self, behind: str):
        assert self.after(dungeon_of(f"@o{behind}./...G", strict=False), "E") is None
        assert self.after(dungeon_of("@o../...G"), "E") is not None

    def test_a_block_is_not_pushed_onto_the_end_of_a_way(self):
        for way in (Way((0, 0, 2), (0, 1, 0)), Way((0, 1, 0), (0, 0, 2))):
            assert self.after(dungeon_of("@o../...G", ways=(way,)), "E") is None

    def test_a_block_moves_once(self):
        dungeon = dungeon_of("@o..G")
        state = self.after(dungeon, "E")
        assert state is not None
        assert state.moved == ("E",)
        assert self.after(dungeon, "E", "E") is None

    def test_a_block_may_rest_on_the_start(self):
        state = self.after(dungeon_of("@o.G/...."), "S", "E", "E", "N", "W")
        assert state is not None
        assert state.moved == ("W",)
        assert self.after(dungeon_of("@o.G/...."), "S", "E", "E", "N", "W", "W") is None

    def test_the_old_place_of_a_block_is_never_bare(self):
        dungeon = dungeon_of("@oo./..../...G")
        assert self.after(dungeon, "E") is None  # the second block is in the way
        # Once the second block is gone, its place is still not one to push onto.
        assert self.after(dungeon, "S", "E", "E", "N") is None  # it would leave the map
        pushed = dungeon_of("..../@oo./..../...G")
        assert self.after(pushed, "S", "E", "E", "N", "S", "W", "W", "N", "E") is None

    def test_a_block_is_not_pushed_onto_another_that_was_pushed(self):
        dungeon = dungeon_of("@o.o./...../G####")
        assert self.after(dungeon, "S", "E", "E", "E", "E", "N", "W") is not None
        assert self.after(dungeon, "E", "S", "E", "E", "E", "N") is not None
        assert self.after(dungeon, "E", "S", "E", "E", "E", "N", "W") is None

    def test_no_way_leads_onto_a_block(self):
        dungeon = dungeon_of("@.o..G", ways=(Way((0, 0, 0), (0, 0, 2)),))
        assert self.after(dungeon, "0") is None
        assert self.after(dungeon, "E", "E", "W", "W", "0") is not None

    def test_two_plates_on_a_tile_turn_both_switches(self):
        dungeon = dungeon_of("@s.G")
        both = replace(dungeon, switches=(*dungeon.switches, replace(dungeon.switches[0], name="wheel")))
        state = self.after(both, "E", "E", "W")
        assert state is not None
        assert state.on == frozenset()
        state = self.after(both, "E")
        assert state is not None
        assert state.on == {"lever", "wheel"}
