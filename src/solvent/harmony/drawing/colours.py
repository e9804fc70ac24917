"""Which paint and which short name each colour of a board gets in a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.core.paint import WHITE, Paint, from_digits, mix

# Every two of these stay apart for people with normal sight and with each of the three kinds of colour blindness (a
# test simulates them): the first 8 by at least 19 in CIE 1976 colour difference, all 26 by at least 8. The short name
# in each tile is the second cue.
PAINTS = {
    "RED": "B8200D", "BLUE": "2978CE", "GREEN": "3BB97E", "YELLOW": "FFED39", "PURPLE": "672F86", "ORANGE": "EC9420",
    "TEAL": "96DAC0", "PINK": "D9A7D7", "BROWN": "804F31", "LIME": "C2E44F", "NAVY": "1D265B", "GOLD": "AB7D00",
    "CORAL": "FA826F", "MINT": "BDF0CF", "PLUM": "8C2C6E", "SKY": "8CC9F6", "OLIVE": "717921", "ROSE": "D94F8E",
    "AMBER": "F5BA5D", "INDIGO": "5260D1", "PEACH": "FFF1C6", "JADE": "00664F", "MAROON": "6E1B2A", "SAND": "D9C9A1",
    "VIOLET": "B89AE9", "SLATE": "64727F",
}  # fmt: skip
"""The paints by name, most distinct first."""

_MORE_NAMES = {"WHITE": "F4F2EC", "BLACK": "2E2E2E", "GREY": "9AA0A6", "GRAY": "9AA0A6", "CYAN": "35B6D6"} | {
    "MAGENTA": "C8358F",
    "TAN": "C8A37A",
    "CREAM": "F7EBCB",
}
_SHADES = {"DARK": -0.4, "DK": -0.4, "LIGHT": 0.5, "LT": 0.5}
"""What a name may begin with, and how far that mixes the paint with black (below zero) or white."""


def choose_paints(palette: Sequence[str]) -> list[Paint]:
    """Choose a paint for each colour: the one its name says, else the next that no other colour of the board has.

    Beyond 26 colours without a name of their own, paints repeat.
    """
    named = [_named_paint(name) for name in palette]
    chosen: list[Paint | None] = [paint if paint not in named[:index] else None for index, paint in enumerate(named)]
    spare = [paint for paint in map(from_digits, PAINTS.values()) if paint not in chosen] or [from_digits("9AA0A6")]
    unnamed = 0
    paints = []
    for paint in chosen:
        if paint is None:
            paint = spare[unnamed % len(spare)]
            unnamed += 1
        paints.append(paint)
    return paints


def abbreviate(palette: Sequence[str]) -> list[str]:
    """Give each colour a short name of its own, all of one length: letters of the name in order, the first one first.

    The length is 1 if the initials differ, else 2 or 3; with very many colours the short names are numbers.
    """
    for length in (1, 2, 3):
        given: dict[str, None] = {}
        for name in palette:
            free = (candidate for candidate in _short_names(name, length) if candidate not in given)
            candidate = next(free, None)
            if candidate is None:
                break
            given[candidate] = None
        else:
            return list(given)
    width = len(str(len(palette)))
    return [f"{number:0{width}d}" for number in range(1, len(palette) + 1)]


def _named_paint(name: str) -> Paint | None:
    known = PAINTS | _MORE_NAMES
    if name in known:
        return from_digits(known[name])
    for word, share in _SHADES.items():
        base = name.removeprefix(word).lstrip("_-.")
        if base != name and base in known:
            return mix(from_digits(known[base]), WHITE if share > 0 else (0, 0, 0), abs(share))
    return None


def _short_names(name: str, length: int) -> Iterator[str]:
    if length == 1:
        yield name[0]
        return
    letters = [letter for letter in name[1:] if letter.isalnum()]
    if length == 2:
        yield from (name[0] + letter for letter in letters)
        yield from (f"{name[0]}{digit}" for digit in range(2, 10))
    else:
        yield from (name[0] + a + b for index, a in enumerate(letters) for b in letters[index + 1 :])
        yield from (f"{name[0]}{number:02d}" for number in range(2, 100))
