"""Nothing false is ever accepted where all mechanics are mixed: true, spoilt and made-up certificates by the thousand.

As in test_checker_soundness.py, truth and candidates come from brute force, and the checker is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from torture.instances.rich_dungeon import make_rich_dungeon

from dungeon.test_checker_soundness import (
    Known,
    Truth,
    accepts,
    as_played,
    certificate,
    find_truth,
    listed,
    moves_to,
    random_walks,
    spoilt_lists,
    spoilt_safe,
    still_region,
)
from helpers.depth import up_to
from helpers.marks import slow
from solvent.dungeon.checker import play, violations
from solvent.dungeon.checker.fitness import unfit_parts
from solvent.dungeon.checker.moves import Maze, build_maze, is_calm, make_move
from solvent.dungeon.checker.safe import find_sure_things
from solvent.dungeon.checker.situations import complete, find_region, find_regions, locate_state


@pytest.fixture(scope="module", params=[range(24), *slow([range(24, up_to(160, deep=800))])], ids=["some", "many"])
def rich_dungeons(request: pytest.FixtureRequest) -> Known:
    """Return dungeons with every mechanic, and all that is true of them."""
    return known_rich_dungeons(request.param)


def known_rich_dungeons(seeds: range) -> Known:
    dungeons = [make_rich_dungeon(Random(f"rich {seed}")) for seed in seeds]
    return [(dungeon, truth) for dungeon in dungeons for truth in [find_truth(dungeon)] if truth]


def test_the_generator_makes_dungeons_with_everything():
    known = known_rich_dungeons(range(60))
    assert not any(unfit_parts(dungeon) for dungeon, _ in known)
    truths = [truth for _, truth in known]
    assert sum(truth.solvable and truth.losable for truth in truths) > 2
    assert sum(truth.solvable and not truth.losable for truth in truths) > 5
    assert sum(not truth.solvable for truth in truths) > 5
    states = [state for truth in truths for state in truth.states]
    assert sum(bool(state.dials) for state in states) > 10
    assert sum(any(number for _, number in state.stock) for state in states) > 10
    assert sum(any(len(walk) > 1 for _, walk in state.moved) for state in states) > 10


# The rules of play


def test_each_move_does_what_the_brute_force_says(rich_dungeons: Known):
    for dungeon, truth in rich_dungeons:
        board = play.lay_out(dungeon)
        for state, moves in truth.states.items():
            for move in truth.twin.moves:
                reached = play.take(board, as_played(state), move)
                expected = moves.get(move)
                assert isinstance(reached, str) if expected is None else reached == as_played(expected)


@pytest.mark.parametrize("step_by_step", [False, True])
def test_moves_between_areas_are_the_moves_of_play(rich_dungeons: Known, step_by_step: bool):
    for dungeon, truth in rich_dungeons:
        maze = build_maze(play.lay_out(dungeon), step_by_step=step_by_step)
        expected: dict[tuple[int, int], set[tuple[int, int]]] = {}
        for state, moves in truth.states.items():
            here = locate_state(maze, as_played(state))
            assert here is not None
            results = {locate_state(maze, as_played(after)) for after in moves.values()}
            expected.setdefault(here, set()).update(results - {here, None})
        for (area, bits), results in expected.items():
            made = {(move.target, make_move(maze, move, bits)) for move in maze.moves[area]}
            assert {(target, after) for target, after in made if after is not None} - {(area, bits)} == results


@pytest.mark.parametrize("step_by_step", [False, True])
def test_regions_of_areas_are_regions_of_tiles(rich_dungeons: Known, step_by_step: bool):
    for dungeon, truth in rich_dungeons:
        maze = build_maze(play.lay_out(dungeon), step_by_step=step_by_step)
        for state in list(truth.states)[:60]:
            if truth.twin.is_won(state):
                continue
            tiles = still_region(truth.twin, state) if step_by_step else truth.twin.region(state)
            located = [locate_state(maze, as_played(state._replace(place=place))) for place in tiles]
            here = locate_state(maze, as_played(state))
            assert here is not None
            area, bits = here
            region = find_region(maze, area, bits)
            assert region == {there[0] for there in located if there}
            assert find_regions(maze, [area], bits) == {area: region}


def test_what_is_said_to_be_held_for_sure_is_held(rich_dungeons: Known):
    for dungeon, truth in rich_dungeons:
        maze = build_maze(play.lay_out(dungeon))
        sure = find_sure_things(maze)
        for state in truth.states:
            here = locate_state(maze, as_played(state))
            assert here is not None
            assert sure[here[0]] & ~here[1] == 0


def some_of(bits: int, dice: Random) -> int:
    chosen = 0
    while bits:
        chosen |= bits & -bits if dice.random() < 0.5 else 0
        bits &= bits - 1
    return chosen


def with_names(maze: Maze, bits: int) -> int:
    """Return the bits with the names of items that were taken by number, as every situation must have them."""
    for number, bit in maze.ledger.pickups.items():
        pickup = maze.board.dungeon.pickups[number]
        if pickup.kind == "item" and bits & bit:
            bits |= maze.ledger.items[pickup.name]
    return bits


def test_more_ordinary_things_never_bar_a_move_nor_change_what_it_does(rich_dungeons: Known):
    """Also where no play leads to such holdings, for a certificate may list them."""
    compared = 0
    for number, (dungeon, truth) in enumerate(rich_dungeons):
        dice = Random(number)
        maze = build_maze(play.lay_out(dungeon))
        ledger = maze.ledger
        for state in list(truth.states)[:100] if ledger.holdings else ():
            here = locate_state(maze, as_played(state))
            assert here is not None
            area, bits = here
            less = with_names(maze, (bits & ~some_of(ledger.holdings, dice)) | ledger.carried)
            more = with_names(maze, less | some_of(ledger.holdings, dice))
            assert complete(maze, area, less)[0] & ~complete(maze, area, more)[0] == 0
            for move in maze.moves[area]:
                poor, rich = make_move(maze, move, less), make_move(maze, move, more)
                if poor is not None:
                    assert rich is not None
                    assert poor & ~rich == 0
                    assert (poor ^ rich) & ~ledger.holdings == 0
                    assert is_calm(maze, move, more) or not is_calm(maze, move, less)
                    compared += 1
    assert compared > 10 * len(rich_dungeons)


# The forms


def made_up_lists(truth: Truth, situations: list[dict[str, Any]], dice: Random) -> Iterator[list[dict[str, Any]]]:
    """Yield lists in which situations have, or lack, what others have, or what no state has."""
    dungeon = truth.twin.dungeon
    for _ in range(6):
        changed = [dict(situation) for situation in situations]
        for _ in range(dice.choice((1, 1, 2, 3))):
            one, other = dice.choice(changed), dice.choice(situations)
            part = dice.choice(list(one))
            one[part] = other[part]
            if part == "taken":
                one[part] = sorted({*one[part], dice.randrange(len(dungeon.pickups) + 1)})
            elif part == "items" and dungeon.pickups:
                one[part] = sorted({*one[part], dice.choice(dungeon.pickups).name})
            elif part == "stock":
                one[part] = [[name, number + dice.choice((-1, 1))] for name, number in other[part]]
        yield [situation for number, situation in enumerate(changed) if situation not in changed[:number]]


def test_closed_sets_are_accepted_only_where_no_goal_can_be_reached(rich_dungeons: Known):
    accepted = tried = 0
    for number, (dungeon, truth) in enumerate(rich_dungeons):
        dice = Random(number)
        states, _ = listed(truth.twin, truth.first, dice, saturate=True)
        assert accepts(dungeon, "closed set", states=states) == (not truth.solvable)
        accepted += not truth.solvable
        for spoilt in (*spoilt_lists(states, dice), *made_up_lists(truth, states, dice)) if states else ():
            tried += 1
            if accepts(dungeon, "closed set", states=spoilt):
                assert not truth.solvable
    assert accepted > len(rich_dungeons) // 10
    assert tried > 8 * len(rich_dungeons)


def test_lost_walks_are_accepted_only_where_one_can_lose(rich_dungeons: Known):
    accepted = 0
    for number, (dungeon, truth) in enumerate(rich_dungeons):
        dice = Random(number)
        dead = {state for state in truth.depths if state not in truth.alive}
        won = {state for state in truth.states if truth.twin.is_won(state)}
        for candidate in random_walks(truth, dice):
            *_, before, end = (truth.first, *(state for _, state in candidate))
            states, _ = listed(truth.twin, end, dice, saturate=True)
            rescue = moves_to(truth.states, before, won) or []
            walk = [move for move, _ in candidate]
            for some in (states, *spoilt_lists(states, dice)) if states else ():
                if accepts(dungeon, "lost walk", walk=walk, states=some, rescue=rescue):
                    assert end in dead
                    assert before in truth.alive
        walk_to_dead = moves_to(truth.allowed, truth.first, dead)
        assert (walk_to_dead is not None) == truth.losable
        if walk_to_dead is None:
            continue
        trail = [truth.first]
        for move in walk_to_dead:
            trail.append(truth.states[trail[-1]][move])
        states, _ = listed(truth.twin, trail[-1], dice, saturate=True)
        rescue = (moves_to(truth.states, trail[-2], won) or []) if walk_to_dead else []
        assert accepts(dungeon, "lost walk", walk=walk_to_dead, states=states, rescue=rescue)
        assert not rescue or not accepts(dungeon, "lost walk", walk=walk_to_dead, states=states, rescue=[])
        accepted += 1
    assert accepted > len(rich_dungeons) // 5


@pytest.mark.parametrize("completed", ["what one gets to with everything", "all there is", "nothing"])
def test_safe_is_accepted_only_where_nobody_can_lose(rich_dungeons: Known, completed: str):
    form = "safe, step by step" if completed == "nothing" else "safe"
    accepted = refused = 0
    for number, (dungeon, truth) in enumerate(rich_dungeons):
        dice = Random(number)
        also = truth.depths if completed == "all there is" else ()
        states, ranks = listed(truth.twin, truth.first, dice, saturate=form == "safe", also=also)
        found = violations(dungeon, certificate(dungeon, form, states=states, ranks=ranks))
        accepted += not found
        if not found:
            assert not truth.losable
        elif form != "safe":
            # Step by step proves that nobody can lose, which may be false where only the thorough never do.
            assert len(truth.alive) < len(truth.states)
        elif not found[0].startswith("there are pickups that may go again"):
            assert truth.losable or dungeon.rules.player == "any"
            refused += not truth.losable
        made_up = [(lists, ranks[: len(lists)]) for lists in made_up_lists(truth, states, dice)] if states else []
        for spoilt_states, spoilt_ranks in (*spoilt_safe(states, ranks, dice), *made_up):
            if accepts(dungeon, form, states=spoilt_states, ranks=spoilt_ranks):
                assert not truth.losable
    assert accepted > len(rich_dungeons) // 10
    assert refused <= accepted // 5
