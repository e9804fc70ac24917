"""Boards for property tests: any that may exist, and those that some plan solves."""

from __future__ import annotations

from hypothesis import strategies as st

from solvent.harmony.generator import generate_with_plan
from solvent.harmony.model import MAX_MOVES, Board, Swap

HEADINGS = {"ROWS", "COLS", "BOARD", "COLORS", "TARGETS", "TILES", "MOVES"}


def _is_name(text: str) -> bool:
    return (
        text == text.upper()
        and text.isprintable()
        and len(text.split()) == 1
        and "#" not in text
        and text not in HEADINGS
        and not text.startswith("END")
    )


names = st.one_of(
    st.sampled_from(["RED", "BLUE", "GREEN", "DKGREEN", "LIGHT_BLUE", "A1", "7", "R", "RE", "ROSE"]),
    st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=12).map(str.upper).filter(_is_name),
)
"""Names a colour may have: one printable word in upper case that is no heading."""


@st.composite
def boards(draw: st.DrawFn, *, most_rows: int = 5, most_cols: int = 5, most_moves: int = MAX_MOVES) -> Board:
    """Draw any board, solvable or not: odd sums, wrong counts, colours that no row wants."""
    rows, cols = draw(st.integers(1, most_rows)), draw(st.integers(1, most_cols))
    homeless = draw(st.integers(0, 2))
    cells = rows * cols
    drawn = draw(st.lists(st.integers(0, rows + homeless - 1), min_size=cells, max_size=cells))
    # Homeless colours that no tile has are not part of a board: number the used ones without gaps.
    used = sorted({colour for colour in drawn if colour >= rows})
    colours = tuple(colour if colour < rows else rows + used.index(colour) for colour in drawn)
    palette = tuple(draw(st.lists(names, min_size=rows + len(used), max_size=rows + len(used), unique=True)))
    counts = st.one_of(st.integers(0, min(3, most_moves)), st.integers(0, most_moves))
    return Board(rows, cols, palette, colours, tuple(draw(st.lists(counts, min_size=cells, max_size=cells))))


@st.composite
def solvable_boards(draw: st.DrawFn, *, most_side: int = 5, most_swaps: int = 20) -> tuple[Board, tuple[Swap, ...]]:
    """Draw a board with a plan that solves it."""
    rows, cols = draw(st.integers(1, most_side)), draw(st.integers(1, most_side))
    swaps = draw(st.integers(0, most_swaps if rows * cols > 1 else 0))
    return generate_with_plan(rows=rows, cols=cols, swaps=swaps, seed=draw(st.integers(0, 10_000)))


@st.composite
def boards_with_swaps(draw: st.DrawFn) -> tuple[Board, tuple[Swap, ...]]:
    """Draw a board and some swaps of aligned cells, legal or not."""
    board = draw(boards())
    aligned = [
        (a, b)
        for a in range(len(board.colours))
        for b in range(a + 1, len(board.colours))
        if a // board.cols == b // board.cols or a % board.cols == b % board.cols
    ]
    return board, tuple(draw(st.lists(st.sampled_from(aligned), max_size=12))) if aligned else ()
