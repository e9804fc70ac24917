"""The frame of a chart: two axes with their ticks, grid lines and titles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solvent.batch.report.charts.marks import chart
from solvent.batch.report.charts.scales import Scale
from solvent.drawing.markup import Child, Markup, tag


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

    def draw(self, *content: Child, label: str) -> Markup:
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
        return chart(self.width, self.height, across, up, content, label=label)

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
