"""Catch a user's invalidity test in the act: a plan that solves the board must not pass a board the test fires on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from solvent.core.answer import Finding
from solvent.core.budget import Meter
from solvent.core.pruning import InvalidityTest, ask_test
from solvent.drawing.phrases import counted
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_swap
from solvent.harmony.rules import play


def with_misfires(board: Board, tests: Sequence[InvalidityTest[Board]], finding: Finding, meter: Meter) -> Finding:
    """Say of a YES which tests fire on a board along its plan, and so are not sound."""
    assert finding.certificate is not None
    misfires = find_misfires(board, tests, finding.certificate["plan"], meter)
    if not misfires:
        return finding
    name, swaps = next(iter(misfires.items()))
    place = "this board" if swaps == 0 else f"the board after {counted(swaps, 'swap')} of this plan"
    others = "".join(f" Nor is {other}." for other in list(misfires)[1:])
    because = f"Your test {name} is not sound: it calls {place} impossible.{others}"
    described = {name: {"after_swaps": swaps} for name, swaps in misfires.items()}
    return replace(finding, because=because, stats={**finding.stats, "misfires": described})


def find_misfires(
    board: Board, tests: Sequence[InvalidityTest[Board]], plan: Sequence[str], meter: Meter
) -> dict[str, int]:
    """Return for each test that fires along a plan how many swaps have been played when it first does."""
    found: dict[str, int] = {}
    for played in range(len(plan) + 1):
        meter.checkpoint()
        for test in tests:
            if test.name not in found and ask_test(test, board):
                found[test.name] = played
        if played < len(plan):
            board = play(board, parse_swap(plan[played], board))
    return found
