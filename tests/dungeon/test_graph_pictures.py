"""Pictures of room graphs: where rooms and lines stand, how a walk is numbered, and what the terminal says instead."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

import solvent
from dungeon.dungeons import dungeon_of
from helpers.pictures import elements
from solvent.core.domain import Drawing
from solvent.drawing.curves import count_crossings, runs_through
from solvent.drawing.layout import overlap
from solvent.drawing.palette import as_hex
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.drawing import draw_svg, draw_text
from solvent.dungeon.drawing.colours import sphere_tint
from solvent.dungeon.drawing.graph import place_graph
from solvent.dungeon.drawing.graph.lines import find_lines
from solvent.dungeon.drawing.graph.passages import find_passages, numbers_by_line, passage_of_move
from solvent.dungeon.drawing.graph.placing import GraphPicture
from solvent.dungeon.drawing.overlay import read_overlay
from solvent.dungeon.model import Dungeon, Floor, Gate, Pickup, Room, Rules, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.vglc.rooms_only import parse_graph

LABELS = ("enemy", "puzzle", "boss", "a label that is much longer than any box should be wide")


def room_graph(seed: int, count: int, *, more: int = 0, label: str = "") -> Dungeon:
    """Return a dungeon of which only names are known, each room with labels: a tree, and edges that close circles."""
    chance = random.Random(seed)
    floors = [Floor(str(number), (".",)) for number in range(count)]
    pairs = [(chance.randrange(max(0, node - 5), node), node) for node in range(1, count)]
    pairs += [(a, b) for a, b in ((chance.randrange(count), chance.randrange(count)) for _ in range(more)) if a != b]
    ways = []
    for one, other in dict.fromkeys(pairs):
        gate = chance.choice([None, None, 0]) if one else 0
        ways.append(Way((one, 0, 0), (other, 0, 0), "door", gate))
        if chance.random() < 0.9:
            ways.append(Way((other, 0, 0), (one, 0, 0), "door", chance.choice([gate, None])))
    rooms = [Room(str(n), (n, 0, 0), 1, 1, (label or chance.choice(LABELS),)) for n in range(count)]
    keys = [Pickup((node, 0, 0), "key", count=5) for node in range(0, count, 3)]
    parts = DungeonParts(
        floors, [(0, 0, 0)], [(count - 1, 0, 0)], pickups=keys, gates=[Gate("lock", ("",))], ways=ways, rooms=rooms
    )
    return assemble(parts, strict=False)


def placed(dungeon: Dungeon) -> GraphPicture:
    return place_graph(dungeon, read_overlay(dungeon, None, None, None))


def assert_readable(picture: GraphPicture) -> None:
    """Check that no boxes or signs overlap, and that no line runs below a box that it does not join."""
    for one, other in combinations(picture.nodes, 2):
        sizes = (one.width, one.height), (other.width, other.height)
        assert overlap((one.x, one.y), sizes[0], (other.x, other.y), sizes[1], gap=4) is None
    for line, curve in zip(picture.lines, picture.curves, strict=True):
        for number, node in enumerate(picture.nodes):
            if number in (line.one, line.other):
                continue
            box = (node.x, node.y, node.width / 2 - 0.5, node.height / 2 - 0.5)
            assert not runs_through(curve.points(), box), f"{line.one} - {line.other} below {number}"


@pytest.mark.parametrize("seed", range(5))
def test_labelled_rooms_stand_in_layers_and_not_on_one_spot(seed: int):
    dungeon = room_graph(seed, 30, more=6)
    picture = placed(dungeon)
    assert_readable(picture)
    assert count_crossings(picture.curves) <= 20
    assert draw_svg(dungeon) == draw_svg(dungeon)


def test_rooms_with_places_on_a_map_keep_them():
    rooms = [Room(name, (0, 2 * row, 4 * column), 1, 3) for name, row, column in
             (("nw", 0, 0), ("ne", 0, 1), ("sw", 1, 0), ("se", 1, 1))]  # fmt: skip
    floor = Floor("", ("...#...", ".#####.", "...#..."))
    ways = [Way((0, 0, 2), (0, 0, 4), "door"), Way((0, 0, 4), (0, 0, 2), "door")]
    dungeon = assemble(DungeonParts([floor], [(0, 0, 0)], [(0, 2, 6)], ways=ways, rooms=rooms), strict=False)
    at = {node.area.name: (node.x, node.y) for node in placed(dungeon).nodes if node.area.name}
    assert at["nw"][0] < at["ne"][0]
    assert at["sw"][0] < at["se"][0]
    assert at["nw"][1] < at["sw"][1]
    assert at["ne"][1] < at["se"][1]


def test_a_way_and_its_way_back_are_one_line_also_with_another_gate():
    ways = [
        Way((0, 0, 0), (1, 0, 0), "door", 0),
        Way((1, 0, 0), (0, 0, 0), "door"),
        Way((1, 0, 0), (2, 0, 0), "door", 1),
        Way((2, 0, 0), (1, 0, 0), "door", 1),
        Way((0, 0, 0), (2, 0, 0), "door"),
    ]
    parts = DungeonParts(
        [Floor(name, (".",)) for name in "abc"],
        [(0, 0, 0)],
        [(2, 0, 0)],
        gates=[Gate("lock", ("",)), Gate("lock", ("red",))],
        ways=ways,
    )
    dungeon = assemble(parts, strict=False)
    lines = {(line.one, line.other): line for line in find_lines(placed(dungeon).graph)}
    assert len(lines) == 3
    assert lines[0, 1].signs(dungeon) == [(0, "there")]
    assert lines[1, 2].signs(dungeon) == [(1, "")]
    assert lines[0, 2].back is None


def test_long_labels_are_wrapped_and_cut_with_a_tooltip():
    dungeon = room_graph(1, 6, label="a label that is longer than any box of this picture is wide")
    picture = placed(dungeon)
    assert max(node.width for node in picture.nodes) <= 160
    titles = [title.text or "" for title in elements(draw_svg(dungeon), "title")]
    assert any("of this picture is wide" in title for title in titles)


WALK = {"form": "plan", "plan": ["0", "2", "1", "3"]}


def paper() -> Dungeon:
    parts = DungeonParts(
        [Floor(name, (".",)) for name in ("hall", "attic", "cellar", "vault")],
        [(0, 0, 0)],
        [(3, 0, 0)],
        pickups=[Pickup((1, 0, 0), "key")],
        gates=[Gate("lock", ("",), name="iron gate")],
        ways=[
            Way((0, 0, 0), (1, 0, 0), "stairs"),
            Way((1, 0, 0), (0, 0, 0), "stairs"),
            Way((0, 0, 0), (2, 0, 0), "passage"),
            Way((2, 0, 0), (3, 0, 0), "door", 0),
        ],
    )
    return assemble(parts)


def test_a_walk_is_numbered_where_rooms_are_left():
    dungeon = paper()
    overlay = read_overlay(dungeon, WALK, None, None)
    picture = place_graph(dungeon, overlay)
    passages = find_passages(dungeon, picture.graph, picture.lines, overlay.walk)
    ends = [(picture.lines[p.line].one, picture.lines[p.line].other, p.forth) for p in passages]
    assert [p.number for p in passages] == [1, 2, 3, 4]
    assert ends == [(0, 1, True), (0, 1, False), (0, 2, True), (2, 3, True)]
    assert sorted(numbers_by_line(passages).values()) == [[1], [2], [3], [4]]
    assert passage_of_move(picture.graph, overlay.walk) == [0, 1, 2, 3, 4]
    said = ["".join(text.itertext()) for text in elements(draw_svg(dungeon, certificate=WALK), "text")]
    assert {"1", "2", "3", "4"} <= {*said}
    assert "open iron gate, reach the goal (vault)" in said, "gates are called what the designer calls them"
    assert said.count("iron gate") == 2, "below its sign, with a rim"
    assert "leads one way only" in said


def test_spheres_are_drawn_as_tints_with_numbers():
    dungeon = room_graph(3, 20)
    explanation = solvent.explain(dungeon)
    assert explanation.drawing is not None
    svg = DOMAIN.draw_svg(dungeon, explanation.drawing)
    said = ["".join(text.itertext()) for text in elements(svg, "text")]
    assert any(words.startswith("sphere 0: at once") for words in said)
    assert said.count("0") >= 2


def test_spheres_are_drawn_on_a_map_too():
    dungeon = dungeon_of("@.kL..G")
    svg = DOMAIN.draw_svg(dungeon, solvent.explain(dungeon).drawing or Drawing())
    said = ["".join(text.itertext()) for text in elements(svg, "text")]
    assert "sphere 0: at once" in said
    assert "sphere 1: opening a lock" in said
    fills = {path.get("fill") for path in elements(svg, "path")}
    assert {as_hex(sphere_tint(0)), as_hex(sphere_tint(1))} <= fills


@pytest.mark.parametrize(
    "spheres", [[3], [{"where": [[0, 0, 0]]}], [{"where": [[99, 0, 0, 1]]}], [{"where": [[0, 0, 0, 10**9]]}]]
)
def test_spheres_that_do_not_fit_are_an_error(spheres: list):
    with pytest.raises(solvent.ParseError, match="spheres"):
        draw_svg(paper(), highlights={"spheres": spheres})


# In the terminal


def test_many_rooms_are_summed_up_in_brief_and_listed_in_full():
    dungeon = room_graph(2, 40, more=8)
    brief = draw_text(dungeon, brief=True)
    assert len(brief.splitlines()) <= 8
    assert brief.startswith("40 rooms, ")
    assert "start in room 0, goal in room 39" in brief
    full = draw_text(dungeon)
    assert 40 <= len(full.splitlines()) <= 60
    assert max(map(len, (brief + "\n" + full).splitlines())) <= 80
    few = paper()
    assert draw_text(few, brief=True) == draw_text(few)


def test_a_hint_begins_with_the_place_and_what_is_in_hand():
    dungeon = room_graph(2, 40)
    hint = next(iter(solvent.hints(dungeon)))
    shown = DOMAIN.draw_text(dungeon, Drawing(highlights=hint.data.get("highlights"), brief=True))
    assert shown.splitlines()[0].startswith("You are in room 0")
    assert "In hand: " in shown
    assert len(shown.splitlines()) <= 6


def test_what_is_in_hand_counts_keys_bombs_and_items():
    parts = DungeonParts(
        [Floor(str(number), (".",)) for number in range(14)],
        [(0, 0, 0)],
        [(13, 0, 0)],
        pickups=[Pickup((1, 0, 0), "key", "red", 2), Pickup((1, 0, 0), "item", "lamp")],
        gates=[Gate("cracked"), Gate("lock", ("red",))],
        ways=[Way((n, 0, 0), (n + 1, 0, 0), "door", n - 11 if n > 10 else None) for n in range(13)],
        rules=Rules(bombs=3),
    )
    moved = replace(assemble(parts), played=("0",))
    shown = draw_text(moved, brief=True, highlights={"target": [2, 0, 0]})
    assert "You are in room 1." in shown
    assert "In hand: 2 red keys, 3 bombs and the lamp." in shown
    assert "Way: 1 to 2." in shown


# The corpus

CROSSINGS = {"LoZ_1": 2, "LoZ_4": 1, "LoZ_9": 8, "LoZ2_4": 6, "LoZ2_9": 26}


@pytest.mark.corpus
@pytest.mark.parametrize("name", [f"LoZ{quest}_{n}" for quest in ("", "2") for n in range(1, 10)])
def test_graphs_of_the_corpus_are_readable(corpora: Path, name: str):
    file = corpora / "vglc-zelda" / "Graph Processed" / f"{name}.dot"
    if not file.is_file():
        pytest.skip(f"no {file.name} in {corpora}")
    dungeon = parse_graph(file.read_text(encoding="utf-8"))
    picture = placed(dungeon)
    assert_readable(picture)
    assert count_crossings(picture.curves) <= CROSSINGS.get(name, 4)
    assert len(draw_text(dungeon, brief=True).splitlines()) <= (8 if len(dungeon.floors) > 12 else 24)


def test_of_a_tall_map_a_hint_shows_the_rows_around_its_path():
    dungeon = dungeon_of("/".join(["@." + "." * 18, *["#" * 19 + "."] * 58, "G" + "." * 19]))
    pointing = {"path": [[0, 30, 19], [0, 31, 19]], "target": [0, 31, 19]}
    brief = draw_text(dungeon, highlights=pointing, brief=True)
    assert "rows 24 to 37" in brief
    assert len(brief.splitlines()) <= 20
    assert len(draw_text(dungeon, highlights=pointing).splitlines()) > 60
    assert draw_text(dungeon, brief=True) == draw_text(dungeon)


@pytest.mark.parametrize("seed", [1, 4])
def test_graphs_of_generated_maps_are_readable(seed: int):
    dungeon = solvent.generate("dungeon", rooms=60, locks=12, seed=seed)
    picture = placed(dungeon)
    assert_readable(picture)
    assert count_crossings(picture.curves) <= 6


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["tloz4_2", "tloz7_2", "tloz9_1"])
def test_graphs_of_maps_of_the_corpus_are_readable(corpora: Path, name: str):
    file = corpora / "vglc-zelda" / "Processed" / f"{name}.txt"
    if not file.is_file():
        pytest.skip(f"no {file.name} in {corpora}")
    assert_readable(placed(solvent.load(file)))
