"""Work with paints: mix them, write them down, and choose paints, ink and shades that people can tell apart."""

from __future__ import annotations

import math
from collections.abc import Sequence

Paint = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

WHITE: Paint = (255, 255, 255)
BLACK: Paint = (0, 0, 0)
INK: Paint = (27, 27, 27)
"""Black that is kind to the eye, for lines and letters."""
FAINT_INK: Paint = (85, 85, 82)
"""For what is read second."""
PAPER: Paint = (252, 251, 248)
GOLD: Paint = (255, 200, 40)
"""Goals, and stars that were found."""
BLUE: Paint = (0, 84, 153)
"""What to look at: a plan, a reason, a pick. Far from every warning paint for every kind of sight."""

# Every two of these stay apart for people with normal sight and with each of the three kinds of colour blindness (a
# test simulates them): the first 8 by at least 19 in CIE 1976 colour difference, all 26 by at least 8. Letters are the
# second cue wherever they are used.
HUES: dict[str, Paint] = {
    name: (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    for name, digits in {
        "RED": "B8200D", "BLUE": "2978CE", "GREEN": "3BB97E", "YELLOW": "FFED39", "PURPLE": "672F86",
        "ORANGE": "EC9420", "TEAL": "96DAC0", "PINK": "D9A7D7", "BROWN": "804F31", "LIME": "C2E44F", "NAVY": "1D265B",
        "GOLD": "AB7D00", "CORAL": "FA826F", "MINT": "BDF0CF", "PLUM": "8C2C6E", "SKY": "8CC9F6", "OLIVE": "717921",
        "ROSE": "D94F8E", "AMBER": "F5BA5D", "INDIGO": "5260D1", "PEACH": "FFF1C6", "JADE": "00664F",
        "MAROON": "6E1B2A", "SAND": "D9C9A1", "VIOLET": "B89AE9", "SLATE": "64727F",
    }.items()
}  # fmt: skip
"""Paints by name, most distinct first."""

_MORE_NAMES: dict[str, Paint] = {
    "WHITE": (244, 242, 236),
    "BLACK": (46, 46, 46),
    "GREY": (154, 160, 166),
    "GRAY": (154, 160, 166),
    "CYAN": (53, 182, 214),
    "MAGENTA": (200, 53, 143),
    "TAN": (200, 163, 122),
    "CREAM": (247, 235, 203),
}
_SHADES = {"DARK": -0.4, "DK": -0.4, "LIGHT": 0.5, "LT": 0.5}
"""What a name may begin with, and how far that mixes the paint with black (below zero) or white."""


def choose_paints(names: Sequence[str]) -> list[Paint]:
    """Choose a paint for each name: the one it says, else the next hue that no other has.

    Beyond 26 names that say no colour, paints repeat.
    """
    named = [_named_paint(name.upper()) for name in names]
    chosen = [paint if paint not in named[:index] else None for index, paint in enumerate(named)]
    spare = [paint for paint in HUES.values() if paint not in chosen] or [_MORE_NAMES["GREY"]]
    unnamed = (spare[number % len(spare)] for number in range(len(names)))
    return [next(unnamed) if paint is None else paint for paint in chosen]


def _named_paint(name: str) -> Paint | None:
    known = HUES | _MORE_NAMES
    if name in known:
        return known[name]
    for word, share in _SHADES.items():
        base = name.removeprefix(word).lstrip("_-.")
        if base != name and base in known:
            return shade(known[base], share)
    return None


def ink_on(paint: Paint) -> Paint:
    """Choose dark ink or white, whichever reads better on the paint."""
    light = relative_luminance(paint)
    return WHITE if 1.05 / (light + 0.05) > (light + 0.05) / (relative_luminance(INK) + 0.05) else INK


def mix(paint: Paint, other: Paint, share: float) -> Paint:
    """Mix a share of another paint into a paint."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(paint, other, strict=True))
    return red, green, blue


def shade(paint: Paint, share: float) -> Paint:
    """Mix a share of white into a paint, or of black if the share is below zero."""
    return mix(paint, WHITE if share > 0 else BLACK, abs(share))


def as_hex(paint: Paint) -> str:
    """Write a paint as `#RRGGBB`."""
    return "#{:02X}{:02X}{:02X}".format(*paint)


def from_digits(digits: str) -> Paint:
    """Read a paint from six hexadecimal digits, `RRGGBB`."""
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def relative_luminance(paint: Paint) -> float:
    """Return how light a paint is, from 0 to 1, as the web accessibility guidelines define it."""
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4) for c in (part / 255 for part in paint)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def heat_paint(share: float) -> Paint:
    """Return the paint of a heat from 0 to 1: as much darker as it is hotter, from pale yellow to deep violet.

    Lightness falls evenly from 96 to 14 of 100 in the CIE 1976 colour space, so equal steps look equal, also in grey.
    """
    angle = math.radians(95 - 145 * share)
    strength = 18 + 30 * math.sin(math.pi * min(1.0, 0.2 + share * 0.8))
    return from_lab(96 - 82 * share, strength * math.cos(angle), strength * math.sin(angle))


def from_lab(lightness: float, a: float, b: float) -> Paint:
    """Return the paint at a place of the CIE 1976 colour space, or the nearest by channel that a screen can show."""
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
