"""What the page shows of a task, and what can be done to it there."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solvent
from solvent.core.domain import workbench_folder
from solvent.core.errors import BadOption, ParseError
from solvent.registry import get_domain
from solvent.valency.model import Lattice, Staging
from solvent.valency.notation.pictures import write_png
from solvent.valency.orbitals import build_cache
from solvent.valency.page import MAX_NODES

VALENCY: Any = get_domain("valency")
EXAMPLES = {example.name: example.text for example in VALENCY.examples()}
OWN_RULES = json.dumps(
    {
        "orbitals": "square",
        "modules": [{"name": "black"}, {"name": "white"}],
        "allow": [["black", "*", "white"]],
    }
)
TILES = """<set><tiles><tile name="grass" symmetry="X"/><tile name="road" symmetry="I"/></tiles><neighbors>
<neighbor left="grass" right="grass"/><neighbor left="road" right="grass"/><neighbor left="road 1" right="road 1"/>
<neighbor left="road 1" right="grass"/></neighbors></set>"""
TERRAIN = """<tileset name="shore" tilewidth="8" tileheight="8" tilecount="2" columns="2"><wangsets>
<wangset name="land" type="edge" tile="-1"><wangcolor name="a" color="#ff0000" tile="-1" probability="1"/>
<wangtile tileid="0" wangid="1,0,1,0,1,0,1,0"/></wangset></wangsets></tileset>"""


def load(name: str) -> Staging:
    staging: Staging = VALENCY.parse(EXAMPLES[name])
    return staging


def make(staging: Staging, **wished: Any) -> Staging:
    made: Staging = VALENCY.page.play(staging, {"make": wished})
    assert VALENCY.parse(VALENCY.format(made, "json")) == made, "the page keeps nothing but the text"
    return made


def test_the_domain_can_be_played_and_has_a_page() -> None:
    assert workbench_folder(VALENCY.page) is not None
    assert VALENCY.page is not None


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_scene_is_json_and_says_something_about_every_node_and_module(name: str) -> None:
    staging = load(name)
    page = json.loads(json.dumps(VALENCY.page.data(staging)))
    nodes, modules = VALENCY.size(staging), len(staging.rules.modules)
    assert page["nodes"] == nodes
    assert not page["is_too_large"]
    assert len(page["modules"]) == modules
    assert len(page["candidates"]) == len(page["class_of"]) == len(page["counts"]) == nodes
    assert page["sheet"]["svg"].count('<g transform="translate(') >= modules
    assert {pick["node"] for pick in page["picks"]} == {pick.node for pick in staging.picks}
    for node in range(nodes):
        possible = page["candidate_sets"][page["candidates"][node]]
        assert len(possible) == page["counts"][node]
        assert set(possible) <= set(page["fits"][page["class_of"][node]])


@pytest.mark.parametrize("name", ["pipes", "hexes", "tower", "bridges"])
def test_what_fills_a_node_was_among_its_candidates(name: str) -> None:
    staging = load(name)
    page = VALENCY.page.data(staging)
    answer = solvent.ask(staging)
    assert answer.certificate is not None
    for node, module in enumerate(answer.certificate["modules"]):
        assert module in page["candidate_sets"][page["candidates"][node]]


def test_ignored_picks_are_said_to_be_so() -> None:
    picks = VALENCY.page.data(load("village"))["picks"]
    assert [pick["ignored"] for pick in picks if pick["name"] == "windmill"] == ["no module has that name"]
    ignored = [pick["ignored"] for pick in picks if pick["name"] == "west gate"]
    assert sorted(ignored, key=str) == [None, "no module of that name fits here"]


def test_a_graph_says_where_its_nodes_stand_and_what_joins_them() -> None:
    staging = load("bridges")
    page = VALENCY.page.data(staging)
    assert len(page["points"]) == page["nodes"]
    assert page["edges"] == staging.cluster.edges.tolist()  # type: ignore[union-attr]
    assert page["idle_edges"], "one of its bridges leads along no orbital"
    neighbours = build_cache(staging).neighbours[0].tolist()
    for number, (a, b) in enumerate(page["edges"]):
        assert (b in neighbours[a]) == (number not in page["idle_edges"])


@pytest.mark.parametrize(
    ("name", "lattice", "ways"),
    [
        ("pipes", Lattice(3, 3, periodic=(True, True, False)), [None, None, (-1, 0), (0, -1)]),
        ("tower", Lattice(3, 3, 3, periodic=(False, False, True)), [None, None, (0, -1), (0, 1)]),
        (
            "hexes",
            Lattice(3, 4, kind="hex", periodic=(True, True, False)),
            [None, None, pytest.approx((-0.5, 0.866), 0.01)],
        ),
    ],
)
def test_edges_of_a_clash_lead_away_around_the_rim_and_between_floors(name: str, lattice: Lattice, ways: Any) -> None:
    staging = Staging(load(name).rules, lattice)
    orbitals = [0, 1, 4, 5] if name == "tower" else range(len(ways))
    elements = [{"edge": [0, 0, orbital]} for orbital in orbitals]
    marks = VALENCY.page.marks(staging, {"form": "refutation", "nodes": [0], "elements": elements})
    assert [link["away"] for link in marks["clash"]["links"]] == ways


def test_what_is_too_large_is_told_and_not_drawn() -> None:
    staging = Staging(load("terrain").rules, Lattice(400, 400))
    page = VALENCY.page.data(staging)
    assert page["is_too_large"]
    assert page["nodes"] == 160_000 > page["most_nodes"] == MAX_NODES
    assert "modules" not in page


def test_a_pin_is_kept_when_the_task_is_filled_again_and_can_be_taken_back() -> None:
    staging = load("terrain")
    pinned = VALENCY.page.play(staging, {"pick": {"node": 200, "name": "forest"}})
    answer = solvent.ask(pinned)
    assert answer.certificate is not None
    assert pinned.rules.modules[answer.certificate["modules"][200]].name == "forest"
    again = VALENCY.page.play(pinned, {"pick": {"node": 200, "name": "sea"}})
    assert [pick.name for pick in again.picks if pick.node == 200] == ["sea"]
    assert VALENCY.page.play(again, {"unpick": 200}) == staging
    assert VALENCY.page.play(pinned, {"clear": True}).picks == ()


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({}, "expected one thing to do"),
        ({"seed": 1, "clear": True}, "expected one thing to do"),
        ({"clear": False}, "expected one thing to do"),
        ({"fly": 1}, "unknown field `fly`"),
        ({"seed": -1}, "seed"),
        ({"pick": {"node": 10**9, "name": "sea"}}, "expected a node from 0 to 143"),
        ({"pick": {"node": 0, "name": "dragon"}}, "no module is called 'dragon'"),
        ({"pick": {"node": 20, "name": "west gate"}}, "'west gate' does not fit on (4, 1)"),
        ({"unpick": 1}, "nothing is pinned on (1, 0)"),
        ({"make": {"grid": "big"}}, "expected width x height"),
        ({"make": {"grid": "500x500"}}, "up to 40,000 cells"),
        ({"make": {"grid": "5x5", "graph": "source,target\n0,1"}}, "a grid or a graph"),
        ({"make": {"rules": {"bundled": "../secret"}}}, "unknown rule set"),
        ({"make": {"rules": {"ending": "exe", "text": "x"}}}, "unknown kind of rule set"),
        ({"make": {"rules": {"ending": "json", "text": "  "}}}, "nothing in it"),
        ({"make": {"rules": {"ending": "txt", "text": "\n".join(["ab" * 100] * 200)}}}, "samples of up to"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(action: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption) as raised:
        VALENCY.page.play(load("village"), action)
    assert said in str(raised.value)


def test_a_seed_changes_the_fill_and_nothing_else() -> None:
    staging = load("terrain")
    other = VALENCY.page.play(staging, {"seed": 12345})
    assert other.seed == 12345
    assert VALENCY.page.play(other, {"seed": staging.seed}) == staging


def test_a_bundled_task_comes_as_it_is_or_on_another_grid() -> None:
    staging = load("too_close")
    assert make(staging, rules={"bundled": "pipes"}) == load("pipes")
    larger = make(load("pipes"), grid="30x20")
    before, after = load("pipes"), larger
    assert isinstance(before.cluster, Lattice)
    places = [(pick.node % before.cluster.width, pick.node // before.cluster.width) for pick in before.picks]
    assert [(pick.node % 30, pick.node // 30) for pick in after.picks] == places
    assert after.constraints == before.constraints


def test_what_has_no_place_on_a_smaller_grid_is_left_out_and_remarked_on() -> None:
    small = make(load("pipes"), grid="4x4")
    assert all(pick.node < 16 for pick in small.picks)
    assert any("Left out" in remark for remark in small.remarks)
    lake = make(load("no_ferry"), grid="3x2")
    assert not lake.constraints


def test_wrapping_can_be_changed_alone() -> None:
    wrapped = make(load("terrain"), periodic="xy")
    assert isinstance(wrapped.cluster, Lattice)
    assert wrapped.cluster.periodic == (True, True, False)
    with pytest.raises(BadOption, match="does not wrap around"):
        make(load("bridges"), periodic="x")


@pytest.mark.parametrize(
    ("ending", "text", "modules"),
    [
        ("json", OWN_RULES, 2),
        ("json", EXAMPLES["carpet"], 7),
        ("xml", TILES, 3),
        ("tsx", TERRAIN, 1),
        ("txt", "~~..\n~.##\n..##\n", 3),
    ],
)
def test_own_rules_are_read_from_the_text_alone(ending: str, text: str, modules: int) -> None:
    made = make(load("too_close"), rules={"ending": ending, "text": text, "name": "mine"})
    assert len(made.rules.modules) == modules
    assert not VALENCY.page.data(made)["is_too_large"]


def test_a_picture_is_learned_from_its_bytes() -> None:
    pixels = np.zeros((6, 6, 4), dtype=np.uint8)
    pixels[..., 3] = 255
    pixels[::2, :, 0] = 200
    text = base64.b64encode(write_png(pixels)).decode()
    made = make(load("carpet"), rules={"ending": "png", "text": text, "sample": "overlapping"}, grid="8x8")
    assert len(made.rules.modules) > 1
    with pytest.raises(ParseError, match="Base64"):
        make(load("carpet"), rules={"ending": "png", "text": "no picture!"})


def test_a_task_of_ones_own_keeps_its_picks() -> None:
    made = make(load("carpet"), rules={"ending": "json", "text": EXAMPLES["too_close"]})
    assert made == load("too_close")


def test_rules_are_put_on_a_graph() -> None:
    graph = {
        "nodes": [{"id": name, "pick": "sea" if name == "a" else None} for name in "abc"],
        "edges": [["a", "b", "right", "left"], ["b", "c", "right", "left"]],
    }
    made = make(load("terrain"), graph=json.dumps(graph))
    assert VALENCY.page.data(made)["names"] == ["a", "b", "c"]
    assert [pick.name for pick in made.picks] == ["sea"]


@pytest.mark.parametrize(
    "wished",
    [
        {"rules": {"ending": "json", "text": '{"orbitals": "square", "modules": 3}'}},
        {"rules": {"ending": "json", "text": '{"valency": 1, "rules": "/etc/passwd", "cluster": {}}'}},
        {"rules": {"ending": "json", "text": '{"valency": 1, "rules": {"file": "../x.json"}, "cluster": {}}'}},
        {"rules": {"ending": "xml", "text": '<!DOCTYPE set [<!ENTITY a SYSTEM "file:///etc/passwd">]><set>&a;</set>'}},
        {"rules": {"ending": "tsx", "text": "<tileset/>"}},
        {"rules": {"ending": "txt", "text": "ab\nabc"}},
        {"graph": "<graphml"},
        {"graph": "a,b\n1,2"},
        {"graph": '{"nodes": [{"id": 1, "id": 1}], "edges": [[1, 2]]}'},
    ],
)
def test_what_cannot_be_read_is_said_as_for_a_file(wished: dict[str, Any]) -> None:
    with pytest.raises((ParseError, BadOption)):
        make(load("terrain"), **wished)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3),
    max_leaves=8,
)
WORDS = (
    *("pick", "unpick", "clear", "seed", "make"),
    *("rules", "grid", "periodic", "graph", "node", "name", "ending", "text"),
)


@given(
    st.dictionaries(
        st.sampled_from(WORDS),
        JSON
        | st.dictionaries(
            st.sampled_from(WORDS), JSON | st.dictionaries(st.sampled_from(WORDS), JSON, max_size=3), max_size=3
        ),
        max_size=3,
    )
)
@settings(max_examples=300, deadline=None)
def test_whatever_somebody_sends_is_done_or_refused(action: dict[str, Any]) -> None:
    try:
        after = VALENCY.page.play(load("no_ferry"), action)
    except (BadOption, ParseError):
        return
    assert json.dumps(VALENCY.page.data(after))


def test_a_picture_is_opened_as_a_sample():
    pixels = np.full((8, 8, 4), 255, dtype=np.uint8)
    pixels[2:5, 2:5] = (20, 60, 200, 255)
    task = VALENCY.page.open_bytes("folder/lake.png", write_png(pixels))
    assert task.rules.name == "lake"
    assert (task.cluster.width, task.cluster.height) == (36, 24)
    assert "Patterns of 3 × 3" in task.remarks[0]
    assert solvent.ask(task, nodes=200_000).verdict is solvent.Verdict.YES


@pytest.mark.parametrize("data", [b"", b"\xff\xd8 a photograph", b"\x89PNG\r\n\x1a\n" + bytes(20)])
def test_other_bytes_are_refused_as_bad_input(data: bytes):
    with pytest.raises(ParseError, match="picture"):
        VALENCY.page.open_bytes("what.png", data)
