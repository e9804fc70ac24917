"""Maps as people draw them in Tiled are understood."""

from __future__ import annotations

import base64
import gzip
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dungeon.tiled.maps import (
    CORRIDOR,
    NO_WALLS,
    TMX,
    WITHOUT_WALLS,
    packed,
    parse,
    thing,
    tmj,
    with_things,
    write_tiles,
)
from solvent.core.errors import ParseError, UndecidedNames
from solvent.dungeon.model import Block, Floor, Gate, Pickup, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.tiled.reading import parse_tiled


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


def test_the_small_map():
    assert parse(tmj()) == CORRIDOR


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
