"""Check a walk that loses: it can be walked, no goal can be reached from its end, and one could be until its last move.

No goal can be reached from its end if none can be in an easier dungeon, where some gates are waived; see `waiving`.

A thorough player makes a move that is not calm, or that leaves the region, only with everything in hand that could be
had without giving anything up; so before each such move of the walk, the completion must add nothing.
"""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.areas import area_at, tile_at
from solvent.dungeon.checker.certificate_schema import LostWalkBody
from solvent.dungeon.checker.closed_set import closed_set_violations, easier_set_violations
from solvent.dungeon.checker.ledger import write_down
from solvent.dungeon.checker.moves import Maze, build_maze
from solvent.dungeon.checker.plan import goal_violations
from solvent.dungeon.checker.play import State, follow, lay_out, position, show_place
from solvent.dungeon.checker.situations import Situation, look_around
from solvent.dungeon.checker.waiving import waiving_violations
from solvent.dungeon.model import Dungeon

MAX_KEPT = 1_000_000
"""How many areas to keep of regions that were found on the way."""


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the walk does not show that the game can be lost, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, LostWalkBody)
    board = lay_out(dungeon, meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    before, state = start, start
    for reached in follow(board, start, body.walk):
        if isinstance(reached, str):
            return [f"the walk: {reached}"]
        before, state = state, reached
    found = []
    if body.walk:
        found += [f"the rescue: {violation}" for violation in goal_violations(board, before, body.rescue)]
    elif body.rescue:
        found.append("expected no rescue, for there is no move to take back")
    maze = build_maze(board) if dungeon.rules.player == "thorough" or not body.waived else None
    if maze is not None and dungeon.rules.player == "thorough":
        found += _careless_moves(maze, start, body.walk)
    if maze is not None and not body.waived:
        return found + closed_set_violations(maze, state, body.states)
    found += waiving_violations(dungeon, body.waived)
    return found or easier_set_violations(board, state, body.states, body.waived)


def _careless_moves(maze: Maze, start: State, walk: list[str]) -> list[str]:
    """Return the first move of a walk that a thorough player would not make, in words."""
    surroundings = _Surroundings(maze)
    before, here = start, surroundings.locate(start)
    for number, after in enumerate(follow(maze.board, start, walk), start=1):
        assert isinstance(after, State), "the walk was followed before"
        there = surroundings.locate(after)
        if here is None or there is None:
            return [f"the walk: move {number} begins or ends where a player cannot stand"]
        situation = surroundings.look_around(here)
        nothing_to_take = situation.lying & ~situation.bits == 0
        calm = (situation.bits ^ there[1]) & ~maze.ledger.holdings == 0
        if not nothing_to_take and not (calm and there[0] in situation.region):
            where = show_place(maze.board.dungeon, before.place)
            return [f"the walk: move {number} at {where} leaves something behind that a thorough player would take"]
        before, here = after, there
    return []


class _Surroundings:
    """Look around on a walk, keeping what was worked out: most moves change nothing, or go back and forth."""

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self._state: State | None = None
        self._bits = 0
        self._seen: dict[tuple[int, int], Situation] = {}
        self._last: Situation | None = None
        self._kept = 0

    def locate(self, state: State) -> tuple[int, int] | None:
        """Return the area and the bits of a state, or None where a player cannot stand."""
        last = self._state
        # A move that changes nothing leaves the very same sets.
        if last is None or not (
            state.taken is last.taken
            and state.opened is last.opened
            and state.fallen is last.fallen
            and state.on is last.on
            and state.moved is last.moved
            and state.dials is last.dials
            and state.stock is last.stock
        ):
            self._bits = write_down(self.maze.ledger, self.maze.board, state)
        self._state = state
        area = area_at(self.maze.areas, tile_at(self.maze.areas.tiles, state.place))
        return None if area is None else (area, self._bits)

    def look_around(self, here: tuple[int, int]) -> Situation:
        """Return the situation of an area and bits, with nothing added."""
        area, bits = here
        if self._last is not None and self._last.bits == bits and area in self._last.region:
            return self._last
        self._last = self._seen.get(here)
        if self._last is None:
            self._last = look_around(self.maze, area, bits)
            self._kept += len(self._last.region)
            if self._kept > MAX_KEPT:
                self._seen.clear()
                self._kept = len(self._last.region)
            self._seen[here] = self._last
        return self._last
