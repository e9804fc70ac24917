"""Check a closed set: situations that no move leaves, none of them with a move onto a goal.

Why that proves that no goal can be reached: say that a state *belongs* to a situation if the player stands in its
region, holds no more ordinary things than it does, and all else is equal, delicate things too. The first state belongs
to a situation of the list. Whatever move is made from a state that belongs to one is legal in the situation too, does
the same to all that is not held, and does not end on a goal: `delicate` says why. If it is calm and stays in the
region, the state still belongs to it, for the situation holds all that is there in its region, at times or always;
otherwise the result belongs to a situation of the list again, by the check below. So no state on any walk stands on a
goal.

The list may be one of an easier dungeon, in which some gates are *waived*: they stand open and take nothing. What
cannot be done there cannot be done here; `waiving` says why. Such a list can be far shorter.

A list costs a walk about the map for all situations with equal bits, and one look at each move of each situation's
region; so the time grows with the length of the certificate times the size of the map at most. Where a move leads is
looked up among the situations that differ only in what is held.
"""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import ClosedSetBody
from solvent.dungeon.checker.moves import Maze, build_maze, is_calm, make_move
from solvent.dungeon.checker.play import Board, State, lay_out, position, show_place
from solvent.dungeon.checker.situations import (
    MAX_VIOLATIONS_LISTED,
    Listing,
    find_richer,
    list_situations,
    locate_state,
    moves_from,
    show_move,
)
from solvent.dungeon.checker.waiving import carry_over, waive, waiving_violations
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the set does not show that no goal can be reached, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, ClosedSetBody)
    board = lay_out(dungeon, meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    return waiving_violations(dungeon, body.waived) or easier_set_violations(board, start, body.states, body.waived)


def easier_set_violations(board: Board, start: State, states: list[Any], waived: list[int]) -> list[str]:
    """Return why the situations do not show that no goal can be reached from a state with these gates waived."""
    if waived:
        board = lay_out(waive(board.dungeon, waived), board.meter)
    return closed_set_violations(build_maze(board), carry_over(start, waived), states)


def closed_set_violations(maze: Maze, start: State, states: list[Any]) -> list[str]:
    """Return why the situations do not show that no goal can be reached from a state, or an empty list."""
    where = show_place(maze.board.dungeon, start.place)
    if start.place in maze.board.goals:
        return [f"the player stands on a goal, at {where}"]
    listing, found = list_situations(maze, states)
    if found:
        return found
    located = locate_state(maze, start)
    if located is None or next(find_richer(listing, *located), None) is None:
        found.append(f"no situation holds the state the set is to begin with, at {where}")
    for number in maze.meter.each(range(len(listing.situations)), every=1):
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return [*found, "and more"]
        leak = _find_leak(listing, number)
        if leak:
            found.append(f"situation {number}: {leak}")
    return found


def _find_leak(listing: Listing, number: int) -> str | None:
    """Return a move that leaves the set or ends on a goal, in words."""
    maze, situation = listing.maze, listing.situations[number]
    bits = situation.bits
    for move in moves_from(maze, situation.region):
        if listing.is_in(move.target, number) and is_calm(maze, move, bits):
            continue
        after = make_move(maze, move, bits)
        if after is None:
            continue
        if move.goal:
            return f"{show_move(maze, move)} ends on a goal"
        if next(find_richer(listing, move.target, after), None) is None:
            return f"{show_move(maze, move)} leads out of the set"
    return None
