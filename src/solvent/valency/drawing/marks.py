"""Draw what is marked on nodes and edges: what is left out, fixed picks, and what clashes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from solvent.valency.drawing.clash import Link
from solvent.valency.drawing.colours import IMPOSSIBLE, OVER_BUDGET, PICK, as_hex
from solvent.valency.drawing.faces import TILE
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.model import UNSOLVABLE

Place = Callable[[int], tuple[float, float] | None]
"""Where a node stands in units; None if it is not shown."""

MAX_NUMBERED = 400
"""Ringed nodes that have their number beside them."""
_RED = as_hex(IMPOSSIBLE)
_FLAG = f'<path d="M-16-16h13l-13 13z" fill="{as_hex(PICK)}" stroke="#fff" stroke-width="1"/>'
_ROUND_FLAG = f'<path d="M6-19h13l-4 5.5 4 5.5h-13z" fill="{as_hex(PICK)}" stroke="#fff" stroke-width="1"/>'
_CROSS = f'<path d="M-7-7l14 14m0-14l-14 14" stroke="{_RED}" stroke-width="4" stroke-linecap="round"/>'
_QUESTION = '<text y="8" font-size="22" font-weight="bold" text-anchor="middle" fill="#1b1b1b">?</text>'


def define_marks(prefix: str) -> list[str]:
    """Return what is drawn often, for the definitions of a picture."""
    stripes = f'<path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="{_RED}" stroke-width="1.6"/>'
    hatch = f'<pattern id="{prefix}h" width="8" height="8" patternUnits="userSpaceOnUse">{stripes}</pattern>'
    ground = f'<path d="M-16-16h32v32h-32z" fill="#fff"/><path d="M-16-16h32v32h-32z" fill="url(#{prefix}h)"/>'
    disc = f'<circle r="15" fill="#fff"/><circle r="15" fill="url(#{prefix}h)" stroke="{_RED}" stroke-width="2"/>'
    amber = as_hex(OVER_BUDGET)
    return [
        hatch,
        f'<g id="{prefix}i">{ground}{_CROSS}</g>',
        f'<g id="{prefix}o"><path d="M-16-16h32v32h-32z" fill="{amber}"/>{_QUESTION}</g>',
        f'<g id="{prefix}I">{disc}{_CROSS}</g>',
        f'<g id="{prefix}O"><circle r="15" fill="{amber}" stroke="#1b1b1b"/>{_QUESTION}</g>',
        f'<g id="{prefix}p">{_FLAG}</g>',
        f'<g id="{prefix}P">{_ROUND_FLAG}</g>',
    ]


def draw_left_out(overlay: Overlay, place: Place, prefix: str, *, is_round: bool) -> Iterator[str]:
    """Yield a sign for each node that could not be filled: hatched red if proved impossible, else amber."""
    for node in (overlay.fill == UNSOLVABLE).nonzero()[0].tolist():
        if (at := place(node)) is not None:
            sign = "o" if node in overlay.over_budget else "i"
            sign = sign.upper() if is_round else sign
            yield f'<use href="#{prefix}{sign}" x="{at[0]:.6g}" y="{at[1]:.6g}"/>'


def draw_picks(overlay: Overlay, place: Place, prefix: str, *, is_round: bool) -> Iterator[str]:
    """Yield a flag on each node with a fixed pick."""
    for node in overlay.picks:
        if (at := place(node)) is not None:
            yield f'<use href="#{prefix}{"P" if is_round else "p"}" x="{at[0]:.6g}" y="{at[1]:.6g}"/>'


def draw_links(overlay: Overlay, place: Place) -> Iterator[str]:
    """Yield the edges to look at as thick lines; those around the rim of a lattice as two halves that leave it."""
    for link in overlay.links:
        start, end = place(link.start), place(link.end)
        if start is None or end is None:
            continue
        if link.direction is None:
            lines = _between(start, end)
        else:
            lines = _stubs(start, end, link)
        dashes = "" if link.is_edge else ' stroke-dasharray="5 7"'
        yield (
            f'<path d="{lines}" fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round"/>'
            f'<path d="{lines}" fill="none" stroke="{_RED}" stroke-width="4.5" stroke-linecap="round"{dashes}/>'
        )


def draw_rings(overlay: Overlay, place: Place, *, is_round: bool) -> Iterator[str]:
    """Yield a ring around each node to look at, with its number where something is explained by numbers."""
    numbered = overlay.is_clash and len(overlay.ringed) <= MAX_NUMBERED
    for number, node in enumerate(overlay.ringed, start=1):
        at = place(node)
        if at is None:
            continue
        ring = '<circle r="17"' if is_round else '<rect x="-14.5" y="-14.5" width="29" height="29" rx="4"'
        badge = ""
        if numbered:
            width = 7 + 7 * len(str(number))
            badge = (
                f'<g transform="translate(10 10)"><rect x="{-width / 2:g}" y="-7.5" width="{width}" height="15" '
                f'rx="7.5" fill="{_RED}" stroke="#fff"/><text y="4.2" font-size="12" font-weight="bold" '
                f'text-anchor="middle" fill="#fff">{number}</text></g>'
            )
        yield (
            f'<g transform="translate({at[0]:.6g} {at[1]:.6g})">{ring} fill="none" stroke="#fff" stroke-width="4"/>'
            f'{ring} fill="none" stroke="{_RED}" stroke-width="2.4"/>{badge}</g>'
        )


def _between(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return a line between two nodes that stops short of what stands on them."""
    across, down = end[0] - start[0], end[1] - start[1]
    share = min(0.3, 15 / max(1e-9, math.hypot(across, down)))
    x, y = start[0] + share * across, start[1] + share * down
    return f"M{x:.6g} {y:.6g}l{(1 - 2 * share) * across:.6g} {(1 - 2 * share) * down:.6g}"


def _stubs(start: tuple[float, float], end: tuple[float, float], link: Link) -> str:
    x, y, z = link.direction or (0.0, 0.0, 0.0)
    if not x and not y:
        y = -z  # up and down between floors, where the floor itself shows no way
    longest = max(abs(x), abs(y)) or 1.0
    dx, dy = x / longest * TILE * 0.75, y / longest * TILE * 0.75
    (x, y), (other_x, other_y) = start, end
    there = f"M{x + dx / 2.5:.6g} {y + dy / 2.5:.6g}l{dx / 2:.4g} {dy / 2:.4g}"
    return f"{there}M{other_x - dx / 2.5:.6g} {other_y - dy / 2.5:.6g}l{-dx / 2:.4g} {-dy / 2:.4g}"
