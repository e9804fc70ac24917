"""Find the way to a tile that the player points at."""

from __future__ import annotations

from collections import deque
from collections.abc import Set

from solvent.dungeon.model import STEPS, Place
from solvent.dungeon.rules import Game, State, beside
from solvent.dungeon.situations import Strolls


def find_route(game: Game, state: State, targets: Set[Place]) -> list[str] | None:
    """Return a shortest way to one of some tiles on which nothing is opened, switched, pushed or shut before the end.

    The last move may do so: pointing at a door opens it. What lies on the way is taken, unless that could do harm.
    """
    strolls = Strolls(game)
    came: dict[Place, tuple[Place, str]] = {}
    waiting = deque([state.place])
    seen = {state.place} - targets
    while waiting:
        here = waiting.popleft()
        at = state._replace(place=here)
        for move in (*STEPS, *map(str, game.ways_from.get(here, ()))):
            # Most steps lead back to where one was; leaving those out is worth half of the time.
            after = None if move in STEPS and beside(here, move) in seen else game.step(at, move)
            if after is None:
                continue
            place = after.place
            if place in targets:
                came[place] = (here, move)
                return _trace(came, state.place, place)
            if place not in seen and strolls.is_calm(at, after):
                seen.add(place)
                came[place] = (here, move)
                waiting.append(place)
    return None


def _trace(came: dict[Place, tuple[Place, str]], start: Place, target: Place) -> list[str]:
    moves: list[str] = []
    place = target
    while not moves or place != start:
        place, move = came[place]
        moves.append(move)
    return moves[::-1]


def way_towards(game: Game, place: Place, direction: str) -> str | None:
    """Return the way that begins on a tile and leads straight in a direction, such as through a doorway."""
    down, right = STEPS[direction]
    floor, row, column = place
    found: list[tuple[int, int]] = []
    for number in game.ways_from.get(place, ()):
        to_floor, to_row, to_column = game.dungeon.ways[number].target
        far = (to_row - row) * down + (to_column - column) * right
        if to_floor == floor and far > 0 and (row + far * down, column + far * right) == (to_row, to_column):
            found.append((far, number))
    return str(min(found)[1]) if found else None
