"""Putting rules and a grid or graph together: every kind of rule file, grids as people write them, what is refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from solvent.core.budget import UNLIMITED
from solvent.core.errors import BadOption, ParseError
from solvent.core.events import ignore
from solvent.valency.domain import DOMAIN
from solvent.valency.formats import FORMATS
from solvent.valency.generator import generate, make_lattice
from solvent.valency.model import HEX, HEX_ORBITALS, SQUARE, Bonds, Graph, Lattice, Layer, Module, Pick, Rules
from solvent.valency.notation.pictures import write_png
from solvent.valency.notation.samples import learn_tiled, parse_sample
from solvent.valency.validation import faults

MAP = "~~~~\n~..~\n~.#~\n~~~~\n"
TILES = """<set><tiles><tile name="grass"/><tile name="wall" symmetry="I"/></tiles><neighbors>
<neighbor left="grass" right="grass"/><neighbor left="wall" right="grass"/><neighbor left="wall 1" right="wall 1"/>
</neighbors><subsets><subset name="Open"><tile name="grass"/></subset></subsets></set>"""
TSJ = {
    "name": "land",
    "wangsets": [
        {
            "name": name,
            "type": "edge",
            "colors": [{}, {}],
            "wangtiles": [{"tileid": n, "wangid": [1, 0, n + 1, 0, 1, 0, n + 1, 0]} for n in range(2)],
        }
        for name in ("roads", "walls")
    ],
}
RULES_JSON: dict[str, Any] = {
    "name": "dots",
    "orbitals": "square",
    "modules": [{"name": "dot", "bonds": {"right": ["dot"], "left": ["dot"]}}, {"name": "dash"}],
}
HEX_RULES = Rules((Layer("cells", HEX_ORBITALS),), (Module("a", "a", (Bonds(),)),))


def write(path: Path, content: str | bytes | dict[str, Any]) -> str:
    if isinstance(content, dict):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize(
    ("grid", "size"),
    [("60x40", (60, 40, 1)), ("10x10x4", (10, 10, 4)), (" 3 X 2 ", (3, 2, 1)), ("3×2", (3, 2, 1)), ("1x1", (1, 1, 1))],
)
def test_grids_as_people_write_them(grid: str, size: tuple[int, int, int]):
    rules = learn_tiled(parse_sample(MAP))
    assert make_lattice(rules, grid, "none") == Lattice(*size, SQUARE, (False, False, False))


@pytest.mark.parametrize(
    "grid", ["", "60", "60x", "x40", "0x4", "-3x4", "4x4x4x4", "3.5x4", "a x b", "9999x9999", "٣x٣x"]
)
def test_grids_that_are_none(grid: str):
    with pytest.raises(BadOption, match="grid: expected"):
        make_lattice(learn_tiled(parse_sample(MAP)), grid, "none")


def test_wrapping_around():
    rules = learn_tiled(parse_sample(MAP))
    wraps = {name: make_lattice(rules, "4x4", name).periodic for name in ("none", "x", "y", "z", "xy", "xyz")}
    assert wraps == {
        "none": (False, False, False),
        "x": (True, False, False),
        "y": (False, True, False),
        "z": (False, False, True),
        "xy": (True, True, False),
        "xyz": (True, True, True),
    }


def test_rules_of_six_directions_make_a_hexagonal_grid():
    assert make_lattice(HEX_RULES, "5x4", "xy") == Lattice(5, 4, 1, HEX, (True, True, False))
    with pytest.raises(BadOption, match="an even height"):
        make_lattice(HEX_RULES, "5x3", "y")
    with pytest.raises(BadOption, match="depth 1"):
        make_lattice(HEX_RULES, "5x4x2", "none")


def test_rules_of_tiles(tmp_path: Path):
    (tmp_path / "walls").mkdir()
    write(tmp_path / "walls" / "grass.png", write_png(np.full((2, 2, 4), 255, dtype=np.uint8)))
    staging = generate(seed=3, rules=write(tmp_path / "walls.xml", TILES), grid="6x5")
    assert staging.rules.name == "walls"
    assert [module.key for module in staging.rules.modules] == ["grass", "wall 0", "wall 1"]
    assert staging.cluster == Lattice(6, 5)
    assert staging.seed == 3
    assert staging.rules.modules[0].look.colour == "#ffffff"
    assert staging.remarks == ("Modules without a picture beside the rule set: wall 0, wall 1.",)
    assert faults(staging) == []
    only = generate(seed=3, rules=str(tmp_path / "walls.xml"), subset="Open")
    assert [module.key for module in only.rules.modules] == ["grass"]


def test_rules_of_terrain_sets(tmp_path: Path):
    path = write(tmp_path / "land.tsj", TSJ)
    staging = generate(seed=1, rules=path)
    assert staging.remarks == ("The terrain set 'roads' is used; there are also: walls.",)
    assert faults(staging) == []
    assert generate(seed=1, rules=path, subset="walls").remarks == ()
    # A tileset may be called .json, too.
    assert generate(seed=1, rules=write(tmp_path / "land.json", TSJ)).rules.modules == staging.rules.modules


def test_rules_in_json(tmp_path: Path):
    staging = generate(seed=1, rules=write(tmp_path / "dots.json", RULES_JSON), grid="3x3", periodic="xy")
    assert [module.key for module in staging.rules.modules] == ["dot", "dash"]
    assert staging.cluster == Lattice(3, 3, periodic=(True, True, False))
    assert faults(staging) == []


def test_what_is_made_can_be_written_and_read(tmp_path: Path):
    for rules in (write(tmp_path / "coast.txt", MAP), write(tmp_path / "walls.xml", TILES)):
        staging = generate(seed=2, rules=rules, sample="overlapping", grid="4x3", periodic="x")
        assert FORMATS.parse(FORMATS.format(staging, "json")) == staging


def test_rules_of_a_task(tmp_path: Path):
    task = {"valency": 1, "rules": RULES_JSON, "cluster": {"lattice": {"size": [2, 2]}}, "seed": 9}
    staging = generate(seed=1, rules=write(tmp_path / "task.json", task), grid="4x3")
    assert staging.rules == generate(seed=1, rules=write(tmp_path / "dots.json", RULES_JSON)).rules
    assert staging.cluster == Lattice(4, 3)
    assert staging.seed == 1


WHOLE = {
    "valency": 1,
    "rules": {
        "orbitals": "square",
        "modules": [{"name": "a", "sockets": {"*": "x"}}, {"name": "b", "sockets": {"*": "x"}}],
    },
    "cluster": {"lattice": {"size": [3, 2]}},
    "picks": {"at": [{"node": [0, 0], "module": "b"}]},
    "constraints": [{"count": {"modules": ["a"], "least": 4}}],
}


def test_a_task_in_json_is_taken_whole_unless_another_grid_is_asked_for(tmp_path: Path):
    (tmp_path / "whole.json").write_text(json.dumps(WHOLE))
    source = str(tmp_path / "whole.json")
    whole = generate(seed=5, rules=source)
    assert (whole.cluster, len(whole.picks), len(whole.constraints), whole.seed) == (Lattice(3, 2), 1, 1, 5)
    assert generate(seed=5, rules=source, grid="3x2") == whole
    wrapped = generate(seed=5, rules=source, periodic="x").cluster
    assert isinstance(wrapped, Lattice)
    assert wrapped.periodic == (True, False, False)
    other = generate(seed=5, rules=source, grid="4x2")
    assert (other.cluster, other.picks, other.constraints) == (Lattice(4, 2), (), ())
    assert other.remarks == ("Its picks and constraints are for another grid than 4x2, and were left out.",)


def test_a_task_on_a_graph_is_taken_whole_and_does_not_wrap_around(tmp_path: Path):
    nodes = [{"position": [0, 0]}, {"position": [1, 0]}]
    graph = {"graph": {"nodes": nodes, "edges": [[0, 1]]}}
    (tmp_path / "graph.json").write_text(json.dumps({**WHOLE, "cluster": graph, "picks": {}}))
    assert isinstance(generate(seed=0, rules=str(tmp_path / "graph.json")).cluster, Graph)
    with pytest.raises(BadOption, match="a graph does not wrap around"):
        generate(seed=0, rules=str(tmp_path / "graph.json"), periodic="xy")


def test_bundled_rules_by_name(monkeypatch: pytest.MonkeyPatch):
    task = {"valency": 1, "rules": RULES_JSON, "cluster": {"lattice": {"size": [2, 2]}}}
    example = SimpleNamespace(name="dots", text=json.dumps(task))
    stand_in = SimpleNamespace(load_examples=lambda: [example])
    monkeypatch.setitem(sys.modules, "solvent.valency.examples", stand_in)
    assert generate(seed=0, rules="dots", grid="2x2").rules.name == "dots"
    with pytest.raises(BadOption, match="unknown rule set 'nothing'; there are: dots, or a file"):
        generate(seed=0, rules="nothing")
    with pytest.raises(BadOption, match="these rules have no subsets, found subset 'x'"):
        generate(seed=0, rules="dots", subset="x")


def test_bundled_rules_without_directions_are_taken_with_their_graph():
    assert isinstance(generate(seed=0, rules="colouring").cluster, Graph)
    assert isinstance(generate(seed=0, rules="pipes").cluster, Lattice)
    with pytest.raises(ParseError, match="direction"):
        generate(seed=0, rules="colouring", grid="4x4")


def test_the_default_is_bundled():
    assert faults(generate(seed=0)) == []


def test_learning_from_samples(tmp_path: Path):
    text = write(tmp_path / "coast.txt", MAP)
    tiled = generate(seed=1, rules=text)
    assert [module.name for module in tiled.rules.modules] == ["~", ".", "#"]
    patterns = generate(seed=1, rules=text, sample="overlapping", pattern=2, symmetry=1, sample_periodic=False)
    assert sum(module.weight for module in patterns.rules.modules) == 9
    whole = generate(seed=1, rules=text, sample="overlapping", pattern=2, symmetry=8, sample_periodic=True)
    assert sum(module.weight for module in whole.rules.modules) == 128
    pixels = np.full((4, 4, 4), 255, dtype=np.uint8)
    pixels[1:3, 1:3, 0] = 0
    picture = write(tmp_path / "square.PNG", write_png(pixels))
    for how in ("tiled", "overlapping"):
        staging = generate(seed=1, rules=picture, sample=how)
        assert {module.look.colour for module in staging.rules.modules} == {"#ffffff", "#00ffff"}
        assert faults(staging) == []
    with pytest.raises(BadOption, match="no subsets"):
        generate(seed=1, rules=picture, subset="x")


def test_samples_are_turned_only_where_that_is_usual_or_wished_for(tmp_path: Path):
    text = write(tmp_path / "coast.txt", MAP)

    def learned(**options: Any) -> Rules:
        return generate(seed=1, rules=text, pattern=2, **options).rules

    assert learned() == learned(symmetry=1) != learned(symmetry=8)
    assert learned(sample="overlapping") == learned(sample="overlapping", symmetry=8)
    assert learned(sample="overlapping") != learned(sample="overlapping", symmetry=1)


def test_a_side_without_a_colour_may_touch_any(tmp_path: Path):
    blank = [{"tileid": n, "wangid": [1, 0, n, 0, 1, 0, n, 0]} for n in range(2)]
    path = write(tmp_path / "land.tsj", {**TSJ, "wangsets": [{**TSJ["wangsets"][0], "wangtiles": blank}]})
    strict = generate(seed=1, rules=path).rules.modules[0].bonds[0].neighbours
    loose = generate(seed=1, rules=path, unset_is_any=True).rules.modules[0].bonds[0].neighbours
    assert (strict[0], loose[0]) == (0b01, 0b11)


GRAPH = {
    "nodes": [{"id": "a", "x": 0, "y": 0, "pick": "dot"}, {"id": "b", "x": 1, "y": 0}, {"id": "c", "x": 1, "y": 1}],
    "links": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}],
}


def test_a_graph_instead_of_a_grid(tmp_path: Path):
    rules = write(tmp_path / "dots.json", RULES_JSON)
    graph = write(tmp_path / "three.json", GRAPH)
    staging = generate(seed=5, rules=rules, graph=graph)
    assert isinstance(staging.cluster, Graph)
    assert staging.cluster.edges.tolist() == [[0, 1], [1, 2]]
    assert (staging.picks, staging.seed) == ((Pick(0, "dot"),), 5)
    assert faults(staging) == []
    with pytest.raises(BadOption, match="a graph does not wrap around"):
        generate(seed=5, rules=rules, graph=graph, periodic="x")


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (None, "a graph that can be read"),
        ("[", r"gone\.json, line 1: expected a graph"),
        ({**GRAPH, "links": [{"source": "a", "target": "a"}]}, r"gone\.json"),
        ({**GRAPH, "links": GRAPH["links"] * 2}, r"gone\.json"),
        ({"nodes": [], "links": []}, r"gone\.json"),
    ],
)
def test_graphs_that_cannot_be_used_are_named(tmp_path: Path, graph: Any, message: str):
    if graph is not None:
        write(tmp_path / "gone.json", graph)
    with pytest.raises(ParseError, match=message):
        generate(seed=5, rules=write(tmp_path / "dots.json", RULES_JSON), graph=str(tmp_path / "gone.json"))


def test_rules_that_do_not_fit_a_grid_are_named(tmp_path: Path):
    slanted = {"name": "slanted", "orbitals": [{"name": "n", "direction": [0.3, 1, 0]}], "modules": [{"name": "a"}]}
    with pytest.raises(ParseError, match=r"slanted\.json, at rules\.layers"):
        generate(seed=5, rules=write(tmp_path / "slanted.json", slanted))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.xml", None, "a rule set that can be read .No such file"),
        ("here.xml", "folder", "a rule set that can be read .Is a directory"),
        ("a.doc", b"x", "a rule set in a file that ends in .json, .xml"),
        ("a.xml", b"\xff\xfe", "a rule set in UTF-8"),
        ("a.xml", b"<set>", "a rule set of tiles as XML"),
        ("a.tsx", b"<tileset/>", "a terrain set"),
        ("a.json", b"[]", "a rule set: a JSON object"),
        ("a.json", b'{"layers": 3}', "layers"),
        ("a.txt", b"ab\na", "line 2: expected 2 letters"),
        ("a.txt", b"", "a sample"),
        ("a.png", b"PNG", "a PNG picture"),
    ],
)
def test_files_that_cannot_be_used_are_named(tmp_path: Path, name: str, content: Any, message: str):
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ParseError, match=message) as caught:
        generate(seed=1, rules=str(path))
    assert name in str(caught.value)


def test_the_options_of_the_domain_are_understood(tmp_path: Path):
    options = {option.name: option.default for option in DOMAIN.options("generate")}
    options["rules"] = write(tmp_path / "coast.txt", MAP)
    one, other = (DOMAIN.generator.make(options, 4, ignore, UNLIMITED) for _ in range(2))
    assert one == other
    assert (one.seed, one.cluster) == (4, Lattice(20, 20))


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["Knots", "Circles", "Rooms", "FloorPlan", "Castle"])
def test_public_rule_sets_make_tasks(corpora: Path, name: str):
    path = corpora / "tilesets" / f"{name}.xml"
    if not path.is_file():
        pytest.skip(f"no {path}")
    staging = generate(seed=0, rules=str(path), grid="50x50", periodic="xy")
    assert faults(staging) == []
    assert staging.remarks == ()
