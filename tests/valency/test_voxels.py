"""Voxel models as samples, fills as models and meshes, and pictures that show depth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import solvent
from solvent.core.errors import BadOption
from solvent.valency.authoring import RuleBook
from solvent.valency.drawing import draw_svg
from solvent.valency.drawing.cubes import stack_cubes
from solvent.valency.exports import export
from solvent.valency.generator import generate
from solvent.valency.model import Staging
from solvent.valency.notation.magicavoxel import read_voxels, write_voxels
from solvent.valency.notation.pictures import read_png
from solvent.valency.notation.voxels import sample_of_voxels

# Grass below, on it towers of one colour with air beside them.
MODEL = np.zeros((4, 3, 3), dtype=np.uint8)
MODEL[0], MODEL[1, 1, 1], MODEL[2, 1, 1] = 10, 20, 30
PALETTE = tuple((n, 255 - n, n // 2) for n in range(1, 256))


def write_model(folder: Path) -> str:
    path = folder / "tower.vox"
    path.write_bytes(write_voxels(MODEL, PALETTE))
    return str(path)


def fill(staging: Staging) -> solvent.Answer:
    answer = solvent.ask(staging, seconds=60)
    assert answer.verdict is solvent.Verdict.YES
    return answer


def test_a_model_is_a_sample_and_is_not_mirrored():
    sided = np.zeros((1, 3, 1), dtype=np.uint8)
    sided[0, 0, 0] = 5  # nearest to the viewer
    sample = sample_of_voxels(write_voxels(sided, PALETTE), "a.vox")
    assert [symbol.name for symbol in sample.symbols] == ["empty", "5"]
    assert sample.cells[0, :, 0].tolist() == [0, 0, 1]
    assert sample.symbols[1].look.colour == "#05fa02"
    assert sample.symbols[0].tags == ("empty",)


def test_what_touches_in_a_model_touches_in_the_fill_and_comes_out_as_a_model(tmp_path: Path):
    staging = generate(seed=2, rules=write_model(tmp_path), grid="6x5x4")
    answer = fill(staging)
    model = read_voxels(export(staging, answer, "vox"), "out.vox")
    assert model.voxels.shape == (4, 5, 6)
    assert set(np.unique(model.voxels)) <= {0, 10, 20, 30}
    assert [model.palette[colour - 1] for colour in (10, 20, 30)] == [PALETTE[colour - 1] for colour in (10, 20, 30)]
    pairs = {(a, b) for a, b in zip(MODEL[:-1].ravel().tolist(), MODEL[1:].ravel().tolist(), strict=True)}
    found = zip(model.voxels[:-1].ravel().tolist(), model.voxels[1:].ravel().tolist(), strict=True)
    assert set(found) <= pairs


def test_a_mesh_has_no_faces_inside_and_all_face_outwards():
    book = RuleBook("cubic").module("stone").module("air", tags="empty")
    staging = book.on_grid(2, 1, 2, picks={(0, 0, 0): "stone", (1, 0, 0): "stone", (0, 0, 1): "air", (1, 0, 1): "air"})
    lines = export(staging, fill(staging), "obj").decode().splitlines()
    corners = [[float(part) for part in line.split()[1:4]] for line in lines if line.startswith("v ")]
    faces = [[int(part) - 1 for part in line.split()[1:]] for line in lines if line.startswith("f ")]
    assert len(faces) == 10  # two cubes side by side hide two of twelve
    assert [line for line in lines if line.startswith("o ")] == ["o stone"]
    middle = np.array(corners).mean(axis=0)
    for face in faces:
        a, b, c, _ = (np.array(corners[at]) for at in face)
        outwards = np.mean([corners[at] for at in face], axis=0) - middle
        assert np.dot(np.cross(b - a, c - a), outwards) > 0
    assert max(y for _, y, _ in corners) == 0.5  # y leads up in a mesh


def test_depth_shows_what_is_in_front_and_not_what_is_hidden():
    book = RuleBook("cubic").module("stone", colour="#808080").module("air", tags="empty")
    solid = book.on_grid(3, 3, 3, picks={(x, y, z): "stone" for x in range(3) for y in range(3) for z in range(3)})
    modules = np.zeros(27, dtype=np.int64)
    sides = stack_cubes(solid, modules, frozenset(), 4.0).sides
    assert len(sides) == 27  # nine on each of the three sides that face the viewer
    modules[13] = 1  # air in the middle changes nothing that is seen from outside but the three sides behind it
    assert len(stack_cubes(solid, modules, frozenset(), 4.0).sides) == 27 + 3
    assert len({side.paint for side in sides}) == 3


def test_a_picture_of_several_floors_shows_depth():
    staging = RuleBook("cubic").module("stone", colour="#c08040").on_grid(3, 2, 2)
    answer = fill(staging)
    pixels = read_png(export(staging, answer, "png"), "out.png")
    shades = {tuple(pixel) for pixel in pixels.reshape(-1, 4)[:, :3].tolist()}
    for shade in (1.0, 0.72, 0.86):  # its top, and its sides in the shade
        assert tuple(round(part * shade) for part in (0xC0, 0x80, 0x40)) in shades
    deep = draw_svg(staging, certificate=answer.certificate, view="depth")
    assert deep != draw_svg(staging, certificate=answer.certificate)
    flat = RuleBook("square").module("a").on_grid(2, 2)
    assert draw_svg(flat, view="depth") == draw_svg(flat)


def test_what_is_no_lattice_of_cubes_is_refused():
    hexes = RuleBook("hex").module("a").on_grid(2, 2)
    with pytest.raises(BadOption, match="squares and cubes only"):
        export(hexes, fill(hexes), "vox")
    graph = RuleBook(["a"]).module("x").on_graph(2, [(0, 1, "a", "a")])
    assert export(graph, fill(graph), "obj").count(b"\nf ") == 12


@pytest.mark.corpus
def test_the_public_columns_fill_a_larger_grid(corpora: Path):
    staging = generate(seed=1, rules=str(corpora / "debroglie" / "docs" / "columns.vox"), grid="12x12x8")
    model = read_voxels(export(staging, fill(staging), "vox"), "columns.vox")
    assert model.voxels.any()
