from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest
from pysat.solvers import Glucose4

from proof.formulas import pigeonhole, planted_formula, random_formula
from solvent.core.answer import Cause
from solvent.core.budget import Budget, Cancellation
from solvent.core.events import Kind
from solvent.engine import cdcl
from solvent.engine.clauses import ClauseList
from solvent.engine.sat import SatSolver
from solvent.proof.rup import refutation_violations

HARD = ClauseList.of(pigeonhole(11))
"""Far beyond what Glucose refutes while a test waits."""


@pytest.mark.parametrize("seed", range(5))
def test_a_model_satisfies_every_clause(seed):
    formula = planted_formula(80, 300, seed)
    with SatSolver(ClauseList.of(formula, variables=90), with_proof=False) as solver:
        assert solver.solve(Budget().start()) == (True, None)
        model = solver.model()
    assert len(model) == 91
    assert all(any(model[abs(literal)] == (literal > 0) for literal in clause) for clause in formula)


@pytest.mark.parametrize("seed", range(5))
def test_a_refutation_comes_with_a_proof(seed):
    clauses = ClauseList.of(random_formula(100, 480, seed))
    with SatSolver(clauses, with_proof=True) as solver:
        assert solver.solve(Budget().start()) == (False, None)
        assert refutation_violations(clauses, solver.proof()) == []


@pytest.mark.parametrize(
    "formula", [[[]], [[1], [-1]], [[1, 2], [-1], [-2]], [[1, 1], [-1, -1], [2, -2]], [[3], [], [1]]]
)
def test_what_loading_refutes_has_a_proof_too(formula):
    clauses = ClauseList.of(formula)
    with SatSolver(clauses, with_proof=True) as solver:
        meter = Budget().start()
        assert solver.solve(meter) == (False, None)
        assert meter.nodes == 0
        assert refutation_violations(clauses, solver.proof()) == []


def test_no_clauses_are_satisfied_by_anything():
    with SatSolver(ClauseList.of([], variables=3), with_proof=True) as solver:
        assert solver.solve(Budget().start()) == (True, None)
        assert list(solver.model()) == [0] * 4


@pytest.mark.parametrize("chunk", [1, 300, 1 << 40])
def test_cutting_the_search_differently_changes_nothing(chunk, monkeypatch):
    formula = pigeonhole(7)
    with Glucose4(with_proof=True) as plain:
        for clause in formula:
            plain.add_clause(clause)
        assert plain.solve() is False
        expected, conflicts = plain.get_proof(), plain.accum_stats()["conflicts"]
    monkeypatch.setattr(cdcl, "CONFLICTS_A_CHUNK", chunk)
    news = []
    with SatSolver(ClauseList.of(formula), with_proof=True) as solver:
        meter = Budget().start()
        assert solver.solve(meter, listen=news.append) == (False, None)
        assert solver.proof().split("\n")[:-1] == expected
    assert meter.nodes == conflicts
    assert [event.kind for event in news] == [Kind.PROGRESS] * len(news)
    assert (len(news) > 1) == (chunk < conflicts)


def test_a_node_limit_stops_at_the_same_place_every_time():
    spent = []
    for _ in range(2):
        with SatSolver(HARD, with_proof=True) as solver:
            meter = Budget(nodes=500).start()
            verdict, reason = solver.solve(meter)
        assert verdict is None
        assert reason is not None
        assert reason.cause is Cause.NODES
        spent.append(meter.nodes)
    assert spent[0] == spent[1] >= 500


def test_goes_on_after_the_nodes_ran_out():
    clauses = ClauseList.of(pigeonhole(7))
    with SatSolver(clauses, with_proof=True) as whole:
        whole.solve(Budget().start())
        expected = whole.proof()
    with SatSolver(clauses, with_proof=True) as solver:
        rounds = 1
        while solver.solve(Budget(nodes=100).start())[0] is None:
            rounds += 1
        assert rounds > 1
        assert solver.proof() == expected


def test_an_empty_budget_loads_nothing():
    with SatSolver(HARD, with_proof=False) as solver:
        verdict, reason = solver.solve(Budget(nodes=0).start())
        assert verdict is None
        assert reason is not None
        assert reason.cause is Cause.NODES


def test_loading_stops_between_slices(monkeypatch):
    monkeypatch.setattr(cdcl, "CLAUSES_A_SLICE", 10)
    clauses = ClauseList.of([[1, 2]] * 95)
    cancellation = Cancellation()
    with SatSolver(clauses, with_proof=False) as solver:
        meter = Budget(cancellation=cancellation).start()
        asked = []
        look = meter.stop_reason

        def cancel_at_the_fourth_look():
            asked.append(1)
            if len(asked) == 4:
                cancellation.cancel()
            return look()

        meter.stop_reason = cancel_at_the_fourth_look
        reason = solver.load(meter)
        assert reason is not None
        assert reason.cause is Cause.CANCELLED
        assert solver._solver.nof_clauses() == 30
        assert solver.load(Budget().start()) is None
        assert solver._solver.nof_clauses() == 95


def test_cancelling_ends_a_long_search():
    cancellation = Cancellation()
    timer = threading.Timer(0.2, cancellation.cancel)
    timer.start()
    with SatSolver(HARD, with_proof=True) as solver:
        verdict, reason = solver.solve(Budget(cancellation=cancellation).start())
    timer.join()
    assert verdict is None
    assert reason is not None
    assert reason.cause is Cause.CANCELLED


def test_a_deadline_ends_a_long_search():
    with SatSolver(HARD, with_proof=False) as solver:
        verdict, reason = solver.solve(Budget(seconds=0.2).start())
        assert verdict is None
        assert reason is not None
        assert reason.cause is Cause.TIME
        with pytest.raises(RuntimeError, match="closed"):
            solver.solve(Budget().start())


def test_a_deadline_between_two_runs_closes_the_solver_too(monkeypatch):
    with SatSolver(HARD, with_proof=False) as solver:
        meter = Budget(seconds=1000).start()
        run = solver._run

        def run_until_the_deadline(conflicts, assumptions, meter):
            ended = run(conflicts, assumptions, meter)
            monkeypatch.setattr(type(meter), "elapsed", 1001.0)
            return ended

        monkeypatch.setattr(cdcl, "CONFLICTS_A_CHUNK", 10)
        solver._run = run_until_the_deadline
        verdict, reason = solver.solve(meter)
        assert (verdict, reason.cause) == (None, Cause.TIME)
        with pytest.raises(RuntimeError, match="closed"):
            solver.solve(Budget(nodes=100_000).start())


def test_an_interrupt_while_waiting_reaches_the_caller():
    with SatSolver(HARD, with_proof=False) as solver:
        meter = Budget().start()
        looks = []

        def interrupt_at_the_third_look():
            looks.append(1)
            if len(looks) == 3:
                raise KeyboardInterrupt
            return

        meter.stop_reason = interrupt_at_the_third_look
        with pytest.raises(KeyboardInterrupt):
            solver.solve(meter)


def test_what_was_not_found_cannot_be_asked_for():
    with SatSolver(ClauseList.of([[1]]), with_proof=True) as solver:
        with pytest.raises(RuntimeError, match="satisfiable"):
            solver.model()
        with pytest.raises(RuntimeError, match="refuted"):
            solver.proof()
        solver.solve(Budget().start())
        assert [variable for variable, value in enumerate(solver.model()) if value] == [1]
        with pytest.raises(RuntimeError, match="refuted"):
            solver.proof()
    with SatSolver(ClauseList.of([[]]), with_proof=False) as solver:
        solver.solve(Budget().start())
        with pytest.raises(RuntimeError, match="asked for"):
            solver.proof()


def test_closing_twice_is_harmless():
    solver = SatSolver(ClauseList.of([[1]]), with_proof=False)
    solver.close()
    solver.close()
    with pytest.raises(RuntimeError, match="closed"):
        solver.load(Budget().start())


NO_ROOM = """
import resource, sys
from proof.formulas import random_formula
from solvent.core.answer import Cause
from solvent.core.budget import Budget
from solvent.engine.clauses import ClauseList
from solvent.engine.sat import SatSolver

with SatSolver(ClauseList.of(random_formula(300, 1275, seed=1)), with_proof=True) as solver:
    meter = Budget(nodes=200_000).start()
    assert solver.load(meter) is None
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[1]) * 1_000_000, -1))
    try:
        verdict, reason = solver.solve(meter)
    except MemoryError:
        sys.exit(0)
    assert verdict is not None or reason.cause in (Cause.MEMORY, Cause.NODES), reason
"""


@pytest.mark.parametrize("megabytes", [2, 10, 17, 19, 21, 26])
def test_a_solver_without_room_is_stopped_before_it_ends_the_process(megabytes: int):
    """Glucose does not survive a want of memory."""
    words = [sys.executable, "-c", NO_ROOM, str(megabytes)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["tests", *sys.path])}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
