"""Graphs from files: node-link JSON, GraphML and CSV give the same graph, picks, priorities and regions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solvent.core.errors import ParseError
from solvent.valency.formats import FORMATS
from solvent.valency.model import SQUARE_ORBITALS as SQUARE
from solvent.valency.model import Bonds, Graph, Layer, Module, Orbital, OrbitalSet, Pick, Region, Rules, Staging
from solvent.valency.notation.graphs.reading import Attributes, ReadGraph, parse_graph
from solvent.valency.validation import faults

RULES = Rules((Layer("tiles", SQUARE),), (Module("a", "a", (Bonds(),)),))
LOOSE = OrbitalSet((Orbital("in"), Orbital("out")))
TWO_LAYERS = Rules((Layer("roads", SQUARE), Layer("pipes", LOOSE)), (Module("a", "a", (Bonds(), Bonds())),))

TOWN = ReadGraph(
    Graph([(0, 0, 0), (1, 0, 0), (1, 2.5, 3)], [(0, 1), (1, 2)], names=("inn", "mill", "well")),
    picks=(Pick(1, "a"),),
    priorities=(0.0, 2.0, 0.5),
    regions=(Region((0, 1), name="north"),),
)

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="x" attr.type="double"/>
  <key id="d1" for="node" attr.name="y" attr.type="double"><default>0</default></key>
  <key id="z" for="node"/>
  <key id="d3" for="node" attr.name="pick" attr.type="string"/>
  <key id="d4" for="node" attr.name="priority" attr.type="double"/>
  <key id="d5" for="node" attr.name="region" attr.type="string"><default>north</default></key>
  <graph edgedefault="undirected">
    <node id="inn"><data key="d0">0</data></node>
    <node id="mill"><data key="d0">1.0</data><data key="d3">a</data><data key="d4">2</data></node>
    <node id="well"><data key="d0"> 1 </data><data key="d1">2.5</data><data key="z">3</data><data key="d4">.5</data>
      <data key="d5"></data></node>
    <edge source="inn" target="mill"/>
    <edge source="mill" target="well"/>
  </graph>
</graphml>
"""


def read(text: str | dict[str, Any], rules: Rules = RULES, **more: Any) -> ReadGraph:
    return parse_graph(text if isinstance(text, str) else json.dumps(text), None, rules, **more)


def graphml(nodes: str, edges: str, keys: str = "", kind: str = "undirected") -> str:
    return f'<graphml>{keys}<graph edgedefault="{kind}">{nodes}{edges}</graph></graphml>'


def test_node_link_json():
    said = {
        "directed": False,
        "nodes": [
            {"id": "inn", "pos": [0, 0], "region": "north", "colour": "red"},
            {"id": "mill", "x": 1, "y": 0, "pick": "a", "priority": 2, "region": "north"},
            {"id": "well", "position": [1, 2.5, 3], "priority": 0.5},
        ],
        "links": [{"source": "inn", "target": "mill", "weight": 3}, {"source": "mill", "target": "well"}],
    }
    assert read(said) == TOWN
    said["edges"] = said.pop("links")
    assert read(said) == TOWN


def test_graphml():
    assert read(GRAPHML) == TOWN


def test_csv_with_nodes_beside(tmp_path: Path):
    (tmp_path / "town.nodes.csv").write_text(
        "\ufeffid;x;y;z;pick;priority;region\ninn;0;0;;;;north\nmill;1;0;;a;2;north\n\nwell;1;2.5;3;;0.5;\n", "utf-8"
    )
    assert parse_graph("source,target\ninn,mill\nmill , well\n", tmp_path / "town.csv", RULES) == TOWN


def test_csv_alone():
    found = read('source,target\n"a, b",c\nc,d\n').graph
    assert (found.names, found.edges.tolist()) == (("a, b", "c", "d"), [[0, 1], [1, 2]])
    counted = read("source\ttarget\n2\t0\n0\t1\n").graph
    assert (counted.names, counted.edges.tolist()) == ((), [[2, 0], [0, 1]])
    numbered = read("source,target\n10,2\n").graph
    assert (numbered.names, numbered.edges.tolist()) == (("2", "10"), [[1, 0]])


def test_ids_that_count_from_0_are_no_names():
    assert read({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]}).graph.names == ()
    assert read(graphml('<node id="0"/><node id="1"/>', '<edge source="1" target="0"/>')).graph.names == ()
    shuffled = read({"nodes": [{"id": 7}, {"id": 0}], "links": [{"source": 7, "target": 0}]}).graph
    assert (shuffled.names, shuffled.edges.tolist()) == (("7", "0"), [[0, 1]])


def test_attributes_may_have_other_names():
    said = {"nodes": [{"id": "n", "tile": "a", "rank": 3, "zone": 7}], "edges": []}
    found = read(said, attributes=Attributes("tile", "rank", "zone"))
    assert (found.picks, found.priorities, found.regions) == ((Pick(0, "a"),), (3.0,), (Region((0,), name="7"),))
    task = {"valency": 1, "rules": {"modules": [{"name": "a"}]}, "cluster": {"graph": said, "pick_attribute": "tile"}}
    assert FORMATS.parse(json.dumps(task)).picks == (Pick(0, "a"),)


def test_orbitals_of_edges_in_each_format():
    wanted = [[[0, 2]], [[1, 3]]]
    assert (
        read(
            {"nodes": 3, "edges": [[0, 1, "right", "left"], {"from": 1, "to": 2, "orbitals": ["down", "up"]}]}
        ).graph.orbitals.tolist()
        == wanted
    )
    assert (
        read("source,target,source_orbital,target_orbital\n0,1,right,left\n1,2,1,3\n").graph.orbitals.tolist() == wanted
    )
    assert read("source,target,orbital\n0,1,right\n1,2,down\n").graph.orbitals.tolist() == wanted
    keys = '<key id="o" for="edge" attr.name="target_orbital"/>'
    edge = '<edge source="{}" target="{}"><data key="o">{}</data></edge>'
    edges = edge.format("a", "b", "left") + edge.format("b", "c", "up")
    assert read(graphml('<node id="a"/><node id="b"/><node id="c"/>', edges, keys)).graph.orbitals.tolist() == wanted


def test_orbitals_in_several_layers():
    edge = {"from": 0, "to": 1, "orbitals": {"roads": ["right", "left"], "pipes": ["in", "in"]}}
    assert read(
        {"nodes": 3, "edges": [edge, {"from": 1, "to": 2, "orbitals": {}}]}, TWO_LAYERS
    ).graph.orbitals.tolist() == [
        [[0, 2], [0, 0]],
        [[-1, -1], [-1, -1]],
    ]
    text = "source,target,roads:orbital,pipes:source_orbital,pipes:target_orbital\n0,1,right,in,out\n1,2,,out,in\n"
    assert read(text, TWO_LAYERS).graph.orbitals.tolist() == [[[0, 2], [0, 1]], [[-1, -1], [1, 0]]]


def test_a_way_back_in_a_directed_graph_is_the_same_edge():
    nodes = '<node id="a"/><node id="b"/>'
    both = '<edge source="a" target="b"/><edge source="b" target="a"/>'
    found = read(graphml(nodes, both, kind="directed"))
    assert found.graph.edges.tolist() == [[0, 1]]
    assert found.remarks == ("1 edge that leads back along another is left out.",)
    assert faults(Staging(RULES, read(graphml(nodes, both)).graph))


def test_regions_of_the_graph_get_their_seeds_in_the_task():
    task = {
        "valency": 1,
        "rules": {"modules": [{"name": "a"}]},
        "cluster": {
            "graph": {
                "nodes": [{"region": name, "position": [x, 0]} for x, name in enumerate("nns")],
                "edges": [[0, 1], [1, 2]],
            }
        },
        "regions": [{"name": "n", "seed": 4}],
    }
    assert FORMATS.parse(json.dumps(task)).regions == (Region((0, 1), 4, name="n"), Region((2,), name="s"))


WRONG = {
    "no nodes": ({"edges": []}, "the key 'nodes'"),
    "empty": ({"nodes": []}, "a graph of 1 to"),
    "many": ({"nodes": 10**12}, r"\$.nodes: expected from 1 to"),
    "kind of nodes": ({"nodes": "three"}, r"\$.nodes: expected a list of nodes"),
    "kind of node": ({"nodes": [3]}, r"\$.nodes\[0\]: expected a node"),
    "same id": ({"nodes": ["a", "a"]}, r"\$.nodes\[1\]: expected an id that no other node has, found 'a'"),
    "same id as text": ({"nodes": [{"id": 1}, {"id": "1"}]}, "an id that no other node has"),
    "id missing": ({"nodes": ["a", [0, 0]]}, r"\$.nodes\[1\]: expected an id for every node"),
    "id": ({"nodes": [{"id": True}]}, r"nodes\[0\].id: expected a name or a number"),
    "position": ({"nodes": [[1]]}, r"\$.nodes\[0\]: expected position: two or three numbers"),
    "large position": ({"nodes": [[1e300, 0]]}, "a number within"),
    "text position": ({"nodes": [{"x": "nan"}]}, "x: a number within"),
    "unknown end": ({"nodes": ["a"], "edges": [["a", "b"]]}, r"\$.edges\[0\]: expected the id of a node, found 'b'"),
    "end outside": ({"nodes": 2, "edges": [[0, 2]]}, r"\$.edges\[0\]: expected a node from 0 to 1, found 2"),
    "edge": ({"nodes": 2, "edges": [[0]]}, r"\$.edges\[0\]: expected an edge"),
    "some orbitals": (
        {"nodes": 3, "edges": [[0, 1, "up", "down"], [1, 2]]},
        r"\$.edges\[1\]: expected orbitals on every edge",
    ),
    "unknown orbital": ({"nodes": 2, "edges": [[0, 1, "up", "top"]]}, r"an orbital of layer tiles.* found 'top'"),
    "orbitals": (
        {"nodes": 2, "edges": [{"from": 0, "to": 1, "orbitals": ["up"]}]},
        r"edges\[0\].orbitals: expected orbitals at both",
    ),
    "unknown layer": (
        {"nodes": 2, "edges": [{"from": 0, "to": 1, "orbitals": {"x": ["up", "up"]}}]},
        "a layer: tiles, found 'x'",
    ),
    "by": ({"nodes": 2, "by": "chance"}, r"\$.by: expected one of orbitals, directions"),
    "by a list": ({"nodes": 2, "by": ["orbitals"]}, r"\$.by: expected one of orbitals, directions"),
    "pick": ({"nodes": [{"pick": [1]}]}, "pick: the name of a module"),
    "priority": ({"nodes": [{"priority": "high"}]}, "priority: a number"),
    "CSV header": ("from,to\na,b\n", r"line 1: expected a graph: CSV with the columns source and target"),
    "CSV row": ("source,target\na,b,c\n", r"line 2: expected at most 2 columns"),
    "CSV gap": ("source,target\na,\n", r"line 2: expected target: the id of a node"),
    "CSV quote": ('source,target\n"a,b\n', r"line 2: .*CSV"),
    "CSV orbital": ("source,target,orbital\n0,1,top\n", r"line 2: expected an orbital of layer tiles"),
    "entities": ('<!DOCTYPE graphml [<!ENTITY x "y">]><graphml/>', "without entities"),
    "no graph": ("<graphml/>", "holds no <graph>"),
    "other XML": ("<gexf/>", "begins with <graphml>"),
    "GraphML id": (graphml('<node id="a"/>\n<node id="a"/>', ""), "line 2.*an id that no other node has, found 'a'"),
    "GraphML end": (graphml('<node id="a"/>', '\n<edge source="a" target="b"/>'), "line 2.*target: the id of a node"),
    "GraphML key": (graphml('<node id="a"><data key="q">1</data></node>', ""), "a <key> that the file declares"),
    "nested": (graphml('<node id="a"><graph/></node>', ""), "without graphs inside"),
    "hyperedge": (graphml('<node id="a"/>', "<hyperedge/>"), "edges between two nodes"),
    "GraphML number": (
        graphml('\n\n<node id="a"><data key="x">far</data></node>', "", '<key id="x" for="node" attr.name="x"/>'),
        "line 3: expected x: a number",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_says_where_and_what(name: str):
    said, message = WRONG[name]
    with pytest.raises(ParseError, match=message):
        read(said)


def test_an_error_in_a_list_of_nodes_names_its_file(tmp_path: Path):
    (tmp_path / "g.nodes.csv").write_text("id,x\na,1\na,2\n")
    with pytest.raises(ParseError, match=r"g.nodes.csv, line 3: expected an id that no other node has"):
        parse_graph("source,target\na,a\n", tmp_path / "g.csv", RULES)


def test_an_error_in_an_attribute_names_the_file_of_the_nodes(tmp_path: Path):
    (tmp_path / "g.nodes.csv").write_text("id,priority\na,1\nb,high\n")
    with pytest.raises(ParseError, match=r"g.nodes.csv, line 3: expected priority: a number .* found 'high'"):
        parse_graph("source,target\na,b\n", tmp_path / "g.csv", RULES)


def test_an_orbital_without_an_opposite_needs_both_ends():
    with pytest.raises(ParseError, match=r"line 2: expected an orbital with an opposite one"):
        read("source,target,pipes:orbital\n0,1,in\n", TWO_LAYERS)


# Seeds and weights of nodes


def test_nodes_have_seeds_and_weights_of_their_own():
    nodes = [
        {"id": "a", "seed": 5},
        {"id": "b", "seed": 5, "weights": {"grass": 3}},
        {"id": "c", "seed": 5},
        {"id": "d", "weight:grass": "0.5", "weight": 9},
        {"id": "e"},
    ]
    task = {
        "valency": 1,
        "rules": {"orbitals": ["x"], "modules": [{"name": "grass"}, {"name": "sand"}]},
        "cluster": {"graph": {"nodes": nodes, "edges": [["a", "b", "x", "x"], ["c", "d", "x", "x"]]}},
    }
    staging = FORMATS.parse(json.dumps(task))
    assert [(region.nodes, region.seed, region.weights) for region in staging.regions] == [
        ((0, 2), 5, ()),
        ((1,), 5, ((0, 3.0),)),
        ((3,), None, ((0, 0.5),)),
    ]
    assert FORMATS.parse(FORMATS.format(staging, "json")) == staging
    task["cluster"] |= {"seed_attribute": "luck", "weight_attribute": "mass"}
    renamed = FORMATS.parse(json.dumps(task))
    assert renamed.regions == ()
    assert [remark for remark in renamed.remarks if "_attribute" in remark] == [
        "No node has the attribute 'luck' that `seed_attribute` names; they have 'id', 'seed', 'weights', "
        "'weight:grass' and 'weight'.",
        "No node has the attribute 'mass' that `weight_attribute` names; they have 'id', 'seed', 'weights', "
        "'weight:grass' and 'weight'.",
    ]


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ({"Pick": "a", "Regions": 3, "colour": "red"}, ["'Pick' of nodes is not read; was 'pick'", "was 'region'"]),
        ({"weight": 2}, ["'weight' of nodes is not read; weights are in 'weight:' and a module"]),
        ({"Weight:a": 2, "seed": 3}, ["'Weight:a' of nodes is not read"]),
        ({"pick": "a", "priority": 2, "seed": 1, "weight:a": 2, "weight": 9}, []),
    ],
)
def test_attributes_spelt_otherwise_are_named(node: dict[str, object], expected: list[str]):
    remarks = read({"nodes": [{"id": "n", **node}], "edges": []}).remarks
    assert len(remarks) == len(expected)
    for remark, part in zip(remarks, expected, strict=True):
        assert part in remark


@pytest.mark.parametrize(
    ("node", "message"),
    [
        ({"seed": -1}, r"nodes\[0\]: expected seed: a whole number from 0, found -1"),
        ({"seed": "x"}, r"seed: a whole number from 0, found 'x'"),
        ({"weight:gras": 2}, r"nodes\[0\]: expected a module's key or name.*found 'gras'"),
        ({"weight:grass": -2}, r"weight:grass: a number of 0 or more, found -2"),
        ({"weights": {"grass": "much"}}, r"weight:grass: a number"),
        ({"weights": "grass=2"}, r"weights: an object with a number for each module; in tables weight:MODULE"),
        ({"seed": 1, "region": "north"}, r"a region, or a seed and weights of its own, not both, found 'north'"),
    ],
)
def test_wrong_seeds_and_weights_are_named(node: dict[str, Any], message: str):
    task = {
        "valency": 1,
        "rules": {"orbitals": ["x"], "modules": [{"name": "grass"}]},
        "cluster": {"graph": {"nodes": [{"id": "a", **node}], "edges": []}},
    }
    with pytest.raises(ParseError, match=message):
        FORMATS.parse(json.dumps(task))


def test_seeds_of_nodes_are_read_from_tables(tmp_path: Path):
    (tmp_path / "town.csv").write_text("source,target,source_orbital,target_orbital\na,b,x,x\n")
    (tmp_path / "town.nodes.csv").write_text("id,seed,weight:grass\na,7,\nb,,2\n")
    task = {
        "valency": 1,
        "rules": {"orbitals": ["x"], "modules": [{"name": "grass"}]},
        "cluster": {"graph": "town.csv"},
    }
    path = tmp_path / "town.json"
    path.write_text(json.dumps(task))
    regions = FORMATS.parse(path.read_text(), path).regions
    assert [(region.nodes, region.seed, region.weights) for region in regions] == [
        ((0,), 7, ()),
        ((1,), None, ((0, 2.0),)),
    ]
