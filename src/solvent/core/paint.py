"""Work with paints: mix them, write them down, and choose ink and shades that people can tell apart."""

from __future__ import annotations

import math

Paint = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

WHITE: Paint = (255, 255, 255)
INK: Paint = (27, 27, 27)
"""Black that is kind to the eye, for lines and letters."""


def ink_on(paint: Paint) -> Paint:
    """Choose dark ink or white, whichever reads better on the paint."""
    light = relative_luminance(paint)
    return WHITE if 1.05 / (light + 0.05) > (light + 0.05) / (relative_luminance(INK) + 0.05) else INK


def mix(paint: Paint, other: Paint, share: float) -> Paint:
    """Mix a share of another paint into a paint."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(paint, other, strict=True))
    return red, green, blue


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
