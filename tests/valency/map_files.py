"""Small Tiled maps with pictures, written for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from solvent.valency.notation.pictures import write_png

COLOURS = ((200, 60, 60, 255), (60, 160, 60, 255), (60, 90, 200, 255), (220, 200, 90, 255))


def write_sheet(path: Path, width: int = 8, height: int = 8) -> None:
    """Write a picture of four tiles in a row, one colour each, with a dark corner at the top left."""
    pixels = np.zeros((height, 4 * width, 4), dtype=np.uint8)
    for number, colour in enumerate(COLOURS):
        pixels[:, number * width : (number + 1) * width] = colour
        pixels[0, number * width] = (0, 0, 0, 255)
    path.write_bytes(write_png(pixels))


def tsx(width: int = 8, height: int = 8, inner: str = "", first: str = "") -> str:
    """Return a tileset of four tiles."""
    return (
        f'<tileset version="1.10" {first} name="four" tilewidth="{width}" tileheight="{height}" tilecount="4" '
        f'columns="4">\n <image source="four.png" width="{4 * width}" height="{height}"/>\n{inner}</tileset>\n'
    )


def tmx(
    layers: Sequence[Sequence[Sequence[int]]], *, shape: str = 'orientation="orthogonal"', tileset: str = ""
) -> str:
    """Return a map of some layers of tile numbers; its tileset is the file four.tsx unless one is given."""
    height, width = len(layers[0]), len(layers[0][0])
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<map version="1.10" {shape} width="{width}" height="{height}" tilewidth="8" tileheight="8" infinite="0">',
        tileset or '<tileset firstgid="1" source="four.tsx"/>',
    ]
    for number, rows in enumerate(layers, 1):
        data = ",\n".join(",".join(map(str, row)) for row in rows)
        lines.append(f'<layer id="{number}" name="layer {number}" width="{width}" height="{height}">')
        lines.append(f'<data encoding="csv">\n{data}\n</data></layer>')
    return "\n".join([*lines, "</map>"]) + "\n"


def write_map(folder: Path, text: str, *, name: str = "map.tmx", tile: tuple[int, int] = (8, 8)) -> Path:
    """Write a map with its tileset and picture beside it."""
    write_sheet(folder / "four.png", *tile)
    (folder / "four.tsx").write_text(tsx(*tile))
    path = folder / name
    path.write_text(text)
    return path
