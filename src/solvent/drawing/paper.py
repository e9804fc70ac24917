"""Put a drawing on paper: the frame of an SVG picture, its heading, its legend and what is written below it.

A picture needs nothing from outside, so it can stand in any page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from solvent.drawing.legend import LINE, Entry, arrange_legend
from solvent.drawing.markup import escape
from solvent.drawing.palette import INK, PAPER, as_hex
from solvent.drawing.shapes import label
from solvent.drawing.terminal import wrap
from solvent.drawing.text_width import text_width

MARGIN = 20
"""Around everything; lengths are in pixels at the picture's natural size."""
LONGEST_SENTENCE = 66
"""Characters of a line below the drawing."""
_TITLE, _CAPTION, _SENTENCE = 19, 15, 14
"""Sizes of letters."""
_GAP = 14
"""Between the drawing and the sentences below it."""


class Lettering(Struct, frozen=True):
    """Hold all that is written around a drawing."""

    name: str
    """What it shows, where it has no title."""
    description: str
    """What it shows, for those who cannot see it."""
    title: str = ""
    captions: Sequence[str] = ()
    """Below the title."""
    sentences: Sequence[str] = ()
    """Below the drawing."""
    legend: Sequence[Entry] = ()


def frame(
    width: float, height: float, elements: Iterable[str], *, title: str, description: str, definitions: str = ""
) -> str:
    """Make an SVG document: elements on paper, with a title and a description for those who cannot see it."""
    size = f'width="{width:.0f}" height="{height:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(description)}</desc>",
        *([f"<defs>{definitions}</defs>"] if definitions else []),
        f'<rect {size} rx="14" fill="{as_hex(PAPER)}"/>',
        *elements,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def draw_paper(
    size: tuple[float, float],
    elements: Iterable[str],
    lettering: Lettering,
    *,
    definitions: str = "",
    bare: bool = False,
) -> str:
    """Frame a drawing: title and captions above, sentences below, the legend to its right if it is tall, else below.

    On `bare` paper nothing is written, but it still has a name for those who cannot see it.
    """
    shown = Lettering(lettering.name, "") if bare else lettering
    width, height = size
    heading = [shown.title, *shown.captions] if shown.title else shown.captions
    sentences = [line for sentence in shown.sentences for line in wrap(sentence, LONGEST_SENTENCE)]
    legend = arrange_legend(shown.legend, size)
    top = MARGIN + LINE * len(heading) + (6 if heading else 0)
    foot = top + height + (_GAP + len(sentences) * LINE if sentences else 0)
    longest = [text_width(shown.title, _TITLE, bold=True), *(text_width(line, _CAPTION) for line in shown.captions)]
    longest += [text_width(line, _SENTENCE) for line in sentences]
    full_width = max(width, *longest) + 2 * MARGIN
    full_height = foot + MARGIN
    left, down = (width + 2 * MARGIN, top) if legend.beside else (MARGIN, foot + MARGIN)
    if legend.columns:
        full_width = max(full_width, left + legend.width + MARGIN)
        full_height = max(full_height, down + legend.height + MARGIN)

    def draw() -> Iterator[str]:
        for index, line in enumerate(heading):
            is_title = bool(shown.title) and index == 0
            yield label(
                line, MARGIN, MARGIN + LINE * (index + 1) - 8, _TITLE if is_title else _CAPTION, bold=is_title, fill=INK
            )
        yield f'<g transform="translate({MARGIN} {top:g})">'
        yield from elements
        yield "</g>"
        for index, line in enumerate(sentences):
            yield label(line, MARGIN, top + height + _GAP + (index + 0.7) * LINE, _SENTENCE, fill=INK)
        yield from legend.draw(left, down)

    name = lettering.title or lettering.name
    return frame(
        full_width, full_height, draw(), title=name, description=lettering.description, definitions=definitions
    )
