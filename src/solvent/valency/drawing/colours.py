"""Which paint each module gets in a drawing, and what paints do."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from solvent.valency.model import Module

Paint = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

PAPER: Paint = (252, 251, 248)
WHITE: Paint = (255, 255, 255)
INK: Paint = (27, 27, 27)
FAINT_INK: Paint = (95, 95, 92)
LINE: Paint = (196, 196, 190)
"""Outlines of what is not filled, and edges of a graph."""
UNFILLED: Paint = (240, 239, 233)
PICK: Paint = (0, 84, 153)
"""Flags of fixed picks."""
IMPOSSIBLE: Paint = (196, 28, 20)
"""Nodes that are proved impossible, and whatever clashes; far from `OVER_BUDGET` for every kind of sight."""
OVER_BUDGET: Paint = (245, 184, 46)
"""Nodes that were given up on."""

# Every two of these stay apart by at least 8 in CIE 1976 colour difference, for normal sight and for each of the three
# kinds of colour blindness, and the first 8 by at least 19 (a test simulates them). Glyphs are the second cue.
HUES: tuple[Paint, ...] = tuple(
    (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    for digits in (
        "2978CE", "EC9420", "3BB97E", "672F86", "FFED39", "B8200D", "96DAC0", "D9A7D7", "804F31", "C2E44F", "1D265B",
        "AB7D00", "FA826F", "BDF0CF", "8C2C6E", "8CC9F6", "717921", "D94F8E", "F5BA5D", "5260D1", "FFF1C6", "00664F",
        "6E1B2A", "D9C9A1", "B89AE9", "64727F",
    )
)  # fmt: skip
"""Paints for modules that name none, most distinct first."""

_SHADES = (0.0, 0.22, -0.16, 0.4, -0.3, 0.55)
"""How far the variants of a module are mixed with white, or with black if below zero; in turn."""
_HEX_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


def choose_paints(modules: Sequence[Module]) -> list[Paint]:
    """Choose a paint for each module: its own, else the next hue; variants of one name are shades of one hue.

    Beyond 26 names, hues repeat.
    """
    own = [read_paint(module.look.colour) for module in modules]
    taken = {paint for paint in own if paint is not None}
    spare = [hue for hue in HUES if hue not in taken] or list(HUES)
    hues: dict[str, Paint] = {}
    shades: dict[str, int] = {}
    paints = []
    for module, paint in zip(modules, own, strict=True):
        if paint is None:
            hue = hues.setdefault(module.name, spare[len(hues) % len(spare)])
            shade = _SHADES[shades.get(module.name, 0) % len(_SHADES)]
            shades[module.name] = shades.get(module.name, 0) + 1
            paint = mix(hue, WHITE if shade > 0 else (0, 0, 0), abs(shade))
        paints.append(paint)
    return paints


def read_paint(text: str) -> Paint | None:
    """Return a colour written as #rrggbb; None for anything else."""
    if not _HEX_COLOUR.fullmatch(text):
        return None
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def ink_on(paint: Paint) -> Paint:
    """Choose dark ink or white, whichever reads better on the paint."""
    light = _luminance(paint)
    return WHITE if 1.05 / (light + 0.05) > (light + 0.05) / (_luminance(INK) + 0.05) else INK


def mix(paint: Paint, other: Paint, share: float) -> Paint:
    """Mix a share of another paint into a paint."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(paint, other, strict=True))
    return red, green, blue


def as_hex(paint: Paint) -> str:
    """Write a paint as `#rrggbb`, or as `#rgb` where that says the same."""
    digits = "{:02x}{:02x}{:02x}".format(*paint)
    return f"#{digits[::2]}" if digits[::2] == digits[1::2] else f"#{digits}"


def heat_paint(share: float) -> Paint:
    """Return the paint of a heat from 0 to 1: as much darker as it is hotter, from pale yellow to deep violet.

    Lightness falls evenly from 96 to 14 of 100 in the CIE 1976 colour space, so equal steps look equal, also in grey.
    """
    angle = math.radians(95 - 145 * share)
    strength = 18 + 30 * math.sin(math.pi * min(1.0, 0.2 + share * 0.8))
    return _from_lab(96 - 82 * share, strength * math.cos(angle), strength * math.sin(angle))


def _from_lab(lightness: float, a: float, b: float) -> Paint:
    middle = (lightness + 16) / 116
    x, y, z = (
        white * (part**3 if part > 6 / 29 else 3 * (6 / 29) ** 2 * (part - 4 / 29))
        for white, part in ((0.9505, middle + a / 500), (1.0, middle), (1.089, middle - b / 200))
    )
    linear = (
        3.2406 * x - 1.5372 * y - 0.4986 * z,
        -0.9689 * x + 1.8758 * y + 0.0415 * z,
        0.0557 * x - 0.2040 * y + 1.0570 * z,
    )
    red, green, blue = (
        round(255 * min(1.0, max(0.0, 12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))) for c in linear
    )
    return red, green, blue


def _luminance(paint: Paint) -> float:
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4) for c in (part / 255 for part in paint)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
