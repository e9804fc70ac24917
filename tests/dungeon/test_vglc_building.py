from __future__ import annotations

import json

import pytest

from dungeon.vglc_maps import STATUES, dot, lay, room, shortest_plan, write_pair
from solvent.core.errors import ParseError
from solvent.dungeon.model import Dungeon, Gate, Pickup
from solvent.dungeon.notation.vglc.files import parse_map
from solvent.dungeon.notation.vglc.graph import parse_dot
from solvent.dungeon.notation.vglc.matching import read_matching
from solvent.dungeon.notation.vglc.tiles import parse_tiles

WATER = {(row, 5): "P" for row in range(2, 14)}
BLOCKS = {(row, 5): "B" for row in range(2, 14)}


def read(folder, map_text: str, graph_text: str, matching: dict | None = None) -> Dungeon:
    path = write_pair(folder, map_text, graph_text)
    if matching is not None:
        (folder / "cave.matching.json").write_text(json.dumps(matching))
    return parse_map(map_text, path)


def ways_between(dungeon: Dungeon, one: tuple[int, int], other: tuple[int, int]) -> list:
    """Return the ways from one room of the grid to another, as tiles within them."""
    return [
        (way.source[1] % 16, way.source[2] % 11, way.target[1] % 16, way.target[2] % 11, way.kind)
        for way in dungeon.ways
        if (way.source[1] // 16, way.source[2] // 11) == one and (way.target[1] // 16, way.target[2] // 11) == other
    ]


def test_doors_locks_and_what_lies_in_rooms(tmp_path):
    map_text = lay([[room("WE"), room("WS")], [None, room("N", STATUES)]])
    nodes = {"0": "s", "1": "e,k", "2": "p,i", "3": "t"}
    graph = dot(nodes, ("0", "1", ""), ("1", "2", "l", ""), ("2", "3", "k"))
    dungeon = read(tmp_path, map_text, graph)
    assert dungeon.start == (0, 7, 1)
    assert dungeon.goals == ((0, 23, 16),)
    assert dungeon.pickups == (
        Pickup((0, 7, 5), "key"),
        Pickup((0, 7, 5), "monster"),
        Pickup((0, 7, 16), "bombs", count=0),
    )
    assert [(each.name, each.corner, each.height, each.width) for each in dungeon.rooms] == [
        ("1", (0, 0, 0), 16, 11),
        ("2", (0, 0, 11), 16, 11),
        ("3", (0, 16, 11), 16, 11),
    ]
    assert dungeon.rooms[0].labels == ("enemy", "key")
    assert dungeon.gates == (Gate("soft", ("1",)), Gate("lock", ("",)))
    assert ways_between(dungeon, (0, 0), (0, 1)) == [(7, 9, 7, 1, "door"), (8, 9, 8, 1, "door")]
    assert ways_between(dungeon, (0, 1), (1, 1)) == [(14, column, 1, column, "door") for column in (4, 5, 6)]
    assert {way.gate for way in dungeon.ways if way.source[1] // 16 != way.target[1] // 16} == {1}
    # in at the door, 4 to the key, 4 on, through, 4 + 3 to the middle of the south wall, through, 6 down to the goal
    plan = shortest_plan(dungeon)
    assert plan is not None
    assert len(plan) == 4 + 4 + 1 + 4 + 7 + 1 + 6
    assert dungeon.title == "cave"
    assert any("which node is which room was found from the texts: cost 0" in remark for remark in dungeon.remarks)


def test_terrain(tmp_path):
    inside = {(3, 3): "B", (3, 4): "M", (3, 5): "I", (3, 6): "P", (3, 7): "O", (4, 3): "S", (4, 4): "-"}
    map_text = lay([[room("WE", inside), room("WE", STATUES), None, room(fill="P")]])
    nodes = {"0": "s", "1": "", "2": "t", "3": "e"}
    dungeon = read(tmp_path, map_text, dot(nodes, ("0", "1", ""), ("1", "2", ""), ("2", "3", "")))
    rows = dungeon.floors[0].terrain
    assert rows[3][:11] == "##.###~..##"
    assert rows[4][:11] == "##.......##"
    assert rows[7][:22] == "#.........##.........#"
    assert rows[3][22:33] == " " * 11
    assert rows[3][33:] == "##.......##"


def test_a_half_door_is_a_one_way(tmp_path):
    map_text = lay([[room("W"), room("W"), room("", STATUES)]])
    nodes = {"0": "s", "1": "", "2": "e", "3": "t"}
    graph = dot(nodes, ("0", "1", ""), ("1", "2", "", "-"), ("2", "3", "b"))
    dungeon = read(tmp_path, map_text, graph)
    assert ways_between(dungeon, (0, 0), (0, 1)) == [(7, 8, 7, 1, "door"), (8, 8, 8, 1, "door")]
    assert ways_between(dungeon, (0, 1), (0, 0)) == []
    assert ways_between(dungeon, (0, 1), (0, 2)) == [(7, 8, 7, 2, "passage"), (8, 8, 8, 2, "passage")]
    assert dungeon.gates == (Gate("cracked"),)
    assert "doors drawn on one side only: 1 and 2" in dungeon.remarks
    assert shortest_plan(dungeon) is not None


def test_walls_that_are_walked_through(tmp_path):
    map_text = lay([[room("W"), room("", {(7, 2): "B"})], [room("", STATUES), room()]])
    nodes = {"0": "s", "1": "", "2": "e", "3": "", "4": "t"}
    edges = (("0", "1", ""), ("1", "2", ""), ("2", "3", "l"), ("3", "4", ""), ("1", "4", "b"))
    matching = {"0": "outside", "1": [0, 0], "2": [0, 1], "3": [1, 1], "4": [1, 0]}
    dungeon = read(tmp_path, map_text, dot(nodes, *edges), matching)
    assert ways_between(dungeon, (0, 0), (0, 1)) == [(8, 8, 8, 2, "passage")]
    assert "edges through plain walls, where one walks through: 1 and 2; 2 and 3; 3 and 4" in dungeon.remarks
    assert dungeon.remarks[0] == "cave.matching.json says which node is which room"
    assert len(shortest_plan(dungeon)) == 9 + 1 + 6  # by the wall to bomb: bombs are without end


def test_stairs_and_a_basement(tmp_path):
    map_text = lay([[room("W", {(2, 2): "S"}), None, room("E", {(3, 3): "S"}), room("W", STATUES)]])
    nodes = {"0": "s", "1": "e", "2": "p", "3": "t", "4": "I"}
    edges = (("0", "1", ""), ("1", "2", "l"), ("2", "3", "I"), ("3", "4", ""))
    dungeon = read(tmp_path, map_text, dot(nodes, *edges))
    assert ways_between(dungeon, (0, 0), (0, 2)) == [(2, 2, 3, 3, "stairs")]
    assert [floor.name for floor in dungeon.floors] == ["map", "basement 4"]
    assert Pickup((1, 0, 0), "item", "item") in dungeon.pickups
    assert [(way.source, way.target) for way in dungeon.ways if way.source[0] == 1] == [((1, 0, 0), (0, 7, 38))]
    assert "stairs that are not drawn are put in the middle of the rooms 3" in dungeon.remarks
    assert shortest_plan(dungeon) is None  # the item is behind the gate that needs it


@pytest.mark.parametrize(
    ("divider", "label", "ways"), [(WATER, "I", 0), (WATER, "", 1), (BLOCKS, "I", 1), (BLOCKS, "", 1)]
)
def test_a_room_in_two_parts(tmp_path, divider, label, ways):
    map_text = lay([[room("WE", divider), room("W", STATUES)]])
    nodes = {"0": "s", "1": "I", "2": "p", "3": "t"}
    dungeon = read(tmp_path, map_text, dot(nodes, ("0", "1", ""), ("1", "2", label), ("2", "3", "")))
    assert [each.name for each in dungeon.rooms] == ["1 2", "3"]
    assert len(ways_between(dungeon, (0, 0), (0, 0))) == 2 * ways
    assert [pickup.place for pickup in dungeon.pickups] == [(0, 7, 3)]
    assert shortest_plan(dungeon) is not None
    without = [way for way in dungeon.ways if way.source[2] // 11 == way.target[2] // 11]
    assert all((way.gate is not None) == bool(label) for way in without)


def test_a_room_in_pieces_is_joined_for_a_single_node(tmp_path):
    pocket = {(2, 7): "B", (3, 7): "B", (3, 8): "B", (2, 8): "S"}
    map_text = lay([[room("W", pocket), None, room("", STATUES | {(7, 7): "S"})]])
    nodes = {"0": "s", "1": "e", "2": "t"}
    dungeon = read(tmp_path, map_text, dot(nodes, ("0", "1", ""), ("1", "2", "")))
    assert sorted(ways_between(dungeon, (0, 0), (0, 0))) == [(2, 6, 2, 8, "passage"), (2, 8, 2, 6, "passage")]
    assert "rooms in pieces that the graph has as one, joined by ways: 1" in dungeon.remarks
    assert shortest_plan(dungeon) is not None


def test_a_drawn_door_without_an_edge_stays_shut(tmp_path):
    map_text = lay([[room("WES"), room("WS")], [room("NE"), room("NW", STATUES)]])
    nodes = {"0": "s", "1": "", "2": "e", "3": "e,k", "4": "t"}
    graph = dot(nodes, ("0", "1", ""), ("1", "2", "k"), ("1", "3", ""), ("3", "4", "l", ""))
    matching = {"0": "outside", "1": [0, 0], "2": [0, 1], "3": [1, 0], "4": [1, 1]}
    dungeon = read(tmp_path, map_text, graph, matching)
    shut = [remark for remark in dungeon.remarks if remark.startswith("doors that are drawn but have no edge")]
    assert shut == ["doors that are drawn but have no edge are left shut: 2 and 4"]
    assert ways_between(dungeon, (0, 1), (1, 1)) == ways_between(dungeon, (1, 1), (0, 1)) == []


MAP = lay([[room("WE"), room("WS", WATER)], [None, room("N", STATUES)]])
GRAPH = dot({"0": "s", "1": "k", "2": "t", "3": "I"}, ("0", "1", ""), ("1", "3", ""), ("3", "2", "k"))


@pytest.mark.parametrize(
    ("matching", "message"),
    [
        ([], r"cave\.matching\.json, at the top: expected an object with a place for each node, found \[\]"),
        ({"9": [0, 0]}, r"at 9: expected nodes of the graph, found '9'"),
        ({"0": [0, 0]}, r'at 0: expected "outside" for the node 0, labelled s, and for no other'),
        ({"1": "outside"}, r'at 1: expected "outside" for the node 0'),
        ({"1": [1, 0]}, r"at 1: expected a room that is drawn on the map, found \[1, 0\]"),
        ({"1": [0]}, r"at 1: expected \[row, column\] of a room, or with a tile in it, or \"basement\", found \[0\]"),
        ({"1": [0, True]}, r"at 1: expected \[row, column\]"),
        ({"1": [0, 0, 0, 0]}, r"at 1: expected a tile inside the room one can stand on, found \[0, 0\]"),
        ({"1": [0, 0], "2": [1, 1]}, r"a place for every node, but there is none for 3"),
        ({"1": [0, 0], "2": [0, 0], "3": [0, 1]}, r"at most 1 nodes in the room \[0, 0\]"),
        (
            {"1": [0, 1, 7, 2], "2": [1, 1], "3": [0, 1, 8, 2]},
            r"nodes that share the room \[0, 1\] in parts of their own",
        ),
    ],
)
def test_a_wrong_matching_is_refused(tmp_path, matching, message):
    with pytest.raises(ParseError, match=message):
        read(tmp_path, MAP, GRAPH, matching)


def test_a_matching_that_is_no_json_is_refused(tmp_path):
    path = write_pair(tmp_path, MAP, GRAPH)
    (tmp_path / "cave.matching.json").write_text("{\n1: 2}")
    with pytest.raises(ParseError, match=r"cave\.matching\.json, line 2, column 1: expected a matching as JSON"):
        parse_map(MAP, path)


def test_the_only_graph_in_the_folder_is_taken(tmp_path):
    (tmp_path / "rooms.dot").write_text(GRAPH)
    given = {"0": "outside", "1": [0, 0], "2": [1, 1], "3": [0, 1]}
    (tmp_path / "cave.matching.json").write_text(json.dumps(given))
    dungeon = parse_map(MAP, tmp_path / "cave.txt")
    assert [each.name for each in dungeon.rooms] == ["1", "2", "3"]


def test_the_layout_of_the_corpus_is_known(tmp_path):
    for folder in ("Processed", "Graph Processed"):
        (tmp_path / folder).mkdir()
    (tmp_path / "Graph Processed" / "LoZ2_3.dot").write_text(GRAPH)
    given = {"2-3": {"0": "outside", "1": [0, 0], "2": [1, 1], "3": [0, 1]}}
    (tmp_path / "embedding.json").write_text(json.dumps(given))
    dungeon = parse_map(MAP, tmp_path / "Processed" / "tloz3_2.txt")
    assert dungeon.title == "quest 2, dungeon 3"
    assert dungeon.remarks[0] == "embedding.json says which node is which room"
    given["2-3"]["1"] = [4, 4]
    (tmp_path / "embedding.json").write_text(json.dumps(given))
    with pytest.raises(ParseError, match=r"embedding\.json, at 2-3\.1: expected a room that is drawn"):
        parse_map(MAP, tmp_path / "Processed" / "tloz3_2.txt")


def test_broken_graphs_name_their_file(tmp_path):
    path = write_pair(tmp_path, MAP, "digraph { }")
    with pytest.raises(ParseError, match=r"cave\.dot: expected exactly one node labelled s"):
        parse_map(MAP, path)


def test_nodes_in_a_room_of_many_parts_must_say_where_they_are():
    blocks = {(row, column): "B" for row in range(2, 14) for column in range(2, 9) if (row + column) % 2}
    tiles = parse_tiles(lay([[room("S", blocks)]]))
    nodes = {"0": "s", **{str(node): "e" for node in range(1, 8)}, "8": "t"}
    graph = parse_dot(dot(nodes, *((str(node), str(node + 1), "") for node in range(8))))
    places = {"0": "outside", **{str(node): [0, 0] for node in range(1, 9)}}
    with pytest.raises(
        ParseError, match=r"the tile of every node in the room \[0, 0\], which has 42 parts, found '1, 2, "
    ):
        read_matching(places, tiles, graph)
    spots = sorted(min(region) for region in tiles.rooms[0, 0].regions)
    told = {"0": "outside", **{str(node): [0, 0, *spots[node]] for node in range(1, 9)}}
    assert len(set(read_matching(told, tiles, graph).parts.values())) == 8
