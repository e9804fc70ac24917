"""How wide a text is at most, whichever of the usual sans-serif fonts it is written in, and how to make it fit.

A picture is drawn before it is known which fonts there are: Helvetica, Arial and Liberation Sans are alike, DejaVu Sans
and Verdana are wider. The widths here are about those of DejaVu Sans, so a text fits everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import combining, east_asian_width

_WIDTHS = {
    letter: width
    for width, letters in {
        0.3: "'Iijl",
        0.36: " ,./:;\\f|·",
        0.42: "!()-[]rt",
        0.54: '"*J`sz',
        0.6: "?L_ckvxy",
        0.65: "$0123456789FTabdeghnopqu{}",
        0.72: "ABEKPSVXYZ",
        0.78: "&CDGHNRU",
        0.84: "#+<=>OQ^w~→←↔",
        0.9: "M",
        1.0: "%@Wm…",
    }.items()
    for letter in letters
}
"""In parts of the size of the font."""
_OTHER, _FULL = 0.75, 1.1
_BOLD = 1.12
"""How much wider bold letters are."""


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a text is at most, in the unit of the font's size."""
    return sum(map(_letter_width, text)) * size * (_BOLD if bold else 1)


def fit_text(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Cut a text so that it is no wider; the last letter is an ellipsis if something is missing."""
    if text_width(text, size, bold=bold) <= width:
        return text
    kept = text
    while kept and text_width(kept.rstrip() + "…", size, bold=bold) > width:
        kept = kept[:-1]
    return kept.rstrip(" ,·") + "…"


def wrap_text(text: str, width: float, size: float, *, lines: int, bold: bool = False) -> list[str]:
    """Break a text at blanks into at most so many lines; what does not fit is cut."""

    def fits(part: str) -> bool:
        return text_width(part, size, bold=bold) <= width

    written = _fill(text.split(), fits)
    if len(written) > lines:
        written[lines - 1 :] = [" ".join(written[lines - 1 :])]
    return [fit_text(line, width, size, bold=bold) for line in written]


def _fill(words: list[str], fits: Callable[[str], bool]) -> list[str]:
    lines: list[str] = []
    for word in words:
        if lines and fits(f"{lines[-1]} {word}"):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _letter_width(letter: str) -> float:
    known = _WIDTHS.get(letter)
    if known is not None:
        return known
    if combining(letter):
        return 0.0
    return _FULL if east_asian_width(letter) in "WF" else _OTHER
