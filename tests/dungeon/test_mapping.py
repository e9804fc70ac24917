"""Mappings: read with errors that name the key, found beside a map, written from its names, and kept when run again."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

import solvent
from dungeon.test_ldtk import ROWS, THINGS, entity, level, project
from dungeon.tiled.maps import thing, tmj
from helpers.command import Run
from solvent.core.errors import BadOption, ParseError, UndecidedNames
from solvent.dungeon.model import Dungeon, Gate, Pickup
from solvent.dungeon.notation.ldtk.reading import parse_ldtk
from solvent.dungeon.notation.mapping import draft_mapping
from solvent.dungeon.notation.mapping.finding import MAPPING_FILE, find_mapping
from solvent.dungeon.notation.mapping.parsing import parse_mapping
from solvent.dungeon.notation.tiled.reading import parse_tiled


def read(made: dict[str, Any], mapping: str) -> Dungeon:
    parse = parse_ldtk if "defs" in made else parse_tiled
    return parse(json.dumps(made), None, parse_mapping(mapping, "m.toml"))


def objects(*things: dict[str, Any], **changes: Any) -> dict[str, Any]:
    made = tmj(**changes)
    made["layers"][1]["objects"] = list(things)
    return made


# What can be said


def test_classes_and_properties() -> None:
    made = objects(
        thing("Hero", 1, id=1, lives=3),
        thing("Schluessel", 2, id=2, Farbe="rot"),
        thing("Tuer", 3, id=3, Schloss="Rot"),
        thing("Ziel", 4, id=4),
        thing("Fass", 2, id=5),
    )
    dungeon = read(
        made,
        """
        classes.Hero = "start"
        classes.Schluessel.is = "key"
        classes.Schluessel.properties.Farbe = "color"
        [classes.Tuer]
        is = "door"
        properties.Schloss = { is = "color", values = { Rot = "rot" } }
        [classes.Ziel]
        is = "goal"
        [classes.Fass]
        is = "ignore"
        [properties]
        lives = "ignore"
        """,
    )
    assert dungeon.gates == (Gate("lock", ("rot",), ((0, 1, 3),)),)
    assert dungeon.pickups == (Pickup((0, 1, 2), "key", "rot"),)
    assert dungeon.remarks == (
        "Read with the mapping m.toml.",
        "The mapping leaves out: class Fass (1), property lives of Hero (3).",
    )


def test_classes_that_differ_in_case_only() -> None:
    made = objects(thing("Door", 2, id=1), thing("door", 3, id=2), thing("start", 1, id=3), thing("goal", 4, id=4))
    dungeon = read(made, 'classes.Door = "ignore"\nclasses.door = "cracked"')
    assert dungeon.gates == (Gate("cracked", (), ((0, 1, 3),)),)
    assert read(made, 'classes.DOOR = "ignore"').gates == ()
    tomllib.loads(draft_mapping([(json.dumps(made), None)], "", "m.toml").text)


def test_objects_by_name_layer_level_file_and_value() -> None:
    made = objects(
        thing("Location", 1, id=1, name="player-start"),
        thing("Thing", 2, id=2, type="Key"),
        thing("Thing", 3, id=3, type="Gold"),
        thing("", 4, id=4, name="end"),
    )
    mapping = """
        classes.Thing.is = "item"
        classes.Thing.properties.type = "name"
        classes.Location.is = "ignore"
        [[objects]]
        name = "player-start"
        is = "start"
        [[objects]]
        class = "Thing"
        where = { type = "Key" }
        is = "key"
        properties = { type = "ignore" }
        [[objects]]
        layer = "objects"
        class = ""
        is = "goal"
    """
    dungeon = read(made, mapping)
    assert (dungeon.start, dungeon.goals) == ((0, 1, 1), ((0, 1, 4),))
    assert dungeon.pickups == (Pickup((0, 1, 2), "key"), Pickup((0, 1, 3), "item", "Gold"))
    other = mapping.replace('class = ""', 'class = ""\n        file = "other.tmx"')
    with pytest.raises(UndecidedNames, match="'end' in layer objects"):
        read(made, other)


def test_tiles_by_id_property_terrain_and_layer() -> None:
    bare = [{"firstgid": 1, "name": "t", "tilewidth": 16, "tileheight": 16}]
    for mapping in (
        'tiles.t."1" = "wall"\ntiles.t.rest = "floor"',
        'tiles.t."1" = "wall"\nmap.tiles = "floor"',
        'tiles.t."0" = "floor"\ntiles.t.rest = "wall"',
    ):
        dungeon = read(tmj(tilesets=bare), mapping)
        assert dungeon.floors[0].terrain == ("######", "#....#", "######")
        assert dungeon.remarks == ("Read with the mapping m.toml.",)
    marked = [{"id": 1, "properties": [{"name": "stuff", "value": "Brick"}]}]
    dungeon = read(tmj(tilesets=[{**bare[0], "tiles": marked}]), 'tile_properties.stuff.brick = "wall"')
    assert dungeon.floors[0].terrain[0] == "######"
    wang = {
        "name": "Terrains",
        "type": "corner",
        "colors": [{"name": "Rock"}, {"name": "Grass"}],
        "wangtiles": [
            {"tileid": 1, "wangid": [0, 1, 0, 1, 0, 1, 0, 1]},
            {"tileid": 0, "wangid": [0, 2, 0, 2, 0, 2, 0, 1]},
        ],
    }
    rock = 'wang.t.Rock = "wall"\nwang.t.Grass = "floor"\nwang.t.mixed = "floor"'
    assert read(tmj(tilesets=[{**bare[0], "wangsets": [wang]}]), rock).floors[0].terrain[1] == "#....#"
    shapes = [{"id": 1, "objectgroup": {"objects": [{"id": 1}]}}]
    dungeon = read(tmj(tilesets=[{**bare[0], "tiles": shapes}]), 'map.collision_shapes = "wall"\nmap.tiles = "floor"')
    assert dungeon.floors[0].terrain[1] == "#....#"


def test_layers_and_what_is_empty() -> None:
    made = tmj(tilesets=[{"firstgid": 1, "name": "t"}])
    made["layers"][0]["data"] = [gid if gid == 2 else 0 for gid in made["layers"][0]["data"]]
    made["layers"].insert(1, {"type": "tilelayer", "name": "fog", "width": 6, "height": 3, "data": [9] * 18})
    dungeon = read(made, 'layers.map = "wall"\nlayers.fog = "ignore"\nmap.empty = "floor"')
    assert dungeon.floors[0].terrain == ("######", "#....#", "######")


def test_objects_that_are_walls_on_a_map_without_tiles() -> None:
    things = [thing("start", 0, 0, id=1), thing("goal", 3, 0, id=2), thing("", 1, 0, id=3, size=(2, 1))]
    made = objects(*things, width=4, height=3, tilesets=[])
    del made["layers"][0]
    dungeon = read(made, 'map.empty = "floor"\nlayers.objects = "wall"')
    assert dungeon.floors[0].terrain == (".#..", ".#..", "....")
    made["layers"][0]["objects"][2]["polygon"] = [{"x": 0, "y": 0}, {"x": 16, "y": 0}, {"x": 16, "y": 32}]
    dungeon = read(made, 'map.empty = "floor"\nlayers.objects = "wall"')
    assert dungeon.floors[0].terrain == (".#..", ".#..", "....")
    assert "Outlines are read as the box around them: object." in dungeon.remarks


def test_values_and_levels_and_things_that_are_put() -> None:
    rows = ("######", "#~.~.#", "######")
    made = project(
        level("A", rows), level("B", ROWS), level("C", ROWS, entity("Vault Door", 2)), values=("x", "y", "z")
    )
    made["defs"]["layers"][1]["identifier"] = "Ground_types"
    mapping = """
        int_grid.Ground_types.x = "wall"
        int_grid.Ground_types.2 = "floor"
        int_grid.Ground_types.z = "water"
        levels.C = "ignore"
        [[place]]
        is = "start"
        level = "A"
        row = 1
        column = 2
        [[place]]
        is = "warp"
        name = "w"
        level = "A"
        row = 1
        column = 4
        [[place]]
        is = "warp"
        name = "w"
        level = "B"
        row = 1
        column = 1
        [[place]]
        is = "lock"
        level = "B"
        row = 1
        column = 3
        properties = { color = "red" }
        [[place]]
        is = "key"
        level = "B"
        row = 1
        column = 2
        properties = { color = "red", count = 2 }
        [[place]]
        is = "goal"
        level = "B"
        row = 1
        column = 4
        [[place]]
        is = "floor"
        level = "A"
        row = 1
        column = 3
    """
    dungeon = read(made, mapping)
    assert [floor.terrain[1] for floor in dungeon.floors] == ["#~...#", "#....#"]
    assert dungeon.pickups == (Pickup((1, 1, 2), "key", "red", 2),)
    assert dungeon.gates == (Gate("lock", ("red",), ((1, 1, 3),)),)
    assert str(solvent.ask(dungeon).verdict) == "YES"
    with pytest.raises(ParseError, match=r"m\.toml, .*place\[0\]: expected a place inside its level of 3 rows"):
        read(made, mapping.replace("column = 2", "column = 6", 1))
    with pytest.raises(ParseError, match=r"the name of a level: A, B"):
        read(made, mapping.replace('level = "A"', 'level = "Z"', 1))


def test_no_walls_only_where_that_is_said() -> None:
    made = tmj()
    made["layers"][0]["data"] = [1] * 18
    with pytest.raises(UndecidedNames, match="where the walls are"):
        read(made, "")
    dungeon = read(made, 'map.walls = "none"')
    assert dungeon.remarks[-1] == "Nothing on this map is a wall; the mapping (m.toml) says that this is meant."


def test_switches_that_say_what_they_open() -> None:
    made = project(
        level(
            "A",
            ("#######", "#.....#", "#######"),
            entity("Player", 1),
            entity("Button", 2, iid="b", targets=["r"]),
            entity("Repeater", 0, 0, iid="r", targets=["d"]),
            entity("Door", 4, iid="d"),
            entity("Exit", 5),
        )
    )
    mapping = """
        classes.Button.properties.targets = "opens"
        classes.Repeater.is = "relay"
        classes.Repeater.properties.targets = "opens"
    """
    dungeon = read(made, mapping)
    assert dungeon.gates == (Gate("barrier", ("switch 1",), ((0, 1, 4),)),)
    made["levels"][0]["layerInstances"][0]["entityInstances"][1]["__grid"][1] = 2  # on the wall below
    made["levels"][0]["layerInstances"][0]["entityInstances"][1]["px"][1] += 16
    dungeon = read(made, mapping)
    assert dungeon.floors[0].terrain[2] == "##.####"
    assert any("niches" in remark for remark in dungeon.remarks)


# Errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("classes.A = ]", r"m\.toml, line 1, column \d+: expected a mapping as TOML"),
        ("[", "expected a mapping as TOML"),
        ("clases.A = 'key'", r"at clases: .*a section of a mapping: map, classes.*found 'clases'"),
        ("classes.A = 'kee'", r"line 1, at classes\.A: expected one of wall, floor.*found 'kee'"),
        ("[classes.A]\nis = 'kee'", r"line 2, at classes\.A\.is: expected one of"),
        ("classes.A.kind = 'key'", r"at classes\.A\.kind: expected one of is, properties"),
        ("classes.A.properties.b = 'colour of it'", r"at classes\.A\.properties\.b: expected one of name, color"),
        ('classes."A b".is = 3', r'at classes\."A b"\.is: expected one of'),
        ("properties.a = { is = 'color', values = 3 }", r"properties\.a\.values: expected a table"),
        ("properties.a = { is = 'color', values = { b = [] } }", r"values\.b: expected a text"),
        ("layers.a = 1", r"layers\.a: expected one of"),
        ("layers = 1", "layers: expected a table of names"),
        ("levels.a = 'wall'", r'levels\.a: expected one of "ignore"'),
        ("tiles.t.x = 'wall'", r"tiles\.t\.x: expected tile ids such as 0-4, 9"),
        ("tiles.t.'3-1' = 'wall'", "tile ids in order"),
        ("tiles.t.'0-999999999' = 'wall'", "tile ids in order, below"),
        ("tiles.t.'1' = 'wall'\ntiles.t.'0-2' = 'floor'", "one meaning for tile 1"),
        ("wang.t.c = 'key'", r"wang\.t\.c: expected one of wall"),
        ("int_grid.l.v = 'door'", r"int_grid\.l\.v: expected one of wall"),
        ("map.walls = 'few'", r'map\.walls: expected "none"'),
        ("map.empty = 'key'", r"map\.empty: expected one of wall"),
        ("map.size = 3", r"map\.size: expected one of walls"),
        ("objects = 3", r"tables that begin with \[\[objects\]\]"),
        ("[[objects]]\nis = 'key'", r"objects\[0\]: expected which objects are meant"),
        ("[[objects]]\nname = 3\nis = 'key'", r"objects\[0\]\.name: expected name: a text"),
        ("[[place]]\nis = 'goal'", r"place\[0\]\.row: expected row: a whole number from 0"),
        ("[[place]]\nis = 'ignore'\nrow = 1\ncolumn = 1", r"place\[0\]\.is"),
        ("[[place]]\nis = 'key'\nrow = 1\ncolumn = 1\nproperties.a = 1", r"place\[0\]\.properties\.a: expected one of"),
        ("[[place]]\nis = 'key'\nrow = true\ncolumn = 1", r"place\[0\]\.row"),
    ],
)
def test_mappings_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message) as caught:
        parse_mapping(text, "m.toml")
    assert str(caught.value).startswith("m.toml")


def test_a_property_that_the_class_does_not_have() -> None:
    made = objects(thing("start", 1, id=1), thing("goal", 4, id=2, glow="red"))
    with pytest.raises(
        ParseError, match=r"m\.toml: expected a property that a goal has for glow: name, needs, found 'color'"
    ):
        read(made, 'classes.goal.properties.glow = "color"')


def test_spoiled_mappings_raise_only_parse_errors() -> None:
    good = "\n".join(path.read_text() for path in sorted((Path(__file__).parent / "mappings").glob("*.toml"))[:3])
    dice, refused = Random(4), 0
    for _ in range(400):
        at, length = dice.randrange(len(good)), dice.choice((1, 1, 3, 40))
        spoiled = good[:at] + dice.choice(("", "-", '"', "9", "[", "=", "\0", "é", "\n")) + good[at + length :]
        try:
            parse_mapping(spoiled)
        except ParseError:
            refused += 1
    assert refused > 100


def test_an_undecided_meaning_counts_as_none() -> None:
    made = objects(thing("start", 1, id=1), thing("Vault Door", 2, id=3), thing("goal", 4, id=2))
    with pytest.raises(UndecidedNames, match=r"class Vault Door \(1 object\)\. Decide in m\.toml"):
        read(made, 'classes."Vault Door".is = "?"')


# Finding


def test_a_mapping_beside_the_map_or_above_is_used(tmp_path: Path) -> None:
    maps = tmp_path / "project" / "maps"
    maps.mkdir(parents=True)
    path = maps / "a.tmj"
    path.write_text(json.dumps(objects(thing("Hero", 1, id=1), thing("goal", 4, id=2))))
    with pytest.raises(UndecidedNames, match=r"class Hero .*'solvent mapping .*a\.tmj' writes"):
        solvent.load(path)
    (tmp_path / "project" / MAPPING_FILE).write_text('classes.Hero = "start"')
    assert find_mapping(path) == tmp_path / "project" / MAPPING_FILE
    assert solvent.load(path).remarks == (f"Read with the mapping {tmp_path / 'project' / MAPPING_FILE}.",)
    (maps / ".git").mkdir()
    assert find_mapping(path) is None
    (tmp_path / "own.toml").write_text('classes.Hero = "start"')
    assert solvent.load(path, mapping=tmp_path / "own.toml").start == (0, 1, 1)
    (maps / MAPPING_FILE).write_text("classes = 3")
    with pytest.raises(ParseError, match=r"solvent-mapping\.toml.*classes"):
        solvent.load(path)
    (tmp_path / "t.txt").write_text("dungeon: x\n\n#####\n#@.G#\n#####\n")
    with pytest.raises(BadOption, match="Tiled and LDtk"):
        solvent.load(tmp_path / "t.txt", mapping=tmp_path / "own.toml")


# The command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = objects(
        thing("Hero", 1, id=1, sprite="knight"),
        thing("door", 3, id=3, lockedWith="KeyA"),
        thing("Item", 2, id=5, type="KeyA"),
        thing("Vault", 3, id=6, doors=2),
        thing("Exit", 4, id=4),
    )
    (tmp_path / "a.tmj").write_text(json.dumps(made))
    (tmp_path / "b.ldtk").write_text(json.dumps(project(level("L", ROWS, *THINGS, entity("Torch", 1)))))
    (tmp_path / "notes.txt").write_text("nothing to see")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_writes_every_name(run: Run, folder: Path) -> None:
    assert run("solve", "a.tmj").code == 30
    ran = run("mapping", ".")
    assert (ran.code, ran.err) == (0, "")
    text = (folder / MAPPING_FILE).read_text()
    assert ran.out.startswith(f"{MAPPING_FILE}: {len(parse_flat(text))} names, from 2 files.\nUndecided: 2.")
    said = parse_flat(text)
    assert said["classes.Vault.is"] == said["classes.Vault.properties.doors"] == "?"
    assert text.index("classes.Vault.is") < text.index("classes.Item.is")
    assert {key: said[key] for key in said if key.startswith(("classes.Hero", "classes.Item", "classes.door"))} == {
        "classes.Hero.is": "start",
        "classes.Hero.properties.sprite": "ignore",
        "classes.Item.is": "item",
        "classes.Item.properties.type": "name",
        "classes.door.is": "door",
        "classes.door.properties.lockedWith": "opened_by",
    }
    assert said["classes.Torch.is"] == "ignore"
    assert said["int_grid.Collisions.wall"] == "wall"
    (folder / MAPPING_FILE).write_text(text.replace('classes.Vault.is = "?"', 'classes.Vault.is = "ignore"  # mine'))
    assert run("solve", "a.tmj").code == 0
    assert run("solve", "b.ldtk").code == 0
    assert run("mapping", ".").out.endswith("Nothing is undecided; look through the guesses.\n")


@pytest.mark.parametrize("word", ["ID", "uid", "tag", "level", "script", "weapon", "team", "scene", "life"])
def test_what_may_open_a_lock_is_not_guessed_away(word: str) -> None:
    made = objects(
        thing("start", 1, id=1),
        thing("key", 2, id=2, **{word: "blue"}),
        thing("lock", 3, id=3, **{word: "red"}),
        thing("goal", 4, id=4),
    )
    drafted = draft_mapping([(json.dumps(made), None)], "", "m.toml")
    assert drafted.undecided == [f"classes.{kind}.properties.{word}" for kind in ("key", "lock")]
    with pytest.raises(UndecidedNames):
        read(made, drafted.text)


def test_a_second_goal_and_a_strange_class_are_not_guessed() -> None:
    ends = thing("start", 1, id=1), thing("goal", 4, id=2)
    for kind in ("Treasure", "Victory", "Hero", "Portcullis"):
        made = objects(*ends, thing(kind, 3, id=3))
        assert parse_flat(draft_mapping([(json.dumps(made), None)], "", "m.toml").text)[f"classes.{kind}.is"] == "?"
    left_out = read(objects(*ends, thing("Portcullis", 3, id=3)), 'classes.Portcullis = "ignore"')
    assert "The mapping leaves out: class Portcullis (1)." in left_out.remarks


def test_what_is_written_fits_a_terminal_and_says_what_is_missing(run: Run, folder: Path) -> None:
    made = project(
        level("One", ROWS, entity("Crystal", 1, content=("a long value", "another one"))), level("Two", ROWS)
    )
    made["levels"][0]["layerInstances"][0]["entityInstances"].append(entity("Hero", 2))
    (folder / "c.ldtk").write_text(json.dumps(made))
    text = run("mapping", "c.ldtk", "-o", "-").out
    assert max(map(len, text.splitlines())) < 80
    assert "# There is no goal yet." in text
    assert '#   level = "One"\n' in text
    assert text.index("# 1 time: [a long value, another one]") < text.index("classes.Crystal.properties.content =")
    plain = tmj()
    plain["tilesets"] = [{"firstgid": 1, "name": "t", "tilecount": 200}]
    plain["layers"][0] |= {"name": "art", "data": list(range(100, 118))}
    plain["layers"][1]["objects"] = [thing("Location", 1, id=1, name="player-start"), thing("Exit", 4, id=2)]
    (folder / "d.tmj").write_text(json.dumps(plain))
    text = run("mapping", "d.tmj", "-o", "-").out
    assert max(map(len, text.splitlines())) < 80
    assert "There is no" not in text
    assert "Nothing is a wall yet." in text
    assert "# all tiles not named otherwise: 99-116." in text
    assert parse_flat(text)["names.player-start.is"] == "start"


def parse_flat(text: str) -> dict[str, str]:
    def flat(table: dict[str, Any], at: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, value in table.items():
            found |= flat(value, f"{at}{name}.") if isinstance(value, dict) else {f"{at}{name}": value}
        return found

    return flat(tomllib.loads(text), "")


def test_running_it_again_keeps_what_was_decided(run: Run, folder: Path) -> None:
    (folder / MAPPING_FILE).write_text('# mine\nclasses.Vault = "ignore"\nclasses.Hero.is = "start"  # me\n')
    run("mapping", "a.tmj")
    text = (folder / MAPPING_FILE).read_text()
    assert text.endswith('# mine\nclasses.Vault = "ignore"\nclasses.Hero.is = "start"  # me\n')
    assert run("solve", "a.tmj").code == 0
    run("mapping", "a.tmj")
    assert (folder / MAPPING_FILE).read_text() == text
    # Tables that cannot be added to from above are written anew, with the same decisions.
    (folder / MAPPING_FILE).write_text('[classes.Hero]\nis = "start"\n[[place]]\nis = "wall"\nrow = 0\ncolumn = 0\n')
    run("mapping", "a.tmj")
    data = tomllib.loads((folder / MAPPING_FILE).read_text())
    assert data["classes"]["Hero"] == {"is": "start", "properties": {"sprite": "ignore"}}
    assert data["place"] == [{"is": "wall", "row": 0, "column": 0}]


def test_other_ways_to_call_the_command(run: Run, folder: Path) -> None:
    ran = run("mapping", "a.tmj", "-o", "-")
    assert tomllib.loads(ran.out)["classes"]["Hero"]["is"] == "start"
    assert not (folder / MAPPING_FILE).exists()
    shown = json.loads(run("mapping", "a.tmj", "--json", "-o", "x.toml").out)
    assert (shown["domain"], shown["files"], shown["mapping"]) == ("dungeon", 1, "x.toml")
    assert shown["undecided"] == ["classes.Vault.is", "classes.Vault.properties.doors"]
    assert run("solve", "a.tmj", "--mapping", "x.toml").code == 30
    for words, code in ((["none.tmx"], 30), (["notes.txt"], 30), ([], 2), (["a.tmj", "--as", "harmony"], 2)):
        assert run("mapping", *words).code == code
    (folder / "t.txt").write_text("dungeon: x\n\n#####\n#@.G#\n#####\n")
    assert "no names of its own to map" in run("mapping", "t.txt").err
    (folder / "empty").mkdir()
    assert "nothing to map" in run("mapping", "empty").err


def test_levels_in_files_and_files_that_are_broken(run: Run, folder: Path) -> None:
    (folder / "b").mkdir()
    made = project(level("L", ROWS, *THINGS, entity("Sconce", 1)))
    alone = {**level("L", ROWS, entity("Vault Door", 1)), "worldX": 0, "worldY": 0, "pxWid": 96, "pxHei": 48}
    made["levels"] = [{**alone, "layerInstances": None, "externalRelPath": "b/L.ldtkl"}]
    (folder / "b.ldtk").write_text(json.dumps(made))
    (folder / "b" / "L.ldtkl").write_text(json.dumps(alone))
    assert run("mapping", ".").code == 0
    assert parse_flat((folder / MAPPING_FILE).read_text())["classes.Vault Door.is"] == "?"
    (folder / "c.tmx").write_text("<map width='1' height='1' tilewidth='8' tileheight='8'>")
    ran = run("mapping", ".")
    assert (ran.code, ran.err.startswith("solvent: c.tmx, line 1")) == (30, True)


def test_the_error_lists_names_line_by_line(run: Run, folder: Path) -> None:
    ran = run("solve", "a.tmj")
    assert ran.out == ""
    assert ran.err.splitlines() == [
        "solvent: a.tmj: expected a meaning for each name that may decide the answer",
        "  - class Hero (1 object)",
        "  - class Vault (1 object)",
        "  - property type of Item (KeyA)",
        "  - no start: put an object on its tile whose class, or whose name, is start",
        "'solvent mapping a.tmj' writes a mapping in which you decide.",
    ]


def test_validate_uses_the_mapping_and_passes_it_over(run: Run, folder: Path) -> None:
    (folder / "b.ldtk").unlink()
    (folder / "notes.txt").unlink()
    assert run("mapping", ".").code == 0
    text = (folder / MAPPING_FILE).read_text()
    (folder / MAPPING_FILE).write_text(text.replace('classes.Vault.is = "?"', 'classes.Vault.is = "ignore"'))
    ran = run("validate", ".", "--store", "s.db", "--jobs", "1")
    assert ran.code == 0
    assert "not recognised" not in ran.out
    assert f"1 file: Read with the mapping {MAPPING_FILE}." in ran.out


def test_odd_names_survive_being_written() -> None:
    made = objects(thing('a "b"\\.c', 1, id=1, **{"é [1] = #": 'x"y', "": 3}), thing("tab\there", 2, id=2))
    draft = draft_mapping([(json.dumps(made), None)], "", "m.toml")
    assert 'a "b"\\.c' in tomllib.loads(draft.text)["classes"]
