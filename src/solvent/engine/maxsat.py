"""Find the cheapest way to satisfy a formula (weighted partial MaxSAT) with a CDCL solver, within a budget.

Costs are whole numbers on literals, paid when a literal is true. The search assumes that nothing is paid; each time
the solver shows a set of such assumptions (a core) to clash, at least one of them must be paid: the lower bound rises
by the cheapest of them, and a counter over the core becomes the new, weaker assumption ("at most one is paid"). Dear
literals come first, so that good solutions turn up early and bound the cost from above. The two bounds meet at the
optimum. This is the scheme known as OLL, with stratification and hardening.

Everything is deterministic unless a limit in seconds strikes. One conflict is one node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from pysat.card import ITotalizer
from pysat.solvers import Glucose4

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.engine.watching import run_watched

CONFLICTS_TO_SHRINK = 10
"""How hard each attempt to make a core smaller may try; more (30, 100, 1000) was slower on graphs of rooms."""


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


class MaxSat:
    """Hold a formula with costs, and find its cheapest solutions one after the other. Use it in a `with` block."""

    def __init__(self, clauses: Iterable[Sequence[int]], costs: Mapping[int, int], variables: int) -> None:
        """Take the clauses, and what each literal costs when it is true; costs are positive."""
        self.costs = dict(costs)
        self._solver: Any = Glucose4()
        self._top = variables
        self._variables = variables
        self._bound = 0
        self._most: int | None = None
        """What the best solution costs: dearer ones are not looked for any more."""
        self._weights: dict[int, int] = {-literal: cost for literal, cost in sorted(self.costs.items())}
        """What it costs to give up an assumption."""
        self._counters: dict[int, tuple[Any, int, int]] = {}
        """For an assumption that is a counter's bound: the counter, how many it allows, and the price of each more."""
        self._conflicts = 0
        for clause in clauses:
            self._solver.add_clause(list(clause))

    def __enter__(self) -> MaxSat:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver's memory."""
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.delete()
        self._counters = {}

    def forbid(self, literals: Sequence[int]) -> None:
        """Demand that not all of these literals are true together in what is found from now on."""
        self._open().add_clause([-literal for literal in literals])

    def minimise(self, meter: Meter) -> Optimum:
        """Find the cheapest solution. Called again after `forbid`, find another one that costs no more than the last.

        Without one, the cost is None and there is no reason. After a deadline or a cancellation the solver is closed.
        """
        best: int | None = None
        true: frozenset[int] = frozenset()
        level = max(self._weights.values(), default=0)
        while self._most is None or self._bound <= self._most:
            assumed = [literal for literal, weight in self._weights.items() if weight >= level]
            verdict, reason = self._run(assumed, meter)
            if reason is not None:
                return Optimum(best, self._bound, true, reason)
            if verdict:
                found = frozenset(variable for variable in self._open().get_model() if variable > 0)
                cost = sum(cost for literal, cost in self.costs.items() if (abs(literal) in found) == (literal > 0))
                if (best is None or cost < best) and (self._most is None or cost <= self._most):
                    best = self._most = cost
                    true = frozenset(variable for variable in found if variable <= self._variables)
                self._harden()
                below = [weight for weight in self._weights.values() if weight < level]
                if best == self._bound or not below:
                    return Optimum(best, self._bound, true, None)
                level = self._next_level(below, level)
            else:
                core = self._shrink(self._open().get_core() or [], meter)
                if not core:
                    break
                self._relax(core)
        return Optimum(best, self._bound, true, None)

    def _harden(self) -> None:
        """Demand for good what would cost more to give up than the best solution leaves room for."""
        if self._most is not None:
            room = self._most - self._bound
            for literal in [literal for literal, weight in self._weights.items() if weight > room]:
                self._open().add_clause([literal])
                del self._weights[literal]

    def _next_level(self, below: list[int], level: int) -> int:
        """Choose how dear a literal must be to be assumed next: half as dear, or the dearest that is left."""
        return max(weight for weight in below if weight <= max(level // 2, min(below)))

    def _shrink(self, core: list[int], meter: Meter) -> list[int]:
        """Drop assumptions from a core that it does not need, as far as a few quick attempts show."""
        for _ in range(5):
            size = len(core)
            if self._try_quickly(core) is not False:
                break
            core = self._open().get_core() or []
            if len(core) == size:
                break
        # The cheapest goes first: the bound rises by the cheapest that stays.
        for literal in sorted(core, key=lambda literal: (self._weights[literal], abs(literal))):
            if len(core) == 1 or meter.stop_reason() is not None:
                break
            if literal not in core:
                continue
            verdict = self._try_quickly([other for other in core if other != literal])
            if verdict is None:
                break
            if verdict is False:
                core = self._open().get_core() or []
        self._count(meter)
        return core

    def _try_quickly(self, assumed: list[int]) -> bool | None:
        """Solve under assumptions, or give up soon."""
        solver = self._open()
        solver.conf_budget(CONFLICTS_TO_SHRINK)
        verdict: bool | None = solver.solve_limited(assumptions=assumed)
        return verdict

    def _relax(self, core: list[int]) -> None:
        """Book a core: at least one of its assumptions is given up."""
        solver = self._open()
        price = min(self._weights[literal] for literal in core)
        self._bound += price
        for literal in core:
            self._weights[literal] -= price
            if self._weights[literal] == 0:
                del self._weights[literal]
            if literal in self._counters:
                self._assume_more(literal)
        if len(core) == 1:
            if core[0] not in self._weights:
                solver.add_clause([-core[0]])
            return
        solver.add_clause([-literal for literal in core])
        counter = ITotalizer(lits=[-literal for literal in core], ubound=1, top_id=self._top)
        self._top = max(self._top, counter.top_id)
        for clause in counter.cnf.clauses:
            solver.add_clause(clause)
        self._assume_at_most(counter, 1, price)

    def _assume_at_most(self, counter: Any, allowed: int, price: int) -> None:
        bound = -counter.rhs[allowed]
        self._weights[bound] = price
        self._counters[bound] = (counter, allowed, price)

    def _assume_more(self, bound: int) -> None:
        """Let the counter behind a bound that is given up allow one more, unless it does so already."""
        counter, allowed, price = self._counters.pop(bound)
        if allowed + 1 < len(counter.lits):
            self._widen(counter, allowed + 1)
            self._assume_at_most(counter, allowed + 1, price)

    def _widen(self, counter: Any, allowed: int) -> None:
        if allowed >= len(counter.rhs) or allowed > counter.ubound:
            counter.increase(ubound=allowed, top_id=self._top)
            self._top = max(self._top, counter.top_id)
            for clause in counter.cnf.clauses[len(counter.cnf.clauses) - counter.nof_new :]:
                self._open().add_clause(clause)

    def _open(self) -> Any:
        if self._solver is None:
            raise RuntimeError("the solver is closed")
        return self._solver

    def _abandon(self) -> None:
        self._solver = None

    def _count(self, meter: Meter) -> None:
        conflicts = self._open().accum_stats()["conflicts"]
        meter.spend(conflicts - self._conflicts)
        self._conflicts = conflicts

    def _run(self, assumed: list[int], meter: Meter) -> tuple[bool | None, Reason | None]:
        """Solve under assumptions, in a thread of its own, so that a deadline or Ctrl-C is felt at once."""
        reason = meter.stop_reason()
        if reason is not None:
            if reason.cause is not Cause.NODES:
                self.close()
            return None, reason
        solver = self._open()
        left = meter.nodes_left
        solver.conf_budget(-1 if left is None else left)
        verdicts: list[bool | None] = []

        def work() -> None:
            verdicts.append(solver.solve_limited(assumptions=assumed, expect_interrupt=True))

        reason = run_watched(solver, work, meter, name="solvent-maxsat", abandon=self._abandon)
        if reason is not None:
            return None, reason
        self._count(meter)
        if verdicts[0] is None:
            return None, meter.stop_reason() or Reason(Cause.NODES)
        return verdicts[0], None
