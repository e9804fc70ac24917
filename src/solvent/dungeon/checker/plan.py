"""Check a plan: follow it move by move and look at where it ends."""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import PlanBody
from solvent.dungeon.checker.play import Board, State, follow, lay_out, position, show_place
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the plan does not lead to a goal, or an empty list.

    Nothing can follow a move onto a goal, for the game is over there; so only where the plan ends needs looking at.
    """
    meter.checkpoint()
    body = msgspec.convert(certificate, PlanBody)
    board = lay_out(dungeon, meter)
    start = position(board)
    return [start] if isinstance(start, str) else goal_violations(board, start, body.plan)


def goal_violations(board: Board, state: State, moves: list[str]) -> list[str]:
    """Return why the moves do not lead from the state to a goal, or an empty list."""
    reached: State | str = state
    for reached in follow(board, state, moves):
        if isinstance(reached, str):
            return [reached]
    assert isinstance(reached, State)
    if reached.place in board.goals:
        return []
    return [f"the moves end at {show_place(board.dungeon, reached.place)}, which is no goal"]
