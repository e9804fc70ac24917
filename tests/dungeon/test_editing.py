"""A designer's changes to a dungeon: each gives a dungeon that is written and read again, or says why it cannot be."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import solvent
from helpers.examples import load_example
from solvent.core.errors import BadOption
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.model import FLOOR, WALL, Dungeon, Place
from solvent.dungeon.notation.text import format_text, parse_text
from solvent.dungeon.page.editing import edit
from solvent.dungeon.page.editing.level import describe_level
from solvent.dungeon.page.editing.palette import list_palette
from solvent.dungeon.page.picture import draw_picture
from solvent.dungeon.page.templates import templates

TEMPLATES = {each.name: each.text for each in templates()}
ROOM = TEMPLATES["empty-room"]


def changed(text: str | Dungeon, *actions: dict[str, Any]) -> Dungeon:
    """Make changes one after the other; each result must be written and read again as it is."""
    dungeon = parse_text(text) if isinstance(text, str) else text
    for action in actions:
        dungeon = edit(dungeon, action)
        assert parse_text(format_text(dungeon)) == dungeon
        assert dungeon.played == ()
    return dungeon


def put(thing: str, *at: Place, **more: Any) -> dict[str, Any]:
    return {"do": "put", "thing": thing, "at": [list(place) for place in at], **more}


def paint(terrain: str, *at: Place) -> dict[str, Any]:
    return {"do": "paint", "terrain": terrain, "at": [list(place) for place in at]}


def refused(dungeon: str | Dungeon, action: dict[str, Any], match: str) -> None:
    with pytest.raises(BadOption, match=match):
        changed(dungeon, action)


def test_a_copy_pasted_over_a_part_of_itself_is_whole() -> None:
    """Two keys side by side, copied one tile to the right: the key in the overlap is copied, too."""
    keys = [put("key", (0, 1, 2)), put("key", (0, 1, 3))]
    copy = {"do": "paste", "corner": [0, 1, 2], "height": 1, "width": 2, "to": [0, 1, 3]}
    dungeon = changed(ROOM, *keys, copy)
    assert sorted(pickup.place for pickup in dungeon.pickups) == [(0, 1, 2), (0, 1, 3), (0, 1, 4)]


def test_a_level_stays_small_enough_to_be_shown() -> None:
    refused(ROOM, {"do": "resize", "floor": 0, "east": 500, "south": 500}, "too large")
    dungeon = changed(ROOM, {"do": "resize", "floor": 0, "east": 230, "south": 230})
    assert describe_level(dungeon) is not None


class TestTemplates:
    @pytest.mark.parametrize("name", TEMPLATES)
    def test_they_are_written_as_they_are(self, name: str) -> None:
        assert format_text(parse_text(TEMPLATES[name])) == TEMPLATES[name]

    def test_what_they_promise(self) -> None:
        answers = {
            name: (solvent.ask(parse_text(text), "solvable"), solvent.ask(parse_text(text), "losable"))
            for name, text in TEMPLATES.items()
        }
        assert all(str(solvable.verdict) == "YES" for solvable, _ in answers.values())
        assert {name for name, (_, losable) in answers.items() if str(losable.verdict) == "YES"} == {"losable"}


class TestPainting:
    def test_terrain_of_every_kind(self) -> None:
        for word, letter in (("wall", "#"), ("nothing", " "), ("water", "~"), ("one-way west", "<"), ("floor", ".")):
            dungeon = changed(ROOM, paint(word, (0, 2, 2), (0, 2, 3)))
            assert dungeon.floors[0].terrain[2][1:4] == f".{letter}{letter}"

    def test_what_stood_in_a_new_wall_is_named(self) -> None:
        dungeon = changed(ROOM, put("key red", (0, 1, 1)), put("lock red", (0, 1, 5)))
        dungeon = changed(dungeon, paint("wall", (0, 1, 1), (0, 1, 5)))
        assert dungeon.pickups == dungeon.gates == ()
        assert dungeon.remarks == ("Taken away: 1 key and 1 gate.",)

    def test_the_start_and_the_last_goal_stay(self) -> None:
        dungeon = changed(ROOM, paint("wall", (0, 3, 1), (0, 3, 2), (0, 3, 10)))
        assert dungeon.floors[0].terrain[3] == "#.#.......G#".replace("G", ".")
        assert dungeon.remarks == (
            "The start stays: put it elsewhere first.",
            "The last goal stays: put another one first.",
        )

    def test_clearing_a_rectangle(self) -> None:
        dungeon = changed(ROOM, put("monster", (0, 1, 1)), put("goal", (0, 2, 2)))
        dungeon = changed(dungeon, {"do": "clear", "corner": [0, 1, 1], "height": 2, "width": 3, "terrain": "water"})
        assert (dungeon.pickups, dungeon.goals) == ((), ((0, 3, 10),))
        assert dungeon.floors[0].terrain[2] == "#~~~.......#"


class TestPlacing:
    @pytest.mark.parametrize("each", list_palette(), ids=lambda each: each["word"])
    def test_everything_of_the_palette(self, each: dict[str, Any]) -> None:
        words = {
            "item": "item bow",
            "gate": "gate bow, lamp",
            "needs": "needs bow | bombs >= 2 (old gate)",
            "switch": "switch tide",
            "held switch": "held switch tide",
            "lever": "lever tide",
            "barrier": "barrier tide",
            "soft": "soft Hall",
        }
        base = changed(
            ROOM,
            put("switch tide", (0, 5, 5)) if each["word"] == "barrier" else put("monster", (0, 5, 5)),
            {"do": "room", "name": "Hall", "corner": [0, 0, 0], "height": 4, "width": 5},
        )
        if each["group"] == "Ways":
            dungeon = changed(base, {"do": "connect", "at": [0, 1, 1], "to": [0, 1, 4], "kind": each["word"]})
        else:
            dungeon = changed(base, put(words.get(each["word"], each["word"]), (0, 1, 3)))
        assert dungeon != base or each["word"] == "floor"

    def test_floor_is_laid_under_a_door(self) -> None:
        dungeon = changed(ROOM, put("lock red", (0, 0, 4)))
        assert dungeon.floors[0].terrain[0] == "####.#######"

    def test_touching_tiles_are_one_gate_and_can_be_parted(self) -> None:
        dungeon = changed(ROOM, put("lock", (0, 1, 4), (0, 2, 4)), put("lock", (0, 3, 4)), put("lock", (0, 1, 8)))
        assert [len(gate.cells) for gate in dungeon.gates] == [3, 1]
        parted = changed(dungeon, {"do": "split", "number": 0})
        assert [len(gate.cells) for gate in parted.gates] == [1, 1, 1, 1]

    def test_a_key_replaces_a_key_unless_it_is_added(self) -> None:
        dungeon = changed(ROOM, put("key red", (0, 1, 1)), put("item bow", (0, 1, 1)), put("monster", (0, 1, 1)))
        assert [pickup.kind for pickup in dungeon.pickups] == ["item", "monster"]
        assert len(changed(dungeon, put("key", (0, 1, 1), add=True)).pickups) == 3

    def test_the_start_moves(self) -> None:
        assert changed(ROOM, put("start", (0, 1, 1))).start == (0, 1, 1)
        refused(ROOM, put("start", (0, 3, 10)), "A goal is there")

    def test_what_is_said_wrongly_is_refused_with_what_was_expected(self) -> None:
        refused(ROOM, put("dragon", (0, 1, 1)), "a thing: floor, wall")
        refused(ROOM, put("key re/d", (0, 1, 1)), "a colour of up to 60 letters")
        refused(ROOM, put("needs (bow", (0, 1, 1)), "Expected")
        refused(ROOM, put("key", (0, 99, 1)), "not on the map")
        refused(ROOM, {"do": "juggle"}, "no such change")

    def test_a_barrier_needs_its_switch(self) -> None:
        refused(ROOM, put("barrier tide", (0, 1, 1)), "worked by the switch 'tide', and there is none")
        dungeon = changed(ROOM, put("lever tide", (0, 0, 4)), put("barrier tide open", (0, 1, 8)))
        refused(dungeon, {"do": "erase", "at": [[0, 0, 4]]}, "The barrier at row 1, column 8")
        assert changed(dungeon, {"do": "erase", "at": [[0, 0, 4], [0, 1, 8]]}).gates == ()

    def test_erasing(self) -> None:
        dungeon = changed(ROOM, put("key", (0, 1, 1)), put("block", (0, 1, 2)), put("goal", (0, 1, 3)))
        dungeon = changed(dungeon, {"do": "erase", "at": [[0, 1, column] for column in range(1, 5)]})
        assert dungeon == parse_text(ROOM)
        refused(dungeon, {"do": "erase", "at": [[0, 1, 1]]}, "nothing to erase")
        refused(dungeon, {"do": "erase", "at": [[0, 3, 1]]}, "start cannot be erased")
        refused(dungeon, {"do": "erase", "what": "goal", "number": 0}, "last goal stays")

    def test_a_switch_that_works_nothing_is_remarked_on_once(self) -> None:
        first = changed(ROOM, put("switch tide", (0, 1, 1)))
        assert first.remarks == ("nothing asks about the switch 'tide'",)
        opened = parse_text(format_text(first))
        assert changed(opened, paint("wall", (0, 2, 2))).remarks == ()
        other = changed(opened, put("switch moon", (0, 2, 2)))
        assert other.remarks == ("nothing asks about the switch 'moon'",)

    def test_a_lever_keeps_being_worked_from_beside(self) -> None:
        dungeon = changed(ROOM, put("lever tide", (0, 0, 4)), paint("wall", (0, 1, 3)))
        assert dungeon.switches[0].reach == ((0, 1, 4),)
        refused(dungeon, paint("wall", (0, 1, 4)), "needs a tile to be worked from")


class TestConnecting:
    def test_ways_both_ways_one_way_and_barred(self) -> None:
        dungeon = changed(ROOM, {"do": "connect", "at": [0, 1, 1], "to": [0, 0, 5], "gate": "lock red"})
        assert [(way.source, way.gate) for way in dungeon.ways] == [((0, 0, 5), 0), ((0, 1, 1), 0)]
        refused(dungeon, {"do": "connect", "at": [0, 1, 1], "to": [0, 0, 5]}, "already")
        one_way = changed(dungeon, {"do": "way", "number": 1, "kind": "warp", "both": False})
        assert [(way.source, way.kind, way.gate) for way in one_way.ways] == [((0, 1, 1), "warp", None)]
        assert one_way.gates == ()
        assert changed(one_way, {"do": "disconnect", "at": [0, 0, 5]}).ways == ()

    def test_a_switch_and_a_barrier(self) -> None:
        dungeon = changed(ROOM, put("switch a", (0, 1, 1)), put("switch b", (0, 1, 2)), put("barrier a", (0, 1, 8)))
        dungeon = changed(dungeon, {"do": "connect", "at": [0, 1, 8], "to": [0, 1, 2]})
        assert dungeon.gates[0].needs == ("b",)


class TestMoving:
    def test_a_thing_with_its_ways(self) -> None:
        dungeon = changed(
            ROOM, {"do": "connect", "at": [0, 1, 1], "to": [0, 1, 5]}, {"do": "move", "at": [0, 1, 1], "to": [0, 0, 1]}
        )
        assert dungeon.ways[0].source == (0, 0, 1)
        assert dungeon.floors[0].terrain[0][1] == FLOOR

    def test_a_copy_and_a_cut(self) -> None:
        dungeon = changed(
            ROOM, put("key red", (0, 1, 1)), put("lock red (old door)", (0, 1, 2)), paint("water", (0, 2, 1))
        )
        area = {"corner": [0, 1, 1], "height": 2, "width": 2, "to": [0, 1, 6]}
        copied = changed(dungeon, {"do": "paste", **area})
        assert [gate.cells for gate in copied.gates] == [((0, 1, 2),), ((0, 1, 7),)]
        assert copied.floors[0].terrain[2][6] == "~"
        carried = changed(dungeon, {"do": "paste", **area, "cut": True})
        assert [pickup.place for pickup in carried.pickups] == [(0, 1, 6)]
        assert carried.floors[0].terrain[2] == "#.....~....#"
        assert changed(ROOM, {"do": "paste", **area, "text": format_text(dungeon)}).pickups[0].place == (0, 1, 6)

    def test_the_start_is_carried_but_not_copied(self) -> None:
        area = {"corner": [0, 3, 1], "height": 1, "width": 2, "to": [0, 1, 3]}
        assert changed(ROOM, {"do": "paste", **area, "cut": True}).start == (0, 1, 3)
        assert changed(ROOM, {"do": "paste", **area}).start == (0, 3, 1)


class TestFloors:
    def test_growing_and_shrinking(self) -> None:
        dungeon = changed(ROOM, {"do": "resize", "floor": 0, "north": 2, "west": 1, "terrain": "wall"})
        assert (dungeon.start, dungeon.floors[0].terrain[0]) == ((0, 5, 2), WALL * 13)
        assert changed(dungeon, {"do": "resize", "floor": 0, "north": -2, "west": -1}) == parse_text(ROOM)

    def test_nothing_is_cut_off_unasked(self) -> None:
        dungeon = changed(ROOM, put("key", (0, 1, 4)), put("lever a", (0, 0, 4)))
        refused(dungeon, {"do": "resize", "floor": 0, "north": -2}, "cut off 1 key and 1 lever")
        assert changed(dungeon, {"do": "resize", "floor": 0, "north": -2, "cut": True}).pickups == ()
        refused(dungeon, {"do": "resize", "floor": 0, "west": -2, "cut": True}, "The start is there")

    def test_floors_come_and_go(self) -> None:
        dungeon = changed(
            ROOM,
            {"do": "add_floor", "name": "Cellar", "rows": 3, "columns": 4, "terrain": "floor"},
            {"do": "connect", "at": [0, 1, 1], "to": [1, 1, 1]},
            {"do": "rename_floor", "floor": 0, "name": "Hall"},
        )
        assert [floor.name for floor in dungeon.floors] == ["Hall", "Cellar"]
        refused(dungeon, {"do": "remove_floor", "floor": 0}, "The start is there")
        dungeon = changed(dungeon, {"do": "remove_floor", "floor": 1}, {"do": "rename_floor", "floor": 0, "name": ""})
        assert dungeon == parse_text(ROOM)

    def test_rooms(self) -> None:
        room = {"do": "room", "name": "Hall", "corner": [0, 1, 1], "height": 3, "width": 4, "labels": ["boss"]}
        dungeon = changed(ROOM, room, put("soft Hall", (0, 1, 5)))
        dungeon = changed(dungeon, {**room, "name": "Vault", "was": "Hall"})
        assert (dungeon.gates[0].needs, dungeon.rooms[0].name) == (("Vault",), "Vault")
        refused(dungeon, {"do": "remove_room", "name": "Vault"}, "belongs to the room 'Vault'")


class TestProperties:
    def test_things_are_said_anew(self) -> None:
        dungeon = changed(ROOM, put("key", (0, 1, 1)), put("lock", (0, 1, 5)), put("switch a", (0, 2, 2)))
        dungeon = changed(
            dungeon,
            {"do": "set", "what": "pickup", "number": 0, "thing": "key red x2 renewing"},
            {"do": "set", "what": "gate", "number": 0, "thing": "needs bow & red key (gate of tears)"},
            {"do": "states", "switch": "a", "states": ["low", "high"]},
            {"do": "set", "what": "switch", "number": 0, "thing": "lever a sets high from sight"},
            {"do": "goal", "rule": "switch a is high"},
            {"do": "rename", "what": "switch", "name": "a", "to": "tide"},
            {"do": "rename", "what": "key", "name": "red", "to": "blue"},
            {"do": "title", "title": "  A\ttitle "},
            {"do": "rules", "rules": {"bombs": "2"}},
        )
        text = format_text(dungeon)
        assert text.startswith("dungeon: A title\nrules: bombs=2\ngoal: needs switch tide is high\n")
        assert all(words in text for words in ("key blue x2 renewing", "needs bow & blue key (gate of tears)"))
        assert "lever tide sets high from sight" in text

    def test_a_fix_is_used(self) -> None:
        explanation = solvent.explain(parse_text(TEMPLATES["losable"]))
        fix = explanation.data["fixes"][0]
        fixed = changed(TEMPLATES["losable"], {"do": "fix", "text": fix["text"]})
        assert str(solvent.ask(fixed, "losable").verdict) == "NO"

    def test_the_dark_map_knows_the_colours_of_everything_in_the_palette(self) -> None:
        dark = draw_picture(parse_text(ROOM))["dark"]
        painted = {colour for each in list_palette() for colour in re.findall("#[0-9a-fA-F]{3,6}", each["sign"])}
        assert len(painted) > 10
        assert painted <= dark.keys()

    def test_the_page_knows_what_everything_is(self) -> None:
        level = describe_level(changed(ROOM, put("lock red (old door)", (0, 1, 4), (0, 2, 4))))
        assert level is not None
        assert level["things"][-1] == {
            "what": "gate",
            "number": 0,
            "at": [[0, 1, 4], [0, 2, 4]],
            "word": "lock",
            "words": "lock red (old door)",
            "names": ["red"],
            "called": "old door",
        }


WORDS = (
    *("start", "goal", "block", "monster", "key", "key red", "key blue x2", "key renewing", "bombs", "bombs x3"),
    *("item bow", "item lamp when cleared Hall", "lock", "lock red", "lock (old door)", "cracked", "gate bow, lamp"),
    *("switch a", "held switch h", "lever a", "lever b from sight", "lever b sets on needs bow", "barrier a"),
    *("barrier b open", "soft Hall", "needs bow | bombs >= 2", "needs switch a is on (ivory gate)", "stairs", "x"),
)
TERRAINS = ("floor", "wall", "nothing", "water", "one-way north", "one-way east", "one-way south", "one-way west")


def random_action(rng: random.Random, dungeon: Dungeon) -> dict[str, Any]:
    """Return something a designer might do, often something that cannot be done."""

    def place() -> list[int]:
        floor = rng.randrange(len(dungeon.floors))
        rows = dungeon.floors[floor].terrain
        return [floor, rng.randrange(len(rows)), rng.randrange(len(rows[0]))]

    def stroke() -> list[list[int]]:
        floor, row, column = place()
        width = len(dungeon.floors[floor].terrain[0])
        return [[floor, row, at] for at in range(column, min(width, column + rng.choice((1, 1, 2, 5))))]

    def area() -> dict[str, Any]:
        return {"corner": place(), "height": rng.randint(1, 4), "width": rng.randint(1, 5)}

    name = rng.choice(("Hall", "Vault", "a", "red", "!"))
    number = rng.randrange(6)
    return rng.choice(
        [
            {"do": "paint", "terrain": rng.choice(TERRAINS), "at": stroke()},
            {"do": "paint", "terrain": "floor", "at": stroke()},
            {"do": "clear", **area(), "terrain": rng.choice(TERRAINS)},
            *[{"do": "put", "thing": rng.choice(WORDS), "at": stroke(), "add": rng.random() < 0.3} for _ in range(5)],
            {"do": "erase", "at": stroke()},
            {"do": "erase", "what": rng.choice(("pickup", "gate", "switch", "block", "goal", "way")), "number": number},
            {
                "do": "set",
                "what": rng.choice(("pickup", "gate", "switch")),
                "number": number,
                "thing": rng.choice(WORDS),
            },
            {"do": "split", "number": number},
            {"do": "move", "at": place(), "to": place()},
            {"do": "paste", **area(), "to": place(), "cut": rng.random() < 0.5},
            {"do": "paste", **area(), "to": place(), "text": format_text(dungeon)},
            {
                "do": "connect",
                "at": place(),
                "to": place(),
                "kind": rng.choice(("stairs", "warp", "door", "passage")),
                "both": rng.random() < 0.6,
                "gate": rng.choice(("", "", "lock red", "barrier a", "cracked (thin wall)", "soft Hall")),
            },
            {"do": "disconnect", "at": place()},
            {
                "do": "way",
                "number": number,
                "kind": "door",
                "both": rng.random() < 0.5,
                "gate": rng.choice(("", "lock")),
            },
            {
                "do": "resize",
                "floor": rng.randrange(len(dungeon.floors)),
                **{side: rng.randint(-1, 1) for side in ("north", "east", "south", "west")},
                "terrain": rng.choice(TERRAINS),
                "cut": rng.random() < 0.5,
            },
            {"do": "add_floor", "name": name, "rows": rng.randint(1, 3), "columns": rng.randint(1, 4)},
            {"do": "rename_floor", "floor": 0, "name": name},
            {"do": "remove_floor", "floor": rng.randrange(len(dungeon.floors))},
            {"do": "room", "name": name, **area(), "was": rng.choice(("", "Hall"))},
            {"do": "remove_room", "name": name},
            {"do": "rename", "what": rng.choice(("switch", "key", "item")), "name": "a", "to": name},
            {"do": "goal", "rule": rng.choice(("", "bow", "switch a is on", "cleared Hall"))},
            {"do": "states", "switch": "a", "states": rng.choice(([], ["low", "high"], ["low", "on", "off"]))},
            {"do": "title", "title": name},
        ]
    )


def starts() -> Iterator[tuple[str, Dungeon]]:
    for name, text in TEMPLATES.items():
        yield name, parse_text(text)
    for example in DOMAIN.examples():
        if len(example.text) < 4_000:
            yield example.name, load_example("dungeon", example.name)


def edit_at_random(dungeon: Dungeon, seed: str, count: int) -> int:
    """Make random changes, and see that each result is whole; return how many could be made."""
    rng = random.Random(seed)
    made = 0
    for _ in range(count):
        action = random_action(rng, dungeon)
        try:
            after = edit(dungeon, action)
        except BadOption:
            continue
        made += 1
        again = parse_text(format_text(after))
        assert again == after, (action, format_text(dungeon))
        assert not after.played
        dungeon = after
    describe_level(dungeon)
    for question in ("solvable", "losable"):
        solvent.ask(dungeon, question, nodes=300)
    return made


class TestAtRandom:
    def test_a_few_of_everything(self) -> None:
        made = sum(edit_at_random(dungeon, f"{name} 1", 25) for name, dungeon in list(starts())[::3])
        assert made > 50

    @pytest.mark.slow
    def test_thousands(self) -> None:
        made = sum(edit_at_random(dungeon, f"{name} 2", 150) for name, dungeon in starts())
        assert made > 2_000
