"""A picture of the terrain for maps we write, so that Tiled shows them as they are."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.dungeon.model import ONE_WAYS
from solvent.formats.png import PALETTE, write_png

TILE = 16
"""Pixels along a tile."""
COLOURS = {"wall": (58, 58, 66), "floor": (226, 218, 200), "water": (92, 148, 214), "mark": (150, 120, 60)}


def draw_tiles(letters: Sequence[str]) -> bytes:
    """Draw tiles side by side as a PNG; the same tiles give the same bytes everywhere."""
    rows = []
    for y in range(TILE):
        row = bytearray([0])
        for letter in letters:
            row.extend(_pixel(letter, x, y) for x in range(TILE))
        rows.append(bytes(row))
    colours = b"".join(bytes(colour) for colour in COLOURS.values())
    return write_png((TILE * len(letters), TILE), PALETTE, b"".join(rows), [(b"PLTE", colours)])


def _pixel(letter: str, x: int, y: int) -> int:
    """Return the number of a pixel's colour."""
    names = list(COLOURS)
    if letter in ONE_WAYS:
        along = {"^": y, "v": TILE - 1 - y, "<": x, ">": TILE - 1 - x}[letter]
        across = x if letter in "^v" else y
        is_arrow = 3 <= along <= 12 and abs(2 * across - TILE + 1) <= along - 2
        return names.index("mark" if is_arrow else "floor")
    return {"#": names.index("wall"), "~": names.index("water")}.get(letter, names.index("floor"))
