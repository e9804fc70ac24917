"""Drawings: what they show, that they stay safe and small, and that paints can be told apart."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from PIL import Image

from conformance.promises import assert_safe_picture
from helpers.colour_blindness import SIGHTS, difference
from helpers.pictures import elements
from solvent.core.errors import BadOption, ParseError
from solvent.drawing.palette import as_hex
from solvent.valency.drawing import draw_svg, draw_text
from solvent.valency.drawing.colours import IMPOSSIBLE, MODULE_HUES, OVER_BUDGET, choose_paints
from solvent.valency.drawing.glyphs import choose_glyphs
from solvent.valency.drawing.overlay import read_overlay
from solvent.valency.drawing.pictures import MAX_CHARACTERS, draw_pictures, read_pictures
from solvent.valency.drawing.sheet import place_nodes
from solvent.valency.model import (
    CUBIC_ORBITALS,
    HEX,
    HEX_ORBITALS,
    SQUARE8_ORBITALS,
    SQUARE_ORBITALS,
    Bonds,
    Connected,
    Count,
    Graph,
    Lattice,
    Layer,
    Look,
    Module,
    OrbitalSet,
    Path,
    Pick,
    Rules,
    Separation,
    Staging,
)
from valency.stagings import random_staging

HREF = "href"


def png(pixels: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.array(pixels, dtype=np.uint8)).save(out, "PNG")
    return out.getvalue()


CORNER = png([[[255, 0, 0], [0, 0, 255]], [[0, 0, 255], [0, 0, 255]]])
"""Red in its upper left corner, else blue."""


def rules_of(*names: str, orbitals: OrbitalSet = SQUARE_ORBITALS, look: Look | None = None) -> Rules:
    """Make modules that go anywhere; `grass 1` is a variant of `grass`."""
    modules = [Module(name, name.split()[0], (Bonds(),), look=look or Look()) for name in names]
    return Rules((Layer("beside", orbitals),), tuple(modules), name="Isle")


ISLE = rules_of("grass", "grass 1", "water", "tower")


def filled(modules: list[int]) -> dict[str, Any]:
    return {"form": "assignment", "modules": modules}


def words_of(svg: str) -> list[str]:
    return [element.text or "" for element in elements(svg, "text")]


def uses_of(svg: str) -> Counter[str]:
    """Count what is used by the letters or digits that end its name; names begin with `v` and eight digits."""
    return Counter(element.attrib[HREF][10:] for element in elements(svg, "use"))


# what stands on nodes


def test_a_fill_shows_each_module_and_counts_them():
    svg = draw_svg(Staging(ISLE, Lattice(3, 2)), certificate=filled([0, 1, 2, 2, 2, 3]))
    assert_safe_picture(svg)
    assert uses_of(svg) == {"0": 1, "1": 1, "2": 3, "3": 1}
    assert {"grass × 2", "water × 3", "tower × 1", "Isle, 3 × 2"} <= {*words_of(svg)}


def test_an_unfilled_task_shows_its_picks_only():
    svg = draw_svg(Staging(ISLE, Lattice(3, 2), picks=(Pick(4, "water"), Pick(5, "nobody"))))
    uses = uses_of(svg)
    assert uses["2"] == 1
    assert uses["p"] == 2, "one on the cell and one in the panel; an unknown name has no flag"
    assert "fixed pick" in words_of(svg)


def test_what_is_left_out_is_marked_and_said():
    staging = Staging(ISLE, Lattice(3, 1))
    certificate = {
        "form": "partial",
        "modules": [0, -3, -3],
        "left_out": [{"node": 1, "nodes": [1], "elements": [{"node": 1}], "proof": "0\n"}, {"node": 2}],
    }
    svg = draw_svg(staging, certificate=certificate)
    assert_safe_picture(svg)
    assert (uses_of(svg)["i"], uses_of(svg)["o"]) == (2, 2)
    assert "1 node filled, 2 left out: 1 proved impossible, 1 given up on." in words_of(svg)
    text = draw_text(staging, certificate=certificate)
    assert "g × ?" in text
    assert "× proved impossible" in text
    assert "? given up on" in text


def test_pictures_become_vector_pixels_turned_as_the_module_says():
    modules = [replace(ISLE.modules[0], look=Look(picture=CORNER, quarter_turns=turns)) for turns in range(4)]
    modules.append(replace(ISLE.modules[0], look=Look(picture=CORNER, mirrored=True)))
    corners = []
    for pixels, drawn in zip(read_pictures(modules), draw_pictures(read_pictures(modules)), strict=True):
        assert pixels is not None
        found = re.findall(r'd="M(\d) (\d)h1v1h-1z" fill="#FF0000"', drawn)
        assert [(int(x), int(y)) for x, y in found] == [
            (x, y) for y in range(2) for x in range(2) if pixels[y, x, 0] == 255
        ]
        corners.append(found[0])
    # anticlockwise: upper left, lower left, lower right, upper right; then mirrored once
    assert corners == [("0", "0"), ("0", "1"), ("1", "1"), ("1", "0"), ("1", "0")]


def test_a_picture_that_cannot_be_read_is_a_colour():
    broken = replace(ISLE.modules[0], look=Look(colour="#102030", picture=b"no picture"))
    assert read_pictures([broken]) == [None]
    svg = draw_svg(Staging(replace(ISLE, modules=(broken,)), Lattice(2, 1)), certificate=filled([0, 0]))
    assert "#102030" in svg


def test_learnt_colours_are_shown_without_letters():
    look = Look(colour="#336699")
    svg = draw_svg(Staging(rules_of("a", "b", look=look), Lattice(4, 4)), certificate=filled([0] * 16))
    assert not uses_of(svg)
    assert "#336699" in svg


def test_two_pictures_on_one_page_do_not_share_names():
    svgs = [draw_svg(Staging(ISLE, Lattice(2, 1)), certificate=filled([0, module])) for module in (0, 2)]
    names = [set(re.findall(r'id="(v[0-9a-f]{8})', svg)) for svg in svgs]
    assert all(len(prefixes) == 1 for prefixes in names)
    assert not names[0] & names[1]


@pytest.mark.parametrize("seed", range(60))
def test_every_kind_of_task_can_be_drawn_filled_and_not(seed: int):
    staging = random_staging(seed)
    count = len(staging.rules.modules)
    overlay = read_overlay(staging, None, None, None)
    fill = [(node * 7 + seed) % (count + 2) - 2 for node in range(len(overlay.fill))]
    fill = [-3 if number == -1 else number for number in fill]
    for certificate in (None, {"form": "partial", "modules": fill, "left_out": []}):
        for view in ("modules", "candidates"):
            svg = draw_svg(staging, certificate=certificate, view=view)
            assert_safe_picture(svg)
            assert svg == draw_svg(staging, certificate=certificate, view=view)
        text = draw_text(staging, certificate=certificate)
        assert max(map(len, text.splitlines())) <= 80
        painted = draw_text(staging, certificate=certificate, colour=True)
        assert re.sub(r"\x1b\[[0-9;]*m", "", painted).split() == text.split()


def test_names_of_any_kind_stay_words():
    hostile = rules_of("<script>alert(1)</script>", 'a"b', "line\nbreak\x1b[31m")
    graph = Graph([(0, 0, 0), (1, 0, 0)], [(0, 1)], names=("<b>", "\x1b[2J"))  # type: ignore[arg-type]
    for cluster in (Lattice(3, 1), graph):
        staging = Staging(hostile, cluster)
        certificate = filled([0, 1, 2][: 3 if isinstance(cluster, Lattice) else 2])
        assert_safe_picture(draw_svg(staging, certificate=certificate))
        assert "\x1b" not in draw_text(staging, certificate=certificate)


# lattices


def test_hexagons_stand_half_a_cell_to_the_right_in_odd_rows():
    staging = Staging(rules_of("a", orbitals=HEX_ORBITALS), Lattice(2, 2, kind=HEX))
    svg = draw_svg(staging, certificate=filled([0] * 4))
    places = [(float(use.attrib["x"]), float(use.attrib["y"])) for use in elements(svg, "use")]
    assert [x for x, _ in places] == [16, 48, 32, 64]
    assert places[2][1] - places[0][1] == pytest.approx(32 * 0.75**0.5, abs=0.01)
    assert draw_text(staging, certificate=filled([0] * 4)).splitlines()[1:3] == ["a a", " a a"]


def test_floors_stand_side_by_side_and_are_named():
    staging = Staging(rules_of("a", orbitals=CUBIC_ORBITALS), Lattice(3, 2, 3))
    svg = draw_svg(staging, certificate=filled([0] * 18))
    assert {"floor 0", "floor 1", "floor 2"} <= {*words_of(svg)}
    places = {(use.attrib["x"], use.attrib["y"]) for use in elements(svg, "use")}
    assert len(places) == 18


@pytest.mark.slow
def test_pictures_of_a_hundred_by_hundred_stay_small():
    chance = np.random.default_rng(1)
    modules = tuple(
        Module(f"m{n}", f"m{n}", (Bonds(),), look=Look(picture=png(chance.integers(0, 255, (48, 48, 3)))))
        for n in range(40)
    )
    staging = Staging(Rules(ISLE.layers, modules), Lattice(100, 100))
    svg = draw_svg(staging, certificate=filled(chance.integers(0, 40, 10_000).tolist()))
    assert len(svg) < 3_000_000
    assert sum(map(len, draw_pictures(read_pictures(modules)))) <= MAX_CHARACTERS
    assert sum(uses_of(svg).values()) == 10_000


def test_a_million_cells_are_drawn_in_blocks():
    fill = np.random.default_rng(2).integers(0, 4, 1_000_000)
    fill[123_456] = -3
    svg = draw_svg(Staging(ISLE, Lattice(1000, 1000)), certificate={"form": "partial", "modules": fill.tolist()})
    assert len(svg) < 3_000_000
    assert "Too many cells to draw each: colours are averages." in words_of(svg)
    block = tuple(17 * round(part / 17) for part in IMPOSSIBLE)
    assert as_hex((block[0], block[1], block[2])) in svg, "one cell that could not be filled shows in its block"


def test_a_strip_longer_than_any_picture_is_cut():
    svg = draw_svg(Staging(ISLE, Lattice(1, 50_000)))
    assert "Columns 0 to 0 of 1, rows 0 to 2999 of 50000." in words_of(svg)
    assert len(draw_text(Staging(ISLE, Lattice(1, 50_000))).splitlines()) < 110


def test_a_wide_lattice_keeps_to_eighty_columns():
    for width in (40, 41, 80, 81, 300):
        lines = draw_text(Staging(ISLE, Lattice(width, 3)), certificate=filled([0] * (3 * width))).splitlines()
        assert max(map(len, lines)) <= 80


# graphs


def test_graphs_show_edges_discs_names_and_empty_nodes():
    graph = Graph(  # type: ignore[arg-type]
        [(0, 0, 0), (1, 0, 0), (1, 1, 0), (5, 5, 0)], [(0, 1), (1, 2)], names=("hall", "yard", "well", "moon")
    )
    svg = draw_svg(Staging(ISLE, graph), certificate=filled([0, 2, 3, -2]))
    assert_safe_picture(svg)
    assert uses_of(svg) == {"0": 1, "2": 1, "3": 1}
    assert {"hall", "yard", "well", "moon"} <= {*words_of(svg)}
    text = draw_text(Staging(ISLE, graph), certificate=filled([0, 2, 3, -2]))
    assert "w yard: water — hall, well" in text
    assert "moon — alone" in text


def test_edges_that_take_no_part_are_dashed():
    graph = Graph([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1), (0, 2), (1, 2), (2, 3)])  # type: ignore[arg-type]
    svg = draw_svg(Staging(ISLE, graph), certificate=filled([0, 2, 3, 0]))
    shown = svg.partition("</defs>")[2].partition("<use")[0]
    paths = re.findall(r'<path d="([^"]*)" fill="none" stroke="[^"]*" stroke-width="[^"]*"( stroke-dasharray)?', shown)
    assert [(lines.count("M"), bool(dashed)) for lines, dashed in paths] == [(3, False), (1, True)]
    assert "edge that takes no part" in words_of(svg)
    assert "g node 0: grass — 1\n" in draw_text(Staging(ISLE, graph), certificate=filled([0, 2, 3, 0]))
    # A layer that knows diagonals gives the edge a part.
    two = replace(ISLE, layers=(*ISLE.layers, Layer("corners", SQUARE8_ORBITALS)))
    modules = tuple(replace(module, bonds=(Bonds(), Bonds())) for module in ISLE.modules)
    svg = draw_svg(Staging(replace(two, modules=modules), graph))
    assert "takes no part" not in svg
    given = Graph(graph.positions, graph.edges, [[(0, 2)], [(-1, -1)], [(1, 3)], [(2, 0)]])  # type: ignore[arg-type]
    assert read_overlay(Staging(ISLE, given), None, None, None).idle_edges.tolist() == [False, True, False, False]


def test_large_graphs_are_dots_and_larger_ones_blocks():
    chance = np.random.default_rng(3)
    for nodes in (5_000, 70_000):
        positions = chance.random((nodes, 3)) * (1, 1, 0)
        edges = np.stack([np.arange(nodes - 1), np.arange(1, nodes)], axis=1)
        svg = draw_svg(Staging(ISLE, Graph(positions, edges)), certificate=filled([0] * nodes))
        assert_safe_picture(svg)
        assert not uses_of(svg)
        assert len(svg) < 3_000_000


def test_nodes_that_stand_nowhere_are_arranged_apart():
    ring = Graph([(0, 0, 0)] * 12, [(n, (n + 1) % 12) for n in range(12)])  # type: ignore[arg-type]
    points = place_nodes(ring)
    distances = [float(np.hypot(*(points[a] - points[b]))) for a, b in combinations(range(12), 2)]
    assert min(distances) > 0.2 * max(distances) / 4
    assert np.array_equal(points, place_nodes(ring))


# what clashes

CLASHING = Staging(
    replace(ISLE, modules=tuple(replace(module, least=1, most=5) for module in ISLE.modules)),
    Lattice(100, 100),
    picks=(Pick(3351, "water"),),
    constraints=(Separation(0b11, 4), Count(0b100, 1, 2), Connected(0b1000), Path(3350, 3451, 0b1)),
)
REFUTATION = {
    "form": "refutation",
    "nodes": [3350, 3351, 3451],
    "elements": [
        {"node": 3350},
        {"pick": 3351},
        {"node": 3451},
        {"edge": [0, 3350, 0]},
        {"edge": [0, 3451, 3]},
        {"apart": [0, 3350, 3451]},
        {"least": 3},
        {"most": 2},
        {"constraint": 1},
        {"constraint": 2},
        {"constraint": 3},
    ],
    "proof": "0\n",
}


def test_a_clash_is_shown_from_near_and_said_in_words():
    svg = draw_svg(CLASHING, certificate=REFUTATION)
    assert_safe_picture(svg)
    words = words_of(svg)
    assert {"1", "2", "3"} <= {*words}, "each node of the clash has its number"
    for sentence in (
        "Cannot be filled: these 3 nodes clash.",
        "Columns 46 to 55 of 100, rows 29 to 38 of 100.",
        "1 and 3 must be filled.",
        "2 is fixed to water.",
        "Neighbours must agree: 1–2 and 3–2.",
        "1 and 3 are fewer than 4 edges apart: not both grass.",
        "At least 1 × tower.",
        "At most 5 × water.",
        "At least 1 and at most 2 of water.",
        "All of tower must hang together.",
        "grass must lead from 1 to 3.",
        "Nodes: 1: (50, 33), 2: (51, 33) and 3: (51, 34).",
    ):
        assert sentence in words
    text = draw_text(CLASHING, certificate=REFUTATION)
    assert "·1w2·" in text
    assert "Neighbours must agree: 1–2 and 3–2." in text


def test_an_edge_around_the_rim_is_drawn_as_two_ends_that_leave_it():
    refutation = {"form": "refutation", "nodes": [0, 4], "elements": [{"edge": [0, 0, 2]}], "proof": "0\n"}
    around = draw_svg(Staging(ISLE, Lattice(5, 1, periodic=(True, False, False))), certificate=refutation)
    straight = draw_svg(
        Staging(ISLE, Lattice(5, 1)), certificate=refutation | {"elements": [{"edge": [0, 0, 0]}], "nodes": [0, 1]}
    )
    drawn = [svg.partition("</defs>")[2] for svg in (around, straight)]
    lines = [re.findall(rf'<path d="([^"]*)" fill="none" stroke="{as_hex(IMPOSSIBLE)}"', svg) for svg in drawn]
    assert [line.count("M") for line in lines[0]] == [2]
    assert [line.count("M") for line in lines[1]] == [1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"nodes": [10_000]},
        {"nodes": "all"},
        {"elements": [{"edge": [0, 0, 3]}]},
        {"elements": [{"edge": [1, 0, 0]}]},
        {"elements": [{"apart": [1, 0, 1]}]},
        {"elements": [{"least": 4}]},
        {"elements": [{"constraint": 9}]},
        {"elements": [{"wish": 1}]},
        {"elements": [7]},
    ],
)
def test_a_clash_that_does_not_fit_is_refused(wrong: dict[str, Any]):
    with pytest.raises(ParseError):
        draw_svg(CLASHING, certificate=REFUTATION | wrong)


@pytest.mark.parametrize("modules", [[0, 0], [0, 0, 4], [0, 0, -4], [0, 0, True], [0, 0, "grass"], None])
def test_a_fill_that_does_not_fit_is_refused(modules: Any):
    with pytest.raises(ParseError):
        draw_svg(Staging(ISLE, Lattice(3, 1)), certificate={"form": "assignment", "modules": modules})


def test_highlights_ring_nodes_and_edges_and_show_a_fill():
    staging = Staging(ISLE, Lattice(3, 1))
    svg = draw_svg(staging, highlights={"nodes": [0, 1], "edges": [[0, 1]], "fill": [0, -1, 2]})
    assert_safe_picture(svg)
    assert svg.count(f'stroke="{as_hex(IMPOSSIBLE)}"') >= 3
    assert uses_of(svg) == {"0": 1, "2": 1}
    with pytest.raises(ParseError):
        draw_svg(staging, highlights={"nodes": [3]})
    assert "g<·<w" in draw_text(staging, highlights={"nodes": [0, 1], "fill": [0, -1, 2]}).replace("-", "·")


# candidates


def test_candidates_are_counted_from_fitness_and_picks():
    rules = rules_of("tree a", "tree b", "water", "tower")
    walled = replace(rules.modules[3], bonds=(Bonds(boundary_mask=0b0100),))  # a tower stands at the left rim only
    picks = (Pick(1, "tree"), Pick(2, "water"))
    staging = Staging(replace(rules, modules=(*rules.modules[:3], walled)), Lattice(4, 1), picks=picks)
    overlay = read_overlay(staging, None, None, "candidates")
    assert overlay.candidates is not None
    assert overlay.candidates.tolist() == [4, 2, 1, 3]
    assert words_of(draw_svg(staging, view="candidates")).count("possible on 1 node") == 4


def test_candidates_may_be_given_as_numbers_or_as_lists():
    staging = Staging(ISLE, Lattice(3, 1))
    svg = draw_svg(staging, view="candidates", highlights={"candidates": [0, 4, [1, 2]]})
    assert svg == draw_svg(staging, view="candidates", highlights={"candidates": [0, 4, 2]})
    assert as_hex(IMPOSSIBLE) in svg
    for wrong in ([1, 2], [1, 2, 9], [1, 2, "x"], 5):
        with pytest.raises(ParseError):
            draw_svg(staging, view="candidates", highlights={"candidates": wrong})


def test_candidates_are_numbers_in_a_terminal():
    rules = rules_of(*(f"m{n}" for n in range(12)))
    walled = replace(rules.modules[0], bonds=(Bonds(boundary_mask=0b0100),))
    staging = Staging(replace(rules, modules=(walled, *rules.modules[1:])), Lattice(3, 2), picks=(Pick(1, "m3"),))
    assert draw_text(staging, view="candidates").splitlines()[1:] == [
        "How many modules are possible on each node.",
        "12 1  11",
        "12 11 11",
    ]
    marked = draw_text(staging, highlights={"candidates": [0, 4, 12, -2, 1, 1], "nodes": [1, 2]})
    assert marked.splitlines()[2:] == ["0  4< 12<", "   1  1", "< look here"]
    graph = Graph([(0, 0, 0), (1, 0, 0)], [(0, 1)], names=("hall", "yard"))  # type: ignore[arg-type]
    assert draw_text(Staging(ISLE, graph, picks=(Pick(0, "tower"),)), view="candidates").splitlines()[2:] == [
        "1 hall — yard",
        "4 yard — hall",
    ]
    for width, kind in product((19, 20, 27, 300), ("square", HEX)):
        wide = Staging(
            rules_of("a", orbitals=HEX_ORBITALS if kind == HEX else SQUARE_ORBITALS), Lattice(width, 2, 1, kind)
        )
        numbers = draw_text(wide, highlights={"candidates": [1] * 2 * width}).splitlines()
        assert max(map(len, numbers)) <= 80


# views, moves, paints and glyphs


def test_unknown_views_and_moves_are_refused():
    staging = Staging(ISLE, Lattice(3, 1))
    for draw in (draw_svg, draw_text):
        with pytest.raises(BadOption, match="view"):
            draw(staging, view="map")
        with pytest.raises(BadOption, match="moves"):
            draw(staging, move="E")


@pytest.mark.parametrize("sight", SIGHTS)
def test_paints_can_be_told_apart(sight: str):
    for one, other in combinations(MODULE_HUES[:8], 2):
        assert difference(one, other, sight) >= 19
    for one, other in combinations(MODULE_HUES, 2):
        assert difference(one, other, sight) >= 8
    assert difference(IMPOSSIBLE, OVER_BUDGET, sight) >= 30


def test_variants_are_shades_of_one_hue_and_own_colours_are_kept():
    modules = rules_of("grass", "water", "grass 1", "grass 2").modules
    painted = (*modules, replace(modules[1], key="sea", name="sea", look=Look(colour=as_hex(MODULE_HUES[0]))))
    paints = choose_paints(painted)
    assert paints[4] == MODULE_HUES[0]
    assert MODULE_HUES[0] not in paints[:4], "a colour that a module has of its own is given to no other"
    assert len({*paints}) == 5
    by_hue = choose_paints(modules)
    assert difference(by_hue[0], by_hue[2], "normal") < difference(by_hue[0], by_hue[1], "normal")


def test_every_name_has_a_glyph_of_its_own_while_there_are_enough():
    names = [f"thing{n}" for n in range(40)]
    glyphs = choose_glyphs(rules_of(*names).modules)
    assert len({*glyphs}) == 40
    assert all(len(glyph) == 1 for glyph in glyphs)
    assert len({*choose_glyphs(rules_of("grass", "grass 1", "grass 2").modules)}) == 1
    assert choose_glyphs(rules_of("a", "b", look=Look(glyph="#")).modules) == ["#", "#"]
    assert "*" in choose_glyphs(rules_of(*(f"n{n}" for n in range(300))).modules)


def test_the_key_names_all_modules_that_share_a_sign():
    rules = rules_of("corner", "wall", "wall 1", "door", "sill", look=Look(glyph="#"))

    def key(modules: list[int]) -> str:
        return draw_text(Staging(rules, Lattice(len(modules), 1)), certificate=filled(modules)).splitlines()[-1]

    assert key([0, 0]) == "# corner"
    assert key([1, 0, 2, 0]) == "# wall, corner"
    assert key([0, 1, 3]) == "# corner, wall, door"
    assert key([4, 3, 1, 0]) == "# sill, door, wall, …"
    long = rules_of(*(letter * 100 for letter in "abcd"), look=Look(glyph="#"))
    text = draw_text(Staging(long, Lattice(4, 1)), certificate=filled([0, 1, 2, 3]))
    assert max(map(len, text.splitlines())) <= 80


def test_a_null_slot_holds_nothing_whatever_the_signs_are():
    graph = Graph([(0, 0, 0), (1, 0, 0), (5, 5, 0)], [(0, 1)])  # type: ignore[arg-type]
    rules = rules_of("rock", look=Look(glyph=" "))
    assert draw_text(Staging(rules, graph), certificate=filled([0, 0, -2])).splitlines()[3] == "  node 2 — alone"


def test_a_clash_in_a_large_graph_is_shown_from_near():
    side = 40
    positions = [(x, y, 0) for y in range(side) for x in range(side)]
    edges = [(n, n + 1) for n in range(side * side - 1) if n % side < side - 1]
    edges += [(n, n + side) for n in range(side * (side - 1))]
    staging = Staging(ISLE, Graph(positions, edges), picks=(Pick(820, "water"), Pick(0, "grass")))  # type: ignore[arg-type]
    clash = {"nodes": [820, 821], "elements": [{"pick": 820}, {"edge": [0, 820, 0]}]}
    svg = draw_svg(staging, certificate={"form": "refutation", "proof": "0\n"} | clash)
    assert_safe_picture(svg)
    words = words_of(svg)
    assert any("of 1,600 nodes are shown." in line for line in words)
    assert "Nodes: 1: node 820 and 2: node 821." in words
    assert uses_of(svg)["P"] == 1, "the other pick is far away"
