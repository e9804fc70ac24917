"""A mark is proved only by a search that ended, and nothing else is ever remembered."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from torture.instances.starbattle import puzzle_of, solvable_puzzle

from solvent.core.budget import Budget, Cancellation
from solvent.starbattle.hints import verifier as verifying
from solvent.starbattle.hints.verifier import Status, Verifier, check_forced
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from starbattle.brute_force import solutions

NODES = 10_000
ROWS = puzzle_of("AAAA BBBB CCCC DDDD", 1)
"""Two solutions, so no cell is forced to be a star."""
CORNERS = tuple(row * 4 + col for row in (0, 3) for col in (0, 3))


def mark(puzzle: Puzzle, cell: int, value: str) -> Puzzle:
    return replace(puzzle, marks=puzzle.marks[:cell] + value + puzzle.marks[cell + 1 :])


def test_it_agrees_with_brute_force_about_every_cell():
    random = Random(1)
    seen = dict.fromkeys(Status, 0)
    for _ in range(25):
        puzzle = solvable_puzzle(random, random.choice([4, 5, 6]), 1, marks=random.randrange(4))
        every = solutions(puzzle)
        verifier = Verifier()
        for cell in range(puzzle.size**2):
            stars = verifier.verify(puzzle, cell, STAR, nodes=NODES)
            crosses = verifier.verify(puzzle, cell, CROSS, nodes=NODES)
            assert (stars.status is Status.PROVED) == all(cell in solution for solution in every)
            assert (crosses.status is Status.PROVED) == all(cell not in solution for solution in every)
            assert Status.INCONCLUSIVE not in (stars.status, crosses.status)
            seen[stars.status] += 1
    assert seen[Status.PROVED] > 20
    assert seen[Status.DISPROVED] > 200


def test_what_it_reports():
    proved = check_forced(ROWS, 0, CROSS, budget=Budget(nodes=NODES))
    assert (proved.status, proved.cell, proved.value) == (Status.PROVED, 0, CROSS)
    assert (proved.solutions_seen, proved.timed_out, proved.capped) == (0, False, False)
    disproved = check_forced(ROWS, 1, STAR, budget=Budget(nodes=NODES))
    assert (disproved.status, disproved.solutions_seen, disproved.capped) == (Status.DISPROVED, 1, True)
    assert disproved.nodes > 0


def test_the_opposite_that_cannot_even_be_marked_is_proved():
    puzzle = mark(ROWS, 1, STAR)
    for cell in (0, 2, 5, 4):  # they touch the star
        assert check_forced(puzzle, cell, CROSS, budget=Budget(nodes=1)).status is Status.PROVED
    assert check_forced(puzzle, 3, CROSS, budget=Budget(nodes=1)).status is Status.PROVED  # the row is full
    assert check_forced(puzzle, 1, STAR, budget=Budget(nodes=0)).status is Status.PROVED  # it is there


def test_a_mark_that_contradicts_the_board_is_disproved():
    assert check_forced(mark(ROWS, 1, STAR), 1, CROSS, budget=Budget(nodes=NODES)).status is Status.DISPROVED


def test_an_exhausted_budget_proves_nothing_and_is_not_remembered():
    verifier = Verifier()
    for cell in (*CORNERS, 1, 2):
        for value in (STAR, CROSS):
            found = verifier.verify(ROWS, cell, value, nodes=0)
            assert found.status is Status.INCONCLUSIVE
            assert found.timed_out
    assert len(verifier) == 0
    assert verifier.hits == 0
    assert verifier.verify(ROWS, 0, CROSS, nodes=NODES).status is Status.PROVED


def test_with_few_nodes_it_says_the_truth_or_nothing():
    random = Random(5)
    seen: dict[tuple[bool, Status], int] = {}
    for _ in range(12):
        puzzle = solvable_puzzle(random, 6, 1, connected=False)
        every = solutions(puzzle)
        for nodes in (0, 1, 2, 3):
            for cell in range(36):
                for value in (STAR, CROSS):
                    found = check_forced(puzzle, cell, value, budget=Budget(nodes=nodes))
                    truth = all((cell in solution) == (value == STAR) for solution in every)
                    assert found.status is not (Status.DISPROVED if truth else Status.PROVED)
                    if nodes:
                        seen[truth, found.status] = seen.get((truth, found.status), 0) + 1
    assert seen[True, Status.INCONCLUSIVE] > 5
    assert seen[False, Status.INCONCLUSIVE] > 5
    assert seen[True, Status.PROVED] > 50


def test_neither_a_cancelled_nor_a_slow_check_proves_anything(monkeypatch: pytest.MonkeyPatch):
    verifier = Verifier()
    cancelled = Cancellation()
    cancelled.cancel()
    assert verifier.verify(ROWS, 0, CROSS, meter=Budget(cancellation=cancelled).start()).status is Status.INCONCLUSIVE
    monkeypatch.setattr(verifying, "VERIFY_SECONDS", 0.0)
    assert verifier.verify(ROWS, 0, CROSS).status is Status.INCONCLUSIVE
    assert len(verifier) == 0
    monkeypatch.undo()
    assert verifier.verify(ROWS, 0, CROSS).status is Status.PROVED


def test_a_check_is_remembered():
    verifier = Verifier()
    first = verifier.verify(ROWS, 0, CROSS, nodes=NODES)
    assert verifier.verify(ROWS, 0, CROSS, nodes=NODES) is first
    assert (verifier.hits, verifier.misses, len(verifier)) == (1, 1, 1)
    verifier.clear()
    assert verifier.verify(ROWS, 0, CROSS, nodes=NODES) == first
    assert (verifier.hits, verifier.misses) == (1, 2)


def test_another_board_budget_cell_or_value_is_another_check():
    verifier = Verifier()
    columns = puzzle_of("ABCD ABCD ABCD ABCD", 1)
    tall = puzzle_of("AABB AABB CCDD CCDD", 1)
    asked = [
        (ROWS, 0, CROSS, NODES),
        (columns, 0, CROSS, NODES),
        (tall, 0, CROSS, NODES),
        (ROWS, 0, STAR, NODES),
        (ROWS, 1, CROSS, NODES),
        (ROWS, 0, CROSS, NODES + 1),
    ]
    for puzzle, cell, value, nodes in asked:
        verifier.verify(puzzle, cell, value, nodes=nodes)
    assert (verifier.hits, verifier.misses, len(verifier)) == (0, len(asked), len(asked))
    for puzzle, cell, value, nodes in asked:
        verifier.verify(puzzle, cell, value, nodes=nodes)
    assert verifier.hits == len(asked)


def test_regions_decide_what_is_forced_under_equal_marks():
    verifier = Verifier()
    forced = puzzle_of("ABBB CCCB DDCB DDDB", 1)
    for puzzle in (ROWS, forced, ROWS, forced):
        for cell in range(16):
            truth = all(cell in solution for solution in solutions(puzzle))
            assert (verifier.verify(puzzle, cell, STAR, nodes=NODES).status is Status.PROVED) == truth
    assert verifier.hits == 32


def test_a_changed_mark_clears_the_memory():
    verifier = Verifier()
    verifier.verify(ROWS, 0, CROSS, nodes=NODES)
    verifier.verify(mark(ROWS, 3, CROSS), 0, CROSS, nodes=NODES)
    assert len(verifier) == 1
    verifier.verify(ROWS, 0, CROSS, nodes=NODES)
    assert (verifier.hits, verifier.misses) == (0, 3)


def test_the_memory_is_bounded_and_forgets_the_oldest():
    verifier = Verifier(most_remembered=3)
    for cell in (0, 3, 12):
        verifier.verify(ROWS, cell, CROSS, nodes=NODES)
    verifier.verify(ROWS, 0, CROSS, nodes=NODES)
    verifier.verify(ROWS, 15, CROSS, nodes=NODES)  # drops cell 3, asked for the longest ago
    assert len(verifier) == 3
    verifier.verify(ROWS, 0, CROSS, nodes=NODES)
    assert verifier.hits == 2
    verifier.verify(ROWS, 3, CROSS, nodes=NODES)
    assert (verifier.hits, len(verifier)) == (2, 3)


def test_on_a_board_without_completion_every_mark_is_forced():
    puzzle = replace(ROWS, marks=CROSS * 4 + UNKNOWN * 12)
    assert not solutions(puzzle)
    assert check_forced(puzzle, 5, STAR, budget=Budget(nodes=NODES)).status is Status.PROVED
    assert check_forced(puzzle, 5, CROSS, budget=Budget(nodes=NODES)).status is Status.PROVED
