"""Put a drawing on paper: the frame of an SVG picture, its heading, and the panel of words beside or below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from solvent.core.paint import INK
from solvent.valency.drawing.colours import FAINT_INK, PAPER, as_hex
from solvent.valency.drawing.phrases import escape, shorten, wrap

MARGIN = 20
"""Around everything; lengths are in pixels at the picture's natural size."""
ROW = 24
"""The height of a line in the panel."""
LONGEST_ENTRY = 32
"""Characters of a line with a sample; longer ones end in an ellipsis and have all of it as a tooltip."""
_SENTENCE = 66
"""Characters of a line of sentences."""
_LETTER = 7.1


class Entry(Struct, frozen=True):
    """Hold a line of the panel: a sample and what it means."""

    words: str
    sample: str
    """A sign around the origin, on a square of 32."""


def draw_paper(
    size: tuple[float, float],
    elements: Iterable[str],
    *,
    definitions: Sequence[str] = (),
    title: str,
    captions: Sequence[str] = (),
    sentences: Sequence[str] = (),
    description: str,
    panel: Sequence[Entry] = (),
    bare: bool = False,
) -> str:
    """Frame a drawing of some size: title and captions above, sentences below it, the panel where there is room.

    On `bare` paper there are no words, but the name is still told to those who cannot see it.
    """
    name = title or "Valency"
    if bare:
        title, captions, sentences, panel = "", (), (), ()
    width, height = size
    top = MARGIN + ROW * (bool(title) + len(captions)) + (6 if title or captions else 0)
    beside = bool(panel) and height >= 0.6 * width and len(panel) * ROW <= max(height, 8 * ROW)
    lines = [line for sentence in sentences for line in wrap(sentence, _SENTENCE)]
    heading = max([len(title) * 10.5, *(len(line) * 7.6 for line in captions), *(len(line) * 7.4 for line in lines)])
    across = max(width, heading)
    entry_width = max((min(len(entry.words), LONGEST_ENTRY) for entry in panel), default=0) * _LETTER + 44
    columns = 1 if beside else max(1, int(max(across, 420) // entry_width))
    down = top + height + 14 + len(lines) * ROW
    left = MARGIN + width + 24 if beside else MARGIN
    panel_top = top if beside else down + (0 if lines else 6)
    rows = -(-len(panel) // columns)
    full_width = max(across + 2 * MARGIN, (left + columns * entry_width + MARGIN) if panel else 0)
    full_height = max(down + MARGIN - 14, panel_top + rows * ROW + MARGIN)
    full = f'width="{full_width:.0f}" height="{full_height:.0f}"'
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {full} viewBox="0 0 {full_width:.0f} {full_height:.0f}" role="img" '
        f'aria-label="{escape(name)}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(name)}</title>",
        f"<desc>{escape(description)}</desc>",
        f"<defs>{''.join(definitions)}</defs>",
        f'<rect {full} rx="14" fill="{as_hex(PAPER)}"/>',
    ]
    for index, words in enumerate([title, *captions] if title else captions):
        style = 'font-size="19" font-weight="bold"' if title and index == 0 else 'font-size="15"'
        y = MARGIN + ROW * (index + 1) - 8
        out.append(f'<text x="{MARGIN}" y="{y}" {style} fill="{as_hex(INK)}">{escape(words)}</text>')
    out.append(f'<g transform="translate({MARGIN} {top:g})">')
    out.extend(elements)
    out.append("</g>")
    for index, line in enumerate(lines):
        below = top + height + 14 + (index + 0.7) * ROW
        out.append(f'<text x="{MARGIN}" y="{below:.0f}" font-size="14" fill="{as_hex(INK)}">{escape(line)}</text>')
    out.extend(_draw_panel(panel, left, panel_top, rows, entry_width))
    return "\n".join([*out, "</svg>"]) + "\n"


def _draw_panel(panel: Sequence[Entry], left: float, top: float, rows: int, width: float) -> Iterator[str]:
    for index, entry in enumerate(panel):
        column, row = divmod(index, rows)
        x, y = left + column * width, top + (row + 0.5) * ROW
        words = shorten(entry.words, LONGEST_ENTRY)
        tooltip = f"<title>{escape(entry.words)}</title>" if words != entry.words else ""
        ink = as_hex(INK if entry.sample else FAINT_INK)
        yield f'<g transform="translate({x + 10:.4g} {y:.4g}) scale(.6)">{entry.sample}</g>'
        yield f'<text x="{x + 28:.4g}" y="{y + 4.5:.4g}" font-size="13" fill="{ink}">{tooltip}{escape(words)}</text>'
