"""Put what the solvers find into certificates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solvent.core.answer import Verdict
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_cell, format_swap
from solvent.harmony.rules import legal_swaps, play
from solvent.proof.certificate import make_certificate

if TYPE_CHECKING:  # what writes certificates must not load what finds them
    from solvent.harmony.solver.escalation import Refutation
    from solvent.harmony.solver.invariants import BrokenInvariant

QUESTION = "solvable"
MAX_STATES = 3000
"""Closed sets larger than this are not written; a refutation is smaller."""


def plan_certificate(board: Board, plan: tuple[Swap, ...]) -> dict[str, Any]:
    """Certify YES by a plan."""
    return make_certificate(Board.domain, QUESTION, Verdict.YES, "plan", plan=_swap_names(board, plan))


def invariant_certificate(board: Board, forced: tuple[Swap, ...], broken: BrokenInvariant) -> dict[str, Any]:
    """Certify NO by a rule that the board breaks."""
    return make_certificate(
        Board.domain,
        QUESTION,
        Verdict.NO,
        "invariant",
        rule=broken.rule,
        cells=_cell_names(board, broken.cells),
        forced=_swap_names(board, forced),
    )


def refutation_certificate(
    board: Board, forced: tuple[Swap, ...], component: tuple[int, ...], refutation: Refutation
) -> dict[str, Any]:
    """Certify NO by a refutation of what would hold in every solution."""
    return make_certificate(
        Board.domain,
        QUESTION,
        Verdict.NO,
        "refutation",
        forced=_swap_names(board, forced),
        component=_cell_names(board, component),
        most_moves=refutation.most_moves,
        proof=refutation.proof,
    )


def closed_set_certificate(board: Board) -> dict[str, Any] | None:
    """Certify NO by all boards that can be reached, or return None if they are too many."""
    seen = {board}
    frontier = [board]
    while frontier:
        here = frontier.pop()
        for swap in legal_swaps(here):
            reached = play(here, swap)
            if reached not in seen:
                if len(seen) == MAX_STATES:
                    return None
                seen.add(reached)
                frontier.append(reached)
    states = sorted([number for tile in zip(b.colours, b.moves, strict=True) for number in tile] for b in seen)
    return make_certificate(Board.domain, QUESTION, Verdict.NO, "closed set", states=states)


def describe_refutation(refutation: Refutation) -> str:
    """Describe in a sentence what a refutation shows."""
    moves = "one move" if refutation.most_moves == 1 else f"at most {refutation.most_moves} moves"
    steps = refutation.proof.count("\n")
    length = "" if steps == 0 else " after one step" if steps == 1 else f" after {steps} steps"
    return f"Following the tiles with {moves} left to where they must go ends in a contradiction{length}."


def _swap_names(board: Board, swaps: tuple[Swap, ...]) -> list[str]:
    return [format_swap(swap, board.cols) for swap in swaps]


def _cell_names(board: Board, cells: tuple[int, ...]) -> list[str]:
    return [format_cell(cell, board.cols) for cell in cells]
