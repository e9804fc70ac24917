"""Where answers about dungeons point: the glyph of a text, the tile and object of an editor, the line of a graph."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import solvent
from dungeon.test_editor_samples import MAPPINGS, find
from helpers.examples import examples_of, load_example
from solvent.core.answer import Answer
from solvent.core.location import Location
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.model import Dungeon

TWO_FLOORS = """\
# a comment
dungeon: Two floors

map Cellar:
#####
#@.s#
#####

map Attic:
######
#s.LG#
######

legend:
s = stairs
"""


def ask(dungeon: Dungeon, question: str = "solvable") -> Answer:
    answer = solvent.ask(dungeon, question, nodes=200_000)
    assert answer.status == "FAIL"
    return answer


def first(dungeon: Dungeon, question: str = "solvable") -> Location:
    return ask(dungeon, question).locations[0]


def glyph_at(text: str, location: Location) -> str:
    assert location.line is not None
    assert location.column is not None
    return re.split(r"\r\n|\r|\n", text)[location.line - 1][location.column - 1]


@pytest.mark.parametrize(
    "spoil",
    [lambda text: text, lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n")],
    ids=["as it is", "byte order mark", "line ends of Windows"],
)
def test_a_text_of_several_floors_is_pointed_at(spoil: Callable[[str], str]):
    text = spoil(TWO_FLOORS)
    found = first(solvent.parse(text))
    assert (found.description, found.line, found.column) == ("Attic, row 1, column 3", 11, 4)
    assert glyph_at(text, found) == "L"


def test_a_bare_map_is_pointed_at():
    text = "\n\n   #####\n   #@LG#\n   #####\n"
    found = first(solvent.parse(text))
    assert (found.description, glyph_at(text, found)) == ("row 1, column 2", "L")


def test_the_move_of_no_return_comes_first_and_then_what_it_spends():
    example = next(each for each in examples_of("dungeon") if each.name == "the_wrong_door")
    answer = ask(load_example("dungeon", example.name), "losable")
    before, door = answer.locations
    assert (before.description, door.description) == ("row 2, column 7", "row 2, column 6")
    assert glyph_at(example.text, door) == "L"


def test_a_dungeon_that_was_changed_has_no_lines():
    dungeon = solvent.parse(TWO_FLOORS)
    changed = replace(dungeon, floors=(dungeon.floors[0], replace(dungeon.floors[1], terrain=("######",) * 3)))
    found = DOMAIN.locate(changed, ask(dungeon))
    assert found
    assert all(location.line is None and location.tile is None for location in found)


def test_moves_and_rules_do_not_matter_to_where_things_stand():
    dungeon = replace(solvent.parse(TWO_FLOORS), played=("E",))
    assert first(dungeon).line == 11


EDITED = ["the_wrong_door", "the_ledge", "one_bomb_short", "the_crate", "not_yet", "falling_doors"]


@pytest.mark.parametrize("format", ["tmj", "tmx", "ldtk"])
@pytest.mark.parametrize("example", EDITED)
def test_an_editor_s_file_is_pointed_at_tile_by_tile(example: str, format: str):
    original = load_example("dungeon", example)
    text = DOMAIN.format(original, format)
    dungeon = solvent.parse(text)
    lines = text.split("\n")
    objects = _objects(text, format)
    for question in ("solvable", "losable"):
        answer = solvent.ask(dungeon, question)
        expected = DOMAIN.locate(original, answer)
        assert [each.description for each in answer.locations] == [each.description for each in expected]
        for location in answer.locations:
            row, column = map(int, re.findall(r"\d+", location.description)[:2])
            assert location.tile == (column, row)
            assert location.line is not None
            line = lines[location.line - 1]
            if location.object:
                x, y, width, height = objects[location.object]
                assert x <= column < x + width
                assert y <= row < y + height
                assert format == "ldtk" or f"{location.object}" in line
            else:
                assert location.column is not None
                assert line[location.column - 1].isdigit()
                assert location.layer


def _objects(text: str, format: str) -> dict[str, tuple[int, int, int, int]]:
    """Return the tile and the size of each object, found without any reader of ours."""
    if format == "tmx":
        pattern = r'<object id="(\d+)"[^>]*? x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"'
        return {one[0]: tuple(int(part) // 16 for part in one[1:]) for one in re.findall(pattern, text)}
    values = json.loads(text)
    if format == "tmj":
        [layer] = [layer for layer in values["layers"] if layer["type"] == "objectgroup"]
        return {
            str(one["id"]): tuple(one[key] // 16 for key in ("x", "y", "width", "height")) for one in layer["objects"]
        }
    return {
        one["iid"]: (*one["__grid"], one["width"] // 16, one["height"] // 16)
        for level in values["levels"]
        for layer in level["layerInstances"]
        for one in layer["entityInstances"]
    }


def test_objects_are_named_by_the_id_of_the_editor():
    for format in ("tmj", "tmx", "ldtk"):
        answer = ask(solvent.parse(DOMAIN.format(load_example("dungeon", "one_bomb_short"), format)))
        assert answer.locations[0].object, "the cracked wall is an object"


def test_a_level_of_ldtk_is_named():
    dungeon = solvent.parse(DOMAIN.format(solvent.parse(TWO_FLOORS), "ldtk"))
    found = first(dungeon)
    assert (found.tile, found.map) == ((3, 1), "Floor_1")


def test_floors_side_by_side_on_a_map_are_counted_as_tiled_does():
    text = DOMAIN.format(solvent.parse(TWO_FLOORS), "tmx")
    found = first(solvent.parse(text))
    x, y, _, _ = _objects(text, "tmx")[found.object]
    assert found.tile == (x, y)
    assert found.description == "Attic, row 1, column 3"


def test_the_map_of_a_world_is_named(tmp_path: Path):
    (tmp_path / "west.tmx").write_text(
        DOMAIN.format(solvent.parse("####\n#@.G\n####\n"), "tmx").replace('"goal"', '"place"')
    )
    (tmp_path / "east.tmx").write_text(
        DOMAIN.format(solvent.parse("dungeon:\nmap:\n####\n@LG#\n####\n"), "tmx").replace('"start"', '"place"')
    )
    maps = [{"fileName": "west.tmx", "x": 0, "y": 0}, {"fileName": "east.tmx", "x": 64, "y": 0}]
    (tmp_path / "both.world").write_text(json.dumps({"type": "world", "maps": maps}))
    found = first(solvent.load(tmp_path / "both.world"))
    assert (found.map, found.tile, found.line) == ("east.tmx", (1, 1), None)
    assert found.object


def test_a_graph_and_a_logic_file_are_pointed_at_line_by_line():
    graph = (
        'digraph {\n  a [label="s"]\n  b [label=""]\n  c [label="t"]\n  a -> b [label=""]\n  b -> c [label="k"]\n}\n'
    )
    found = first(solvent.parse(graph))
    assert (found.description, found.line) == ("from b to c", 6)
    logic = load_example("dungeon", "high_and_low_water")
    text = next(each.text for each in examples_of("dungeon") if each.name == "high_and_low_water")
    place, way = ask(logic, "losable").locations
    lines = text.split("\n")
    assert place.description == "Dry Channel"
    assert place.description in lines[place.line - 1]
    assert "Drain" in lines[way.line - 1]


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["tiled/sewers.tmx", "tiled/orthogonal-outside.tmx", "ldtk/SeparateLevelFiles.ldtk"])
def test_samples_of_the_editors_are_pointed_at(corpora: Path, name: str):
    path = find(corpora, name)
    answer = ask(solvent.load(path, mapping=MAPPINGS / f"{path.stem}.toml"))
    assert answer.locations
    lines = path.read_text(encoding="utf-8").splitlines()
    for location in answer.locations:
        assert location.tile is not None
        assert location.line is None or location.line <= len(lines)
        if location.object and location.line is not None:
            assert f'"{location.object}"' in lines[location.line - 1]
