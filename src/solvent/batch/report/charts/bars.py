"""Horizontal bars: one that is divided by verdict, and several in a ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solvent.batch.report.charts.marks import KINDS, chart, mark
from solvent.batch.report.phrases import ending
from solvent.drawing.markup import Markup, tag

WIDTH = 460.0
SHARES_WIDTH, SHARES_HEIGHT = 260.0, 24.0
ROW = 26.0
NARROWEST = 3.0
"""Points of a share however small: one failure among a hundred thousand must be seen."""


def draw_shares(counts: Mapping[str, int], *, label: str) -> Markup:
    """Draw one bar that is divided by kind of answer, with a mark and the number where there is room."""
    present = [(kind, counts[kind]) for kind in KINDS if counts.get(kind)]
    total = sum(times for _, times in present)
    room = SHARES_WIDTH - 1.5 * max(0, len(present) - 1)
    widths = [max(NARROWEST, room * times / total) for _, times in present]
    surplus = sum(widths) - room
    if surplus > 0:  # what the narrowest took is paid by the widest
        widths[widths.index(max(widths))] -= surplus
    x = 0.0
    drawn = []
    for (kind, times), width in zip(present, widths, strict=True):
        text = f"{times:,}"
        parts = [tag("rect", x=x, y=0, width=width, height=SHARES_HEIGHT, rx=2, class_=f"fill-{kind}")]
        if width > 26 + 8 * len(text):
            parts.append(tag("use", href=f"#mark-{kind}", x=x + 13, y=SHARES_HEIGHT / 2, class_="on-fill"))
            parts.append(tag("text", text, x=x + 23, y=SHARES_HEIGHT / 2 + 4.5, class_="on-fill"))
        parts.append(tag("title", f"{kind}: {times:,} of {total:,}"))
        drawn.append(tag("g", parts))
        x += width + 1.5
    return chart(SHARES_WIDTH, SHARES_HEIGHT, drawn, label=label, look="chart shares")


@dataclass(frozen=True, slots=True)
class Ranked:
    """Hold one bar of a ranking."""

    name: str
    value: float
    text: str
    """The value, written out."""
    kind: str
    link: str | None = None


def draw_ranking(bars: Sequence[Ranked], *, label: str) -> Markup:
    """Draw bars from the longest to the shortest, each with its name and its value."""
    left = 168.0
    right = 20 + 6.6 * max((len(bar.text) for bar in bars), default=0)
    most = max((bar.value for bar in bars), default=0.0) or 1.0
    drawn = []
    for place, bar in enumerate(bars):
        y = ROW * place
        long = max(NARROWEST, (WIDTH - left - right) * bar.value / most)
        shape = tag(
            "g",
            tag("text", ending(bar.name, 22), x=left - 20, y=y + 17, text_anchor="end"),
            mark(bar.kind, left - 9, y + 13),
            tag("rect", x=left, y=y + 5, width=long, height=ROW - 10, rx=2, class_=f"fill-{bar.kind}"),
            tag("text", bar.text, x=left + long + 6, y=y + 17),
            tag("title", f"{bar.name}: {bar.kind}, {bar.text}"),
        )
        drawn.append(shape if bar.link is None else tag("a", shape, href=bar.link, tabindex=-1))
    has_links = any(bar.link is not None for bar in bars)
    return chart(WIDTH, ROW * max(1, len(bars)), drawn, label=label, has_links=has_links)
