"""Hypotheses, nested ones and uniqueness: every application is true, can be checked, and is the same every time."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

import solvent
from helpers.marks import slow
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.proof.certificate import make_certificate
from solvent.starbattle.checker import violations
from solvent.starbattle.hints.application import Application, OutOfWork, Work, pairs
from solvent.starbattle.hints.chains import find_chain, replay, scratch_of
from solvent.starbattle.hints.chains.rules import Memory
from solvent.starbattle.hints.flow import share_out_lines
from solvent.starbattle.hints.position import Position, cells_in, position_of
from solvent.starbattle.hints.techniques import BASIC, hypothesis, nested_hypothesis, technique, uniqueness
from solvent.starbattle.hints.techniques.uniqueness import OnlySolution, prove_only_solution
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.counting import count_solutions
from solvent.starbattle.solver.probing import failing_marks
from starbattle.brute_force import solutions

NODES = 200_000


def certificate(position: Position, application: Application) -> dict[str, Any]:
    # Through JSON, as a saved certificate would go.
    made = make_certificate(
        "starbattle",
        "forced",
        Verdict.YES,
        "explained step",
        technique=application.technique,
        stars=pairs(application.stars, position.size),
        crosses=pairs(application.crosses, position.size),
        witness=application.witness,
    )
    loaded: dict[str, Any] = json.loads(json.dumps(made))
    return loaded


def assert_true(position: Position, application: Application, every: list[frozenset[int]]) -> None:
    decided = application.stars | application.crosses
    assert decided
    assert decided & ~position.unknown == 0
    assert all(cell in solution for cell in cells_in(application.stars) for solution in every)
    assert not any(cell in solution for cell in cells_in(application.crosses) for solution in every)
    assert violations(position.puzzle, certificate(position, application)) == []
    assert application.because.endswith(".")
    assert all(line.endswith(".") for line in application.proof)


def marked_from_solution(random: Random, puzzle: Puzzle, share: float) -> Puzzle:
    """Mark some cells as one of the solutions has them."""
    solution = random.choice(solutions(puzzle))
    marks = [UNKNOWN] * puzzle.size**2
    for cell in range(puzzle.size**2):
        if random.random() < share:
            marks[cell] = STAR if cell in solution else CROSS
    return replace(puzzle, marks="".join(marks))


def small_positions(seed: int, count: int) -> list[Position]:
    random = Random(seed)
    found = []
    for number in range(count):
        size, stars = ((5, 1), (6, 1), (6, 1), (8, 2))[number % 4]
        puzzle = solvable_puzzle(random, size, stars, connected=number % 3 > 0)
        found.append(position_of(marked_from_solution(random, puzzle, random.choice([0.0, 0.1, 0.3]))))
    return found


def test_probes_find_only_marks_that_no_solution_has():
    counts = {STAR: 0, CROSS: 0}
    for position in small_positions(1, 60):
        every = solutions(position.puzzle)
        for value in (STAR, CROSS):
            for failure in failing_marks(position.puzzle, value):
                assert not any((failure.cell in solution) == (value == STAR) for solution in every)
                assert failure.removed >= 0
                counts[value] += 1
    assert counts[STAR] > 300
    assert counts[CROSS] > 30


def test_probes_of_marks_that_contradict_each_other_find_nothing():
    rows = puzzle_of("AAAA BBBB CCCC DDDD", 1)
    assert failing_marks(replace(rows, marks="**" + UNKNOWN * 14), STAR) == []
    assert failing_marks(replace(rows, marks=CROSS * 4 + UNKNOWN * 12), STAR) == []


@pytest.mark.parametrize("boards", [20, *slow([60])])
def test_every_hypothesis_on_small_boards_is_true(boards: int):
    counts = {"star": 0, "cross": 0, "steps": 0}
    for position in small_positions(2, boards):
        every = solutions(position.puzzle)
        decided: set[tuple[int, int]] = set()
        for application in hypothesis.find(position, Work()):
            assert_true(position, application, every)
            assert application.technique == hypothesis.NAME
            conclusion = (application.stars, application.crosses)
            assert conclusion not in decided
            decided.add(conclusion)
            counts[application.witness["value"]] += 1
            counts["steps"] += len(application.witness["steps"])
    assert counts["star"] > 5 * boards
    assert counts["cross"] > boards // 2
    assert counts["steps"] > 5 * boards


def test_small_failing_probes_can_nearly_all_be_explained():
    failing = explained = 0
    for position in small_positions(3, 60):
        base, memory = scratch_of(position), Memory()
        for failure in failing_marks(position.puzzle, STAR):
            failing += 1
            explained += find_chain(base, failure.cell, star=True, memory=memory, work=Work()) is not None
    assert failing > 300
    assert explained >= 0.98 * failing


def test_no_step_of_a_chain_can_be_left_out():
    steps = 0
    for position in small_positions(4, 40):
        base, memory = scratch_of(position), Memory()
        for failure in failing_marks(position.puzzle, STAR):
            chain = find_chain(base, failure.cell, star=True, memory=memory, work=Work())
            if chain is None:
                continue
            assert replay(base, chain, memory) == chain
            for index in range(len(chain.moves)):
                shorter = structs.replace(chain, moves=chain.moves[:index] + chain.moves[index + 1 :])
                assert replay(base, shorter, memory) is None
                steps += 1
    assert steps > 200


def test_the_steps_matter_to_the_checker():
    rejected = 0
    for position in small_positions(5, 30):
        for application in islice(hypothesis.find(position, Work()), 3):
            good = certificate(position, application)
            for index in range(len(application.witness["steps"])):
                bad = json.loads(json.dumps(good))
                del bad["witness"]["steps"][index]
                assert violations(position.puzzle, bad)
                rejected += 1
    assert rejected > 5


def test_a_hypothesis_is_told_in_a_few_lines():
    position = position_of(puzzle_of("AAAAAB CCCAAB CDDDBB CEDFFB EEEFFF EEEEEF", 1))
    application = next(iter(hypothesis.find(position, Work())))
    assert_true(position, application, solutions(position.puzzle))
    assert application.proof[0].startswith("Suppose that r")
    assert application.proof[-1].startswith("Then ")
    assert "would leave" in application.because
    assert len(application.proof) == 2 + len(application.witness["steps"])


def test_the_same_position_gives_the_same_applications():
    position = small_positions(2, 4)[3]
    first = list(hypothesis.find(position, Work()))
    assert first
    for _ in range(9):
        assert list(hypothesis.find(position, Work())) == first
    assert list(nested_hypothesis.find(position, Work())) == list(nested_hypothesis.find(position, Work()))


def test_work_ends_the_search():
    position = next(position for position in small_positions(2, 40) if len(list(hypothesis.find(position, Work()))) > 5)
    for allowed in (0, 10, 100):
        with pytest.raises(OutOfWork):
            list(hypothesis.find(position, Work(allowed)))
        with pytest.raises(OutOfWork):
            list(nested_hypothesis.find(position, Work(allowed)))


def test_nothing_is_supposed_on_a_solved_board():
    puzzle = solvable_puzzle(Random(8), 6, 1)
    solution = solutions(puzzle)[0]
    marks = "".join(STAR if cell in solution else UNKNOWN for cell in range(36))
    position = position_of(replace(puzzle, marks=marks))
    assert list(hypothesis.find(position, Work())) == []
    assert list(nested_hypothesis.find(position, Work())) == []


def test_sharing_out_finds_sets_that_hold_in_every_solution():
    tight = 0
    for position in small_positions(6, 40):
        every = solutions(position.puzzle)
        board = scratch_of(position)
        for columns in (False, True):
            sharing = share_out_lines(position.geometry, position.open, list(position.needs), columns=columns)
            assert sharing.possible
            for plus, minus in sharing.sets:
                outside = board.area(minus, plus)
                assert not any(cell in solution for cell in cells_in(outside) for solution in every)
                tight += outside != 0
    assert tight > 20


def test_sharing_out_shows_where_room_is_missing():
    missing = 0
    random = Random(7)
    for _ in range(200):
        puzzle = random_puzzle(random, 6, 1, marks=8)
        position = position_of(puzzle)
        if min(position.needs) < 0:
            continue
        for columns in (False, True):
            sharing = share_out_lines(position.geometry, position.open, list(position.needs), columns=columns)
            if not sharing.possible:
                assert solutions(puzzle) == []
                missing += 1
    assert missing > 20


@pytest.mark.parametrize("seeds", [range(12), *slow([range(12, 40)])], ids=str)
def test_every_nested_hypothesis_on_small_boards_is_true(seeds: range):
    counts = {hypothesis.NAME: 0, nested_hypothesis.NAME: 0}
    inside = 0
    for seed in seeds:
        random = Random(seed)
        position = position_of(solvable_puzzle(random, 8, 1, connected=False, marks=random.randrange(12)))
        every = solutions(position.puzzle)
        for application in islice(nested_hypothesis.find(position, Work()), 6):
            assert_true(position, application, every)
            counts[application.technique] += 1
            found = sum(step["technique"] == hypothesis.NAME for step in application.witness["steps"])
            assert (found > 0) == (application.technique == nested_hypothesis.NAME)
            inside += found
    assert counts[nested_hypothesis.NAME] > 15 * len(seeds) // 40
    assert inside >= counts[nested_hypothesis.NAME]


def unique_positions(seed: int, count: int) -> list[Position]:
    random = Random(seed)
    found = []
    while len(found) < count:
        puzzle = solvable_puzzle(random, random.choice([5, 6]), 1, connected=False)
        if len(solutions(puzzle, most=2)) == 1:
            found.append(position_of(marked_from_solution(random, puzzle, random.choice([0.3, 0.5, 0.7]))))
    return found


def test_uniqueness_is_true_and_can_be_checked():
    count = 0
    for position in unique_positions(9, 500):
        for application in uniqueness.find(position, Work(), only_solution=prove_only_solution):
            assert_true(position, application, solutions(position.puzzle))
            count += 1
    assert count > 5


def test_uniqueness_needs_a_proof():
    position = next(
        position
        for position in unique_positions(9, 150)
        if list(uniqueness.find(position, Work(), only_solution=prove_only_solution))
    )
    assert list(uniqueness.find(position, Work())) == []
    assert list(uniqueness.find(position, Work(), only_solution=lambda puzzle: None)) == []

    def pretend(puzzle: Puzzle) -> OnlySolution | None:
        proved = prove_only_solution(puzzle)
        return None if proved is None else structs.replace(proved, proof="0\n")

    for application in uniqueness.find(position, Work(), only_solution=pretend):
        assert violations(position.puzzle, certificate(position, application))


def test_only_one_solution_is_proved_where_there_is_one():
    rows = puzzle_of("AAAA BBBB CCCC DDDD", 1)
    assert prove_only_solution(rows) is None
    assert prove_only_solution(replace(rows, marks=CROSS * 16)) is None
    marked = replace(rows, marks=UNKNOWN + STAR + UNKNOWN * 14)
    proved = prove_only_solution(marked)
    assert proved is not None
    assert set(proved.stars) == solutions(marked)[0]
    assert prove_only_solution(marked, budget=Budget(nodes=0)) is None


@pytest.mark.corpus
def test_real_boards_get_a_step_everywhere(corpora: Path):
    """Where the simple techniques end on a 10×10 board, a hypothesis goes on, with a chain of few steps."""
    files = sorted((corpora / "starbattle" / "10-2").glob("*.txt"))[:8]
    if not files:
        pytest.skip(f"no Star Battle boards in {corpora}")
    lengths = []
    for path in files:
        puzzle = solvent.load(path)
        position = position_of(replace(puzzle, marks=UNKNOWN * puzzle.size**2))
        counted = count_solutions(position.puzzle, most=2, budget=Budget(nodes=NODES))
        assert counted.complete
        every = [frozenset(solution) for solution in counted.solutions]
        while position.unknown:
            application = next(
                (found for name in (*BASIC[:7], "hypothesis") for found in technique(name).find(position, Work())), None
            )
            assert application is not None, path.name
            if application.technique == hypothesis.NAME:
                assert_true(position, application, every)
                lengths.append(len(application.witness["steps"]))
            position = position.marked(stars=cells_in(application.stars), crosses=cells_in(application.crosses))
    assert len(lengths) > 10
    assert max(lengths) <= 8
