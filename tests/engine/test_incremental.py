"""Asking a CDCL solver again and again: against truth tables, and cores with nothing to spare."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Budget, Cancellation
from solvent.engine.clauses import ClauseList
from solvent.engine.incremental import IncrementalSat, minimal_core

Clauses = list[list[int]]


def satisfiable(clauses: Clauses, variables: int, assumed: list[int]) -> bool:
    """Try every row of the truth table."""
    wanted = [*clauses, *([literal] for literal in assumed)]
    rows = product((False, True), repeat=variables)
    return any(all(any(row[abs(one) - 1] == (one > 0) for one in clause) for clause in wanted) for row in rows)


def random_clauses(seed: int, variables: int, count: int) -> Clauses:
    random = Random(seed)
    return [
        [random.choice((1, -1)) * one for one in random.sample(range(1, variables + 1), random.randint(1, 3))]
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(30))
def test_answers_are_those_of_the_truth_table(seed: int):
    random = Random(seed)
    clauses = random_clauses(seed, 6, 14)
    meter = Budget().start()
    with IncrementalSat() as solver:
        assert solver.add(ClauseList.of(clauses[:7], variables=6), meter) is None
        for count in range(8, len(clauses) + 1):  # one more each time
            known = clauses[:count]
            solver.add_clause(known[-1])
            assumed = [random.choice((1, -1)) * one for one in random.sample(range(1, 7), 2)]
            verdict, reason = solver.solve(meter, assumed)
            assert (verdict, reason) == (satisfiable(known, 6, assumed), None)
            if verdict:
                values = solver.model(6)
                assert all(
                    any(values[abs(one)] == (one > 0) for one in each) for each in [*known, *([a] for a in assumed)]
                )
            else:
                assert set(solver.core()) <= set(assumed)
                assert not satisfiable(known, 6, solver.core())


@pytest.mark.parametrize("seed", range(30))
def test_a_minimal_core_has_nothing_to_spare(seed: int):
    """Each clause holds only if its guard does; guards of a core are all needed."""
    clauses = random_clauses(seed, 5, 16)
    guards = list(range(6, 6 + len(clauses)))
    guarded = [[*clause, -guard] for clause, guard in zip(clauses, guards, strict=True)]
    meter = Budget().start()
    with IncrementalSat() as solver:
        solver.add(ClauseList.of(guarded), meter)
        verdict, _ = solver.solve(meter, guards)
        if verdict:
            assert satisfiable(clauses, 5, [])
            return
        core, reason = minimal_core(solver, solver.core(), meter)
    assert reason is None
    kept = [clauses[guard - 6] for guard in core]
    assert not satisfiable(kept, 5, [])
    for left_out in range(len(kept)):
        assert satisfiable(kept[:left_out] + kept[left_out + 1 :], 5, [])


def test_some_of_the_random_formulas_have_a_core_and_some_have_none():
    verdicts = {satisfiable(random_clauses(seed, 5, 16), 5, []) for seed in range(30)}
    assert verdicts == {True, False}


def test_clauses_that_come_late_are_asked_for():
    """The solver is not told that 1 and 2 exclude each other until a model has both."""
    meter = Budget().start()
    asked = []
    with IncrementalSat() as solver:
        solver.add(ClauseList.of([[1, -4], [2, -5], [3, -6]]), meter)

        def refine(assumed: list[int]) -> bool:
            asked.append(assumed)
            if 4 in assumed and 5 in assumed and len(asked) == 1:
                solver.add_clause([-1, -2])
                return True
            return False

        assert solver.solve(meter, [4, 5, 6])[0] is True
        assert refine([4, 5, 6])
        assert solver.solve(meter, [4, 5, 6])[0] is False
        core, reason = minimal_core(solver, [4, 5, 6], meter, refine)
    assert (sorted(core), reason) == ([4, 5], None)
    assert len(asked) > 1


def cause_of(reason: Reason | None) -> Cause | None:
    return None if reason is None else reason.cause


def pigeons(holes: int) -> ClauseList:
    """One pigeon more than there are holes: short to say, long to refute."""
    at = {(p, h): p * holes + h + 1 for p in range(holes + 1) for h in range(holes)}
    clauses = [[at[p, h] for h in range(holes)] for p in range(holes + 1)]
    clauses += [[-at[p, h], -at[q, h]] for h in range(holes) for p in range(holes + 1) for q in range(p)]
    return ClauseList.of(clauses)


def test_a_budget_is_no_answer():
    meter = Budget(nodes=50).start()
    with IncrementalSat() as solver:
        solver.add(pigeons(9), meter)
        verdict, reason = solver.solve(meter)
    assert (verdict, cause_of(reason)) == (None, Cause.NODES)


def test_a_cancelled_search_is_no_answer():
    cancellation = Cancellation()
    cancellation.cancel()
    meter = Budget(cancellation=cancellation).start()
    with IncrementalSat() as solver:
        assert cause_of(solver.add(pigeons(4), meter)) is Cause.CANCELLED
        verdict, reason = solver.solve(meter)
    assert (verdict, cause_of(reason)) == (None, Cause.CANCELLED)


def test_a_closed_solver_says_so():
    solver = IncrementalSat()
    solver.close()
    with pytest.raises(RuntimeError, match="closed"):
        solver.add_clause([1])
