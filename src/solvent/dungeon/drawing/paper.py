"""Put a drawing on paper: the frame of an SVG picture, its heading, and the panel of words beside or below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from solvent.core.paint import INK, as_hex
from solvent.dungeon.drawing.colours import FAINT_INK, PAPER
from solvent.dungeon.drawing.phrases import escape

MARGIN = 20
"""Around everything; lengths are in pixels at the picture's natural size."""
LINE = 24
"""The height of a line in the panel."""
LONGEST_LINE = 44
"""Characters of a line in the panel; longer ones end in an ellipsis and have all of it as a tooltip."""
_LETTER = 7.1
_HEADING_LINE = 24


class Entry(Struct, frozen=True):
    """Hold a line of the panel: a sample and what it means, or a heading if there is no sample."""

    words: str
    sample: str = ""
    """A sign around the origin, on a tile of 32."""


def draw_paper(
    size: tuple[float, float],
    elements: Iterable[str],
    *,
    title: str,
    captions: Sequence[str] = (),
    description: str,
    panel: Sequence[Entry] = (),
    bare: bool = False,
) -> str:
    """Frame a drawing of some size: title and captions above, the panel to its right if it is tall, else below.

    On `bare` paper there are no words, but the name is still told to those who cannot see it.
    """
    name = title or "Dungeon"
    if bare:
        title, captions, panel = "", (), ()
    width, height = size
    top = MARGIN + _HEADING_LINE * ((1 if title else 0) + len(captions)) + (6 if title or captions else 0)
    columns = _columns(panel, size)
    widths = [*map(_column_width, columns)]
    beside = bool(columns) and _goes_beside(panel, size)
    panel_width, panel_height = sum(widths), max(map(len, columns), default=0) * LINE
    heading = max([len(title) * 10.5, *(len(caption) * 7.6 for caption in captions)])
    full_width = max(2 * MARGIN + width, 2 * MARGIN + heading)
    full_height = top + height + MARGIN
    left, down = float(MARGIN), top + height + MARGIN
    if beside:
        left, down = width + 2 * MARGIN, float(top)
        full_width = max(left + panel_width + MARGIN, full_width)
        full_height = max(full_height, top + panel_height + MARGIN)
    elif columns:
        full_width = max(full_width, panel_width + 2 * MARGIN)
        full_height = down + panel_height + MARGIN
    full = f'width="{full_width:.0f}" height="{full_height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {full} viewBox="0 0 {full_width:.0f} {full_height:.0f}" role="img" '
        f'aria-label="{escape(name)}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(name)}</title>",
        f"<desc>{escape(description)}</desc>",
        f'<rect {full} rx="14" fill="{as_hex(PAPER)}"/>',
    ]
    y = MARGIN
    for index, words in enumerate([title, *captions] if title else captions):
        y += _HEADING_LINE
        style = 'font-size="19" font-weight="bold"' if title and index == 0 else 'font-size="15"'
        lines.append(f'<text x="{MARGIN}" y="{y - 8}" {style} fill="{as_hex(INK)}">{escape(words)}</text>')
    lines.append(f'<g transform="translate({MARGIN} {top:g})">')
    lines.extend(elements)
    lines.append("</g>")
    for column, column_width in zip(columns, widths, strict=True):
        lines.extend(_draw_column(column, left, down))
        left += column_width
    return "\n".join([*lines, "</svg>"]) + "\n"


def badge(words: str, paint: str, *, size: float = 1) -> str:
    """Draw a number, or a few, white on a rounded patch around the origin."""
    width = max(18.0, 8 * len(words) + 8) * size
    return (
        f'<rect x="{-width / 2:g}" y="{-9 * size:g}" width="{width:g}" height="{18 * size:g}" rx="{9 * size:g}" '
        f'fill="{paint}" stroke="#FFFFFF" stroke-width="{1.5 * size:g}"/>'
        f'<text y="{4.3 * size:g}" font-size="{12 * size:g}" font-weight="bold" text-anchor="middle" '
        f'fill="#FFFFFF">{escape(words)}</text>'
    )


def _goes_beside(panel: Sequence[Entry], size: tuple[float, float]) -> bool:
    width, height = size
    return height > 1.2 * width or (height > width * 0.7 and len(panel) * LINE <= height + 60)


def _columns(panel: Sequence[Entry], size: tuple[float, float]) -> list[list[Entry]]:
    if not panel:
        return []
    width, height = size
    if _goes_beside(panel, size):
        return _cut(panel, max(10, int(height // LINE)))
    for count in range(min(6, len(panel)), 1, -1):
        columns = _cut(panel, -(-len(panel) // count))
        if sum(map(_column_width, columns)) <= max(width, 660):
            return columns
    return [list(panel)]


def _cut(panel: Sequence[Entry], rows: int) -> list[list[Entry]]:
    """Cut the panel into columns of so many rows; a heading never stands at the foot of one."""
    columns: list[list[Entry]] = [[]]
    for index, entry in enumerate(panel):
        heads_next = not entry.sample and len(columns[-1]) == rows - 1 and index + 1 < len(panel)
        if len(columns[-1]) == rows or (heads_next and columns[-1]):
            columns.append([])
        columns[-1].append(entry)
    return columns


def _column_width(column: Sequence[Entry]) -> float:
    return max(len(entry.words[:LONGEST_LINE]) for entry in column) * _LETTER + 48


def _draw_column(column: Sequence[Entry], left: float, top: float) -> Iterable[str]:
    for index, entry in enumerate(column):
        y = top + index * LINE + LINE / 2
        words = entry.words
        tooltip = ""
        if len(words) > LONGEST_LINE:
            tooltip = f"<title>{escape(words)}</title>"
            words = words[: LONGEST_LINE - 1] + "…"
        if entry.sample:
            yield f'<g transform="translate({left + 14:g} {y:g}) scale(.68)">{entry.sample}</g>'
            style = f'x="{left + 32:g}" font-size="13" fill="{as_hex(INK)}"'
        else:
            style = f'x="{left:g}" font-size="13" font-weight="bold" fill="{as_hex(FAINT_INK)}"'
        yield f'<text y="{y + 4.5:g}" {style}>{tooltip}{escape(words)}</text>'
