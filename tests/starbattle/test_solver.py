"""Answers: the right verdict with the right form of certificate, UNKNOWN whenever the budget ends first."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

import solvent
from helpers.examples import examples_of
from solvent.core.answer import Answer, Cause, Reason, Verdict
from solvent.core.budget import Budget, Cancellation
from solvent.core.events import Event, Kind
from solvent.starbattle.cells import parse_cell
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver import deciding
from solvent.starbattle.solver.counting import count_solutions
from solvent.starbattle.solver.deciding import decide
from solvent.starbattle.solver.refutation import Refutation, refute
from starbattle.brute_force import Cells, is_solution, solutions

TWO_WAYS = puzzle_of("AABB AABB CCDD CCDD", 1)
NO_WAY = puzzle_of("AAAA ABBA CBBD CCDD", 1)
FORMS = {
    ("solvable", Verdict.YES): "stars",
    ("solvable", Verdict.NO): "refutation",
    ("unique", Verdict.YES): "only solution",
}


@cache
def boards() -> list[tuple[Puzzle, list[Cells]]]:
    """Return boards with none, one and many solutions."""
    dice = Random(77)
    made = []
    for number in range(90):
        size, stars = ((5, 1), (6, 1), (8, 2))[number % 3]
        make = solvable_puzzle if number % 4 else random_puzzle
        puzzle = make(dice, size, stars, connected=number % 5 > 0, marks=dice.choice((0, 0, 3)))
        made.append((puzzle, solutions(puzzle, most=2)))
    assert {len(found) for _, found in made} == {0, 1, 2}
    return made


@cache
def branching() -> list[tuple[Puzzle, list[Cells]]]:
    """Return boards that the kernel needs several positions to decide."""
    found = [(puzzle, expected) for puzzle, expected in boards() if count_solutions(puzzle, most=2).nodes > 2]
    assert len(found) > 10
    return found


def cells_of(puzzle: Puzzle, stars: list[list[int]]) -> Cells:
    return frozenset(row * puzzle.size + col for row, col in stars)


def expected_verdict(question: str, found: list[Cells]) -> Verdict:
    return Verdict.YES if (len(found) == 1 if question == "unique" else found) else Verdict.NO


def assert_right(puzzle: Puzzle, answer: Answer, expected: list[Cells]) -> None:
    """Compare an answer with the solutions there are; two are enough."""
    assert answer.verdict is expected_verdict(answer.question, expected), puzzle
    if answer.certificate is None:
        return
    form = FORMS.get((answer.question, answer.verdict), "two solutions" if expected else "refutation")
    assert answer.certificate["form"] == form
    if form in ("stars", "only solution"):
        stars = cells_of(puzzle, answer.certificate["stars"])
        assert is_solution(puzzle, stars)
        assert form == "stars" or [stars] == expected
    if form == "two solutions":
        one, other = (cells_of(puzzle, stars) for stars in answer.certificate["solutions"])
        assert one != other
        assert is_solution(puzzle, one)
        assert is_solution(puzzle, other)


@pytest.mark.parametrize("example", examples_of("starbattle"), ids=lambda example: example.name)
@pytest.mark.parametrize("question", ["solvable", "unique"])
@pytest.mark.parametrize("proof", [True, False])
def test_examples(example, question: str, proof: bool):
    puzzle = solvent.parse(example.text)
    answer = solvent.ask(puzzle, question, nodes=100_000, proof=proof)
    assert str(answer.verdict) == str(example.expected[question])
    assert answer.certified or not proof
    if answer.certificate is not None:
        solvent.check(puzzle, answer.certificate)


@pytest.mark.parametrize("question", ["solvable", "unique"])
def test_every_answer_is_that_of_brute_force_and_certified(question: str):
    for puzzle, expected in boards():
        answer = solvent.ask(puzzle, question)
        assert answer.certified
        assert answer.reason is None
        assert_right(puzzle, answer, expected)


class TestWithoutProof:
    def test_a_unique_board_comes_with_its_stars_all_the_same(self):
        seen = 0
        for puzzle, expected in boards():
            answer = solvent.ask(puzzle, "unique", proof=False)
            assert_right(puzzle, answer, expected)
            if answer.verdict is Verdict.YES:
                seen += 1
                assert not answer.certified
                named = [parse_cell(name, puzzle.size) for name in answer.stats["stars"].split()]
                assert [frozenset(named)] == expected
                assert named == sorted(named)
                assert answer.stats["stars"] in answer.because
                assert answer.stats["complete"]
            else:
                assert "stars" not in answer.stats
        assert seen > 20

    def test_what_costs_nothing_to_certify_is_certified(self):
        for puzzle, expected in boards():
            if expected:
                assert solvent.ask(puzzle, "solvable", proof=False).certified
            if len(expected) == 2:
                assert solvent.ask(puzzle, "unique", proof=False).certified

    @pytest.mark.parametrize("question", ["solvable", "unique"])
    def test_a_no_without_solutions_is_uncertified_and_says_why(self, question: str):
        answer = solvent.ask(NO_WAY, question, proof=False)
        assert (answer.verdict, answer.certified) == (Verdict.NO, False)
        assert answer.because == "There is no way to place the stars."
        assert (answer.stats["solutions"], answer.stats["complete"], answer.stats["conflicts"]) == (0, True, 0)


def test_what_the_stats_say():
    capped = solvent.ask(TWO_WAYS, "unique")
    assert {name: capped.stats[name] for name in ("solutions", "complete", "capped", "timed_out")} == {
        "solutions": 2,
        "complete": False,
        "capped": True,
        "timed_out": False,
    }
    assert "two differ in 4 stars" in capped.because
    spent = solvent.ask(branching()[0][0], "unique", nodes=1)
    assert (spent.stats["complete"], spent.stats["timed_out"], spent.stats["positions"]) == (False, True, 1)


def test_marks_without_a_way_are_named_in_the_reason():
    [solved] = solutions(replace(TWO_WAYS, marks=".*" + UNKNOWN * 14))
    wrong = next(cell for cell in range(16) if not any(cell in each for each in solutions(TWO_WAYS)))
    assert wrong not in solved
    marked = replace(TWO_WAYS, marks="".join(STAR if cell == wrong else UNKNOWN for cell in range(16)))
    answer = solvent.ask(marked)
    assert (answer.verdict, answer.certificate["form"]) == (Verdict.NO, "refutation")
    assert answer.because == "There is no way to place the stars that keeps the marks."


class TestBudgets:
    @pytest.mark.parametrize("question", ["solvable", "unique"])
    @pytest.mark.parametrize(
        ("limits", "cause"), [({"nodes": 0}, Cause.NODES), ({"seconds": 0}, Cause.TIME), ({"seconds": 0.0}, Cause.TIME)]
    )
    def test_nothing_allowed_is_unknown(self, question: str, limits: dict[str, float], cause: Cause):
        for puzzle in (TWO_WAYS, NO_WAY):
            answer = solvent.ask(puzzle, question, **limits)
            assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, cause)

    @pytest.mark.parametrize("question", ["solvable", "unique"])
    def test_cancelled_is_unknown(self, question: str):
        cancellation = Cancellation()
        cancellation.cancel()
        answer = solvent.ask(NO_WAY, question, cancellation=cancellation)
        assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.CANCELLED)

    @pytest.mark.parametrize("proof", [True, False])
    @pytest.mark.parametrize("question", ["solvable", "unique"])
    def test_any_budget_gives_the_right_answer_or_none(self, question: str, proof: bool):
        unknown = known = 0
        for puzzle, expected in branching()[:12]:
            for nodes in (1, 2, 3, 5, 9, 17, 33):
                answer = solvent.ask(puzzle, question, nodes=nodes, proof=proof)
                if answer.verdict is Verdict.UNKNOWN:
                    unknown += 1
                    assert answer.reason.cause is Cause.NODES
                else:
                    known += 1
                    assert_right(puzzle, answer, expected)
                assert answer.stats["positions"] <= nodes  # conflicts are counted only from restart to restart
        assert unknown > 10
        assert known > 10

    def test_the_search_writes_its_proof_as_it_goes(self):
        """As many positions as the search visits are enough for a checked answer; one less is not."""
        seen = 0
        for puzzle, expected in boards():
            if len(expected) > 1:
                continue
            positions = solvent.ask(puzzle, "unique").stats["positions"]
            answer = solvent.ask(puzzle, "unique", nodes=positions)
            assert (answer.verdict, answer.certified) == (Verdict.YES if expected else Verdict.NO, True)
            assert answer.stats["positions"] == positions
            cut = solvent.ask(puzzle, "unique", nodes=positions - 1)
            assert (cut.verdict, cut.reason.cause) == (Verdict.UNKNOWN, Cause.NODES)
            seen += 1
        assert seen > 20

    def test_a_proof_that_the_cdcl_solver_does_not_finish_leaves_it_open(self, monkeypatch: pytest.MonkeyPatch):
        """What was decided without a proof is UNKNOWN if the proof is wanted and not finished."""
        monkeypatch.setattr(deciding, "POSITIONS_FIRST_TURN", 1)
        cancellation = Cancellation()
        stages = []

        def stop_the_proof(event: Event) -> None:
            if event.kind is Kind.STAGE:
                stages.append(event.message)
                cancellation.cancel()

        puzzle = next(puzzle for puzzle, expected in branching() if len(expected) == 1)
        answer = solvent.ask(puzzle, "unique", cancellation=cancellation, listen=stop_the_proof)
        assert len(stages) == 1
        assert (answer.verdict, answer.reason.cause) == (Verdict.UNKNOWN, Cause.CANCELLED)


def test_the_same_question_gets_the_same_answer():
    for puzzle, _ in branching()[:20]:
        one, other = solvent.ask(puzzle, "unique"), solvent.ask(puzzle, "unique")
        assert (one.verdict, one.certificate, one.stats) == (other.verdict, other.certificate, other.stats)


class TestTurns:
    """Search and CDCL solver take turns; with turns of one node, on every board."""

    @pytest.fixture(autouse=True)
    def _short_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(deciding, "POSITIONS_FIRST_TURN", 1)
        monkeypatch.setattr(deciding, "CONFLICTS_FIRST_TURN", 1)

    @pytest.mark.parametrize("growth", [1, 4])
    @pytest.mark.parametrize("proof", [True, False])
    @pytest.mark.parametrize("question", ["solvable", "unique"])
    def test_answers_stay_right(self, monkeypatch: pytest.MonkeyPatch, question: str, proof: bool, growth: int):
        monkeypatch.setattr(deciding, "GROWTH", growth)
        learned = 0
        for puzzle, expected in boards():
            answer = solvent.ask(puzzle, question, proof=proof, nodes=10_000)
            assert_right(puzzle, answer, expected)
            assert answer.certified or not proof
            learned += answer.stats["conflicts"] > 0
        assert learned > 3

    @pytest.mark.parametrize("most", [1, 2])
    @pytest.mark.parametrize("proof", [True, False])
    def test_decisions_are_complete_only_if_they_are(self, most: int, proof: bool):
        both = by_cdcl = 0
        for puzzle, expected in branching():
            decision = decide(puzzle, most, Budget().start(), proof=proof)
            found = [frozenset(solution) for solution in decision.solutions]
            assert len(set(found)) == len(found) <= most
            assert all(is_solution(puzzle, each) for each in found)
            assert decision.complete or len(found) == most
            if decision.complete:
                assert set(found) == set(expected)
            assert decision.reason is None
            assert (decision.proof is None) or proof
            both += decision.positions > 0 and decision.conflicts > 0
            by_cdcl += decision.proof is not None
        assert both > 3
        assert by_cdcl > 3 or not proof or most == 1

    def test_they_are_the_same_every_time(self):
        for puzzle, _ in branching()[:15]:
            assert len({repr(decide(puzzle, 2, Budget().start(), proof=True)) for _ in range(3)}) == 1

    def test_every_budget_is_kept(self):
        for puzzle, expected in branching()[:6]:
            enough = decide(puzzle, 2, Budget().start(), proof=False)
            for nodes in range(enough.positions + enough.conflicts + 2):
                meter = Budget(nodes=nodes).start()
                decision = decide(puzzle, 2, meter, proof=False)
                assert decision.positions + decision.conflicts == meter.nodes
                assert decision.positions <= nodes
                assert decision.conflicts == 0 or decision.positions < nodes
                if decision.complete:
                    assert set(map(frozenset, decision.solutions)) == set(expected)
                elif len(decision.solutions) < 2:
                    assert decision.reason is not None
                    assert decision.reason.cause is Cause.NODES


def test_larger_boards_take_turns(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(deciding, "POSITIONS_FIRST_TURN", 2)
    monkeypatch.setattr(deciding, "CONFLICTS_FIRST_TURN", 2)
    dice = Random(4)
    turned, verdicts = 0, set()
    for number in range(24):
        puzzle = solvable_puzzle(dice, 10, 2, marks=(0, 10, 20, 30)[number % 4])
        answer = solvent.ask(puzzle, "unique", proof=False)
        counted = count_solutions(puzzle, most=2)
        assert answer.verdict is (Verdict.YES if counted.count == 1 else Verdict.NO)
        turned += answer.stats["conflicts"] > 0
        verdicts.add(answer.verdict)
    assert turned > 3
    assert verdicts == {Verdict.YES, Verdict.NO}


@pytest.mark.parametrize(("size", "stars", "count"), [(6, 1, 40), (9, 2, 30), (10, 2, 30), (13, 3, 6)])
def test_kernel_and_cdcl_solver_agree(size: int, stars: int, count: int):
    """On boards too large for brute force: whether there is a solution, and whether there is another."""
    dice = Random(size)
    seen = []
    for number in range(count):
        make = solvable_puzzle if number % 2 else random_puzzle
        puzzle = make(dice, size, stars, connected=number % 3 > 0, marks=number % 4)
        counted = count_solutions(puzzle, most=2)
        assert counted.complete or counted.capped
        found = refute(puzzle, Budget().start(), proof=False)
        assert not isinstance(found, Reason)
        assert isinstance(found, Refutation) == (counted.count == 0)
        if counted.count:
            assert is_solution(puzzle, frozenset(found))
            other = refute(puzzle, Budget().start(), other_than=counted.solutions[0], proof=False)
            assert isinstance(other, Refutation) == (counted.count == 1)
        seen.append(counted.count)
    assert min(seen) == 0
    assert max(seen) == 2
