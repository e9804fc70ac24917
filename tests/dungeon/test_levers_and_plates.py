"""Switches: levers, dials, plates that are held down, and plates that set a state."""

from __future__ import annotations

from dataclasses import replace

from dungeon.dungeons import dungeon_of
from dungeon.playing import must_play, play_both
from solvent.dungeon.model import Dial, Dungeon, Gate, Have, Not, Pickup, Rules, Switch, SwitchAt, Way
from solvent.dungeon.rules import Game

WHEEL = (Dial("wheel", ("low", "middle", "high")),)


def state_of(dungeon: Dungeon, switch: str, *moves: str) -> str:
    return Game(dungeon).switch_state(must_play(dungeon, *moves), switch)


def with_switches(text: str, *switches: Switch, **changes: object) -> Dungeon:
    return replace(dungeon_of(text), switches=switches, **changes)  # type: ignore[arg-type]


class TestLevers:
    def test_a_lever_in_a_wall_is_worked_from_beside_it(self):
        dungeon = with_switches("@.G/###", Switch((0, 1, 1), "winch", "lever", reach=((0, 0, 1),)))
        assert play_both(dungeon, "u0") is None  # out of reach
        assert must_play(dungeon, "E", "u0").place == (0, 0, 1)
        assert state_of(dungeon, "winch", "E", "u0") == "on"
        assert state_of(dungeon, "winch", "E", "u0", "u0") == "off"

    def test_a_lever_is_worked_from_afar_with_what_it_needs(self):
        bow = Switch((0, 0, 3), "winch", "lever", reach=((0, 0, 1),), rule=Have("item", "bow"))
        dungeon = with_switches(".@#.G", bow, pickups=(Pickup((0, 0, 0), "item", "bow"),))
        assert play_both(dungeon, "u0") is None
        assert state_of(dungeon, "winch", "W", "E", "u0") == "on"

    def test_stepping_on_a_lever_does_nothing(self):
        dungeon = with_switches("@.G", Switch((0, 0, 1), "winch", "lever", reach=((0, 0, 1),)))
        assert state_of(dungeon, "winch", "E") == "off"

    def test_levers_are_numbered_among_all_switches(self):
        plate, lever = Switch((0, 0, 1), "gong"), Switch((0, 0, 2), "winch", "lever", reach=((0, 0, 0),))
        dungeon = with_switches("@..G", plate, lever)
        assert Game(dungeon).step(Game(dungeon).start_state(), "u0") is None  # a plate is not worked
        assert state_of(dungeon, "winch", "u1") == "on"

    def test_a_plate_under_the_player_is_not_pressed_again(self):
        plate, lever = Switch((0, 0, 1), "gong"), Switch((0, 0, 1), "winch", "lever", reach=((0, 0, 1),))
        dungeon = with_switches("@.G", plate, lever)
        assert state_of(dungeon, "gong", "E", "u1") == "on"

    def test_what_appears_under_the_player_is_taken(self):
        lever = Switch((0, 0, 0), "winch", "lever", reach=((0, 0, 0),))
        dungeon = with_switches("@.G", lever, pickups=(Pickup((0, 0, 0), "key", rule=SwitchAt("winch")),))
        assert must_play(dungeon).taken == frozenset()
        assert must_play(dungeon, "u0").taken == {0}

    def test_no_lever_is_worked_on_a_goal(self):
        assert (
            play_both(with_switches("@G", Switch((0, 0, 1), "winch", "lever", reach=((0, 0, 1),))), "E", "u0") is None
        )

    def test_a_lever_that_sets_what_is_set_may_be_worked(self):
        dungeon = with_switches("@.G", Switch((0, 0, 0), "winch", "lever", "off", ((0, 0, 0),)))
        assert must_play(dungeon, "u0") == must_play(dungeon)


class TestDials:
    def test_a_dial_begins_in_its_first_state_and_goes_round(self):
        dungeon = with_switches("@.G", Switch((0, 0, 0), "wheel", "lever", reach=((0, 0, 0),)), dials=WHEEL)
        turns = [state_of(dungeon, "wheel", *["u0"] * count) for count in range(4)]
        assert turns == ["low", "middle", "high", "low"]
        assert must_play(dungeon, "u0", "u0", "u0") == must_play(dungeon)

    def test_plates_turn_dials_and_set_them(self):
        plates = (Switch((0, 0, 1), "wheel"), Switch((0, 0, 2), "wheel", sets="high"))
        dungeon = with_switches("@...G", *plates, dials=WHEEL)
        assert state_of(dungeon, "wheel", "E") == "middle"
        assert state_of(dungeon, "wheel", "E", "E") == "high"
        assert state_of(dungeon, "wheel", "E", "E", "E", "W") == "high"
        assert state_of(dungeon, "wheel", "E", "E", "W") == "low"

    def test_a_gate_asks_for_a_state(self):
        gate = Gate("rule", (), ((0, 0, 1),), rule=SwitchAt("wheel", "high"))
        lever = Switch((0, 0, 0), "wheel", "lever", reach=((0, 0, 0),))
        dungeon = with_switches("@.G", lever, dials=WHEEL, gates=(gate,))
        assert [play_both(dungeon, *["u0"] * count, "E") is not None for count in range(4)] == [
            False,
            False,
            True,
            False,
        ]


class TestPlatesThatSet:
    def test_pressing_twice_changes_nothing(self):
        plates = (Switch((0, 0, 1), "gong", sets="on"), Switch((0, 0, 2), "gong", sets="off"))
        dungeon = with_switches("@...G", *plates)
        assert state_of(dungeon, "gong", "E", "W", "E") == "on"
        assert state_of(dungeon, "gong", "E", "E", "E", "W") == "off"

    def test_a_way_and_the_return_press_plates(self):
        plate = Switch((0, 0, 0), "gong")
        dungeon = with_switches("@.G", plate, ways=(Way((0, 0, 1), (0, 0, 0)),), rules=Rules(home="always"))
        assert state_of(dungeon, "gong") == "off"
        assert state_of(dungeon, "gong", "E", "0") == "on"
        assert state_of(dungeon, "gong", "E", "r") == "on"


class TestHeldPlates:
    def test_a_plate_is_held_only_while_the_player_stands_there(self):
        dungeon = with_switches("@..G", Switch((0, 0, 1), "scale", "held"))
        assert [state_of(dungeon, "scale", *"EE"[:count]) for count in range(3)] == ["off", "on", "off"]
        assert must_play(dungeon, "E", "W") == must_play(dungeon)  # nothing of it is kept

    def test_the_gate_is_judged_from_where_the_player_stands_before_the_move(self):
        barrier = Gate("barrier", ("scale",), ((0, 0, 2),))
        dungeon = with_switches("@..G", Switch((0, 0, 1), "scale", "held"), gates=(barrier,))
        assert play_both(dungeon, "E", "E") is not None
        assert play_both(dungeon, "E", "E", "E") is not None
        behind = replace(dungeon, switches=(Switch((0, 0, 2), "scale", "held"),))
        assert play_both(behind, "E", "E") is None

    def test_a_block_holds_it_and_may_be_pushed_there(self):
        barrier = Gate("barrier", ("scale",), ((0, 1, 2),))
        dungeon = with_switches("@o.#/...G", Switch((0, 0, 2), "scale", "held"), gates=(barrier,))
        assert play_both(dungeon, "S", "E", "E") is None
        assert state_of(dungeon, "scale", "E") == "on"
        assert play_both(dungeon, "E", "S", "E", "E") is not None

    def test_any_plate_of_the_switch_will_do(self):
        plates = (Switch((0, 0, 0), "scale", "held"), Switch((0, 0, 2), "scale", "held"))
        dungeon = with_switches("@...G", *plates)
        assert [state_of(dungeon, "scale", *"EEE"[:count]) for count in range(4)] == ["on", "off", "on", "off"]

    def test_what_appears_while_it_is_not_held_never_lies_on_it(self):
        plate = Switch((0, 0, 1), "scale", "held")
        hidden = Pickup((0, 0, 1), "key", rule=Not(SwitchAt("scale")))
        shown = Pickup((0, 0, 1), "key", rule=SwitchAt("scale"))
        assert must_play(with_switches("@..G", plate, pickups=(hidden,)), "E").taken == frozenset()
        assert must_play(with_switches("@..G", plate, pickups=(shown,)), "E").taken == {0}
