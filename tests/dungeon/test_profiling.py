"""The files of a profile: a heat map, and tables that add up to what was counted."""

from __future__ import annotations

import csv
from functools import partial
from io import StringIO
from xml.etree import ElementTree

import pytest

import solvent
from dungeon.dungeons import dungeon_of
from dungeon.strategies import random_dungeon
from helpers.examples import load_example
from solvent.core.errors import BadOption
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.profiling import profile_files
from solvent.dungeon.rooms import rooms_of

EXAMPLES = {example.name: example for example in DOMAIN.examples()}


example = partial(load_example, "dungeon")


def table(text: str) -> list[dict[str, str]]:
    """Read a table by its heading."""
    return list(csv.DictReader(StringIO(text)))


def by_place(rows: list[list[int]]) -> dict[tuple[int, ...], int]:
    """Return counts by place."""
    return {tuple(place): count for *place, count in rows}


@pytest.mark.parametrize("question", ["solvable", "losable"])
@pytest.mark.parametrize("name", ["first_door", "falling_doors", "up_and_down", "rooms_on_paper", "one_bomb_short"])
def test_the_tables_add_up_to_what_was_counted(name: str, question: str):
    dungeon = example(name)
    answer = solvent.ask(dungeon, question, profile=True)
    files = DOMAIN.profile(dungeon, answer)
    assert set(files) == {"heat.svg", "tiles.csv", "rooms.csv"}
    assert ElementTree.fromstring(files["heat.svg"]).tag.endswith("svg")
    tiles = table(files["tiles.csv"])
    heading = files["tiles.csv"].partition("\n")[0]
    assert heading == "floor,row,column,room,expanded,walked,situations"
    for column, counted in (("expanded", "heat"), ("walked", "walked")):
        counts = {tuple(int(tile[key]) for key in ("floor", "row", "column")): int(tile[column]) for tile in tiles}
        assert {place: count for place, count in counts.items() if count} == by_place(answer.stats[counted])
    rooms = table(files["rooms.csv"])
    assert [room["room"] for room in rooms if room["room"]] == [room.name for room in rooms_of(dungeon)]
    for room in rooms:
        for column in ("expanded", "walked"):
            assert int(room[column]) == sum(int(tile[column]) for tile in tiles if tile["room"] == room["room"])
    for count, runs in answer.stats["explored"]:
        assert count > 0
        assert all(length > 0 for *_, length in runs)


def test_macros_show_their_work_between_points():
    dungeon = dungeon_of("k......@......LG")
    files = profile_files(dungeon, solvent.ask(dungeon, profile=True).stats)
    tiles = {int(tile["column"]): tile for tile in table(files["tiles.csv"])}
    assert set(tiles) == set(range(16)), "no tile stays white"
    assert int(tiles[3]["walked"]) > 0
    assert int(tiles[3]["expanded"]) == 0
    assert int(tiles[0]["expanded"]) > 0
    stepwise = solvent.ask(dungeon, profile=True, macros=False).stats
    assert stepwise["walked"] == []
    assert stepwise["expanded"] >= sum(by_place(stepwise["heat"]).values()) > 16


def test_what_is_walked_over_is_what_macros_walk():
    """A macro that is tried walks over the tiles of one shortest walk, and those only."""
    for seed in range(40):
        dungeon = random_dungeon(seed)
        stats = solvent.ask(dungeon, profile=True, areas=False).stats
        if stats.get("macro_attempts"):
            walked = sum(by_place(stats["walked"]).values())
            tiles = sum(len(row) for floor in dungeon.floors for row in floor.terrain)
            assert walked <= stats["macro_attempts"] * tiles
            assert all(count > 0 for count in by_place(stats["walked"]).values())


def test_a_level_decided_by_areas_shows_that():
    dungeon = example("one_bomb_short")
    stats = solvent.ask(dungeon, profile=True).stats
    assert stats["heat"] == []
    assert sum(count for count, _ in stats["explored"]) == stats["situations"]
    files = profile_files(dungeon, stats)
    assert "Decided by areas" in files["heat.svg"]
    assert any(int(room["situations"]) for room in table(files["rooms.csv"]))


def test_nothing_to_search_is_a_white_map():
    dungeon = dungeon_of("@.G", played="EE")
    files = profile_files(dungeon, solvent.ask(dungeon, profile=True).stats)
    assert "No search was needed." in files["heat.svg"]
    assert table(files["tiles.csv"]) == []


def test_tiles_in_no_room_are_counted_apart():
    dungeon = example("falling_doors")
    files = profile_files(dungeon, {"heat": [[0, 2, 2, 3], [0, 2, 6, 2], [0, 4, 3, 1]]})
    tiles = table(files["tiles.csv"])
    assert [(tile["room"], tile["expanded"]) for tile in tiles] == [("hall", "3"), ("", "2"), ("", "1")]
    nothing = {"walked": "0", "situations": "0"}
    assert table(files["rooms.csv"])[-1] == {"room": "", "tiles": "2", "expanded": "3", **nothing}
    assert table(files["rooms.csv"])[0] == {"room": "hall", "tiles": "15", "expanded": "3", **nothing}


def test_the_same_counts_give_the_same_files():
    for seed in range(10):
        dungeon = random_dungeon(seed)
        heat = [[*dungeon.start, 5]]
        assert profile_files(dungeon, {"heat": heat}) == profile_files(dungeon, {"heat": heat})
        assert table(profile_files(dungeon, {"heat": heat})["tiles.csv"])[0]["expanded"] == "5"


def test_without_the_option_that_is_said():
    dungeon = example("first_door")
    answer = solvent.ask(dungeon)
    assert "heat" not in answer.stats
    with pytest.raises(BadOption, match="takes the option profile"):
        DOMAIN.profile(dungeon, answer)
