"""The solver's surplus arguments: the checker, written apart from it, accepts every one, and each is true."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from torture.judges.dungeon import truth

import solvent
from dungeon.strategies import random_dungeon, random_room_graph
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.dungeon.model import Dungeon
from solvent.dungeon.solver.areas import contract
from solvent.dungeon.solver.ground import ground_level
from solvent.dungeon.solver.surplus import find_surplus

HUB = """dungeon: A hub whose every leaf holds a key

map:
#############
#k#k#k#k#k#G#
#L#L#L#L#L#L#
#@....k....k#
#############
"""
GOAL_BETWEEN = """dungeon: A goal between locks

map:
#L.e
@GOk

legend:
  e = key x2
  O = lock (#1)

ways:
  0,1 -> 1,3: door
  1,0 <-> 1,2: stairs, lock (#1)
  1,3 -> 0,1: door, lock (#1)
"""
GOAL_AND_ELSEWHERE = """dungeon: One wall bars the goal and a closet
rules: bombs=2

map:
#######
#@.BbH#
#######

legend:
  B = cracked (the old wall)
  H = goal + cracked (the old wall)
"""


def has_surplus(dungeon: Dungeon) -> bool:
    ground = ground_level(dungeon)
    return find_surplus(ground, contract(ground, apart=False)) is not None


def test_a_hub_is_safe_without_counting_situations():
    answer = solvent.ask(solvent.parse(HUB), "losable")
    assert answer.verdict is Verdict.NO
    assert answer.certificate is not None
    assert answer.certificate["form"] == "surplus"
    assert answer.certificate["least"] == [[5, 2]]


def test_with_empty_leaves_it_says_nothing():
    empty = solvent.parse(HUB.replace("#k#k#k#k#k#", "#.#.#.#.#.#"))
    assert not has_surplus(empty)
    assert solvent.ask(empty, "losable").verdict is Verdict.YES


def test_a_gate_may_bar_a_goal_and_something_else():
    dungeon = solvent.parse(GOAL_AND_ELSEWHERE)
    assert has_surplus(dungeon)
    assert solvent.ask(dungeon, "losable").verdict is Verdict.NO


def test_nobody_goes_on_from_a_goal():
    """Through the goal one would get behind the second lock without having opened the first, but the game is over."""
    dungeon = solvent.parse(GOAL_BETWEEN)
    answer = solvent.ask(dungeon, "losable")
    assert answer.verdict is Verdict.NO
    assert answer.certified
    assert truth(dungeon).lost is None


@pytest.mark.parametrize("first", [0, *slow(range(200, up_to(400, deep=1200), 200))])
@pytest.mark.parametrize("make", [random_dungeon, random_room_graph])
def test_whatever_it_shows_is_accepted_and_true(make: Callable[[int], Dungeon], first: int):
    shown = 0
    for seed in range(first, first + 200):
        dungeon = make(seed)
        ground = ground_level(dungeon)
        if ground.game.is_won(ground.game.present_state()) or not has_surplus(dungeon):
            continue
        shown += 1
        answer = solvent.ask(dungeon, "losable")
        assert answer.verdict is Verdict.NO
        assert truth(dungeon).lost is None, dungeon
    assert shown >= 5


def test_it_is_the_same_every_time():
    seeds = Random(4).sample(range(1000), 20)
    for seed in seeds:
        ground = ground_level(random_dungeon(seed))
        areas = contract(ground, apart=False)
        assert find_surplus(ground, areas) == find_surplus(ground, areas)
