"""Find the cheapest way to satisfy a formula (weighted partial MaxSAT) with python-sat's RC2, within a budget.

Costs are whole numbers on literals, paid when a literal is true. RC2 assumes that nothing is paid. Whenever some of
these assumptions clash, at least one of them must be paid and the lower bound rises; dear literals come first, so that
good solutions turn up early and bound the cost from above. The two bounds meet at the optimum.

Everything is deterministic unless a limit in seconds strikes. A node is one conflict, or one question to the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pysat.examples.rc2 import RC2Stratified
from pysat.formula import WCNF

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.engine.cdcl import CdclSolver


@dataclass(frozen=True, slots=True)
class Optimum:
    """Hold what a search for the cheapest solution found."""

    cost: int | None
    """What the best solution found costs, or None if none was found."""
    bound: int
    """No solution is cheaper than this, if there is one at all."""
    true: frozenset[int]
    """The variables that are true in the best solution."""
    reason: Reason | None
    """Why the search stopped before it was sure, or None if it is."""

    @property
    def proved(self) -> bool:
        """Tell whether the solution is known to be the cheapest, or that there is none."""
        return self.reason is None


class _Stopped(Exception):
    """End RC2's search: the budget is spent, or what it could still find costs too much."""

    def __init__(self, reason: Reason | None) -> None:
        super().__init__(reason)
        self.reason = reason


class MaxSat(CdclSolver):
    """Hold a formula with costs, and find its cheapest solutions one after the other. Use it in a `with` block."""

    def __init__(self, clauses: Iterable[Sequence[int]], costs: Mapping[int, int], variables: int) -> None:
        """Take the clauses, and what each literal costs when it is true; costs are positive."""
        formula = WCNF()
        formula.extend([list(clause) for clause in clauses])
        for literal, cost in sorted(costs.items()):
            formula.append([-literal], weight=cost)
        # RC2 needs something to pay for; this variable is in no clause.
        formula.append([-max(variables, formula.nv) - 1], weight=1)
        self._rc2 = _WatchedRC2(self, formula)
        super().__init__(self._rc2.oracle)
        self._costs = dict(costs)
        self._variables = variables
        self._meter: Meter | None = None
        self._best: tuple[int, frozenset[int]] | None = None
        """The best solution of the search at hand: what it costs, and the variables that are true."""
        self._most: int | None = None
        """What the best solution ever found costs: dearer ones are not looked for any more."""

    def close(self) -> None:
        """Free the solver's memory."""
        if self._solver is None:
            self._rc2.oracle = None  # a thread that was left behind may still use it
        else:
            self._solver = None
            self._rc2.delete()

    def forbid(self, literals: Sequence[int]) -> None:
        """Demand that not all of these literals are true together in what is found from now on."""
        self._open().add_clause([-literal for literal in literals])

    def minimise(self, meter: Meter) -> Optimum:
        """Find the cheapest solution. Called again after `forbid`, find another one that costs no more than the last.

        Without one, the cost is None and there is no reason. After a deadline or a cancellation the solver is closed.
        """
        self._meter, self._best, reason = meter, None, None
        try:
            self._rc2.compute()
        except _Stopped as stopped:
            reason = stopped.reason
        cost, true = self._best or (None, frozenset[int]())
        return Optimum(cost, self._rc2.cost, true, reason)

    def call(self, assumptions: Sequence[int]) -> bool:
        """Solve for RC2 under assumptions, and note each solution that is better than the ones before."""
        assert self._meter is not None
        self._meter.spend(1)
        if self._most is not None and self._rc2.cost > self._most:
            raise _Stopped(None)
        verdict, reason = self._solve(self._meter, assumptions)
        if verdict is None:
            raise _Stopped(reason)
        if verdict:
            true = frozenset(variable for variable in self._open().get_model() if variable > 0)
            cost = sum(cost for literal, cost in self._costs.items() if (abs(literal) in true) == (literal > 0))
            if self._most is None or cost < self._most or (cost == self._most and self._best is None):
                self._most = cost
                self._best = cost, frozenset(variable for variable in true if variable <= self._variables)
        return verdict


class _WatchedRC2(RC2Stratified):  # type: ignore[misc]
    """Let RC2 ask its SAT questions through a solver that keeps to a budget."""

    def __init__(self, owner: MaxSat, formula: WCNF) -> None:
        self._owner = owner
        super().__init__(formula, solver="g4")

    def _call_oracle(self, assumptions: Sequence[int] = (), expect_interrupt: bool = False) -> Any:  # noqa: ARG002
        return self._owner.call(assumptions)
