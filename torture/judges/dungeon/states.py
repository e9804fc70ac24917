"""All states of a dungeon, one by one, and which of them lead where."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from solvent.dungeon.model import Dungeon
from torture.judges.dungeon.rulebook import Rulebook, State
from torture.judges.dungeon.twin import Twin

Moves = dict[State, dict[str, State]]
"""States, each with its legal moves and where they lead; the first is the one that questions are about."""


class TooLarge(Exception):
    """Say that a dungeon has more states than anybody wants to look at one by one."""


def play(dungeon: Dungeon, moves: Iterable[str]) -> State | None:
    """Return the state after moves that follow those played, or None if one of them is not legal."""
    book = Rulebook(dungeon)
    state = book.beginning()
    for move in (*dungeon.played, *moves):
        after = book.step(state, move) if move in book.moves else None
        if after is None:
            return None
        state = after
    return state


def first_state(dungeon: Dungeon) -> State:
    """Return the state after the moves played, which questions are about."""
    state = play(dungeon, ())
    if state is None:
        raise ValueError(f"the moves played are not legal: {dungeon.played}")
    return state


def all_states(dungeon: Dungeon, most: int = 200_000) -> Moves:
    """Return every state that can be reached, nearest first, each with its legal moves and where they lead."""
    return states_from(dungeon, first_state(dungeon), most)


def states_from(dungeon: Dungeon, first: State, most: int = 200_000) -> Moves:
    """Return every state that can be reached from one, be it one that a play can get to or not."""
    book = Rulebook(dungeon)
    found: Moves = {first: {}}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        if book.is_won(state):
            continue
        for move in book.moves:
            after = book.step(state, move)
            if after is None:
                continue
            found[state][move] = after
            if after not in found:
                if len(found) >= most:
                    raise TooLarge(f"more than {most} states")
                found[after] = {}
                waiting.append(after)
    return found


def depths_of(states: Moves) -> dict[State, int]:
    """Return the fewest moves to each state that the moves given lead to from the first."""
    first = next(iter(states))
    depths, waiting = {first: 0}, deque([first])
    while waiting:
        state = waiting.popleft()
        for after in states[state].values():
            if after not in depths:
                depths[after] = depths[state] + 1
                waiting.append(after)
    return depths


def can_win(states: Moves, won: set[State]) -> set[State]:
    """Return the states from which the moves given lead to one that is won."""
    before: dict[State, list[State]] = {state: [] for state in states}
    for state, moves in states.items():
        for after in moves.values():
            before[after].append(state)
    alive, waiting = set(won), list(won)
    while waiting:
        for state in before[waiting.pop()]:
            if state not in alive:
                alive.add(state)
                waiting.append(state)
    return alive


def thorough_moves(dungeon: Dungeon, states: Moves) -> Moves:
    """Return the states with only the moves that a thorough player makes."""
    twin = Twin(dungeon)
    return {
        state: {move: after for move, after in moves.items() if twin.is_thorough(state, move)}
        for state, moves in states.items()
    }
