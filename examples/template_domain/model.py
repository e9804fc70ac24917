"""What a grid of lamps is. Data only: the rules stand in `rules.py`, and again, differently, in `checker.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

MAX_SIDE = 9
"""The most rows or columns, so that a cell is one letter and one digit."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Hold the lamps as they stand. Cells are numbered row by row from 0: cell `row * cols + col`."""

    rows: int
    cols: int
    lit: tuple[bool, ...]
    """Whether the lamp on each cell is lit."""

    domain: ClassVar[str] = "lamps"

    # `repr` is the dataclass's own, which pastes back. The drawing is imported late: a solver never needs it.

    def __str__(self) -> str:
        from template_domain.drawing import draw_text

        return draw_text(self)

    def _repr_svg_(self) -> str:
        from template_domain.drawing import draw_svg

        return draw_svg(self)
