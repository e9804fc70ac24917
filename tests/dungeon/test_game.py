"""`Game`, the rules for programs: states with named parts, moves, and what follows."""

from __future__ import annotations

from collections import deque

import pytest
from torture.judges.dungeon import all_states

import solvent
from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_truth
from solvent.core.errors import BadOption
from solvent.dungeon import Environment, Game, State
from solvent.dungeon.model import Rules


def shortest(game: Game) -> int | None:
    """Return the fewest moves to a goal, by breadth-first search."""
    depth = {game.start: 0}
    waiting = deque([game.start])
    while waiting:
        state = waiting.popleft()
        if game.is_goal(state):
            return depth[state]
        for move in game.moves(state):
            after = game.after(state, move)
            if after not in depth:
                depth[after] = depth[state] + 1
                waiting.append(after)
    return None


def test_a_search_over_states_finds_what_the_solver_finds():
    for seed in range(25):
        assert shortest(Game(random_dungeon(seed))) == random_truth(seed).plan
    for known in KNOWN.values():
        assert shortest(Game(known.dungeon)) == known.plan


def test_states_are_those_of_an_independent_twin():
    for seed in range(15):
        game, twin = Game(random_dungeon(seed)), all_states(random_dungeon(seed))
        seen = {game.start}
        waiting = [game.start]
        while waiting:
            for _, after in game.successors(waiting.pop()):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        assert len(seen) == len(twin)
        assert {state.p for state in seen} == {state.place for state in twin}


def test_the_parts_of_a_state():
    game = Game(dungeon_of("k@LG/rs../t.o.", rules=Rules(bombs=2)))
    start = game.start
    assert start == State(p=(0, 0, 1), R=(("bombs", 2),), I=(), B=Environment())
    state = game.play(start, "WSE")
    assert state == State((0, 1, 1), (("bombs", 2), ("key", 1), ("key red", 1)), (0, 1), Environment(on=("lever",)))
    assert game.items(state) == frozenset()
    state = game.play(state, "SW")
    assert game.items(state) == {"torch"}
    state = game.after(game.after(state, "E"), "E")
    assert state.B.moved == ((0, "E"),)
    state = game.play(state, "NNE")
    assert game.is_goal(state)
    assert state.B.opened == (0,)
    assert state.R == (("bombs", 2), ("key red", 1))
    assert game.moves(state) == ()


def test_repr_pastes_back_and_states_are_keys():
    for seed in range(10):
        game = Game(random_dungeon(seed))
        for state in [game.start, *(after for _, after in game.successors(game.start))]:
            assert eval(repr(state), {"State": State, "Environment": Environment}) == state
            assert {state: 1}[state] == 1
            assert game.state(state.p, state.I, state.B) == state


def test_it_begins_after_the_moves_played():
    dungeon = dungeon_of("k@LG", played="WE")
    assert Game(dungeon).start.R == (("key", 1),)
    assert solvent.ask(dungeon).stats["plan_length"] == 2


def test_a_move_that_is_not_legal_says_which_are():
    game = Game(dungeon_of("@LG"))
    with pytest.raises(BadOption, match="expected a legal move"):
        game.after(game.start, "E")
    for move in ("X", "7", "", None, 3):
        with pytest.raises(BadOption, match="legal move"):
            game.after(game.start, move)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "state",
    [
        None,
        (),
        State((5, 0, 0)),
        State((0, 0, 99)),
        State((0, -1, 0)),
        State((0, 0, 0), I=(7,)),
        State((0, 0, 0), I=(-1,)),
        State((0, 0, 0), B=Environment(opened=(9,))),
        State((0, 0, 0), B=Environment(opened=(-1,))),
        State((0, 0, 0), B=Environment(fallen=(0,))),
        State((0, 0, 0), B=Environment(on=("nothing",))),
        State((0, 0, 0), B=Environment(moved=((0, "E"),))),
        State((0, 0, 0), R=(("key", 5),)),
        State("abc"),
    ],
    ids=str,
)
def test_what_is_no_state_of_the_dungeon_is_refused(state: object):
    game = Game(dungeon_of("k@LG"))
    with pytest.raises(BadOption, match="expected"):
        game.moves(state)  # type: ignore[arg-type]
