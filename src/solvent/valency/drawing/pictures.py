"""Read the pictures of modules and turn them into vector pixels, since a drawing may not hold bitmaps."""

from __future__ import annotations

import io
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solvent.drawing.markup import Markup
from solvent.drawing.palette import Paint
from solvent.drawing.shapes import group, path
from solvent.drawing.tiles import cover
from solvent.valency.drawing.coarse import find_runs
from solvent.valency.drawing.sprites import paint_sprite
from solvent.valency.model import Look, Module

Pixels = npt.NDArray[np.uint8]
"""Shape (height, width, 4): red, green, blue and opacity."""

MAX_PIXELS = 1 << 22
"""Of one picture; a module with a larger one is drawn as if it had none."""
MAX_CHARACTERS = 1_000_000
"""Of all pictures as vectors; beyond it they are drawn with half the pixels, and half again."""


def read_pictures(modules: Sequence[Module]) -> list[Pixels | None]:
    """Return the picture of each module as it is shown, turned and mirrored; None where there is none to read."""
    read: dict[bytes, Pixels | None] = {b"": None}
    for module in modules:
        if module.look.picture not in read:
            read[module.look.picture] = _read(module.look.picture)
    return [
        _turn(read[look.picture], look)
        if look.picture
        else paint_sprite(look.sprite, look.quarter_turns % 4, look.mirrored)
        for look in (module.look for module in modules)
    ]


def mean_paint(pixels: Pixels, ground: Paint) -> Paint:
    """Return the average colour of a picture on a ground of some colour."""
    opacity = pixels[..., 3:].astype(np.float64) / 255
    seen = pixels[..., :3] * opacity + np.array(ground) * (1 - opacity)
    red, green, blue = (round(float(part)) for part in seen.mean(axis=(0, 1)))
    return red, green, blue


def draw_pictures(pictures: Sequence[Pixels | None]) -> list[Markup]:
    """Return each picture as SVG on a square of 32 around the origin; empty where there is none."""
    while True:
        drawn: dict[tuple[tuple[int, ...], bytes], Markup] = {}
        for pixels in pictures:
            if pixels is not None and (key := (pixels.shape, pixels.tobytes())) not in drawn:
                drawn[key] = _draw(pixels)
        largest = max((max(pixels.shape[:2]) for pixels in pictures if pixels is not None), default=0)
        if sum(map(len, drawn.values())) <= MAX_CHARACTERS or largest <= 4:
            return [Markup("") if pixels is None else drawn[pixels.shape, pixels.tobytes()] for pixels in pictures]
        pictures = [None if pixels is None else _halve(pixels) for pixels in pictures]


def _read(data: bytes) -> Pixels | None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            if image.width * image.height > MAX_PIXELS:
                return None
            return np.array(image.convert("RGBA"), dtype=np.uint8)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None  # files are read with their pictures checked; a task made in Python may hold anything


def _turn(pixels: Pixels | None, look: Look) -> Pixels | None:
    if pixels is None:
        return None
    turned = np.rot90(pixels, look.quarter_turns % 4)
    return np.ascontiguousarray(turned[:, ::-1] if look.mirrored else turned)


def _halve(pixels: Pixels) -> Pixels:
    height, width = max(1, pixels.shape[0] // 2), max(1, pixels.shape[1] // 2)
    rows = np.arange(height) * pixels.shape[0] // height
    columns = np.arange(width) * pixels.shape[1] // width
    return np.ascontiguousarray(pixels[rows][:, columns])


def _draw(pixels: Pixels) -> Markup:
    """Draw one path for each colour; runs of equal pixels that lie below each other are one rectangle."""
    height, width = pixels.shape[:2]
    colours = pixels.copy().view(np.uint32).reshape(-1).astype(np.int64)
    rows, columns = (index.ravel() for index in np.indices((height, width)))
    covered = []
    for colour, runs in sorted(find_runs(columns, rows, colours).items()):
        red, green, blue, opacity = np.array([colour], dtype=np.uint32).view(np.uint8).tolist()
        if opacity:
            faint = None if opacity == 255 else f"{opacity / 255:.3f}"
            covered.append(path(cover(runs), fill=(red, green, blue), fill_opacity=faint))
    moves = f"translate(-16 -16) scale({32 / width:.6g} {32 / height:.6g})"
    return group(covered, transform=moves, shape_rendering="crispEdges")
