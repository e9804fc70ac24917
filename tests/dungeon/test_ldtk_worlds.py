"""LDtk worlds: levels side by side are one floor, others are floors of their own, and levels may be files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import solvent
from dungeon.test_ldtk import entity, field, level, parse, project
from solvent.core.errors import NotRecognised, ParseError
from solvent.core.file_access import confined
from solvent.dungeon.model import Room, Way

LEFT = ("####", "#...", "####")
RIGHT = ("####", "...#", "####")
START, GOAL = entity("Player", 1), entity("Exit", 2)


def placed(name: str, rows: tuple[str, ...], x: int, y: int, *entities: dict[str, Any], **more: Any) -> dict[str, Any]:
    size = {"pxWid": len(rows[0]) * 16, "pxHei": len(rows) * 16}
    return {**level(name, rows, *entities), "worldX": x, "worldY": y, "worldDepth": 0, **size, **more}


def world(*levels: dict[str, Any], layout: str = "GridVania") -> dict[str, Any]:
    return {**project(*levels), "worldLayout": layout}


@pytest.mark.parametrize("layout", ["GridVania", "Free"])
def test_one_walks_from_level_to_level(layout: str):
    made = world(placed("East_Wing", RIGHT, 64, 0, GOAL), placed("Entrance", LEFT, 0, 0, START), layout=layout)
    dungeon = parse(made)
    assert [floor.terrain for floor in dungeon.floors] == [("########", "#......#", "########")]
    assert dungeon.floors[0].name == ""
    assert (dungeon.start, dungeon.goals) == ((0, 1, 1), ((0, 1, 6),))
    assert dungeon.rooms == (Room("East Wing", (0, 0, 4), 3, 4), Room("Entrance", (0, 0, 0), 3, 4))
    assert str(solvent.ask(dungeon, "solvable").verdict) == "YES"


def test_levels_that_are_only_lined_up_are_not_joined():
    levels = (placed("A", LEFT, -1, -1, START), placed("B", RIGHT, -1, -1, GOAL))
    for layout in ("LinearHorizontal", "LinearVertical"):
        dungeon = parse(world(*levels, layout=layout))
        assert [(floor.name, floor.terrain) for floor in dungeon.floors] == [("A", LEFT), ("B", RIGHT)]
        assert dungeon.rooms == ()
        assert dungeon.remarks == (f"the levels of a {layout} world are only lined up, so they are not joined",)
    old = world(placed("A", LEFT, 0, 0, START), placed("B", RIGHT, 64, 0, GOAL), layout="LinearHorizontal")
    assert len(parse(old).floors) == 2, "versions before 1.0 gave coordinates to these as well"


def test_corners_gaps_and_depths_keep_levels_apart():
    def floors(**place: Any) -> int:
        return len(parse(world(placed("A", LEFT, 0, 0, START), {**placed("B", RIGHT, 64, 0, GOAL), **place})).floors)

    assert floors() == 1
    assert floors(worldY=32) == 1
    assert floors(worldX=-64) == 1
    assert floors(worldX=16, worldY=48) == 1
    assert floors(worldY=48) == 2
    assert floors(worldX=80) == 2
    assert floors(worldDepth=1) == 2


def test_floors_are_called_like_their_first_level_and_rooms_like_all():
    made = world(
        placed("Hall_1", LEFT, 0, 0, START, entity("Room", 2, name="Hall_2")),
        placed("Hall_2", RIGHT, 64, 0, GOAL),
        placed("Hall_3", RIGHT, 64, 48, fieldInstances=[field("name", "Cellar")]),
        placed("Attic", RIGHT, 500, 500),
        placed("Deep", RIGHT, 0, 0, worldDepth=-1),
    )
    dungeon = parse(made)
    assert [floor.name for floor in dungeon.floors] == ["Hall 1 and 2 more", "Attic", "Deep"]
    assert [room.name for room in dungeon.rooms] == ["Hall 2", "Hall 1", "Hall 2 2", "Cellar"]
    assert dungeon.rooms[3].corner == (0, 3, 4)
    assert dungeon.floors[0].terrain[3:] == (" " * 4 + "####", " " * 4 + "...#", " " * 4 + "####")
    twice = {**made, "levels": [], "worlds": [{"levels": made["levels"][:1], "worldLayout": "Free"}] * 2}
    twice["worlds"][1] = {"levels": [placed("Hall_1", RIGHT, 64, 0, GOAL)], "worldLayout": "Free"}
    assert [floor.name for floor in parse(twice).floors] == ["Hall 1", "Hall 1 2"], "worlds are not joined"


def test_levels_that_overlap_are_named():
    made = world(placed("A", LEFT, 0, 0, START, GOAL), placed("B", RIGHT, 32, 16), placed("C", RIGHT, 64, 0))
    dungeon = parse(made)
    assert [floor.name for floor in dungeon.floors] == ["A and 1 more", "B"]
    assert "the levels 'A' and 'B' overlap in the world: they are not joined" in dungeon.remarks


def test_links_and_points_lead_across_the_world():
    made = world(
        placed("A", LEFT, 64, 48, START, entity("Warp", 2, iid="w", target=["far"])),
        placed("B", LEFT, 0, 48, entity("Passage", 1, target={"cx": 3, "cy": 1})),
        placed("C", RIGHT, 0, 0, GOAL, entity("Place", 1, iid="far"), worldDepth=3),
    )
    dungeon = parse(made)
    assert dungeon.ways == (Way((0, 1, 1), (0, 1, 3), "passage"), Way((0, 1, 6), (1, 1, 1), "warp"))


def test_levels_off_the_grid_are_moved_to_the_nearest_tile_and_it_is_said():
    made = world(placed("A", LEFT, 0, 0, START), placed("B", RIGHT, 64, 5, GOAL), layout="Free")
    dungeon = parse(made)
    assert dungeon.floors[0].terrain == ("########", "#......#", "########")
    assert any("not on one grid of 16 pixels" in remark for remark in dungeon.remarks)


def test_worlds_that_are_far_too_large():
    with pytest.raises(ParseError, match="at most 1,000,000 tiles"):
        parse(
            world(
                placed("A", ("#" * 3000,), 0, 0, entity("Player", 1, 0), entity("Exit", 2, 0)),
                placed("B", ("#",) * 3000, 0, 16),
            )
        )
    with pytest.raises(ParseError, match="a size and place that can be"):
        parse(world(placed("A", LEFT, 10**12, 0, START)))
    with pytest.raises(ParseError, match="at most 5,000 levels"):
        parse(world(*[placed(f"L{at}", ("#",), at * 16, 0) for at in range(5001)]))


def write_separate(folder: Path, *, name: str = "quest") -> Path:
    made = world(placed("A", LEFT, 0, 0, START, GOAL), placed("B", RIGHT, 64, 0))
    (folder / name).mkdir()
    for one in made["levels"]:
        (folder / name / f"{one['identifier']}.ldtkl").write_text(json.dumps(one))
        one |= {"layerInstances": None, "externalRelPath": f"{name}/{one['identifier']}.ldtkl"}
    (folder / f"{name}.ldtk").write_text(json.dumps({**made, "externalLevels": True}))
    return folder / f"{name}.ldtk"


def test_levels_in_files_are_joined_too(tmp_path: Path):
    path = write_separate(tmp_path)
    assert solvent.load(path).floors[0].terrain == ("########", "#......#", "########")
    (tmp_path / "quest" / "B.ldtkl").unlink()
    with pytest.raises(ParseError, match=r"at \$\.levels\[1\].*no such file.*quest/B\.ldtkl"):
        solvent.load(path)


def test_a_level_file_finds_its_project(tmp_path: Path):
    path = write_separate(tmp_path)
    lone = solvent.load(tmp_path / "quest" / "A.ldtkl")
    assert lone.floors[0].terrain == LEFT
    assert "this level alone, without the others of quest.ldtk" in lone.remarks
    with pytest.raises(NotRecognised, match=r"a start in this level.*its project is quest\.ldtk"):
        solvent.load(tmp_path / "quest" / "B.ldtkl")
    path.rename(tmp_path / "quest" / "other.ldtk")
    assert solvent.load(tmp_path / "quest" / "A.ldtkl") == lone
    (tmp_path / "quest" / "other.ldtk").write_text("{")
    with pytest.raises(ParseError, match=r"the level's project, a file that ends in \.ldtk.*found 'A\.ldtkl'"):
        solvent.load(tmp_path / "quest" / "A.ldtkl")
    with pytest.raises(ParseError, match="in a file on disk"):
        solvent.parse((tmp_path / "quest" / "A.ldtkl").read_text())


def test_a_level_file_looks_only_where_it_may(tmp_path: Path):
    write_separate(tmp_path)
    with confined([tmp_path / "quest"]), pytest.raises(ParseError, match="the level's project"):
        solvent.load(tmp_path / "quest" / "A.ldtkl")


@pytest.mark.parametrize(
    ("name", "floors"),
    [
        ("AutoLayers_1_basic", [(26, 37)]),
        ("Entities", [(29, 51)]),
        ("SeparateLevelFiles", [(15, 15)] * 3),
        ("Typical_TopDown_example", [(16, 64)]),
        ("WorldMap_GridVania_layout", [(144, 192), (96, 64), (32, 112)]),
    ],
)
def test_the_geometry_of_the_editors_own_samples(corpora: Path, name: str, floors: list[tuple[int, int]]):
    from solvent.formats.ldtk.reading import read_project
    from solvent.formats.touching import Rectangle, group_touching

    path = corpora / "ldtk" / f"{name}.ldtk"
    project = read_project(path.read_text(), path)
    levels = project.levels()
    places = [
        None if one.x is None or one.y is None else Rectangle(one.depth, one.x, one.y, one.width, one.height)
        for one in levels
    ]
    groups = group_touching(places)
    sizes = []
    for group in groups.groups:
        xs = [(levels[at].x or 0, levels[at].y or 0, levels[at].width, levels[at].height) for at in group]
        side = next(layer.grid for layer in levels[group[0]].layers if layer.kind == "IntGrid")
        high = max(y + h for _, y, _, h in xs) - min(y for _, y, _, _ in xs)
        wide = max(x + w for x, _, w, _ in xs) - min(x for x, _, _, _ in xs)
        sizes.append((high // side, wide // side))
    assert sizes == floors
    # What the editor itself says about neighbours must be what the coordinates say.
    together = {at: number for number, group in enumerate(groups.groups) for at in group}
    number_of = {one.iid: at for at, one in enumerate(levels)}
    for at, one in enumerate(levels):
        for neighbour in one.neighbours:
            if neighbour.direction in "nesw":
                assert together[at] == together[number_of[neighbour.level]]
