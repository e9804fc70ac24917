from __future__ import annotations

import pytest

from dungeon.vglc_maps import STATUES, dot, lay, room
from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.formats import sniff_graph, sniff_map
from solvent.dungeon.model import AllOf, AnyOf, Cleared, Gate, Have, Not, Pickup
from solvent.dungeon.notation.vglc.files import format_map, parse_map
from solvent.dungeon.notation.vglc.graph import parse_dot
from solvent.dungeon.notation.vglc.rooms_only import format_graph, parse_graph
from solvent.dungeon.notation.vglc.tiles import parse_tiles

MAP = lay([[room("E"), room("WS")], [None, room("NE", STATUES)]])
NODES = {"0": "s", "1": "e,k", "2": "p", "3": "t"}
GRAPH = dot(NODES, ("0", "1", ""), ("1", "2", "l", ""), ("2", "3", "k"))


def test_a_map_is_cut_into_rooms():
    tiles = parse_tiles(MAP)
    assert list(tiles.rooms) == [(0, 0), (0, 1), (1, 1)]
    assert [sorted(each.doors) for each in tiles.rooms.values()] == [["E"], ["S", "W"], ["E", "N"]]
    assert tiles.outside_doors() == [((1, 1), "E")]
    assert tiles.neighbour((0, 0), "S") is None
    assert tiles.side_towards((0, 1), (1, 1)) == "S"


def test_water_and_blocks_divide_a_room_but_sand_does_not():
    water = {(row, 5): "P" for row in range(2, 14)}
    tiles = parse_tiles(lay([[room("", water), room("", {(7, 5): "B"}), room(fill="P"), room(fill="-")]]))
    divided, whole, sand, dark = tiles.rooms.values()
    assert [len(region) for region in divided.regions] == [36, 36]
    assert divided.regions_at("W") == {0}
    assert divided.regions_at("E") == {1}
    assert divided.regions_at("N") == {0, 1}
    assert [len(region) for region in whole.regions] == [83]
    assert sand.is_sand
    assert [len(region) for region in sand.regions] == [84]
    assert dark.is_dark
    assert [len(region) for region in dark.regions] == [84]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a tile map"),
        ("\n\n", "a tile map"),
        ("W" * 12 + "\n", "line 1: expected rows of rooms that are 11 tiles wide, found '12 tiles'"),
        (MAP.replace("W", "Q", 1), "line 1, column 1: expected one of the letters"),
        (MAP[:-5] + "\n", "line 32: expected rows of 22 tiles"),
        ("W" * 11 + "\n", "expected rooms that are 16 tiles high, found '1 rows'"),
        (("-" * 11 + "\n") * 16, "a room, but the map is empty"),
    ],
)
def test_broken_maps_are_refused_with_the_place(text, message):
    with pytest.raises(ParseError, match=message.replace("(", r"\(")):
        parse_tiles(text)


def test_texts_are_told_apart():
    assert sniff_map(MAP)
    assert sniff_map(MAP.replace("\n", "\r\n"))
    assert sniff_graph(GRAPH)
    assert sniff_graph("// by hand\n/* of rooms */ strict digraph cave { }")
    for other in ("", "dungeon: Cave\n", '{"layers": []}', "W", "digraphs are nice", GRAPH, "WWWW\n" * 20):
        assert not sniff_map(other)
    for drawn in ("graph { a -- b }", '\ufeffStrict DIGRAPH "a {" /* b */ {', "digraph cave.1\n{"):
        assert sniff_graph(drawn)
    for other in (
        "",
        MAP,
        "graph a -- b",
        "a graph { }",
        "graph: {",
        "digraphs are nice",
        "/* " * 1500,
        "# // " * 1000,
        "/**/" * 1000,
    ):
        assert not sniff_graph(other)


def test_the_quirks_of_the_corpus_are_read():
    graph = parse_dot(
        'digraph {\n0 [label="s"]\n1 [label="e,k\n"]\n2 [label="ep"]\n3 [label="e,,i,"];\n4 [label="t"]\n'
        '0 -> 1 [label=""]\n1 -> 0 [label=""]\n1 -> 2 -> 3 [label="S1,I", color=red]\n3 -> 4 [label="k"] 2 -> 2\n}'
    )
    assert graph.nodes == {"0": ("s",), "1": ("e", "k"), "2": ("e", "p"), "3": ("e", "i"), "4": ("t",)}
    assert graph.edges["1", "2"] == graph.edges["2", "3"] == (("I", "S1"),)
    assert graph.edges["3", "4"] == (("k",),)
    assert graph.loops == ("2",)
    assert (graph.outside, graph.goals) == ("0", ("4",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tree { }", "digraph or graph at the beginning, found 'tree'"),
        ('digraph { 0 [label="s"]', "} at the end of the graph, found 'the end'"),
        ('digraph {\n0 [label="x"] }', "line 2: expected labels of a room: s .start.*found 'x'"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0 -> 1 [label="k,b"] }', "one kind of lock on an edge.*'b,k'"),
        ('digraph { 0 [label="t"] }', "exactly one node labelled s.*'none'"),
        ('digraph { 0 [label="s"] 1 [label="s"] 2 [label="t"] }', "exactly one node labelled s.*'0, 1'"),
        ('digraph { 0 [label="s"] }', "a node labelled t"),
        ('digraph { 0 [label="s"] 0 [label="t"] }', "one label for each node, found 'a second one for 0'"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0->1 [label="O"] }', "a switch beside O.*found '0 to 1'"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0->1 [label="s,k"] }', "one kind of lock on an edge.*'k,s'"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0->1 [label="12"] }', "labels of a way: l .soft lock.*found '12'"),
        ('digraph { 0 [label="s"] 1 [label="Hall"]\n2 [label="x,Den"] }', "line 1: .*found 'Hall, x, Den'"),
        ('digraph { 0 [label="s"] 1 [label="best"] }', "labels of a room.*found 'best'"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0->1 [lockedBy=red] }', "letters in its label, not as lockedby"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0->1 [dir=up] }', "forward, back, both or none as dir, found 'up'"),
        ('digraph { 0 [label="s"] 1 [label="t"] 0--1 }', "-> between the nodes of a digraph, found '--'"),
        ('graph { 0 [label="s"] 1 [label="t"] 0->1 }', "-- between the nodes of a graph, found '->'"),
        ('digraph { 0 [label="s] }', "a quote that is closed"),
        ("digraph { 0 [label=<<b>s</b>] }", "a < that is closed"),
        ('digraph { 0 [label="s"] 1 [label="t"] } }', "nothing after the graph"),
        ("digraph { a@b }", "a graph in DOT, found '@'"),
        ("digraph { a: }", "a port after :, found '}'"),
        ("digraph " + "{" * 70, "at most 60 braces within each other"),
    ],
)
def test_broken_graphs_are_refused(text, message):
    with pytest.raises(ParseError, match=message):
        parse_dot(text)


ENDS = '0 [label="s"] 1 [label="t"]'


@pytest.mark.parametrize(
    "attribute",
    [
        "xlabel=k",
        "taillabel=k",
        'headlabel="locked"',
        "type=locked",
        "cond=key",
        "kind=k",
        "kind=S2",
        "state=closed",
        'comment="locked"',
        'tooltip="needs key"',
        "edgetooltip=K",
        "class=one_way",
        'note="k, I"',
    ],
)
def test_what_bars_a_way_stands_in_its_label(attribute):
    name = attribute.partition("=")[0]
    for text in (
        f"digraph {{ {ENDS} 0 -> 1 [{attribute}] }}",
        f"digraph {{ {ENDS} edge [{attribute}] 0 -> 1 }}",
        f"digraph {{ {ENDS} 2 [{attribute}] 0 -> 1 }}",
    ):
        with pytest.raises(ParseError, match=f"as letters in its label, not as {name}, found"):
            parse_dot(text)


@pytest.mark.parametrize("body", ["subgraph cluster_a { label=locked; 0 }", "{ graph [tooltip=locked] 0 }"])
def test_what_bars_a_part_of_the_graph_is_refused(body):
    with pytest.raises(ParseError, match=r"letters in its label, not as .*found 'locked'"):
        parse_dot(f"digraph {{ {ENDS} {body} 0 -> 1 }}")
    parse_dot(f"digraph {{ label=locked; {ENDS} 0 -> 1 [label=k, tooltip=k, comment=stone] }}")  # a title; said twice


def test_the_same_lock_twice_on_a_way_is_refused():
    for labels in ("k,k", "I,S1,S1"):
        with pytest.raises(ParseError, match=f"each lock of a way once.*found '{labels}'"):
            parse_dot(f'digraph {{ {ENDS} 0 -> 1 [label="{labels}"] }}')


def said(text: str) -> str:
    return "\n".join(parse_dot(text).remarks)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('2 [label="e,27"] 0 -> 1', "numbers among the labels of rooms mean nothing here: 27 (room 2)"),
        ('2 [label="ep"] 0 -> 1', "labels without commas were taken apart: ep as e,p (room 2)"),
        (
            '2 [label="E,s1"] 0 -> 1 [label=B]',
            "read as its own: E as e (room 2), s1 as S1 (room 2) and B as b (0 to 1)",
        ),
        ('0 -> 1 [label="S2"]', "no room has these switches, so the ways that need them stay shut: S2 (0 to 1)"),
        ('2 [label="S6"] 0 -> 1 [label="O,S6"]', "the corpus does not say what O means; "),
        ('2 [label="S"]', "switches (S1) stay on"),
        ('0 -> 1 [label="l,S1"] 2 [label=S1]', "soft locks on ways that something else bars too are left out: 0 to 1"),
        ("0 -> 1 0 -> 1 [label=k]", "are several ways: 0 to 1"),
        ("0 -> 1 0 -> 1", "edges that are there more than once count once: 0 to 1"),
        ("0 -> 1 [label=s] 0 -> 1", "impassable (s) by one edge and not by another can be gone: 0 to 1"),
        ("1 -> 0 [dir=both]", "edges whose arrows are drawn another way (dir) go as drawn: 1 to 0 (both)"),
        ("0 -> 1 [style=invis]", "invisible edges are left out: 0 to 1"),
        ("0 -> 2 -> 1", "nodes without a line of their own hold nothing: 2"),
        ("0 -> 1 [mood=grim]", "attributes that mean nothing here: mood=grim (of an edge)"),
        ('0 -> 1 [xlabel="east  wing"]', "attributes that mean nothing here: xlabel=east wing (of an edge)"),
        ("subgraph cluster_a { label=Cellar; 0 -> 1 }", "mean nothing here: label=Cellar (of a subgraph)"),
    ],
)
def test_what_is_odd_is_remarked(body, message):
    assert message in said(f"digraph {{ {ENDS} {body} }}")
    assert said(f"digraph {{ {ENDS} 0 -> 1 1 -> 0 [color=red, weight=2] }}") == ""


def test_a_remark_lists_some_and_counts_the_rest():
    body = " ".join(f"0 -> {node}" for node in range(2, 40))
    assert "12 and 27 more" in said(f"digraph {{ {ENDS} {body} }}")


def test_graphs_without_directions_go_both_ways():
    graph = parse_dot(f"graph {{ {ENDS} 0 -- 1 [label=k] }}")
    assert graph.edges == {("0", "1"): (("k",),), ("1", "0"): (("k",),)}
    assert graph.remarks == ("the graph has no directions: every way goes both ways",)
    assert len(parse_graph(f"graph {{ {ENDS} 0 -- 1 [label=k] }}").gates) == 1


def test_parallel_edges_with_different_locks_are_ways_of_their_own():
    dungeon = parse_graph(dot(NODES, ("0", "3", "k"), ("0", "3", "b"), ("0", "1", "")))
    assert dungeon.gates == (Gate("lock", ("",)), Gate("cracked"))
    ways = [way.gate for way in dungeon.ways if (way.source[0], way.target[0]) == (0, 3)]
    assert sorted(ways) == [0, 1]
    assert sorted(way.gate for way in dungeon.ways if (way.source[0], way.target[0]) == (3, 0)) == [0, 1]
    assert parse_graph(format_graph(dungeon)) == dungeon


def test_default_labels_bar_what_comes_after_them():
    graph = parse_dot(
        'digraph { node [label="e"] 0 [label=s] 1 [label=t] 2 0 -> 2 edge [label="k"] 2 -> 1 '
        "{ edge [label=b] 0 -> 1 } 1 -> 0 2 -> 0 [label=I] }"
    )
    assert graph.nodes["2"] == ("e",)
    assert graph.edges == {
        ("0", "2"): ((),),
        ("2", "1"): (("k",),),
        ("0", "1"): (("b",),),
        ("1", "0"): (("k",),),
        ("2", "0"): (("I",),),
    }


def test_a_graph_alone_is_a_dungeon_of_one_tile_a_room():
    dungeon = parse_graph(GRAPH)
    assert [floor.name for floor in dungeon.floors] == ["0", "1", "2", "3"]
    assert (dungeon.start, dungeon.goals) == ((0, 0, 0), ((3, 0, 0),))
    assert dungeon.pickups == (Pickup((1, 0, 0), "key"), Pickup((1, 0, 0), "monster"))
    assert [(each.name, each.labels) for each in dungeon.rooms] == [("1", ("enemy",)), ("2", ("puzzle",))]
    assert dungeon.gates == (Gate("soft", ("1",)), Gate("lock", ("",)))
    assert [(way.source[0], way.target[0], way.gate) for way in dungeon.ways] == [
        (0, 1, None),
        (1, 0, None),
        (1, 2, 0),
        (2, 1, 0),
        (2, 3, 1),
        (3, 2, 1),
    ]
    assert dungeon.rules.bombs is None
    assert dungeon.rules.soft == "open"
    assert dungeon.rules.player == "thorough"


def test_labels_become_pickups_and_gates():
    nodes = {"a": "s", "b": "k,k,K", "c": "I,S1,i", "d": "m", "e": "t"}
    edges = (("a", "b", "K"), ("b", "c", "b"), ("c", "d", "I,S1"), ("d", "e", "l"), ("a", "c", "k", ""))
    dungeon = parse_graph(dot(nodes, *edges))
    assert dungeon.pickups == (
        Pickup((1, 0, 0), "key", "", 2),
        Pickup((1, 0, 0), "key", "boss"),
        Pickup((2, 0, 0), "bombs", count=0),
        Pickup((2, 0, 0), "item", "S1"),
        Pickup((2, 0, 0), "item", "item"),
        Pickup((3, 0, 0), "monster"),
    )
    assert dungeon.gates == (
        Gate("rule", rule=Have("key", "boss")),
        Gate("cracked"),
        Gate("item", ("S1", "item")),
        Gate("soft", ("d",)),
        Gate("soft", ("e",)),
        Gate("lock", ("",)),
    )
    assert [way.gate for way in dungeon.ways if way.source[0] == 2 and way.target[0] == 0] == [None]


def test_what_is_left_out_is_remarked():
    nodes = {"0": "s", "1": "e,t", "2": "t"}
    dungeon = parse_graph(dot(nodes, ("0", "1", ""), ("0", "2", "s"), ("1", "1", ""), ("1", "2", "")))
    said = "\n".join(dungeon.remarks)
    assert "impassable edges (s) are left out: 0 and 2" in said
    assert "from a node to itself are left out: 1" in said
    assert "the goal is 2; the t among the labels of 1 is not" in said
    assert dungeon.goals == ((2, 0, 0),)
    assert all({way.source[0], way.target[0]} != {0, 2} for way in dungeon.ways)


ROUND_TRIPS = [
    GRAPH,
    dot(
        {"0": "s,k", "1": "e,m,b,p,i,i,I,S,S12,K", "2": "t"},
        ("0", "1", "l", ""),
        ("1", "2", "-", ""),
        ("0", "2", "b", "k"),
    ),
    'digraph "The \\"old\\" cave" {"node" [label="s"] "north hall" [label="t"] "node" -> "north hall" [label="I,S1"]}',
    dot({"0": "s", "1": "", "2": "t"}, ("1", "2", "k"), ("0", "1", "b"), ("0", "2", "l")),
]


@pytest.mark.parametrize("text", ROUND_TRIPS)
def test_graphs_round_trip(text):
    dungeon = parse_graph(text)
    written = format_graph(dungeon)
    assert parse_graph(written) == dungeon
    assert format_graph(parse_graph(written)) == written


def test_what_a_graph_cannot_say_is_refused():
    from dataclasses import replace

    dungeon = parse_graph(GRAPH)
    for changes, message in (
        ({"rules": replace(dungeon.rules, bombs=8)}, "rules"),
        ({"played": ("0",)}, "moves that were played"),
        ({"ways": tuple(replace(way, kind="stairs") for way in dungeon.ways)}, "ways that are not doors"),
        ({"pickups": (*dungeon.pickups, Pickup((2, 0, 0), "key", "red", 2))}, None),
        ({"pickups": (*dungeon.pickups, Pickup((2, 0, 0), "item", "ladder", rule=Have("bombs")))}, None),
        ({"floors": (replace(dungeon.floors[0], terrain=("..",)), *dungeon.floors[1:])}, "more than one tile"),
        ({"gates": (dungeon.gates[0], Gate("lock", ("red",)))}, "a red lock"),
        ({"rooms": ()}, "cannot hold this dungeon"),
        ({"title": "two\\nlines"}, None),
    ):
        changed = replace(dungeon, **changes)
        if message is None:
            assert parse_graph(format_graph(changed)) == changed
        else:
            with pytest.raises(BadOption, match=message):
                format_graph(changed)


def test_a_map_alone_is_not_enough(tmp_path):
    with pytest.raises(ParseError, match="keep the map in a file and its graph beside it"):
        parse_map(MAP, None)
    path = tmp_path / "cave.txt"
    with pytest.raises(ParseError, match=r"as cave\.dot, found 'no \.dot file'"):
        parse_map(MAP, path)
    for name in ("a.dot", "b.dot"):
        (tmp_path / name).write_text(GRAPH)
    with pytest.raises(ParseError, match=r"'2 other \.dot files'"):
        parse_map(MAP, path)
    (tmp_path / "cave.dot").write_bytes(b"\xff\xfe")
    with pytest.raises(ParseError, match=r"expected a graph in UTF-8, found 'cave\.dot'"):
        parse_map(MAP, path)
    with pytest.raises(BadOption, match="only read"):
        format_map(parse_graph(GRAPH))


def test_boss_locks_for_which_there_are_fewer_keys_are_remarked():
    graph = (
        'digraph {{ 0 [label="s"] 1 [label="t"] 2 [label="{labels}"] 0 -> 2 -> 0 0 -> 1 [label=K] 2 -> 1 [label=K] }}'
    )
    remark = "a boss key opens every boss lock (locks: 2, keys: 1)"
    assert remark in parse_graph(graph.format(labels="K")).remarks
    assert not any("boss" in each for each in parse_graph(graph.format(labels="K,K")).remarks)


NEEDING = """digraph {
0 [label="s"]
1 [label="e" has="item bow x2 + key red when cleared 1"]
2 [label="K,S1"]
3 [label="t" needs="bow >= 2 | red key"]
0 -> 1 [label=""]
1 -> 2 [label="needs: bow | bombs >= 2\\n & !S1"]
1 -> 2 [label="k"]
1 -> 2 [needs="cleared 1 and switch S1"]
2 -> 3 [label=K]
2 -> 3 [label="needs: \\"bow\\""]
}
"""


def test_requirements_of_ways_and_goals_and_things_beside_labels():
    bow, found = Have("item", "bow"), Have("item", "S1")
    dungeon = parse_graph(NEEDING)
    assert dungeon.gates == (
        Gate("rule", rule=AnyOf((bow, AllOf((Have("bombs", "", 2), Not(found)))))),
        Gate("lock", ("",)),
        Gate("rule", rule=AllOf((Cleared("1"), found))),
        Gate("rule", rule=Have("key", "boss")),
        Gate("rule", rule=bow),
    )
    assert dungeon.goal_rule == AnyOf((Have("item", "bow", 2), Have("key", "red")))
    assert Pickup((1, 0, 0), "item", "bow", 2) in dungeon.pickups
    assert Pickup((1, 0, 0), "key", "red", rule=Cleared("1")) in dungeon.pickups
    written = format_graph(dungeon)
    assert parse_graph(written) == dungeon
    assert format_graph(parse_graph(written)) == written


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bow | bombs >= 2", "bow | | bombs", "a requirement.*what 1 to 2 needs, at letter 7"),
        ("cleared 1 and", "harp and", "the item 'harp' somewhere"),
        ("cleared 1 and", "cleared 9 and", "an existing room"),
        ('has="item bow x2', 'has="lever bow', "key, bombs, item, monster .what room 1 has"),
        ('has="item bow x2', 'has="item', "a name for the item.*what room 1 has"),
        ('2 [label="K,S1"]', '2 [label="K,S1" needs=bow]', "needs on the goal or on ways alone"),
        ("label=K", "label=K needs=bow", "one kind of lock on an edge"),
    ],
)
def test_requirements_that_cannot_be(old, new, message):
    assert old in NEEDING
    with pytest.raises(ParseError, match=message):
        parse_graph(NEEDING.replace(old, new))
