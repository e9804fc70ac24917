"""What hints promise: a shown step is forced, a search cut short shows nothing, and a sample never says always."""

from __future__ import annotations

import functools
from dataclasses import replace
from functools import cache
from itertools import combinations, islice
from random import Random

import pytest
from torture.instances.starbattle import puzzle_of, solvable_puzzle

import solvent
from solvent.core.answer import Cause
from solvent.core.budget import Budget, Cancellation
from solvent.core.hints import Hint
from solvent.starbattle.cells import parse_move
from solvent.starbattle.generator import generate
from solvent.starbattle.hints import steps, verifier
from solvent.starbattle.hints.application import Application, OutOfWork, Work
from solvent.starbattle.hints.position import Position, cells_in, position_of
from solvent.starbattle.hints.steps import SearchRecord, StepLimits
from solvent.starbattle.hints.techniques import BASIC, technique
from solvent.starbattle.hints.verifier import Status, Verifier, check_forced
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.rules import units_of
from solvent.starbattle.solver.completions import Common, analyse_completions
from solvent.starbattle.solver.counting import SolutionCount, count_solutions
from starbattle.levels import touches
from starbattle.plain_sat import sat_solutions

NODES = Budget(nodes=200_000)
KINDS = [(5, 1), (6, 1), (8, 1), (9, 2), (10, 2)]
SHARES = (0.0, 0.15, 0.4, 0.7)
"""How much of a board is marked."""


def rightly_marked(puzzle: Puzzle, share: float, random: Random) -> Puzzle:
    """Mark some cells as a solution has them."""
    solution = sat_solutions(puzzle, most=1)[0]
    marks = [
        UNKNOWN if random.random() >= share else STAR if cell in solution else CROSS for cell in range(puzzle.size**2)
    ]
    return replace(puzzle, marks="".join(marks))


@cache
def positions(size: int, stars: int) -> list[Puzzle]:
    """Boards with one solution, and boards with any number of them, marked more or less."""
    random = Random(size)
    boards = [generate(size=size, stars=stars, seed=seed) for seed in range(3)]
    boards += [solvable_puzzle(random, size, stars, connected=number > 0) for number in range(2)]
    return [rightly_marked(board, share, random) for board in boards for share in SHARES]


def with_mark(puzzle: Puzzle, cell: int, mark: str) -> Puzzle:
    return replace(puzzle, marks=puzzle.marks[:cell] + mark + puzzle.marks[cell + 1 :])


def broken_rules(puzzle: Puzzle) -> list[str]:
    """Return what the marks break as they stand."""
    stars = [cell for cell, mark in enumerate(puzzle.marks) if mark == STAR]
    broken = [f"{a} touches {b}" for a, b in combinations(stars, 2) if touches(a, b, puzzle.size)]
    broken += [f"{unit} has too many" for unit in units_of(puzzle) if len({*stars} & {*unit.cells}) > puzzle.stars]
    broken += [
        f"{unit} has no room"
        for unit in units_of(puzzle)
        if sum(puzzle.marks[cell] != CROSS for cell in unit.cells) < puzzle.stars
    ]
    return broken


def assert_forced(puzzle: Puzzle, cell: int, mark: str) -> None:
    """Assert what must be true of any cell that is shown, by our search to its end and by a stock SAT solver."""
    assert puzzle.marks[cell] == UNKNOWN
    after = with_mark(puzzle, cell, mark)
    opposite = with_mark(puzzle, cell, CROSS if mark == STAR else STAR)
    assert broken_rules(after) == []
    assert count_solutions(after, most=1, budget=NODES).count == 1
    none = count_solutions(opposite, most=1, budget=NODES)
    assert (none.count, none.complete, none.timed_out, none.capped) == (0, True, False, False)
    assert sat_solutions(opposite, most=1) == []


def first_step(puzzle: Puzzle, **options: object) -> Hint:
    """Return the first hint that is not the news of several solutions."""
    return next(hint for hint in solvent.hints(puzzle, **options) if hint.data.get("news") != "several solutions")


def shown_cells(puzzle: Puzzle, hint: Hint) -> list[tuple[int, str]]:
    return [
        (row * puzzle.size + col, mark)
        for key, mark in (("stars", STAR), ("crosses", CROSS))
        for row, col in hint.data[key]
    ]


# A proved hint is always sound.


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_a_shown_hint_is_forced(size: int, stars: int):
    shown = 0
    for puzzle in positions(size, stars):
        hint = first_step(puzzle)
        if hint.move is None:
            assert hint.reason is not None or hint.data["news"] == "solved"
            continue
        assert shown_cells(puzzle, hint) == [parse_move(hint.move, size)]
        assert_forced(puzzle, *parse_move(hint.move, size))
        shown += 1
    assert shown >= 12


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_every_cell_of_a_larger_hint_is_forced_by_itself(size: int, stars: int):
    cells = 0
    for puzzle in positions(size, stars)[::2]:
        hint = first_step(puzzle, all=True)
        for cell, mark in shown_cells(puzzle, hint) if hint.move is not None else ():
            assert_forced(puzzle, cell, mark)
            cells += 1
    assert cells > 12


@functools.cache
def analysed_positions() -> list[tuple[Position, tuple[Common, ...]]]:
    """Positions, most of them with several solutions, and what all solutions of each have in common."""
    random = Random(7)
    found = []
    for number in range(60):
        size, stars = KINDS[1:][number % 4]
        puzzle = rightly_marked(solvable_puzzle(random, size, stars), random.choice(SHARES[:3]), random)
        every = analyse_completions(puzzle, most=3_000, budget=Budget(nodes=20_000))
        if every.complete:
            found.append((position_of(puzzle), every.cells))
    return found


@pytest.mark.parametrize("name", [name for name in BASIC if name not in ("fish", "n_rooks")])
def test_each_technique_proposes_forced_cells_only(name: str):
    """Where there are several solutions, a technique that knew the answer instead of the reason would be caught."""
    proposed = 0
    for position, common in analysed_positions():
        try:
            for application in islice(technique(name).find(position, Work(2_000)), 10):
                assert application.stars | application.crosses
                assert all(common[cell] is Common.ALWAYS_STAR for cell in cells_in(application.stars))
                assert all(common[cell] is Common.ALWAYS_EMPTY for cell in cells_in(application.crosses))
                proposed += 1
        except OutOfWork:
            pass
    assert proposed > 0


# What is not decided is not shown.


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_no_check_no_hint(size: int, stars: int):
    for puzzle in positions(size, stars):
        [*_, hint] = solvent.hints(puzzle, verify_nodes=0, supposing_work=1_000)
        if hint.data.get("news") != "solved":
            assert (hint.move, hint.certificate, hint.lost) == (None, None, False)
            assert hint.reason is not None
            if len(sat_solutions(puzzle, most=2)) == 1:  # elsewhere nothing may be forced, so nothing was looked into
                assert hint.reason.cause is Cause.NODES


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_what_a_small_check_shows_is_forced_all_the_same(nodes: int):
    for size, stars in KINDS:
        for puzzle in positions(size, stars)[::3]:
            hint = first_step(puzzle, verify_nodes=nodes, supposing_work=1_000)
            if hint.move is not None:
                assert_forced(puzzle, *parse_move(hint.move, size))


def test_a_check_that_stops_early_has_decided_nothing():
    """Whatever the budget, a check says what the full search says, or nothing."""
    cut_short = 0
    for seed in range(6):
        puzzle = generate(size=10, stars=2, seed=seed)
        solution = sat_solutions(puzzle, most=1)[0]
        for cell in range(0, 100, 3):
            for value in (STAR, CROSS):
                forced = (cell in solution) == (value == STAR)
                full = check_forced(puzzle, cell, value, budget=NODES)
                assert full.status is (Status.PROVED if forced else Status.DISPROVED)
                for nodes in {0, 1, full.nodes // 2, max(0, full.nodes - 1)}:
                    small = check_forced(puzzle, cell, value, budget=Budget(nodes=nodes))
                    assert small.status in (full.status, Status.INCONCLUSIVE)
                    if small.status is Status.INCONCLUSIVE:
                        assert small.timed_out
                        cut_short += 1
                    elif nodes < full.nodes:
                        assert not forced  # a proof has no less than all the nodes it needs
    assert cut_short > 200


@pytest.mark.parametrize("seed", range(3))
def test_a_cell_that_needs_more_nodes_than_allowed_is_passed_over(seed: int):
    """It is forced, but as long as the check cannot come to its end, it is not shown."""
    position = position_of(generate(size=14, stars=3, seed=seed))
    checks = [check_forced(position.puzzle, cell, STAR, budget=NODES) for cell in range(196)]
    hardest = max((check for check in checks if check.status is Status.PROVED), key=lambda check: check.nodes)
    assert hardest.nodes > 2
    proposal = Application("exact fill", 1 << hardest.cell, 0, {}, "It is told so.", ("It is told so.",))
    for nodes in range(hardest.nodes):
        record = SearchRecord()
        assert steps.verify(position, proposal, Verifier(), StepLimits(verify_nodes=nodes), record) is None
        assert (record.inconclusive, record.disproved) == (1, 0)
    shown = steps.verify(position, proposal, Verifier(), StepLimits(verify_nodes=hardest.nodes), SearchRecord())
    assert shown is not None
    assert shown.cells == (hardest.cell,)


def test_an_inconclusive_check_is_not_remembered():
    puzzle = generate(size=10, stars=2, seed=2)
    cell = min(sat_solutions(puzzle, most=1)[0])
    memory = Verifier()
    cancelled = Cancellation()
    cancelled.cancel()
    assert memory.verify(puzzle, cell, STAR, meter=Budget(cancellation=cancelled).start()).status is Status.INCONCLUSIVE
    assert memory.verify(puzzle, cell, STAR, nodes=0).status is Status.INCONCLUSIVE
    assert len(memory) == 0
    assert memory.verify(puzzle, cell, STAR).status is Status.PROVED
    assert memory.verify(puzzle, cell, STAR).status is Status.PROVED
    assert (len(memory), memory.hits, memory.misses) == (1, 1, 3)


def test_a_check_is_remembered_for_its_own_board_only():
    """Two boards with the same marks but other borders are two questions."""
    one = generate(size=5, stars=1, seed=1)
    rows = puzzle_of("AAAAA BBBBB CCCCC DDDDD EEEEE", 1)
    cell = min(sat_solutions(one, most=1)[0])
    memory = Verifier()
    for _ in range(2):
        assert memory.verify(one, cell, STAR).status is Status.PROVED
        assert memory.verify(rows, cell, STAR).status is Status.DISPROVED
    assert (memory.hits, memory.misses) == (2, 2)


def test_a_slow_machine_shows_nothing_rather_than_something_unsure(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(verifier, "VERIFY_SECONDS", 0.0)
    for size, stars in KINDS:
        hint = first_step(generate(size=size, stars=stars, seed=1), supposing_work=1_000)
        assert hint.move is None
        assert hint.reason is not None


# A sample never says always.


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_partial_enumeration_never_says_always(size: int, stars: int):
    for puzzle in positions(size, stars):
        sample = analyse_completions(puzzle, most=1)
        assert (sample.complete, sample.capped) == (False, True)
        assert set(sample.cells) == {Common.VARIABLE}
        for nodes in (0, 1):
            stopped = analyse_completions(puzzle, most=10**6, budget=Budget(nodes=nodes))
            if not stopped.complete:  # a board marked all over needs no search
                assert stopped.timed_out
                assert set(stopped.cells) == {Common.VARIABLE}
            assert stopped.complete <= (nodes > 0)


# The four rules without exception.


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("timed_out", [False, True])
@pytest.mark.parametrize("capped", [False, True])
def test_only_an_empty_and_complete_search_proves(
    monkeypatch: pytest.MonkeyPatch, count: int, complete: bool, timed_out: bool, capped: bool
):
    """Rule 1: no completion seen, not timed out, not capped. Rule 2: otherwise nothing is shown."""
    seen = SolutionCount(count, complete, capped, timed_out, None, (), 3)
    monkeypatch.setattr(verifier, "count_solutions", lambda *args, **options: seen)
    puzzle = generate(size=6, stars=1, seed=1)
    may_prove = count == 0 and complete and not timed_out and not capped
    found = check_forced(puzzle, 0, CROSS, budget=NODES)
    assert (found.status is Status.PROVED) == may_prove
    assert (found.status is Status.DISPROVED) == (count > 0)
    hint = next(solvent.hints(puzzle))
    assert (hint.move is not None) == may_prove
    assert (hint.reason is not None) == (not may_prove)


def test_a_hint_is_one_cell_unless_every_cell_was_verified():
    """Rule 3."""
    several = 0
    for size, stars in KINDS:
        puzzle = generate(size=size, stars=stars, seed=4)
        assert all(hint.data["verification"]["cells"] == 1 for hint in solvent.hints(puzzle) if hint.move is not None)
        for options in ({"all": True}, {"path": True}):
            for hint in solvent.hints(puzzle, **options):
                if hint.move is not None:
                    assert hint.data["verification"]["cells"] == len(shown_cells(puzzle, hint))
                    several += len(shown_cells(puzzle, hint)) > 1
    assert several > 20


def test_a_hint_tells_its_story_and_its_proof():
    """Rule 4: the narrative says why and that the opposite was checked, and the proof argues to its conclusion."""
    for size, stars in KINDS:
        for options in ({}, {"path": True}):
            for hint in solvent.hints(generate(size=size, stars=stars, seed=5), **options):
                if hint.move is not None:
                    assert hint.narrative.startswith(f"{hint.technique}: ")
                    assert " Verified" in hint.narrative
                    assert hint.narrative.endswith("there is no way left to place the stars.")
                    *argument, conclusion = hint.proof.splitlines()
                    assert argument
                    assert conclusion.startswith("So r")
