"""Blocks that are pushed on and on, blocks that go back where they stood, and players who go back to the start."""

from __future__ import annotations

from dataclasses import replace

from dungeon.dungeons import dungeon_of
from dungeon.playing import must_play, play_both
from solvent.dungeon.model import Dungeon, Gate, Pickup, Room, Rules, Switch, Way

ON, HOME = Rules(push="on"), Rules(home="always")


class TestPushedOn:
    def test_a_block_goes_on_as_far_as_the_floor_is_bare(self):
        dungeon = dungeon_of("@o...#/.....G", rules=ON)
        assert must_play(dungeon, "E", "E", "E").moved == ("EEE",)
        assert play_both(dungeon, "E", "E", "E", "E") is None

    def test_it_is_pushed_any_way_and_back_home(self):
        dungeon = dungeon_of("..../@o../...G", rules=ON)
        state = must_play(dungeon, "E", "N", "E", "E", "S", "W")
        assert state.moved == ("",)
        assert state.place == (0, 1, 2)

    def test_the_walk_to_a_block_has_rows_before_columns(self):
        dungeon = dungeon_of("...../@o.../...../....G", rules=ON)
        assert must_play(dungeon, "E", "N", "E", "S").moved == ("SE",)

    def test_not_onto_the_home_of_another(self):
        dungeon = dungeon_of("...../@oo../....G", rules=ON)
        away = ("N", "E", "E", "S")  # the second block goes south
        assert must_play(dungeon, *away).moved == ("", "S")
        assert play_both(dungeon, *away, "N", "W", "W", "S", "E") is None

    def test_not_where_another_stands(self):
        assert play_both(dungeon_of("@o.o./....G", rules=ON), "E", "E") is None

    def test_not_onto_plates_pickups_gates_goals_or_ends_of_ways(self):
        for behind in "skLG~>":
            assert play_both(dungeon_of(f"@o.{behind}./....G", rules=ON, strict=False), "E", "E") is None
        assert play_both(dungeon_of("@o.../....G", rules=ON, ways=(Way((0, 1, 0), (0, 0, 3)),)), "E", "E") is None

    def test_onto_a_held_plate_and_off_it_again(self):
        held = replace(dungeon_of("@o../...G", rules=ON), switches=(Switch((0, 0, 2), "scale", "held"),))
        assert must_play(held, "E", "E").moved == ("EE",)

    def test_only_once_where_the_rules_say_so(self):
        assert play_both(dungeon_of("@o.../....G"), "E", "E") is None


class TestReset:
    rooms = (Room("west", (0, 0, 0), 2, 4), Room("east", (0, 0, 5), 2, 1))

    def dungeon(self, **rules: str) -> Dungeon:
        made = dungeon_of("@o..../....#G", rules=Rules(blocks="reset", **rules))
        return replace(made, rooms=self.rooms)

    def test_a_block_is_back_once_its_room_is_left(self):
        dungeon = self.dungeon()
        inside = ("E", "S", "E", "E", "N")
        assert must_play(dungeon, *inside).moved == ("E",)
        assert must_play(dungeon, *inside, "E").moved == ("",)

    def test_it_may_be_pushed_again(self):
        dungeon = self.dungeon()
        again = ("E", "S", "E", "E", "N", "E", "W", "S", "W", "W", "W", "N", "E")
        assert must_play(dungeon, *again).moved == ("E",)

    def test_blocks_stay_where_the_rules_say_so(self):
        stay = replace(self.dungeon(), rules=Rules(blocks="stay"))
        assert must_play(stay, "E", "S", "E", "E", "N", "E").moved == ("E",)

    def test_a_block_that_is_pushed_out_goes_back_when_the_player_follows(self):
        rooms = (Room("west", (0, 0, 0), 1, 2),)
        dungeon = replace(dungeon_of("@o...G", rules=Rules(blocks="reset", push="on")), rooms=rooms)
        assert must_play(dungeon, "E").moved == ("E",)
        state = must_play(dungeon, "E", "E")  # this step pushes it on, and leaves the room
        assert state.moved == ("",)
        assert state.place == (0, 0, 2)

    def test_the_room_of_its_home_counts(self):
        rooms = (Room("east", (0, 0, 2), 2, 2),)
        dungeon = replace(dungeon_of("@o../...G", rules=Rules(blocks="reset")), rooms=rooms)
        assert must_play(dungeon, "E", "S", "E", "W").moved == ("E",)  # it stood outside the room that was left

    def test_a_return_leaves_rooms_too(self):
        dungeon = replace(self.dungeon(home="always"), start=(0, 0, 5))
        assert must_play(dungeon, "W", "W", "W", "W").moved == ("W",)
        assert must_play(dungeon, "W", "W", "W", "W", "r").moved == ("",)


class TestReturn:
    def test_from_anywhere_but_the_start_and_goals(self):
        dungeon = dungeon_of("@>.G", rules=HOME)
        assert must_play(dungeon, "E", "E", "r").place == (0, 0, 0)
        assert play_both(dungeon, "r") is None
        assert play_both(dungeon, "E", "E", "E", "r") is None
        assert play_both(dungeon_of("@>.G"), "E", "r") is None

    def test_everything_is_kept(self):
        dungeon = dungeon_of("@k>LG", rules=HOME)
        assert must_play(dungeon, "E", "E", "E", "r") == must_play(dungeon, "E", "E", "E")._replace(place=(0, 0, 0))

    def test_a_gate_on_the_start_bars_it(self):
        lock = Gate("lock", ("",), ((0, 0, 0),))
        dungeon = replace(dungeon_of("@.G", rules=HOME), gates=(lock,))
        assert play_both(dungeon, "E", "r") is None
        state = must_play(replace(dungeon, rules=Rules(home="always", keys=(("", 1),))), "E", "r")
        assert state.opened == {0}

    def test_a_block_on_the_start_bars_it(self):
        dungeon = dungeon_of("@o.G/....", rules=HOME)
        assert play_both(dungeon, "S", "E", "E", "N", "W", "r") is None

    def test_what_lies_there_is_taken(self):
        needs = Pickup((0, 0, 0), "bombs", "", 2, renews=True)
        dungeon = replace(dungeon_of("@BG", rules=HOME), pickups=(needs,))
        assert must_play(dungeon, "E").stock == (1,)
        assert must_play(dungeon, "E", "r").stock == (2,)
