"""Lay terrain: by strokes, and over whole rectangles."""

from __future__ import annotations

from collections.abc import Iterable

from solvent.dungeon.model import FLOOR, NOTHING, WALL, WATER, Place
from solvent.dungeon.notation.text.things import TERRAIN
from solvent.dungeon.page.editing.actions import Clear, Paint
from solvent.dungeon.page.editing.sketch import Sketch

NEEDS_GROUND = frozenset(("gate", "switch", "block", "goal", "way"))


def paint(sketch: Sketch, action: Paint) -> None:
    """Lay terrain on tiles; what cannot stand on it goes, but for the start and the last goal, whose tiles stay."""
    sketch.require(action.at)
    lay_terrain(sketch, set(action.at), TERRAIN[action.terrain])


def clear(sketch: Sketch, action: Clear) -> None:
    """Take everything off a rectangle and lay terrain there."""
    places = set(sketch.rectangle(action.corner, action.height, action.width))
    sketch.take_away(places - keep_ends(sketch, places, always=False))
    lay_terrain(sketch, places, TERRAIN[action.terrain])


def lay_terrain(sketch: Sketch, places: set[Place], letter: str) -> None:
    """Lay terrain; see `paint`."""
    if letter in (WALL, NOTHING, WATER):
        places = places - keep_ends(sketch, places)
    for place in places:
        sketch.lay(place, letter)
    if letter in (WALL, NOTHING):
        sketch.take_away(places, levers=False)
    elif letter == WATER:
        sketch.take_away(places, what=NEEDS_GROUND, levers=False)
    elif letter != FLOOR:
        sketch.take_away(places, what=frozenset(("block",)))


def keep_ends(sketch: Sketch, places: Iterable[Place], *, always: bool = True) -> set[Place]:
    """Return the tiles of some that stay as they are, since the start or the only goal left stands there.

    With `always` false, the start's tile is not among them: what lies beside it may go.
    """
    chosen = set(places)
    kept: set[Place] = set()
    if sketch.start in chosen and always:
        kept.add(sketch.start)
        sketch.notes.append("The start stays: put it elsewhere first.")
    if chosen.issuperset(sketch.goals):
        kept.add(sketch.goals[0])
        sketch.notes.append("The last goal stays: put another one first.")
    return kept
