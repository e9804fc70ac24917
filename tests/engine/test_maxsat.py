from __future__ import annotations

import random
from itertools import product

import pytest

from proof.formulas import pigeonhole
from solvent.core.answer import Cause
from solvent.core.budget import Budget, Cancellation
from solvent.engine.maxsat import MaxSat


def cheapest(clauses, costs, variables):
    """Find the least cost and all assignments that have it, by trying every one."""
    best, found = None, []
    for values in product((False, True), repeat=variables):
        if all(any(values[abs(literal) - 1] == (literal > 0) for literal in clause) for clause in clauses):
            cost = sum(cost for literal, cost in costs.items() if values[abs(literal) - 1] == (literal > 0))
            if best is None or cost < best:
                best, found = cost, []
            if cost == best:
                found.append({number + 1 for number, value in enumerate(values) if value})
    return best, found


def random_problem(seed):
    chance = random.Random(seed)
    variables = chance.randint(3, 9)
    clauses = [
        [chance.choice((1, -1)) * variable for variable in chance.sample(range(1, variables + 1), chance.randint(1, 3))]
        for _ in range(chance.randint(2, 28))
    ]
    spread = chance.choice(((1, 1), (1, 3), (1, 200)))
    literals = [chance.choice((1, -1)) * variable for variable in range(1, variables + 1) if chance.random() < 0.9]
    return clauses, {literal: chance.randint(*spread) for literal in literals}, variables


@pytest.mark.parametrize("seed", range(150))
def test_the_optimum_and_all_its_ties_are_found(seed):
    clauses, costs, variables = random_problem(seed)
    best, ties = cheapest(clauses, costs, variables)
    found = []
    with MaxSat(clauses, costs, variables) as solver:
        while True:
            optimum = solver.minimise(Budget().start())
            assert optimum.proved
            if optimum.cost is None:
                break
            assert optimum.cost == best == optimum.bound
            found.append(set(optimum.true))
            values = [number if number in optimum.true else -number for number in range(1, variables + 1)]
            solver.forbid(values)
    assert len(found) == len(ties)
    assert sorted(map(sorted, found)) == sorted(map(sorted, ties))


def test_nothing_to_satisfy_and_nothing_to_pay():
    with MaxSat([], {}, 3) as solver:
        optimum = solver.minimise(Budget().start())
    assert (optimum.cost, optimum.bound, optimum.proved) == (0, 0, True)


def test_what_cannot_be_satisfied_has_no_cost():
    with MaxSat([[1], [-1]], {2: 5}, 2) as solver:
        optimum = solver.minimise(Budget().start())
    assert (optimum.cost, optimum.proved) == (None, True)


def test_costs_of_variables_that_no_clause_mentions():
    with MaxSat([[1]], {5: 3, -6: 4}, 6) as solver:
        optimum = solver.minimise(Budget().start())
    assert optimum.cost == 0
    assert {1, 6} <= optimum.true


def relaxed_pigeons(holes):
    """Let every pigeon stay away at a cost, so that one of them must; finding that out is hard."""
    clauses = pigeonhole(holes)
    variables = max(abs(literal) for clause in clauses for literal in clause)
    costs = {}
    for clause in clauses:
        if len(clause) > 2:
            variables += 1
            clause.append(variables)
            costs[variables] = 1 + variables % 3
    return [list(clause) for clause in clauses], costs, variables


def test_the_same_work_every_time():
    spent = set()
    for _ in range(2):
        meter = Budget().start()
        with MaxSat(*relaxed_pigeons(6)) as solver:
            optimum = solver.minimise(meter)
        assert optimum.cost == 1
        spent.add((meter.nodes, optimum.true))
    assert len(spent) == 1


def test_nodes_run_out_with_the_best_so_far():
    with MaxSat(*relaxed_pigeons(11)) as solver:
        optimum = solver.minimise(Budget(nodes=2000).start())
    assert optimum.reason is not None
    assert optimum.reason.cause is Cause.NODES
    assert optimum.cost is None or optimum.cost >= optimum.bound


def test_a_cancelled_search_closes_the_solver():
    cancellation = Cancellation()
    cancellation.cancel()
    with MaxSat([[1]], {1: 1}, 1) as solver:
        optimum = solver.minimise(Budget(cancellation=cancellation).start())
        assert optimum.reason is not None
        assert optimum.reason.cause is Cause.CANCELLED
        with pytest.raises(RuntimeError, match="closed"):
            solver.forbid([1])


def test_a_deadline_stops_a_hard_search():
    with MaxSat(*relaxed_pigeons(14)) as solver:
        optimum = solver.minimise(Budget(seconds=0.2).start())
    assert optimum.reason is not None
    assert optimum.reason.cause is Cause.TIME


def test_an_interrupt_reaches_the_caller():
    with MaxSat(*relaxed_pigeons(14)) as solver:
        meter = Budget().start()
        looks = []

        def interrupt_at_the_third_look():
            looks.append(1)
            if len(looks) == 3:
                raise KeyboardInterrupt

        meter.stop_reason = interrupt_at_the_third_look
        with pytest.raises(KeyboardInterrupt):
            solver.minimise(meter)
