"""Which paint and which short name each thing gets in a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from solvent.core.paint import WHITE, Paint

PAPER: Paint = (252, 251, 248)
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
PLAIN_KEY: Paint = WHITE
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


def _short_names(name: str) -> Iterator[str]:
    letters = [letter for letter in name if letter.isalnum()] or ["?"]
    yield letters[0].upper()
    yield from (letters[0].upper() + letter.lower() for letter in letters[1:])
    number = 2
    while True:
        yield f"{letters[0].upper()}{number}"
        number += 1
