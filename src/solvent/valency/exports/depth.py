"""Paint lattices of several floors as cubes, as a preview of what a voxel editor shows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from solvent.drawing.palette import PAPER
from solvent.valency.drawing.cubes import ACROSS, stack_cubes
from solvent.valency.model import Lattice, Staging

LARGEST_CUBE, WIDEST = 16.0, 1600.0
"""Half the width of a cube, and the width of a picture, in pixels."""
FINER = 2
"""How many times larger it is painted before it is shrunk, so that edges are smooth."""
MARGIN = 8


def paint_cubes(
    staging: Staging, modules: npt.NDArray[np.integer], over_budget: frozenset[int]
) -> npt.NDArray[np.uint8]:
    """Return the pixels of a picture, shape (height, width, 3)."""
    lattice = staging.cluster
    assert isinstance(lattice, Lattice), "only cells are cubes"
    half = min(LARGEST_CUBE, WIDEST / (lattice.width + lattice.height))
    cubes = stack_cubes(staging, modules, over_budget, half / ACROSS * FINER)
    width, height = (round(part / FINER) + 2 * MARGIN for part in cubes.size)
    image = Image.new("RGB", (width * FINER, height * FINER), PAPER)
    brush = ImageDraw.Draw(image)
    for side in cubes.sides:
        corners = [(x + MARGIN * FINER, y + MARGIN * FINER) for x, y in side.corners]
        red, green, blue = (round(part * 0.8) for part in side.paint)
        brush.polygon(corners, fill=side.paint, outline=(red, green, blue))
    return np.array(image.resize((width, height), Image.Resampling.BOX), dtype=np.uint8)
