"""The dungeons of the corpus. What is expected of them was read from its drawings of the graphs over the maps."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dungeon.room_search import read_rooms, search
from solvent.core.domain import Request
from solvent.dungeon.domain import DOMAIN
from solvent.dungeon.formats import sniff_graph, sniff_map
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.vglc.embedding import embed
from solvent.dungeon.notation.vglc.files import parse_map
from solvent.dungeon.notation.vglc.graph import parse_dot
from solvent.dungeon.notation.vglc.matching import read_matching, reference_matching
from solvent.dungeon.notation.vglc.rooms_only import format_graph, parse_graph
from solvent.dungeon.notation.vglc.tiles import parse_tiles

pytestmark = pytest.mark.corpus

DUNGEONS = [(quest, dungeon) for quest in (1, 2) for dungeon in range(1, 10)]
NAMES = [f"{quest}-{dungeon}" for quest, dungeon in DUNGEONS]
LOSABLE = {"1-4", "1-5", "1-6", "1-7", "1-9"}
SLOW_TO_EMBED = {"2-8", "2-9"}
TIED = {"1-1", "1-5", "1-9", "2-5", "2-8", "2-9"}


@pytest.fixture(scope="module")
def folder(corpora) -> Path:
    found = corpora / "vglc-zelda"
    if not found.is_dir():
        pytest.skip(f"no {found.name} in {corpora}")
    return found


@pytest.fixture(scope="module")
def drawings(folder) -> dict:
    return json.loads((folder / "embedding.json").read_text())


def files(folder: Path, name: str) -> tuple[Path, Path]:
    quest, dungeon = name.split("-")
    graph = f"LoZ{'2' if quest == '2' else ''}_{dungeon}.dot"
    return folder / "Processed" / f"tloz{dungeon}_{quest}.txt", folder / "Graph Processed" / graph


def expected_rooms(drawings: dict, name: str) -> dict:
    return {node: tuple(at) for node, at in drawings[name].items() if isinstance(at, list)}


def listed(dungeon: Dungeon, beginning: str) -> list[str]:
    """Return what a remark lists after its colon."""
    found = [remark for remark in dungeon.remarks if remark.startswith(beginning)]
    return found[0].partition(": ")[2].split("; ") if found else []


@pytest.mark.parametrize("name", NAMES)
def test_shipped_matchings_agree_with_the_drawings(folder, drawings, name):
    map_text, graph_text = (path.read_text() for path in files(folder, name))
    shipped = reference_matching(map_text, graph_text)
    assert shipped is not None
    assert shipped == reference_matching(map_text.replace("\n", "\r\n") + "\n", graph_text)
    matching = read_matching(shipped, parse_tiles(map_text), parse_dot(graph_text))
    assert matching.rooms == expected_rooms(drawings, name)
    assert matching.basements == {node for node, at in drawings[name].items() if at == "basement"}


@pytest.mark.parametrize("name", NAMES)
def test_maps_become_dungeons_with_the_compromises_that_are_known(folder, drawings, name, tmp_path):
    map_path, graph_path = files(folder, name)
    text = map_path.read_text()
    assert sniff_map(text)
    beside_drawings = parse_map(text, map_path)
    assert beside_drawings.remarks[0] == "embedding.json says which node is which room"
    shutil.copy(graph_path, tmp_path / "cave.dot")
    dungeon = parse_map(text, tmp_path / "cave.txt")
    assert dungeon.remarks[0] == "which node is which room is known for this map and graph"
    known = drawings["_meta"][name]
    pairs = [" and ".join(map(str, sorted(each["edge"]))) for each in known["graph_edges_without_drawn_door"]]
    assert sorted(listed(dungeon, "edges through plain walls")) == sorted(pairs)
    pairs = [" and ".join(map(str, sorted(each["edge"]))) for each in known["half_drawn_doors"]]
    assert sorted(listed(dungeon, "doors drawn on one side only")) == sorted(pairs)
    assert len(listed(dungeon, "doors that are drawn but have no edge")) == len(known["drawn_doors_without_edge"])
    assert listed(dungeon, "edges whose node does not touch") == listed(beside_drawings, "edges whose node")
    stairs = {(way.source, way.target) for way in dungeon.ways if way.kind == "stairs"}
    # Each direction is a way of its own; those that are not there are marked with a dash.
    there = [
        label for each in known["stairs"] + known["basements"] for label in each["labels"].values() if label != "-"
    ]
    assert len(stairs) == len(there)


@pytest.mark.parametrize("name", NAMES)
def test_graphs_round_trip(folder, name):
    text = files(folder, name)[1].read_text()
    assert sniff_graph(text)
    dungeon = parse_graph(text)
    assert parse_graph(format_graph(dungeon)) == dungeon


@pytest.mark.parametrize("name", NAMES)
def test_the_map_is_solvable_and_losable_as_its_graph_is(folder, name):
    map_path, graph_path = files(folder, name)
    options = {option.name: option.default for option in DOMAIN.solve_options}
    for dungeon in (parse_map(map_path.read_text(), map_path), parse_graph(graph_path.read_text())):
        for question, expected in (("solvable", "YES"), ("losable", "YES" if name in LOSABLE else "NO")):
            finding = DOMAIN.solve(dungeon, Request(question=question, options=options))
            assert finding.verdict.name == expected


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW_TO_EMBED])
def test_embedding_from_the_texts_alone(folder, drawings, name):
    _embed_and_compare(folder, drawings, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW_TO_EMBED))
def test_embedding_the_largest_from_the_texts_alone(folder, drawings, name):
    _embed_and_compare(folder, drawings, name)


def _embed_and_compare(folder: Path, drawings: dict, name: str) -> None:
    map_path, graph_path = files(folder, name)
    tiles, graph = parse_tiles(map_path.read_text()), parse_dot(graph_path.read_text())
    found = embed(tiles, graph, walls=name.startswith("2"))
    cost = drawings["_meta"][name]["text_only_algorithm"]["cost"] / 20  # of the drawings too: they are an optimum
    assert found.remarks[0].endswith(f"cost {cost:g}, and no other costs less")
    assert (len(found.remarks) == 2) == (name in TIED)
    if name not in TIED:
        assert found.rooms == expected_rooms(drawings, name)


GRAPHS = [f"LoZ{quest}_{dungeon}" for quest in ("", "2") for dungeon in range(1, 10)]
MORE_GRAPHS = {
    "LA_2": ("NO", "YES"),
    "LA_3": ("YES", "YES"),
    "LA_7": ("YES", "NO"),
    "LttP_1": ("YES", "NO"),
    "LttP_2": ("YES", "NO"),
    "LttP_3": ("NO", "YES"),
    "LttP_5": ("NO", "YES"),
    "LttP_8": ("YES", "NO"),
    "LttP_10": ("NO", "YES"),
    "LttP_12": ("NO", "YES"),
}
"""Graphs of the two later games: solvable, losable."""


def graph_text(corpora: Path, name: str) -> str:
    path = corpora / "vglc-zelda-more" / f"{name}.dot"
    if name.startswith("LoZ"):
        path = corpora / "vglc-zelda" / "Graph Processed" / f"{name}.dot"
    if not path.is_file():
        pytest.skip(f"no {path.name} in {corpora}")
    return path.read_text()


def verdicts(dungeon: Dungeon) -> tuple[str, ...]:
    options = {option.name: option.default for option in DOMAIN.solve_options}
    return tuple(
        DOMAIN.solve(dungeon, Request(question=question, options=options)).verdict.name
        for question in ("solvable", "losable")
    )


@pytest.mark.parametrize("name", [*GRAPHS, *MORE_GRAPHS])
def test_verdicts_are_those_of_a_naive_search_of_the_rooms(corpora, name):
    text = graph_text(corpora, name)
    found = verdicts(parse_graph(text))
    assert found == tuple("YES" if each else "NO" for each in search(read_rooms(text)))
    assert found == MORE_GRAPHS.get(name, found)


@pytest.mark.parametrize("name", MORE_GRAPHS)
def test_graphs_of_the_later_games_round_trip(corpora, name):
    text = graph_text(corpora, name)
    assert sniff_graph(text)
    dungeon = parse_graph(text)
    assert parse_graph(format_graph(dungeon)) == dungeon


@pytest.mark.parametrize("name", ["LA_7", "LttP_10"])
def test_the_letter_that_no_legend_has_could_as_well_mean_open(corpora, name):
    text = graph_text(corpora, name)
    assert search(read_rooms(text)) == search(read_rooms(text, odd_letter="open"))
    assert any("what O means" in remark for remark in parse_graph(text).remarks)


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("LttP_1", "27 (room 5), 28 (room 6) and 29 (room 7)"),
        ("LttP_2", "12 to 9, 9 to 12, 9 to 15 and 15 to 9"),
        ("LttP_3", "count once: 7 to 4"),
        ("LttP_8", "left out: 20 to 4"),
        ("LA_2", "from a node to itself are left out: 18"),
        ("LA_3", "13 to 14"),
    ],
)
def test_what_is_odd_in_the_later_games_is_remarked(corpora, name, remark):
    assert remark in "\n".join(parse_graph(graph_text(corpora, name)).remarks)
