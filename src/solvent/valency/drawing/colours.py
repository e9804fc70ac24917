"""Which paint each module gets in a drawing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solvent.drawing.palette import HUES, Paint, from_digits, shade
from solvent.valency.model import Module

LINE: Paint = (196, 196, 190)
"""Outlines of what is not filled, and edges of a graph."""
UNFILLED: Paint = (240, 239, 233)
IMPOSSIBLE: Paint = (196, 28, 20)
"""Nodes that are proved impossible, and whatever clashes; far from `OVER_BUDGET` for every kind of sight."""
OVER_BUDGET: Paint = (245, 184, 46)
"""Nodes that were given up on."""

_FIRST = ("BLUE", "ORANGE", "GREEN", "PURPLE", "YELLOW")
MODULE_HUES: tuple[Paint, ...] = tuple(dict.fromkeys([*(HUES[name] for name in _FIRST), *HUES.values()]))
"""Paints for modules that name none, most distinct first; red comes late, for it looks like a warning."""

_SHADES = (0.0, 0.22, -0.16, 0.4, -0.3, 0.55)
"""How far the variants of a module are mixed with white, or with black if below zero; in turn."""
_HEX_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")


def choose_paints(modules: Sequence[Module]) -> list[Paint]:
    """Choose a paint for each module: its own, else the next hue; variants of one name are shades of one hue.

    Beyond 26 names, hues repeat.
    """
    own = [read_paint(module.look.colour) for module in modules]
    taken = {paint for paint in own if paint is not None}
    spare = [hue for hue in MODULE_HUES if hue not in taken] or list(MODULE_HUES)
    hues: dict[str, Paint] = {}
    shades: dict[str, int] = {}
    paints = []
    for module, paint in zip(modules, own, strict=True):
        if paint is None:
            hue = hues.setdefault(module.name, spare[len(hues) % len(spare)])
            paint = shade(hue, _SHADES[shades.get(module.name, 0) % len(_SHADES)])
            shades[module.name] = shades.get(module.name, 0) + 1
        paints.append(paint)
    return paints


def read_paint(text: str) -> Paint | None:
    """Return a colour written as #rrggbb; None for anything else."""
    return from_digits(text[1:]) if _HEX_COLOUR.fullmatch(text) else None
