"""Which paint and which short name each thing gets in a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

Paint = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

PAPER: Paint = (252, 251, 248)
WHITE: Paint = (255, 255, 255)
INK: Paint = (27, 27, 27)
FAINT_INK: Paint = (95, 95, 92)
STONE: Paint = (112, 115, 122)
"""Walls."""
STONE_EDGE: Paint = (66, 69, 76)
GROUND: Paint = (250, 247, 238)
"""Floor that belongs to no room."""
SEA: Paint = (150, 200, 232)
GOLD: Paint = (255, 200, 40)
"""The goal."""
PLAYER: Paint = (0, 106, 78)
"""The start, and where the player is."""
PLAN: Paint = (0, 84, 153)
"""A walk that gets there, and what a hint wants."""
DANGER: Paint = (190, 50, 0)
"""A walk that is lost, and what a hint warns of; far from `PLAN` for every kind of sight."""
REACH: Paint = (245, 196, 120)
"""The part of a map that can be reached and is not enough."""
TREASURE: Paint = (0, 104, 110)
"""Items, and the gates that need them."""
LEVER: Paint = (110, 50, 130)
"""Switches and what they work."""
BEAST: Paint = (140, 46, 74)

ROOM_TINTS: tuple[Paint, ...] = ((250, 243, 222), (229, 240, 246), (243, 232, 242), (232, 243, 228))
"""Floor of named rooms, in turn. They only say where a room ends; its name says which it is."""

# Every two of these stay apart by at least 19 in CIE 1976 colour difference, for normal sight and for each of the three
# kinds of colour blindness (a test simulates them). The letters on keys and locks are the second cue.
KEY_PAINTS: dict[str, Paint] = {
    "red": (184, 32, 13),
    "blue": (41, 120, 206),
    "green": (59, 185, 126),
    "yellow": (255, 237, 57),
    "purple": (103, 47, 134),
    "orange": (236, 148, 32),
    "teal": (150, 218, 192),
    "pink": (217, 167, 215),
}
PLAIN_KEY: Paint = (255, 255, 255)
"""A key of no colour, and its lock."""


def choose_key_paints(colours: Iterable[str]) -> dict[str, Paint]:
    """Choose a paint for each colour of key: the one it is named after, else the next that none has; then they repeat.

    A key of no colour has a paint of its own.
    """
    wanted = sorted({*colours} - {""})
    chosen = {colour: KEY_PAINTS[colour.lower()] for colour in wanted if colour.lower() in KEY_PAINTS}
    spare = [paint for paint in KEY_PAINTS.values() if paint not in chosen.values()] or list(KEY_PAINTS.values())
    unnamed = [colour for colour in wanted if colour not in chosen]
    return {"": PLAIN_KEY} | chosen | {colour: spare[n % len(spare)] for n, colour in enumerate(unnamed)}


def abbreviate(names: Iterable[str]) -> dict[str, str]:
    """Give each name a short one of its own: its initial, with a second letter or a number where others have that.

    The empty name stays empty.
    """
    given: dict[str, str] = {}
    taken = {""}
    for name in sorted({*names} - {""}):
        short = next(short for short in _short_names(name) if short not in taken)
        given[name] = short
        taken.add(short)
    return {"": ""} | given


def ink_on(paint: Paint) -> Paint:
    """Choose dark ink or white, whichever reads better on the paint."""
    light = _luminance(paint)
    return WHITE if 1.05 / (light + 0.05) > (light + 0.05) / (_luminance(INK) + 0.05) else INK


def mix(paint: Paint, other: Paint, share: float) -> Paint:
    """Mix a share of another paint into a paint."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(paint, other, strict=True))
    return red, green, blue


def as_hex(paint: Paint) -> str:
    """Write a paint as `#RRGGBB`."""
    return "#{:02X}{:02X}{:02X}".format(*paint)


def heat_paint(share: float) -> Paint:
    """Return the paint of a heat from 0 to 1: as much darker as it is hotter, from pale yellow to deep violet.

    Lightness falls evenly from 96 to 14 of 100 in the CIE 1976 colour space, so equal steps look equal, also in grey.
    """
    lightness = 96 - 82 * share
    angle = math.radians(95 - 145 * share)
    strength = 18 + 30 * math.sin(math.pi * min(1.0, 0.2 + share * 0.8))
    return _from_lab(lightness, strength * math.cos(angle), strength * math.sin(angle))


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


def _short_names(name: str) -> Iterator[str]:
    letters = [letter for letter in name if letter.isalnum()] or ["?"]
    yield letters[0].upper()
    yield from (letters[0].upper() + letter.lower() for letter in letters[1:])
    number = 2
    while True:
        yield f"{letters[0].upper()}{number}"
        number += 1
