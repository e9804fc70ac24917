"""Rules and tasks in Python: short to write, the same as in JSON, with errors that say where."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import solvent
from solvent.core.errors import BadOption
from solvent.valency.authoring import RuleBook, connected, count, path, region, separation
from solvent.valency.formats import FORMATS
from solvent.valency.model import Connected, Count, Graph, Lattice, Path, Pick, Region, Separation, numbers_in
from solvent.valency.validation import faults

SAMPLE = """
import solvent
from solvent.valency.authoring import RuleBook, connected, count

rules = RuleBook("square")
rules.module("grass", sockets={"*": "grass"}, weight=4)
rules.module("road", sockets={"left": "road", "right": "road", "*": "grass"}, rotations=2)
rules.module("turn", sockets={"down": "road", "right": "road", "*": "grass"}, rotations=4)
staging = rules.on_grid(8, 6, seed=7, picks={(0, 0): "turn"}, constraints=[count("grass", least=5)])
answer = solvent.ask(staging, nodes=2_000_000)
"""


def lanes() -> RuleBook:
    rules = RuleBook("square")
    rules.module("grass", sockets={"*": "g"}, weight=4)
    return rules.module("lane", sockets={"left": "l", "right": "l", "*": "g"}, rotations=2)


def test_a_rule_set_a_grid_and_an_answer_take_fewer_than_twenty_lines():
    assert len(SAMPLE.strip().splitlines()) < 20
    made: dict[str, Any] = {}
    exec(SAMPLE, made)
    staging, answer = made["staging"], made["answer"]
    assert answer.verdict.name == "YES"
    filled = answer.certificate["modules"]
    assert staging.rules.modules[filled[0]].name == "turn"
    assert sum(staging.rules.modules[module].name == "grass" for module in filled) >= 5


def test_it_says_the_same_as_json():
    asked = [connected(sockets="l"), count("lane", least=1, most=9, nodes=[(0, 0), 5]), separation(["lane"], 3)]
    staging = lanes().on_grid(
        4, 3, periodic="x", picks={(1, 2): "lane", 0: "grass"}, misfit="force", constraints=asked, seed=9
    )
    said = {
        "valency": 1,
        "rules": {
            "modules": [
                {"name": "grass", "sockets": {"*": "g"}, "weight": 4},
                {"name": "lane", "sockets": {"left": "l", "right": "l", "*": "g"}, "rotations": 2},
            ]
        },
        "cluster": {"lattice": {"size": [4, 3], "periodic": [True, False]}},
        "picks": {"misfit": "force", "at": [{"node": [1, 2], "module": "lane"}, {"node": 0, "module": "grass"}]},
        "constraints": [
            {"connected": {"sockets": "l"}},
            {"count": {"modules": "lane", "least": 1, "most": 9, "nodes": [[0, 0], 5]}},
            {"separation": {"modules": ["lane"], "distance": 3}},
        ],
        "seed": 9,
    }
    assert staging == FORMATS.parse(json.dumps(said))
    assert staging == FORMATS.parse(FORMATS.format(staging, "json"))
    assert [type(one) for one in staging.constraints] == [Connected, Count, Separation]


def test_allowing_pairs():
    rules = RuleBook(missing="boundary").module("a").module("b").allow("a", "right", ["a", "b"]).allow("b", "*", "b")
    first, second = rules.build().modules
    assert first.bonds[0].neighbours == (0b11, None, 0b01, None)
    assert second.bonds[0].neighbours == (0b10, 0b10, 0b11, 0b10)
    assert first.bonds[0].boundary_mask == 0b1010


def test_several_layers_and_a_graph_with_orbitals():
    rules = RuleBook({"roads": "square", "pipes": ["in", "out"]})
    rules.module("a", bonds={"roads": {"right": ["a"]}, "pipes": {"in": "boundary"}}, tags="t", properties={"cost": 2})
    staging = rules.on_graph(
        {"x": (0, 0), "y": (1, 0)},
        [("x", "y", {"roads": ("right", "left"), "pipes": ("out", "out")})],
        picks={"x": "a"},
        constraints=[path("x", "y", "#t")],
        regions=[region(["y"], seed=3, weights={"a": 2})],
        priorities=np.array([1.5, 0]),
    )
    assert staging.cluster == Graph([(0, 0, 0), (1, 0, 0)], [(0, 1)], [[[0, 2], [1, 1]]], ("x", "y"))
    assert staging.picks == (Pick(0, "a"),)
    assert staging.constraints == (Path(0, 1, 1),)
    assert staging.regions == (Region((1,), 3, ((0, 2.0),)),)
    assert staging.priorities == (1.5, 0.0)
    assert staging.rules.modules[0].properties == (("cost", 2),)


def test_arrays_of_numpy_do_as_well_as_lists():
    ends, points = np.array([[0, 1], [1, 2]]), np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0]])
    staging = RuleBook().module("a").on_graph(points, ends, picks={np.int64(1): "a"}, seed=np.int64(3))
    assert staging.cluster.edges.tolist() == [[0, 1], [1, 2]]
    assert repr(staging.picks) == "(Pick(node=1, name='a'),)"
    assert repr(staging.seed) == "3"


def test_grids_of_every_kind():
    assert RuleBook("hex").module("a").on_grid(3, 2).cluster == Lattice(3, 2, kind="hex")
    assert RuleBook("cubic").module("a").on_grid(2, 2, 3, periodic="xz").cluster.periodic == (True, False, True)
    assert RuleBook().module("a").on_grid(2, 2, periodic=True).cluster.periodic == (True, True, False)
    own = RuleBook([("east", (1, 0)), ("west", (-1, 0, 0))]).module("a").on_grid(4, 1)
    assert faults(own) == []


def test_a_knight_may_be_an_orbital():
    rules = RuleBook([("hop", (2, 1)), ("back", (-2, -1))]).module("a", bonds={"hop": ["b"]}).module("b")
    assert numbers_in(rules.build().modules[0].bonds[0].neighbours[0] or 0) == [1]


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "set": (lambda: RuleBook("octagon").module("a").build(), "orbitals: expected square, square8, hex, cubic"),
    "weight": (lambda: RuleBook().module("a", weight="x"), "module 'a'.weight: expected a number, found 'x'"),
    "negative weight": (lambda: RuleBook().module("a", weight=-1).build(), "module 'a'.weight: expected 0, or"),
    "orbital": (
        lambda: RuleBook().module("a", sockets={"top": "x"}).build(),
        "module 'a'.sockets: expected an orbital",
    ),
    "module": (lambda: RuleBook().module("a", bonds={"up": ["b"]}).build(), r"module 'a'.bonds.up\[0\]: .*found 'b'"),
    "one-sided": (
        lambda: RuleBook().module("a", bonds={"up": ["b"]}).module("b", bonds={"down": ["b"], "up": ["b"]}).build(),
        r"a allows b on up, but b does not allow a on down \(at module 'b'.bonds.down\)",
    ),
    "no modules": (lambda: RuleBook().on_grid(2, 2), "modules: expected from 1 to 4096"),
    "allow": (lambda: RuleBook().module("a").allow("a", "right", "b").build(), r"allow\[0\]\[2\].*found 'b'"),
    "size": (lambda: RuleBook().module("a").on_grid(0, 2), "size: expected a size of 1"),
    "kind of size": (lambda: RuleBook().module("a").on_grid(2.5, 2), "grid.width: expected a whole number"),
    "axes": (lambda: RuleBook().module("a").on_grid(2, 2, periodic="left"), "periodic: expected True"),
    "pick": (lambda: RuleBook().module("a").on_grid(2, 2, picks={(2, 0): "a"}), r"picks.at\[0\].node: expected a cell"),
    "seed": (lambda: RuleBook().module("a").on_grid(2, 2, seed=-1), "seed: expected a whole number from 0"),
    "constraint": (lambda: count("a", least="few"), "constraint.count.least: expected a whole number, found 'few'"),
    "counted": (lambda: lanes().on_grid(2, 2, constraints=[count("b")]), r"constraints\[0\].count.modules.*found 'b'"),
    "positions": (lambda: RuleBook().module("a").on_graph([1, 2], []), "positions: expected points"),
    "many positions": (lambda: RuleBook().module("a").on_graph(10**15, []), "from 1 to 4000000 nodes"),
    "edge": (lambda: RuleBook().module("a").on_graph(2, [(0,)]), r"edges\[0\]: expected two nodes"),
    "end": (lambda: RuleBook().module("a").on_graph(2, [(0, 2)]), r"edges\[0\]: expected the name of a node"),
    "same edge": (lambda: RuleBook().module("a").on_graph(2, [(0, 1), (1, 0)]), "each two nodes joined once"),
    "edge orbital": (lambda: RuleBook().module("a").on_graph(2, [(0, 1, "up", "top")]), r"edges\[0\]: .*found 'top'"),
    "some orbitals": (
        lambda: RuleBook().module("a").on_graph(3, [(0, 1, "up", "down"), (1, 2)]),
        "orbitals on every edge, or on none",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_says_where_and_what(name: str):
    make, message = WRONG[name]
    with pytest.raises(BadOption, match=message):
        make()


def test_importing_it_loads_nothing_heavy():
    code = "import sys, solvent.valency.authoring; print(sorted({'pysat', 'PIL'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.strip() == "[]"


def test_nodes_have_seeds_and_weights_of_their_own():
    book = RuleBook("square")
    book.module("grass")
    book.module("stone")
    task = book.on_grid(
        3, 1, seeds={(0, 0): 7, (1, 0): 7}, weights={(1, 0): {"stone": 0}, (2, 0): {"grass": 2}, (0, 0): {"stone": 0}}
    )
    assert [(region.nodes, region.seed, region.weights) for region in task.regions] == [
        ((0, 1), 7, ((1, 0.0),)),
        ((2,), None, ((0, 2.0),)),
    ]
    assert solvent.ask(task).certificate["modules"][:2] == [0, 0]
    again = solvent.parse(solvent.format(task, "json"), domain="valency")
    assert again.regions == task.regions
    graph = book.on_graph({"a": (0, 0), "b": (1, 0)}, [("a", "b")], seeds={"b": 3})
    assert [(region.nodes, region.seed) for region in graph.regions] == [((1,), 3)]
    with pytest.raises(BadOption, match="expected modules and numbers for each node, found 2"):
        book.on_grid(3, 1, weights={(0, 0): 2})
    with pytest.raises(BadOption, match="found 'sand'"):
        book.on_grid(3, 1, weights={(0, 0): {"sand": 2}})
