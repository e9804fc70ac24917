"""The frame of a chart, two axes with ticks, grid lines and titles; and dots in it, each one answer.

A dot has the shape and colour of its verdict, a link to its row, and a tooltip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.batch.report.charts.marks import chart, mark
from solvent.batch.report.charts.scales import Scale
from solvent.drawing.markup import Child, Markup, tag

WIDTH, HEIGHT = 460.0, 300.0


@dataclass(frozen=True, slots=True)
class Axis:
    """Hold one axis: its scale, what it measures, and how its values are written."""

    scale: Scale
    title: str
    write: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Frame:
    """Hold where a chart's values go, in points of its picture."""

    width: float
    height: float
    across: Axis
    up: Axis | None
    left: float = 70
    right: float = 16
    top: float = 10
    bottom: float = 40

    def x(self, value: float) -> float:
        """Return how far from the left a value stands."""
        return self.left + self.across.scale.place(value) * (self.width - self.left - self.right)

    def y(self, value: float) -> float:
        """Return how far from the top a value stands."""
        assert self.up is not None
        return self.height - self.bottom - self.up.scale.place(value) * (self.height - self.top - self.bottom)

    def draw(self, *content: Child, label: str, has_links: bool = False) -> Markup:
        """Draw the axes and what is in the chart; the label is for those who cannot see it."""
        floor = self.height - self.bottom
        across = [
            tag("line", x1=self.left, y1=floor, x2=self.width - self.right, y2=floor, class_="axis"),
            *(self._tick_across(value) for value in self.across.scale.ticks),
            tag(
                "text",
                self.across.title,
                x=(self.left + self.width - self.right) / 2,
                y=self.height - 6,
                text_anchor="middle",
                class_="axis-title",
            ),
        ]
        up = [] if self.up is None else self._upright(self.up)
        return chart(self.width, self.height, across, up, content, label=label, has_links=has_links)

    def _tick_across(self, value: float) -> Markup:
        x, floor = self.x(value), self.height - self.bottom
        return tag(
            "g",
            tag("line", x1=x, y1=self.top, x2=x, y2=floor, class_="grid"),
            tag("text", self.across.write(value), x=x, y=floor + 15, text_anchor="middle"),
        )

    def _upright(self, axis: Axis) -> list[Markup]:
        middle = (self.top + self.height - self.bottom) / 2
        drawn = []
        for value in axis.scale.ticks:
            y = self.y(value)
            drawn.append(tag("line", x1=self.left, y1=y, x2=self.width - self.right, y2=y, class_="grid"))
            drawn.append(tag("text", axis.write(value), x=self.left - 6, y=y + 4, text_anchor="end"))
        drawn.append(
            tag(
                "text",
                axis.title,
                transform=f"translate(12 {middle:g}) rotate(-90)",
                text_anchor="middle",
                class_="axis-title",
            )
        )
        return drawn


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
    often = Counter(dot.kind for dot in dots)
    drawn = [_draw(dot, frame) for dot in sorted(dots, key=lambda dot: -often[dot.kind])]
    has_links = any(dot.link is not None for dot in dots)
    return frame.draw(lines, tag("g", drawn, class_="dots"), label=label, has_links=has_links)


def _draw(dot: Dot, frame: Frame) -> Markup:
    shape = mark(dot.kind, frame.x(dot.x) + dot.shift, frame.y(dot.y))
    title = tag("title", dot.tooltip)
    if dot.link is None:
        return tag("g", shape, title)
    # Not reached with the Tab key: thousands of dots would stand in the way, and the table has the same links.
    return tag("a", shape, title, href=dot.link, tabindex=-1)
