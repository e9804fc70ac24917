"""Which paint and which short name each colour of a board gets in a drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Paint = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""

BLACK: Paint = (27, 27, 27)
WHITE: Paint = (255, 255, 255)

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
    spare = [paint for paint in map(_paint, PAINTS.values()) if paint not in chosen] or [_paint("9AA0A6")]
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


def ink_on(paint: Paint) -> Paint:
    """Choose black or white, whichever reads better on the paint."""
    luminance = relative_luminance(paint)
    on_white = 1.05 / (luminance + 0.05)
    on_black = (luminance + 0.05) / (relative_luminance(BLACK) + 0.05)
    return WHITE if on_white > on_black else BLACK


def relative_luminance(paint: Paint) -> float:
    """Return how light a paint is, from 0 to 1, as the web accessibility guidelines define it."""
    red, green, blue = (_linear(channel / 255) for channel in paint)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mix(paint: Paint, other: Paint, share: float) -> Paint:
    """Mix a share of another paint into a paint."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(paint, other, strict=True))
    return red, green, blue


def as_hex(paint: Paint) -> str:
    """Write a paint as `#RRGGBB`."""
    return "#{:02X}{:02X}{:02X}".format(*paint)


def _paint(digits: str) -> Paint:
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _named_paint(name: str) -> Paint | None:
    known = PAINTS | _MORE_NAMES
    if name in known:
        return _paint(known[name])
    for word, share in _SHADES.items():
        base = name.removeprefix(word).lstrip("_-.")
        if base != name and base in known:
            return mix(_paint(known[base]), WHITE if share > 0 else (0, 0, 0), abs(share))
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


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
