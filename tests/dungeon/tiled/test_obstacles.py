"""Tiles and doors of Tiled maps that say what bars the way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dungeon.tiled.maps import thing, tmj
from solvent.core.errors import UndecidedNames
from solvent.dungeon.notation.mapping import draft_mapping
from solvent.dungeon.notation.mapping.parsing import parse_mapping
from solvent.dungeon.notation.tiled.reading import parse_tiled


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
