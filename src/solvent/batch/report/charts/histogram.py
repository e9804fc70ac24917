"""How values are spread: a bar for each range of numbers, or for each word."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solvent.batch.report.charts.frame import Axis, Frame
from solvent.batch.report.charts.marks import chart
from solvent.batch.report.charts.scales import TINY, Scale, linear, logarithmic
from solvent.batch.report.phrases import short, shorten
from solvent.batch.report.sampling import Distribution
from solvent.drawing.markup import Markup, tag

WIDTH, HEIGHT = 300.0, 170.0
MAX_BARS = 24
FEWEST_BARS = 6
MAX_TICKS = 5
MAX_WORDS = 8
WIDE_RANGE = 50
"""How many times the smallest the largest number is before powers of ten show more than even steps."""


def draw_histogram(spread: Distribution, *, title: str, write: Callable[[float], str], label: str) -> Markup:
    """Draw how numbers are spread, by powers of ten if they range widely; the dashed line is the median."""
    bins = _bins(spread)
    heights = [0] * (len(bins.edges) - 1)
    for number, times in spread.numbers.items():
        heights[bins.find(number)] += times
    frame = Frame(WIDTH, HEIGHT, Axis(bins.scale, title, bins.writer(write)), None, left=34, right=22, bottom=24)
    tallest = max(heights)
    floor = HEIGHT - frame.bottom
    room = floor - frame.top - 4
    bars = []
    for place, height in enumerate(heights):
        if height:
            left, right = frame.x(bins.edges[place]), frame.x(bins.edges[place + 1])
            tall = max(1.5, room * height / tallest)
            bars.append(
                tag(
                    "g",
                    tag("rect", x=left + 0.5, y=floor - tall, width=max(1.0, right - left - 1), height=tall),
                    tag("title", f"{height:,} of {bins.range_told(place, write)}"),
                )
            )
    median = frame.x(bins.shown(spread.quantile(0.5)))
    content = [
        tag("g", bars, class_="bars"),
        tag("text", short(tallest), x=frame.left - 5, y=frame.top + 8, text_anchor="end"),
        tag("line", x1=median, y1=frame.top, x2=median, y2=floor, class_="median"),
    ]
    return frame.draw(content, label=label)


@dataclass(frozen=True, slots=True)
class _Bins:
    """Hold the ranges that numbers are counted in, and the scale they are drawn on."""

    edges: list[float]
    scale: Scale
    single: bool = False
    """Whether each range is one whole number, with edges halfway to the next."""
    zero: bool = False
    """Whether the first range stands for zero, which has no logarithm."""

    def find(self, number: float) -> int:
        """Return the range that a number falls in."""
        if self.zero and number <= TINY:
            return 0
        first = 1 if self.zero else 0
        # A rounding error must not put a number that stands on an edge below it.
        found = bisect.bisect_right(self.edges, number + abs(number) * 1e-12) - 1
        return max(first, min(len(self.edges) - 2, found))

    def shown(self, number: float) -> float:
        """Return where a number stands on the scale."""
        return math.sqrt(self.edges[0]) * math.sqrt(self.edges[1]) if self.zero and number <= TINY else number

    def writer(self, write: Callable[[float], str]) -> Callable[[float], str]:
        """Return how the ticks of the scale are written."""
        zero = self.shown(0.0)
        return lambda value: "0" if value in (0.0, zero) else write(value)

    def range_told(self, place: int, write: Callable[[float], str]) -> str:
        """Say which numbers fall in a range."""
        low, high = self.edges[place], self.edges[place + 1]
        if self.zero and place == 0:
            return write(0)
        return write(low + 0.5) if self.single else f"{write(low)} to {write(high)}"


def _few(ticks: Sequence[float]) -> tuple[float, ...]:
    """Leave out ticks until their names have room side by side."""
    return tuple(ticks[:: math.ceil(len(ticks) / MAX_TICKS)])


def _bins(spread: Distribution) -> _Bins:
    low, high = spread.smallest, spread.largest
    wished = max(FEWEST_BARS, min(MAX_BARS, round(2 * math.sqrt(spread.numbers.total()))))
    whole = all(number == int(number) for number in spread.numbers)
    positive = [number for number in spread.numbers if number > TINY]
    if low >= 0 and positive and high > WIDE_RANGE * min(positive):
        return _logarithmic_bins(positive, wished, zero=low <= TINY)
    if whole and high - low < MAX_BARS:
        edges = [low - 0.5 + number for number in range(round(high - low) + 2)]
        ticks = [tick for tick in linear(low, high, whole=True).ticks if low <= tick <= high] or [low]
        return _Bins(edges, Scale(edges[0], edges[-1], False, _few(ticks)), single=True)
    scale = linear(low, high, whole=whole)
    width = (scale.high - scale.low) / wished
    if whole:  # whole numbers in bars of uneven width would look like gaps
        width = math.ceil(width)
    bars = math.ceil((scale.high - scale.low) / width - 1e-9)
    edges = [scale.low + width * number for number in range(bars + 1)]
    return _Bins(edges, Scale(edges[0], edges[-1], False, _few(scale.ticks)))


def _logarithmic_bins(positive: Sequence[float], wished: int, *, zero: bool) -> _Bins:
    scale = logarithmic(positive, smallest=min(positive))
    decades = round(math.log10(scale.high) - math.log10(scale.low))
    bars = decades * max(1, min(8, wished // decades)) if decades <= MAX_BARS else MAX_BARS
    edges = [scale.value(number / bars) for number in range(bars + 1)]
    ticks = _few(scale.ticks)
    if zero:
        edges.insert(0, edges[0] * (edges[0] / edges[1]))  # a square of a tiny number would be zero
        # Its name needs room beside that of the next.
        ticks = (math.sqrt(edges[0]) * math.sqrt(edges[1]), *ticks[1:])
    return _Bins(edges, Scale(edges[0], scale.high, True, ticks), zero=zero)


def draw_words(spread: Distribution, *, label: str) -> Markup:
    """Draw how often each word came, the most frequent first."""
    ranked = spread.words.most_common()
    shown = ranked[:MAX_WORDS]
    rest = sum(times for _, times in ranked[MAX_WORDS:])
    if rest:
        shown = [*shown, (f"{len(ranked) - MAX_WORDS} others", rest)]
    row, left, right = 19.0, 118.0, 44.0
    height = max(60.0, row * len(shown) + 8)
    most = max(times for _, times in shown)
    drawn = []
    for place, (word, times) in enumerate(shown):
        y = 6 + row * place
        long = max(1.5, (WIDTH - left - right) * times / most)
        drawn.append(
            tag(
                "g",
                tag("text", shorten(word, 18), x=left - 6, y=y + 12, text_anchor="end"),
                tag("rect", x=left, y=y + 1, width=long, height=row - 5),
                tag("text", f"{times:,}", x=left + long + 5, y=y + 12),
                tag("title", f"{word}: {times:,}"),
            )
        )
    return chart(WIDTH, height, tag("g", drawn, class_="bars"), label=label)
