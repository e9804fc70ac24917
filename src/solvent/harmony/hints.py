"""The next swap for a player, or the news that the board is lost, with what proves it."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.answer import Finding, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import LimitReached
from solvent.core.hints import Hint
from solvent.core.pruning import InvalidityTestCoordinator
from solvent.harmony.invalidity import SOUND_TESTS
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_swap, parse_swap
from solvent.harmony.rules import is_solved, play
from solvent.harmony.solver import solve
from solvent.harmony.solver.certificates import plan_certificate
from solvent.harmony.solver.reduction import forced_swaps
from solvent.harmony.swap_reasons import describe_reasons


def hints(board: Board, request: Request) -> Iterator[Hint]:
    """Yield the swaps of one solution, in order, or the one hint that says why there is none."""
    if is_solved(board):
        yield Hint("The board is solved.", certificate=plan_certificate(board, ()))
        return
    meter = request.budget.start()
    try:
        finding = solve(board, request)
    except LimitReached as limit:
        finding = Finding(Verdict.UNKNOWN, reason=limit.reason)
    if finding.verdict is Verdict.YES and finding.certificate is not None:
        plan = [parse_swap(swap, board) for swap in meter.each(finding.certificate["plan"])]
        yield from _walk(board, plan, meter)
    elif finding.verdict is Verdict.NO:
        yield _lost(board, finding)
    else:
        yield Hint(
            f"No hint: {finding.reason}.",
            narrative="It is not known whether the board can still be solved.",
            reason=finding.reason,
        )


def _walk(board: Board, plan: list[Swap], meter: Meter) -> Iterator[Hint]:
    """Yield each swap of the plan; forced ones first, because the reason for them is plain to see."""
    forced = set(forced_swaps(board))
    plan.sort(key=lambda swap: swap not in forced)  # nothing else touches their cells, so they may come first
    certificate = plan_certificate(board, plan, meter)
    here = board
    for number, swap in enumerate(meter.each(plan, every=20), start=1):
        name = format_swap(swap, board.cols)
        one, other = name.split("-")
        if swap in forced:
            narrative = (
                f"Forced: {one} and {other} have one move each and need each other's row. Neither can do anything else."
            )
        elif swap[0] // board.cols == swap[1] // board.cols:
            narrative = f"{one} and {other} swap along row {one[0]}. {describe_reasons(here, swap)}"
        else:
            narrative = f"{one} and {other} swap along column {one[1:]}. {describe_reasons(here, swap)}"
        left = len(plan) - number
        narrative += f" After it {left} more {'swap solves' if left == 1 else 'swaps solve'} the board." if left else ""
        yield Hint(
            f"Swap {name}.",
            move=name,
            narrative=narrative,
            certificate=certificate if number == 1 else None,
            data={"step": number, "steps": len(plan), "forced": swap in forced},
        )
        here = play(here, swap)


def _lost(board: Board, finding: Finding) -> Hint:
    """Return the hint that the board cannot be solved any more, with the plainest reason there is."""
    test = InvalidityTestCoordinator[Board](SOUND_TESTS).first_invalid(board)
    seen_by = "" if test is None else f" The test {test.name} sees it at once."
    return Hint(
        "The board is lost: it cannot be solved from here.",
        narrative=finding.because + seen_by,
        lost=True,
        certificate=finding.certificate,
        data={"test": None if test is None else test.name, "because": finding.because},
    )
