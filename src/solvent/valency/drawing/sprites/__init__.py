"""Tile art of our own for modules: small pictures that are painted by code, so that they weigh nothing.

A sprite has a name such as `terrain/grass`. It is painted for the way its module is turned, not turned itself: light
always falls from the upper left.
"""

from __future__ import annotations

from functools import lru_cache

from solvent.valency.drawing.sprites.canvas import Painter, Pixels, Side, turned
from solvent.valency.drawing.sprites.cave import CAVE
from solvent.valency.drawing.sprites.coast import COAST
from solvent.valency.drawing.sprites.gardens import GARDENS
from solvent.valency.drawing.sprites.island import ISLAND
from solvent.valency.drawing.sprites.overgrown import OVERGROWN
from solvent.valency.drawing.sprites.pipes import PIPES
from solvent.valency.drawing.sprites.rooms import ROOMS
from solvent.valency.drawing.sprites.terrain import TERRAIN
from solvent.valency.drawing.sprites.vaults import VAULTS
from solvent.valency.drawing.sprites.village import VILLAGE

__all__ = ["SPRITES", "paint_sprite"]

SPRITES: dict[str, Painter] = {
    f"{set_name}/{name}": painter
    for set_name, painters in (
        ("terrain", TERRAIN),
        ("coast", COAST),
        ("rooms", ROOMS),
        ("pipes", PIPES),
        ("village", VILLAGE),
        ("gardens", GARDENS),
        ("vaults", VAULTS),
        ("island", ISLAND),
        ("cave", CAVE),
        ("overgrown", OVERGROWN),
    )
    for name, painter in painters.items()
}
"""By name: what paints it, given how often it is turned by 90 degrees, anticlockwise."""


@lru_cache(maxsize=1024)
def paint_sprite(name: str, quarter_turns: int, mirrored: bool) -> Pixels | None:
    """Return the picture of a module, turned and mirrored; None if there is no sprite of that name."""
    painter = SPRITES.get(name)
    if painter is None:
        return None
    pixels = painter(lambda *sides: frozenset(_face(side, quarter_turns, mirrored) for side in sides))
    pixels.setflags(write=False)
    return pixels


def _face(side: Side, quarter_turns: int, mirrored: bool) -> Side:
    side = turned(side, quarter_turns)
    return turned(side, 2) if mirrored and side in ("left", "right") else side
