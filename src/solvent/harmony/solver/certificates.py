"""Put what the solvers find into certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from solvent.core.answer import Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_cell, format_swap
from solvent.proof.certificate import make_certificate

if TYPE_CHECKING:  # what writes certificates must not load what finds them
    from solvent.harmony.solver.escalation import Refutation
    from solvent.harmony.solver.invariants import BrokenInvariant

QUESTION = "solvable"
MAX_STATES = 3000
"""Closed sets with more boards than this are not written; a refutation is smaller."""
MAX_CELLS = 200_000
"""The same for the cells of all boards together, so that the set of a large board is no larger than that of a small."""


def plan_certificate(board: Board, plan: Sequence[Swap], meter: Meter = UNLIMITED) -> dict[str, Any]:
    """Certify YES by a plan."""
    names = [format_swap(swap, board.cols) for swap in meter.each(plan)]  # there may be a million
    return make_certificate(Board.domain, QUESTION, Verdict.YES, "plan", plan=names)


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


def closed_set_certificate(board: Board, meter: Meter = UNLIMITED) -> dict[str, Any] | None:
    """Certify NO by all boards that can be reached, or return None if they are too many. One board is one node.

    Nothing happens to the tiles that are closed from the start, so only the others are kept in mind.
    """
    live = [cell for cell, moves in enumerate(board.moves) if moves > 0]
    start = tuple((board.colours[cell], board.moves[cell]) for cell in live)
    pairs = list(_aligned_places(live, board.cols, meter))
    most = min(MAX_STATES, MAX_CELLS // (board.rows * board.cols))
    seen = {start}
    frontier = [start]
    while frontier:
        reason = meter.stop_reason()
        if reason is not None:
            raise LimitReached(reason)
        here = frontier.pop()
        meter.spend(1)
        for one, other in meter.each(pairs):
            (colour, moves), (other_colour, other_moves) = here[one], here[other]
            if moves == 0 or other_moves == 0:
                continue
            tiles = list(here)
            tiles[one], tiles[other] = (other_colour, other_moves - 1), (colour, moves - 1)
            reached = tuple(tiles)
            if reached not in seen:
                if len(seen) == most:
                    return None
                seen.add(reached)
                frontier.append(reached)
    states = sorted(_whole_board(board, live, tiles) for tiles in meter.each(seen, every=10))
    return make_certificate(Board.domain, QUESTION, Verdict.NO, "closed set", states=states)


def _aligned_places(live: Sequence[int], cols: int, meter: Meter) -> Iterator[tuple[int, int]]:
    """Yield every two live cells that share a row or a column, by their places among the live cells."""
    for place, cell in enumerate(meter.each(live, every=10)):
        for other in range(place + 1, len(live)):
            if live[other] // cols == cell // cols or live[other] % cols == cell % cols:
                yield place, other


def _whole_board(board: Board, live: Sequence[int], tiles: Sequence[tuple[int, int]]) -> list[int]:
    """Write a board as colour and moves of each cell, with these tiles on the live cells."""
    numbers = [number for tile in zip(board.colours, board.moves, strict=True) for number in tile]
    for cell, tile in zip(live, tiles, strict=True):
        numbers[2 * cell : 2 * cell + 2] = tile
    return numbers


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
