"""Play by the rules and by brute force at once."""

from __future__ import annotations

from torture.judges import dungeon as brute_force

from solvent.dungeon.model import Dungeon
from solvent.dungeon.rules import Game, State, renewing_resources


def as_twin_has_it(dungeon: Dungeon, state: State) -> brute_force.State:
    """Return the same state in the words of brute force."""
    moved = frozenset((block, walk) for block, walk in enumerate(state.moved) if walk)
    turned = zip(dungeon.dials, state.dials, strict=True)
    dials = frozenset((dial.switch, dial.states[number]) for dial, number in turned if number)
    stock = tuple(zip(renewing_resources(dungeon), state.stock, strict=True))
    return brute_force.State(state.place, state.taken, state.opened, state.fallen, state.on, moved, dials, stock)


def play_both(dungeon: Dungeon, *moves: str) -> State | None:
    """Return the state after moves that follow those played, or None if one is not legal; brute force agrees."""
    game = Game(dungeon)
    states = [game.present_state(), *game.walk(game.present_state(), moves)]
    found = states[-1] if len(states) == len(moves) + 1 else None
    expected = brute_force.play(dungeon, moves)
    assert (None if found is None else as_twin_has_it(dungeon, found)) == expected
    return found


def must_play(dungeon: Dungeon, *moves: str) -> State:
    """Return the state after moves that are legal."""
    state = play_both(dungeon, *moves)
    assert state is not None, moves
    return state
