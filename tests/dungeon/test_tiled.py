"""Tiled maps: every dungeon survives, maps as people draw them are understood, what is wrong is said with its place."""

from __future__ import annotations

import base64
import gzip
import json
import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dungeon.editor_dungeons import wild_dungeon, with_moves
from solvent.core.errors import BadOption, ParseError, UndecidedNames
from solvent.dungeon.formats import sniff_ldtk, sniff_tmj, sniff_tmx
from solvent.dungeon.model import Block, Dungeon, Floor, Gate, Pickup, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.mapping import draft_mapping
from solvent.dungeon.notation.mapping.parsing import parse_mapping
from solvent.dungeon.notation.tiled.reading import parse_tiled
from solvent.dungeon.notation.tiled.writing import format_tmj, format_tmx

NO_WALLS = "Nothing on this map is a wall; the file says that this is meant."
BARE_FLOOR = "A floor has no wall; the file says that this is meant."
WITHOUT_WALLS = [{"name": "walls", "value": "none"}]
WRITERS = {"tmj": (format_tmj, parse_tiled), "tmx": (format_tmx, parse_tiled)}


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("first", range(0, 60, 10))
def test_every_dungeon_can_be_written_and_read(format: str, first: int):
    write, read = WRITERS[format]
    for seed in range(first, first + 10):
        dungeon = wild_dungeon(seed)
        dungeon = with_moves(dungeon, seed) if seed % 2 else dungeon
        text = write(dungeon)
        assert read(text, None) == dungeon
        assert set(read(text, None).remarks) <= {NO_WALLS, BARE_FLOOR}
        assert write(read(text, None)) == text


@pytest.mark.parametrize("format", WRITERS)
def test_own_files_are_told_apart(format: str):
    text = WRITERS[format][0](wild_dungeon(3))
    assert (sniff_tmj(text), sniff_tmx(text), sniff_ldtk(text)) == (format == "tmj", format == "tmx", False)


@pytest.mark.parametrize(
    "text", ["", "{", "<", "{}", "[[1,2],[2,1]]", '{"colorRegions": [[1]]}', "dungeon: x", "<svg><map/></svg>", "\0"]
)
def test_other_texts_are_left_to_others(text: str):
    assert not sniff_tmj(text)
    assert not sniff_tmx(text)


@pytest.mark.parametrize("format", WRITERS)
def test_a_title_no_file_can_hold(format: str):
    with pytest.raises(BadOption, match="title"):
        WRITERS[format][0](replace(wild_dungeon(0), title="\x01"))


def test_tmx_holds_a_picture_of_its_tiles():
    text = format_tmx(wild_dungeon(0))
    found = re.search(r'<data encoding="base64">(.*?)</data>', text)
    assert found
    png = base64.b64decode(found[1])
    assert png.startswith(b"\x89PNG")
    at, names = 8, []
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        body = png[at + 4 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length]) == (zlib.crc32(body),)
        names.append(body[:4])
        if body[:4] == b"IDAT":
            assert len(zlib.decompress(body[4:])) == 16 * (7 * 16 + 1)
        at += 12 + length
    assert names == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]


def test_floors_lie_side_by_side_and_do_not_overlap():
    floors = [Floor(f"f{n}", (" ." * n,) * (10 - n)) for n in range(1, 9)]
    dungeon = assemble(DungeonParts(floors, starts=[(0, 0, 1)], goals=[(7, 1, 1)]))
    boxes = [
        (thing["x"] // 16, thing["y"] // 16, thing["width"] // 16, thing["height"] // 16)
        for thing in json.loads(format_tmj(dungeon))["layers"][1]["objects"]
        if thing["type"] == "floor"
    ]
    cells = [(x + i, y + j) for x, y, w, h in boxes for i in range(w) for j in range(h)]
    assert len(boxes) == 8
    assert len(cells) == len(set(cells))
    assert parse_tiled(format_tmj(dungeon), None) == dungeon


# Maps as people draw them

TSX = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="dungeon" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="dungeon.png" width="128" height="16"/>
 <tile id="0"><properties><property name="walk" type="bool" value="true"/></properties></tile>
 <tile id="1"><properties><property name="walk" type="bool" value="false"/></properties></tile>
 <tile id="2"><properties><property name="terrain" value="water"/></properties></tile>
 <tile id="4" type="key"><properties><property name="color" value="red"/></properties></tile>
</tileset>
"""

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="7" height="4"
 tilewidth="16" tileheight="16" infinite="0" nextlayerid="5" nextobjectid="20">
 <editorsettings><export target="x.json" format="json"/></editorsettings>
 <properties>
  <property name="bombs" type="int" value="2"/>
  <property name="music" value="cave.ogg"/>
  <property name="title" value="Cave &amp; lake"/>
 </properties>
 <tileset firstgid="1" source="tiles/dungeon.tsx"/>
 <imagelayer id="9" name="sky"><image source="sky.png"/></imagelayer>
 <layer id="1" name="ground" width="7" height="4">
  <data encoding="csv">
1,1,1,1,1,1,1,
1,1,1,3,1,1,1,
1,1,1,3,1,1,1,
1,1,1,1,1,1,0
</data>
 </layer>
 <group id="7" name="above">
 <layer id="2" name="Walls" width="7" height="4">
  <data>
   <tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2147483650"/><tile gid="2"/><tile gid="2"/>
   <tile gid="0"/><tile gid="0"/><tile gid="0"/><tile gid="0"/><tile gid="2"/><tile gid="0"/><tile gid="2"/>
   <tile gid="0"/><tile gid="0"/><tile gid="4"/><tile/><tile gid="2"/><tile gid="0"/><tile gid="2"/>
   <tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile gid="2"/><tile/>
  </data>
 </layer>
 </group>
 <layer id="6" name="light" class="ignore" width="7" height="4"><data encoding="csv">
9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9</data></layer>
 <objectgroup id="3" name="things">
  <object id="1" name="hero" type="Start" x="8" y="24"><point/></object>
  <object id="2" gid="2147483653" x="16" y="32" width="16" height="16"/>
  <object id="3" name="Red Door" type="lock" x="64" y="16" width="16" height="16">
   <properties><property name="color" value="red"/></properties>
  </object>
  <object id="4" class="goal" x="84" y="20" width="4" height="4"><ellipse/></object>
  <object id="5" type="warp" x="80" y="32" width="16" height="16">
   <properties><property name="target" type="object" value="6"/></properties>
  </object>
  <object id="6" type="place" x="0" y="32" width="16" height="16"/>
  <object id="7" type="item" name="ladder" x="20" y="36" width="8" height="8"/>
  <object id="8" x="0" y="0"><text>only words</text></object>
  <object id="9" type="oneway" x="16" y="32" width="16" height="16">
   <properties><property name="direction" value="up"/></properties>
  </object>
 </objectgroup>
</map>
"""


def write_tiles(folder: Path) -> Path:
    (folder / "tiles").mkdir()
    (folder / "tiles" / "dungeon.tsx").write_text(TSX)
    return folder / "map.tmx"


def test_a_map_with_its_tileset_in_a_file(tmp_path: Path):
    dungeon = parse_tiled(TMX, write_tiles(tmp_path))
    assert dungeon == assemble(
        DungeonParts(
            [Floor("", ("#######", "...~..#", ".^#~#.#", "###### "))],
            starts=[(0, 1, 0)],
            goals=[(0, 1, 5)],
            pickups=[Pickup((0, 1, 1), "key", "red"), Pickup((0, 2, 1), "item", "ladder")],
            gates=[Gate("lock", ("red",), ((0, 1, 4),), name="Red Door")],
            ways=[Way((0, 2, 5), (0, 2, 0), "warp")],
            rules=Rules(bombs=2),
            title="Cave & lake",
        )
    )
    # The wall that is drawn under the door is floor now, and that is said.
    assert any("walls under gates" in remark for remark in dungeon.remarks)


def test_a_tileset_in_a_file_needs_a_map_in_a_file(tmp_path: Path):
    with pytest.raises(ParseError, match=r"line 10, at <tileset>.*file on disk.*dungeon\.tsx"):
        parse_tiled(TMX, None)
    with pytest.raises(ParseError, match="no such file"):
        parse_tiled(TMX, tmp_path / "map.tmx")
    path = write_tiles(tmp_path)
    (tmp_path / "below").mkdir()
    assert parse_tiled(TMX.replace("tiles/", "../tiles/"), tmp_path / "below" / "map.tmx") == parse_tiled(TMX, path)
    for source in ("/etc/passwd", "C:\\tiles.tsx", "tiles", "tiles/dungeon.png", "../tiles/..", ""):
        with pytest.raises(ParseError):
            parse_tiled(TMX.replace("tiles/dungeon.tsx", source), path)
    (tmp_path / "tiles" / "dungeon.tsx").write_text("<tileset>")
    with pytest.raises(ParseError, match=r"tiles/dungeon\.tsx, line 1.*a Tiled tileset as XML"):
        parse_tiled(TMX, path)


def tmj(**changes: Any) -> dict[str, Any]:
    """Return a small map as Tiled saves it: start, key, lock and goal in a corridor between walls."""
    tiles = [
        {"id": 0, "properties": [{"name": "walk", "type": "bool", "value": True}]},
        {"id": 1, "properties": [{"name": "walk", "type": "bool", "value": False}]},
    ]
    objects = [
        {"id": 1, "name": "", "type": "start", "x": 16, "y": 16, "width": 16, "height": 16, "rotation": 0},
        {"id": 2, "name": "", "type": "key", "x": 32, "y": 16, "width": 16, "height": 16},
        {"id": 3, "name": "", "type": "lock", "x": 48, "y": 16, "width": 16, "height": 16},
        {"id": 4, "name": "", "type": "goal", "x": 72, "y": 24, "width": 0, "height": 0, "point": True},
    ]
    made: dict[str, Any] = {
        "type": "map",
        "version": "1.10",
        "orientation": "orthogonal",
        "width": 6,
        "height": 3,
        "tilewidth": 16,
        "tileheight": 16,
        "infinite": False,
        "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 16, "tileheight": 16, "tiles": tiles}],
        "layers": [
            {"type": "tilelayer", "name": "map", "width": 6, "height": 3, "data": [*[2] * 7, *[1] * 4, *[2] * 7]},
            {"type": "objectgroup", "name": "objects", "objects": objects},
        ],
    }
    return {**made, **changes}


def parse(map: dict[str, Any], path: Path | None = None) -> Dungeon:
    return parse_tiled(json.dumps(map), path)


def thing(
    kind: str, column: float, row: float = 1, /, *, id: int, name: str = "", size: tuple[float, float] = (1, 1), **said
):
    """Return an object; a number for a property of type object is given as a list."""
    properties = [
        {"name": word, "type": "object", "value": value[0]}
        if isinstance(value, list)
        else {
            "name": word,
            "type": {bool: "bool", int: "int", float: "float"}.get(type(value), "string"),
            "value": value,
        }
        for word, value in said.items()
    ]
    height, width = size
    box = {"x": column * 16, "y": row * 16, "width": width * 16, "height": height * 16}
    return {"id": id, "name": name, "type": kind, **box, "properties": properties}


def with_things(*things: dict[str, Any], rows: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    """Return the small map with more objects, or with other rows of tiles."""
    map = tmj(**changes)
    if rows:
        map["width"], map["height"] = len(rows[0]), len(rows)
        map["layers"][0] |= {
            "width": len(rows[0]),
            "height": len(rows),
            "data": [" .#".index(c) for c in "".join(rows)],
        }
    map["layers"][1]["objects"] += things
    return map


CORRIDOR = assemble(
    DungeonParts(
        [Floor("", ("######", "#....#", "######"))],
        starts=[(0, 1, 1)],
        goals=[(0, 1, 4)],
        pickups=[Pickup((0, 1, 2), "key")],
        gates=[Gate("lock", ("",), ((0, 1, 3),))],
    )
)


def test_the_small_map():
    assert parse(tmj()) == CORRIDOR


def packed(numbers: list[int], compression: str) -> str:
    data = struct.pack(f"<{len(numbers)}I", *numbers)
    pack = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}[compression]
    return base64.b64encode(pack(data)).decode()


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
def test_packed_layers_with_flipped_tiles(compression: str):
    map = tmj()
    flips = [0, 1 << 31, 1 << 30, 1 << 29, 1 << 28, 0xF0000000]
    numbers = [gid | flips[at % 6] for at, gid in enumerate(map["layers"][0]["data"])]
    map["layers"][0] |= {"data": packed(numbers, compression), "encoding": "base64", "compression": compression}
    assert parse(map) == CORRIDOR
    map["layers"][0] |= {"data": numbers, "encoding": "csv"}
    assert parse(map) == CORRIDOR


@pytest.mark.parametrize("compression", ["zlib", "gzip"])
def test_packed_layers_that_are_wrong(compression: str):
    def refuse(data: str, message: str, **changes: Any) -> None:
        map = tmj()
        map["layers"][0] |= {"data": data, "encoding": "base64", "compression": compression, **changes}
        with pytest.raises(ParseError, match=message) as caught:
            parse(map)
        assert "$.layers[0].data" in str(caught.value)

    good = packed(tmj()["layers"][0]["data"], compression)
    raw = base64.b64decode(good)
    refuse(base64.b64encode(raw[:-9]).decode(), "end too early|packed")
    refuse(base64.b64encode(b"\x78\x9c" + b"\xff" * 40).decode(), "packed with")
    refuse("!!!" + good, "in base64")
    refuse(good[:-1], "in base64")
    refuse(packed([1] * 17, compression), "18 tiles, which are 72 bytes, found '68 bytes'")
    # A bomb: 100 MB of zeros in 100 KB. No more than one byte too many is ever unpacked.
    bomb = {"zlib": zlib.compress, "gzip": gzip.compress}[compression](bytes(100 << 20))
    refuse(base64.b64encode(bomb).decode(), "more than 72 bytes")
    refuse(good, "no, zlib, gzip or zstd compression, found 'rar'", compression="rar")
    refuse(good, "packed with zlib or gzip .*found 'zstd'|packed with zstd", compression="zstd")


def test_an_infinite_map_is_cut_to_what_it_shows():
    map = tmj(infinite=True, width=0, height=0)
    rows = [[2, 2, 2, 2, 2, 2], [2, 1, 1, 1, 1, 2], [2, 2, 2, 2, 2, 2]]
    left, right = [0] * 16, [0] * 16
    for row in range(3):
        left[4 * row + 1 : 4 * row + 4] = rows[row][:3]
        right[4 * row : 4 * row + 3] = rows[row][3:]
    chunks = [
        {"x": -4, "y": -16, "width": 4, "height": 4, "data": left},
        {"x": 0, "y": -16, "width": 4, "height": 4, "data": right},
        {"x": 32, "y": 0, "width": 4, "height": 4, "data": [0] * 16},
    ]
    map["layers"][0] = {"type": "tilelayer", "name": "map", "chunks": chunks, "width": 8, "height": 8}
    for one in map["layers"][1]["objects"]:
        one["x"] -= 3 * 16
        one["y"] -= 16 * 16
    assert parse(map) == CORRIDOR
    map["layers"][0]["chunks"] = chunks[2:]
    with pytest.raises(ParseError, match="a tile layer with tiles"):
        parse(map)
    map["layers"][0]["chunks"] = [*chunks[:2], {"x": 10**8, "y": 10**8, "width": 1, "height": 1, "data": [1]}]
    with pytest.raises(ParseError, match="tiles within 6,000,000 cells"):
        parse(map)


def test_infinite_xml():
    chunk = (
        "<chunk x='-16' y='0' width='2' height='2'>1,1,1,1</chunk><chunk x='-14' y='0' width='1' height='1'>1</chunk>"
    )
    text = (
        "<map orientation='orthogonal' width='9' height='9' tilewidth='8' tileheight='8' infinite='1'>"
        "<tileset firstgid='1' name='t'><tile id='0' type='floor'/></tileset>"
        f"<layer name='ground' width='9' height='9'><data encoding='csv'>{chunk}</data></layer>"
        "<layer name='roof' width='9' height='9'><data encoding='csv'></data></layer>"
        "<objectgroup><object id='1' type='start' x='-128' y='0' width='8' height='8'/>"
        "<object id='2' type='goal' x='-108' y='4'/></objectgroup></map>"
    )
    assert parse_tiled(text, None) == assemble(
        DungeonParts([Floor("", ("...", ".. "))], starts=[(0, 0, 0)], goals=[(0, 0, 2)])
    )


def test_json_as_old_versions_wrote_it():
    map = tmj()
    del map["infinite"], map["type"]
    map["properties"] = {"bombs": 3}
    map["tilesets"] = [{"firstgid": 1, "name": "t", "tileproperties": {"1": {"walk": False}}, "tiles": {"0": {}}}]
    map["layers"][1]["objects"][2]["properties"] = {"color": "blue"}
    map["layers"][1]["objects"][1] |= {"properties": {"color": "blue"}, "propertytypes": {"color": "string"}}
    dungeon = parse(map)
    assert dungeon.gates[0].needs == ("blue",)
    assert dungeon.rules.bombs == 3
    assert dungeon.floors == CORRIDOR.floors


def test_layers_say_what_their_tiles_are_when_the_tiles_do_not():
    map = tmj(tilesets=[{"firstgid": 1, "name": "t"}])
    walls = [gid if gid == 2 else 0 for gid in map["layers"][0]["data"]]
    map["layers"].insert(1, {"type": "tilelayer", "name": "Collision", "width": 6, "height": 3, "data": walls})
    map["layers"].insert(2, {"type": "tilelayer", "name": "moss", "width": 6, "height": 3, "data": [0, 5, *[0] * 16]})
    assert parse(map) == CORRIDOR
    map["layers"][1] |= {"name": "x", "class": "walls"}
    assert parse(map) == CORRIDOR
    map["layers"][1] |= {"class": "", "properties": [{"name": "walk", "type": "bool", "value": False}]}
    assert parse(map) == CORRIDOR
    assert any(
        "in layer map (18 cells, tile ids 0, 1), moss (1 cell, tile ids 4)" in each for each in parse(map).remarks
    )
    map["layers"][1] |= {"properties": [{"name": "terrain", "value": "water"}]}
    assert parse({**map, "properties": WITHOUT_WALLS}).floors[0].terrain[0] == "~~~~~~"
    del map["layers"][1]
    with pytest.raises(
        UndecidedNames, match=r"where the walls are.*layer map .*layer moss .*tile set t: 3 tile ids of 3"
    ):
        parse(map)
    dungeon = parse({**map, "properties": WITHOUT_WALLS})
    assert dungeon.floors[0].terrain == ("......",) * 3
    assert NO_WALLS in dungeon.remarks


def test_tiles_that_are_objects():
    rows = ("@.k", "LL.", "..L", "..G")
    classes = {"@": "start", "k": "key", "L": "lock", "G": "exit"}
    tiles = [{"id": at, "type": kind} for at, kind in enumerate(classes.values())]
    gids = [[*classes, "."].index(letter) + 1 for letter in "".join(rows)]
    layer = {"type": "tilelayer", "name": "ground", "width": 3, "height": 4, "data": gids}
    made = {"orientation": "orthogonal", "width": 3, "height": 4, "tilewidth": 8, "tileheight": 8, "layers": [layer]}
    dungeon = parse({**made, "tilesets": [{"firstgid": 1, "tiles": tiles}], "properties": WITHOUT_WALLS})
    assert dungeon == assemble(
        DungeonParts(
            [Floor("", ("...",) * 4)],
            starts=[(0, 0, 0)],
            goals=[(0, 3, 2)],
            pickups=[Pickup((0, 0, 2), "key")],
            gates=[Gate("lock", ("",), ((0, 1, 0), (0, 1, 1))), Gate("lock", ("",), ((0, 2, 2),))],
        )
    )


def test_floors_as_groups_by_class_name_or_property():
    map = tmj()
    below, things = map["layers"]
    above = {**below, "name": "up"}
    upper = {"type": "objectgroup", "name": "o", "objects": [thing("stairs", 4, id=9, name="spiral")]}
    things["objects"] += [thing("stairs", 2, id=8, name="spiral")]
    wanted = replace(
        CORRIDOR,
        floors=(replace(CORRIDOR.floors[0], name="Level 1"), replace(CORRIDOR.floors[0], name="tower")),
        ways=(Way((0, 1, 2), (1, 1, 4), "stairs"), Way((1, 1, 4), (0, 1, 2), "stairs")),
    )
    tower = {"type": "group", "name": "tower", "class": "floor", "layers": [above, upper]}
    assert parse({**map, "layers": [{"type": "group", "name": "Level_1", "layers": [below, things]}, tower]}) == wanted
    said = [{"name": "floor", "type": "string", "value": "Level 1"}]
    flat = [{**below, "properties": said}, {**things, "properties": said}, tower]
    assert parse({**map, "layers": flat}) == wanted
    with pytest.raises(ParseError, match=r"\$\.layers\[0\]: expected every layer in a group that is a floor"):
        parse({**map, "layers": [below, things, tower]})
    with pytest.raises(ParseError, match="a tile layer of the floor 'tower'"):
        parse({**map, "layers": [*flat[:2], {**tower, "layers": [upper]}]})


def test_groups_that_are_no_floors_are_folders():
    map = tmj()
    below, things = map["layers"]
    folder = {"type": "group", "name": "all", "layers": [{"type": "group", "name": "Floor", "layers": [below]}, things]}
    assert parse({**map, "layers": [folder]}) == CORRIDOR


def test_every_class_of_object():
    rows = ("............", "............", "............", "............")
    more = (
        thing("Room", 6, 0, id=10, name="Boss_Room", size=(2, 3), labels="boss, dark"),
        thing("soft", 8, 1, id=11),
        thing("soft", 9, 1, id=12, room=[10]),
        thing("switch", 0, 2, id=13, name="lever", size=(1, 2)),
        thing("barrier", 3, 2, id=14, switch=[13], open=True),
        thing("barrier", 4, 2, id=15, switch="lever"),
        thing("cracked", 5, 2, id=16, size=(2, 1), name="old wall"),
        thing("cracked", 7, 2, id=17, part_of=[16]),
        thing("gate", 8, 2, id=18, requires="raft, torch"),
        thing("Item", 9, 2, id=19, name="raft"),
        thing("item", 9, 2, id=20, name="x", item="torch"),
        thing("enemy", 6, 1, id=21),
        thing("bomb", 10, 2, id=22),
        thing("bombs", 10, 2, id=23, count=7.0),
        thing("key", 10, 3, id=24, color="#ff0000ff", count=3),
        thing("lock", 11, 3, id=25, colour="#ff0000ff"),
        thing("crate", 11, 0, id=26),
        thing("oneway", 0, 0, id=27, size=(1, 3), direction="W"),
        thing("lock", 11, 1, id=28, requires="bombs"),
        thing("lock", 11, 2, id=29, requires="torch", consumes=False),
        thing("door", 0, 3, id=30),
        thing("door", 1, 3, id=31, locked=True),
        thing("door", 2, 3, id=32, requires="raft"),
    )
    dungeon = parse(with_things(*more, rows=rows, properties=WITHOUT_WALLS))
    assert dungeon.floors[0].terrain[0] == "<<<........."
    assert dungeon.rooms == (Room("Boss Room", (0, 0, 6), 2, 3, ("boss", "dark")),)
    assert dungeon.switches == (Switch((0, 2, 0), "lever"), Switch((0, 2, 1), "lever"))
    assert dungeon.blocks == (Block((0, 0, 11)),)
    assert dungeon.gates == (
        Gate("lock", ("",), ((0, 1, 3),)),
        Gate("soft", ("Boss Room",), ((0, 1, 8),)),
        Gate("soft", ("Boss Room",), ((0, 1, 9),)),
        Gate("cracked", (), ((0, 1, 11),)),
        Gate("barrier", ("lever",), ((0, 2, 3),), True),
        Gate("barrier", ("lever",), ((0, 2, 4),)),
        Gate("cracked", (), ((0, 2, 5), (0, 2, 7), (0, 3, 5)), name="old wall"),
        Gate("item", ("raft", "torch"), ((0, 2, 8),)),
        Gate("item", ("torch",), ((0, 2, 11),)),
        Gate("lock", ("",), ((0, 3, 1),)),
        Gate("item", ("raft",), ((0, 3, 2),)),
        Gate("lock", ("ff0000ff",), ((0, 3, 11),)),
    )
    assert dungeon.pickups == (
        Pickup((0, 1, 2), "key"),
        Pickup((0, 1, 6), "monster"),
        Pickup((0, 2, 9), "item", "raft"),
        Pickup((0, 2, 9), "item", "torch"),
        Pickup((0, 2, 10), "bombs", count=0),
        Pickup((0, 2, 10), "bombs", count=7),
        Pickup((0, 3, 10), "key", "ff0000ff", 3),
    )
    assert dungeon.remarks == (
        NO_WALLS,
        "Doors that say nothing about what opens them are read as open: row 3, column 0.",
    )


def test_ways_and_what_bars_them():
    more = (
        thing("warp", 1, id=10, target=[11]),
        thing("warp", 4, id=11, name="out"),
        thing("stairs", 1, id=12, target="out", gate="cracked"),
        thing("way", 2, id=13, target=[11], kind="passage", color="", locked=True, twoway=True),
        thing("door", 1, id=14, target=11, gate=[3]),
        thing("passage", 2, id=15, target=[1], gate="oak"),
        thing("gate", 2, id=16, name="oak", requires="axe", ways_only=True),
        thing("item", 1, id=17, name="axe"),
    )
    dungeon = parse(with_things(*more))
    assert dungeon.gates == (
        Gate("lock", ("",), ((0, 1, 3),)),
        Gate("item", ("axe",), name="oak"),
        Gate("cracked"),
        Gate("lock", ("",)),
    )
    assert dungeon.ways == (
        Way((0, 1, 1), (0, 1, 4), "door", 0),
        Way((0, 1, 1), (0, 1, 4), "stairs", 2),
        Way((0, 1, 1), (0, 1, 4), "warp"),
        Way((0, 1, 2), (0, 1, 1), "passage", 1),
        Way((0, 1, 2), (0, 1, 4), "passage", 3),
        Way((0, 1, 4), (0, 1, 2), "passage", 3),
    )


def test_keys_that_are_kept_are_items():
    more = (
        thing("key", 2, id=10, color="boss"),
        thing("lock", 4, id=11, color="boss", consumes=False),
        thing("lock", 1, id=12, color="chest", consumes=False),
    )
    dungeon = parse(with_things(*more, properties=[{"name": "rules", "value": "keys=chest 2 + 1"}]))
    assert Pickup((0, 1, 2), "item", "boss key") in dungeon.pickups
    assert Gate("item", ("boss key",), ((0, 1, 4),)) in dungeon.gates
    assert dungeon.rules == Rules(keys=(("", 1),), items=("chest key",))
    with pytest.raises(ParseError, match=r"\$\.layers\[1\]\.objects\[5\].*the same for all locks of a colour"):
        parse(with_things(more[1], thing("lock", 1, id=12, color="boss")))


def test_pictures_that_reach_up_walls_and_turn():
    map = tmj()
    # Sprites of two tiles stand on their lower one; tiles hang from their lower left corner.
    map["layers"][1]["objects"][0] |= {"gid": 1, "y": 32, "height": 32}
    map["layers"][1]["objects"][2] |= {"gid": 0x80000001, "y": 32, "height": 32}
    map["layers"][1]["objects"][3] |= {"gid": 1, "x": 64, "y": 32, "width": 16, "height": 32, "point": False}
    assert parse(map) == CORRIDOR
    map["layers"][1]["objects"][1] |= {"gid": 1, "x": 32, "y": 16, "rotation": 90}
    assert parse(map) == CORRIDOR


# What is wrong is said with its place


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


# Tiles and doors that say what bars the way


def corridor(tile: dict[str, Any], *objects: dict[str, Any], gid: int = 1) -> dict[str, Any]:
    """Return a corridor with a third tile of this kind; its middle cell has the tile `gid`."""
    made = tmj()
    made["tilesets"][0]["tiles"].append({"id": 2, **tile})
    made["layers"][0]["data"][9] = gid
    made["layers"][1]["objects"] = [thing("start", 1, id=1), thing("goal", 4, id=2), *objects]
    return made


def flags(**said: Any) -> dict[str, Any]:
    types = {bool: "bool", str: "string"}
    return {"properties": [{"name": word, "type": types[type(said[word])], "value": said[word]} for word in said]}


SHAPES = {"objectgroup": {"objects": [{"id": 1, "x": 0, "y": 0, "width": 16, "height": 16}]}}


@pytest.mark.parametrize("name", ["", "Statue"])
def test_an_object_that_shows_a_solid_tile_is_a_wall(name: str):
    shown = {"id": 9, "name": name, "gid": 3, "x": 48, "y": 32, "width": 16, "height": 16}
    dungeon = parse_tiled(json.dumps(corridor(flags(solid=True), shown)), None)
    assert dungeon.floors[0].terrain[1] == "#..#.#"
    assert parse_tiled(json.dumps(corridor(flags(solid=False), shown)), None).floors[0].terrain[1] == "#....#"
    with pytest.raises(UndecidedNames, match="collision shapes"):
        parse_tiled(json.dumps(corridor(SHAPES, shown)), None)
    with pytest.raises(UndecidedNames, match="class Sculpture"):
        parse_tiled(json.dumps(corridor(flags(solid=True), {**shown, "type": "Sculpture"})), None)


@pytest.mark.parametrize("said", [{"walkable": True, "solid": True}, {"walk": False, "terrain": "floor"}])
def test_tile_properties_that_contradict_each_other_are_refused(said: dict[str, Any]):
    for words in (said, dict(reversed(said.items()))):
        made = corridor(flags(**words), gid=3)
        with pytest.raises(UndecidedNames, match=r"tile 2 of t: .* but .*"):
            parse_tiled(json.dumps(made), None)
        drafted = draft_mapping([(json.dumps(made), None)], "", "m.toml")
        assert drafted.undecided == ["tiles.t.2"]
        decided = parse_mapping('tiles.t.2 = "wall"', "m.toml")
        assert parse_tiled(json.dumps(made), None, decided).floors[0].terrain[1] == "#..#.#"


def test_an_open_door_in_a_wall_is_a_doorway():
    dungeon = parse_tiled(json.dumps(corridor({}, thing("door", 3, id=3), gid=2)), None)
    assert dungeon.floors[0].terrain[1] == "#....#"
    assert "walls under open doors that cover nothing else are floor" in dungeon.remarks


def test_tiles_that_are_floor_by_the_name_of_their_layer_need_walls():
    made = tmj()
    made["tilesets"] = [{"firstgid": 1, "name": "t", "tilecount": 9}]
    made["layers"][0] |= {"name": "Ground", "data": [0, *[2] * 5, *[3] * 12]}
    with pytest.raises(UndecidedNames, match="no wall anywhere"):
        parse_tiled(json.dumps(made), None)
    assert "layers.Ground" in draft_mapping([(json.dumps(made), None)], "", "m.toml").undecided


def test_a_wall_on_another_floor_is_not_enough():
    made = tmj()
    tiles, things = made["layers"]
    bare = {**tiles, "data": [1] * 18}
    groups = [("Floor 1", [bare, things]), ("Floor 2", [tiles])]
    made["layers"] = [{"type": "group", "name": name, "layers": layers} for name, layers in groups]
    with pytest.raises(UndecidedNames, match="no wall on some floor: Floor 1"):
        parse_tiled(json.dumps(made), None)
    made["layers"][0]["layers"], made["layers"][1]["layers"] = [tiles, things], [bare]
    assert len(parse_tiled(json.dumps(made), None).floors) == 2


def test_colours_in_names_and_ignored_objects_are_remarked():
    things = thing("key", 2, id=3, name="Blue Key"), thing("lock", 3, id=4, name="Red Lock")
    remarks = parse_tiled(json.dumps(corridor({}, *things, thing("ignore", 2, id=5))), None).remarks
    assert remarks == (
        "Left out, as the file or the mapping says: 1 object.",
        "A name gives no colour, only the property color does: 'Blue Key', row 1, column 2 and 'Red Lock', row 1, "
        "column 3.",
    )
