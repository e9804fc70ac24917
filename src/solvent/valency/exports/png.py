"""Write a fill as a PNG picture."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt

from solvent.valency.exports.raster import make_canvas, make_tiles, paint_cells, paint_shapes, tile_numbers
from solvent.valency.model import Staging

MAX_PIXELS = 16_000_000
"""Of a picture; larger ones have smaller cells."""


def write_png(staging: Staging, modules: npt.NDArray[np.integer], over_budget: frozenset[int]) -> bytes:
    """Paint what stands on each node: the modules' pictures, turned and mirrored, or their colours.

    The pixels are the same everywhere; how they are packed may differ between versions of Pillow.
    """
    from PIL import Image

    tiles = make_tiles(staging, MAX_PIXELS)
    canvas = make_canvas(staging, tiles.side)
    numbers = tile_numbers(staging, modules.astype(np.int64), over_budget)
    if canvas.is_square:
        pixels = paint_cells(canvas, tiles.pixels[numbers])
    else:
        pixels = paint_shapes(canvas, tiles.paints[numbers])
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()
