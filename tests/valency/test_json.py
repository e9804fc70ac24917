"""Tasks in JSON: what is written reads back equal, what people write means what it says, and errors say where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs.markdown import read_blocks
from solvent.core.errors import ParseError
from solvent.registry import detect, get_domain
from solvent.valency.formats import FORMATS
from solvent.valency.model import Connected, Count, Lattice, Module, Region, Staging, mask_of, numbers_in
from solvent.valency.notation import selectors
from solvent.valency.notation.rule_sets import parse_rules
from solvent.valency.notation.task_json import reading as task_reading
from solvent.valency.notation.task_json.writing import format_rules
from solvent.valency.validation import faults
from valency.strategies import stagings

GRID = {"lattice": {"size": [3, 3]}}
RIGHT, DOWN, LEFT, UP = range(4)


def task(rules: dict[str, Any] | None = None, cluster: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"valency": 1, "rules": {"modules": [{"name": "a"}], **(rules or {})}, "cluster": cluster or GRID, **more}


def read(said: dict[str, Any]) -> Staging:
    return FORMATS.parse(json.dumps(said))


def modules(*said: dict[str, Any], **rules: Any) -> dict[str, Module]:
    return {module.key: module for module in read(task({"modules": list(said), **rules})).rules.modules}


def listed(made: dict[str, Module], key: str, orbital: int, layer: int = 0) -> list[str] | None:
    """Return the keys that a module lists on an orbital; None if any module will do."""
    mask = made[key].bonds[layer].neighbours[orbital]
    keys = list(made)
    return None if mask is None else [keys[number] for number in numbers_in(mask)]


# Round trips


@given(stagings())
def test_what_is_written_reads_back_equal_and_is_written_the_same_again(staging: Staging):
    assert faults(staging) == []
    text = FORMATS.format(staging, "json")
    assert FORMATS.parse(text) == staging
    assert FORMATS.format(FORMATS.parse(text), "json") == text
    assert detect(text).name == "valency"


def test_a_module_is_one_line_and_small_things_stay_small():
    text = FORMATS.format(read(task({"modules": [{"name": "a"}, {"name": "b", "bonds": {"*": ["a", "b"]}}]})), "json")
    assert (
        '   {"name": "b", "bonds": {"right": ["a", "b"], "down": ["a", "b"], "left": ["a", "b"], "up": ["a", "b"]}}'
        in text
    )
    assert ' "cluster": {"lattice": {"size": [3, 3]}}' in text


def test_rules_are_written_alone_and_read_alone():
    rules = read(task({"modules": [{"name": "road", "rotations": 2, "sockets": {"left": "r", "right": "r"}}]})).rules
    assert parse_rules(format_rules(rules)) == rules
    assert parse_rules(json.dumps({"modules": [{"name": "a"}]})).modules[0].key == "a"


def test_the_example_of_the_reference_page_reads(project: Path):
    page = (project / "docs" / "reference" / "valency-json.md").read_text(encoding="utf-8")
    [example] = [block.text for block in read_blocks(page) if block.language == "json"]
    staging = FORMATS.parse(example)
    assert len(staging.rules.modules) == 11
    assert [type(one) for one in staging.constraints] == [Count, Connected]
    assert [pick.node for pick in staging.picks] == [0, 95]


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from([1e300, -0.5, 2**70, "", "a", "right", "#t", "needs", [], {}, [0, 1], ["a"], {"needs": ["a"]}]),
)


def places_in(said: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = said.items() if isinstance(said, dict) else enumerate(said) if isinstance(said, list) else ()
    return [path, *(place for key, value in inner for place in places_in(value, (*path, key)))]


@given(stagings(), st.data())
def test_a_spoiled_task_is_refused_or_as_good_as_any_other(staging: Staging, data: st.DataObject):
    said = json.loads(FORMATS.format(staging, "json"))
    place = data.draw(st.sampled_from(places_in(said)[1:]))
    inner = said
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = data.draw(JUNK)
    try:
        spoiled = read(said)
    except ParseError:
        return
    assert faults(spoiled) == []
    assert all(isinstance(remark, str) for remark in get_domain("valency").remarks(spoiled))
    assert FORMATS.parse(FORMATS.format(spoiled, "json")) == spoiled


# Recognising


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ('{"valency": 1}', True),
        ('\ufeff\n{ "valency" : 1', True),
        ('{"seed": [{"a": "}"}], "valency": 1, "rules": ', True),
        ('<?xml version="1.0"?>\n<!-- mine --><set size="4"><tiles><tile name="a"/></tiles></set>', True),
        ('{"rules": {"valency": 1}}', False),
        ('{"a": "\\"valency\\": 1"}', False),
        ('["valency"]', False),
        ("<map><set><tile/></set></map>", False),
        ("<set>", False),
        ("", False),
        ('{"valency"' * 1000, False),
        ('{"a": ' * 100_000 + '"valency"', False),
    ],
)
def test_recognises_tasks_and_rule_sets_only(text: str, known: bool):
    assert FORMATS.sniff(text) is known


def test_leaves_maps_of_editors_to_others():
    tiled = '{"tilewidth": 8, "tileheight": 8, "layers": [], "properties": [{"name": "valency"}]}'
    assert not FORMATS.sniff(tiled)
    assert get_domain("dungeon").sniff(tiled)


@pytest.mark.parametrize(
    "text",
    [
        '<set><tiles><tile name="a" symmetry="X"/></tiles><neighbors><neighbor left="a" right="a"/></neighbors></set>',
        '{"valency": 1, "rules": {"orbitals": "square", "modules": [{"name": "a"}]}}',
        '{"orbitals": "square", "modules": [{"name": "a"}]}',
        '{"orbitals": "hex", "modules": [{"name": "a"}]}',
    ],
)
def test_a_rule_set_is_put_on_a_usual_grid_and_that_is_remarked(text: str):
    assert FORMATS.sniff(text)
    task = FORMATS.parse(text)
    assert (task.cluster.width, task.cluster.height) == (20, 12)
    assert task.cluster.kind == ("hex" if "hex" in text else "square")
    assert task.remarks == ("A rule set without a grid: it is put on one of 20 × 12.",)
    assert FORMATS.parse(FORMATS.format(task, "json")) == task


def test_a_rule_set_for_graphs_is_no_task_and_says_what_to_do():
    with pytest.raises(ParseError, match="solvent generate valency FILE --grid 20x20"):
        FORMATS.parse('{"valency": 1, "rules": {"orbitals": ["on", "back"], "modules": [{"name": "a"}]}}')


# Bonds


def test_each_kind_of_bond_means_what_it_says():
    made = modules(
        {
            "name": "a",
            "bonds": {"right": ["b"], "down": {"needs": ["a", "b"]}, "left": "boundary", "up": "wildcard"},
        },
        {"name": "b", "bonds": {"right": "any", "left": [], "down": {"needs": []}}},
    )
    first, second = made["a"].bonds[0], made["b"].bonds[0]
    assert (first.orbital_mask, first.boundary_mask, first.wildcard_mask) == (1 << DOWN | 1 << UP, 1 << LEFT, 1 << UP)
    assert first.neighbours == (0b10, 0b11, None, None)
    assert (second.orbital_mask, second.boundary_mask, second.wildcard_mask) == (1 << DOWN, 0, 0)
    assert second.neighbours == (None, None, None, None)


@pytest.mark.parametrize(
    ("missing", "masks"), [("any", (0, 0, 0)), ("boundary", (0, 14, 0)), ("wildcard", (14, 0, 14))]
)
def test_an_orbital_that_is_not_mentioned_is_what_missing_says(missing: str, masks: tuple[int, int, int]):
    bonds = modules({"name": "a", "bonds": {"right": "any"}}, missing=missing)["a"].bonds[0]
    assert (bonds.orbital_mask, bonds.boundary_mask, bonds.wildcard_mask) == masks


def test_lists_hold_keys_names_and_tags():
    made = modules(
        {"name": "a", "bonds": {"right": ["wall"], "down": ["wall 2"], "left": ["#hard", "a"]}},
        {"name": "wall", "key": "wall 1", "tags": ["hard"]},
        {"name": "wall", "key": "wall 2", "tags": ["hard"]},
        {"name": "rock", "tags": ["hard"]},
        one_sided="accept",
    )
    assert listed(made, "a", RIGHT) == ["wall 1", "wall 2"]
    assert listed(made, "a", DOWN) == ["wall 2"]
    assert listed(made, "a", LEFT) == ["a", "wall 1", "wall 2", "rock"]


def test_a_key_comes_before_a_name_and_a_tag():
    made = modules({"name": "#x", "tags": ["x"]}, {"name": "b", "tags": ["x"], "bonds": {"*": ["#x"]}})
    assert listed(made, "b", UP) == ["#x"]


def test_layers_have_bonds_of_their_own():
    made = modules(
        {"name": "a", "bonds": {"pipes": {"right": ["b"]}, "roads": {"*": "boundary"}}},
        {"name": "b"},
        layers=[{"name": "roads"}, {"name": "pipes", "orbitals": "square8"}],
    )
    roads, pipes = made["a"].bonds
    assert roads.boundary_mask == 0b1111
    assert pipes.neighbours == (0b10, *[None] * 7)


def test_allowing_writes_both_lists():
    made = modules(
        {"name": "a"}, {"name": "b"}, allow=[["a", "right", "b"], [["a", "b"], "*", ["b"]]], missing="boundary"
    )
    assert listed(made, "a", RIGHT) == ["b"]
    assert listed(made, "b", LEFT) == ["a", "b"]
    assert listed(made, "b", UP) == ["a", "b"]


# Sockets and rotations


def test_sockets_match_where_labels_do():
    made = modules(
        {"name": "a", "sockets": {"right": "x", "left": "y", "up": ""}},
        {"name": "b", "sockets": {"left": "x", "right": {"needs": "y"}, "down": "nobody"}},
    )
    assert listed(made, "a", RIGHT) == ["b"]
    assert listed(made, "a", LEFT) == ["b"]
    assert listed(made, "b", RIGHT) == ["a"]
    assert listed(made, "a", UP) is None
    assert made["b"].bonds[0].orbital_mask == 1 << RIGHT
    assert made["b"].bonds[0].boundary_mask == 1 << DOWN


def test_paired_labels_match_each_other_and_not_themselves():
    made = modules(
        {"name": "a", "sockets": {"right": "plug", "left": "jack"}},
        {"name": "b", "sockets": {"right": "plug", "left": "plug"}},
        pairs=[["plug", "jack"]],
    )
    assert listed(made, "a", RIGHT) == ["a"]
    assert made["b"].bonds[0].boundary_mask == 1 << LEFT


def test_a_quarter_turn_is_anticlockwise():
    made = modules({"name": "end", "rotations": 4, "sockets": {"right": "x", "*": "y"}, "look": {"turns": 3}})
    assert list(made) == ["end 0", "end 1", "end 2", "end 3"]
    open_side = {
        key: [o for o in range(4) if listed(made, key, o) == [mate]]
        for key, mate in zip(made, ["end 2", "end 3", "end 0", "end 1"], strict=True)
    }
    assert [open_side[key][0] for key in made] == [RIGHT, UP, LEFT, DOWN]
    assert [module.look.quarter_turns for module in made.values()] == [3, 0, 1, 2]
    assert {module.name for module in made.values()} == {"end"}


def test_each_rotation_may_have_a_character_of_its_own():
    made = modules({"name": "bend", "rotations": 4, "look": {"glyph": "└┘┐┌"}}, {"name": "b", "rotations": 2})
    assert [module.look.glyph for module in made.values()] == ["└", "┘", "┐", "┌", "", ""]
    made = modules({"name": "end", "rotations": [270, 0], "look": {"glyph": "^v"}})
    assert {key: module.look.glyph for key, module in made.items()} == {"end 0": "^", "end 3": "v"}
    made = modules({"name": "bar", "rotations": 2, "look": {"glyph": "-"}})
    assert [module.look.glyph for module in made.values()] == ["-", "-"]
    for glyph, rotations in (("-|", 4), ("-|/", 2)):
        wanted = f"one character, or one for each of the {rotations} rotations"
        with pytest.raises(ParseError, match=rf"modules\[0\]\.look\.glyph: expected {wanted}"):
            modules({"name": "a", "rotations": rotations, "look": {"glyph": glyph}})
    with pytest.raises(ParseError, match="one character that can be seen"):
        modules({"name": "a", "look": {"glyph": "-|"}})


def test_a_mirrored_picture_turns_the_other_way():
    made = modules({"name": "end", "rotations": [0, 90, 270], "look": {"mirrored": True}})
    assert [(key, module.look.quarter_turns) for key, module in made.items()] == [
        ("end 0", 0),
        ("end 1", 3),
        ("end 3", 1),
    ]


def test_keys_of_rotated_modules_turn_along():
    made = modules(
        {"name": "end", "rotations": 4, "bonds": {"right": ["bar 0", "wall"]}},
        {"name": "bar", "rotations": [0, 90], "bonds": {"left": ["end 0"], "right": ["end 2"]}},
        {"name": "wall"},
        one_sided="accept",
    )
    assert listed(made, "end 0", RIGHT) == ["bar 0", "wall"]
    assert listed(made, "end 1", UP) == ["bar 1", "wall"]
    assert listed(made, "end 2", LEFT) == ["bar 0", "wall"]
    assert listed(made, "bar 1", DOWN) == ["end 1"]


def test_eight_orbitals_and_cubes_turn_as_well():
    made = modules({"name": "a", "rotations": 2, "bonds": {"down-right": "boundary"}}, orbitals="square8")
    assert made["a 1"].bonds[0].boundary_mask == 1 << 7
    tower = {"lattice": {"size": [2, 2, 2]}}
    rules = {"orbitals": "cubic", "modules": [{"name": "a", "rotations": 2, "bonds": {"above": "boundary"}}]}
    assert [module.bonds[0].boundary_mask for module in read(task(rules, tower)).rules.modules] == [16, 16]


# Clusters and what is asked of them


def test_lattices():
    assert read(task()).cluster == Lattice(3, 3)
    around = {"lattice": {"size": [4, 2], "periodic": [False, True]}}
    assert read(task(cluster=around)).cluster == Lattice(4, 2, periodic=(False, True, False))
    cube = {"lattice": {"size": [2, 3, 4], "periodic": True}}
    assert read(task({"orbitals": "cubic"}, cube)).cluster == Lattice(2, 3, 4, periodic=(True, True, True))


def test_cells_and_boxes_are_nodes():
    staging = read(
        task(
            picks={
                "selection": "best",
                "misfit": "force",
                "at": [{"node": [2, 1], "module": "a"}, {"node": 0, "module": "b"}],
            },
            regions=[{"nodes": [{"from": [0, 1], "to": [1, 2]}, 8], "seed": 5, "weights": {"a": 2}, "name": "low"}],
            constraints=[{"count": {"modules": "a", "least": 1, "nodes": [[1, 1], 2]}}],
            priorities=[float(node) for node in range(9)],
        )
    )
    assert [(pick.node, pick.name) for pick in staging.picks] == [(0, "b"), (5, "a")]
    assert staging.regions == (Region((3, 4, 6, 7, 8), 5, ((0, 2.0),), "low"),)
    assert staging.constraints == (Count(1, 1, None, (4, 2)),)
    assert staging.priorities[8] == 8


def test_exits_and_sockets_say_the_same():
    lane = {"name": "lane", "rotations": 2, "sockets": {"left": "l", "right": "l", "*": "g"}}
    rules = {"modules": [{"name": "grass", "sockets": {"*": "g"}}, lane]}
    exits = {"lane 0": ["left", "right"], "lane 1": ["up", "down"]}
    staging = read(
        task(
            rules,
            constraints=[
                {"connected": {"sockets": "l"}},
                {"connected": {"modules": "lane", "exits": exits}},
                {"connected": {"modules": ["lane"], "exits": {"tiles": exits}}},
                {"connected": {"modules": ["lane"]}},
            ],
        )
    )
    first, second, third, last = staging.constraints
    assert first == second == third == Connected(mask_of([1, 2]), ((0, 0b0101, 0b1010),))
    assert last == Connected(mask_of([1, 2]))


# Files beside the file


def test_rules_and_graphs_may_be_in_files_beside(tmp_path: Path):
    inner = tmp_path / "parts"
    inner.mkdir()
    (inner / "rules.json").write_text(json.dumps({"valency": 1, "rules": {"modules": [{"name": "a"}]}}))
    (inner / "town.csv").write_text("source,target\n0,1\n")
    (inner / "town.nodes.csv").write_text("id,x,y,pick\n0,0,0,a\n1,1,0,\n")
    text = json.dumps({"valency": 1, "rules": "parts/rules.json", "cluster": {"graph": "parts/town.csv"}})
    staging = FORMATS.parse(text, tmp_path / "task.json")
    assert [module.key for module in staging.rules.modules] == ["a"]
    assert staging.cluster.positions.tolist() == [[0, 0, 0], [1, 0, 0]]
    assert [(pick.node, pick.name) for pick in staging.picks] == [(0, "a")]
    with pytest.raises(ParseError, match="a file on disk"):
        FORMATS.parse(text)


def test_rules_may_be_a_subset_of_an_xml_rule_set(tmp_path: Path):
    (tmp_path / "tiles.xml").write_text(
        '<set><tiles><tile name="a"/><tile name="b"/></tiles>'
        '<neighbors><neighbor left="a" right="a"/><neighbor left="b" right="b"/></neighbors>'
        '<subsets><subset name="one"><tile name="a"/></subset></subsets></set>'
    )
    said = {"valency": 1, "rules": {"file": "tiles.xml", "subset": "one"}, "cluster": GRID}
    assert [module.key for module in FORMATS.parse(json.dumps(said), tmp_path / "t.json").rules.modules] == ["a"]
    said["rules"] = {"file": "tiles.xml", "subset": "two"}
    with pytest.raises(ParseError, match="a subset that the rule set has"):
        FORMATS.parse(json.dumps(said), tmp_path / "t.json")


@pytest.mark.parametrize(
    "name", ["../rules.json", "/etc/rules.json", "C:\\rules.json", "rules.txt", "none.json", "a\0.json"]
)
def test_files_outside_the_folder_or_of_other_kinds_are_refused(tmp_path: Path, name: str):
    (tmp_path / "rules.json").write_text('{"modules": [{"name": "a"}]}')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "rules.txt").write_text('{"modules": [{"name": "a"}]}')
    with pytest.raises(ParseError, match=r"at \$.rules"):
        FORMATS.parse(json.dumps({"valency": 1, "rules": name, "cluster": GRID}), inner / "task.json")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path):
    (tmp_path / "rules.json").write_text('{"modules": [{"name": "a"}]}')
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "rules.json").symlink_to(tmp_path / "rules.json")
    with pytest.raises(ParseError, match="in the folder of the file"):
        FORMATS.parse(json.dumps({"valency": 1, "rules": "rules.json", "cluster": GRID}), inner / "task.json")


def test_files_do_not_name_files_in_turn(tmp_path: Path):
    text = json.dumps({"valency": 1, "rules": "loop.json", "cluster": GRID})
    (tmp_path / "loop.json").write_text(text)
    with pytest.raises(ParseError, match="a file that holds rules itself"):
        FORMATS.parse(text, tmp_path / "loop.json")


# Errors

A, B = {"name": "a"}, {"name": "b"}
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "version": ({**task(), "valency": 2}, r"at \$.valency: expected 1"),
    "unknown key": (task(sead=3), r"at \$: expected only keys that mean something here, found 'sead'"),
    "type": (task({"modules": [{"name": "a", "weight": "x"}]}), r"modules\[0\].weight: expected a number, found 'x'"),
    "two clusters": (task(cluster={**GRID, "graph": {"nodes": 1}}), r"at \$.cluster: expected a lattice or a graph"),
    "no modules": (task({"modules": []}), r"at \$.rules.modules: expected from 1 to 4096"),
    "unknown module": (task({"modules": [{**A, "bonds": {"up": ["b"]}}]}), r"modules\[0\].bonds.up\[0\].* found 'b'"),
    "unknown orbital": (task({"modules": [{**A, "bonds": {"top": []}}]}), r"bonds: expected an orbital of layer tiles"),
    "bond": (task({"modules": [{**A, "bonds": {"up": "anything"}}]}), r"bonds.up: expected a list of modules"),
    "socket": (task({"modules": [{**A, "sockets": {"up": 3}}]}), r"sockets.up: expected a label"),
    "socket and bond": (
        task({"modules": [{**A, "sockets": {"up": "x"}, "bonds": {"up": []}}]}),
        r"sockets.up: expected a socket or bonds",
    ),
    "unanswered need": (
        task({"modules": [{**A, "sockets": {"up": {"needs": "x"}}}]}),
        r"a socket that some module answers",
    ),
    "allowed without an opposite": (
        task({"orbitals": ["x"], "modules": [A], "allow": [["a", "x", "a"]]}, {"graph": {"nodes": 1}}),
        r"x of layer tiles has none; \"opposites\" in the rules can say it",
    ),
    "unknown opposite": (
        task({"orbitals": ["x"], "opposites": [["x", "y"]]}, {"graph": {"nodes": 1}}),
        r"opposites\[0\]: expected an orbital of layer tiles: x, found 'y'",
    ),
    "two opposites": (
        task({"orbitals": ["x", "y", "z"], "opposites": [["x", "y"], ["x", "z"]]}, {"graph": {"nodes": 1}}),
        r"opposites\[1\]: expected one opposite for each orbital, but x has y, found 'z'",
    ),
    "opposite to a direction": (
        task({"opposites": [["up", "left"]]}),
        r"one opposite for each orbital, but up has down, found 'left'",
    ),
    "same key": (task({"modules": [A, A]}), r"modules\[1\]: expected a key that no other module has, found 'a'"),
    "same orbital": (
        task({"orbitals": ["x", "x"]}, {"graph": {"nodes": 1}}),
        r"orbitals\[1\].name: expected a name that no other orbital has",
    ),
    "same layer": (task({"layers": [{"name": "x"}, {"name": "x"}]}), r"layers\[1\].name"),
    "many orbitals": (task({"orbitals": [str(number) for number in range(65)]}), r"at most 64 orbitals, found 65"),
    "unknown set": (task({"orbitals": "octagon"}), r"orbitals: expected square, square8, hex, cubic"),
    "missing": (task({"missing": "whatever"}), r"rules.missing: expected one of any, boundary, wildcard"),
    "one-sided": (
        task({"modules": [{**A, "bonds": {"right": ["b"]}}, {**B, "bonds": {"left": ["b"], "right": ["b"]}}]}),
        r"modules\[0\].bonds.right\[0\]: .*a allows b on right, but b does not allow a on left \(at .*\[1\].bonds.left",
    ),
    "one-sided to a boundary": (
        task({"modules": [{**A, "bonds": {"right": ["b"]}}, {**B, "bonds": {"left": "boundary"}}]}),
        r"b does not allow a on left",
    ),
    "one-sided rotation": (
        task(
            {
                "modules": [
                    {**A, "rotations": 2, "bonds": {"right": ["b"]}},
                    {**B, "bonds": {"left": ["a 0"], "down": ["b"], "up": ["b"]}},
                ]
            }
        ),
        r"a 1 allows b on up, but b does not allow a 1 on down",
    ),
    "zero weights": (task({"modules": [{**A, "weight": 0}]}), r"a weight above 0"),
    "negative weight": (task({"modules": [{**A, "weight": -1}]}), r"modules\[0\].weight.*found -1.0"),
    "least above most": (task({"modules": [{**A, "least": 3, "most": 2}]}), r"most: expected at least 3"),
    "rotations": (task({"modules": [{**A, "rotations": 3}]}), r"rotations: expected 1, 2 or 4"),
    "rotations on hexagons": (
        task({"orbitals": "hex", "modules": [{**A, "rotations": 2}]}),
        r"orbitals that turn into each other by 90 degrees",
    ),
    "count of rotations": (task({"modules": [{**A, "rotations": 2, "most": 1}]}), r"most: expected a count constraint"),
    "fault in a rotation": (
        task({"modules": [{**B, "rotations": 4}, {**A, "rotations": 4, "weight": -1}]}),
        r"\$.rules.modules\[1\].weight",
    ),
    "placement": (task({"modules": [{**A, "placement": "odd"}]}), r"placement: expected normal, filler or excluded"),
    "picture": (task({"modules": [{**A, "look": {"picture": "AAAA"}}]}), r"look.picture: expected a PNG picture"),
    "control character": (task({"modules": [{"name": "\u0001"}]}), r"without control characters"),
    "large lattice": (
        task(cluster={"lattice": {"size": [10**30, 1]}}),
        r"lattice.size: expected a size of 1 to 4000000",
    ),
    "odd hexagons": (
        task({"orbitals": "hex"}, {"lattice": {"size": [2, 3], "kind": "hex", "periodic": True}}),
        r"an even height",
    ),
    "hexagons on squares": (task({"orbitals": "hex"}), r"lattice.kind: expected hex"),
    "crooked direction": (
        task({"orbitals": [{"name": "x", "direction": [0.5, 0]}]}),
        r"orbitals\[0\].direction: expected a direction of whole numbers",
    ),
    "no way back": (task({"orbitals": [{"name": "x", "direction": [1, 0]}]}), r"leads back from x"),
    "pick twice": (
        task(picks={"at": [{"node": 1, "module": "a"}, {"node": [1, 0], "module": "a"}]}),
        r"picks.at\[1\].node: expected at most one pick",
    ),
    "pick outside": (task(picks={"at": [{"node": [3, 0], "module": "a"}]}), r"picks.at\[0\].node: expected a cell"),
    "selection": (task(picks={"selection": "best of all"}), r"picks.selection"),
    "no constraint": (task(constraints=[{}]), r"constraints\[0\]: expected one of count"),
    "no such module": (task(constraints=[{"count": {"modules": ["z"]}}]), r"constraints\[0\].count.modules\[0\].*'z'"),
    "nothing to count": (
        task(constraints=[{"count": {"modules": []}}]),
        r"count.modules: expected at least one module",
    ),
    "no such socket": (task(constraints=[{"connected": {"sockets": "z"}}]), r"connected.sockets: expected labels"),
    "exits": (
        task(constraints=[{"connected": {"modules": "a", "exits": {"a": ["top"]}}}]),
        r"exits.a\[0\]: expected an orbital",
    ),
    "distance": (task(constraints=[{"separation": {"modules": "a", "distance": 0}}]), r"separation.distance"),
    "path to nowhere": (
        task(cluster={"lattice": {"size": [1, 1]}}, constraints=[{"path": {"from": 0, "to": 0, "modules": "a"}}]),
        r"constraints\[0\].path.from: expected a node that has a neighbour",
    ),
    "region twice": (
        task(regions=[{"nodes": [1]}, {"nodes": [2, 1]}]),
        r"regions\[1\].nodes\[1\]: .* no other region, found 1",
    ),
    "node twice": (task(regions=[{"nodes": [1, 1]}]), r"regions\[0\].nodes\[1\]: expected each node once"),
    "boxes without end": (task(regions=[{"nodes": [{"from": [0, 0], "to": [2, 2]}] * 99}]), r"each node once"),
    "box backwards": (task(regions=[{"nodes": [{"from": [2, 0], "to": [0, 0]}]}]), r"corners in rising order"),
    "region of nobody": (task(regions=[{"name": "x"}]), r"regions\[0\]: expected nodes, or the name of a region"),
    "priorities": (task(priorities=[1, 2]), r"priorities: expected a priority for each of 9 nodes, found 2"),
    "seed": (task(seed=-1), r"at \$.seed: expected a whole number from 0"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_says_where_and_what(name: str):
    said, message = WRONG[name]
    with pytest.raises(ParseError, match=message):
        read(said)


def test_of_a_name_or_tag_one_module_that_agrees_is_enough():
    made = modules(
        {"name": "a", "bonds": {"right": ["wall"]}},
        {"name": "wall", "key": "open", "bonds": {"left": ["a"]}},
        {"name": "wall", "key": "shut", "bonds": {"left": "boundary"}},
    )
    assert listed(made, "a", RIGHT) == ["open", "shut"]


@pytest.mark.parametrize(
    "text", ['{"valency": 1,', '{"valency": 1, "seed": NaN}', '{"valency": 1, "seed": ' + "[" * 100_000]
)
def test_broken_json_is_an_error(text: str):
    with pytest.raises(ParseError):
        FORMATS.parse(text)


def test_numbers_beyond_floats_are_refused():
    with pytest.raises(ParseError, match=r"modules\[0\].weight"):
        FORMATS.parse(json.dumps(task()).replace('{"name": "a"}', '{"name": "a", "weight": 1' + "0" * 400 + "}"))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            task({"modules": [{"name": f"m{number}"} for number in range(10_000)]}),
            "from 1 to 4096 modules, found 10000",
        ),
        (task(cluster={"graph": {"nodes": ["n"] * 50_000}}), "from 1 to 40000 nodes, found 50000"),
    ],
    ids=["modules", "nodes"],
)
def test_what_is_far_too_large_is_only_counted(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, Any], expected: str
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("it was read in full")

    monkeypatch.setattr(task_reading, "MAX_NODES", 40_000)
    monkeypatch.setattr(task_reading, "read_json", refuse)
    with pytest.raises(ParseError, match=expected):
        read(said)


def test_a_long_task_that_is_broken_says_what_is_wrong() -> None:
    text = json.dumps(task({"modules": [{"name": "a", "tags": ["x" * 100] * 2_000}]}))
    with pytest.raises(ParseError, match="a task as JSON"):
        FORMATS.parse(text[:-1])
    with pytest.raises(ParseError, match=r"at \$\.rules\.modules: expected a list"):
        FORMATS.parse(text.replace('"modules": [', '"modules": 7, "name": [', 1))


def test_regions_take_no_more_cells_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of boxes of millions of cells are a small file."""
    boxes = []
    whole = selectors.NodeNames._box
    monkeypatch.setattr(selectors.NodeNames, "_box", lambda *said: boxes.append(1) or whole(*said))
    regions = [{"name": f"r{number}", "nodes": [{"from": [0, 0], "to": [2, 2]}]} for number in range(200)]
    with pytest.raises(ParseError, match=r"at \$\.regions\[1\]: expected each node in one region at most"):
        read(task(regions=regions))
    assert len(boxes) == 2
