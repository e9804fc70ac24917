"""Answers against brute force, in dungeons with every mechanic, question by question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from torture.judges.dungeon import (
    State,
    Truth,
    Twin,
    dead_states,
    play,
    shortest_collecting_plan,
    to_collect,
    truth,
    verdict,
)

import solvent
from dungeon.strategies import random_rich_dungeon
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Answer, Cause, Verdict
from solvent.core.errors import UnsoundAnswer
from solvent.dungeon.model import Dungeon
from solvent.registry import get_domain

QUESTIONS = ("solvable", "losable", "collectable", "accessible", "monotone")
QUICK = range(60)
SECONDS = 60.0
"""Far more than any of them takes: one that hangs must not keep the others from being looked at."""
MANY = [range(first, first + 250) for first in range(1_000, up_to(1_250, deep=4_000), 250)]


@cache
def _truth(seed: int) -> Truth:
    return truth(random_rich_dungeon(seed))


def expected_verdict(seed: int, question: str) -> Verdict:
    """Return what is true, by looking at every state."""
    if question in ("solvable", "losable"):
        known = _truth(seed)
        found = (known.plan if question == "solvable" else known.lost) is not None
    else:
        found = verdict(random_rich_dungeon(seed), question)
    return Verdict.YES if found else Verdict.NO


def _played(dungeon: Dungeon, moves: Sequence[str]) -> State:
    state = play(dungeon, moves)
    assert state is not None, (dungeon, moves)
    return state


def assert_plan_is_right(seed: int, dungeon: Dungeon, answer: Answer) -> None:
    """Play a plan by the rule book, and compare its length with the shortest."""
    assert answer.certificate is not None
    plan = answer.certificate["plan"]
    state = _played(dungeon, plan)
    assert state.place in dungeon.goals
    shortest = _truth(seed).plan
    if answer.question == "collectable":
        assert state.taken >= to_collect(dungeon)
        shortest = shortest_collecting_plan(dungeon)
    assert shortest is not None
    assert len(plan) >= shortest
    assert not answer.stats.get("shortest") or len(plan) == shortest, (dungeon, plan)


def assert_walk_is_right(seed: int, dungeon: Dungeon, answer: Answer) -> None:
    """Play a walk by the rule book: it ends where nothing helps, and a move earlier something did."""
    assert answer.certificate is not None
    walk, rescue = answer.certificate["walk"], answer.certificate["rescue"]
    assert _played(dungeon, walk) in dead_states(dungeon)
    shortest = _truth(seed).lost
    assert shortest is not None
    assert len(walk) >= shortest
    assert not answer.stats.get("shortest") or len(walk) == shortest, (dungeon, walk)
    if walk:
        assert _played(dungeon, [*walk[:-1], *rescue]).place in dungeon.goals
        if dungeon.rules.player == "thorough":
            twin = Twin(dungeon)
            for number, move in enumerate(walk):
                assert twin.is_thorough(_played(dungeon, walk[:number]), move), (dungeon, walk, number)


def compare(seed: int, question: str, **options: bool) -> Answer:
    """Ask about a random dungeon, and hold what the answer shows against the rule book."""
    dungeon = random_rich_dungeon(seed)
    answer = solvent.ask(dungeon, question, seconds=SECONDS, **options)
    if answer.certificate is not None and answer.verdict is expected_verdict(seed, question):
        if answer.certificate["form"] == "plan":
            assert_plan_is_right(seed, dungeon, answer)
        if answer.certificate["form"] == "lost walk":
            assert_walk_is_right(seed, dungeon, answer)
    return answer


def is_open(answer: Answer) -> bool:
    """Tell whether no proof is known for a dungeon: a documented limit, and not one of the budget."""
    return answer.reason is not None and answer.reason.cause is Cause.INCOMPLETE


def ask_all(seeds: range, question: str, **options: bool) -> tuple[list[Answer], list[str]]:
    """Return the answers that are true or leave it open, and say for which seeds there is none, and why."""
    answers, differences = [], []
    for seed in seeds:
        try:
            answer = compare(seed, question, **options)
        except (AssertionError, UnsoundAnswer) as error:
            differences.append(f"{seed}: {type(error).__name__}: {str(error)[:200]}")
            continue
        expected = expected_verdict(seed, question)
        if answer.verdict is expected or is_open(answer):
            answers.append(answer)
        else:
            differences.append(f"{seed}: {answer.verdict.value}, not {expected.value} ({answer.reason})")
    return answers, differences


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("seeds", [QUICK, *slow(MANY)], ids=str)
def test_every_answer_is_that_of_brute_force(question: str, seeds: range):
    answers, differences = ask_all(seeds, question)
    assert differences == []
    assert all(answer.certified for answer in answers if not is_open(answer))
    assert sum(map(is_open, answers)) <= len(seeds) // 50
    found = Counter(answer.verdict for answer in answers)
    assert min(found[Verdict.YES], found[Verdict.NO]) >= len(seeds) // 15


@pytest.mark.parametrize("options", [{"proof": False}, {"shortest": False}], ids=str)
@pytest.mark.parametrize("question", ["solvable", "losable"])
@pytest.mark.parametrize("seeds", [range(20), *slow([range(20, up_to(100, deep=500))])], ids=str)
def test_other_ways_to_ask(question: str, options: dict[str, bool], seeds: range):
    _, differences = ask_all(seeds, question, **options)
    assert differences == []


def test_every_question_is_known():
    assert set(get_domain("dungeon").questions) >= set(QUESTIONS)
