"""Solution files: from lines of swaps to a plan certificate and back."""

from __future__ import annotations

from solvent.core.answer import Certificate, Verdict
from solvent.core.errors import BadOption, show_value
from solvent.harmony.model import Board
from solvent.harmony.positions import format_solution, format_swap, parse_solution, parse_swap
from solvent.proof.certificate import make_certificate


def read_solution(board: Board, text: str) -> Certificate:
    """Put the swaps of a solution into a certificate. Whether they solve the board is for the checker to say."""
    plan = [format_swap(swap, board.cols) for swap in parse_solution(text, board)]
    return make_certificate(Board.domain, "solvable", Verdict.YES, "plan", plan=plan)


def write_solution(board: Board, certificate: Certificate) -> str:
    """Write the swaps of a plan as numbered lines; raises BadOption if the certificate holds no plan."""
    verdict, form, plan = (certificate.get(key) for key in ("verdict", "form", "plan"))
    if verdict != Verdict.YES.value or form != "plan":
        raise BadOption(f"expected a YES with a plan, found {show_value(verdict)} with {show_value(form)}")
    if not isinstance(plan, list) or not all(isinstance(swap, str) for swap in plan):
        raise BadOption(f"expected a plan that is a list of swaps, found {show_value(plan)}")
    return format_solution([parse_swap(swap, board) for swap in plan], board)
