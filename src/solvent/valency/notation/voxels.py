"""Voxel models as samples: each colour is a symbol, and no voxel is one too.

MagicaVoxel's y leads away from the viewer, that of a lattice towards them; a model is read so that it is not mirrored.
"""

from __future__ import annotations

import numpy as np

from solvent.valency.model import Look
from solvent.valency.notation.magicavoxel import read_voxels
from solvent.valency.notation.samples import CUBES, EMPTY, Sample, Symbol


def sample_of_voxels(data: bytes, name: str) -> Sample:
    """Return a voxel model as a sample of cubes."""
    model = read_voxels(data, name)
    voxels = model.voxels[:, ::-1, :]
    colours, cells = np.unique(voxels, return_inverse=True)
    symbols = []
    for colour in colours.tolist():
        if not colour:
            symbols.append(Symbol("empty", Look(), tags=(EMPTY,)))
            continue
        red, green, blue = model.palette[colour - 1]
        symbols.append(Symbol(str(colour), Look(colour=f"#{red:02x}{green:02x}{blue:02x}")))
    return Sample(tuple(symbols), cells.reshape(voxels.shape).astype(np.int32), CUBES)
