"""What a refutation refutes: real solutions satisfy every clause, and the solver adds nothing to the checker's."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import numpy as np
import pytest
from pysat.solvers import Solver

from harmony.boards import near_miss, tiny_boards
from harmony.brute_force import is_solvable
from solvent.engine.clauses import ClauseList
from solvent.harmony.checker.refutation import Statements
from solvent.harmony.checker.tiles import tiles_of
from solvent.harmony.generator import generate_with_plan
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.order import build_formula
from solvent.harmony.solver.reduction import live_components

SIZES = ((2, 2, 8), (2, 3, 8), (3, 2, 8), (3, 3, 10), (4, 4, 12), (1, 4, 6), (4, 1, 6), (2, 5, 10), (5, 5, 12))


def planned_board(seed: int) -> tuple[Board, tuple[Swap, ...]]:
    dice = Random(seed)
    rows, cols, most = SIZES[seed % len(SIZES)]
    return generate_with_plan(rows=rows, cols=cols, swaps=dice.randrange(1, most + 1), seed=seed)


def truth_of(statements: Statements, plan: tuple[Swap, ...], cells: int, variables: int) -> np.ndarray:
    """Replay a plan and read off the value of every variable; entry 0 is unused."""
    standing = list(range(cells))  # the tile on each cell, named by the cell it starts on
    visited: dict[int, list[int]] = {tile: [tile] for tile in range(cells)}
    swap_times: dict[int, list[int]] = {tile: [] for tile in range(cells)}
    partner: dict[tuple[int, int], int] = {}
    for time, (a, b) in enumerate(plan):
        one, other = standing[a], standing[b]
        standing[a], standing[b] = other, one
        visited[one].append(b)
        visited[other].append(a)
        partner[one, time], partner[other, time] = other, one
        swap_times[one].append(time)
        swap_times[other].append(time)
    true = np.zeros(variables + 1, bool)
    instant = 0
    times, tiles = [], []
    for tile in statements.followed:
        for cell in visited[tile]:
            true[statements.stands(instant, cell)] = True
            instant += 1
        times += swap_times[tile]
        tiles += [tile] * len(swap_times[tile])
    assert instant == len(statements.reachable)
    assert len(times) == len(statements.events)
    for e in range(len(times)):
        true[statements.anonymous(e)] = partner[tiles[e], times[e]] not in statements.followed
        for f in range(len(times)):
            true[statements.before(e, f)] = times[e] <= times[f]
            if e < f:
                true[statements.same(e, f)] = tiles[e] != tiles[f] and times[e] == times[f]
    return true


def unsatisfied(clauses: ClauseList, true: np.ndarray) -> list[list[int]]:
    """Return the clauses that an assignment does not satisfy."""
    if not len(clauses):
        return []
    literals, starts = np.asarray(clauses.literals), np.asarray(clauses.starts)
    assert np.diff(starts).min() > 0, "an empty clause"
    holds = true[np.abs(literals)] == (literals > 0)
    satisfied = np.logical_or.reduceat(holds, starts[:-1])
    return [clause for clause, fine in zip(clauses, satisfied, strict=True) if not fine]


@pytest.mark.parametrize("batch", range(6))
def test_real_solutions_satisfy_every_clause_at_every_grade(batch: int):
    formulas = 0
    for seed in range(60 * batch, 60 * batch + 60):
        board, plan = planned_board(seed)
        cells = board.rows * board.cols
        for component in live_components(board):
            for grade in sorted({board.moves[cell] for cell in component}):
                statements = Statements(tiles_of(board), list(component), grade, board.cols)
                checker = statements.formula()
                true = truth_of(statements, plan, cells, checker.variables)
                assert unsatisfied(checker, true) == [], (seed, grade)
                solver = build_formula(board, component, grade).clauses
                assert solver.variables == checker.variables
                assert unsatisfied(solver, true) == [], (seed, grade)
                formulas += 1
    assert formulas > 100


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "swaps"), [(4, 4, 25), (6, 6, 30), (5, 5, 40)])
def test_long_solutions_satisfy_every_clause(rows: int, cols: int, swaps: int):
    for seed in range(3):
        board, plan = generate_with_plan(rows=rows, cols=cols, swaps=swaps, seed=seed)
        for component in live_components(board):
            for grade in sorted({board.moves[cell] for cell in component}):
                statements = Statements(tiles_of(board), list(component), grade, board.cols)
                checker = statements.formula()
                assert unsatisfied(checker, truth_of(statements, plan, rows * cols, checker.variables)) == []


def test_a_wrong_assignment_is_noticed():
    """The helper above can fail: one swap in the wrong order, or one tile elsewhere, breaks a clause."""
    board, plan = generate_with_plan(rows=3, cols=3, swaps=6, seed=1)
    [component] = live_components(board)
    statements = Statements(tiles_of(board), list(component), max(board.moves), board.cols)
    formula = statements.formula()
    true = truth_of(statements, plan, 9, formula.variables)
    used = {abs(literal) for literal in formula.literals.tolist()}
    broken = 0
    for variable in sorted(used):
        changed = true.copy()
        changed[variable] ^= True
        broken += bool(unsatisfied(formula, changed))
    assert broken / len(used) > 0.9


class UnitPropagation:
    """Draw unit consequences, plainly: a list of clauses to look at for each literal that becomes false."""

    def __init__(self, clauses: ClauseList) -> None:
        self.clauses = [tuple(clause) for clause in clauses]
        self.watching: dict[int, list[int]] = defaultdict(list)
        for number, clause in enumerate(self.clauses):
            for literal in clause:
                self.watching[-literal].append(number)
        self.facts = self.spread(set(), [clause[0] for clause in self.clauses if len(clause) == 1])

    def spread(self, known: set[int], news: list[int]) -> set[int] | None:
        """Return everything that follows, or None for a contradiction."""
        true, waiting = set(known), list(news)
        while waiting:
            literal = waiting.pop()
            if -literal in true:
                return None
            if literal in true:
                continue
            true.add(literal)
            for number in self.watching[literal]:
                clause = self.clauses[number]
                if any(other in true for other in clause):
                    continue
                left = [other for other in clause if -other not in true]
                if not left:
                    return None
                if len(left) == 1:
                    waiting.append(left[0])
        return true

    def implies(self, clause: list[int]) -> bool:
        return self.facts is None or self.spread(self.facts, [-literal for literal in clause]) is None


@pytest.mark.parametrize("batch", range(3))
def test_every_clause_of_the_solver_follows_from_the_checkers(batch: int):
    formulas = by_propagation = 0
    for number, board in enumerate([*tiny_boards(24, seed=60 + batch), near_miss(3, 3, 6, batch)]):
        for component in live_components(board):
            grades = sorted({board.moves[cell] for cell in component})
            for grade in {grades[0], grades[-1]} if number % 2 else {grades[len(grades) // 2]}:
                checker = Statements(tiles_of(board), list(component), grade, board.cols).formula()
                stated = {frozenset(clause) for clause in checker}
                propagation = UnitPropagation(checker)
                formulas += 1
                for clause in build_formula(board, component, grade).clauses:
                    if frozenset(clause) not in stated:
                        by_propagation += 1
                        assert propagation.implies(clause), (board, grade, clause)
    assert formulas > 20
    assert by_propagation > 20


def test_unit_propagation_can_say_no():
    propagation = UnitPropagation(ClauseList.of([[1, 2], [-2, 3], [4]]))
    assert propagation.implies([1, 3])
    assert propagation.implies([4, 5])
    assert not propagation.implies([1, -3])
    assert not propagation.implies([2])


def satisfiable(clauses: ClauseList) -> bool:
    if any(not clause for clause in clauses):
        return False
    with Solver(name="minisat22", bootstrap_with=list(clauses)) as solver:
        return bool(solver.solve())


def test_at_the_last_grade_the_formula_is_exact():
    """Satisfiable in each component, and closed tiles home: that is solvable, no more and no less."""
    said = []
    for board in tiny_boards(250, seed=70):
        closed_are_home = all(left or board.colours[n] == n // board.cols for n, left in enumerate(board.moves))
        for side in ("checker", "solver"):
            exact = closed_are_home
            for component in live_components(board):
                most = max(board.moves)
                if side == "checker":
                    clauses = Statements(tiles_of(board), list(component), most, board.cols).formula()
                else:
                    clauses = build_formula(board, component, most).clauses
                exact = exact and satisfiable(clauses)
            assert exact == is_solvable(board), (side, board)
        said.append(exact)
    assert min(said.count(True), said.count(False)) > 50
