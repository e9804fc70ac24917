"""The kernel counts what there is: the same solutions as brute force, and never "complete" unless it is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

from solvent.core.answer import Cause
from solvent.core.budget import Budget, Cancellation
from solvent.core.events import Event
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.counting import Ending, Search, count_solutions
from solvent.starbattle.solver.search_kernel import EXHAUSTED, FOUND
from starbattle.brute_force import Cells, is_solution, solutions

TWO_WAYS = puzzle_of("AABB AABB CCDD CCDD", 1)
"""Solved by r1c2 r2c4 r3c1 r4c3 and by its mirror image."""
NO_WAY = puzzle_of("AAAA ABBA CBBD CCDD", 1)
KINGS = (1, 0, 0, 2, 14, 90, 646, 5242)
"""Ways to place n kings, one in each row and column, none touching, for n from 1 on: OEIS A002464."""


def lines_only(size: int, stars: int) -> Puzzle:
    """Make a puzzle whose regions are the rows, so that they ask for nothing more."""
    return Puzzle(size, stars, tuple(cell // size for cell in range(size**2)), UNKNOWN * size**2)


@cache
def boards(size: int, stars: int, count: int) -> list[tuple[Puzzle, list[Cells]]]:
    """Return boards of every kind with their solutions: connected or not, with right, wrong or no marks."""
    dice = Random(1000 * size + stars)
    made = []
    for number in range(count):
        marks = (0, 0, 2, 5)[number % 4]
        make = solvable_puzzle if number % 3 else random_puzzle
        puzzle = make(dice, size, stars, connected=number % 2 == 0, marks=marks)
        made.append((puzzle, solutions(puzzle)))
    return made


@cache
def many_ways() -> tuple[Puzzle, list[Cells]]:
    """Return a board with a good number of solutions, for tests that cut the work short."""
    return max((pair for pair in boards(6, 1, 60) if set(pair[0].marks) == {UNKNOWN}), key=lambda pair: len(pair[1]))


@pytest.mark.parametrize(("size", "stars", "count"), [(4, 1, 200), (5, 1, 300), (6, 1, 200), (8, 2, 40), (9, 2, 6)])
def test_the_solutions_are_those_of_brute_force(size: int, stars: int, count: int):
    for puzzle, expected in boards(size, stars, count):
        counted = count_solutions(puzzle, keep=len(expected) + 1)
        assert (counted.count, counted.complete) == (len(expected), True), puzzle
        assert {frozenset(found) for found in counted.solutions} == set(expected), puzzle
        assert len(counted.solutions) == len(expected)
        assert all(list(found) == sorted(found) for found in counted.solutions)
    counts = [len(expected) for _, expected in boards(size, stars, count)]
    assert min(counts) == 0
    assert max(counts) > 1 or size == 8  # two stars a line leave little room on eight
    assert max(counts) > 0


@pytest.mark.parametrize("value", [STAR, CROSS])
def test_a_mark_divides_the_solutions(value: str):
    """Marks that agree with a solution keep it, and others lose it, on every single cell."""
    for puzzle, expected in boards(5, 1, 20):
        for cell in range(puzzle.size**2):
            if puzzle.marks[cell] != UNKNOWN:
                continue
            marked = replace(puzzle, marks=puzzle.marks[:cell] + value + puzzle.marks[cell + 1 :])
            kept = [found for found in expected if (cell in found) == (value == STAR)]
            assert count_solutions(marked).count == len(kept)


@pytest.mark.parametrize(("size", "expected"), list(enumerate(KINGS, start=1)))
def test_counts_of_kings(size: int, expected: int):
    counted = count_solutions(lines_only(size, 1), keep=0)
    assert (counted.count, counted.complete, counted.solutions) == (expected, True, ())


def test_two_stars_in_lines_of_seven_do_not_fit_and_in_eight_do():
    assert count_solutions(lines_only(7, 2)).count == 0
    eight = count_solutions(lines_only(8, 2), keep=1)
    assert eight.count > 0
    assert is_solution(lines_only(8, 2), frozenset(eight.solutions[0]))


@pytest.mark.parametrize(
    ("marks", "count"), [("**.. .... .... ....", 0), ("*... .*.. .... ....", 0), ("xxxx .... .... ....", 0)]
)
def test_marks_that_break_a_rule_leave_nothing(marks: str, count: int):
    counted = count_solutions(puzzle_of("AABB AABB CCDD CCDD", 1, marks))
    assert (counted.count, counted.complete, counted.capped, counted.timed_out) == (count, True, False, False)


def test_a_solved_board_has_itself():
    [solved] = solutions(replace(TWO_WAYS, marks=".*" + UNKNOWN * 14))
    marks = "".join(STAR if cell in solved else CROSS for cell in range(16))
    counted = count_solutions(replace(TWO_WAYS, marks=marks))
    assert counted.solutions == (tuple(sorted(solved)),)
    assert counted.complete


class TestEndings:
    """Exactly one of complete, capped and timed out; a reason only if the budget ended it."""

    def test_complete(self):
        counted = count_solutions(TWO_WAYS)
        assert (counted.count, counted.complete, counted.capped, counted.timed_out) == (2, True, False, False)
        assert counted.reason is None
        nothing = count_solutions(NO_WAY)
        assert (nothing.count, nothing.complete, nothing.solutions) == (0, True, ())

    @pytest.mark.parametrize("most", [0, 1, 2])
    def test_capped(self, most: int):
        """Even if those are all: to know that would be more work than was asked for."""
        counted = count_solutions(TWO_WAYS, most=most)
        assert (counted.count, counted.complete, counted.capped, counted.timed_out) == (most, False, True, False)
        assert counted.reason is None
        assert len(counted.solutions) == most

    def test_more_wanted_than_there_are(self):
        counted = count_solutions(TWO_WAYS, most=3)
        assert (counted.count, counted.complete, counted.capped) == (2, True, False)

    @pytest.mark.parametrize(
        ("budget", "cause"),
        [(Budget(nodes=1), Cause.NODES), (Budget(seconds=0), Cause.TIME), (Budget(nodes=0), Cause.NODES)],
    )
    def test_spent(self, budget: Budget, cause: Cause):
        counted = count_solutions(many_ways()[0], budget=budget)
        assert (counted.complete, counted.capped, counted.timed_out) == (False, False, True)
        assert counted.reason is not None
        assert counted.reason.cause is cause

    def test_cancelled_before_and_on_the_way(self):
        cancellation = Cancellation()
        seen = 0

        def cancel_at_once(event: Event) -> None:
            nonlocal seen
            seen += 1
            cancellation.cancel()

        counted = count_solutions(
            lines_only(12, 1), budget=Budget(cancellation=cancellation), keep=0, listen=cancel_at_once
        )
        assert seen == 1
        assert (counted.complete, counted.timed_out) == (False, True)
        assert counted.reason is not None
        assert counted.reason.cause is Cause.CANCELLED
        assert counted.count > 0
        again = count_solutions(TWO_WAYS, budget=Budget(cancellation=cancellation))
        assert (again.count, again.nodes, again.complete) == (0, 0, False)


@pytest.mark.parametrize("keep", [0, 1, 2, 3, 7, 1000])
@pytest.mark.parametrize("most", [None, 1, 2, 3, 8, 10_000])
def test_most_and_keep(keep: int, most: int | None):
    puzzle, expected = many_ways()
    all_of_them = count_solutions(puzzle, keep=1000)
    assert len(expected) > 8
    counted = count_solutions(puzzle, most=most, keep=keep)
    seen = len(expected) if most is None else min(most, len(expected))
    assert counted.count == seen
    assert counted.solutions == all_of_them.solutions[: min(keep, seen)]
    assert counted.complete == (most is None or most > len(expected))


def test_an_early_end_is_never_complete():
    """With every budget from nothing to enough: what was seen is right, and "complete" means all of it."""
    for puzzle, expected in boards(5, 1, 60):
        enough = count_solutions(puzzle, keep=1000)
        for nodes in range(enough.nodes + 2):
            counted = count_solutions(puzzle, keep=1000, budget=Budget(nodes=nodes))
            assert counted.nodes <= nodes
            assert counted.solutions == enough.solutions[: counted.count]
            assert counted.complete != counted.timed_out
            assert (counted.reason is None) == counted.complete
            if counted.complete:
                assert counted.count == len(expected)
            if nodes >= enough.nodes:
                assert set(map(frozenset, counted.solutions)) == set(expected)
    nodes = [count_solutions(puzzle).nodes for puzzle, _ in boards(5, 1, 60)]
    assert max(nodes) > 3


def drive_by_hand(puzzle: Puzzle, limit: int) -> tuple[list[tuple[int, ...]], int]:
    """Call the kernel with one limit again and again; returns each solution as it is found, and the nodes."""
    search = Search(puzzle)
    kernel = search._kernel
    found: list[tuple[int, ...]] = []
    while True:
        before = search.nodes
        status = kernel.run(limit, len(found) + 1)
        assert search.nodes - before <= limit
        if status == EXHAUSTED:
            assert kernel.run(limit, len(found) + 1) == EXHAUSTED
            return found, search.nodes
        if status == FOUND:
            assert search.found == len(found) + 1
            found.append(search.solution(len(found)))
        else:
            assert search.nodes - before == limit


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_the_same_solutions_in_the_same_order_however_the_work_is_cut(limit: int):
    cut_short = 0
    for puzzle, expected in [*boards(5, 1, 30), *boards(6, 1, 20), *boards(8, 2, 6)]:
        found, nodes = drive_by_hand(puzzle, limit)
        assert (found, nodes) == drive_by_hand(puzzle, 1000)
        assert set(map(frozenset, found)) == set(expected)
        counted = count_solutions(puzzle, keep=1000)
        assert (counted.solutions, counted.nodes) == (tuple(found), nodes)
        cut_short += nodes > limit
    assert cut_short > 3


def test_a_pause_changes_nothing():
    puzzle, expected = many_ways()
    meter = Budget().start()
    search = Search(puzzle)
    found, pauses = [], 0
    while True:
        ending = search.run(search.found + 1, meter, pause=search.nodes + 1)
        if ending is Ending.FOUND:
            found.append(search.solution(search.found - 1))
        elif ending is Ending.PAUSED:
            pauses += 1
        else:
            break
    assert ending is Ending.EXHAUSTED
    assert pauses > 3
    whole = count_solutions(puzzle, keep=1000)
    assert (tuple(found), search.nodes, meter.nodes) == (whole.solutions, whole.nodes, whole.nodes)
    assert len(found) == len(expected)


def test_solutions_one_by_one_end_with_none_and_stay_there():
    search, meter = Search(TWO_WAYS), Budget().start()
    one, other = search.next(meter), search.next(meter)
    assert {one, other} == {tuple(sorted(found)) for found in solutions(TWO_WAYS)}
    assert search.next(meter) is None
    assert search.next(meter) is None


def test_a_search_goes_on_after_its_budget_was_spent():
    puzzle, expected = many_ways()
    search = Search(puzzle)
    assert search.run(10_000, Budget(nodes=2).start()) is Ending.SPENT
    assert search.reason is not None
    assert search.run(10_000, Budget().start()) is Ending.EXHAUSTED
    assert search.found == len(expected)


def test_two_runs_are_the_same():
    for puzzle, _ in [*boards(6, 1, 20), *boards(8, 2, 6)]:
        assert count_solutions(puzzle, keep=9) == count_solutions(puzzle, keep=9)


def test_a_board_and_its_mirror_image_have_as_many_solutions():
    """Nothing in the kernel may depend on where up is, on boards too large for brute force."""
    dice = Random(12)
    for size, stars in [(9, 2), (10, 2), (13, 3), (14, 3)]:
        puzzle = solvable_puzzle(dice, size, stars, connected=size != 13, marks=size)
        across = [row * size + size - 1 - col for row in range(size) for col in range(size)]
        turned = [col * size + row for row in range(size) for col in range(size)]
        counts = set()
        for order in (range(size**2), across, turned):
            regions = [puzzle.regions[cell] for cell in order]
            numbers = {region: number for number, region in enumerate(dict.fromkeys(regions))}
            image = Puzzle(size, stars, tuple(numbers[r] for r in regions), "".join(puzzle.marks[c] for c in order))
            counted = count_solutions(image, most=3000, keep=3)
            assert all(is_solution(image, frozenset(found)) for found in counted.solutions)
            counts.add(counted.count)
        assert len(counts) == 1
        assert counts != {0}
