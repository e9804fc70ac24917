"""Things that lie about in levels, and gates across a way: stamped on whatever ground a set has."""

from __future__ import annotations

from solvent.valency.drawing.sprites.canvas import COLUMNS, ROWS, Pixels, box, disc, put, stamp

GOLD = {"k": "#5a3d0c", "y": "#f2c94c", "w": "#fff3c4", "d": "#b8862b"}


def with_key(pixels: Pixels) -> Pixels:
    """Lay a golden key on some ground."""
    stamp(pixels, (3, 4), ".kkk....../kywyk...../ky.ydkkkkk/kyyydyyyyyk/.kkkdkdkdk./....k.k.k.", GOLD)
    return pixels


def with_chest(pixels: Pixels) -> Pixels:
    """Put a treasure chest on some ground."""
    rows = ".kkkkkkkkk./kwyyyyyyydk/kyyyyyyyydk/kkkkkkkkkkk/kbbbkyk.bbk/kbBbkkkbBbk/kbBbbbbbBbk/kbbbbbbbbbk/.kkkkkkkkk."
    stamp(pixels, (3, 4), rows, {**GOLD, "b": "#8a5a2b", "B": "#a8743b", ".": "#8a5a2b"} | {".": "#3f2d1c"})
    return pixels


def with_flag(pixels: Pixels, colour: str) -> Pixels:
    """Plant a flag on some ground."""
    put(pixels, box(5, 2, 5, 13), "#3f3329")
    put(pixels, box(6, 3, 12, 7) & (7 - abs(ROWS - 5) >= COLUMNS - 6), colour)
    put(pixels, disc(5, 13, 1.5), "#3f3329")
    return pixels


def with_gate(pixels: Pixels, *, passed_upwards: bool) -> Pixels:
    """Bar a way with an iron gate and a golden lock."""
    across, along = (COLUMNS, ROWS) if passed_upwards else (ROWS, COLUMNS)
    bars = (along >= 5) & (along <= 10)
    put(pixels, bars & (across % 3 == 1), "#3d4147")
    put(pixels, bars & (across % 3 == 2), "#7b828c")
    put(pixels, (along == 4) | (along == 11), "#2c2f34")
    put(pixels, (along == 5) | (along == 10), "#596069")
    put(pixels, box(5, 5, 10, 10), GOLD["k"])
    put(pixels, box(6, 6, 9, 9), GOLD["y"])
    put(pixels, box(7, 7, 8, 9), GOLD["k"])
    return pixels
