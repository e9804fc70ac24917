"""How hypothesis makes grids."""

from __future__ import annotations

from hypothesis import strategies as st
from template_domain.model import Grid


@st.composite
def grids(draw: st.DrawFn, most_side: int = 9) -> Grid:
    rows, cols = draw(st.integers(1, most_side)), draw(st.integers(1, most_side))
    return Grid(rows, cols, tuple(draw(st.lists(st.booleans(), min_size=rows * cols, max_size=rows * cols))))
