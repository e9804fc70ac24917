"""Which character stands for each module in a terminal and on plain cells."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from solvent.drawing.terminal import plain
from solvent.valency.model import Module

UNFILLED_SIGN, NULL_SIGN, IMPOSSIBLE_SIGN, OVER_BUDGET_SIGN = "·", " ", "×", "?"
"""What stands for a node that holds no module: not filled, a null slot, proved impossible, given up on."""
_KEPT = {UNFILLED_SIGN, NULL_SIGN, IMPOSSIBLE_SIGN, OVER_BUDGET_SIGN}
_SPARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#%&@$+=*~^<>/|:;!-_"


def choose_glyphs(modules: Sequence[Module]) -> list[str]:
    """Give each module one character: its own, else a letter of its name. Variants of one name share theirs.

    Once there are more names than characters, the rest share `*`.
    """
    own = [_own_glyph(module) for module in modules]
    taken = {glyph for glyph in own if glyph} | _KEPT
    given: dict[str, str] = {}
    for module, glyph in zip(modules, own, strict=True):
        if not glyph and module.name not in given:
            given[module.name] = next((letter for letter in _letters(module.name) if letter not in taken), "*")
            taken.add(given[module.name])
    return [glyph or given[module.name] for module, glyph in zip(modules, own, strict=True)]


def width_of(glyph: str) -> int:
    """Return how many columns of a terminal a character takes."""
    return 2 if unicodedata.east_asian_width(glyph) in ("W", "F") else 1


def _own_glyph(module: Module) -> str:
    glyph = plain(module.look.glyph)[:1]
    return "" if unicodedata.combining(glyph or " ") else glyph


def _letters(name: str) -> Iterator[str]:
    letters = [letter for letter in name if letter.isalnum() and width_of(letter) == 1]
    for letter in letters[:1]:
        yield from (letter, letter.swapcase()[:1])
    for letter in letters[1:]:
        yield from (letter.lower()[:1], letter.upper()[:1])
    yield from _SPARE
