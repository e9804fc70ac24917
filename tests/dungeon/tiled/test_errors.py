"""What is wrong with a Tiled map is said with its place."""

from __future__ import annotations

from typing import Any

import pytest

from dungeon.editor_dungeons import wild_dungeon
from dungeon.tiled.maps import WRITERS, parse, thing, tmj, with_things
from solvent.core.errors import ParseError
from solvent.dungeon.model import Gate
from solvent.dungeon.notation.tiled.reading import parse_tiled


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"orientation": "staggered"}, r"at \$: expected an orthogonal or isometric map: .*found 'staggered'"),
        ({"width": "6"}, r"at \$: expected width: a number, found \"'6'\""),
        ({"width": 10**30}, "width: a number that is not so large"),
        ({"width": 10**7, "height": 10**7}, "at most 6,000,000 cells"),
        ({"width": -1}, "at most 6,000,000 cells"),
        ({"tilewidth": 0}, "tiles of at least one pixel"),
        ({"layers": None}, "a tile layer, but there is none"),
        ({"layers": []}, "a tile layer, but there is none"),
        ({"layers": [{"type": "balloon"}]}, r"at \$\.layers\[0\]\.type.*found 'balloon'"),
        ({"layers": [{"type": "tilelayer"}]}, "data of a tile layer"),
        ({"layers": [{"type": "tilelayer", "data": [1]}]}, r"18 tiles in 3 rows of 6, found 1"),
        ({"layers": [{"type": "tilelayer", "data": "1,x"}]}, "numbers of tiles with commas between them, found 'x'"),
        ({"layers": [{"type": "tilelayer", "data": "9" * 5000}]}, "numbers of tiles"),
        ({"layers": [{"type": "tilelayer", "data": [-1] * 18}]}, "from 0 to"),
        ({"layers": [{"type": "tilelayer", "data": [1 << 32] * 18}]}, "from 0 to"),
        ({"layers": [{"type": "tilelayer", "data": [9] * 18, "width": 3, "height": 6}]}, "no larger than the map"),
        ({"tilesets": []}, "tiles of a tileset that the map has, found 1"),
        ({"tilesets": [{"firstgid": 1, "source": "t.tsj"}]}, r"at \$\.tilesets\[0\]: expected a file on disk"),
        ({"tilesets": [{"firstgid": 1, "tiles": {"x": {}}}]}, "tiles by number"),
        ({"properties": [{"name": "bombs", "value": "many"}]}, r"at \$: .*bombs: expected a number"),
        ({"properties": [{"name": "rules", "value": "bombs"}]}, "such as bombs=unlimited"),
        ({"properties": [{"name": "rules", "value": "luck=3"}]}, "luck"),
        ({"properties": [{"name": "moves", "value": "EEQ"}]}, "found 'Q'"),
        ({"properties": [{"name": "moves", "value": "NN"}]}, "moves that can be made, but number 1 cannot"),
        ({"properties": [{"name": "missing", "value": "maybe"}]}, "missing: allowed"),
        ({"properties": [{"name": "title", "type": "bool", "value": True}]}, "title: a text"),
        ({"properties": 3}, r"at \$\.properties"),
    ],
)
def test_maps_that_are_wrong(change: dict[str, Any], message: str):
    with pytest.raises(ParseError, match=message):
        parse(tmj(**change))


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (
            thing("dragon gate", 1, id=9),
            r"Undecided: class dragon gate \(1 object\)",
        ),
        (thing("start", 2, id=9), r"objects\[4\]: expected one start"),
        (thing("key", 1, 0, id=9), r"objects\[4\]: .*stands on a wall"),
        (thing("key", 99, id=9), r"objects\[4\]: expected objects inside the map, but key '' lies outside"),
        (thing("key", 1e300, id=9), "x: a number that is not so large"),
        (thing("room", 4, id=9, name="r", size=(9, 9)), "objects inside the map"),
        (thing("room", 1, id=9, name="r", size=(1e300, 1e300)), "object"),
        (thing("key", 1, id=9, count="many"), "count: a whole number"),
        (thing("key", 1, id=9, count=1.5), "count: a whole number"),
        (thing("key", 1, id=9, count=True), "count: a whole number"),
        (thing("key", 1, id=9, count=10**9), "count: a whole number|from 1 to"),
        (thing("key", 1, id=9, color=[2]), "color: a text.*a link to 2"),
        (thing("key", 1, id=9, color="a/b"), "letters, digits"),
        (thing("key", 1, id=2), "an id that no other object has"),
        (thing("item", 1, id=9), "an item with a name"),
        (thing("lock", 1, id=9, color="red"), "a red key somewhere"),
        (thing("lock", 1, id=9, count=2), "a lock takes one key"),
        (thing("lock", 3, id=9), "one gate on a tile"),
        (thing("gate", 1, id=9), "requires: the names of items"),
        (thing("gate", 1, id=9, requires="ladder"), "the item 'ladder' somewhere"),
        (thing("gate", 1, id=9, requires="ladder", consumes=True), "items are never used up"),
        (thing("gate", 1, id=9, requires=3), "requires: names"),
        (thing("barrier", 1, id=9), "the switch 'switch' somewhere"),
        (thing("barrier", 1, id=9, switch="x", open="maybe"), "open: true or false"),
        (thing("soft", 1, id=9), "a room around it"),
        (thing("soft", 1, id=9, room="hall"), "an existing room"),
        (thing("warp", 1, id=9), r"objects\[4\]: expected target: a link"),
        (thing("warp", 1, id=9, target=[77]), "target: a link.*found 'a link to 77'"),
        (thing("warp", 1, id=9, target="nowhere"), "target: a link.*found 'nowhere'"),
        (thing("warp", 1, id=9, target=True), "target: a link"),
        (thing("warp", 1, id=9, target=[9]), "from row 1, column 1 to itself"),
        (thing("warp", 1, id=9, target=[4], gate=[1]), "gate: a link to a gate"),
        (thing("way", 1, id=9, target=[4], kind="rope"), "kind: stairs, warp, door, passage"),
        (thing("cracked", 1, id=9, part_of=[3]), "part_of: a link to a cracked"),
        (thing("oneway", 1, id=9, direction="inwards"), "direction: north, east, south or west"),
        (thing("oneway", 1, 0, id=9, direction="N"), "floor under it"),
        ({**thing("key", 1, id=9), "template": "key.tj"}, r"objects\[4\]: .*file on disk, since its template.*key\.tj"),
        ({**thing("key", 1, id=9), "x": 10**400}, r"objects\[4\]: expected x: a number that is not so large"),
        ({"id": 9}, r"objects\[4\]"),
    ],
)
def test_objects_that_are_wrong(one: dict[str, Any], message: str):
    with pytest.raises(ParseError, match=message):
        parse(with_things(one))


def test_without_start_or_goal():
    map = tmj()
    start, goal = map["layers"][1]["objects"][0], map["layers"][1]["objects"][3]
    map["layers"][1]["objects"].remove(start)
    with pytest.raises(ParseError, match=r"at \$: expected a start, but there is none"):
        parse(map)
    map["layers"][1]["objects"] = [start]
    with pytest.raises(ParseError, match="a goal, but there is none"):
        parse(map)
    map["layers"][1]["objects"] = [
        start,
        goal,
        thing("warp", 1, id=7, target="twin"),
        *[thing("place", 1, id=i, name="twin") for i in (8, 9)],
    ]
    with pytest.raises(ParseError, match="several have it"):
        parse(map)


def test_what_gates_need_may_be_missing_if_the_map_says_so():
    one = thing("lock", 1, id=9, color="red")
    dungeon = parse(with_things(one, properties=[{"name": "missing", "value": "allowed"}]))
    assert Gate("lock", ("red",), ((0, 1, 1),)) in dungeon.gates


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"tilewidth": 1,\n "tileheight": }', r"line 2, column 16: expected a Tiled map as JSON"),
        ("{", "as JSON"),
        ("[]", r"at \$: expected an object"),
        ("[" * 100_000, "expected an object"),
        ('{"x": ' * 100_000, "JSON"),
        ('{"layers": [' + '{"type": "group", "layers": [' * 100_000, "JSON"),
        ('"\ud800"', "JSON"),
    ],
)
def test_json_that_is_wrong(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        parse_tiled(text, None)


def test_groups_in_groups_in_groups():
    layer: dict[str, Any] = {"type": "group", "layers": []}
    for _ in range(30):
        layer = {"type": "group", "layers": [layer]}
    with pytest.raises(ParseError, match="groups at most 20 deep"):
        parse(tmj(layers=[layer]))
    for depth in (200, 400, 1000):
        text = '{"type": "group", "layers": [' * depth + "]}" * depth
        with pytest.raises(ParseError, match=r"nested too deeply|at most 20 deep"):
            parse_tiled('{"width": 1, "height": 1, "tilewidth": 1, "tileheight": 1, "layers": [' + text + "]}", None)
    with pytest.raises(ParseError, match="at most 500 layers"):
        parse(tmj(layers=[{"type": "objectgroup"}] * 501))
    deep = "<map width='1' height='1' tilewidth='1' tileheight='1'>" + "<group>" * 100_000
    with pytest.raises(ParseError, match="elements at most 60 deep"):
        parse_tiled(deep, None)


MAP = "<map orientation='orthogonal' width='1' height='1' tilewidth='8' tileheight='8'>{}</map>"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<map", "line 1, column 1: expected a Tiled map as XML"),
        ("<map/>", "line 1, at <map>: expected the attribute width"),
        ("<tileset/>", "a Tiled map, which begins with <map>, found '<tileset>'"),
        ("<map width='x'/>", "width: a number, found 'x'"),
        ("<map width='1.5'/>", "width: a whole number, found '1.5'"),
        ("<map width='1e999'/>", "not so large"),
        ("<map width='nan'/>", "not so large"),
        (MAP.replace("orthogonal", "hexagonal").format(""), "six neighbours.*found 'hexagonal'"),
        (MAP.format(""), "a tile layer, but there is none"),
        (MAP.format("<layer/>"), "data of a tile layer"),
        (MAP.format("<layer><data encoding='runes'>x</data></layer>"), "as CSV or base64, found 'runes'"),
        (MAP.format("<layer><data encoding='csv'>1,2</data></layer>"), "1 tiles in 1 rows of 1, found 2"),
        (MAP.format("<layer><data encoding='base64' compression='zstd'>AAAA</data></layer>"), "zstd"),
        (MAP.format("<layer><data><tile gid='x'/></data></layer>"), "gid: a number"),
        (MAP.format("<objectgroup><object x='1' y='1' template='a.tx'/></objectgroup>"), "its template is in another"),
        (MAP.format("<objectgroup><object x='1'/></objectgroup>"), "at <object>: expected the attribute y"),
        ("<!DOCTYPE map [<!ELEMENT map ANY>]><map/>", "without a document type"),
        ("<!DOCTYPE m [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><map>&b;</map>", "without entities"),
        ("<map>&x;</map>", "as XML"),
        ("<map>\ud800</map>", "UTF-8"),
        ("", "as XML"),
    ],
)
def test_xml_that_is_wrong(text: str, message: str):
    with pytest.raises(ParseError, match=message):
        parse_tiled(text, None)


@pytest.mark.parametrize("format", WRITERS)
def test_spoiled_texts_raise_only_parse_errors(format: str):
    from random import Random

    write, read = WRITERS[format]
    dice, refused = Random(5), 0
    text = write(wild_dungeon(7))
    for _ in range(300):
        at, length = dice.randrange(len(text)), dice.choice((1, 1, 3, 40))
        spoiled = text[:at] + dice.choice(("", "-", '"', "9", "null", "{", "<", "\0")) + text[at + length :]
        try:
            read(spoiled, None)
        except ParseError:
            refused += 1
    assert refused > 100
