"""Check a walk that loses: it can be walked, no goal can be reached from its end, and one could be until its last move.

A thorough player makes a move that is not calm, or that leaves the region, only with everything in hand that could be
had without giving anything up; so before each such move of the walk, the completion must add nothing.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import LostWalkBody
from solvent.dungeon.checker.closed_set import closed_set_violations
from solvent.dungeon.checker.moves import Maze, build_maze
from solvent.dungeon.checker.plan import goal_violations
from solvent.dungeon.checker.play import State, follow, lay_out, position, show_place
from solvent.dungeon.checker.situations import Situation, locate_state, look_around
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the walk does not show that the game can be lost, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, LostWalkBody)
    board = lay_out(dungeon)
    start = position(board)
    if isinstance(start, str):
        return [start]
    states = [start]
    for reached in follow(board, start, body.walk):
        if isinstance(reached, str):
            return [f"the walk: {reached}"]
        states.append(reached)
    found = []
    if body.walk:
        found += [f"the rescue: {violation}" for violation in goal_violations(board, states[-2], body.rescue)]
    elif body.rescue:
        found.append("expected no rescue, for there is no move to take back")
    maze = build_maze(board)
    if dungeon.rules.player == "thorough":
        found += _careless_moves(maze, states)
    return found + closed_set_violations(maze, states[-1], body.states)


def _careless_moves(maze: Maze, states: list[State]) -> list[str]:
    """Return the first move that a thorough player would not make, in words."""
    seen: dict[tuple[int, int], Situation] = {}
    for number, (before, after) in enumerate(pairwise(states), start=1):
        here, there = locate_state(maze, before), locate_state(maze, after)
        if here is None or there is None:
            return [f"the walk: move {number} begins or ends where a player cannot stand"]
        situation = seen.get(here)
        if situation is None:
            situation = seen[here] = look_around(maze, *here)
        nothing_to_take = situation.lying & ~situation.bits == 0
        calm = (situation.bits ^ there[1]) & ~maze.ledger.holdings == 0
        if not nothing_to_take and not (calm and there[0] in situation.region):
            where = show_place(maze.board.dungeon, before.place)
            return [f"the walk: move {number} at {where} leaves something behind that a thorough player would take"]
    return []
