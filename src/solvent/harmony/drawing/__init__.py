"""Draw boards and plans: as text for a terminal, as SVG for everything else."""

from __future__ import annotations

from solvent.core.answer import Certificate, Verdict
from solvent.harmony.drawing.text import draw_text
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_swap

__all__ = ["draw_svg", "draw_text"]


def draw_svg(board: Board, *, certificate: Certificate | None = None, move: str | None = None) -> str:
    """Draw a board as a self-contained SVG picture; the same board always gives the same bytes.

    With `move`, such as `A1-B1`, arrows show that swap. With a certificate that holds a plan, the picture is a
    filmstrip of the plan instead, each board with its next swap. A move or plan that does not fit raises ParseError.
    """
    swap = parse_swap(move, board) if move is not None else None
    if (
        certificate is not None
        and certificate.get("verdict") == Verdict.YES.value
        and certificate.get("form") == "plan"
    ):
        from solvent.harmony.drawing.filmstrip import draw_filmstrip

        return draw_filmstrip(board, certificate.get("plan"))
    from solvent.harmony.drawing.svg import draw_board

    return draw_board(board, swap)
