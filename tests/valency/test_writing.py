"""Module data and pictures: what is written about a fill, and that other programs can read it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from solvent.core.answer import Answer, Cause, Reason, Verdict
from solvent.core.errors import BadOption, ParseError
from solvent.valency.art import FLIPPED_ACROSS, FLIPPED_DIAGONALLY, FLIPPED_DOWN, turn_bits
from solvent.valency.exports import ENDINGS, export
from solvent.valency.exports.gif import FRAMES
from solvent.valency.exports.module_data import flag_names, gather, pack, summarise, unpack
from solvent.valency.formats import FORMATS
from solvent.valency.model import (
    CUBIC_ORBITALS,
    EXCLUDED,
    FILLER,
    FORCE,
    HEX,
    HEX_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Count,
    Graph,
    Lattice,
    Layer,
    Look,
    Module,
    OrbitalSet,
    Pick,
    Region,
    Rules,
    Staging,
    Transform,
)
from solvent.valency.seeds import node_seed, node_seeds, variant, variants
from valency.stagings import random_staging

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"

SEEDS = [12035550249420947055, 6791897765849424158, 12935080325729570654]
VARIANTS = [1, 3, 5, 3, 2, 6, 1, 0, 1, 2, 0, 5]
"""What `node_seed` and `variant` gave when they were written: a change would change every fill."""


def png(pixels: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.array(pixels, dtype=np.uint8)).save(out, "PNG")
    return out.getvalue()


def pixels_of(data: bytes) -> Any:
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


RED, BLUE, GREEN = [255, 0, 0], [0, 0, 255], [0, 255, 0]
CORNER = png(np.kron(np.array([[0, 1], [1, 1]])[..., None], np.ones((4, 4, 1))) * BLUE + np.kron(
    np.array([[1, 0], [0, 0]])[..., None], np.ones((4, 4, 1))
) * RED)  # fmt: skip
"""Eight pixels a side: red in its upper left quarter, else blue."""
TURNED, LARGE = Transform(rotation_degrees=(0.0, 0.0, 90.0)), Transform(scale=(2.0, 2.0, 2.0))

ISLE = Rules(
    (Layer("beside", SQUARE_ORBITALS),),
    (
        Module("grass", "grass", (Bonds(),), weight=3.0, transforms=(Transform(), TURNED, LARGE)),
        Module("water 1", "water", (Bonds(),), properties=(("deep", True), ("height", -1.5)), tags=("wet", "cold")),
        Module("rubble", "rubble", (Bonds(),), placement=FILLER, look=Look(colour="#00ff00")),
        Module("castle", "castle", (Bonds(orbital_mask=0b1111),), placement=EXCLUDED),
    ),
    name="Isle",
    property_defaults=(("deep", False), ("height", 0), ("note", "a < b")),
)  # fmt: skip
ROW = Staging(ISLE, Lattice(4, 1), picks=(Pick(0, "water"), Pick(3, "castle")), pick_misfit=FORCE, seed=5)
FILL = {
    "form": "partial",
    "modules": [1, 0, -3, 3],
    "left_out": [{"node": 2, "nodes": [2], "elements": [{"node": 2}], "proof": "0\n"}],
}


def yes(certificate: dict[str, Any], **stats: Any) -> Answer:
    return Answer("valency", "partial", Verdict.YES, certificate, None, stats, 0.1)


def filled(*modules: int) -> Answer:
    return yes({"form": "assignment", "modules": list(modules)}, order=list(range(len(modules))))


# seeds


@given(st.integers(0, 2**70), st.integers(0, 2**40), st.integers(1, 2**32 - 1))
def test_seeds_of_one_node_and_of_many_are_the_same(seed: int, node: int, count: int):
    nodes = np.array([node, node + 1])
    assert node_seeds(seed, nodes).tolist() == [node_seed(seed, node), node_seed(seed, node + 1)]
    chosen = variants(seed, nodes, np.array([count, 0]))
    assert chosen.tolist() == [variant(seed, node, count), 0]
    assert 0 <= variant(seed, node, count) < count


def test_seeds_are_these_numbers_on_every_machine():
    assert [node_seed(0, 0), node_seed(1, 0), node_seed(0, 1)] == SEEDS
    assert [variant(7, node, 10) for node in range(12)] == VARIANTS


def test_variants_come_in_equal_shares_and_depend_on_the_seed():
    nodes = np.arange(30_000)
    drawn = variants(3, nodes, np.full(30_000, 3))
    assert np.abs(np.bincount(drawn) / 30_000 - 1 / 3).max() < 0.01
    assert (drawn != variants(4, nodes, np.full(30_000, 3))).mean() > 0.6


# module data


@given(st.integers(-3, 4095), st.integers(0, 63))
def test_packed_numbers_unpack(module: int, flags: int):
    packed = int(pack(np.array([module]), np.array([flags]))[0])
    assert unpack(packed) == (module, flags)
    assert 0 <= packed < 2**53, "so that JavaScript reads it too"


def test_flags_say_what_is_known_of_a_node():
    data = gather(ROW, yes(FILL))
    assert [flag_names(flags) for flags in data.flags.tolist()] == [
        ["fixed", "boundary"],
        ["boundary"],
        ["boundary", "impossible"],
        ["fixed", "forced", "boundary"],
    ]
    unproved = FILL | {"left_out": [{"node": 2}]}
    assert flag_names(int(gather(ROW, yes(unproved)).flags[2])) == ["boundary", "over_budget"]
    around = replace(ROW, cluster=Lattice(4, 1, periodic=(True, True, False)))
    rubble = yes({"form": "assignment", "modules": [1, 2, 2, 3]})
    flags = gather(around, rubble).flags.tolist()
    assert [flag_names(each) for each in flags] == [["fixed"], ["filler"], ["filler"], ["fixed"]]


def test_variants_of_a_region_come_from_its_own_seed():
    staging = Staging(ISLE, Lattice(50, 1), regions=(Region(tuple(range(25, 50)), 9),), seed=1)
    data = gather(staging, filled(*[0] * 50))
    assert data.variants.tolist() == [variant(1 if node < 25 else 9, node, 3) for node in range(50)]
    other = gather(staging, replace(filled(*[0] * 50), stats={"seed": 2}))
    assert other.variants[:25].tolist() == [variant(2, node, 3) for node in range(25)]
    assert other.variants[25:].tolist() == data.variants[25:].tolist()


def test_the_summary_counts_what_came_out():
    summary = summarise(gather(ROW, yes(FILL)))
    assert summary == {
        "nodes": 4,
        "resolved": 3,
        "unsolvable": 1,
        "impossible": 1,
        "over_budget": 0,
        "boundary": 4,
        "null": 0,
        "fixed": 2,
        "minimums_met": True,
        # shares 1/3, 1/3, 0, 1/3 against weights 3/5, 1/5, 1/5, 0
        "distance_from_weights": round((3 / 5 - 1 / 3 + 1 / 3 - 1 / 5 + 1 / 5 + 1 / 3) / 2, 6),
        "counts": {"grass": 1, "water 1": 1, "rubble": 0, "castle": 1},
    }
    for constraint, met in ((Count(0b10, 1), True), (Count(0b10, 2), False), (Count(0b10, 1, None, (1, 2)), False)):
        assert summarise(gather(replace(ROW, constraints=(constraint,)), yes(FILL)))["minimums_met"] is met
    wanting = replace(ISLE, modules=(replace(ISLE.modules[0], least=2), *ISLE.modules[1:]))
    assert summarise(gather(replace(ROW, rules=wanting), yes(FILL)))["minimums_met"] is False


# JSON, CSV, GraphML


def test_json_holds_everything_about_each_node():
    written = json.loads(export(ROW, yes(FILL), "json"))
    assert written["summary"]["resolved"] == 3
    assert [module["key"] for module in written["modules"]] == ["grass", "water 1", "rubble", "castle"]
    first, second, third, _ = written["nodes"]
    assert first == {
        "node": 0,
        "position": [0, 0, 0],
        "module": 1,
        "key": "water 1",
        "module_name": "water",
        "data": (5 << 32) | 1,
        "module_data": (5 << 32) | 1,
        "flags": ["fixed", "boundary"],
        "properties": {"deep": True, "height": -1.5, "note": "a < b"},
        "variant": None,
    }
    assert second["variant"] == variant(5, 1, 3)
    assert second["transform"]["scale"] == list(ISLE.modules[0].transforms[second["variant"]].scale)
    assert second["properties"] == {"deep": False, "height": 0, "note": "a < b"}
    assert (third["module"], third["key"], third["properties"]) == (-3, None, {})


def test_csv_has_a_line_for_each_node_and_a_column_for_each_property():
    lines = list(csv.DictReader(io.StringIO(export(ROW, yes(FILL), "csv").decode())))
    assert len(lines) == 4
    assert lines[0]["flags"] == "fixed|boundary"
    assert lines[0]["property:deep"] == "true"
    assert lines[1]["property:note"] == "a < b"
    assert [line["module"] for line in lines] == ["1", "0", "-3", "3"]
    assert [int(line["data"]) for line in lines] == gather(ROW, yes(FILL)).packed.tolist()


def test_graphml_has_typed_attributes_and_the_edges_that_bind():
    graph = Graph([(0, 0, 0), (2, 0, 0), (2, 2, 0), (4, 4, 0)], [(0, 1), (2, 1), (2, 3)], names=("a&b", "c", "d", "e"))  # type: ignore[arg-type]
    root = ElementTree.fromstring(export(Staging(ISLE, graph), filled(1, 0, 0, -2), "graphml"))
    keys = {key.attrib["id"]: key.attrib for key in root.iter(f"{GRAPHML}key")}
    nodes = {}
    for node in root.iter(f"{GRAPHML}node"):
        nodes[node.attrib["id"]] = {
            keys[data.attrib["key"]]["attr.name"]: data.text for data in node.iter(f"{GRAPHML}data")
        }
    assert nodes["n0"]["label"] == "a&b"
    assert nodes["n0"]["key"] == "water 1"
    assert nodes["n0"]["property:deep"] == "true"
    assert nodes["n1"]["property:deep"] == "false"
    assert "key" not in nodes["n3"]
    types = {each["attr.name"]: each["attr.type"] for each in keys.values()}
    assert (types["property:deep"], types["property:height"], types["property:note"]) == ("boolean", "double", "string")
    edges = [
        (edge.attrib["source"], edge.attrib["target"], [data.text for data in edge])
        for edge in root.iter(f"{GRAPHML}edge")
    ]
    assert edges == [
        ("n0", "n1", ["beside", "right", "left"]),
        ("n2", "n1", ["beside", "up", "down"]),
    ], "the edge from d to e points along no orbital"


# Tiled


def apply_bits(pixels: Any, bits: int) -> Any:
    """Turn a picture as Tiled does: the diagonal first, then the mirrors."""
    if bits & FLIPPED_DIAGONALLY:
        pixels = pixels.T
    if bits & FLIPPED_ACROSS:
        pixels = pixels[:, ::-1]
    return pixels[::-1] if bits & FLIPPED_DOWN else pixels


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("turns", range(4))
def test_turns_and_mirrors_are_bits_of_a_cell(turns: int, mirrored: bool):
    pixels = np.arange(9).reshape(3, 3)
    wanted = np.rot90(pixels, turns)
    wanted = wanted[:, ::-1] if mirrored else wanted
    assert np.array_equal(apply_bits(pixels, turn_bits(turns, mirrored)), wanted)


def test_a_tiled_map_has_a_layer_for_each_floor_and_a_tile_for_each_module():
    turned = replace(ISLE.modules[0], look=Look(picture=CORNER, quarter_turns=1))
    rules = replace(ISLE, modules=(turned, *ISLE.modules[1:]), layers=(Layer("beside", CUBIC_ORBITALS),))
    staging = Staging(rules, Lattice(2, 1, 2))
    written = json.loads(export(staging, yes({"form": "partial", "modules": [0, 1, -3, 2], "left_out": []}), "tmj"))
    assert [layer["data"] for layer in written["layers"]] == [[1 | FLIPPED_DIAGONALLY | FLIPPED_DOWN, 2], [0, 3]]
    assert (written["tilewidth"], written["orientation"], written["infinite"]) == (8, "orthogonal", False)
    (tileset,) = written["tilesets"]
    assert tileset["tilecount"] == len(tileset["tiles"]) == 4
    water = tileset["tiles"][1]
    assert water["type"] == "water"
    said = {entry["name"]: (entry["type"], entry["value"]) for entry in water["properties"]}
    assert said["deep"] == ("bool", True)
    assert said["height"] == ("float", -1.5)
    assert said["module key"] == ("string", "water 1")
    assert said["module tags"] == ("string", "wet, cold")


def test_hexagons_are_a_staggered_map_and_graphs_none():
    rules = replace(ISLE, layers=(Layer("beside", HEX_ORBITALS),))
    written = json.loads(export(Staging(rules, Lattice(2, 2, kind=HEX)), filled(0, 0, 1, 1), "tmj"))
    assert (written["orientation"], written["staggeraxis"], written["staggerindex"]) == ("hexagonal", "y", "odd")
    graph = Graph([(0, 0, 0), (1, 0, 0)], [(0, 1)])  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="lattices only"):
        export(Staging(ISLE, graph), filled(0, 0), "tmj")


# pictures


def test_a_png_is_put_together_from_turned_pictures():
    modules = [Module(f"m{n}", "m", (Bonds(),), look=Look(picture=CORNER, quarter_turns=n)) for n in range(4)]
    staging = Staging(replace(ISLE, modules=tuple(modules)), Lattice(2, 2))
    pixels = pixels_of(export(staging, filled(0, 1, 2, 3), "png"))
    assert pixels.shape == (16, 16, 3)
    reds = {(x // 4, y // 4) for y, x in zip(*np.nonzero(pixels[..., 0] == 255), strict=True)}
    # each tile's red quarter: upper left; lower left; lower right; upper right
    assert reds == {(0, 0), (2, 1), (1, 3), (3, 2)}


def test_small_pictures_are_enlarged_by_whole_numbers():
    look = Look(picture=png([[RED, BLUE, BLUE]] * 3))
    staging = Staging(replace(ISLE, modules=(replace(ISLE.modules[0], look=look),)), Lattice(2, 1))
    pixels = pixels_of(export(staging, filled(0, 0), "png"))
    assert pixels.shape == (9, 18, 3)
    assert (pixels[:, :3] == RED).all()
    assert (pixels[:, 3:9] == BLUE).all()


def test_without_pictures_cells_are_flat_colours():
    pixels = pixels_of(export(Staging(ISLE, Lattice(2, 1)), filled(2, 2), "png"))
    assert pixels.shape == (8, 16, 3)
    assert (pixels == GREEN).all()


def test_a_gif_fills_nodes_in_their_order_and_holds_the_end():
    staging = Staging(ISLE, Lattice(10, 10))
    fill = [2 if node % 3 else 1 for node in range(100)]
    order = [99 - node for node in range(100)]
    data = export(staging, yes({"form": "assignment", "modules": fill}, order=order), "gif")
    film = Image.open(io.BytesIO(data))
    assert film.n_frames == FRAMES
    film.seek(FRAMES // 2)
    middle = np.array(film.convert("RGB"))[4::8, 4::8].reshape(100, 3)
    film.seek(FRAMES - 1)
    assert film.info["duration"] >= 2000
    last = np.array(film.convert("RGB"))[4::8, 4::8].reshape(100, 3)
    assert np.array_equal(last[[node for node in range(100) if fill[node] == 2]][0], GREEN)
    decided = (middle == last).all(axis=1)
    assert not decided[:40].any(), "what is filled last is still undecided half-way"
    assert decided[60:].all()
    assert len({tuple(colour) for colour in middle[:40].tolist()}) <= 3, "averages depend on the rim only"


def test_a_gif_needs_the_order():
    for stats in ({}, {"order": [1]}, {"order": "abcd"}):
        with pytest.raises(BadOption, match="trace"):
            export(ROW, yes(FILL, **stats), "gif")


# everything


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("seed", range(12))
def test_every_kind_of_cluster_can_be_written_the_same_each_time(seed: int, ending: str):
    staging = random_staging(seed)
    nodes = len(staging.cluster.positions) if isinstance(staging.cluster, Graph) else None
    if isinstance(staging.cluster, Lattice):
        nodes = staging.cluster.width * staging.cluster.height * staging.cluster.depth
    elif ending in ("tmj", "tmx", "tscn", "vox"):
        pytest.skip("such a file holds lattices only")
    if ending == "vox" and isinstance(staging.cluster, Lattice) and staging.cluster.kind == HEX:
        pytest.skip("a voxel is a cube")
    assert nodes is not None
    modules = [node % len(staging.rules.modules) for node in range(nodes)]
    answer = filled(*modules)
    written = export(staging, answer, ending)
    assert written
    assert written == export(staging, answer, ending)


def test_nothing_is_written_of_an_answer_that_filled_nothing():
    no = Answer("valency", "solvable", Verdict.NO, {"form": "refutation"}, None, {}, 0.1)
    unknown = Answer("valency", "solvable", Verdict.UNKNOWN, None, Reason(Cause.TIME), {}, 0.1)
    for ending in ENDINGS:
        with pytest.raises(BadOption, match="cannot be filled"):
            export(ROW, no, ending)
        with pytest.raises(BadOption, match="out of time"):
            export(ROW, unknown, ending)
    with pytest.raises(BadOption, match="kind of file"):
        export(ROW, yes(FILL), "pdf")


def test_a_task_that_nobody_tried_to_fill_is_written_as_itself():
    assert FORMATS.parse(export(ROW, None, "json").decode()) == ROW


def test_json_of_a_fill_is_not_taken_for_a_task():
    with pytest.raises(ParseError, match="this is a fill that was made from them"):
        FORMATS.parse(export(ROW, yes(FILL), "json").decode())
    assert export(ROW, None, "svg").startswith(b"<svg")
    assert pixels_of(export(ROW, None, "png")).shape == (8, 32, 3)
    with pytest.raises(BadOption, match="it has not been filled"):
        export(ROW, None, "csv")


def test_several_layers_are_written_as_edges_of_their_own():
    along = OrbitalSet(SQUARE_ORBITALS.orbitals[::2])
    modules = tuple(replace(module, bonds=(Bonds(), Bonds())) for module in ISLE.modules)
    staging = Staging(replace(ISLE, layers=(*ISLE.layers, Layer("along", along)), modules=modules), Lattice(2, 2))
    root = ElementTree.fromstring(export(staging, filled(0, 0, 1, 1), "graphml"))
    layers = [next(iter(edge)).text for edge in root.iter(f"{GRAPHML}edge")]
    assert layers == ["beside"] * 4 + ["along"] * 2


def test_module_data_of_what_is_not_filled_is_its_state_and_nothing_else():
    """A module and its flags are packed; a node left out is exactly -3 and a null slot -2, as engines test for."""
    written = json.loads(export(ROW, yes(FILL), "json"))
    for node in written["nodes"]:
        assert node["module_data"] == (node["data"] if node["module"] >= 0 else node["module"])
    left_out = json.loads(export(ROW, yes({**FILL, "modules": [0, 0, -3, 0]}), "json"))["nodes"][2]
    assert left_out["module_data"] == -3
    assert left_out["data"] != -3
    table = list(csv.DictReader(io.StringIO(export(ROW, yes({**FILL, "modules": [0, 0, -3, 0]}), "csv").decode())))
    assert table[2]["module_data"] == "-3"


def test_modules_are_placed_where_their_transforms_put_them():
    moved = Transform((0.5, -1.0, 2.0))
    rules = replace(ROW.rules, modules=tuple(replace(one, transforms=(moved,)) for one in ROW.rules.modules))
    staging = replace(ROW, rules=rules)
    for node in json.loads(export(staging, yes(FILL), "json"))["nodes"]:
        if node["module"] >= 0:
            x, y, z = node["position"]
            assert node["placed"] == [x + 0.5, y - 1, z + 2]
    row = next(csv.DictReader(io.StringIO(export(staging, yes(FILL), "csv").decode())))
    assert [float(row[f"placed_{axis}"]) for axis in "xyz"] == [0.5, -1.0, 2.0]
