"""Write the collapse as an animation: how a fill came about, step by step."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.valency.drawing.colours import UNFILLED
from solvent.valency.exports.module_data import ModuleData
from solvent.valency.exports.raster import (
    Colours,
    make_canvas,
    make_tiles,
    paint_cells,
    paint_shapes,
    tile_numbers,
)
from solvent.valency.rules import place

FRAMES = 40
MILLISECONDS, LAST_MILLISECONDS = 60, 2500
"""How long a frame stays, and the last one."""
MAX_PIXELS = 640_000
"""Of a frame; larger ones have smaller cells."""
LONGEST_SIDE = 65_535
COLOURS = 256
"""All a GIF can have."""


def write_gif(data: ModuleData) -> bytes:
    """Paint frames in the order in which nodes were filled; before that a node has the average colour of what fits."""
    from PIL import Image

    film = _Film(data, _read_order(data.order, len(data.modules)))
    if max(film.canvas.size) > LONGEST_SIDE:
        raise BadOption(f"an animation is at most {LONGEST_SIDE} pixels along a side, found {film.canvas.size}")
    first, last = (Image.fromarray(film.frame(number)) for number in (0, FRAMES - 1))
    palette = _palette(first, last)

    def shown() -> Iterator[Image.Image]:
        for number in range(FRAMES):
            yield Image.fromarray(film.frame(number)).quantize(palette=palette, dither=Image.Dither.NONE)

    frames = shown()
    durations = [MILLISECONDS] * (FRAMES - 1) + [LAST_MILLISECONDS]
    out = io.BytesIO()
    next(frames).save(out, "GIF", save_all=True, append_images=frames, duration=durations, loop=0, optimize=False)
    return out.getvalue()


def _read_order(order: object, nodes: int) -> npt.NDArray[np.int64]:
    if not isinstance(order, Sequence) or isinstance(order, str) or len(order) != nodes:
        raise BadOption("an animation needs the order in which nodes were filled; ask again with trace on")
    return np.array([step if isinstance(step, int) else -1 for step in order], dtype=np.int64)


class _Film:
    """Paint any frame of the animation: the first has nothing filled, the last everything."""

    def __init__(self, data: ModuleData, steps: npt.NDArray[np.int64]) -> None:
        self.steps = steps
        self.tiles = make_tiles(data.staging, MAX_PIXELS)
        self.canvas = make_canvas(data.staging, self.tiles.side)
        self.numbers = tile_numbers(data.staging, data.modules, data.over_budget)
        self.undecided = _undecided(data, self.tiles.paints)
        self.filled = np.sort(steps[(steps >= 0) & (data.modules >= 0)])

    def frame(self, number: int) -> Colours:
        """Paint one frame; each adds about as many nodes as the others."""
        moment = len(self.filled) * number // (FRAMES - 1)
        shown = np.full(len(self.steps), number == FRAMES - 1)
        if moment:
            shown |= (self.steps >= 0) & (self.steps <= self.filled[moment - 1])
        if not self.canvas.is_square:
            return paint_shapes(self.canvas, np.where(shown[:, None], self.tiles.paints[self.numbers], self.undecided))
        cells = self.tiles.pixels[self.numbers]
        cells[~shown] = self.undecided[~shown][:, None, None, :]
        return paint_cells(self.canvas, cells)


def _undecided(data: ModuleData, paints: Colours) -> Colours:
    """Return for each node the average colour of what may stand there, by weight."""
    rules = data.staging.rules
    placement = place(data.staging, data.cache)
    weights = np.array([max(module.weight, 1e-9) for module in rules.modules])
    modules = paints[: len(weights)].astype(np.float64)
    shares = placement.free * weights
    totals = shares.sum(axis=1, keepdims=True)
    means = np.where(totals > 0, shares @ modules / np.maximum(totals, 1e-300), np.array(UNFILLED))
    colours: Colours = np.rint(means).astype(np.uint8)[placement.class_of]
    for node, picked in placement.picked.items():
        chosen = list(picked)
        colours[node] = np.rint(np.average(modules[chosen], axis=0, weights=weights[chosen]))
    colours[~data.cache.open_nodes] = UNFILLED
    return colours


def _palette(first: Any, last: Any) -> Any:
    """Choose the colours of all frames from the first and the last."""
    from PIL import Image

    both = Image.new("RGB", (first.width, first.height * 2))
    both.paste(first, (0, 0))
    both.paste(last, (0, first.height))
    return both.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
