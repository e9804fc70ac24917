"""Which paint each module gets in a drawing, and how paints are written there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solvent.core.paint import WHITE, Paint, from_digits, mix
from solvent.valency.model import Module

PAPER: Paint = (252, 251, 248)
FAINT_INK: Paint = (95, 95, 92)
LINE: Paint = (196, 196, 190)
"""Outlines of what is not filled, and edges of a graph."""
UNFILLED: Paint = (240, 239, 233)
PICK: Paint = (0, 84, 153)
"""Flags of fixed picks."""
IMPOSSIBLE: Paint = (196, 28, 20)
"""Nodes that are proved impossible, and whatever clashes; far from `OVER_BUDGET` for every kind of sight."""
OVER_BUDGET: Paint = (245, 184, 46)
"""Nodes that were given up on."""

# Every two of these stay apart by at least 8 in CIE 1976 colour difference, for normal sight and for each of the three
# kinds of colour blindness, and the first 8 by at least 19 (a test simulates them). Glyphs are the second cue.
HUES: tuple[Paint, ...] = tuple(
    from_digits(digits)
    for digits in (
        "2978CE", "EC9420", "3BB97E", "672F86", "FFED39", "B8200D", "96DAC0", "D9A7D7", "804F31", "C2E44F", "1D265B",
        "AB7D00", "FA826F", "BDF0CF", "8C2C6E", "8CC9F6", "717921", "D94F8E", "F5BA5D", "5260D1", "FFF1C6", "00664F",
        "6E1B2A", "D9C9A1", "B89AE9", "64727F",
    )
)  # fmt: skip
"""Paints for modules that name none, most distinct first."""

_SHADES = (0.0, 0.22, -0.16, 0.4, -0.3, 0.55)
"""How far the variants of a module are mixed with white, or with black if below zero; in turn."""
_HEX_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


def choose_paints(modules: Sequence[Module]) -> list[Paint]:
    """Choose a paint for each module: its own, else the next hue; variants of one name are shades of one hue.

    Beyond 26 names, hues repeat.
    """
    own = [read_paint(module.look.colour) for module in modules]
    taken = {paint for paint in own if paint is not None}
    spare = [hue for hue in HUES if hue not in taken] or list(HUES)
    hues: dict[str, Paint] = {}
    shades: dict[str, int] = {}
    paints = []
    for module, paint in zip(modules, own, strict=True):
        if paint is None:
            hue = hues.setdefault(module.name, spare[len(hues) % len(spare)])
            shade = _SHADES[shades.get(module.name, 0) % len(_SHADES)]
            shades[module.name] = shades.get(module.name, 0) + 1
            paint = mix(hue, WHITE if shade > 0 else (0, 0, 0), abs(shade))
        paints.append(paint)
    return paints


def read_paint(text: str) -> Paint | None:
    """Return a colour written as #rrggbb; None for anything else."""
    return from_digits(text[1:]) if _HEX_COLOUR.fullmatch(text) else None


def as_hex(paint: Paint) -> str:
    """Write a paint as `#rrggbb`, or as `#rgb` where that says the same."""
    digits = "{:02x}{:02x}{:02x}".format(*paint)
    return f"#{digits[::2]}" if digits[::2] == digits[1::2] else f"#{digits}"
