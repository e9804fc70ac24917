"""Requirements: what gates, the goal and closed places ask for, and when they look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dungeon.dungeons import dungeon_of
from dungeon.playing import must_play, play_both
from solvent.dungeon.model import (
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Gate,
    Have,
    Not,
    Pickup,
    Requirement,
    Room,
    Rules,
    Switch,
    SwitchAt,
    Way,
)
from solvent.dungeon.rules import Game

ALWAYS, NEVER = AllOf(()), AnyOf(())


def barred(text: str, rule: Requirement, **changes: object) -> Dungeon:
    """Read a map in which `?` is a gate that needs this."""
    column = text.index("?")
    made = dungeon_of(text.replace("?", "."))
    gate = Gate("rule", (), ((0, 0, column),), rule=rule)
    return replace(made, gates=(*made.gates, gate), **changes)  # type: ignore[arg-type]


def test_nothing_asked_always_holds_and_none_of_nothing_never():
    assert play_both(barred("@?G", ALWAYS), "E") is not None
    assert play_both(barred("@?G", NEVER), "E") is None
    assert play_both(barred("@?G", Not(NEVER)), "E") is not None


def test_an_item_is_asked_for_and_kept():
    dungeon = barred("t@?.G", Have("item", "torch"))
    assert play_both(dungeon, "E") is None
    state = must_play(dungeon, "W", "E", "E", "W", "E", "E")
    assert Game(dungeon).holds(state, "torch")


def test_items_are_counted_one_carried_and_many_in_a_pickup():
    gems = (Pickup((0, 0, 0), "item", "gem", 2),)
    three = barred(".@?G", Have("item", "gem", 3), pickups=gems)
    assert play_both(three, "W", "E", "E") is None
    carried = replace(three, rules=Rules(items=("gem",)))
    assert play_both(carried, "E") is None
    assert play_both(carried, "W", "E", "E") is not None


def test_keys_are_asked_for_and_not_spent():
    dungeon = barred("k@?LG", Have("key"))
    assert play_both(dungeon, "E") is None
    state = must_play(dungeon, "W", "E", "E")
    assert Game(dungeon).keys(state, "") == 1
    assert play_both(dungeon, "W", "E", "E", "E") is not None
    assert play_both(dungeon, "W", "E", "E", "E", "W") is None  # the key is spent by now


@pytest.mark.parametrize("rules", [Rules(keys_counted=False), Rules(bombs=None)])
def test_what_is_not_counted_is_always_in_hand(rules: Rules):
    asked = Have("key", "", 9) if not rules.keys_counted else Have("bombs", "", 9)
    assert play_both(barred("@?G", asked, rules=rules), "E") is not None
    assert play_both(barred("@?G", Not(asked), rules=rules), "E") is None


def test_not_bars_what_all_and_any_let_through():
    torch, ladder = Have("item", "torch"), Have("item", "ladder")
    both = ("W", "W", "E", "E", "E")
    assert play_both(barred("tl@?G", AllOf((torch, ladder))), *both) is not None
    assert play_both(barred("tl@?G", AllOf((torch, ladder))), "W", "E", "E") is None
    assert play_both(barred("tl@?G", AnyOf((torch, ladder))), "W", "E", "E") is not None
    assert play_both(barred("tl@?G", AnyOf((torch, ladder))), "E") is None
    assert play_both(barred("tl@?G", AllOf((ladder, Not(torch)))), "W", "E", "E") is not None
    assert play_both(barred("tl@?G", AllOf((ladder, Not(torch)))), *both) is None


def test_a_room_is_cleared_once_all_its_monsters_are_beaten():
    den = (Room("den", (0, 0, 0), 1, 2),)
    dungeon = barred("mm@?G", Cleared("den"), rooms=den)
    assert play_both(dungeon, "W", "E", "E") is None
    assert play_both(dungeon, "W", "W", "E", "E", "E") is not None
    assert play_both(barred("..@?Gm", Cleared("den"), rooms=den), "E") is not None  # no monster was in it


def test_a_monster_that_has_not_appeared_is_not_beaten():
    den = (Room("den", (0, 0, 0), 1, 1),)
    hidden = (Pickup((0, 0, 0), "monster", rule=NEVER),)
    assert play_both(barred(".@?G", Cleared("den"), rooms=den, pickups=hidden), "W", "E", "E") is None


def test_a_switch_is_in_a_state_or_not():
    plate = (Switch((0, 0, 0), "gong"),)
    on, off = barred(".@?G", SwitchAt("gong"), switches=plate), barred(".@?G", SwitchAt("gong", "off"), switches=plate)
    assert play_both(on, "E") is None
    assert play_both(on, "W", "E", "E") is not None
    assert play_both(off, "E") is not None
    assert play_both(off, "W", "E", "E") is None


def test_two_gates_in_a_move_both_look_at_what_was_held_before_it():
    lock, asks = Gate("lock", ("",)), Gate("rule", (), ((0, 0, 2),), rule=Have("key"))
    dungeon = replace(dungeon_of("k@.G"), gates=(asks, lock), ways=(Way((0, 0, 1), (0, 0, 2), gate=1),))
    state = must_play(dungeon, "W", "E", "0")
    assert state.opened == {1}
    assert Game(dungeon).keys(state, "") == 0
    refuses = replace(asks, rule=Not(Have("key")))
    assert play_both(replace(dungeon, gates=(refuses, lock)), "W", "E", "0") is None


def test_what_lies_behind_a_gate_does_not_open_it():
    dungeon = barred("@?G", Have("item", "torch"), pickups=(Pickup((0, 0, 1), "item", "torch"),))
    assert play_both(dungeon, "E") is None


class TestGoals:
    def test_no_step_leads_onto_a_goal_while_its_rule_does_not_hold(self):
        dungeon = replace(dungeon_of("t@G"), goal_rule=Have("item", "torch"))
        assert play_both(dungeon, "E") is None
        assert Game(dungeon).is_won(must_play(dungeon, "W", "E", "E"))

    def test_no_way_leads_there_either(self):
        dungeon = replace(dungeon_of("@.#G", ways=(Way((0, 0, 0), (0, 0, 3)),)), goal_rule=NEVER)
        assert play_both(dungeon, "0") is None
        assert play_both(replace(dungeon, goal_rule=None), "0") is not None

    def test_what_lies_on_the_goal_does_not_count(self):
        dungeon = replace(
            dungeon_of("@G"), goal_rule=Have("item", "torch"), pickups=(Pickup((0, 0, 1), "item", "torch"),)
        )
        assert play_both(dungeon, "E") is None


class TestClosedPlaces:
    def test_no_step_way_or_return_leads_there(self):
        stepped = replace(dungeon_of("@.G"), closed=((0, 0, 1),))
        assert play_both(stepped, "E") is None
        by_way = replace(dungeon_of("@#.G", ways=(Way((0, 0, 0), (0, 0, 2)),)), closed=((0, 0, 2),))
        assert play_both(by_way, "0") is None
        home = replace(dungeon_of("@.G", rules=Rules(home="always")), closed=((0, 0, 0),))
        assert play_both(home, "E", "r") is None
        assert play_both(home, "E") is not None

    def test_a_leap_may_pass_over_one(self):
        rules = Rules(items=("ladder",), crossing="one")
        assert play_both(replace(dungeon_of("@~.G", rules=rules), closed=((0, 0, 1),)), "E") is not None

    def test_no_block_is_pushed_there(self):
        assert play_both(replace(dungeon_of("@o.G/...."), closed=((0, 0, 2),)), "E") is None
