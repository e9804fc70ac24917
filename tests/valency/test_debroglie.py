"""Configurations of DeBroglie as tasks: what they say is kept, and what is not understood is named."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import solvent
from helpers.marks import slow
from solvent.core.errors import ParseError, SolventError
from solvent.valency.formats import FORMATS
from solvent.valency.generator import generate
from solvent.valency.model import (
    Acyclic,
    Connected,
    Consecutive,
    Count,
    Lattice,
    Loop,
    Only,
    Separation,
    Staging,
    numbers_in,
)
from solvent.valency.model import Path as Way
from solvent.valency.notation.debroglie.constraints import TRANSLATIONS
from solvent.valency.notation.debroglie.reading import parse_configuration
from solvent.valency.notation.debroglie.rotations import TileTurns, Turn
from solvent.valency.notation.magicavoxel import write_voxels
from solvent.valency.notation.pictures import write_png
from valency.map_files import tmx, write_map

COLOURS = {"r": (255, 0, 0, 255), "g": (0, 255, 0, 255), "b": (0, 0, 255, 255)}
RED, GREEN, BLUE = "#ff0000", "#00ff00", "#0000ff"


def configure(folder: Path, **keys: Any) -> Path:
    """Write a picture of three colours, and a configuration that learns from it."""
    rows = "rrgb rggb rrgb"
    pixels = np.array([[COLOURS[letter] for letter in row] for row in rows.split()], dtype=np.uint8)
    (folder / "a.png").write_bytes(write_png(pixels))
    path = folder / "a.json"
    path.write_text(json.dumps({"src": "a.png", "width": 5, "height": 4, **keys}))
    return path


def read(path: Path) -> Staging:
    return parse_configuration(path.read_text(), path)


def fill(staging: Staging) -> list[str]:
    answer = solvent.ask(staging, seconds=60)
    assert answer.verdict is solvent.Verdict.YES
    return [staging.rules.modules[module].name for module in answer.certificate["modules"]]


def beside(staging: Staging, name: str, orbital: int) -> set[str]:
    module = next(module for module in staging.rules.modules if module.name == name)
    return {staging.rules.modules[other].name for other in numbers_in(module.bonds[0].neighbours[orbital] or 0)}


def test_adjacency_is_learned_as_it_is_asked_for(tmp_path: Path):
    plain = read(configure(tmp_path))
    assert beside(plain, RED, 0) == {RED, GREEN}
    assert beside(plain, BLUE, 0) == set()
    assert [module.weight for module in plain.rules.modules] == [5, 4, 3]
    wrapped = read(configure(tmp_path, periodicInputX=True))
    assert beside(wrapped, BLUE, 0) == {RED}
    assert beside(wrapped, BLUE, 1) == {BLUE}
    mirrored = read(configure(tmp_path, symmetry=2))
    assert beside(mirrored, BLUE, 0) == {GREEN}
    turned = read(configure(tmp_path, rotationalSymmetry=4))
    assert beside(turned, BLUE, 1) == {BLUE, GREEN}
    assert turned.cluster == Lattice(5, 4)
    assert read(configure(tmp_path, periodicY=True)).cluster == Lattice(5, 4, periodic=(False, True, False))


def test_patterns_are_learned_as_they_are_asked_for(tmp_path: Path):
    staging = read(configure(tmp_path, model={"type": "overlapping", "n": 2}))
    assert len(staging.rules.modules) == 5
    assert len(read(configure(tmp_path, model={"type": "overlapping", "n": 2}, symmetry=8)).rules.modules) > 5
    assert len(read(configure(tmp_path, model={"type": "overlapping"}, periodicInput=True)).rules.modules) > 5


def test_frequencies_change(tmp_path: Path):
    tiles = [{"value": RED, "multiplyFrequency": "50%"}, {"value": GREEN, "multiplyFrequency": 3}]
    tiles.append({"value": "#0000FF", "changeFrequency": -0.5})
    assert [module.weight for module in read(configure(tmp_path, tiles=tiles)).rules.modules] == [2.5, 12, 1.5]


def test_listed_adjacencies_turn_with_their_tiles(tmp_path: Path):
    """One line says what stands left of what; a symmetry of eight and turned tiles say the rest."""
    write_map(tmp_path, tmx([[[1]]]))
    path = tmp_path / "b.json"
    path.write_text(
        """{ // tiles 1 lie, tiles 2 stand
        "src": "four.tsx", "symmetry": 8, "width": 4, "height": 4,
        "tiles": [{"value": 1, "rotateCw": 2, "reflectX": 1}, {"value": 2, "rotateCw": 1, "reflectX": 2},],
        "adjacencies": [{"left": [1], "right": [1]}, {"up": [1], "down": [2]},],
        }"""
    )
    staging = read(path)
    assert [module.key for module in staging.rules.modules] == ["0", "1"]
    assert [module.weight for module in staging.rules.modules] == [1, 1]
    lying, standing = (module.name for module in staging.rules.modules)
    # The first line turned by a quarter: one that stands above another. The second: one that lies left of one that
    # stands, and mirrored top to bottom one that stands above one that lies.
    assert beside(staging, lying, 0) == {lying, standing}
    assert beside(staging, lying, 1) == {standing}
    assert beside(staging, standing, 0) == {lying}
    assert beside(staging, standing, 1) == {lying, standing}
    assert 'source="four.tsx"' in solvent.export(staging, solvent.ask(staging, seconds=60), "tmx").decode()


def test_turns_of_tiles_follow_from_few_that_are_written():
    turns = TileTurns()
    turns.add(0, Turn(1), 1)
    turns.add(1, Turn(1), 2)
    turns.add(2, Turn(1), 3)
    turns.add(0, Turn(0, True), 0)
    assert [turns.turned(0, Turn(quarters)) for quarters in range(4)] == [0, 1, 2, 3]
    assert [turns.turned(1, Turn(quarters, True)) for quarters in range(4)] == [3, 0, 1, 2]
    assert turns.turned(9, Turn(2)) == 9
    for first in (Turn(1), Turn(3, True), Turn(0, True)):
        for second in (Turn(2), Turn(1, True)):
            step = (1, 0, 0)
            assert second.after(first).step(step) == second.step(first.step(step))
            cells = np.arange(9, dtype=np.int32).reshape(3, 3)
            assert np.array_equal(second.after(first).cells(cells), second.cells(first.cells(cells)))
        assert first.back().after(first) == Turn()


def test_borders_and_ground_hold(tmp_path: Path):
    open_rules = {"symmetry": 8, "periodicInput": True}
    border = read(configure(tmp_path, **open_rules, constraints=[{"type": "border", "tile": RED}]))
    names = fill(border)
    assert all(names[x + 5 * y] == RED for x in range(5) for y in range(4) if x in (0, 4) or y in (0, 3))
    some = {"type": "border", "tile": GREEN, "sides": "ymin, xmin", "excludeSides": "xmin"}
    names = fill(read(configure(tmp_path, **open_rules, constraints=[some])))
    assert names[1:5] == [GREEN] * 4
    banned = {"type": "border", "tiles": [GREEN, BLUE], "ban": True, "invertArea": True, "sides": "ymax"}
    names = fill(read(configure(tmp_path, **open_rules, constraints=[banned])))
    assert set(names[:15]) == {RED}
    names = fill(read(configure(tmp_path, **open_rules, ground=GREEN)))
    assert names[15:] == [GREEN] * 5
    assert GREEN not in names[:15]


def test_other_constraints_are_those_of_the_model(tmp_path: Path):
    given = [
        {"type": "fixedTile", "tile": RED, "point": {"x": 2, "y": 1}},
        {"type": "fixedTile", "tile": GREEN},
        {"type": "path", "tiles": [RED]},
        {"type": "path", "tiles": [RED, GREEN], "endPoints": [{"x": 0, "y": 0}, {"x": 4, "y": 3}, {"x": 0, "y": 3}]},
        {"type": "connected", "pathSpec": {"type": "path", "tiles": [BLUE]}},
        {"type": "count", "tiles": [BLUE], "comparison": "atMost", "count": 3},
        {"type": "separation", "tiles": [BLUE], "minDistance": 2},
    ]
    staging = read(configure(tmp_path, symmetry=8, constraints=given))
    kinds = [type(one) for one in staging.constraints]
    assert kinds == [Only, Count, Connected, Way, Way, Connected, Count, Separation]
    assert staging.constraints[0] == Only(0b1, (7,))
    assert (staging.constraints[3].start, staging.constraints[3].end) == (0, 19)
    assert staging.constraints[6] == Count(0b100, 0, 3)


OPEN = {"symmetry": 8, "periodicInput": True}
"""Rules by which any colour may stand beside any other."""


def rows_of(names: list[str], width: int = 5) -> list[list[str]]:
    return [names[at : at + width] for at in range(0, len(names), width)]


def test_no_more_tiles_in_a_row_than_asked_for(tmp_path: Path):
    given = {"type": "maxConsecutive", "tiles": [RED, GREEN], "maxCount": 2, "axes": ["x"]}
    rows = rows_of(fill(read(configure(tmp_path, **OPEN, periodicX=True, constraints=[given]))))
    for row in rows:
        around = "".join("o" if name == BLUE else "x" for name in row + row)
        assert "xxx" not in around
    staging = read(configure(tmp_path, **OPEN, constraints=[{"type": "maxConsecutive", "tile": RED}]))
    assert staging.constraints == (Consecutive(0b1, 3, ((0, 0), (0, 1))),)
    flat = read(configure(tmp_path, **OPEN, constraints=[{"type": "maxConsecutive", "tile": RED, "axes": ["z"]}]))
    assert flat.constraints == ()
    assert flat.remarks == ("maxConsecutive: a flat grid has no rows along z.",)


@pytest.mark.parametrize("kind", ["mirror", "mirrorX", "mirrorY"])
def test_a_map_is_its_own_mirror_image(kind: str, tmp_path: Path):
    """Blue becomes green when it is mirrored left to right; red stays."""
    tiles = [{"value": BLUE, "reflectX": GREEN}, {"value": GREEN, "reflectX": BLUE}]
    staging = read(configure(tmp_path, **OPEN, tiles=tiles, constraints=[{"type": kind}], width=6, height=5))
    rows = rows_of(fill(staging), 6)
    swap = {RED: RED, BLUE: GREEN, GREEN: BLUE}
    if kind == "mirrorY":  # nothing is said of top and bottom, so tiles stay as they are
        assert rows == rows[::-1]
    else:
        assert [[swap[name] for name in row[::-1]] for row in rows] == rows
    assert len({name for row in rows for name in row}) == 3


def test_two_sets_of_tiles_keep_away_from_each_other(tmp_path: Path):
    given = [
        {"type": "pairSeparation", "tiles1": [RED], "tiles2": [BLUE], "minDistance": 3},
        {"type": "count", "tiles": [RED], "comparison": "atLeast", "count": 3},
        {"type": "count", "tiles": [BLUE], "comparison": "atLeast", "count": 3},
    ]
    names = fill(read(configure(tmp_path, **OPEN, constraints=given)))
    places = {colour: [divmod(at, 5) for at, name in enumerate(names) if name == colour] for colour in (RED, BLUE)}
    assert min(len(found) for found in places.values()) >= 3
    assert all(abs(a - c) + abs(b - d) >= 3 for a, b in places[RED] for c, d in places[BLUE])


def test_ways_without_circles_and_closed_loops(tmp_path: Path):
    spec = {"type": "path", "tiles": [RED]}
    staging = read(configure(tmp_path, **OPEN, periodicX=True, constraints=[{"type": "acyclic", "pathSpec": spec}]))
    assert staging.constraints == (Acyclic(0b1),)
    red = {divmod(at, 5) for at, name in enumerate(fill(staging)) if name == RED}
    while ends := [cell for cell in red if len(red & neighbours(cell)) < 2]:
        red -= set(ends)
    assert not red
    edged = {"type": "edged", "exits": {RED: ["x+", "x-"], GREEN: ["x+", "y+"]}}
    staging = read(configure(tmp_path, periodicInput=True, constraints=[{"type": "loop", "pathSpec": edged}]))
    assert staging.constraints == (Loop(0b11, ((0b0101, 0b0011, 0),)),)
    assert staging.remarks[-1].startswith("loop: one closed loop")
    staging = read(configure(tmp_path, periodicInput=True, constraints=[{"type": "parity", "pathSpec": edged}]))
    assert (staging.constraints, staging.remarks[-1].partition(":")[0]) == ((), "parity")


def neighbours(cell: tuple[int, int]) -> set[tuple[int, int]]:
    y, x = cell
    return {(y + 1, x), (y - 1, x), (y, (x + 1) % 5), (y, (x - 1) % 5)}


def test_a_ban_on_everything_is_a_contradiction(tmp_path: Path):
    banned = {"type": "border", "tiles": [RED, GREEN, BLUE], "ban": True, "sides": "xmin"}
    staging = read(configure(tmp_path, **OPEN, constraints=[banned]))
    assert solvent.ask(staging, seconds=60).verdict is solvent.Verdict.NO


def test_edged_paths_have_exits_that_turn_with_their_tiles(tmp_path: Path):
    write_map(tmp_path, tmx([[[1, 2, 3], [2, 1, 3], [3, 3, 3]]]))
    exits = {"type": "edgedPath", "exits": {"1": ["x+", "x-"]}}
    tiles = [{"value": 1, "rotateCw": 2, "reflectX": 1}, {"value": 2, "rotateCw": 1}]
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"src": "map.tmx", "symmetry": 8, "tiles": tiles, "constraints": [exits]}))
    [connected] = read(path).constraints
    assert isinstance(connected, Connected)
    assert connected.modules == 0b11
    assert connected.exits == ((0b0101, 0b1010, 0),)


def test_voxels_have_their_ground_at_the_bottom(tmp_path: Path):
    voxels = np.zeros((3, 2, 2), dtype=np.uint8)
    voxels[0], voxels[1, 0, 0] = 5, 6
    (tmp_path / "v.vox").write_bytes(write_voxels(voxels, ()))
    path = tmp_path / "v.json"
    border = {"type": "border", "tile": 0, "excludeSides": "zmin"}
    path.write_text(
        json.dumps({"src": "v.vox", "width": 4, "height": 4, "depth": 3, "ground": 5, "constraints": [border]})
    )
    staging = read(path)
    assert staging.cluster == Lattice(4, 4, 3)
    names = fill(staging)
    assert set(names[:16]) == {"5"}
    assert "5" not in names[16:]
    assert all(names[x + 4 * (y + 4 * z)] == "empty" for x in (0, 3) for y in range(4) for z in (1, 2))


REFUSED = {
    "unknown key": ({"colour": 1}, r"at \$: .*only keys that mean something here, found 'colour'"),
    "kind": ({"constraints": [{"type": "zigzag"}]}, r"not supported yet, found 'zigzag'"),
    "axis": (
        {"constraints": [{"type": "maxConsecutive", "tile": RED, "axes": ["x", "w"]}]},
        r"constraints\[0\]\.axes\[1\]: expected an axis: x, y, z, found 'w'",
    ),
    "none in a row": ({"constraints": [{"type": "maxConsecutive", "tile": RED, "maxCount": 0}]}, r"1 tile or more.* 0"),
    "mirrored patterns": (
        {"model": {"type": "overlapping"}, "constraints": [{"type": "mirrorX"}]},
        r"constraints\[0\]: expected the adjacent model: patterns that are mirrored are not supported yet",
    ),
    "pairs": (
        {"constraints": [{"type": "pairSeparation", "tiles1": [RED, GREEN], "tiles2": [RED], "minDistance": 2}]},
        r"tiles2: expected none that is among tiles1 as well",
    ),
    "loops with crossings": (
        {"constraints": [{"type": "loop", "pathSpec": {"tiles": [RED]}}]},
        r"two of each tile: two separate ways between tiles with more of them are not supported yet",
    ),
    "relevant tiles": (
        {"constraints": [{"type": "connected", "pathSpec": {"tiles": [RED], "relevantTiles": [RED]}}]},
        r"relevantTiles are not supported yet",
    ),
    "key of a constraint": (
        {"constraints": [{"type": "border", "tile": RED, "side": "x"}]},
        r"constraints\[0\].*found 'side'",
    ),
    "side": ({"constraints": [{"type": "border", "tile": RED, "sides": "top"}]}, r"sides: xmin.*found 'top'"),
    "colour": ({"constraints": [{"type": "border", "tile": "#123456"}]}, r"a tile of the sample: .*found '#123456'"),
    "turned tile": ({"ground": "#ff0000!90"}, r"ground: .*not supported yet"),
    "end point tiles": (
        {"constraints": [{"type": "path", "tiles": [RED], "endPointTiles": [RED]}]},
        r"endPointTiles: .*not supported yet",
    ),
    "point": (
        {"constraints": [{"type": "fixedTile", "tile": RED, "point": {"x": 9, "y": 0}}]},
        r"a cell of a grid of 5 x 4 x 1",
    ),
    "padTile": ({"padTile": RED}, r"padTile: .*not supported yet"),
    "autoAdjacency": ({"autoAdjacency": True}, r"autoAdjacency: .*not supported yet"),
    "srcType": ({"srcType": "bitmapSet"}, r"srcType: .*not supported yet, found 'bitmapSet'"),
    "treatment": ({"rotationTreatment": "generated"}, r"rotationTreatment: .*not supported yet, found 'generated'"),
    "tile symmetry": ({"tiles": [{"value": RED, "tileSymmetry": "L"}]}, r"tiles\[0\]\.tileSymmetry: .*found 'L'"),
    "model": ({"model": {"type": "wavy"}}, r"model.type: expected adjacent or overlapping, found 'wavy'"),
    "symmetry": ({"symmetry": 6}, r"symmetry: expected 1, 2 or 4 rotations of squares, found 3"),
    "comparison": (
        {"constraints": [{"type": "count", "tiles": [RED], "count": 1, "comparison": "about"}]},
        r"found 'about'",
    ),
    "adjacency": ({"adjacencies": [{"left": [RED]}]}, r"adjacencies\[0\]: expected left and right"),
    "size": ({"width": 0}, r"1 to 4000000 cells"),
    "source": ({"src": "none.png"}, r"src: .*no such file, found 'none.png'"),
    "kind of source": ({"src": "a.gif"}, r"src: .*ends in .png or"),
    "frequency": ({"tiles": [{"value": RED, "multiplyFrequency": "often"}]}, r"multiplyFrequency: .*found 'often'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_understood_is_named(case: str, tmp_path: Path, run: Any):
    keys, message = REFUSED[case]
    path = configure(tmp_path, **keys)
    if case == "unknown key":
        assert not FORMATS.sniff(path.read_text())  # it could be anything
    with pytest.raises(ParseError, match=message):
        read(path)
    done = run("solve", "--as", "valency", str(path)) if case != "unknown key" else run("solve", str(path))
    assert done.code == 30


def test_how_it_was_searched_is_remarked_on(tmp_path: Path):
    staging = read(configure(tmp_path, dest="out/a.png", backtrack=True, animate=False, **{"$schema": "x"}))
    assert [remark.partition(":")[0] for remark in staging.remarks] == ["dest", "backtrack", "animate"]
    assert "-o a.png" in staging.remarks[0]


def test_a_configuration_is_detected_and_can_be_resized(tmp_path: Path):
    path = configure(tmp_path, dest="b.png", symmetry=8)
    assert FORMATS.sniff(path.read_text())
    assert FORMATS.parse(path.read_text(), path).cluster == Lattice(5, 4)
    assert generate(seed=1, rules=str(path), grid="9x3", periodic="x").cluster == Lattice(
        9, 3, periodic=(True, False, False)
    )
    with pytest.raises(ParseError, match="has none"):
        generate(seed=1, rules=str(path), subset="x")
    for other in ('{"src": 1}', '{"dest": "x", "layers": []}', '{"valency": 1, "src": ""}'):
        assert not FORMATS.sniff(other) or "valency" in other


def test_words_in_a_table_are_a_sample(tmp_path: Path):
    (tmp_path / "w.csv").write_text("sea,sand\nsea,sand\n")
    path = tmp_path / "w.json"
    path.write_text('{"src": "w.csv", "dest": "o.csv", "width": 2, "height": 2}')
    assert set(fill(read(path))) == {"sea", "sand"}
    (tmp_path / "w.csv").write_text("sea,sand\nsea\n")
    with pytest.raises(ParseError, match=r"w.csv, line 2: expected 2 words"):
        read(path)


@given(st.data())
def test_broken_configurations_are_refused_and_never_crash(data: st.DataObject):
    constraint = {
        "type": data.draw(st.sampled_from([*TRANSLATIONS, "x"])),
        "tiles": ["a"],
        "count": 1,
        "minDistance": 1,
    }
    text = json.dumps(
        {"src": "w.csv", "dest": "o", "symmetry": 8, "constraints": [constraint], "tiles": [{"value": "a"}]}
    )
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = (
            text[:at] + data.draw(st.sampled_from(["", '"', "9", "-1", "{", "[", ",", "null", "/*"])) + text[at + 1 :]
        )
    with contextlib.suppress(SolventError):
        parse_configuration(text, Path("/nowhere/at/all.json"))


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name",
    [
        "docs/columns.json",
        "docs/hexmini.json",
        "docs/max_constraint_2.json",
        "docs/max_constraint_3.json",
        "docs/max_constraint_10.json",
        "docs/pathway_adjacent.json",
        "docs/pathway_overlapping.json",
        "docs/pathway_overlapping_2.json",
        "docs/pathway_overlapping_border.json",
        "docs/pathway_overlapping_high_freq.json",
        "docs/pathway_overlapping_low_freq.json",
        *slow(["docs/pathway_overlapping_path.json"]),
        "grass/edged_path_constraint.json",
        "grass/map.json",
        "grass/mirror_constraint.json",
    ],
)
def test_public_configurations(corpora: Path, name: str):
    path = corpora / "debroglie" / name
    assert FORMATS.sniff(path.read_text())
    staging = read(path)
    answer = solvent.ask(staging, nodes=30_000_000)
    assert answer.verdict is solvent.Verdict.YES
    if "max_constraint" in name:  # platforms, and not just the sky that is left without them
        assert len(set(answer.certificate["modules"])) >= 3
