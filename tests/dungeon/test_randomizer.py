"""Logic files of randomizers: what they say becomes a dungeon, and what they say wrongly is named with its path."""

from __future__ import annotations

import json
from typing import Any

import pytest

import solvent
from solvent.core.errors import BadOption, ParseError
from solvent.core.examples import load_examples
from solvent.drawing.phrases import counted
from solvent.dungeon.formats import FORMATS
from solvent.dungeon.model import AllOf, AnyOf, Dungeon, Gate, Have, Not, Pickup
from solvent.dungeon.notation.randomizer.reading import parse_logic

SMALL: dict[str, Any] = {
    "start": "Home",
    "regions": {
        "Home": {"exits": {"Cave": "Bow"}, "locations": {"Chest": {"item": "Bow"}}},
        "Cave": {"locations": {"Pot": {"item": "Gem", "rule": "Bow & Lamp | Bow"}}},
    },
    "goal": "Gem",
}


def read(changes: dict[str, Any] | None = None, **more: Any) -> Dungeon:
    return parse_logic(json.dumps({**SMALL, **(changes or {}), **more}))


def rule_of(rule: Any, **more: Any) -> Gate | None:
    """Return the gate that a rule makes of the exit of a small file."""
    regions = {"Home": {"exits": [{"to": "Cave", "rule": rule}]}, "Cave": {"locations": {"Pot": {"item": "Bow"}}}}
    dungeon = read(regions=regions, goal={"region": "Cave"}, **more)
    gate = next(way.gate for way in dungeon.ways if way.source == (0, 0, 0) and way.target == (1, 0, 0))
    return None if gate is None else dungeon.gates[gate]


BOW, LAMP = Have("item", "Bow"), Have("item", "Lamp")


# what becomes what


def test_regions_locations_and_the_goal_are_places() -> None:
    dungeon = read()
    assert [floor.name for floor in dungeon.floors] == ["Home", "Chest", "Cave", "Pot", "Goal"]
    assert dungeon.start == (0, 0, 0)
    assert dungeon.goals == ((4, 0, 0),)
    assert dungeon.rules.home == "always"
    assert Pickup((1, 0, 0), "item", "Bow") in dungeon.pickups
    ways = {(dungeon.floors[way.source[0]].name, dungeon.floors[way.target[0]].name): way.gate for way in dungeon.ways}
    assert ways["Pot", "Cave"] is None
    assert ways["Home", "Chest"] is None
    assert dungeon.gates[ways["Home", "Cave"] or 0] == Gate("item", ("Bow",))
    assert dungeon.gates[ways["Cave", "Pot"] or 0].rule == AnyOf((AllOf((BOW, LAMP)), BOW))
    assert solvent.ask(dungeon, "solvable").verdict is solvent.Verdict.YES


@pytest.mark.parametrize(
    "rule",
    [
        "Bow & Lamp",
        "bow and lamp",
        {"rule": "HasAll", "args": {"item_names": ["Bow", "Lamp"]}},
        {"rule": "HasAll", "options": [], "filtered_resolution": False, "args": {"items": ["Bow", "Lamp"]}},
        {"rule": "HasAllCounts", "args": {"item_counts": {"Bow": 1, "Lamp": 1}}},
        {"rule": "And", "children": [{"rule": "Has", "args": {"item_name": "Bow"}}, "Lamp"]},
        {"type": "and", "conditions": [{"type": "item_check", "item": "Bow"}, {"type": "item_check", "item": "Lamp"}]},
        {"all": [{"has": "Bow"}, {"any": [{"has": "Lamp"}, False]}, True, {"rule": "True_"}, None]},
        {"rule": "HasFromListUnique", "args": {"item_names": ["Bow", "Lamp"], "count": 2}},
        {"rule": "HasGroupUnique", "args": {"item_name_group": "Tools", "count": 2}},
    ],
    ids=str,
)
def test_all_notations_mean_the_same(rule: Any) -> None:
    gate = rule_of(rule, item_groups={"Tools": ["Bow", "Lamp"]}, start_inventory=["Lamp"])
    assert gate == Gate("item", ("Bow", "Lamp"))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"rule": "HasAny", "args": {"item_names": ["Bow", "Lamp"]}}, AnyOf((BOW, LAMP))),
        ({"rule": "HasFromList", "args": {"item_names": ["Bow", "Lamp"]}}, AnyOf((BOW, LAMP))),
        (
            {"rule": "HasAnyCount", "args": {"item_counts": {"Bow": 2, "Lamp": 1}}},
            AnyOf((Have("item", "Bow", 2), LAMP)),
        ),
        ({"rule": "Has", "args": {"item_name": "Bow", "count": 3}}, Have("item", "Bow", 3)),
        ({"not": "Bow"}, Not(BOW)),
        ({"rule": "Not", "children": [{"has": "Bow"}]}, Not(BOW)),
        ({"rule": "False_"}, AnyOf(())),
        (False, AnyOf(())),
        ({"type": "constant", "value": False}, AnyOf(())),
        ("Bow < 2", Not(Have("item", "Bow", 2))),
    ],
    ids=str,
)
def test_rules_of_other_kinds(rule: Any, expected: Any) -> None:
    assert rule_of(rule) == Gate("rule", rule=expected)


@pytest.mark.parametrize(
    "rule", [None, True, "", "True", "always", {"rule": "And", "children": []}, {"any": ["Bow", True]}], ids=str
)
def test_rules_that_always_hold_make_no_gate(rule: Any) -> None:
    assert rule_of(rule) is None


def test_so_many_of_a_list_are_counted_by_an_item_of_their_own() -> None:
    regions = {
        "Home": {
            "exits": {"Cave": {"rule": "HasGroup", "args": {"item_name_group": "Seals", "count": 3}}},
            "locations": {"A": {"item": "Red Seal"}, "B": {"item": "Blue Seal", "count": 2}},
        },
        "Cave": {},
    }
    groups = {"Seals": ["Red Seal", "Blue Seal", "Green Seal"]}
    dungeon = read(regions=regions, item_groups=groups, goal={"region": "Cave"}, start_inventory={"Red Seal": 2})
    assert dungeon.gates == (Gate("rule", rule=Have("item", "Seals", 3)),)
    assert Pickup((1, 0, 0), "item", "Seals") in dungeon.pickups
    assert Pickup((2, 0, 0), "item", "Seals", 2) in dungeon.pickups
    assert dungeon.rules.items == ("Red Seal", "Seals")
    assert Pickup((0, 0, 0), "item", "Seals") in dungeon.pickups, "the second that is carried lies at the start"
    assert "the item 'Seals' counts: Blue Seal, Green Seal, Red Seal" in dungeon.remarks


def test_few_single_items_are_written_out_without_an_item_that_counts_them() -> None:
    rule = {"rule": "HasFromList", "args": {"item_names": ["Bow", "Lamp", "Hook"], "count": 2}}
    gate = rule_of(rule)
    hook = Have("item", "Hook")
    assert gate is not None
    assert gate.rule == AnyOf((AllOf((BOW, LAMP)), AllOf((BOW, hook)), AllOf((LAMP, hook))))


def test_different_items_of_which_there_are_several_are_written_out() -> None:
    rule = {"rule": "HasFromListUnique", "args": {"item_names": ["Bow", "Lamp", "Hook"], "count": 2}}
    gate = rule_of(rule, start_inventory={"Lamp": 2})
    hook = Have("item", "Hook")
    assert gate is not None
    assert gate.rule == AnyOf((AllOf((BOW, LAMP)), AllOf((BOW, hook)), AllOf((LAMP, hook))))


def test_reaching_is_an_item_that_lies_there() -> None:
    rules = [
        {"rule": "CanReachRegion", "args": {"region_name": "Cave"}},
        {"rule": "CanReachLocation", "args": {"location_name": "Pot"}},
        {"rule": "CanReachEntrance", "args": {"entrance_name": "Mouth"}},
    ]
    regions = {
        "Home": {
            "exits": [{"to": "Cave", "name": "Mouth", "rule": "Bow"}],
            "locations": {f"L{number}": {"rule": rule} for number, rule in enumerate(rules)}
            | {"Chest": {"item": "Bow"}},
        },
        "Cave": {"locations": {"Pot": {"item": "Gem"}}},
    }
    dungeon = read(regions=regions)
    rules_made = [gate.needs for gate in dungeon.gates]
    assert rules_made == [("Bow",), ("reached Cave",), ("reached Pot",), ("Bow", "reached Home"), ("Gem",)]
    assert Pickup((5, 0, 0), "item", "reached Cave") in dungeon.pickups
    assert Pickup((6, 0, 0), "item", "reached Pot") in dungeon.pickups


def test_what_is_used_up_is_a_key() -> None:
    regions = {
        "Home": {
            "exits": [{"to": "Cave", "consumes": "Small Key", "two_way": True, "name": "oak door"}],
            "locations": {
                "Chest": {"item": "Small Key"},
                "Shelf": {"item": "Gem", "consumes": True, "rule": "small key"},
                "Altar": {"item": "Orb", "rule": "Small Key >= 2"},
            },
        },
        "Cave": {},
    }
    dungeon = read(regions=regions, start_inventory={"Small Key": 1, "Boots": 3})
    assert Gate("lock", ("Small",), name="oak door") in dungeon.gates
    assert Gate("lock", ("Small",)) in dungeon.gates
    assert Gate("rule", rule=Have("key", "Small", 2)) in dungeon.gates
    assert dungeon.rules.keys == (("Small", 1),)
    assert dungeon.rules.items == ("Boots",)
    assert set(dungeon.pickups) >= {Pickup((1, 0, 0), "key", "Small"), Pickup((0, 0, 0), "item", "Boots", 2)}
    back = [way.gate for way in dungeon.ways if way.source == (4, 0, 0)]
    assert [dungeon.gates[gate or 0].name for gate in back] == ["oak door"], "one lock, from both sides"


def test_exports_of_other_tools_are_read_with_their_own_words() -> None:
    file = {
        "game": "A game",
        "player": 1,
        "regions": [
            {
                "name": "Menu",
                "exits": [
                    {"name": "New Game", "connected_region": "Field", "access_rule": {"rule": "True_", "options": []}}
                ],
            },
            {
                "name": "Field",
                "exits": [{"connected_region": "Menu"}],
                "locations": [
                    {
                        "name": "Tree",
                        "id": 77,
                        "access_rule": None,
                        "item": {"name": "Bow", "player": 1, "advancement": True},
                    },
                    {
                        "name": "Boss",
                        "id": None,
                        "event": True,
                        "item": {"name": "Victory", "player": 1},
                        "access_rule": "Bow",
                    },
                ],
            },
        ],
        "completion_condition": {"rule": "Has", "args": {"item_name": "Victory", "count": 1}},
    }
    dungeon = parse_logic(json.dumps(file))
    assert dungeon.title == "A game"
    assert solvent.ask(dungeon, "solvable").verdict is solvent.Verdict.YES


def test_the_goal_can_be_a_region_a_location_or_regions_to_enter() -> None:
    assert read(goal={"region": "Cave"}).ways[-2:] != read(goal={"location": "Pot"}).ways[-2:]
    entered = {key: value for key, value in SMALL.items() if key != "goal"} | {
        "goals": ["Cave"],
        "goal_rule": "Gem | Bow",
    }
    dungeon = parse_logic(json.dumps(entered))
    assert dungeon.goals == ((2, 0, 0),)
    assert dungeon.goal_rule == AnyOf((Have("item", "Gem"), BOW))


def test_without_a_way_back_the_goal_can_be_reached_from_everywhere() -> None:
    dungeon = read(rules={"home": "never"})
    assert [way.source for way in dungeon.ways if way.target == dungeon.goals[0]] == [(0, 0, 0), (2, 0, 0)]
    assert not any("home=always" in remark for remark in dungeon.remarks)


def test_names_with_signs_are_written_plainly_and_told_apart() -> None:
    regions = {"Home": {"locations": {"Home": {"item": "Key (1)"}, "Pot: A": {"item": "Key [1]"}}}}
    dungeon = read(regions=regions, goal={"rule": "HasAll", "args": {"item_names": ["Key (1)", "Key [1]"]}})
    assert [floor.name for floor in dungeon.floors] == ["Home", "Home 2", "Pot A", "Goal"]
    assert {pickup.name for pickup in dungeon.pickups} == {"Key 1", "Key 1 2"}
    assert "names of items written with plain letters: 'Key (1)' is 'Key 1', 'Key [1]' is 'Key 1 2'" in dungeon.remarks


def test_what_decides_nothing_is_passed_over_or_named() -> None:
    regions = {**SMALL["regions"], "Far": {"weather": "rain", "hint": "none"}}
    dungeon = read(regions=regions, seed=7, randomizer="Some tool 2.1", file_hash=["Boots", "Bow"])
    assert "fields that were left out: file_hash, randomizer, weather" in dungeon.remarks


@pytest.mark.parametrize("field", ["needs_bow", "lockedBy", "ITEM_REQUIRED", "exclude_if", "oneWay", "keys"])
def test_fields_that_may_decide_are_refused(field: str) -> None:
    with pytest.raises(ParseError, match=r"^at \$\.regions\.Far: expected only fields that are understood in a region"):
        read(regions={**SMALL["regions"], "Far": {field: 3}})


def test_what_lies_nowhere_and_empty_locations_are_named() -> None:
    regions = {**SMALL["regions"], "Far": {"locations": ["Empty one", "Empty two"]}}
    remarks = read(regions=regions).remarks
    assert "rules ask for what lies nowhere: Lamp" in remarks
    assert "locations where nothing lies: 2" in remarks


# what is refused


BAD_RULES: list[tuple[Any, str]] = [
    ({"rule": "CanFly"}, "a kind of rule that is understood"),
    ({"type": "helper", "name": "can_fly"}, "found 'helper'"),
    ({"rule": "Has", "args": {"item_name": "Bow", "when": "night"}}, "only fields of Has that are understood"),
    ({"rule": "Has", "args": {}}, "the field 'item' of Has, but it is missing"),
    (
        {"rule": "Has", "args": {"item_name": 3}},
        "$.regions.Home.exits[0].rule.args.item_name: expected a name, found 3",
    ),
    ({"rule": "Has", "args": {"item_name": "Bow", "count": -1}}, "rule.args.count: expected a whole number from 0"),
    ({"rule": "Has", "args": [1]}, "rule.args: expected an object"),
    ({"rule": "Has", "options": [{"option": "x"}], "args": {"item_name": "Bow"}}, "decided before it is exported"),
    ({"rule": "HasAll", "args": {"item_names": "Bow"}}, "a list of names"),
    ({"rule": "HasGroup", "args": {"item_name_group": "Seals"}}, "a group of items that 'item_groups' names"),
    ({"rule": "And", "children": [{"rule": "Or", "children": [7]}]}, "rule.children[0].children[0]: expected a rule"),
    ({"all": ["Bow"], "any": ["Lamp"]}, "either 'all' or 'any'"),
    ({"all": [{"any": 3}]}, "rule.all[0].any: expected a list"),
    ({"rule": "CanReachRegion", "args": {"region_name": "Moon"}}, "an existing region, found 'Moon'"),
    ({"rule": "CanReachLocation", "args": {"region_name": "Cave"}}, "only fields of CanReachLocation"),
    ({"rule": "CanReachEntrance", "args": {"entrance_name": "Moon"}}, "an existing entrance"),
    ("Bow &", ".rule: expected a requirement, such as bow | bombs >= 2 & lamp, but the text ends"),
    ("cleared den", "no switches and no monsters"),
    (["Bow"], "a rule: a text, an object, true or false"),
    (7, "a rule: a text, an object, true or false"),
]


@pytest.mark.parametrize(("rule", "message"), BAD_RULES, ids=[str(rule)[:60] for rule, _ in BAD_RULES])
def test_rules_that_are_not_understood_are_errors_with_a_path(rule: Any, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        rule_of(rule)
    assert message in str(caught.value)
    assert "$.regions.Home.exits[0].rule" in str(caught.value)


BAD_FILES: list[tuple[dict[str, Any], str]] = [
    ({"format": "other"}, "at $.format: expected the format 'solvent-logic'"),
    ({"version": 2}, "at $.version: expected version 1"),
    ({"start": "Moon"}, "at $.start: expected an existing region"),
    ({"start": None}, "the key 'start'"),
    ({"goal": None}, "at $.goal: expected the rule of winning"),
    ({"goal": {"region": "Moon"}}, "at $.goal.region"),
    ({"goal": {"location": "Moon"}}, "at $.goal.location"),
    ({"goals": ["Cave"]}, "either 'goal' or 'goals'"),
    ({"players": 2}, "one player alone"),
    ({"requirements": {}}, "only fields that are understood in a logic file"),
    ({"start_inventory": {"Bow": "two"}}, "at $.start_inventory[...]: expected a whole number"),
    ({"start": "Hmoe"}, "expected an existing region (is 'Home' meant?), found 'Hmoe'"),
    ({"placements": {"Moon": "Bow"}}, "an existing location"),
    ({"placements": {"Chest": "Lamp"}}, "'Bow', which lies at 'Chest' already"),
    ({"rules": {"push": "sideways"}}, "at $.rules: expected rules of dungeons"),
    ({"rules": {"items": "Bow"}}, "under 'start_inventory'"),
    ({"moves": ["9"]}, "at $.moves: expected moves that can be made"),
    ({"entrances": [{"from": "Home", "to": "Moon"}]}, "$.entrances[0]: expected an existing region, found 'Moon'"),
    ({"entrances": [{"to": "Cave"}]}, "at $.entrances[0]: expected the key 'from'"),
    ({"entrances": [{"from": "Home", "to": "Cave", "one_way": True}]}, "fields that are understood in an entrance"),
    ({"entrances": [{"from": "Home", "to": "Cave", "kind": "rope"}]}, "at $.entrances[0].kind"),
    ({"entrances": [{"from": "Home", "to": "Cave", "target": "Home"}]}, "either 'to' or 'target'"),
    ({"entrances": [{"from": "Home", "to": "Cave", "consumes": True, "rule": "2 Bow"}]}, "one item and nothing else"),
    ({"entrances": [{"parent_region": 3, "to": "Cave"}]}, "at $.entrances[0].parent_region: expected a text, found 3"),
    ({"locations": {"Spot": "Bow"}}, "stands under 'placements'"),
    ({"locations": [{"name": "Spot", "region": "Moon"}]}, "at $.locations[0]: expected an existing region"),
    ({"locations": [{"name": "Pot", "region": "Cave"}]}, "one location of a name"),
    ({"locations": [{"name": "A", "region": "Cave", "item": {"name": "Bow", "player": 1}},
                    {"name": "B", "region": "Cave", "item": {"name": "Bow", "player": 2}}]},
     "$.locations[1].item.player"),
    ({"regions": {"Home": {"entrances": []}}}, "at $.regions.Home: expected only fields that are understood"),
    ({"regions": [{"name": "Home"}, {"name": "Home"}]}, "at $.regions[1]: expected one region of a name"),
    ({"regions": [{}]}, "at $.regions[0]: expected the name of a region"),
    ({"regions": []}, "at $.start: expected an existing region"),
    ({"regions": 3}, "at $.regions: expected an object or a list, found 3"),
    ({"playthrough": {"x": {}}}, "at $.playthrough: expected the number of a sphere"),
    ({"playthrough": [3]}, "at $.playthrough[0]: expected a sphere"),
    ({"playthrough": [{"Pot": 3}]}, "at $.playthrough[0].Pot: expected the name of an item"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), BAD_FILES, ids=[str(changes)[:60] for changes, _ in BAD_FILES])
def test_mistakes_are_errors_with_a_path(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParseError) as caught:
        read(changes)
    assert message in str(caught.value)


def test_keys_that_stand_twice_are_refused() -> None:
    text = '{"start": "A", "regions": {"A": {"exits": {"B": "bow", "B": "lamp"}}, "B": {}}, "goal": {"region": "B"}}'
    with pytest.raises(ParseError, match="each key of an object once, found 'B'"):
        parse_logic(text)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rules": {"home": "never"}}, "only where the player can go back to the start"),
        ({"entrances": [{"from": "Home", "to": "Cave", "consumes": "Key"}]}, "only where nothing is used up"),
        ({"entrances": [{"from": "Home", "to": "Cave", "rule": "!Bow"}]}, "only where no rule asks for something not"),
    ],
)
def test_reaching_is_refused_where_an_item_would_not_be_the_same(changes: dict[str, Any], reason: str) -> None:
    locations = [{"name": "Spot", "region": "Home", "rule": {"rule": "CanReachRegion", "args": {"region": "Cave"}}}]
    with pytest.raises(ParseError, match=reason):
        read(changes, locations=locations)


@pytest.mark.parametrize("depth", [60, 3_000, 200_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    rule = '{"not": ' * depth + "true" + "}" * depth
    text = json.dumps(SMALL).replace('"Bow & Lamp | Bow"', rule)
    with pytest.raises(ParseError, match="nested"):
        parse_logic(text)


# playthroughs


AGREES = "the playthrough agrees with the logic: locations 2, spheres 2"
AGREEING = [{"Chest": "Bow"}, {"Pot": "Gem"}]


@pytest.mark.parametrize(
    ("spheres", "lines"),
    [
        (AGREEING, [AGREES]),
        ({"0": ["Lamp"], "1": AGREEING[0], "2": AGREEING[1]}, [AGREES]),
        ({"0": AGREEING[0], "1": AGREEING[1]}, [AGREES]),
        ([["Chest"], ["Pot"]], [AGREES]),
        ([{"Chest": "Bow", "Pot": "Gem"}], [
            "playthrough: 'Pot' is in sphere 1, but can be reached only later, in sphere 2",
        ]),
        ([{}, {"Chest": "Bow"}, {"Pot": "Gem"}], [
            "playthrough: 'Chest' is in sphere 2, but can be reached earlier, in sphere 1",
            "playthrough: 1 location of a later sphere differs too, and may follow from the first",
        ]),
        ([{"Chest": "Lamp"}, {"Pot": "Gem"}], ["playthrough: 'Lamp' is not at 'Chest': 'Bow' lies there"]),
        ([{"Chest": "Bow", "Moon": "Gem"}, {"Pot": "Gem"}], [
            "playthrough: 'Moon' in sphere 1 is no location of this file",
        ]),
        ([{"Pot": "Gem"}], [
            "playthrough: 'Pot' is in sphere 1, but can be reached only with something that the playthrough leaves out",
            "playthrough: the goal is out of reach with what the playthrough lists, though not with everything that "
            "can be found",
        ]),
        ([{"Chest": "Bow"}, {"Chest": "Bow", "Pot": "Gem"}], [
            "playthrough: 'Chest' is in sphere 1 and again in sphere 2",
        ]),
    ],
)  # fmt: skip
def test_playthroughs_are_compared(spheres: Any, lines: list[str]) -> None:
    remarks = read(playthrough=spheres).remarks[1:]  # after what lies nowhere
    head = [] if "agrees" in lines[0] else [f"the playthrough differs from the logic in {counted(len(lines), 'place')}"]
    assert list(remarks[: len(lines) + len(head)]) == head + lines


def test_what_can_never_be_reached_is_said() -> None:
    regions = {**SMALL["regions"], "Home": {"exits": {"Cave": "Wings"}, "locations": {"Chest": {"item": "Bow"}}}}
    remarks = read(regions=regions, playthrough=AGREEING).remarks
    assert remarks[0] == "rules ask for what lies nowhere: Wings, Lamp"
    assert remarks[2] == "playthrough: 'Pot' is in sphere 2, but can never be reached"
    assert remarks[3] == "playthrough: the goal is out of reach, even with everything that can be found"


def test_events_that_a_playthrough_leaves_out_happen_by_themselves() -> None:
    regions = {**SMALL["regions"]}
    regions["Home"] = {
        "exits": {"Cave": "Gate opened"},
        "locations": {"Chest": {"item": "Bow"}},
        "events": {"Gate opened": "Bow"},
    }
    assert read(regions=regions, playthrough=AGREEING).remarks[1].startswith("the playthrough agrees")


def test_where_keys_run_short_only_what_is_certain_is_compared() -> None:
    regions = {
        "Home": {
            "locations": {
                "Chest": {"item": "Key"},
                "Left": {"item": "Gem", "consumes": "Key"},
                "Right": {"item": "Orb", "consumes": "Key"},
            }
        }
    }
    agreeing = read(regions=regions, playthrough=[{"Chest": "Key"}, {"Left": "Gem"}])
    assert agreeing.remarks[0].startswith("the playthrough agrees with the logic")
    both = read(regions=regions, playthrough=[{"Chest": "Key"}, {"Left": "Gem", "Right": "Orb"}])
    assert both.remarks[0].startswith("the playthrough agrees with the logic as far as is certain")
    early = read(regions=regions, playthrough=[{"Chest": "Key", "Left": "Gem"}])
    assert "playthrough: 'Left' is in sphere 1, but can be reached only later, in sphere 2" in early.remarks


def test_rules_that_forbid_are_not_compared() -> None:
    regions = {**SMALL["regions"], "Cave": {"locations": {"Pot": {"item": "Gem", "rule": "!Lamp"}}}}
    assert read(regions=regions, playthrough=AGREEING).remarks[1].startswith("the playthrough is not compared")


# writing


LOGIC_EXAMPLES = [example for example in load_examples("solvent.dungeon.examples") if "solvent-logic" in example.text]


@pytest.mark.parametrize("example", LOGIC_EXAMPLES, ids=lambda example: example.name)
def test_examples_are_written_and_read_again(example: Any) -> None:
    dungeon = FORMATS.parse(example.text)
    assert any(remark.startswith("the playthrough agrees") for remark in dungeon.remarks)
    text = FORMATS.format(dungeon, "logic")
    assert FORMATS.find(text) == "logic"
    assert FORMATS.parse(text) == dungeon
    assert FORMATS.parse(FORMATS.format(dungeon, "text")) == dungeon


def test_places_in_text_become_regions() -> None:
    places = "places:\n  A: start + key red\n  B: item gem\n  C: goal\n"
    ways = "ways:\n  A <-> B: stairs, lock red (oak)\n  B -> C: door, gate gem\n  A -> C: door, needs gem & lamp >= 2\n"
    dungeon = FORMATS.parse("dungeon: Three\n" + places.replace("item gem", "item gem + item lamp x2") + ways)
    written = FORMATS.format(dungeon, "logic")
    assert FORMATS.parse(written) == dungeon
    assert '"consumes": "red Key"' in written
    assert '"home": "never"' in written


def test_maps_are_refused() -> None:
    with pytest.raises(BadOption, match="maps of more than one tile"):
        FORMATS.format(FORMATS.parse("#####\n#@.G#\n#####\n"), "logic")
