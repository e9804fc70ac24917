"""MagicaVoxel models: written and read back, and refused when they are broken."""

from __future__ import annotations

import contextlib
import random
import struct
from pathlib import Path

import numpy as np
import pytest

from solvent.core.errors import ParseError
from solvent.valency.notation.magicavoxel import default_palette, read_voxels, write_voxels

MODEL = np.zeros((2, 3, 4), dtype=np.uint8)
MODEL[0, 0, 0], MODEL[1, 2, 3], MODEL[0, 1, 2] = 1, 255, 7


def test_a_model_comes_back_as_it_was():
    palette = ((1, 2, 3), (4, 5, 6))
    read = read_voxels(write_voxels(MODEL, palette), "model.vox")
    assert np.array_equal(read.voxels, MODEL)
    assert read.palette[:2] == palette
    assert read.palette[2:] == default_palette()[2:]
    assert len(read.palette) == len(default_palette()) == 255


def test_the_usual_palette_is_the_one_of_the_editor():
    """The first colours of MagicaVoxel's default palette, and the last, a dark grey."""
    palette = default_palette()
    assert palette[:3] == ((255, 255, 255), (255, 255, 204), (255, 255, 153))
    assert palette[-1] == (17, 17, 17)


def test_chunks_that_say_how_it_is_shown_are_passed_over():
    data = write_voxels(MODEL, ())
    extra = b"nTRN" + struct.pack("<II", 4, 0) + b"abcd"
    longer = data[:16] + struct.pack("<I", len(data) - 20 + len(extra)) + data[20:] + extra
    assert np.array_equal(read_voxels(longer, "model.vox").voxels, MODEL)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: b"PNG!" + data[4:], "a MagicaVoxel model"),
        (lambda data: data[:-30], "ends too early|that is whole"),
        (lambda data: data.replace(b"SIZE", b"SIZ_"), "1 model"),
        (lambda data: data.replace(b"XYZI", b"XYZ_"), "1 model"),
        (lambda data: data.replace(struct.pack("<III", 4, 3, 2), struct.pack("<III", 1, 3, 2)), "inside the model"),
        (lambda data: data.replace(struct.pack("<III", 4, 3, 2), struct.pack("<III", 900, 3, 2)), "1 to 256 voxels"),
    ],
)
def test_broken_models_are_refused(change, message):
    with pytest.raises(ParseError, match=message):
        read_voxels(change(write_voxels(MODEL, ())), "model.vox")


def test_hostile_bytes_never_crash():
    dice = random.Random(5)
    whole = write_voxels(MODEL, ())
    for _ in range(300):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 8)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        with contextlib.suppress(ParseError):
            read_voxels(bytes(data[: dice.randint(10, len(data))]), "model.vox")


@pytest.mark.corpus
def test_a_public_model(corpora: Path):
    read = read_voxels((corpora / "debroglie" / "docs" / "columns.vox").read_bytes(), "columns.vox")
    assert read.voxels.shape == (8, 8, 8)
    assert int((read.voxels != 0).sum()) == 89
    assert (read.voxels[0] == 255).all()  # its ground
