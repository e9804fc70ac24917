"""Check a closed set of boards: all that can be reached, and none of them solved."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.harmony.checker.tiles import Tiles, swap_tiles, tiles_of, unsolved_parts
from solvent.harmony.model import Board
from solvent.proof.closed_set import closed_set_violations


class Body(msgspec.Struct):
    """Hold the part of the certificate that is the set."""

    states: list[list[int]]
    """Each board as colour and moves of cell 0, of cell 1, and so on."""


def check(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the set does not show that no solution can be reached, or an empty list."""
    body = msgspec.convert(certificate, Body)
    cells, cols = board.rows * board.cols, board.cols
    for number, state in enumerate(body.states):
        if len(state) != 2 * cells:
            return [f"state {number}: expected {2 * cells} numbers, found {len(state)}"]

    def successors(tiles: Tiles) -> Iterator[Tiles]:
        for a in range(cells):
            for b in range(a + 1, cells):
                reached = swap_tiles(tiles, a, b, cols)
                if not isinstance(reached, str):
                    yield reached

    return closed_set_violations(
        (tuple(zip(state[::2], state[1::2], strict=True)) for state in body.states),
        tiles_of(board),
        successors=successors,
        is_goal=lambda tiles: next(unsolved_parts(tiles, cols), None) is None,
        meter=meter,
    )
