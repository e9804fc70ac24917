"""The legend of a picture: lines with a sample and what it means, in columns beside or below the drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from solvent.drawing.markup import Child, Markup, tag
from solvent.drawing.palette import FAINT_INK, INK
from solvent.drawing.phrases import shorten
from solvent.drawing.shapes import label, put
from solvent.drawing.text_width import text_width

LINE = 24
"""The height of a line, in pixels at the picture's natural size."""
LONGEST_LINE = 52
"""Characters of a line; longer ones end in an ellipsis and have all of it as a tooltip."""
_SIZE = 13
"""Of the letters."""


class Entry(Struct, frozen=True):
    """Hold a line of the legend: a sample and what it means, or a heading if there is no sample."""

    text: str
    sample: Child = ""
    """A sign around the origin, on a tile of 32."""


class Legend(Struct, frozen=True):
    """Hold the lines of a legend in columns, and whether they stand beside the drawing."""

    columns: list[list[Entry]]
    beside: bool

    @property
    def width(self) -> float:
        """Return how wide all columns are."""
        return sum(map(_column_width, self.columns))

    @property
    def height(self) -> float:
        """Return how high the longest column is."""
        return max(map(len, self.columns), default=0) * LINE

    def draw(self, left: float, top: float) -> Iterator[Markup]:
        """Yield the lines."""
        for column in self.columns:
            for index, entry in enumerate(column):
                yield from _draw_entry(entry, left, top + (index + 0.5) * LINE)
            left += _column_width(column)


def arrange_legend(entries: Sequence[Entry], size: tuple[float, float]) -> Legend:
    """Put the lines to the right of a drawing of this size if it is tall, else below it."""
    width, height = size
    if not entries:
        return Legend([], False)
    if height > 1.2 * width or (height > width * 0.7 and len(entries) * LINE <= height + 60):
        return Legend(_cut(entries, max(10, int(height // LINE))), True)
    for count in range(min(6, len(entries)), 1, -1):
        legend = Legend(_cut(entries, -(-len(entries) // count)), False)
        if legend.width <= max(width, 660):
            return legend
    return Legend([list(entries)], False)


def _cut(entries: Sequence[Entry], rows: int) -> list[list[Entry]]:
    """Cut the lines into columns of so many rows; a heading never stands at the foot of one."""
    columns: list[list[Entry]] = [[]]
    for index, entry in enumerate(entries):
        heads_next = not entry.sample and len(columns[-1]) == rows - 1 and index + 1 < len(entries)
        if len(columns[-1]) == rows or (heads_next and columns[-1]):
            columns.append([])
        columns[-1].append(entry)
    return columns


def _column_width(column: Sequence[Entry]) -> float:
    widths = (text_width(shorten(entry.text, LONGEST_LINE), _SIZE, bold=not entry.sample) for entry in column)
    return max(widths) + 48


def _draw_entry(entry: Entry, left: float, y: float) -> Iterator[Markup]:
    text = shorten(entry.text, LONGEST_LINE)
    shown = [tag("title", entry.text) if text != entry.text else None, text]
    if entry.sample:
        yield put(entry.sample, left + 14, y, size=0.68)
        yield label(shown, left + 32, y + 4.5, _SIZE, fill=INK)
    else:
        yield label(shown, left, y + 4.5, _SIZE, bold=True, fill=FAINT_INK)
