"""The files of a profile: a heat map, and tables that add up to what was counted."""

from __future__ import annotations

import csv
from functools import partial
from io import StringIO
from xml.etree import ElementTree

import pytest

import solvent
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


@pytest.mark.parametrize("name", ["first_door", "falling_doors", "up_and_down", "rooms_on_paper"])
def test_the_tables_add_up_to_what_was_counted(name: str):
    dungeon = example(name)
    answer = solvent.ask(dungeon, "solvable", profile=True)
    files = DOMAIN.profile(dungeon, answer)
    assert set(files) == {"heat.svg", "tiles.csv", "rooms.csv"}
    assert ElementTree.fromstring(files["heat.svg"]).tag.endswith("svg")
    heat = {tuple(place): count for *place, count in answer.stats["heat"]}
    tiles = table(files["tiles.csv"])
    assert list(tiles[0]) == ["floor", "row", "column", "room", "count"]
    counts = {tuple(int(tile[key]) for key in ("floor", "row", "column")): int(tile["count"]) for tile in tiles}
    assert counts == heat
    rooms = table(files["rooms.csv"])
    assert list(rooms[0]) == ["room", "tiles", "count"]
    assert sum(int(room["count"]) for room in rooms) == sum(heat.values()) > 0
    named = [room["room"] for room in rooms if room["room"]]
    assert named == [room.name for room in rooms_of(dungeon)]
    for room in rooms:
        assert int(room["count"]) == sum(int(tile["count"]) for tile in tiles if tile["room"] == room["room"])


def test_tiles_in_no_room_are_counted_apart():
    dungeon = example("falling_doors")
    files = profile_files(dungeon, {"heat": [[0, 2, 2, 3], [0, 2, 6, 2], [0, 4, 3, 1]]})
    tiles = table(files["tiles.csv"])
    assert [(tile["room"], tile["count"]) for tile in tiles] == [("hall", "3"), ("", "2"), ("", "1")]
    assert table(files["rooms.csv"])[-1] == {"room": "", "tiles": "2", "count": "3"}
    assert table(files["rooms.csv"])[0] == {"room": "hall", "tiles": "15", "count": "3"}


def test_the_same_counts_give_the_same_files():
    for seed in range(10):
        dungeon = random_dungeon(seed)
        heat = [[*dungeon.start, 5]]
        assert profile_files(dungeon, {"heat": heat}) == profile_files(dungeon, {"heat": heat})
        assert table(profile_files(dungeon, {"heat": heat})["tiles.csv"])[0]["count"] == "5"


def test_nothing_counted_is_said():
    dungeon = example("first_door")
    answer = solvent.ask(dungeon, "losable", profile=True)
    assert "heat" not in answer.stats
    with pytest.raises(BadOption, match="only a search for a plan counts tiles"):
        DOMAIN.profile(dungeon, answer)
