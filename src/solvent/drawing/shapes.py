"""The shapes that pictures are made of, each one SVG element or a small group of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solvent.drawing.markup import Child, Markup, join, number, tag
from solvent.drawing.palette import WHITE, Paint

Point = tuple[float, float]
"""Across and down."""


def rect(x: float, y: float, width: float, height: float, /, *children: Child, **look: object) -> Markup:
    """Draw a rectangle by its top left corner."""
    return tag("rect", *children, x=x, y=y, width=width, height=height, **look)


def circle(x: float, y: float, radius: float, /, **look: object) -> Markup:
    """Draw a circle around a point."""
    return tag("circle", cx=x, cy=y, r=radius, **look)


def path(steps: str, /, **look: object) -> Markup:
    """Draw a path; one that is drawn as a line is not filled."""
    return tag("path", d=steps, fill=look.pop("fill", "none" if "stroke" in look else None), **look)


def label(text: Child, x: float, y: float, size: float, /, *, bold: bool = False, **look: object) -> Markup:
    """Write a text, its foot at y; `text_anchor` says which part of it stands at x."""
    return tag("text", text, x=x, y=y, font_size=size, font_weight="bold" if bold else None, **look)


class Outlined(NamedTuple):
    """Hold a text with a white rim, its foot at x and y."""

    text: str
    x: float
    y: float
    title: str = ""
    """A tooltip; empty for none."""


def write_outlined(
    texts: Sequence[Outlined], size: float, *, fill: Paint, bold: bool = False, **look: object
) -> Iterator[Markup]:
    """Yield texts with a white rim, which can be read on any ground: all rims first, for no renderer draws them below.

    Some renderers draw a rim over its own letters, so that it has to be a text of its own.
    """
    if not texts:
        return
    rim = {"stroke": WHITE, "stroke_width": size / 4, "stroke_linejoin": "round", "stroke_opacity": 0.8}
    common = {"font_size": size, "font_weight": "bold" if bold else None, **look}
    yield group((tag("text", each.text, x=each.x, y=each.y) for each in texts), fill=WHITE, **rim, **common)
    written = (tag("text", with_tooltip(each.text, each.title), x=each.x, y=each.y) for each in texts)
    yield group(written, fill=fill, **common)


def group(*children: Child, **look: object) -> Markup:
    """Put elements together, with what they have in common."""
    return tag("g", *children, **look)


def put(
    sign: Child, x: float, y: float, *, size: float = 1, turn: float = 0, faint: bool = False, title: str = ""
) -> Markup:
    """Place a sign that is drawn around the origin; the title is its tooltip."""
    moves = f"translate({number(x)} {number(y)})"
    moves += f" rotate({number(turn)})" if turn else ""
    moves += "" if size == 1 else f" scale({size:.5g})"
    return group(with_tooltip(sign, title), transform=moves, opacity=0.3 if faint else None)


def with_tooltip(sign: Child, title: str) -> Child:
    """Put a tooltip before what is in a group; nothing if it is empty."""
    return join([tag("title", title), sign]) if title else sign


def badge_width(text: str, *, size: float = 1) -> float:
    """Return how wide the patch of a badge is."""
    return max(18.0, 8 * len(text) + 8) * size


def badge(text: str, paint: Paint, *, size: float = 1) -> Markup:
    """Draw a number, or a few, white on a rounded patch around the origin."""
    width = badge_width(text, size=size)
    rim = {"rx": 9 * size, "fill": paint, "stroke": WHITE, "stroke_width": 1.5 * size}
    patch = rect(-width / 2, -9 * size, width, 18 * size, **rim)
    return patch + label(text, 0, 4.3 * size, 12 * size, bold=True, text_anchor="middle", fill=WHITE)


def star_points(reach: float, *, inner: float = 0.45) -> list[Point]:
    """Return the corners of a star with five points around the origin, its first point up."""
    return [
        (math.sin(corner * math.pi / 5) * length, -math.cos(corner * math.pi / 5) * length)
        for corner, length in ((corner, reach * (inner if corner % 2 else 1)) for corner in range(10))
    ]


def arrow_head(tip: Point, direction: Point, *, back: float, side: float) -> str:
    """Return path data of a head at the tip of an arrow that points in a direction of length 1."""
    (x, y), (right, down) = tip, direction
    base_x, base_y = x - back * right, y - back * down
    corners = ((x, y), (base_x - side * down, base_y + side * right), (base_x + side * down, base_y - side * right))
    return f"M{'L'.join(write_point(corner) for corner in corners)}z"


def write_point(point: Point) -> str:
    """Write a point of a path to a tenth of a pixel."""
    return f"{point[0]:.1f} {point[1]:.1f}"
