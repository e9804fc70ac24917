"""Tiled's two notations give one model, and a map that is written in either is read again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solvent.core.errors import ParseError
from solvent.formats.tiled import parsing
from solvent.formats.tiled.maps import read_map
from solvent.formats.tiled.model import ObjectLink, TiledMap
from solvent.formats.tiled.terrain_sets import read_terrain_sets
from solvent.formats.tiled.writing import VERSIONS, to_properties, to_xml

PROPERTIES = {"bold": True, "count": 3, "share": 0.5, "title": 'A <b> & "c"\n', "target": ObjectLink("2")}
MAP: dict[str, Any] = {
    "type": "map",
    **VERSIONS,
    "orientation": "orthogonal",
    "renderorder": "right-down",
    "width": 3,
    "height": 2,
    "tilewidth": 8,
    "tileheight": 8,
    "infinite": False,
    "nextlayerid": 3,
    "nextobjectid": 3,
    "properties": to_properties(PROPERTIES),
    "tilesets": [
        {
            "firstgid": 1,
            "name": "land",
            "tilewidth": 8,
            "tileheight": 8,
            "tilecount": 2,
            "tiles": [{"id": 1, "type": "sand", "properties": to_properties({"walk": False})}],
        }
    ],
    "layers": [
        {"id": 1, "name": "ground", "type": "tilelayer", "width": 3, "height": 2, "data": [1, 2, 0, 0, 2 | 1 << 31, 1]},
        {
            "id": 2,
            "name": "things",
            "type": "objectgroup",
            "draworder": "index",
            "objects": [
                {"id": 1, "name": "", "type": "start", "x": 0, "y": 8, "width": 8, "height": 8},
                {
                    "id": 2,
                    "name": "way out",
                    "type": "goal",
                    "x": 8,
                    "y": 8,
                    "width": 8,
                    "height": 8,
                    "properties": to_properties({"target": ObjectLink("1")}),
                },
            ],
        },
    ],
}


def without_places(map: TiledMap) -> str:
    """Show a map without saying where in its text anything stands."""
    import re

    return re.sub(r"where=\{[^}]*\}", "", repr(map))


def test_both_notations_give_one_map():
    map = read_map(json.dumps(MAP), None)
    assert without_places(map) == without_places(read_map(to_xml(MAP, b"picture"), None))
    assert map.properties == PROPERTIES
    assert map.layers[0].chunks[0].gids == [[1, 2, 0], [0, 2, 1]]
    assert map.layers[1].objects[1].properties == {"target": ObjectLink("1")}
    assert map.tilesets[0].tiles[1].properties == {"walk": False}


def test_versions_before_1_2():
    [tileset] = MAP["tilesets"]
    old = {
        **MAP,
        "properties": {"bold": True, "count": 3, "nested": {"x": 1}},
        "tilesets": [{**tileset, "tiles": {"1": {"type": "sand"}}, "tileproperties": {"1": {"walk": False}}}],
    }
    map = read_map(json.dumps(old), None)
    assert map.properties == {"bold": True, "count": 3, "nested.x": 1}
    assert map.tilesets == read_map(json.dumps(MAP), None).tilesets


@pytest.mark.parametrize("ending", ["tsx", "tsj"])
def test_tilesets_in_files_of_their_own(ending: str, tmp_path: Path):
    [tileset] = MAP["tilesets"]
    lines = to_xml(MAP, b"").split("\n")
    start = next(number for number, line in enumerate(lines) if "<tileset" in line)
    end = lines.index(" </tileset>")
    text = json.dumps(tileset) if ending == "tsj" else "\n".join(lines[start : end + 1])
    (tmp_path / f"land.{ending}").write_text(text)
    named = {**MAP, "tilesets": [{"firstgid": 1, "source": f"land.{ending}"}]}
    assert read_map(json.dumps(named), tmp_path / "a.tmj").tilesets == read_map(json.dumps(MAP), None).tilesets
    (tmp_path / f"land.{ending}").write_text("{")
    with pytest.raises(ParseError, match=rf"^land\.{ending}.*expected a Tiled tileset as"):
        read_map(json.dumps(named), tmp_path / "a.tmj")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"width": "3"}, r"at \$: expected width: a number"),
        ({"width": 1.5}, r"at \$: expected width: a whole number, found '1\.5'"),
        ({"width": [3]}, r"at \$: expected width: a number, found 'a list'"),
        ({"infinite": 1}, r"at \$\.infinite: expected true or false, found 1"),
        ({"layers": {}}, r"at \$\.layers: expected a list, found \{\}"),
        ({"layers": [3]}, r"at \$\.layers\[0\]: expected an object, found 3"),
        (
            {"layers": [{"type": "tilelayer", "data": [1, None]}]},
            r"at \$\.layers\[0\]\.data\[1\]: expected a whole number",
        ),
        ({"properties": [{"value": 1}]}, r"at \$\.properties\[0\]: expected the attribute name"),
        ({"tilesets": [{"tiles": {"x": {}}}]}, r"at \$\.tilesets\[0\]\.tiles: expected tiles by number, found 'x'"),
        ({"tilesets": [{"tiles": [], "tileproperties": 5}]}, r"tileproperties: expected an object, found 5"),
    ],
)
def test_json_of_another_shape_is_refused(change: dict[str, Any], message: str):
    with pytest.raises(ParseError, match=message):
        read_map(json.dumps(MAP | change), None)


def test_terrain_sets_in_both_notations():
    tileset = {
        "name": "land",
        "image": "land.png",
        "tilewidth": 8,
        "tileheight": 8,
        "columns": 2,
        "tiles": [{"id": 0, "class": "grass", "probability": 0.5}],
        "transformations": {"rotate": True},
        "wangsets": [
            {
                "name": "edges",
                "type": "edge",
                "colors": [{"probability": 2}],
                "wangtiles": [{"tileid": 0, "wangid": [1, 0, 0, 0, 1, 0, 0, 0]}],
            }
        ],
    }
    xml = (
        '<tileset name="land" tilewidth="8" tileheight="8" columns="2"><image source="land.png"/>'
        '<transformations rotate="1"/><tile id="0" class="grass" probability="0.5"/><wangsets>'
        '<wangset name="edges" type="edge"><wangcolor probability="2"/>'
        '<wangtile tileid="0" wangid="1,0,0,0,1,0,0,0"/></wangset></wangsets></tileset>'
    )
    [one], [other] = read_terrain_sets(json.dumps(tileset)), read_terrain_sets(xml)
    assert (one.name, one.sheet, one.tiles, one.can_be_turned) == (
        other.name, other.sheet, other.tiles, other.can_be_turned
    )  # fmt: skip
    assert one.sets[0].tiles == other.sets[0].tiles == ((0, (1, 0, 0, 0, 1, 0, 0, 0)),)
    assert one.sets[0].edge_probabilities == other.sets[0].edge_probabilities == (2.0,)
    assert read_terrain_sets(xml.replace("1,0,0,0,1,0,0,0", "0x00010001"))[0].sets[0].tiles == one.sets[0].tiles


@pytest.mark.parametrize("kind", ["xml", "json", "json, in a group"])
def test_too_many_objects_are_refused_before_anything_is_made_of_them(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was read in full")

    for name in ("read_elements", "_element"):
        monkeypatch.setattr(parsing, name, refuse)
    if kind == "xml":
        things = '<object id="1" x="0" y="0"/>' * (parsing.MAX_OBJECTS + 1)
        text = f'<map width="1" height="1" tilewidth="8" tileheight="8"><objectgroup>{things}</objectgroup></map>'
    else:
        half = [{"id": 1, "x": 0, "y": 0}] * (parsing.MAX_OBJECTS // 2 + 1)
        layers: list[dict[str, Any]] = [{"type": "objectgroup", "objects": half} for _ in range(2)]
        if "group" in kind:
            layers = [{"type": "group", "layers": layers}, {"type": "tilelayer", "layers": 7, "objects": "none"}]
        text = json.dumps({"width": 1, "height": 1, "tilewidth": 8, "tileheight": 8, "layers": layers})
    with pytest.raises(ParseError, match=r"at most 200,000 objects, found 20000[12]"):
        read_map(text, None)
