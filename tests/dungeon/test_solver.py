"""Answers against the twin: verdicts, lengths and certificates of dungeons with all mechanics."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from torture.judges.dungeon import Truth, Twin, all_states, dead_states, play, truth

import solvent
from dungeon.dungeons import KNOWN
from dungeon.strategies import random_dungeon, random_truth
from helpers.depth import up_to
from helpers.marks import slow
from solvent.core.answer import Answer, Cause, Verdict
from solvent.core.budget import Cancellation
from solvent.dungeon.model import Dungeon

FORMS = {
    ("solvable", Verdict.YES): {"plan"},
    ("solvable", Verdict.NO): {"closed set"},
    ("losable", Verdict.YES): {"lost walk"},
    ("losable", Verdict.NO): {"safe", "safe, step by step", "surplus", "within reach"},
}


def expected_verdict(question: str, known: Truth) -> Verdict:
    """Return what is true."""
    found = known.plan if question == "solvable" else known.lost
    return Verdict.NO if found is None else Verdict.YES


def assert_right(dungeon: Dungeon, answer: Answer, known: Truth) -> None:
    """Compare an answer with the truth, and what it shows with the rules."""
    assert answer.verdict is expected_verdict(answer.question, known), dungeon
    assert answer.reason is None
    certificate = answer.certificate
    if certificate is None:
        return
    assert certificate["form"] in FORMS[answer.question, answer.verdict]
    if certificate["form"] == "plan":
        assert_plan_wins(dungeon, certificate["plan"])
        assert known.plan is not None
        assert len(certificate["plan"]) >= known.plan
        assert not answer.stats["shortest"] or len(certificate["plan"]) == known.plan, dungeon
    if certificate["form"] == "lost walk":
        assert known.lost is not None
        assert len(certificate["walk"]) >= known.lost
        assert not answer.stats["shortest"] or len(certificate["walk"]) == known.lost, dungeon
        assert_walk_loses(dungeon, certificate["walk"], certificate["rescue"])


def assert_plan_wins(dungeon: Dungeon, plan: list[str]) -> None:
    """Play a plan by the rule book."""
    state = play(dungeon, plan)
    assert state is not None, (dungeon, plan)
    assert state.place in dungeon.goals


def assert_walk_loses(dungeon: Dungeon, walk: list[str], rescue: list[str]) -> None:
    """Play a walk by the rule book: it ends where nothing helps, and a move earlier something did."""
    state = play(dungeon, walk)
    assert state is not None, (dungeon, walk)
    assert state in dead_states(dungeon)
    if walk:
        assert_plan_wins(dungeon, [*walk[:-1], *rescue])
        if dungeon.rules.player == "thorough":
            twin = Twin(dungeon)
            for number, move in enumerate(walk):
                before = play(dungeon, walk[:number])
                assert before is not None
                assert twin.is_thorough(before, move), (dungeon, walk, number)
    else:
        assert rescue == []


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("question", ["solvable", "losable"])
@pytest.mark.parametrize("player", ["any", "thorough"])
def test_known_dungeons(name: str, question: str, player: str):
    dungeon = KNOWN[name].dungeon
    dungeon = replace(dungeon, rules=replace(dungeon.rules, player=player))
    for options in ({}, {"shortest": False}, {"proof": False}):
        answer = solvent.ask(dungeon, question, **options)
        assert answer.certified or "proof" in options
        assert_right(dungeon, answer, truth(dungeon))


@pytest.mark.parametrize("question", ["solvable", "losable"])
class TestRandomDungeons:
    @pytest.mark.parametrize("seeds", [range(150), *slow([range(150, 300)])], ids=str)
    def test_every_answer_is_that_of_brute_force(self, question: str, seeds: range):
        forms: Counter[str] = Counter()
        for seed in seeds:
            dungeon = random_dungeon(seed)
            answer = solvent.ask(dungeon, question)
            assert answer.certified
            assert_right(dungeon, answer, random_truth(seed))
            assert answer.certificate is not None
            forms[answer.certificate["form"]] += 1
            assert answer.verdict is Verdict.NO or answer.stats["shortest"]  # they are small enough for that
        expected = {form for (asked, _), names in FORMS.items() for form in names if asked == question}
        assert set(forms) == expected - {"within reach"}  # for large ones only; test_easier.py
        assert min(forms.values()) > len(seeds) // 30

    @pytest.mark.parametrize("seeds", [range(80), *slow([range(80, 200)])], ids=str)
    def test_the_verdict_is_the_same_without_proof(self, question: str, seeds: range):
        for seed in seeds:
            answer = solvent.ask(random_dungeon(seed), question, proof=False)
            assert_right(random_dungeon(seed), answer, random_truth(seed))

    def test_any_plan_or_walk_where_the_shortest_is_not_asked_for(self, question: str):
        for seed in range(up_to(80, deep=150)):
            answer = solvent.ask(random_dungeon(seed), question, shortest=False)
            assert answer.certified
            assert_right(random_dungeon(seed), answer, random_truth(seed))

    def test_the_same_question_has_the_same_answer(self, question: str):
        for seed in range(40):
            one, other = (solvent.ask(random_dungeon(seed), question) for _ in range(2))
            assert one.certificate == other.certificate

    @pytest.mark.slow
    def test_many(self, question: str):
        for seed in range(10_000, up_to(10_400, deep=13_000)):
            dungeon = random_dungeon(seed)
            answer = solvent.ask(dungeon, question)
            assert answer.certified
            assert_right(dungeon, answer, random_truth(seed))


class TestThePosition:
    def test_questions_are_about_the_position_after_the_moves_played(self):
        dungeon = KNOWN["the wrong lock"].dungeon
        lost = replace(dungeon, played=("W", "E", "S"))
        assert solvent.ask(dungeon, "solvable").verdict is Verdict.YES
        assert solvent.ask(lost, "solvable").verdict is Verdict.NO
        answer = solvent.ask(lost, "losable")
        assert answer.verdict is Verdict.YES
        assert answer.certificate is not None
        assert answer.certificate["walk"] == []

    def test_every_position_of_a_dungeon(self):
        """Ask at each state of a few dungeons, led there by moves."""
        for name in ("the wrong lock", "a drop past the key", "past the lever without the key"):
            dungeon = KNOWN[name].dungeon
            dead = dead_states(dungeon)
            for state, moves in walks_of(dungeon).items():
                here = replace(dungeon, played=moves)
                answer = solvent.ask(here, "solvable")
                assert answer.verdict is (Verdict.NO if state in dead else Verdict.YES)


def walks_of(dungeon: Dungeon) -> dict[object, tuple[str, ...]]:
    """Return every state that can be reached, with moves that lead there."""
    states = all_states(dungeon)
    walks: dict[object, tuple[str, ...]] = {next(iter(states)): ()}
    for state, moves in states.items():  # nearest first, so each state is led to before it is left
        for move, after in moves.items():
            walks.setdefault(after, (*walks[state], move))
    return walks


class TestBudgets:
    @pytest.mark.parametrize("question", ["solvable", "losable"])
    def test_a_small_budget_gives_the_truth_or_nothing(self, question: str):
        unknown = 0
        for seed in range(up_to(30, deep=60)):
            for nodes in (0, 1, 3, 10, 40):
                answer = solvent.ask(random_dungeon(seed), question, nodes=nodes)
                if answer.verdict is Verdict.UNKNOWN:
                    unknown += 1
                    assert answer.reason is not None
                    assert answer.reason.cause is Cause.NODES
                    assert answer.certificate is None
                else:
                    assert answer.verdict is expected_verdict(question, random_truth(seed))
        assert unknown > 10

    @pytest.mark.parametrize("question", ["solvable", "losable"])
    def test_who_cancels_gets_no_verdict_that_is_wrong(self, question: str):
        cancellation = Cancellation()
        cancellation.cancel()
        for seed in range(10):
            answer = solvent.ask(random_dungeon(seed), question, cancellation=cancellation)
            if answer.verdict is Verdict.UNKNOWN:
                assert answer.reason is not None
                assert answer.reason.cause is Cause.CANCELLED
            else:
                assert answer.verdict is expected_verdict(question, random_truth(seed))
