"""Which paint and which short name each thing gets in a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from solvent.drawing.palette import BLUE, WHITE, Paint, choose_paints, from_lab

STONE: Paint = (112, 115, 122)
"""Walls."""
STONE_EDGE: Paint = (66, 69, 76)
GROUND: Paint = (250, 247, 238)
"""Floor that belongs to no room."""
SEA: Paint = (150, 200, 232)
PLAYER: Paint = (0, 106, 78)
"""The start, and where the player is."""
PLAN: Paint = BLUE
"""A walk that gets there, and what a hint wants."""
DANGER: Paint = (190, 50, 0)
"""A walk that is lost, and what a hint warns of; far from `PLAN` for every kind of sight."""
REACH: Paint = (245, 196, 120)
"""The part of a map that can be reached and is not enough."""
TREASURE: Paint = (0, 104, 110)
"""Items, and the gates that need them."""
LEVER: Paint = (110, 50, 130)
"""Switches and what they work."""
RULED: Paint = (92, 74, 20)
"""Gates with a rule of their own."""
BEAST: Paint = (140, 46, 74)

ROOM_TINTS: tuple[Paint, ...] = ((250, 243, 222), (229, 240, 246), (243, 232, 242), (232, 243, 228))
"""Floor of named rooms, in turn. They only say where a room ends; its name says which it is."""

PLAIN_KEY: Paint = WHITE
"""A key of no colour, and its lock."""


def choose_key_paints(colours: Iterable[str]) -> dict[str, Paint]:
    """Choose a paint for each colour of key; a key of no colour has a paint of its own."""
    wanted = sorted({*colours} - {""})
    return {"": PLAIN_KEY} | dict(zip(wanted, choose_paints(wanted), strict=True))


def sphere_tint(number: int) -> Paint:
    """Return the paint of a sphere of progress; spheres that follow each other differ most."""
    angle = math.radians(130 + 137.5 * number)
    return from_lab(91, 24 * math.cos(angle), 24 * math.sin(angle))


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


def _short_names(name: str) -> Iterator[str]:
    letters = [letter for letter in name if letter.isalnum()] or ["?"]
    yield letters[0].upper()
    yield from (letters[0].upper() + letter.lower() for letter in letters[1:])
    number = 2
    while True:
        yield f"{letters[0].upper()}{number}"
        number += 1
