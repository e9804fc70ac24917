"""How paints look to people with each kind of colour blindness, and how far apart two paints look."""

from __future__ import annotations

import math

from solvent.drawing.palette import Paint

Vector = tuple[float, float, float]

# Complete dichromacy on linear RGB: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
# Color Vision Deficiency", 2009, severity 1.0.
SIGHTS: dict[str, tuple[Vector, Vector, Vector]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_TO_XYZ: tuple[Vector, Vector, Vector] = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
_WHITE = (0.9505, 1.0, 1.089)


def difference(one: Paint, other: Paint, sight: str) -> float:
    """Return the CIE 1976 colour difference as someone with that sight sees it."""
    return math.dist(_lab(one, sight), _lab(other, sight))


def _lab(paint: Paint, sight: str) -> Vector:
    linear = tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in paint))
    seen = [min(1.0, max(0.0, part)) for part in _times(SIGHTS[sight], linear)]
    x, y, z = (
        value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
        for value in (part / white for part, white in zip(_times(_TO_XYZ, seen), _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _times(matrix, vector) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
