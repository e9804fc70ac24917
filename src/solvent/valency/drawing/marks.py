"""Draw what is marked on nodes and edges: what is left out, fixed picks, and what clashes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from solvent.drawing.markup import Markup, join, tag
from solvent.drawing.palette import BLUE, INK, WHITE
from solvent.drawing.shapes import Point, badge, circle, group, label, path, put, rect
from solvent.valency.drawing.clash import Link
from solvent.valency.drawing.colours import IMPOSSIBLE, OVER_BUDGET
from solvent.valency.drawing.faces import TILE
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.model import UNSOLVABLE

Place = Callable[[int], Point | None]
"""Where a node stands in units; None if it is not shown."""

MAX_NUMBERED = 400
"""Ringed nodes that have their number beside them."""
_SQUARE = "M-16-16h32v32h-32z"


def define_marks(prefix: str) -> Markup:
    """Return what is drawn often, for the definitions of a picture."""
    stripes = path("M-2 2l4-4M0 8l8-8M6 10l4-4", stroke=IMPOSSIBLE, stroke_width=1.6)
    hatched = f"url(#{prefix}h)"
    cross = path("M-7-7l14 14m0-14l-14 14", stroke=IMPOSSIBLE, stroke_width=4, stroke_linecap="round")
    question = label("?", 0, 8, 22, bold=True, text_anchor="middle", fill=INK)
    rim = {"stroke": IMPOSSIBLE, "stroke_width": 2}
    flag = {"fill": BLUE, "stroke": WHITE, "stroke_width": 1}
    signs = {
        "i": [path(_SQUARE, fill=WHITE), path(_SQUARE, fill=hatched), cross],
        "o": [path(_SQUARE, fill=OVER_BUDGET), question],
        "I": [circle(0, 0, 15, fill=WHITE), circle(0, 0, 15, fill=hatched, **rim), cross],
        "O": [circle(0, 0, 15, fill=OVER_BUDGET, stroke=INK), question],
        "p": [path("M-16-16h13l-13 13z", **flag)],
        "P": [path("M6-19h13l-4 5.5 4 5.5h-13z", **flag)],
    }
    pattern = tag("pattern", stripes, id=f"{prefix}h", width=8, height=8, patternUnits="userSpaceOnUse")
    return join([pattern, *(group(drawn, id=f"{prefix}{name}") for name, drawn in signs.items())])


def use(name: str, x: float, y: float) -> Markup:
    """Draw what was defined under a name. Large pictures have very many of these."""
    return Markup(f'<use href="#{name}" x="{x:.6g}" y="{y:.6g}"/>')


def draw_left_out(overlay: Overlay, place: Place, prefix: str, *, is_round: bool) -> Iterator[Markup]:
    """Yield a sign for each node that could not be filled: hatched red if proved impossible, else amber."""
    for node in (overlay.fill == UNSOLVABLE).nonzero()[0].tolist():
        if (at := place(node)) is not None:
            sign = "o" if node in overlay.over_budget else "i"
            sign = sign.upper() if is_round else sign
            yield use(f"{prefix}{sign}", *at)


def draw_picks(overlay: Overlay, place: Place, prefix: str, *, is_round: bool) -> Iterator[Markup]:
    """Yield a flag on each node with a fixed pick."""
    for node in overlay.picks:
        if (at := place(node)) is not None:
            yield use(f"{prefix}{'P' if is_round else 'p'}", *at)


def draw_links(overlay: Overlay, place: Place) -> Iterator[Markup]:
    """Yield the edges to look at as thick lines; those around the rim of a lattice as two halves that leave it."""
    for link in overlay.links:
        start, end = place(link.start), place(link.end)
        if start is None or end is None:
            continue
        if link.direction is None:
            lines = _between(start, end)
        else:
            lines = _stubs(start, end, link)
        dashes = None if link.is_edge else "5 7"
        yield path(lines, stroke=WHITE, stroke_width=8, stroke_linecap="round")
        yield path(lines, stroke=IMPOSSIBLE, stroke_width=4.5, stroke_linecap="round", stroke_dasharray=dashes)


def draw_rings(overlay: Overlay, place: Place, *, is_round: bool) -> Iterator[Markup]:
    """Yield a ring around each node to look at, with its number where something is explained by numbers."""
    numbered = overlay.is_clash and len(overlay.ringed) <= MAX_NUMBERED
    for number, node in enumerate(overlay.ringed, start=1):
        at = place(node)
        if at is None:
            continue
        drawn = []
        for paint, width in ((WHITE, 4), (IMPOSSIBLE, 2.4)):
            line = {"fill": "none", "stroke": paint, "stroke_width": width}
            drawn.append(circle(0, 0, 17, **line) if is_round else rect(-14.5, -14.5, 29, 29, rx=4, **line))
        if numbered:
            drawn.append(put(badge(str(number), IMPOSSIBLE, size=0.95), 10, 10))
        yield put(drawn, *at)


def _between(start: Point, end: Point) -> str:
    """Return a line between two nodes that stops short of what stands on them."""
    across, down = end[0] - start[0], end[1] - start[1]
    share = min(0.3, 15 / max(1e-9, math.hypot(across, down)))
    x, y = start[0] + share * across, start[1] + share * down
    return f"M{x:.6g} {y:.6g}l{(1 - 2 * share) * across:.6g} {(1 - 2 * share) * down:.6g}"


def _stubs(start: Point, end: Point, link: Link) -> str:
    x, y, z = link.direction or (0.0, 0.0, 0.0)
    if not x and not y:
        y = -z  # up and down between floors, where the floor itself shows no way
    longest = max(abs(x), abs(y)) or 1.0
    dx, dy = x / longest * TILE * 0.75, y / longest * TILE * 0.75
    (x, y), (other_x, other_y) = start, end
    there = f"M{x + dx / 2.5:.6g} {y + dy / 2.5:.6g}l{dx / 2:.4g} {dy / 2:.4g}"
    return f"{there}M{other_x - dx / 2.5:.6g} {other_y - dy / 2.5:.6g}l{-dx / 2:.4g} {-dy / 2:.4g}"
