"""PNG pictures of modules and samples: read with bounds, cut, averaged, written the same everywhere."""

from __future__ import annotations

import struct
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solvent.core.errors import ParseError
from solvent.formats import png
from solvent.formats.companion_files import NOWHERE, is_there, read_bytes, require_relative

MAX_PIXELS = 16 << 20
"""Of a picture that is read: a sample, or a sheet of tiles."""
LONGEST_TILE_SIDE = 512
"""Pixels along the side of a module's picture."""

Pixels = npt.NDArray[np.uint8]
"""Shape (height, width, 4): red, green, blue, opacity."""

ReadBeside = Callable[[str], bytes | None]
"""Return what is in the picture of this name beside a rule file; None if there is no such file."""


def read_png(data: bytes, name: str) -> Pixels:
    """Read a PNG picture, or raise ParseError naming it; its size is looked at before anything is unpacked."""
    import warnings

    from PIL.PngImagePlugin import PngImageFile  # `Image.open` would import every common format first

    if len(data) < 24 or not data.startswith(png.SIGNATURE):
        raise ParseError("a PNG picture", data[:8], source=name)
    width, height = struct.unpack(">II", data[16:24])
    if not 0 < width * height <= MAX_PIXELS:
        raise ParseError(f"a picture of 1 to {MAX_PIXELS} pixels", f"{width}x{height}", source=name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with PngImageFile(BytesIO(data)) as picture:
                return np.asarray(picture.convert("RGBA"), dtype=np.uint8)
    # Pillow raises many kinds of errors for broken files; all of them mean the same here.
    except Exception as error:
        raise ParseError(f"a PNG picture that is whole ({type(error).__name__})", source=name) from None


def write_png(pixels: Pixels) -> bytes:
    """Write a PNG picture; the same pixels give the same bytes everywhere."""
    height, width = pixels.shape[:2]
    flat = np.ascontiguousarray(pixels).reshape(-1, 4)
    colours, numbers = np.unique(flat.view(np.dtype(">u4")).reshape(-1), return_inverse=True)
    if len(colours) <= 256:
        kind, rows = png.PALETTE, numbers.astype(np.uint8).reshape(height, width)
        table = np.ascontiguousarray(colours.astype(">u4")).view(np.uint8).reshape(-1, 4)
        tables = [(b"PLTE", table[:, :3].tobytes()), (b"tRNS", table[:, 3].tobytes())]
    else:
        kind, rows, tables = png.RED_GREEN_BLUE_OPACITY, flat.reshape(height, width * 4), []
    lines = np.zeros((height, rows.shape[1] + 1), dtype=np.uint8)
    lines[:, 1:] = rows
    return png.write_png((width, height), kind, lines.tobytes(), tables)


def require_tile_size(pixels: Pixels, name: str) -> None:
    """Raise ParseError if a module's picture is too large to be drawn many times."""
    height, width = pixels.shape[:2]
    if max(height, width) > LONGEST_TILE_SIDE:
        expected = f"a tile's picture of at most {LONGEST_TILE_SIDE} pixels along a side"
        raise ParseError(expected, f"{width}x{height}", source=name)


def average_colour(pixels: Pixels) -> str:
    """Return the average colour of what can be seen, as #rrggbb; empty if nothing can."""
    opacity = pixels[..., 3].astype(np.float64)
    total = float(opacity.sum())
    if total == 0:
        return ""
    red, green, blue = (
        int(float((pixels[..., channel] * opacity).sum()) / total + 0.5)  # halves go up
        for channel in range(3)
    )
    return f"#{red:02x}{green:02x}{blue:02x}"


def beside(path: Path, *, follows_parents: bool = False) -> ReadBeside:
    """Return a reader of pictures for the rule file at `path`.

    It looks in the folder that is called like the file, then in the file's own folder. Maps and tilesets often lie in
    folders side by side: with `follows_parents` a name may lead there.
    """

    def read(name: str) -> bytes | None:
        relative = name.replace("\\", "/")
        require_relative(name, "picture", NOWHERE)
        if ".." in relative.split("/") and not follows_parents:
            return None  # nothing outside the folder is read; a rule set can do without pictures
        for folder in (path.parent / path.stem, path.parent):
            found = folder / relative
            if is_there(found):
                return read_bytes(found, "picture", str(found))
        return None

    return read
