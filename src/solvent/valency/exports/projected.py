"""Paint maps whose art is isometric, staggered or hexagonal as PNG pictures, tile by tile as Tiled draws them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from solvent.drawing.palette import PAPER
from solvent.valency.drawing.colours import IMPOSSIBLE, LINE, OVER_BUDGET, UNFILLED
from solvent.valency.drawing.cubes import EMPTY
from solvent.valency.drawing.faces import module_paints
from solvent.valency.drawing.pictures import read_pictures
from solvent.valency.drawing.projection import Projection, picture_offset
from solvent.valency.model import UNSOLVABLE, Staging

MAX_PIXELS = 64_000_000


def paint_map(
    staging: Staging, projection: Projection, modules: npt.NDArray[np.integer], over_budget: frozenset[int]
) -> npt.NDArray[np.uint8] | None:
    """Return the pixels of a map, shape (height, width, 3); None if there would be too many."""
    art = staging.rules.art
    assert art is not None, "only maps with art are painted here"
    stamps = _stamps(staging, projection)
    cell = projection.cell
    above = max(0, *(stamp.height - y - cell[1] for stamp, (_, y) in stamps.values()))
    below = max(0, *(y for _, (_, y) in stamps.values()))
    before = max(0, *(-x for _, (x, _) in stamps.values()))
    beyond = max(0, *(stamp.width + x - cell[0] for stamp, (x, _) in stamps.values()))
    width, height = int(projection.size[0]) + before + beyond, int(projection.size[1]) + above + below
    if width * height > MAX_PIXELS:
        return None
    canvas = Image.new("RGBA", (width, height), (*PAPER, 255))
    for node in projection.order.tolist():
        number = int(modules[node])
        if number < 0:
            number = -1 if number != UNSOLVABLE else -3 if node in over_budget else -2
        stamp, (x, y) = stamps[number]
        left, top = projection.corners[node].tolist()
        canvas.alpha_composite(stamp, (int(left) + before + x, int(top) + above + cell[1] - stamp.height + y))
    return np.array(canvas.convert("RGB"), dtype=np.uint8)


def _stamps(staging: Staging, projection: Projection) -> dict[int, tuple[Image.Image, tuple[int, int]]]:
    """Return what is painted for each module, and by how much it is moved; -1 is an empty cell, -2 and -3 are nodes
    that are impossible or were given up on.
    """
    rules = staging.rules
    assert rules.art is not None
    stamps = {}
    paints = module_paints(rules.modules)
    for number, (module, pixels) in enumerate(zip(rules.modules, read_pictures(rules.modules), strict=True)):
        if pixels is not None:
            stamps[number] = Image.fromarray(pixels), picture_offset(rules.art, module.look.tiles)
        elif EMPTY in module.tags:  # a tile beside it may reach over it
            stamps[number] = Image.new("RGBA", projection.cell, (0, 0, 0, 0)), (0, 0)
        else:
            stamps[number] = _plain(projection, paints[number]), (0, 0)
    for number, paint in ((-1, UNFILLED), (-2, IMPOSSIBLE), (-3, OVER_BUDGET)):
        stamps[number] = _plain(projection, paint), (0, 0)
    return stamps


def _plain(projection: Projection, paint: tuple[int, int, int]) -> Image.Image:
    stamp = Image.new("RGBA", projection.cell, (0, 0, 0, 0))
    ImageDraw.Draw(stamp).polygon(list(projection.outline), fill=(*paint, 255), outline=(*LINE, 255))
    return stamp
