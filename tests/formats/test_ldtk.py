"""LDtk projects of every version give one model, and errors say where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solvent.core.errors import ParseError
from solvent.formats.ldtk import reading
from solvent.formats.ldtk.model import EntityLink, GridPoint, GridTile, Neighbour
from solvent.formats.ldtk.reading import read_project


def layer(kind: str, **more: Any) -> dict[str, Any]:
    size = {"__cWid": 2, "__cHei": 1, "__gridSize": 8, "layerDefUid": 5}
    return {"__identifier": kind, "__type": kind, **size, **more}


def project(*layers: dict[str, Any], level: dict[str, Any] | None = None, **more: Any) -> str:
    one = {"identifier": "L", "layerInstances": list(layers), **(level or {})}
    values = [{"value": 1, "identifier": "wall"}, {"value": 7, "identifier": None}]
    defs = {"layers": [{"identifier": "Ground", "uid": 5, "type": "IntGrid", "intGridValues": values}]}
    return json.dumps({"defs": defs, "levels": [one], "jsonVersion": "1.5.3", "worldLayout": "Free", **more})


def test_what_a_project_of_today_holds():
    fields = [
        {"__identifier": "to", "__type": "EntityRef", "__value": {"entityIid": "e", "levelIid": "l", "worldIid": "w"}},
        {"__identifier": "path", "__type": "Array<Point>", "__value": [{"cx": 1, "cy": 2}, None]},
        {"__identifier": "all", "__type": "Array<EntityRef>", "__value": [{"entityIid": "a"}]},
        {"__identifier": "icon", "__type": "Tile", "__value": {"tilesetUid": 1, "x": 0}},
        {"__identifier": "kind", "__type": "LocalEnum.Item", "__value": "KeyA"},
    ]
    entity = {
        "__identifier": "Door",
        "__grid": [1, 0],
        "__pivot": [0.5, 1],
        "__tags": ["solid"],
        "iid": "e",
        "px": [12, 8],
        "width": 8,
        "height": 16,
        "fieldInstances": fields,
    }
    tiles = {"gridTiles": [{"px": [8, 0], "src": [0, 0], "f": 0, "t": 9, "d": [1]}], "__tilesetDefUid": 3}
    text = project(
        layer("Entities", entityInstances=[entity], __pxTotalOffsetX=4, __pxTotalOffsetY=-4),
        layer("Tiles", **tiles),
        layer("AutoLayer", autoLayerTiles=[{"px": [0, 0], "t": 2}]),
        layer("IntGrid", intGridCsv=[7, 0], pxOffsetX=2),
        level={
            "iid": "l",
            "uid": 4,
            "worldX": -8,
            "worldY": 16,
            "worldDepth": 2,
            "pxWid": 16,
            "pxHei": 8,
            "__neighbours": [{"levelIid": "m", "dir": ">"}, {"levelIid": "n", "dir": "ne"}],
        },
    )
    found = read_project(text, None)
    assert found.layers[0].value_names == {1: "wall", 7: None}
    [level] = found.levels()
    assert (level.x, level.y, level.depth, level.width, level.height, level.uid) == (-8, 16, 2, 16, 8, 4)
    assert level.neighbours == [Neighbour("m", ">"), Neighbour("n", "ne")]
    things, drawn, made, grid = level.layers
    [door] = things.entities
    assert (things.offset_x, things.offset_y, grid.offset_x) == (4, -4, 2)
    assert (door.left, door.top, door.width, door.height, door.tags) == (8.0, -8.0, 8, 16, ["solid"])
    assert [one.value for one in door.fields] == [
        EntityLink("e", "l"),
        [GridPoint(1, 2), None],
        [EntityLink("a")],
        {"tilesetUid": 1, "x": 0},
        "KeyA",
    ]
    assert (drawn.tiles, drawn.tileset, made.auto_tiles) == ([GridTile(8, 0, 9)], 3, [GridTile(0, 0, 2)])
    assert grid.values == [7, 0]
    assert door.where == {"path": "$.levels[0].layerInstances[0].entityInstances[0]"}


def test_tilesets_and_enums():
    defs = {
        "tilesets": [
            {
                "identifier": "Tiles",
                "uid": 3,
                "tileGridSize": 8,
                "enumTags": [{"enumValueId": "Solid", "tileIds": [1, 2]}, {"enumValueId": "Wet", "tileIds": [2]}],
                "customData": [{"tileId": 1, "data": "stone"}],
            }
        ],
        "enums": [{"identifier": "Item", "values": [{"id": "KeyA"}, {"id": "KeyB"}]}],
    }
    found = read_project(project(layer("IntGrid", intGridCsv=[0, 0]), defs=defs), None)
    assert found.tilesets[0].tags == {1: ["Solid"], 2: ["Solid", "Wet"]}
    assert found.tilesets[0].notes == {1: "stone"}
    assert found.enums[0].values == ["KeyA", "KeyB"]


def test_versions_before_1_0():
    old = project(
        layer("IntGrid", intGrid=[{"coordId": 1, "v": 0}], intGridCsv=None),
        level={"uid": 9, "worldX": 0, "worldY": 0, "__neighbours": [{"levelUid": 4, "dir": "e"}]},
        defs={"layers": [{"identifier": "Ground", "uid": 5, "intGridValues": [{"identifier": "wall"}]}]},
        worldLayout="GridVania",
    )
    found = read_project(old, None)
    [level] = found.levels()
    assert (level.layers[0].values, found.layers[0].value_names) == ([0, 1], {1: "wall"})
    assert (level.neighbours, level.depth, level.iid) == ([Neighbour("4", "e")], 0, "")


def test_values_that_some_versions_give_every_layer_mean_nothing():
    layers = [{"identifier": "Floor", "uid": 6, "__type": "Tiles", "type": "Tiles", "intGridValues": [{"value": 1}]}]
    assert read_project(project(defs={"layers": layers}), None).layers[0].value_names == {}


@pytest.mark.parametrize("layout", ["LinearHorizontal", "LinearVertical"])
def test_levels_of_linear_layouts_have_no_place(layout: str):
    [level] = read_project(project(level={"worldX": 5, "worldY": 5}, worldLayout=layout), None).levels()
    assert (level.x, level.y) == (None, None)


def test_several_worlds():
    worlds = [
        {"identifier": name, "worldLayout": layout, "levels": [{"identifier": name, "worldX": 1, "layerInstances": []}]}
        for name, layout in (("A", "Free"), ("B", "LinearVertical"))
    ]
    found = read_project(json.dumps({"defs": {}, "levels": [], "worldLayout": None, "worlds": worlds}), None)
    assert [(one.identifier, one.layout, one.levels[0].x) for one in found.worlds] == [
        ("A", "Free", 1),
        ("B", "LinearVertical", None),
    ]


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        (
            [layer("IntGrid", intGridCsv=[1])],
            r"layerInstances\[0\]\.intGridCsv: expected 2 cells in 1 rows of 2, found 1",
        ),
        ([layer("IntGrid", intGrid=[{"coordId": 2, "v": 0}])], "cells from 0 to 1, found 2"),
        ([layer("IntGrid", intGridCsv=[0, 0], __cWid=10**6, __cHei=10**6)], "a size that can be"),
        ([layer("IntGrid", intGridCsv=[0, 0], __gridSize=-8)], "a size that can be"),
        ([layer("Tiles", __pxTotalOffsetX=10**12)], "not so far off"),
        (
            [layer("Entities", entityInstances=[{"__identifier": "A", "__grid": [10**12, 0]}])],
            "a size and place that can be",
        ),
        ([layer("Entities", entityInstances=[{"__identifier": "A"}])], r"entityInstances\[0\].*__grid"),
        ([{"__identifier": "A"}], r"layerInstances\[0\].*__type"),
    ],
)
def test_layers_that_are_wrong(layers: list[dict[str, Any]], message: str):
    with pytest.raises(ParseError, match=message):
        read_project(project(*layers), None)


def test_too_many_cells_in_all(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "MAX_CELLS_OF_ALL_LAYERS", 5)
    text = project(*[layer("IntGrid", intGridCsv=[0, 0])] * 3)
    with pytest.raises(ParseError, match="at most 5 cells in all layers, found 6"):
        read_project(text, None)


def test_errors_in_level_files_name_the_file(tmp_path: Path):
    (tmp_path / "L.ldtkl").write_text(
        json.dumps({"identifier": "L", "layerInstances": [layer("IntGrid", intGridCsv=[1])]})
    )
    text = project(level={"layerInstances": None, "externalRelPath": "L.ldtkl"})
    with pytest.raises(ParseError, match=r"^L\.ldtkl, at \$\.layerInstances\[0\]\.intGridCsv"):
        read_project(text, tmp_path / "p.ldtk")
    for name in ("../L.ldtkl", "/L.ldtkl", "L.txt", "a\0.ldtkl"):
        with pytest.raises(ParseError, match=r"\$\.levels\[0\]"):
            read_project(project(level={"layerInstances": None, "externalRelPath": name}), tmp_path / "a" / "p.ldtk")
