"""Maps of Tiled whose tiles are turned, moved or larger than their cells: keys, tiles and pictures are as in Tiled."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import solvent
from solvent.core.errors import BadOption
from solvent.valency.drawing.projection import project
from solvent.valency.model import Count, Pick
from solvent.valency.notation.hex_turns import read_sixths, turn_hexagon
from solvent.valency.notation.map_samples import read_map_sample
from solvent.valency.notation.pictures import beside
from valency.map_files import tmx, tsx, write_map

HEX = 'orientation="hexagonal" hexsidelength="4" staggeraxis="y" staggerindex="odd"'
ACROSS, DOWN, BY_60, BY_120 = 0x80000000, 0x40000000, 0x20000000, 0x10000000


def test_the_same_tile_in_other_layers_is_another_module(tmp_path: Path):
    path = write_map(tmp_path, tmx([[[1, 0, 1, 0]], [[0, 1, 2, 0]], [[0, 0, 0, 3]]]))
    sample = read_map_sample(path.read_text(), path)
    assert [symbol.key for symbol in sample.symbols] == ["0", "none + 0", "0 + 1", "none + none + 2"]
    task = solvent.generate("valency", rules=str(path), grid="4x1", sample="tiled", seed=1, unsolved=True)
    text = solvent.export(task, solvent.ask(task), "tmx").decode()
    assert text.count("<layer") == 3


@pytest.mark.parametrize(
    ("gid", "sixths", "mirrored"),
    [
        (1, 0, False),
        (1 | BY_60, 1, False),
        (1 | BY_120, 2, False),
        (1 | ACROSS | DOWN, 3, False),
        (1 | ACROSS | DOWN | BY_60, 4, False),
        (1 | ACROSS | DOWN | BY_120, 5, False),
        (1 | BY_60 | BY_120, 3, False),
        (1 | ACROSS, 0, True),
        (1 | ACROSS | BY_60, 1, True),
        (1 | DOWN, 3, True),
    ],
)
def test_hexagons_are_turned_by_sixths(gid: int, sixths: int, mirrored: bool):
    assert read_sixths(gid) == (sixths, mirrored)


def test_the_picture_of_a_hexagon_turns_with_it():
    """A mark on top goes to the right of the top, then on clockwise; six sixths are a whole turn."""
    pixels = np.zeros((41, 41, 4), dtype=np.uint8)
    pixels[3:8, 18:23] = 255
    for bits, x, y in ((BY_60, 33, 12), (BY_120, 33, 28), (ACROSS | DOWN, 20, 35), (ACROSS | DOWN | BY_60, 7, 28)):
        rows, columns = np.nonzero(turn_hexagon(pixels, bits)[..., 3])
        assert abs(columns.mean() - x) < 1.5
        assert abs(rows.mean() - y) < 1.5
    assert np.array_equal(turn_hexagon(pixels, ACROSS), pixels[:, ::-1])


def test_turned_hexagons_keep_their_bits(tmp_path: Path):
    cells = [[1, 1 | BY_60, 1 | BY_120, 1 | ACROSS | DOWN], [1 | BY_60 | BY_120, 1, 1 | BY_60, 1]]
    path = write_map(tmp_path, tmx([cells], shape=HEX))
    sample = read_map_sample(path.read_text(), path, read_beside=beside(path, follows_parents=True))
    names = ["0", "0 turned 60°", "0 turned 120°", "0 turned 180°", "0 turned 180° (2)"]
    assert [symbol.key for symbol in sample.symbols] == names
    assert len({symbol.look.picture for symbol in sample.symbols}) >= 4
    task = solvent.generate("valency", rules=str(path), grid="4x2", seed=1, unsolved=True)
    answer = solvent.ask(task)
    written = solvent.export(task, answer, "tmx").decode()
    used = {task.rules.modules[module].look.tiles[0] for module in answer.certificate["modules"]}
    assert used > {1}
    assert all(str(gid) in written for gid in used)
    with pytest.raises(BadOption, match="does not turn hexagons"):
        solvent.export(task, answer, "tscn")


def test_tiles_larger_than_cells_reach_over_their_neighbours(tmp_path: Path):
    """A tile of 16 × 16 in cells of 8 × 8, moved to the left: its lower left corner stands 4 pixels before its cell."""
    moved = '<tileoffset x="-4" y="0"/>'
    tileset = tsx(16, 16, first='firstgid="1"').replace("<image", f"{moved}<image")
    path = write_map(tmp_path, tmx([[[0, 0, 0], [0, 2, 0], [0, 0, 0]]], tileset=tileset), tile=(16, 16))
    task = solvent.generate("valency", rules=str(path), grid="3x3", sample="tiled", unsolved=True, seed=1)
    [wall] = [number for number, module in enumerate(task.rules.modules) if module.name == "1"]
    task = replace(task, picks=(Pick(4, "1"),), constraints=(Count(1 << wall, 1, 1),))
    projection = project(task)
    assert projection is not None
    assert (projection.cell, projection.size) == ((8, 8), (24.0, 24.0))
    picture = np.array(Image.open(io.BytesIO(solvent.export(task, solvent.ask(task), "png"))))
    assert picture.shape == (32, 32, 3)
    green = np.argwhere((picture == (60, 160, 60)).all(axis=2))
    assert (green.min(axis=0).tolist(), green.max(axis=0).tolist()) == ([8, 8], [23, 23])


def test_a_map_of_plain_squares_is_drawn_as_before(tmp_path: Path):
    path = write_map(tmp_path, tmx([[[1, 2], [2, 1]]]))
    assert project(solvent.generate("valency", rules=str(path), grid="4x4", seed=1, unsolved=True)) is None
