"""Check a plan: follow it swap by swap and look at where it ends."""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.harmony.checker.tiles import Tile, broken_rule, exchange, tiles_of, unsolved_parts
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_swap
from solvent.proof.replay import replay_violations


class Body(msgspec.Struct):
    """Hold the part of the certificate that is the plan."""

    plan: list[str]
    """Swaps such as `A1-B1`."""


def check(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the plan does not solve the board, or an empty list."""
    body = msgspec.convert(certificate, Body)

    def take(tiles: list[Tile], swap: str) -> list[Tile] | str:
        a, b = parse_swap(swap, board)
        broken = broken_rule(tiles, a, b, board.cols)
        if broken is not None:
            return broken
        exchange(tiles, a, b)  # in place: a plan may be a million swaps long, and a board has thousands of cells
        return tiles

    return replay_violations(
        list(tiles_of(board)),
        body.plan,
        take=take,
        goal_violations=lambda tiles: unsolved_parts(tiles, board.cols),
        meter=meter,
    )
