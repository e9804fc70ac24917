"""Check a closed set: situations that no move leaves, none of them with a move onto a goal.

Why that proves that no goal can be reached: say that a state *belongs* to a situation if the player stands in its
region, holds no more than it does, and all else is equal. The first state belongs to a situation of the list. Whatever
move is made from a state that belongs to one is legal in the situation too, and does not end on a goal. If it is calm
and stays in the region, the state still belongs to it, for the situation holds all that lies in its region; otherwise
the result belongs to a situation of the list again, by the check below. So no state on any walk stands on a goal.

A list costs one look at each move of each situation's region, and two walks about the map for each situation; so the
time grows with the length of the certificate times the size of the map, and never faster as long as situations with
equal surroundings (doors, switches, blocks) have regions of their own, as they have where nothing is one-way.
"""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import ClosedSetBody, SituationBody
from solvent.dungeon.checker.moves import Maze, build_maze, make_move
from solvent.dungeon.checker.play import State, lay_out, position, show_place
from solvent.dungeon.checker.situations import (
    MAX_VIOLATIONS_LISTED,
    Listing,
    find_richer,
    list_situations,
    locate_state,
    show_move,
)
from solvent.dungeon.model import Dungeon


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the set does not show that no goal can be reached, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, ClosedSetBody)
    board = lay_out(dungeon)
    start = position(board)
    return [start] if isinstance(start, str) else closed_set_violations(build_maze(board), start, body.states)


def closed_set_violations(maze: Maze, start: State, states: list[SituationBody]) -> list[str]:
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
    for number in range(len(listing.situations)):
        if len(found) >= MAX_VIOLATIONS_LISTED:
            return [*found, "and more"]
        leak = _find_leak(listing, number)
        if leak:
            found.append(f"situation {number}: {leak}")
    return found


def _find_leak(listing: Listing, number: int) -> str | None:
    """Return a move that leaves the set or ends on a goal, in words."""
    maze, situation = listing.maze, listing.situations[number]
    bits, region = situation.bits, situation.region
    for area in region:
        for move in maze.moves[area]:
            if move.can_be_calm and move.target in region and bits & move.calm_care == move.calm_want:
                continue
            after = make_move(maze, move, bits)
            if after is None:
                continue
            if move.goal:
                return f"{show_move(maze, move)} ends on a goal"
            if next(find_richer(listing, move.target, after), None) is None:
                return f"{show_move(maze, move)} leads out of the set"
    return None
