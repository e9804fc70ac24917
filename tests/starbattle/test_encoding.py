"""The clauses say the rules: their models are the solutions, and the checker writes the same clauses."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from pysat.solvers import Solver
from torture.instances.starbattle import in_order, puzzle_of, random_puzzle, solvable_puzzle

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Budget, Cancellation
from solvent.engine.clauses import ClauseList
from solvent.proof.rup import refutation_violations
from solvent.starbattle.checker.statements_kernel import Statements
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.encoding import PAIRS_FROM_STARS, encode
from solvent.starbattle.solver.refutation import Refutation, refute
from starbattle.brute_force import is_solution, solutions

SIZES = [(4, 1), (5, 1), (6, 1), (7, 2), (8, 2)]
NEVER_SOLVABLE = (7, 2)
"""Two rows hold four stars only in columns 1, 3, 5 and 7, so column 2 gets none."""


def models(clauses: ClauseList, cells: int) -> set[frozenset[int]]:
    """Return the cells with a star in each model; a star pattern that two models share counts as a mistake."""
    found: list[frozenset[int]] = []
    if any(not clause for clause in clauses):
        return set()
    with Solver(name="minisat22", bootstrap_with=list(clauses)) as solver:
        while solver.solve():
            stars = frozenset(literal - 1 for literal in solver.get_model() if 0 < literal <= cells)
            found.append(stars)
            solver.add_clause([-(cell + 1) if cell in stars else cell + 1 for cell in range(cells)])
    assert len(set(found)) == len(found)
    return set(found)


def bag(clauses: ClauseList) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(clause)) for clause in clauses)


def puzzles(size: int, stars: int, count: int) -> list[Puzzle]:
    dice = Random(100 * size + stars)
    made = []
    for number in range(count):
        marks = dice.randrange(0, size) if number % 3 == 0 else 0
        make = random_puzzle if number % 2 or (size, stars) == NEVER_SOLVABLE else solvable_puzzle
        made.append(make(dice, size, stars, connected=number % 4 < 2, marks=marks))
    return made


@pytest.mark.parametrize(("size", "stars"), SIZES)
def test_models_are_the_solutions(size: int, stars: int):
    counts = []
    for puzzle in puzzles(size, stars, 40 if size < 7 else 12):
        expected = set(solutions(puzzle))
        assert all(is_solution(puzzle, cells) for cells in expected)
        assert models(encode(puzzle), size**2) == expected, puzzle
        if expected:
            known = min(expected, key=sorted)
            assert models(encode(puzzle, other_than=sorted(known)), size**2) == expected - {known}
        counts.append(len(expected))
    assert 0 in counts
    assert (max(counts) == 0) == ((size, stars) == NEVER_SOLVABLE)


@pytest.mark.modes
@pytest.mark.parametrize(("size", "stars"), [*SIZES, (9, 2), (11, 3), (15, 4), (17, 4), (21, 5), (25, 6)])
def test_the_checker_writes_the_same_clauses(size: int, stars: int):
    for puzzle in puzzles(size, stars, 8) if size <= 8 else [random_puzzle(Random(1), size, stars, marks=9)]:
        solver, checker = encode(puzzle), Statements(puzzle).formula()
        assert solver.variables == checker.variables
        assert bag(solver) == bag(checker)


@pytest.mark.parametrize(("size", "stars"), [(4, 2), (4, 6), (6, 2), (10, 4), (13, 4), (25, 6)])
def test_the_checker_writes_the_same_clauses_where_stars_have_no_room(size: int, stars: int):
    one_region_is_small = Puzzle(size, stars, tuple(min(cell, size - 1) for cell in range(size**2)), UNKNOWN * size**2)
    solver, checker = encode(one_region_is_small), Statements(one_region_is_small).formula()
    assert bag(solver) == bag(checker)
    assert () in bag(solver)


def test_pairs_of_lines_keep_every_solution():
    """Where pairs are counted, a solution satisfies the clauses, and with one star moved it does not."""
    size, stars = 17, PAIRS_FROM_STARS
    with Solver(name="minisat22", bootstrap_with=list(plain_lines(size, stars))) as solver:
        assert solver.solve()
        placed = [literal - 1 for literal in solver.get_model() if 0 < literal <= size**2]
    regions = [0] * size**2
    for number, cell in enumerate(placed):  # any k stars may share a region
        regions[cell] = number // stars
    puzzle = Puzzle(size, stars, in_order(regions), UNKNOWN * size**2)
    assert is_solution(puzzle, frozenset(placed))
    with Solver(name="minisat22", bootstrap_with=list(encode(puzzle))) as solver:
        fixed = [cell + 1 if cell in placed else -(cell + 1) for cell in range(size**2)]
        assert solver.solve(assumptions=fixed)
        for cell in placed:
            moved = {*placed, cell + 1} - {cell}
            assert not solver.solve(assumptions=[c + 1 if c in moved else -(c + 1) for c in range(size**2)])


def plain_lines(size: int, stars: int) -> list[list[int]]:
    """Say in clauses, with pysat's own counters, that rows and columns have k stars and none touch."""
    from pysat.card import CardEnc, EncType

    clauses, top = [], size**2
    rows = [[row * size + col + 1 for col in range(size)] for row in range(size)]
    for line in [*rows, *map(list, zip(*rows, strict=True))]:
        counter = CardEnc.equals(lits=line, bound=stars, top_id=top, encoding=EncType.seqcounter)
        clauses += counter.clauses
        top = max(top, counter.nv)
    for one in range(size**2):
        for other in range(one + 1, size**2):
            if abs(one // size - other // size) <= 1 and abs(one % size - other % size) <= 1:
                clauses.append([-(one + 1), -(other + 1)])
    return clauses


def test_marks_become_facts():
    puzzle = puzzle_of("AABB AABB CCDD CCDD", 1, "..*. x... .... ....")
    clauses = list(encode(puzzle))
    assert [3] in clauses
    assert [-5] in clauses
    assert puzzle.marks.count(STAR) == puzzle.marks.count(CROSS) == 1


# The search


def test_refute_finds_stars_or_a_proof():
    dice, kinds = Random(9), []
    for number in range(60):
        puzzle = random_puzzle(dice, 6 + number % 3, 1 + (number % 3 > 0), connected=number % 2 == 0, marks=number % 4)
        expected = solutions(puzzle, most=2)
        found = refute(puzzle, Budget().start())
        kinds.append(type(found))
        if isinstance(found, Refutation):
            assert expected == []
            assert refutation_violations(encode(puzzle), found.proof) == []
            continue
        assert isinstance(found, tuple)
        assert is_solution(puzzle, frozenset(found))
        other = refute(puzzle, Budget().start(), other_than=found)
        if len(expected) == 1:
            assert isinstance(other, Refutation)
            assert refutation_violations(encode(puzzle, other_than=found), other.proof) == []
        else:
            assert isinstance(other, tuple)
            assert is_solution(puzzle, frozenset(other))
            assert set(other) != set(found)
    assert set(kinds) == {Refutation, tuple}


def test_refute_stops_for_a_reason():
    puzzle = random_puzzle(Random(4), 14, 3)
    cancellation = Cancellation()
    cancellation.cancel()
    for budget, cause in ((Budget(nodes=0), Cause.NODES), (Budget(cancellation=cancellation), Cause.CANCELLED)):
        found = refute(puzzle, budget.start())
        assert isinstance(found, Reason)
        assert found.cause is cause


def test_the_same_puzzle_has_the_same_proof():
    puzzle = random_puzzle(Random(3), 8, 2)
    first, second = (refute(puzzle, Budget().start()) for _ in range(2))
    assert isinstance(first, Refutation)
    assert first == second


def test_without_a_proof_none_is_written():
    puzzle = random_puzzle(Random(3), 8, 2)
    assert refute(puzzle, Budget().start(), proof=False) == Refutation("", refute(puzzle, Budget().start()).conflicts)


@pytest.mark.corpus
def test_public_boards_have_one_solution_and_the_checker_agrees(corpora: Path):
    chosen = [path for kind in ("10-2", "14-3", "17-4") for path in sorted((corpora / "starbattle" / kind).glob("*"))]
    if not chosen:
        pytest.skip(f"no Star Battle boards in {corpora}")
    for path in chosen[:: len(chosen) // 12 or 1]:
        heading, *rows = path.read_text(encoding="utf-8").split("\n")
        size, stars = map(int, heading.split())
        puzzle = puzzle_of(" ".join(rows[:size]), stars)
        found = refute(puzzle, Budget().start())
        assert isinstance(found, tuple)
        assert is_solution(puzzle, frozenset(found))
        other = refute(puzzle, Budget().start(), other_than=found)
        assert isinstance(other, Refutation), path.name
        statements = Statements(puzzle)
        statements.add([-(cell + 1) for cell in found])
        assert refutation_violations(statements.formula(), other.proof) == []
