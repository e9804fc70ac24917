"""A chart of dots, each one answer: a shape and a colour for its verdict, a link to its row, a tooltip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solvent.batch.report.charts.frame import Axis, Frame
from solvent.batch.report.charts.marks import KINDS, mark
from solvent.drawing.markup import Markup, tag

WIDTH, HEIGHT = 460.0, 300.0


@dataclass(frozen=True, slots=True)
class Dot:
    """Hold one dot."""

    x: float
    y: float
    kind: str
    tooltip: str
    link: str | None = None
    """Where a click leads within the page; None for nowhere."""
    shift: float = 0.0
    """How far it stands beside its place, in points: sideways, so that dots of one size do not hide one another."""


def draw_scatter(
    dots: Sequence[Dot], across: Axis, up: Axis, *, label: str, limit: float | None = None, diagonal: bool = False
) -> Markup:
    """Draw the dots, rare kinds above frequent ones.

    `limit` draws a line at that height, where it is on the scale; `diagonal` one where both values are the same.
    """
    frame = Frame(WIDTH, HEIGHT, across, up)
    lines = []
    if limit is not None and up.scale.low < limit <= up.scale.high:
        y = frame.y(limit)
        lines.append(tag("line", x1=frame.left, y1=y, x2=WIDTH - frame.right, y2=y, class_="limit"))
        lines.append(tag("text", "limit", x=WIDTH - frame.right - 4, y=y + 13, text_anchor="end", class_="limit-name"))
    if diagonal:
        low = max(across.scale.low, up.scale.low)
        high = min(across.scale.high, up.scale.high)
        ends = {"x1": frame.x(low), "y1": frame.y(low), "x2": frame.x(high), "y2": frame.y(high)}
        lines.append(tag("line", **ends, class_="limit"))
    often = {kind: sum(dot.kind == kind for dot in dots) for kind in KINDS}
    drawn = [_draw(dot, frame) for dot in sorted(dots, key=lambda dot: -often.get(dot.kind, 0))]
    return frame.draw(lines, tag("g", drawn, class_="dots"), label=label)


def _draw(dot: Dot, frame: Frame) -> Markup:
    shape = mark(dot.kind, frame.x(dot.x) + dot.shift, frame.y(dot.y))
    title = tag("title", dot.tooltip)
    if dot.link is None:
        return tag("g", shape, title)
    # Not reached with the Tab key: thousands of dots would stand in the way, and the table has the same links.
    return tag("a", shape, title, href=dot.link, tabindex=-1)
