"""Draw dungeons: as text for a terminal, as SVG for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvent.core.answer import Certificate
from solvent.core.errors import unknown_name
from solvent.dungeon.drawing.overlay import read_overlay
from solvent.dungeon.model import Dungeon
from solvent.dungeon.rooms import is_room_graph

__all__ = ["draw_svg", "draw_text"]

VIEWS = ("map", "graph", "points")


def draw_svg(
    dungeon: Dungeon,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    highlights: Mapping[str, Any] | None = None,
    view: str | None = None,
    bare: bool = False,
) -> str:
    """Draw a dungeon as a self-contained SVG picture; the same dungeon always gives the same bytes.

    `view` is `map`, `graph` for the rooms and what joins them, or `points` for points of interest and the abstract
    plan; where nothing but names is known of the rooms, all are the graph. A certificate adds its walk with numbered
    events, or all that can be reached if that is not enough.
    `move`, such as `EEES 12`, marks those moves from where the player is. `highlights` may hold `path` and `danger`,
    lists of places as `[floor, row, column]`, and `target`, one place. What does not fit raises ParseError. A `bare`
    picture has no heading and no key.
    """
    if view is not None and view not in VIEWS:
        raise unknown_name("view", view, VIEWS)
    overlay = read_overlay(dungeon, certificate, move, highlights)
    if view == "points":
        from solvent.dungeon.drawing.points import draw_points

        return draw_points(dungeon, overlay, bare=bare)
    if view == "graph" or is_room_graph(dungeon):
        from solvent.dungeon.drawing.graph import draw_graph

        return draw_graph(dungeon, overlay, bare=bare)
    from solvent.dungeon.drawing.map import draw_map

    return draw_map(dungeon, overlay, bare=bare)


def draw_text(
    dungeon: Dungeon,
    *,
    certificate: Certificate | None = None,
    move: str | None = None,
    highlights: Mapping[str, Any] | None = None,
    colour: bool = False,
    brief: bool = False,
    bare: bool = False,
) -> str:
    """Draw a dungeon as lines of text, at most 80 columns wide; takes what `draw_svg` takes.

    Escape codes paint it if `colour` is true; everything can be told apart without them. In `brief`, many rooms of
    which only the names are known are summed up instead of listed, and of a tall map only the rows around the path of
    a hint are drawn. A `bare` map has no heading and no key.
    """
    overlay = read_overlay(dungeon, certificate, move, highlights)
    if brief and is_room_graph(dungeon):
        from solvent.dungeon.drawing.summary import MAX_LISTED, MAX_LISTED_FOR_HINT, sum_up

        if len(dungeon.floors) > (MAX_LISTED_FOR_HINT if overlay.path else MAX_LISTED):
            return sum_up(dungeon, overlay)
    from solvent.dungeon.drawing.text import draw_lines

    return draw_lines(dungeon, overlay, colour=colour, brief=brief, bare=bare)
