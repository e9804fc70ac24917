"""Tiled maps in as samples or rules and out again, with their tilesets, on every kind of grid."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvent
from solvent.core.errors import BadOption, ParseError, SolventError
from solvent.formats.tiled.maps import read_map
from solvent.valency.art import HEXAGONAL, ISOMETRIC, STAGGERED, read_turns, turn_bits
from solvent.valency.drawing.projection import project
from solvent.valency.exports import export
from solvent.valency.formats import FORMATS
from solvent.valency.generator import generate
from solvent.valency.model import HEX, Graph, Lattice, Staging
from solvent.valency.notation.learning import learn_adjacent
from solvent.valency.notation.map_samples import read_map_sample
from solvent.valency.notation.pictures import beside, read_png
from solvent.valency.notation.staggered import make_staggered, staggered_cells
from valency.map_files import COLOURS, tmx, tsx, write_map

STRIPES = [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]
SHAPES = {
    "isometric": 'orientation="isometric"',
    "staggered": 'orientation="staggered" staggeraxis="y" staggerindex="odd"',
    "staggered by columns": 'orientation="staggered" staggeraxis="x" staggerindex="even"',
    "hexagonal": 'orientation="hexagonal" hexsidelength="4" staggeraxis="y" staggerindex="odd"',
    "hexagonal by columns": 'orientation="hexagonal" hexsidelength="4" staggeraxis="x" staggerindex="even"',
}


def fill(staging: Staging) -> solvent.Answer:
    answer = solvent.ask(staging, seconds=60)
    assert answer.verdict is solvent.Verdict.YES
    return answer


def cells_of(text: str, path: Path) -> list[list[int]]:
    [layer] = read_map(text, path, as_drawn=True).layers
    return [list(row) for row in layer.chunks[0].gids]


def read(path: Path) -> Any:
    return read_map_sample(path.read_text(), path, read_beside=beside(path, follows_parents=True))


def test_a_map_is_a_sample_with_the_pictures_of_its_tiles(tmp_path: Path):
    path = write_map(tmp_path, tmx([STRIPES]))
    sample = read(path)
    assert sample.cells.tolist() == [[0, 1, 2, 3]] * 3
    assert [symbol.name for symbol in sample.symbols] == ["0", "1", "2", "3"]
    for symbol, colour in zip(sample.symbols, COLOURS, strict=True):
        pixels = read_png(symbol.look.picture, "tile")
        assert pixels.shape == (8, 8, 4)
        assert pixels[4, 4].tolist() == list(colour)
    rules = learn_adjacent(sample)
    assert rules.art is not None
    assert [sheet.source for sheet in rules.art.sheets] == ["four.tsx"]
    # Only what touches in the map may touch: 0 is followed by 1 and nothing else, and 3 is the last.
    assert [module.bonds[0].neighbours[0] for module in rules.modules] == [0b10, 0b100, 0b1000, None]


def test_a_map_comes_out_with_the_tileset_it_went_in_with(tmp_path: Path):
    path = write_map(tmp_path, tmx([[[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2]]]))
    staging = generate(seed=1, rules=str(path), grid="6x5")
    answer = fill(staging)
    written = export(staging, answer, "tmx").decode()
    assert '<tileset firstgid="1" source="four.tsx"/>' in written
    rows = cells_of(written, path)
    assert all(row[at] != row[at + 1] for row in rows for at in range(5))
    as_json = json.loads(export(staging, answer, "tmj"))
    assert as_json["tilesets"] == [{"firstgid": 1, "source": "four.tsx"}]
    assert as_json["layers"][0]["data"] == [gid for row in rows for gid in row]
    # What was written is a sample itself, of the same tiles.
    assert {symbol.name for symbol in read_map_sample(written, path).symbols} == {"0", "1"}


def test_files_are_named_as_seen_from_where_the_map_is_written(tmp_path: Path):
    path = write_map(tmp_path, tmx([STRIPES]))
    staging = generate(seed=1, rules=str(path), grid="4x3")
    answer = fill(staging)
    (tmp_path / "out").mkdir()
    written = solvent.export(staging, answer, "tmx", folder=tmp_path / "out").decode()
    assert 'source="../four.tsx"' in written
    assert cells_of(written, tmp_path / "out" / "map.tmx") == STRIPES
    # Through a task in JSON, where no folder is known, names stay as they are.
    again = FORMATS.parse(FORMATS.format(staging, "json"))
    assert again == staging
    assert 'source="four.tsx"' in solvent.export(again, fill(again), "tmx", folder=tmp_path / "out").decode()


def test_flips_and_several_layers_are_kept(tmp_path: Path):
    flipped = 2 | turn_bits(1, True)
    path = write_map(tmp_path, tmx([[[1, flipped], [1, flipped]], [[0, 3], [0, 3]]]))
    sample = read(path)
    assert [symbol.look.tiles for symbol in sample.symbols] == [(1, 0), (flipped, 3)]
    assert sample.symbols[1].key == "1 turned 1 mirrored + 2"
    staging = generate(seed=1, rules=str(path), grid="2x3")
    lower, upper = read_map(export(staging, fill(staging), "tmx").decode(), path, as_drawn=True).layers
    assert lower.chunks[0].gids == [[1, flipped]] * 3
    assert upper.chunks[0].gids == [[0, 3]] * 3
    assert (lower.name, upper.name) == ("layer 1", "layer 2")
    for turns in range(4):
        for mirrored in (False, True):
            assert read_turns(turn_bits(turns, mirrored)) == (turns, mirrored)


def test_a_tileset_inside_the_map_comes_out_inside(tmp_path: Path):
    inner = tsx(inner='<tile id="1" type="grass"/>', first='firstgid="5"').replace(
        "<image", '<tileoffset x="1" y="2"/><image'
    )
    path = write_map(tmp_path, tmx([[[5, 6], [5, 6]]], tileset=inner))
    staging = generate(seed=1, rules=str(path), grid="2x2")
    assert [module.name for module in staging.rules.modules] == ["0", "grass"]
    written = export(staging, fill(staging), "tmx").decode()
    assert '<image source="four.png" width="32" height="8"/>' in written
    assert '<tileoffset x="1" y="2"/>' in written
    assert read_map_sample(written, path).art == staging.rules.art
    as_json = export(staging, fill(staging), "tmj").decode()
    assert read_map_sample(as_json, path).art == staging.rules.art


@pytest.mark.parametrize("shape", SHAPES)
def test_other_grids_come_out_as_they_went_in(shape: str, tmp_path: Path):
    cells = [[1, 1, 1, 1], [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], [3, 3, 3, 3], [3, 3, 3, 3]]
    path = write_map(tmp_path, tmx([cells], shape=SHAPES[shape]))
    sample = read(path)
    staging = generate(seed=1, rules=str(path), grid="6x6")
    assert isinstance(staging.cluster, Graph if "staggered" in shape else Lattice)
    assert not isinstance(staging.cluster, Lattice) or (staging.cluster.kind == HEX) == ("hexagonal" in shape)
    answer = fill(staging)
    written = export(staging, answer, "tmx").decode()
    for attribute in re.findall(r'(?:orientation|staggeraxis|hexsidelength)="\w+"', SHAPES[shape]):
        assert attribute in written
    again = read_map_sample(written, path)
    # Every pair of tiles that touches in what was written touches in the sample.
    before, after = (_pairs(one) for one in (sample, again))
    assert after <= before
    assert after
    # A PNG and an SVG are drawn as such: tiles at the places of that grid, not squares in rows.
    projection = project(staging)
    assert projection is not None
    assert len({tuple(corner) for corner in projection.corners.tolist()}) == len(projection.corners)
    assert export(staging, answer, "png").startswith(b"\x89PNG")
    assert "<svg" in export(staging, answer, "svg").decode()


def _pairs(sample: Any) -> set[tuple[int, str, str]]:
    rules = learn_adjacent(sample)
    return {
        (orbital, module.key, rules.modules[other].key)
        for module in rules.modules
        for orbital, mask in enumerate(module.bonds[0].neighbours)
        for other in range(len(rules.modules))
        if (mask or 0) >> other & 1
    }


def test_places_on_the_screen_are_those_of_the_editor(tmp_path: Path):
    """Neighbours of an isometric map are half a cell apart both ways; rows of hexagons share their slanted sides."""
    places = {}
    for shape in ("isometric", "hexagonal", "staggered"):
        path = write_map(tmp_path, tmx([STRIPES], shape=SHAPES[shape]))
        projection = project(generate(seed=1, rules=str(path), sample="tiled", grid="3x3"))
        assert projection is not None
        places[shape] = (projection.corners - projection.corners[0]).tolist()
    assert places["isometric"][1] == [4, 4]
    assert places["isometric"][3] == [-4, 4]
    assert places["hexagonal"][1] == [8, 0]
    assert places["hexagonal"][3] == [4, 6]
    assert places["staggered"][3] == [4, 4]


@pytest.mark.parametrize("by_columns", [False, True])
def test_cells_of_a_staggered_map_touch_where_their_diamonds_do(by_columns: bool):
    graph = make_staggered(4, 5, by_columns=by_columns)
    x, y = graph.positions[:, 0], graph.positions[:, 1]
    expected = {
        (a, b) for a in range(20) for b in range(a + 1, 20) if abs(x[a] - x[b]) == 0.5 and abs(y[a] - y[b]) == 0.5
    }
    assert {tuple(sorted(edge)) for edge in graph.edges.tolist()} == expected
    found = staggered_cells(graph, by_columns=by_columns)
    assert found is not None
    assert found[2] == (4, 5)
    assert (found[0] + 4 * found[1]).tolist() == list(range(20))


def test_patterns_of_hexagons_hold_in_what_is_filled(tmp_path: Path):
    cells = [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 3, 3], [1, 1, 2, 2], [1, 1, 2, 2]]
    path = write_map(tmp_path, tmx([cells], shape=SHAPES["hexagonal"]))
    staging = generate(seed=1, rules=str(path), sample="overlapping", pattern=2, grid="5x5")
    written = export(staging, fill(staging), "tmx").decode()

    def rhombs(rows: list[list[int]]) -> set[tuple[int, ...]]:
        found = set()
        for y in range(len(rows) - 1):
            for x in range(len(rows[0]) - 1):
                left = x + (y % 2)  # the cell below to the right of (x, y), and the next
                if left + 1 < len(rows[0]):
                    found.add((rows[y][x], rows[y][x + 1], rows[y + 1][left], rows[y + 1][left + 1]))
        return found

    assert rhombs(cells_of(written, path)) <= rhombs(cells)
    mirrored = generate(seed=1, rules=str(path), sample="overlapping", pattern=2, symmetry=12, grid="5x5")
    assert len(mirrored.rules.modules) > len(staging.rules.modules)


TERRAIN = """ <wangsets><wangset name="land" type="corner" tile="-1">
 <wangcolor name="a" color="#ff0000" tile="-1" probability="1"/>
 <wangcolor name="b" color="#00ff00" tile="-1" probability="1"/>
 <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/><wangtile tileid="1" wangid="0,2,0,2,0,2,0,2"/></wangset></wangsets>
"""


def test_a_map_with_terrain_is_rules_unless_it_is_called_a_sample(tmp_path: Path):
    path = write_map(tmp_path, tmx([[[1, 2], [2, 1]]]))
    (tmp_path / "four.tsx").write_text(tsx(inner=TERRAIN))
    by_terrain = generate(seed=1, rules=str(path), grid="4x4")
    assert len(set(fill(by_terrain).certificate["modules"])) == 1  # the two never touch
    by_sample = generate(seed=1, rules=str(path), sample="tiled", grid="4x4")
    assert len(set(fill(by_sample).certificate["modules"])) == 2
    assert 'source="four.tsx"' in export(by_terrain, fill(by_terrain), "tmx").decode()
    # As a file to solve it has to be called a task, and is as large as the map.
    staging = FORMATS.parse(path.read_text(), path)
    assert (staging.cluster.width, staging.cluster.height) == (2, 2)
    assert "terrain sets are the rules" in " ".join(staging.remarks)


def test_a_map_stays_a_dungeon_unless_it_is_called_a_task(tmp_path: Path, run: Any):
    path = write_map(tmp_path, tmx([STRIPES]))
    assert not FORMATS.sniff(path.read_text())
    assert run("solve", str(path)).code != 0
    done = run("solve", "--as", "valency", str(path))
    assert done.code == 0
    assert "solvable: YES" in done.out


def test_an_infinite_map_is_cut_to_what_is_drawn(tmp_path: Path):
    text = tmx([STRIPES]).replace('infinite="0"', 'infinite="1"')
    chunk = '<chunk x="-4" y="2" width="4" height="2">\n0,0,0,0,\n0,1,2,0\n</chunk>'
    text = re.sub(r"<data.*?</data>", f'<data encoding="csv">{chunk}</data>', text, flags=re.DOTALL)
    assert read(write_map(tmp_path, text)).cells.tolist() == [[0, 1]]


REFUSED = {
    "no layer": (lambda text: re.sub(r"<layer.*?</layer>", "", text, flags=re.DOTALL), r"line 2, .*a tile layer"),
    "no tileset": (
        lambda text: text.replace("four.tsx", "five.tsx"),
        r"line 3, .*there is no such file, found 'five.tsx'",
    ),
    "an absolute tileset": (lambda text: text.replace("four.tsx", "/four.tsx"), r"a path of the tileset relative"),
    "a tile of no tileset": (
        lambda text: text.replace("1,2,3,4", "1,2,3,900000"),
        r"tiles of a tileset that the map has",
    ),
    "an odd shape": (lambda text: text.replace("orthogonal", "spherical"), r"line 2, .*found 'spherical'"),
    "cut short": (lambda text: text[: len(text) // 2], r"line \d+"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_missing_is_named(case: str, tmp_path: Path, run: Any):
    change, message = REFUSED[case]
    path = write_map(tmp_path, change(tmx([STRIPES])))
    done = run("generate", "valency", str(path), "--grid", "3x3")
    assert done.code == 30
    assert re.search(message, done.err), done.err


def test_what_cannot_be_written_says_why(tmp_path: Path):
    path = write_map(tmp_path, tmx([STRIPES], shape=SHAPES["staggered"]))
    staging = generate(seed=1, rules=str(path), grid="3x3")
    graph = staging.cluster
    assert isinstance(graph, Graph)
    moved = Staging(staging.rules, Graph(graph.positions + 0.1, graph.edges, graph.orbitals, graph.names))
    with pytest.raises(BadOption, match="made as one"):
        export(moved, fill(moved), "tmx")
    with pytest.raises(BadOption, match="does not wrap around"):
        generate(seed=1, rules=str(path), grid="3x3", periodic="xy")


@given(st.data())
def test_broken_maps_are_refused_and_never_crash(data: st.DataObject):
    """Letters of a map are changed, dropped and doubled: it is read, or refused with an error of ours."""
    text = tmx([STRIPES], shape=SHAPES[data.draw(st.sampled_from(sorted(SHAPES)))], tileset=tsx(first='firstgid="1"'))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", '"', "9", "-1", "<", "4294967295", "x", text[at] * 3]))
            + text[at + 1 :]
        )
    try:
        sample = read_map_sample(text, None)
        learn_adjacent(sample)
    except SolventError:
        pass


# The public collection


@pytest.mark.corpus
def test_the_desert_goes_in_as_a_sample_and_as_terrain_and_comes_out(corpora: Path, tmp_path: Path):
    path = corpora / "tiled" / "desert.tmx"
    for options in ({"sample": "tiled"}, {"sample": "overlapping"}, {}):
        staging = generate(seed=1, rules=str(path), grid="24x16", **options)
        assert all(module.look.picture for module in staging.rules.modules)
        written = solvent.export(staging, fill(staging), "tmx", folder=tmp_path).decode()
        assert "desert.tsx" in written
        out = tmp_path / "desert.tmx"
        out.write_text(written)
        again = read(out)
        assert again.art is not None
        if options:
            assert _pairs(again) <= _pairs(read(path))
        # Tiled shows the same art: each tile of the new map has the pixels that it has in the old tileset.
        pictures = {module.look.tiles: module.look.picture for module in staging.rules.modules}
        assert all(symbol.look.picture == pictures[symbol.look.tiles] for symbol in again.symbols)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "orientation"),
    [
        ("tiled/sewers.tmx", "orthogonal"),
        ("tiled/orthogonal-outside.tmx", "orthogonal"),
        ("tiled/rpg/island.tmx", "orthogonal"),
        ("debroglie/grass/map.tmx", "orthogonal"),
        ("debroglie/docs/hexagonal-mini.tmx", HEXAGONAL),
    ],
)
def test_public_maps_are_samples(corpora: Path, name: str, orientation: str):
    path = corpora / name
    sample = read(path)
    assert sample.art is not None
    assert sample.art.orientation == orientation
    assert sample.art.orientation not in (ISOMETRIC, STAGGERED)
    rules = learn_adjacent(sample)
    assert np.isclose(sum(module.weight for module in rules.modules), sample.cells.size)
    assert all(module.look.picture for module in rules.modules if "empty" not in module.tags)


def test_errors_know_their_file(tmp_path: Path):
    path = write_map(tmp_path, tmx([STRIPES]))
    (tmp_path / "four.tsx").write_text(tsx().replace("tilewidth", "tilwidth"))
    with pytest.raises(ParseError, match=r"four\.tsx"):
        read(path)
