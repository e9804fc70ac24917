"""Tiled maps as projects have them: templates, classes, worlds, isometric maps, and files that old versions wrote."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import sys
import types
import zlib
from pathlib import Path
from typing import Any

import pytest

import solvent
from dungeon.tiled.maps import CORRIDOR, parse, thing, tmj, with_things
from dungeon.tiled.projects import EAST, THINGS, TX, WEST, at, map_of, members, project
from solvent.core.errors import ParseError
from solvent.core.file_access import confined
from solvent.dungeon.model import Gate, Pickup, Room, Way
from solvent.dungeon.notation.tiled.reading import parse_tiled
from solvent.formats.tiled.maps import read_map


def write(folder: Path, files: dict[str, Any]) -> Path:
    for name, made in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(made if isinstance(made, str) else json.dumps(made))
    return folder / next(iter(files))


# Templates


@pytest.mark.parametrize("ending", ["tx", "tj"])
def test_templates(ending: str, tmp_path: Path):
    objects = [
        {"id": 9, "template": f"templates/key.{ending}", "x": 16, "y": 32},
        {
            "id": 10,
            "template": f"templates/key.{ending}",
            "x": 32,
            "y": 32,
            "name": "other",
            "properties": [{"name": "color", "type": "string", "value": "blue"}],
        },
        {"id": 11, "template": f"templates/door.{ending}", "x": 64, "y": 32},
    ]
    door = {"type": "template", "tileset": {"firstgid": 7, "source": "../tiles/things.tsx"}, "object": {"gid": 11}}
    key = {
        "type": "template",
        "tileset": {"firstgid": 1, "source": "../tiles/things.tsx"},
        "object": {
            "name": "red key",
            "type": "key",
            "gid": 3,
            "width": 16,
            "height": 16,
            "properties": [
                {"name": "color", "type": "string", "value": "red"},
                {"name": "count", "type": "int", "value": 2},
            ],
        },
    }
    xml_door = '<template><tileset firstgid="7" source="../tiles/things.tsx"/><object gid="11"/></template>'
    path = write(
        tmp_path,
        {
            "map.tmj": with_things(*objects, rows=("######", "#....#", "######")),
            f"templates/key.{ending}": TX if ending == "tx" else key,
            f"templates/door.{ending}": xml_door if ending == "tx" else door,
            "tiles/things.tsx": THINGS,
        },
    )
    dungeon = solvent.load(path)
    assert Pickup((0, 1, 1), "key", "red", 2) in dungeon.pickups
    assert Pickup((0, 1, 2), "key", "blue", 2) in dungeon.pickups
    assert Gate("lock", ("blue",), ((0, 1, 4),)) in dungeon.gates, "class, size and colour come from the tile"


def test_templates_that_are_wrong(tmp_path: Path):
    one = {"id": 9, "template": "key.tx", "x": 16, "y": 32}
    path = write(tmp_path, {"map.tmj": with_things(one)})
    with pytest.raises(ParseError, match=r"objects\[4\]: expected the template beside the file.*found 'key\.tx'"):
        solvent.load(path)
    for text, message in (
        ("<template>", r"key\.tx, line 1.*a Tiled template as XML"),
        ("<template/>", r"key\.tx.*an object in the template"),
        ("<template><object gid='3'/></template>", r"key\.tx.*the tileset of the template's tile"),
        ("<template><object template='key.tx'/></template>", r"key\.tx.*without a template of its own"),
        ("<template><tileset source='no.tsx'/><object gid='3'/></template>", r"key\.tx.*found 'no\.tsx'"),
    ):
        write(tmp_path, {"key.tx": text})
        with pytest.raises(ParseError, match=message):
            solvent.load(path)
    for name in ("/etc/passwd", "../../../etc/passwd", "C:\\key.tx", "key.png", ".."):
        with pytest.raises(ParseError, match="template"):
            parse(with_things({**one, "template": name}), path)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "map.tmj").write_text(json.dumps(with_things({**one, "template": "../key.tx"})))
    with confined([tmp_path / "below"]), pytest.raises(ParseError, match="among the files that may be opened"):
        solvent.load(tmp_path / "below" / "map.tmj")


# Classes of a project


@pytest.mark.parametrize("where", ["castle.tiled-project", "maps/objecttypes.json", "maps/objecttypes.xml"])
def test_classes_say_what_objects_do_not(where: str, tmp_path: Path):
    found = project({"name": "lock", "type": "class", "members": members(color="red")})
    old = [{"name": "lock", "color": "#ff0000", "properties": members(color="red")}]
    xml = '<objecttypes><objecttype name="lock"><property name="color" type="string" default="red"/></objecttype>'
    written = {
        "castle.tiled-project": found,
        "maps/objecttypes.json": old,
        "maps/objecttypes.xml": f"{xml}</objecttypes>",
    }
    more = (
        thing("key", 1, id=9, color="red"),
        thing("lock", 4, id=10, color="blue"),
        thing("key", 1, id=11, color="blue"),
    )
    path = write(tmp_path, {"maps/map.tmj": with_things(*more), where: written[where]})
    dungeon = solvent.load(path)
    assert [gate.needs for gate in dungeon.gates] == [("red",), ("blue",)], "what an object says itself counts"
    assert [gate.needs for gate in parse(with_things(*more)).gates] == [("",), ("blue",)]
    with confined([tmp_path / "maps"]):
        needs = [gate.needs for gate in solvent.load(path).gates]
    assert needs == [("",) if where == "castle.tiled-project" else ("red",), ("blue",)]


def test_records_and_enums():
    from solvent.formats.tiled.object_types import read_object_types

    found = read_object_types(
        json.dumps(
            [
                {"name": "Metal", "type": "enum", "storageType": "int", "values": ["iron", "gold"]},
                {"name": "Sides", "type": "enum", "values": ["n", "e", "s"], "valuesAsFlags": True},
                {
                    "name": "Lock",
                    "type": "class",
                    "members": [
                        *members(color="red"),
                        {"name": "metal", "type": "int", "propertyType": "Metal", "value": 1},
                        {"name": "sides", "type": "int", "propertyType": "Sides", "value": 5},
                        {"name": "plate", "type": "object", "value": 0},
                    ],
                },
                {
                    "name": "Door",
                    "type": "class",
                    "members": [{"name": "lock", "type": "class", "propertyType": "Lock", "value": {"color": "blue"}}],
                },
            ]
        )
    )
    assert found.defaults("Door") == {"lock.color": "blue", "lock.metal": "gold", "lock.sides": "n,s"}
    assert found.defaults("Lock") == {"color": "red", "metal": "gold", "sides": "n,s"}
    assert found.defaults("none such") == {}
    loop = [{"name": "A", "members": [{"name": "a", "type": "class", "propertyType": "A"}]}]
    with pytest.raises(ParseError, match="records at most 8 deep"):
        read_object_types(json.dumps(loop)).defaults("A")
    wide = [
        {
            "name": f"C{n}",
            "members": [{"name": f"m{m}", "type": "class", "propertyType": f"C{n + 1}"} for m in range(9)],
        }
        for n in range(6)
    ]
    wide.append({"name": "C6", "members": members(x=1)})
    with pytest.raises(ParseError, match="at most 10,000 values"):
        read_object_types(json.dumps(wide)).defaults("C0")


def test_records_of_objects_in_both_notations():
    record = {"name": "lock", "type": "class", "propertytype": "Lock", "value": {"color": "red", "inner": {"n": 3}}}
    map = tmj()
    map["layers"][1]["objects"][2]["properties"] = [
        record,
        {"name": "list", "type": "list", "value": [{"value": 1}, 2]},
    ]
    wanted = {"lock.color": "red", "lock.inner.n": 3, "list": [1, 2]}
    assert read_map(json.dumps(map), None).layers[1].objects[2].properties == wanted
    xml = """<map width="1" height="1" tilewidth="8" tileheight="8"><objectgroup><object x="0" y="0"><properties>
      <property name="lock" type="class" propertytype="Lock"><properties><property name="color" value="red"/>
       <property name="inner" type="class"><properties><property name="n" type="int" value="3"/></properties></property>
      </properties></property>
      <property name="list" type="list"><item type="int" value="1"/><item type="int" value="2"/></property>
      </properties></object></objectgroup></map>"""
    assert read_map(xml, None).layers[0].objects[0].properties == wanted


def test_a_broken_project_is_named(tmp_path: Path):
    path = write(tmp_path, {"map.tmj": tmj(), "a.tiled-project": "{"})
    with pytest.raises(ParseError, match=r"^a\.tiled-project, line 1, column 2: expected a Tiled project as JSON, but"):
        solvent.load(path)
    write(tmp_path, {"a.tiled-project": {"objectTypesFile": "types/mine.json"}, "types/mine.json": "[3]"})
    with pytest.raises(ParseError, match=r"types/mine\.json, at \$\[0\]"):
        solvent.load(path)
    write(tmp_path, {"a.tiled-project": {"objectTypesFile": "/home/me/gone.xml"}})
    assert solvent.load(path) == CORRIDOR


# Worlds


def write_world(folder: Path, world: dict[str, Any], **maps: Any) -> Path:
    usual = {
        "west": map_of(WEST, thing("start", 1, id=1), thing("warp", 2, id=2, target=[3]), thing("place", 1, id=3)),
        "east": map_of(EAST, thing("goal", 2, id=1)),
    }
    return write(folder, {"my.world": world, **{f"{name}.tmj": made for name, made in {**usual, **maps}.items()}})


def test_maps_of_a_world_are_joined(tmp_path: Path):
    dungeon = solvent.load(write_world(tmp_path, {"maps": [at("west", -64, 16), at("east", 0, 16)], "type": "world"}))
    assert [floor.terrain for floor in dungeon.floors] == [("########", "#......#", "########")]
    assert dungeon.rooms == (Room("west", (0, 0, 0), 3, 4), Room("east", (0, 0, 4), 3, 4))
    assert dungeon.ways == (Way((0, 1, 2), (0, 1, 1), "warp"),)
    assert str(solvent.ask(dungeon, "solvable").verdict) == "YES"


def test_maps_that_do_not_touch_are_floors(tmp_path: Path):
    dungeon = solvent.load(write_world(tmp_path, {"maps": [at("west", 0, 0), at("east", 80, 0)]}))
    assert [floor.name for floor in dungeon.floors] == ["west", "east"]
    assert str(solvent.ask(dungeon, "solvable").verdict) == "NO"


def test_worlds_by_pattern(tmp_path: Path):
    pattern = {"regexp": r"room-(\d+)-(\d+)\.tmj", "multiplierX": 64, "multiplierY": 48, "offsetX": -640}
    path = write(
        tmp_path,
        {
            "my.world": {"patterns": [pattern], "type": "world"},
            "room-3-7.tmj": map_of(WEST, thing("start", 1, id=1)),
            "room-4-7.tmj": map_of(EAST, thing("goal", 2, id=1)),
            "room-9.tmj": "{",
        },
    )
    assert len(solvent.load(path).floors) == 1
    for changes, message in (
        ({"regexp": "(a+)+"}, r"at \$\.patterns\[0\]\.regexp: expected a pattern"),
        ({"regexp": r"room-(\d+)"}, "two groups"),
        ({"regexp": r"hall-(\d+)-(\d+)"}, "maps in the world, but there are none"),
    ):
        write(tmp_path, {"my.world": {"patterns": [{**pattern, **changes}]}})
        with pytest.raises(ParseError, match=message):
            solvent.load(path)


def test_floors_of_one_name_are_joined_across_maps(tmp_path: Path):
    def storeys(rows: tuple[str, ...], *things: dict[str, Any]) -> dict[str, Any]:
        one = map_of(rows, *things)
        layers = [{**layer, "properties": []} for layer in one["layers"]]
        upper = {**layers[0], "name": "map"}
        groups = [
            {"type": "group", "name": "Floor 1", "layers": layers},
            {"type": "group", "name": "Floor 2", "layers": [upper]},
        ]
        return {**one, "layers": groups}

    maps = {"west": storeys(WEST, thing("start", 1, id=1)), "east": storeys(EAST, thing("goal", 2, id=1))}
    dungeon = solvent.load(write_world(tmp_path, {"maps": [at("west", 0, 0), at("east", 64, 0)]}, **maps))
    assert [floor.name for floor in dungeon.floors] == ["west Floor 1 and 1 more", "west Floor 2 and 1 more"]


def test_worlds_that_are_wrong(tmp_path: Path):
    both = [at("west", 0, 0), at("east", 64, 0)]
    path = write_world(tmp_path, {"maps": both})
    with pytest.raises(ParseError, match="in a file on disk"):
        solvent.parse(path.read_text(), domain="dungeon")
    for world, message in (
        ({"maps": [*both, at("gone", 0, 0)]}, r"at \$\.maps\[2\].*no such file.*found 'gone\.tmj'"),
        ({"maps": [{**both[0], "fileName": "/etc/passwd"}]}, "a path of the map relative to the file"),
        ({"maps": [{**both[0], "x": 10**12}]}, "not so far off"),
        ({"maps": [{"fileName": 3}]}, r"at \$\.maps\[0\]\.fileName"),
    ):
        write(tmp_path, {"my.world": world})
        with pytest.raises(ParseError, match=message):
            solvent.load(path)
    write(tmp_path, {"my.world": {"maps": both}, "east.tmj": tmj(layers=[])})
    with pytest.raises(ParseError, match=r"^east\.tmj, at \$: expected a tile layer"):
        solvent.load(path)
    write(tmp_path, {"east.tmj": map_of(EAST, thing("dragon door", 2, id=1))})
    with pytest.raises(ParseError, match=r"my\.world: .*Undecided: class dragon door \(1 object\)"):
        solvent.load(path)
    write(tmp_path, {"east.tmj": map_of(EAST, thing("key", 2, id=1), thing("lock", 1, id=2, color="red"))})
    with pytest.raises(ParseError, match=r"east\.tmj.*red key|a goal"):
        solvent.load(path)


# Projections


def test_isometric_objects_are_measured_in_heights_of_tiles():
    map = tmj(orientation="isometric", tilewidth=32)
    dungeon = parse(map)
    assert dungeon == CORRIDOR
    assert any("isometric" in remark for remark in dungeon.remarks)
    key = map["layers"][1]["objects"][1]
    # A tile stands with the middle of its lower edge on the lower corner of its diamond: column 3, row 2.
    key |= {"gid": 1, "x": 48, "y": 32, "width": 32, "height": 40}
    assert parse(map) == CORRIDOR
    key |= {"x": 44, "y": 28, "width": 8, "height": 8}
    assert parse(map) == CORRIDOR
    map["tilesets"][0]["objectalignment"] = "bottomleft"
    key |= {"x": 40, "y": 40, "width": 32, "height": 40}
    assert parse(map) == CORRIDOR


@pytest.mark.parametrize(
    ("orientation", "reason"),
    [("hexagonal", "six neighbours"), ("staggered", "not neighbours in the file"), ("x", "or isometric")],
)
def test_other_projections_are_refused_with_a_reason(orientation: str, reason: str):
    with pytest.raises(ParseError, match=rf"at \$: expected .*{reason}.*found '{orientation}'"):
        parse(tmj(orientation=orientation))


@pytest.mark.parametrize(
    ("alignment", "x", "y"),
    [
        ("unspecified", 32, 32),
        ("bottomleft", 32, 32),
        ("topleft", 32, 16),
        ("top", 40, 16),
        ("topright", 48, 16),
        ("left", 32, 24),
        ("center", 40, 24),
        ("right", 48, 24),
        ("bottom", 40, 32),
        ("bottomright", 48, 32),
    ],
)
def test_tiles_are_aligned_as_their_tileset_says(alignment: str, x: int, y: int):
    map = tmj()
    map["tilesets"][0]["objectalignment"] = alignment
    key = map["layers"][1]["objects"][1]
    key |= {"gid": 1, "x": x, "y": y}
    assert parse(map) == CORRIDOR
    if alignment == "center":
        key["rotation"] = 90
        assert parse(map) == CORRIDOR


def test_polygons_are_as_large_as_the_box_around_them():
    map = tmj()
    lock, goal = map["layers"][1]["objects"][2:]
    lock |= {"x": 56, "y": 20, "width": 0, "height": 0, "polygon": [{"x": -8, "y": 0}, {"x": 7, "y": 12}]}
    goal |= {"x": 66, "y": 18, "point": False, "polyline": [{"x": 0, "y": 0}, {"x": 12.5, "y": 2}], "width": 0}
    assert parse(map) == CORRIDOR
    for points in (3, [{"x": 1}], [{"x": "a", "y": 0}], [{"x": 1e300, "y": 0}], [{"x": 10**400, "y": 0}], [None]):
        lock["polygon"] = points
        if points != 3:
            with pytest.raises(ParseError, match=r"objects\[2\]\.polygon: expected the points of a polygon"):
                parse(map)


def test_offsets_of_groups_and_layers_move_what_is_in_them():
    map = tmj()
    ground, objects = map["layers"]
    for one in objects["objects"]:
        one |= {"x": one["x"] - 24, "y": one["y"] + 16}
    group = {"type": "group", "name": "folder", "offsetx": 16, "offsety": -10, "layers": [objects]}
    objects |= {"offsetx": 8, "offsety": -6}
    map["layers"] = [ground, group]
    assert parse(map) == CORRIDOR
    shifted = tmj()
    shifted["layers"][0] |= {"offsetx": -16.4, "data": [*[2] * 8, *[1] * 4, *[2] * 6]}
    assert parse(shifted).floors[0].terrain == ("##### ", "#.... ", "##### "), "a column is cut off, and one is empty"


# Data and old versions


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
def test_infinite_maps_in_packed_chunks(compression: str):
    pack = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}[compression]
    chunk = [2, 2, 2, 2, 1, 1, 2, 2, 2]
    other = [2, 2, 2, 1, 1, 2, 2, 2, 2]

    def packed(numbers: list[int]) -> str:
        return base64.b64encode(pack(struct.pack(f"<{len(numbers)}I", *numbers))).decode()

    chunks = [
        {"x": x, "y": 0, "width": 3, "height": 3, "data": packed(numbers)} for x, numbers in ((0, chunk), (3, other))
    ]
    map = tmj(infinite=True, width=0, height=0)
    map["layers"][0] = {
        "type": "tilelayer", "name": "map", "encoding": "base64", "compression": compression, "chunks": chunks,
        "startx": -16, "starty": -16, "width": 32, "height": 32,
    }  # fmt: skip
    assert parse(map) == CORRIDOR


def test_zstd_where_a_library_is_installed(monkeypatch: pytest.MonkeyPatch):
    map = tmj()
    raw = struct.pack("<18I", *map["layers"][0]["data"])
    map["layers"][0] |= {
        "encoding": "base64",
        "compression": "zstd",
        "data": base64.b64encode(zlib.compress(raw)).decode(),
    }

    class Failed(Exception):
        pass

    class Decompressor:
        def decompress(self, data: bytes, size: int) -> bytes:
            try:
                return zlib.decompressobj().decompress(data, size)
            except zlib.error as error:
                raise Failed(error) from None

    library = types.ModuleType("compression.zstd")
    library.ZstdDecompressor, library.ZstdError = Decompressor, Failed  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "compression", types.ModuleType("compression"))
    monkeypatch.setitem(sys.modules, "compression.zstd", library)
    assert parse(map) == CORRIDOR
    map["layers"][0]["data"] = base64.b64encode(zlib.compress(raw + b"more")).decode()
    with pytest.raises(ParseError, match="more than 72 bytes"):
        parse(map)
    map["layers"][0]["data"] = "AAAA"
    with pytest.raises(ParseError, match="packed with zstd"):
        parse(map)
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(ParseError, match=r"zstd needs the package zstandard.*Tile Layer Format"):
        parse(map)


def test_a_map_as_the_first_versions_wrote_it():
    old = """<?xml version="1.0"?>
<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">
<map version="0.99b" orientation="orthogonal" width="6" height="3" tilewidth="16" tileheight="16">
 <tileset name="t" firstgid="1" tilewidth="16" tileheight="16">
  <image source="t.png"/>
  <tile id="1"><properties><property name="walk" value="false"/></properties></tile>
 </tileset>
 <layer name="Layer 0" width="6" height="3"><data>{}</data></layer>
 <objectgroup name="Objects" width="6" height="3">
  <object name="" type="start" x="16" y="16" width="16" height="16"/>
  <object type="key" gid="1" x="32" y="32"/>
  <object type="lock" x="48" y="16" width="16" height="16"/>
  <object type="goal" x="64" y="16" width="16" height="16"/>
 </objectgroup>
</map>"""
    data = "".join(f'<tile gid="{gid}"/>' for gid in tmj()["layers"][0]["data"])
    assert parse_tiled(old.format(data), None) == CORRIDOR


@pytest.mark.parametrize("name", ["desert", "orthogonal-outside", "rpg/island", "sewers", "sticker-knight/sandbox"])
def test_the_editors_own_samples_are_read(corpora: Path, name: str):
    path = corpora / "tiled" / f"{name}.tmx"
    map = read_map(path.read_text(), path)
    objects = [one for layer in map.layers for one in layer.objects]
    if name.endswith("sandbox"):
        hero = next(one for one in objects if one.kind == "hero")
        assert (hero.width, hero.height, hero.name) == (128, 160, "hero")
        assert sum(one.kind == "coin" for one in objects) == path.read_text().count("diamond.tx")
        assert {one.properties.get("bodyType") for one in objects if one.name == "block"} == {"dynamic"}
    else:
        assert any(layer.chunks for layer in map.layers)
