"""Pickups that are there only while something holds, and those that are never used up."""

from __future__ import annotations

from dataclasses import replace

from torture.judges.dungeon import GOAL, inaccessible

from dungeon.dungeons import dungeon_of
from dungeon.playing import must_play, play_both
from solvent.dungeon.model import AllOf, Cleared, Dungeon, Gate, Have, Not, Pickup, Room, Rules, SwitchAt, Way
from solvent.dungeon.rules import Game, renewing_resources


def with_pickups(text: str, *pickups: Pickup, **changes: object) -> Dungeon:
    made = dungeon_of(text, strict=False)
    return replace(made, pickups=(*made.pickups, *pickups), **changes)  # type: ignore[arg-type]


def bombs(dungeon: Dungeon, *moves: str) -> int | None:
    return Game(dungeon).bombs(must_play(dungeon, *moves))


class TestAppearing:
    def test_a_key_appears_once_a_room_is_cleared(self):
        den = (Room("den", (0, 0, 0), 1, 1),)
        dungeon = with_pickups("m@.G", Pickup((0, 0, 2), "key", rule=Cleared("den")), rooms=den)
        assert must_play(dungeon, "E").taken == frozenset()
        assert must_play(dungeon, "W", "E", "E").taken == {0, 1}

    def test_it_is_taken_for_good_and_may_vanish_before(self):
        hidden = Pickup((0, 0, 2), "item", "gem", rule=SwitchAt("lever", "off"))
        dungeon = with_pickups("s@.G", hidden)
        assert must_play(dungeon, "E", "W", "W").taken == {0}
        assert must_play(dungeon, "W", "E", "E").taken == frozenset()
        assert must_play(dungeon, "W", "E", "W", "E", "E").taken == {0}

    def test_at_the_start_it_is_taken_at_once_or_later(self):
        dungeon = with_pickups("@tG", Pickup((0, 0, 0), "key", rule=Have("item", "torch")))
        assert must_play(dungeon).taken == frozenset()
        assert len(must_play(dungeon, "E", "W").taken) == 2
        assert must_play(replace(dungeon, rules=Rules(items=("torch",)))).taken == {1}

    def test_what_is_taken_makes_more_appear_on_the_same_tile(self):
        place = (0, 0, 1)
        chain = (
            Pickup(place, "item", "amber", rule=Have("item", "beryl")),
            Pickup(place, "item", "beryl", rule=Have("item", "coral")),
            Pickup(place, "item", "coral"),
        )
        assert must_play(with_pickups("@.G", *chain), "E").taken == {0, 1, 2}

    def test_of_two_that_exclude_each_other_the_first_is_taken(self):
        place = (0, 0, 1)
        pair = (
            Pickup(place, "item", "amber", rule=Not(Have("item", "beryl"))),
            Pickup(place, "item", "beryl", rule=Not(Have("item", "amber"))),
        )
        dungeon = with_pickups("@.G", *pair)
        assert must_play(dungeon, "E", "W", "E").taken == {0}

    def test_a_block_is_not_pushed_where_something_may_appear(self):
        hidden = Pickup((0, 0, 2), "key", rule=Have("item", "torch"))
        assert play_both(with_pickups("@o.G/....", hidden), "E") is None


class TestRenewing:
    supply = Pickup((0, 0, 0), "bombs", "", 2, renews=True)

    def test_a_player_with_fewer_has_as_many_again(self):
        dungeon = with_pickups(".@BBB.G", self.supply)
        assert renewing_resources(dungeon) == ("bombs",)
        assert bombs(dungeon, "W") == 2
        assert bombs(dungeon, "W", "E", "W") == 2
        assert bombs(dungeon, "W", "E", "E", "W", "W") == 2
        assert play_both(dungeon, "W", "E", "E", "E", "E") is None
        assert bombs(dungeon, "W", "E", "E", "E", "W", "W", "W", "E", "E", "E", "E") == 1

    def test_one_with_more_keeps_them(self):
        dungeon = with_pickups(".@.G", self.supply, rules=Rules(bombs=5))
        assert bombs(dungeon, "W") == 5

    def test_it_is_never_marked_as_taken(self):
        assert must_play(with_pickups(".@.G", self.supply), "W").taken == frozenset()

    def test_what_does_not_renew_adds_once(self):
        once = Pickup((0, 0, 2), "bombs", "", 3)
        dungeon = with_pickups(".@..G", self.supply, once)
        assert bombs(dungeon, "E") == 3
        assert bombs(dungeon, "W", "E", "E") == 5
        assert bombs(dungeon, "W", "E", "E", "W", "E") == 5

    def test_bombs_that_do_not_say_are_as_many_as_the_rules_say(self):
        dungeon = with_pickups(".@.G", replace(self.supply, count=0), rules=Rules(bombs_per_pickup=3))
        assert bombs(dungeon, "W") == 3

    def test_keys_renew_by_colour(self):
        keys = Pickup((0, 0, 0), "key", "red", 1, renews=True)
        dungeon = with_pickups(".@RRk.G", keys)
        assert renewing_resources(dungeon) == ("key red",)
        state = must_play(dungeon, "W", "E", "E", "W", "W", "E", "E", "E", "E")
        assert [Game(dungeon).keys(state, colour) for colour in ("", "red")] == [1, 0]

    def test_it_renews_only_while_its_rule_holds(self):
        dungeon = with_pickups(".@tG", replace(self.supply, rule=Have("item", "torch")))
        assert bombs(dungeon, "W") == 0
        assert bombs(dungeon, "E", "W", "W") == 2

    def test_one_that_is_only_there_for_the_needy_can_be_taken(self):
        needy = replace(self.supply, rule=Not(Have("bombs")))
        dungeon = with_pickups(".@.G", needy)
        assert bombs(dungeon, "W") == 2
        assert inaccessible(dungeon) == frozenset()

    def test_what_never_appears_is_not_accessible(self):
        dungeon = with_pickups(".@#G", replace(self.supply, rule=AllOf((Have("item", "torch"),))))
        assert inaccessible(dungeon) == {0, GOAL}

    def test_a_gate_may_ask_for_what_renews(self):
        gate = Gate("rule", (), ((0, 0, 2),), rule=Have("bombs", "", 2))
        dungeon = with_pickups(".@.G", self.supply, gates=(gate,), ways=(Way((0, 0, 0), (0, 0, 1)),))
        assert play_both(dungeon, "E") is None
        assert play_both(dungeon, "W", "0", "E") is not None
