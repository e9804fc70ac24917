"""LDtk projects: every dungeon survives, projects as people make them are understood, and errors say where."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dungeon.editor_dungeons import wild_dungeon, with_moves
from helpers.depth import up_to
from solvent.core.errors import BadOption, ParseError, UndecidedNames
from solvent.dungeon.formats import sniff_ldtk, sniff_tmj, sniff_tmx
from solvent.dungeon.model import Dungeon, Floor, Gate, Pickup, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.ldtk.reading import parse_ldtk
from solvent.dungeon.notation.ldtk.writing import format_ldtk

NO_WALLS = "Nothing on this map is a wall; the file says that this is meant."
BARE_FLOOR = "A floor has no wall; the file says that this is meant."


@pytest.mark.parametrize("first", range(0, up_to(20, deep=60), 10))
def test_every_dungeon_can_be_written_and_read(first: int):
    for seed in range(first, first + 10):
        dungeon = wild_dungeon(seed)
        dungeon = with_moves(dungeon, seed) if seed % 2 else dungeon
        text = format_ldtk(dungeon)
        assert parse_ldtk(text, None) == dungeon
        assert set(parse_ldtk(text, None).remarks) <= {NO_WALLS, BARE_FLOOR}
        assert format_ldtk(parse_ldtk(text, None)) == text


def test_own_files_are_told_apart():
    text = format_ldtk(wild_dungeon(3))
    assert (sniff_ldtk(text), sniff_tmj(text), sniff_tmx(text)) == (True, False, False)
    for other in ("", "{}", "[]", '{"levels": [], "defs": {}}', '{"colorRegions": [[1]]}', "dungeon: x", "\0{"):
        assert not sniff_ldtk(other)


def test_a_title_no_file_can_hold():
    with pytest.raises(BadOption, match="title"):
        format_ldtk(replace(wild_dungeon(0), title="\ud800"))


# What the schema of format 1.5.3 demands of each object.
REQUIRED = {
    "": "bgColor defs externalLevels iid jsonVersion levels toc worlds appBuildId backupLimit backupOnSave "
    "customCommands defaultEntityHeight defaultEntityWidth defaultGridSize defaultLevelBgColor defaultPivotX "
    "defaultPivotY dummyWorldIid exportLevelBg exportTiled flags identifierStyle imageExportMode levelNamePattern "
    "minifyJson nextUid simplifiedExport",
    "defs": "entities enums externalEnums layers levelFields tilesets",
    "layer definition": "__type displayOpacity gridSize identifier intGridValues intGridValuesGroups parallaxFactorX "
    "parallaxFactorY parallaxScaling pxOffsetX pxOffsetY uid autoRuleGroups canSelectWhenInactive excludedTags "
    "guideGridHei guideGridWid hideFieldsWhenInactive hideInList inactiveOpacity renderInWorldView requiredTags "
    "tilePivotX tilePivotY type uiFilterTags useAsyncRender",
    "value": "color groupUid value",
    "entity definition": "color height identifier nineSliceBorders pivotX pivotY tileRenderMode uid width "
    "allowOutOfBounds exportToToc fieldDefs fillOpacity hollow keepAspectRatio limitBehavior limitScope lineOpacity "
    "maxCount renderMode resizableX resizableY showName tags tileOpacity",
    "field definition": "__type canBeNull identifier isArray type uid allowOutOfLevelRef allowedRefTags allowedRefs "
    "autoChainRef editorAlwaysShow editorCutLongValues editorDisplayMode editorDisplayPos editorDisplayScale "
    "editorLinkStyle editorShowInWorld exportToToc searchable symmetricalRef useForSmartColor",
    "level": "__bgColor __neighbours fieldInstances identifier iid pxHei pxWid uid worldDepth worldX worldY "
    "__smartColor bgPivotX bgPivotY useAutoIdentifier",
    "layer": "__cHei __cWid __gridSize __identifier __opacity __pxTotalOffsetX __pxTotalOffsetY __type autoLayerTiles "
    "entityInstances gridTiles iid intGridCsv layerDefUid levelId pxOffsetX pxOffsetY visible optionalRules seed",
    "entity": "__grid __identifier __pivot __smartColor __tags defUid fieldInstances height iid px width",
    "field": "__identifier __type __value defUid realEditorValues",
    "link": "entityIid layerIid levelIid worldIid",
}


def test_the_editor_finds_all_it_demands():
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in REQUIRED}
    for seed in range(8):
        project = json.loads(format_ldtk(wild_dungeon(seed)))
        found[""].append(project)
        found["defs"].append(project["defs"])
        found["layer definition"] += project["defs"]["layers"]
        found["value"] += [value for layer in project["defs"]["layers"] for value in layer["intGridValues"]]
        found["entity definition"] += project["defs"]["entities"]
        found["field definition"] += project["defs"]["levelFields"]
        found["field definition"] += [one for entity in project["defs"]["entities"] for one in entity["fieldDefs"]]
        layers = [layer for level in project["levels"] for layer in level["layerInstances"]]
        entities = [entity for layer in layers for entity in layer["entityInstances"]]
        fields = [one for holder in (*project["levels"], *entities) for one in holder["fieldInstances"]]
        found["level"] += project["levels"]
        found["layer"] += layers
        found["entity"] += entities
        found["field"] += fields
        links = [one["__value"] for one in fields if isinstance(one["__value"], dict)]
        found["link"] += links

        uids = [one["uid"] for one in (*project["levels"], *found["field definition"][-1:])]
        assert max(uids) < project["nextUid"]
        defined = {one["uid"]: one for one in project["defs"]["entities"]}
        for entity in entities:
            definition = defined[entity["defUid"]]
            assert definition["identifier"] == entity["__identifier"]
            assert [one["uid"] for one in definition["fieldDefs"]] == [
                one["defUid"] for one in entity["fieldInstances"]
            ]
        names = {entity["iid"] for entity in entities}
        assert len(names) == len(entities)
        assert all(link["entityIid"] in names for link in links)
    for name, wanted in REQUIRED.items():
        assert found[name], name
        for one in found[name]:
            assert set(wanted.split()) <= set(one), name


# Projects as people make them


def entity(kind: str, column: int, row: int = 1, /, *, iid: str = "", grid: int = 16, **said: Any) -> dict[str, Any]:
    """Return an entity with its pivot in the middle of its lower edge; links are given as lists, lists as tuples."""
    fields = [
        {"__identifier": word, "__type": "EntityRef", "__value": {"entityIid": value[0], "levelIid": "?"}}
        if isinstance(value, list)
        else {"__identifier": word, "__type": "?", "__value": value}
        for word, value in said.items()
    ]
    return {
        "__identifier": kind,
        "__grid": [column, row],
        "__pivot": [0.5, 1],
        "px": [column * grid + grid // 2, row * grid + grid],
        "width": grid,
        "height": grid,
        "iid": iid or f"{kind} {column} {row}",
        "fieldInstances": fields,
    }


def level(name: str, rows: tuple[str, ...], *entities: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a level: values are 0 for blanks, 1 for walls, 2 for dots, 3 for water."""
    size = {"__cWid": len(rows[0]), "__cHei": len(rows), "__gridSize": 16}
    csv = [" #.~".index(letter) for letter in "".join(rows)]
    layers = [
        {
            "__identifier": "Entities",
            "__type": "Entities",
            **size,
            "layerDefUid": 7,
            "entityInstances": deepcopy(list(entities)),
        },
        {"__identifier": "Tiles", "__type": "Tiles", **size, "layerDefUid": 9, "gridTiles": [{"px": [0, 0]}]},
        {"__identifier": "Collisions", "__type": "IntGrid", **size, "layerDefUid": 8, "intGridCsv": csv},
    ]
    return {"identifier": name, "iid": name, "fieldInstances": [], "layerInstances": layers, **changes}


def project(*levels: dict[str, Any], values: tuple[str | None, ...] = ("wall", "floor", "water")) -> dict[str, Any]:
    named = [{"value": at, "identifier": name, "color": "#000000"} for at, name in enumerate(values, 1)]
    layers = [{"identifier": "Entities", "uid": 7}, {"identifier": "Collisions", "uid": 8, "intGridValues": named}]
    return {"jsonVersion": "1.5.3", "defs": {"layers": layers, "entities": []}, "levels": list(levels)}


def field(word: str, value: Any) -> dict[str, Any]:
    return {"__identifier": word, "__type": "String", "__value": value}


def parse(made: dict[str, Any], path: Path | None = None) -> Dungeon:
    return parse_ldtk(json.dumps(made), path)


ROWS = ("######", "#....#", "######")
THINGS = (entity("Player_Start", 1), entity("Key", 2), entity("Lock", 3), entity("Exit", 4))
CORRIDOR = assemble(
    DungeonParts(
        [Floor("", ROWS)],
        starts=[(0, 1, 1)],
        goals=[(0, 1, 4)],
        pickups=[Pickup((0, 1, 2), "key")],
        gates=[Gate("lock", ("",), ((0, 1, 3),))],
    )
)


def test_a_project_of_one_level():
    assert parse(project(level("Level_0", ROWS, *THINGS))) == CORRIDOR


def test_empty_cells_are_floor_where_only_walls_are_drawn():
    rows = tuple(row.replace(".", " ") for row in ROWS)
    for values in (("wall",), (None,), ("Bricks",)):  # a value without a known name is what its layer is called
        dungeon = parse(project(level("Level_0", rows, *THINGS), values=values))
        assert dungeon == CORRIDOR
        assert any("empty cells are floor" in remark for remark in dungeon.remarks)
    made = project(level("Level_0", ("##### ", *ROWS[1:]), *THINGS))
    assert parse(made).floors[0].terrain[0] == "##### "


def test_layers_of_several_kinds():
    made = project(level("Level_0", ROWS, *THINGS))
    layers = made["levels"][0]["layerInstances"]
    lake = {**layers[2], "__identifier": "Lake", "layerDefUid": 11, "intGridCsv": [0, 1, *[0] * 15, 1]}
    layers.insert(1, lake)
    made["defs"]["layers"].append({"identifier": "Water", "uid": 11, "intGridValues": [{"value": 1}]})
    assert parse(made).floors[0].terrain == ("#~####", "#....#", "#####~")
    layers.reverse()
    assert parse(made).floors == CORRIDOR.floors
    layers.reverse()
    lake |= {"__gridSize": 8, "__cWid": 12, "__cHei": 6, "intGridCsv": [*[0] * 27, 1, *[0] * 44]}
    finer = parse(made)
    assert finer.floors[0].terrain == (*["#" * 12] * 2, "##.~......##", "##........##", *["#" * 12] * 2)
    assert (finer.start, finer.goals) == ((0, 3, 3), tuple((0, row, column) for row in (2, 3) for column in (8, 9)))
    assert any("a tile is 8 x 8 pixels" in remark for remark in finer.remarks)


def test_levels_are_floors_and_links_join_them():
    upper = entity("Warp", 4, iid="u", target=["d"])
    first = level(
        "Level_0", ROWS, *THINGS, entity("Stairs", 1, iid="d", target=["u"], color="red"), entity("Key", 1, color="red")
    )
    second = level(
        "Upper_Hall", ROWS, upper, entity("Passage", 1, target={"cx": 3, "cy": 1}), entity("Door", 2, color="red")
    )
    third = level("Level_2", ("#.#",), fieldInstances=[field("Name", "Attic"), field("rules", "bombs=unlimited")])
    dungeon = parse(project(first, second, third))
    assert [floor.name for floor in dungeon.floors] == ["Level 0", "Upper Hall", "Attic"]
    assert dungeon.rules == Rules(bombs=None)
    assert dungeon.ways == (
        Way((0, 1, 1), (1, 1, 4), "stairs", 2),
        Way((1, 1, 1), (1, 1, 3), "passage"),
        Way((1, 1, 4), (0, 1, 1), "warp"),
    )
    assert dungeon.gates[1:] == (Gate("lock", ("red",), ((1, 1, 2),)), Gate("lock", ("red",)))
    worlds = {**project(), "worlds": [{"levels": [first, second]}, {"levels": [third]}]}
    assert parse(worlds) == dungeon
    with pytest.raises(ParseError, match=r"\$\.levels\[3\]\.fieldInstances: expected rules in one level only"):
        parse(
            project(
                first, second, third, {**third, "identifier": "Other", "fieldInstances": [field("rules", "push=never")]}
            )
        )


def test_fields_of_every_kind():
    things = (
        entity("Room", 1, iid="hall", name="Great_Hall", labels=("boss", "dark")),
        {**entity("Room", 2, name="wide"), "px": [32, 16], "__pivot": [0, 0], "width": 32, "height": 20},
        entity("Soft", 2, iid="s", room=["hall"]),
        entity("Switch", 1, iid="lever", name="lever"),
        entity("Barrier", 4, switch=["lever"], open=True),
        entity("Gate", 1, iid="g", requires=("raft", "torch"), ways_only=True),
        entity("Item", 1, name="raft"),
        entity("Item", 1, iid="t", item="torch", name=None),
        entity("Bombs", 2, count=3),
        entity("Enemy", 2),
        {**entity("Torch_Light", 2), "__tags": ["Ignore"]},
        entity("Teleporter", 1, target=["Exit 4 1"], gate=["g"], twoway=False),
    )
    dungeon = parse(project(level("Level_0", ROWS, *THINGS, *things)))
    assert dungeon.rooms == (Room("Great Hall", (0, 1, 1), 1, 1, ("boss", "dark")), Room("wide", (0, 1, 2), 1, 2))
    assert dungeon.switches == (Switch((0, 1, 1), "lever"),)
    assert dungeon.gates == (
        Gate("soft", ("Great Hall",), ((0, 1, 2),)),
        Gate("lock", ("",), ((0, 1, 3),)),
        Gate("barrier", ("lever",), ((0, 1, 4),), True),
        Gate("item", ("raft", "torch")),
    )
    assert dungeon.pickups == (
        Pickup((0, 1, 1), "item", "raft"),
        Pickup((0, 1, 1), "item", "torch"),
        Pickup((0, 1, 2), "bombs", count=3),
        Pickup((0, 1, 2), "key"),
        Pickup((0, 1, 2), "monster"),
    )
    assert dungeon.ways == (Way((0, 1, 1), (0, 1, 4), "warp", 3),)


def test_entities_on_a_finer_grid_and_shifted_layers():
    made = project(level("Level_0", ROWS, *THINGS))
    layer = made["levels"][0]["layerInstances"][0]
    layer["__gridSize"] = 8
    for one in layer["entityInstances"]:
        one["__grid"] = [one["__grid"][0] * 2 + 1, one["__grid"][1] * 2]
    assert parse(made) == CORRIDOR
    layer |= {"__pxTotalOffsetX": 16, "__pxTotalOffsetY": 0}
    for one in layer["entityInstances"]:
        one["__grid"][0] -= 2
        one["px"][0] -= 16
    assert parse(made) == CORRIDOR


def test_links_as_versions_before_1_0_wrote_them():
    one = entity("Warp", 1)
    one["fieldInstances"] = [{"__identifier": "target", "__type": "EntifyRef", "__value": "Exit 4 1"}]
    assert parse(project(level("Level_0", ROWS, *THINGS, one))).ways == (Way((0, 1, 1), (0, 1, 4), "warp"),)


def test_levels_in_files(tmp_path: Path):
    (tmp_path / "dungeon").mkdir()
    (tmp_path / "dungeon" / "Level_0.ldtkl").write_text(json.dumps(level("Level_0", ROWS, *THINGS)))
    here = tmp_path / "dungeon.ldtk"
    made = project({"identifier": "Level_0", "externalRelPath": "dungeon/Level_0.ldtkl", "layerInstances": None})
    assert parse(made, here) == CORRIDOR
    with pytest.raises(ParseError, match=r"at \$\.levels\[0\]: expected a file on disk"):
        parse(made)
    for bad in ("/etc/passwd", "dungeon/none.ldtkl", "dungeon", "dungeon/Level_0.json", None):
        with pytest.raises(ParseError, match=r"\$\.levels\[0\]"):
            parse({**made, "levels": [{**made["levels"][0], "externalRelPath": bad}]}, here)
    (tmp_path / "dungeon" / "Level_0.ldtkl").write_text("{")
    with pytest.raises(ParseError, match=r"dungeon/Level_0\.ldtkl.*an LDtk level as JSON"):
        parse(made, here)
    (tmp_path / "dungeon" / "Level_0.ldtkl").write_text('{"identifier": "x"}')
    with pytest.raises(ParseError, match="layerInstances"):
        parse(made, here)
    (tmp_path / "dungeon" / "Level_0.ldtkl").write_bytes(b"\xff\xff")
    with pytest.raises(ParseError, match="in UTF-8"):
        parse(made, here)


# What is wrong is said with its place


def changed_layer(**changes: Any) -> dict[str, Any]:
    made = project(level("Level_0", ROWS, *THINGS))
    made["levels"][0]["layerInstances"][2] |= changes
    return made


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (project(), "a map, but there is none"),
        ({"levels": []}, r"defs"),
        ({**project(), "levels": 3}, r"at \$\.levels: expected a list, found 3"),
        (project(level("A", ROWS)), r"at \$: expected a start"),
        (project({**level("A", ROWS), "layerInstances": []}), r"layerInstances: expected an IntGrid layer"),
        (changed_layer(intGridCsv=[1]), r"layerInstances\[2\]\.intGridCsv: expected 18 cells in 3 rows of 6, found 1"),
        (changed_layer(intGridCsv=[9] * 18), r"IntGrid value 9 of layer Collisions \(18 cells\)"),
        (changed_layer(intGridCsv=["x"]), r"intGridCsv\[0\]"),
        (changed_layer(__cWid=0), "a size that can be"),
        (changed_layer(__cWid=10**9, __cHei=10**9), "a size that can be"),
        (changed_layer(__gridSize=0), "a size that can be"),
        (changed_layer(__cWid=10**30), "a size that can be|out of range|whole number"),
        (
            project(
                level("A", ROWS, *THINGS, fieldInstances=[field("name", "Hall")]),
                level("B", ROWS, fieldInstances=[field("name", "Hall")]),
            ),
            "one floor called 'Hall'",
        ),
        (project(level("A", ROWS, *THINGS, fieldInstances=[field("title", [1])])), "title: a text"),
        (project(level("A", ROWS, fieldInstances=[field("name", 3)])), "name: a text"),
        (project(level("A", ROWS, *THINGS, fieldInstances=[field("rules", "soft=hard")])), "hard"),
    ],
)
def test_projects_that_are_wrong(made: dict[str, Any], message: str):
    with pytest.raises(ParseError, match=message):
        parse(made)


def test_values_with_names_we_do_not_know():
    made = project(level("A", ROWS, *THINGS), values=("wall", "floor", "grass"))
    made["defs"]["layers"][1]["identifier"] = "Ground_types"
    made["levels"][0]["layerInstances"][2]["intGridCsv"][7] = 3
    with pytest.raises(UndecidedNames, match=r"IntGrid value grass of layer Ground_types \(1 cell\)"):
        parse(made)


@pytest.mark.parametrize(
    ("one", "message"),
    [
        (entity("DragonDoor", 1), r"Undecided: class DragonDoor \(1 object\)"),
        (entity("Key", 9), r"entityInstances\[4\]: expected entities inside their level, but Key lies outside"),
        (entity("Key", 10**12), "can be"),
        ({**entity("Room", 1, name="x"), "width": 900}, "Room lies outside"),
        (entity("Key", 0), "stands on a wall"),
        (entity("Warp", 1, target=["nobody"]), "found 'a link to nobody'"),
        (entity("Warp", 1, target={"cx": 50, "cy": 1}), "a tile of its floor"),
        (entity("Warp", 1, target={"x": 1}), "target: a link"),
        (entity("Warp", 1), "target: a link"),
        (entity("Key", 1, count={"cx": 1, "cy": 1}), "count: a whole number.*a tile"),
        (entity("Item", 1, name=("a", "b")), "name: a text"),
        (entity("Key", 2, iid="Key 2 1"), "an id that no other object has"),
        ({**entity("Key", 1), "px": "here"}, r"entityInstances\[4\]\.px"),
        ({"__identifier": "Key"}, r"entityInstances\[4\].*__grid"),
    ],
)
def test_entities_that_are_wrong(one: dict[str, Any], message: str):
    with pytest.raises(ParseError, match=message):
        parse(project(level("Level_0", ROWS, *THINGS, one)))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "[" * 100_000, '{"defs": ' * 100_000, '{"levels": [1e999]}', '"\ud800"']
)
def test_texts_that_are_wrong(text: str):
    with pytest.raises(ParseError, match="an LDtk project"):
        parse_ldtk(text, None)


def test_spoiled_texts_raise_only_parse_errors():
    dice, refused = Random(5), 0
    text = format_ldtk(wild_dungeon(7))
    start = text.index('"levels": [')
    for _ in range(300):
        at, length = dice.randrange(start, len(text)), dice.choice((1, 1, 3, 40))
        spoiled = text[:at] + dice.choice(("", "-", '"', "9", "null", "{", "[", "\0")) + text[at + length :]
        try:
            parse_ldtk(spoiled, None)
        except ParseError:
            refused += 1
    assert refused > 100
