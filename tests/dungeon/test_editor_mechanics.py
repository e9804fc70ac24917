"""Requirements, levers, dials and the like in files of level editors: every dungeon survives, mistakes are named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dungeon.editor_dungeons import wild_dungeon, with_moves
from dungeon.rich_dungeons import enriched
from helpers.depth import up_to
from solvent.core.errors import ParseError, UndecidedNames
from solvent.dungeon.model import AnyOf, Dial, Gate, Have, Pickup, Switch, SwitchAt
from solvent.dungeon.notation.ldtk.reading import parse_ldtk
from solvent.dungeon.notation.ldtk.writing import format_ldtk
from solvent.dungeon.notation.text import parse_text
from solvent.dungeon.notation.tiled.reading import parse_tiled
from solvent.dungeon.notation.tiled.writing import format_tmj, format_tmx

FORMATS = {"tmj": (format_tmj, parse_tiled), "tmx": (format_tmx, parse_tiled), "ldtk": (format_ldtk, parse_ldtk)}
ROOM = """\
dungeon: Room

map:
#######
#@....#
#....G#
#######
"""
BOW = Have("item", "bow")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("first", range(0, up_to(20, deep=80), 20))
def test_every_dungeon_can_be_written_and_read(format: str, first: int):
    write, read = FORMATS[format]
    for seed in range(first, first + 20):
        dungeon = with_moves(enriched(wild_dungeon(seed), seed), seed)
        text = write(dungeon)
        assert read(text, None) == dungeon
        assert write(read(text, None)) == text


def room(*objects: dict[str, Any], goal: dict[str, Any] | None = None) -> str:
    """Return a Tiled map of a room with objects in it, each with its class, row, column and properties."""
    made = json.loads(format_tmj(parse_text(ROOM)))
    there = made["layers"][1]["objects"]
    for each in there:
        if each["type"] == "goal" and goal:
            each["properties"] = [{"name": name, "value": value} for name, value in goal.items()]
    for number, each in enumerate(objects, 100):
        properties = {name: value for name, value in each.items() if name not in ("type", "name", "at")}
        row, column = each.get("at", (1, 2))
        there.append(
            {
                "id": number,
                "type": each["type"],
                "name": each.get("name", ""),
                "visible": True,
                "rotation": 0,
                "x": column * 16,
                "y": row * 16,
                "width": 16,
                "height": 16,
                "properties": [{"name": name, "value": value} for name, value in properties.items()],
            }
        )
    return json.dumps(made)


def item(name: str = "bow", **more: Any) -> dict[str, Any]:
    return {"type": "item", "name": name, **more}


def test_what_people_write():
    dungeon = parse_tiled(
        room(
            item(count=2, Appears_when="switch water is low"),
            {"type": "bombs", "at": (1, 3), "count": 4, "respawns": True},
            {"type": "plate", "name": "gate", "at": (1, 4), "held": True},
            {"type": "Lever", "name": "water", "at": (0, 5), "states": "high, low", "reach": "sight", "needs": "bow"},
            {"type": "door", "at": (2, 4), "needs": "bow | bombs >= 2"},
            {"type": "warp", "at": (2, 1), "target": 101, "needs": "switch gate"},
            goal={"needs": "bow >= 2"},
        ),
        None,
    )
    assert dungeon.pickups[0] == Pickup((0, 1, 2), "item", "bow", 2, SwitchAt("water", "low"))
    assert dungeon.pickups[1] == Pickup((0, 1, 3), "bombs", "", 4, renews=True)
    assert dungeon.switches == (
        Switch((0, 0, 5), "water", "lever", reach=((0, 1, 5), (0, 2, 5)), rule=BOW),
        Switch((0, 1, 4), "gate", "held"),
    )
    assert dungeon.dials == (Dial("water", ("high", "low")),)
    assert dungeon.gates == (
        Gate("rule", cells=((0, 2, 4),), rule=AnyOf((BOW, Have("bombs", "", 2)))),
        Gate("rule", rule=SwitchAt("gate")),
    )
    assert dungeon.goal_rule == Have("item", "bow", 2)


def test_levers_are_worked_from_beside_or_from_tiles_or_places():
    levers: list[dict[str, Any]] = [
        {"type": "lever", "name": "a", "at": (0, 2)},
        {"type": "lever", "name": "b", "at": (0, 3), "reach": "1,1; 2,2"},
        {"type": "place", "at": (2, 3)},
        {"type": "lever", "name": "c", "at": (1, 4)},
    ]
    dungeon = parse_tiled(room(*levers), None)
    assert [switch.reach for switch in dungeon.switches] == [
        ((0, 1, 2),),
        ((0, 1, 1), (0, 2, 2)),
        ((0, 1, 3), (0, 1, 4), (0, 1, 5), (0, 2, 4)),
    ]


def test_a_lever_opens_what_it_links_to():
    lever = {"type": "lever", "at": (0, 2), "opens": 101}
    dungeon = parse_tiled(room(lever, {"type": "barrier", "at": (1, 3)}), None)
    assert dungeon.gates[0].needs == (dungeon.switches[0].name,)


def test_keys_that_stay_are_items_in_requirements_too():
    lock = {"type": "lock", "at": (1, 4), "color": "red", "consumes": False}
    gate = {"type": "gate", "at": (2, 4), "needs": "red_key & !key"}
    dungeon = parse_tiled(room({"type": "key", "color": "red"}, lock, gate), None)
    assert Have("item", "red key") in dungeon.gates[1].rule.parts


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ({"type": "gate", "needs": "bow & | x"}, "needs: a requirement.* at letter 7 .gate"),
        ({"type": "gate", "needs": "harp"}, "the item 'harp' somewhere"),
        ({"type": "gate", "needs": "bow", "requires": "bow"}, "one thing that opens it"),
        ({"type": "gate", "needs": True}, "needs: a requirement"),
        ({"type": "lock", "needs": "bow", "color": "red"}, "one thing that opens it"),
        ({"type": "key", "when": "cleared den"}, "an existing room"),
        ({"type": "key", "renews": "perhaps"}, "renews: true or false"),
        ({"type": "switch", "name": "a", "held": True, "states": "x, y"}, "no states for a switch that is held"),
        ({"type": "switch", "name": "a", "sets": "low"}, "a state for 'a' to be set to"),
        ({"type": "lever", "name": "a", "reach": "north"}, "reach: beside, sight, or tiles"),
        ({"type": "lever", "name": "a", "reach": "0,0"}, "where one can stand"),
        ({"type": "lever", "name": "a", "reach": "attic 1,1"}, "reach: tiles of floors that there are"),
    ],
)
def test_mistakes_are_named(thing: dict[str, Any], message: str):
    with pytest.raises(ParseError, match=message):
        parse_tiled(room(item(), {"at": (1, 4), **thing}), None)


def test_goals_that_need_different_things_are_refused():
    with pytest.raises(ParseError, match="needs: the same on all goals"):
        parse_tiled(room(item(), {"type": "goal", "at": (1, 5)}, goal={"needs": "bow"}), None)


def test_properties_that_a_class_does_not_have_are_still_named():
    with pytest.raises(UndecidedNames, match="when") as caught:
        parse_tiled(room({"type": "barrier", "at": (1, 4), "when": "bow"}), None)
    assert "when" in str(caught.value)
