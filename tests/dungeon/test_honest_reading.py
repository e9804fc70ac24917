"""Nothing that decides a verdict is dropped: files of level editors with names that nobody has heard of.

Valid maps are changed at random, a class or property renamed or added. Whatever comes of it, the verdict does not
change unless something is said: an error, or a remark that was not there before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solvent
from dungeon.test_ldtk import ROWS, THINGS, entity, level, project
from dungeon.tiled.maps import thing, tmj
from helpers.depth import up_to
from solvent.core.errors import ParseError, UndecidedNames
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.ldtk.reading import parse_ldtk
from solvent.dungeon.notation.ldtk.writing import format_ldtk
from solvent.dungeon.notation.mapping.parsing import parse_mapping
from solvent.dungeon.notation.tiled.reading import parse_tiled
from solvent.dungeon.notation.tiled.writing import format_tmj, format_tmx

WORDS = ("guardedBy", "lock_kind", "sound", "hp", "zzz", "keyHolder", "Tür", "isOpen", "Farbe", "x", "class", "type")
CLASSES = ("Torch", "boss_door", "Zed", "RedKey", "NPC", "Geheimtür", "Vault", "ignore_me", "wall2", "exit sign")
"""Names that are none of ours: what is understood may change a verdict, and needs no word."""


def corridor(*things: dict[str, Any], **changes: Any) -> Dungeon:
    """Read the small map with other things between start and goal than a lock and its key."""
    made = tmj(**changes)
    start, _, _, goal = made["layers"][1]["objects"]
    made["layers"][1]["objects"] = [start, *things, goal]
    return parse_tiled(json.dumps(made), None)


def undecided(read: Callable[[], Dungeon]) -> tuple[str, ...]:
    with pytest.raises(UndecidedNames) as caught:
        read()
    assert "solvent mapping" in str(caught.value)
    return caught.value.names


# What was dropped once


@pytest.mark.parametrize("word", ["keyColor", "key_color", "KeyColour", "lockColor", "lockedWith", "openedBy", "key"])
@pytest.mark.parametrize("kind", ["door", "lock"])
def test_the_colour_of_a_door_by_other_words(kind: str, word: str) -> None:
    key = thing("key", 1, id=7, color="red")
    assert corridor(key, thing(kind, 3, id=8, **{word: "red"})).gates[0].needs == ("red",)
    with pytest.raises(ParseError):
        corridor(thing("key", 1, id=7), thing(kind, 3, id=8, **{word: "red"}))


def test_a_door_that_an_item_opens() -> None:
    dungeon = corridor(thing("item", 1, id=7, name="KeyA"), thing("door", 3, id=8, lockedWith="KeyA"))
    assert [(gate.kind, gate.needs) for gate in dungeon.gates] == [("item", ("KeyA",))]
    with pytest.raises(ParseError, match=r"opened_by: the colour of a key or the name of an item \(KeyB\)"):
        corridor(thing("item", 1, id=7, name="KeyB"), thing("door", 3, id=8, lockedWith="KeyA"))
    both = (thing("item", 1, id=6, name="a"), thing("key", 1, id=7, color="a"))
    with pytest.raises(ParseError, match="opened_by"):
        corridor(*both, thing("door", 3, id=8, lockedWith="a"))


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        *(("door", word) for word in ("guardedBy", "magic", "sound", "isOpen")),
        *(("lock", word) for word in ("strength", "boss", "open")),
        *(("goal", word) for word in ("requires", "color", "locked")),
        *(("start", word) for word in ("inventory", "keys")),
        *(("key", word) for word in ("opens", "type")),
        ("switch", "once"),
        ("warp", "cost"),
        ("block", "pushable"),
        ("monster", "drops"),
        ("barrier", "color"),
    ],
)
def test_properties_that_may_decide_are_refused_by_name(kind: str, word: str) -> None:
    names = undecided(lambda: corridor(thing(kind, 2, id=8, **{word: "a"})))
    assert names == (f"property {word} of {kind} (a)",)


def test_a_text_without_a_folder_is_told_apart(tmp_path: Path) -> None:
    made = tmj()
    made["layers"][1]["objects"].append(thing("Vault Door", 2, id=9))
    path = tmp_path / "a.tmj"
    path.write_text(json.dumps(made))
    for read, is_alone in ((lambda: parse_tiled(path.read_text(), None), True), (lambda: solvent.load(path), False)):
        with pytest.raises(UndecidedNames) as caught:
            read()
        assert ("came without its folder" in str(caught.value)) == is_alone


def test_all_that_is_undecided_is_said_at_once() -> None:
    names = undecided(
        lambda: corridor(
            thing("door", 2, id=5, magic="a"),
            thing("Boss Door", 2, id=6),
            thing("", 2, id=7, name="secret door"),
            thing("lock", 2, id=8, strength=3),
            properties=[{"name": "music", "value": "a.ogg"}],
        )
    )
    assert names == (
        "class Boss Door (1 object)",
        "objects without a class: 'secret door' in layer objects (1 object)",
        "property magic of door (a)",
        "property strength of lock (3)",
    )


def test_what_decides_nothing_is_left_out_with_a_remark_for_all() -> None:
    made = tmj(properties=[{"name": "music", "value": "a.ogg"}])
    made["layers"][1]["objects"] += [
        thing("torch", 1, id=10),
        thing("NPC", 1, id=11, name="Bo"),
        thing("", 1, id=12, name="sign"),
        thing("monster", 1, id=13, hp=3),
    ]
    made["layers"] += [
        {"type": "imagelayer", "name": "sky"},
        {"type": "objectgroup", "name": "later", "visible": False, "objects": [thing("monster", 1, id=14)]},
        {"type": "group", "name": "old", "visible": False, "layers": []},
        {"type": "tilelayer", "name": "moss", "width": 6, "height": 3, "data": [3, *[0] * 17]},
    ]
    made["tilesets"][0]["tiles"].append({"id": 2, "properties": [{"name": "noise", "value": "soft"}]})
    made["tilesets"][0] |= {"name": "caves", "properties": [{"name": "mood", "value": "grim"}]}
    assert parse_tiled(json.dumps(made), None).remarks == (
        "Left out, since nothing says what they are: objects of class torch (1), NPC (1).",
        "Left out, since they have no class: objects 'sign' in layer objects (1).",
        "Not understood, and left out: properties hp of monster (3).",
        "Not understood, and left out: tile properties noise = soft (1 cell).",
        "Not understood, and left out: properties of the map music (a.ogg), mood of tile set caves (grim).",
        "Tiles that say nothing about walking are floor, or what lies below them: in layer moss (1 cell, tile ids 2).",
        "Read although hidden: layer later, old.",
        "Left out: image layer sky.",
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"color": "red", "requires": "axe"}, "one thing that opens it"),
        ({"color": "red", "lockedWith": "axe"}, "one thing that opens it"),
        ({"color": "red", "keyColor": "blue"}, "one color .* differ"),
        ({"color": "red", "locked": False}, "locked: true"),
        ({"open": False}, "open: nothing"),
        ({"color": "red", "open": True}, "open: nothing"),
        ({"consumes": False}, "consumes: nothing"),
        ({"requires": "axe", "count": 2}, "count: nothing"),
    ],
)
def test_a_door_that_says_two_things(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParseError, match=message):
        corridor(
            thing("key", 1, id=7, color="red"), thing("item", 1, id=9, name="axe"), thing("door", 3, id=8, **given)
        )


def test_open_doors_are_named() -> None:
    dungeon = corridor(thing("door", 2, id=7, name="oak"), thing("door", 3, id=8))
    said = "Doors that say nothing about what opens them are read as open: 'oak', row 1, column 2 and row 1, column 3."
    assert dungeon.remarks == (said,)


def test_tiles_with_collision_shapes_and_flags() -> None:
    made = tmj()
    made["tilesets"][0]["tiles"] = [{"id": 1, "objectgroup": {"objects": [{"id": 1, "x": 0, "y": 0}]}}]
    assert "tiles with collision shapes (14 cells): walls or not" in undecided(
        lambda: parse_tiled(json.dumps(made), None)
    )
    for name, value in (("solid", True), ("walkable", False), ("Collides", True)):
        made["tilesets"][0]["tiles"] = [{"id": 1, "properties": [{"name": name, "type": "bool", "value": value}]}]
        assert parse_tiled(json.dumps(made), None).floors[0].terrain == ("######", "#....#", "######")
    made["tilesets"][0]["tiles"] = [{"id": 1, "properties": [{"name": "wallKind", "value": "brick"}]}]
    assert "tile property wallKind = brick (14 cells)" in undecided(lambda: parse_tiled(json.dumps(made), None))


def test_values_that_are_read_as_their_layer_is_called() -> None:
    rows = tuple(row.replace(".", " ") for row in ROWS)
    made = project(level("A", rows, *THINGS), values=("Bricks",))
    assert "IntGrid values that are read as their layer is called: Bricks of Collisions as wall." in (
        parse_ldtk(json.dumps(made), None).remarks
    )
    made = project(level("A", rows, *THINGS), values=("ladder",))
    assert undecided(lambda: parse_ldtk(json.dumps(made), None))[0].startswith("IntGrid value ladder of layer")


def test_records_and_lists_are_named_too() -> None:
    door = {**entity("Door", 3), "fieldInstances": [{"__identifier": "lockedWith", "__type": "?", "__value": {"a": 1}}]}
    with pytest.raises(ParseError, match="opened_by"):
        parse_ldtk(json.dumps(project(level("A", ROWS, THINGS[0], door, THINGS[3]))), None)
    nested = {"name": "lock", "type": "class", "propertytype": "Lock", "value": {"key": "red"}}
    made = thing("door", 3, id=8)
    made["properties"] = [nested]
    assert undecided(lambda: corridor(made)) == ("property lock.key of door (red)",)


def drawn_walls(name: str = "Walls", **tile_set: Any) -> dict[str, Any]:
    """Return a project whose walls are tiles 5 of a layer, on an IntGrid without a value; tile 6 is drawn by a rule."""
    made = project(level("A", tuple(" " * len(row) for row in ROWS), *THINGS), values=("wall",))
    made["defs"]["tilesets"] = [{"identifier": "Caves", "uid": 3, "tileGridSize": 16, **tile_set}]
    made["defs"]["enums"] = [{"identifier": "Ground", "uid": 4, "values": [{"id": "Rock"}]}]
    places = [(16 * x, 16 * y) for y, row in enumerate(ROWS) for x, letter in enumerate(row) if letter == "#"]
    layer = made["levels"][0]["layerInstances"][1]
    layer |= {"__identifier": name, "__tilesetDefUid": 3, "gridTiles": [{"px": at, "t": 5} for at in places]}
    grid = made["levels"][0]["layerInstances"][2]
    grid |= {"__tilesetDefUid": 3, "autoLayerTiles": [{"px": [32, 16], "t": 6}]}
    return made


def parse_mapped(made: dict[str, Any], mapping: str = "") -> Dungeon:
    return parse_ldtk(json.dumps(made), None, parse_mapping(mapping, "m.toml"))


def test_walls_that_are_only_tiles_of_a_project_are_never_floor() -> None:
    assert undecided(lambda: parse_mapped(drawn_walls()))[0] == "tile layer Walls (14 cells, tile ids 5)"
    names = undecided(lambda: parse_mapped(drawn_walls("Art")))
    assert {"no wall anywhere", "layer Art (tiles)", "tile set Caves: 1 tile id of 1 in use without a meaning"} <= set(
        names
    )
    tags = {"tagsSourceEnumUid": 4, "enumTags": [{"enumValueId": "Rock", "tileIds": [5]}]}
    data = {"customData": [{"tileId": 5, "data": "is\nsolid"}]}
    for given, line in (
        ({}, 'layers.Art = "wall"'),
        ({}, 'tiles.Caves.5 = "wall"'),
        ({}, 'tiles.Caves.rest = "wall"'),
        (tags, 'tile_properties.Ground.Rock = "wall"'),
        (data, 'tile_properties.custom_data."is solid" = "wall"'),
    ):
        assert parse_mapped(drawn_walls("Art", **given), line).floors[0].terrain == ROWS
    assert parse_mapped(drawn_walls("Art"), 'layers.Art = "wall"\ntiles.Caves.6 = "water"').floors[0].terrain == (
        *(ROWS[0], "#.~..#", ROWS[2]),
    )
    for given, said in ((tags, "tile property Ground = Rock"), (data, "tile property custom_data = is solid")):
        assert undecided(lambda given=given: parse_mapped(drawn_walls("Art", **given)))[0] == f"{said} (14 cells)"


def test_tiles_of_a_project_without_any_values() -> None:
    made = drawn_walls("Art")
    del made["levels"][0]["layerInstances"][2]
    made["levels"][0]["layerInstances"][1]["gridTiles"] += [{"px": [16 * x, 16], "t": 1} for x in range(1, 5)]
    assert "no wall anywhere" in undecided(lambda: parse_mapped(made))
    dungeon = parse_mapped(made, 'tiles.Caves.5 = "wall"')
    assert dungeon.floors[0].terrain == ROWS
    assert any("Art (4 cells, tile ids 1)" in remark for remark in dungeon.remarks)
    made["levels"][0]["layerInstances"][1]["gridTiles"][-2]["t"] = 9
    made["levels"][0]["layerInstances"][0]["entityInstances"] = [THINGS[0], THINGS[3]]
    assert parse_mapped(made, 'tiles.Caves = { 5 = "wall", 9 = "cracked" }').gates[0].cells == ((0, 1, 3),)
    del made["levels"][0]["layerInstances"][1]
    with pytest.raises(ParseError, match="an IntGrid layer, or a layer with tiles"):
        parse_mapped(made)


def test_hidden_objects_and_layers_are_named() -> None:
    made = tmj()
    made["layers"][1]["objects"][1]["visible"] = False
    made["layers"][1]["objects"].append(thing("torch", 1, id=20) | {"visible": False})
    assert "Read although hidden: object key." in parse_tiled(json.dumps(made), None).remarks
    ldtk = project(level("A", ROWS, *THINGS))
    ldtk["levels"][0]["layerInstances"][0]["visible"] = False
    assert "Read although hidden: layer Entities." in parse_ldtk(json.dumps(ldtk), None).remarks
    ldtk["levels"][0]["layerInstances"].insert(
        0, {**ldtk["levels"][0]["layerInstances"][1], "__type": "AutoLayer", "__identifier": "Wall_tops"}
    )
    ldtk["levels"][0]["layerInstances"][0]["autoLayerTiles"] = [{"px": [16, 16], "t": 1}]
    ldtk["levels"][0]["layerInstances"][0]["gridTiles"] = []
    assert "Left out: tiles that rules drew, in layer Wall_tops." in parse_ldtk(json.dumps(ldtk), None).remarks


# At random


def is_said(read: Callable[[], Dungeon], verdict: str, remarks: set[str]) -> bool:
    """Tell whether the verdict is the same, or something is said about why it may differ."""
    try:
        dungeon = read()
    except ParseError:
        return True
    return bool(set(dungeon.remarks) - remarks) or str(solvent.ask(dungeon).verdict) == verdict


def mutate_records(dice: Random, holders: list[dict[str, Any]], kind_key: str, fields_key: str, name_key: str) -> None:
    """Rename a class or property, or add a property, of some object of a JSON file."""
    one = dice.choice(holders)
    fields = one.setdefault(fields_key, [])
    choice = dice.choice(("class", "rename", "add"))
    if choice == "class":
        one[kind_key] = dice.choice(CLASSES)
    elif choice == "rename" and fields:
        dice.choice(fields)[name_key] = dice.choice(WORDS)
    else:
        value = dice.choice(("red", "KeyA", True, 3))
        kind = {bool: "bool", int: "int", str: "string"}[type(value)]
        made = {name_key: dice.choice(WORDS), "type": kind, "value": value, "__type": kind, "__value": value}
        wanted = ("__identifier", "__type", "__value") if name_key.startswith("__") else ("name", "type", "value")
        fields.append({key: made[key] for key in wanted})


def mutate_tmj(text: str, dice: Random) -> str:
    made = json.loads(text)
    holders = [one for layer in made["layers"] for one in layer.get("objects", ()) if one["type"] != "floor"]
    tiles = [one for tileset in made["tilesets"] for one in tileset.get("tiles", ())]
    mutate_records(dice, tiles if dice.random() < 0.2 else holders, "type", "properties", "name")
    return json.dumps(made)


def mutate_ldtk(text: str, dice: Random) -> str:
    made = json.loads(text)
    holders = [one for level in made["levels"] for layer in level["layerInstances"] for one in layer["entityInstances"]]
    if dice.random() < 0.2:
        values = dice.choice([layer["intGridValues"] for layer in made["defs"]["layers"] if layer["intGridValues"]])
        dice.choice(values)["identifier"] = dice.choice(CLASSES)
        return json.dumps(made)
    mutate_records(dice, holders, "__identifier", "fieldInstances", "__identifier")
    return json.dumps(made)


def mutate_tmx(text: str, dice: Random) -> str:
    pattern, words = dice.choice(((r'type="(\w+)" x=', CLASSES), (r'<property name="(\w+)"', WORDS)))
    places = [found for found in re.finditer(pattern, text) if found[1] not in ("floor", "title", "rules")]
    if not places:
        return text
    found = dice.choice(places)
    return text[: found.start(1)] + dice.choice(words) + text[found.end(1) :]


FORMATS: dict[str, tuple[Callable[[Dungeon], str], Any, Callable[[str, Random], str]]] = {
    "tmj": (format_tmj, parse_tiled, mutate_tmj),
    "tmx": (format_tmx, parse_tiled, mutate_tmx),
    "ldtk": (format_ldtk, parse_ldtk, mutate_ldtk),
}
EXAMPLES = {example.name: example.text for example in solvent.examples("dungeon")}


@pytest.mark.parametrize("format", FORMATS)
def test_renamed_and_added_names_change_no_verdict_without_a_word(format: str) -> None:
    write, read, mutate = FORMATS[format]
    dice = Random(17)
    tried = 0
    for name, text in sorted(EXAMPLES.items()):
        dungeon = solvent.parse(text)
        if sum(len(row) for floor in dungeon.floors for row in floor.terrain) > 700:
            continue
        written = write(dungeon)
        plain = read(written, None)
        verdict = str(solvent.ask(plain).verdict)
        for _ in range(up_to(4, deep=25)):
            changed = mutate(written, dice)
            assert is_said(lambda changed=changed: read(changed, None), verdict, set(plain.remarks)), (name, changed)
            tried += 1
    assert tried >= 150


@pytest.mark.parametrize("name", ["ldtk/Typical_TopDown_example.ldtk", "ldtk/Entities.ldtk"])
def test_the_same_in_samples_read_by_a_mapping(corpora: Path, name: str) -> None:
    from solvent.dungeon.notation.mapping.finding import load_mapping

    path = corpora / name
    if not path.is_file():
        pytest.skip(f"{name} is not among the corpora")
    mapping = load_mapping(Path(__file__).parent / "mappings" / f"{path.stem}.toml")
    text = path.read_text()
    plain = parse_ldtk(text, path, mapping)
    verdict = str(solvent.ask(plain).verdict)
    dice = Random(3)
    for _ in range(up_to(15, deep=60)):
        changed = mutate_ldtk(text, dice)
        assert is_said(lambda changed=changed: parse_ldtk(changed, path, mapping), verdict, set(plain.remarks))
