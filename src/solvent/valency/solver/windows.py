"""Fill some nodes at once with a CDCL solver, the others staying as they are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Reason
from solvent.core.budget import Budget, Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.incremental import IncrementalSat
from solvent.valency.distinct import distinct
from solvent.valency.solver.clash_elements import Element, global_elements, local_elements
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.formula import Cut, SearchFormula
from solvent.valency.solver.joins import broken_joins
from solvent.valency.solver.network import Network, Words, put_modules, truths_of, unpack

Modules = npt.NDArray[np.int64]

LEAST_CONFLICTS, CONFLICTS_A_NODE = 200, 4
"""How hard to try one window before a larger one is tried: at least, and for each of its nodes."""
MEGABYTES_A_LITERAL = 24 / (1 << 20)
"""What a literal of the formula costs in memory, about: in our arrays, and in the solver."""


class Window(Struct, frozen=True):
    """Hold what became of a window."""

    modules: Modules | None
    """A fill of its nodes, if one was found."""
    reason: Reason | None
    """Why the budget ended it, if it did."""
    effort: int
    """How large its formula was, in literals."""
    hard: bool = False
    """Whether it was given up because it proved hard."""

    @property
    def refuted(self) -> bool:
        """Tell whether there is no fill."""
        return self.modules is None and self.reason is None and not self.hard


def fill_window(
    network: Network, nodes: npt.NDArray[np.int64], roots: Words, settled: npt.NDArray[np.int32], meter: Meter
) -> Window:
    """Look for modules for the nodes, sorted, that agree with each other and with what is settled around them.

    Counts and what must hang together are not looked at.
    """
    inside = truths_of(nodes, network.nodes)
    allowed = window_allowances(network, nodes, roots, np.where(inside, -1, settled))
    if not allowed.any(axis=1).all():
        return Window(None, None, allowed.size)
    formula = SearchFormula(network, nodes, allowed)
    formula.add(local_elements(network, inside))
    clauses = formula.clauses()
    effort = len(clauses.literals)
    with IncrementalSat() as solver:
        reason = solver.add(clauses, meter)
        if reason is None:
            verdict, reason = solver.solve(meter)
        if reason is not None or not verdict:
            return Window(None, reason, effort)
        return Window(formula.modules_of(solver.model(formula.variables)), None, effort)


def window_allowances(
    network: Network, nodes: npt.NDArray[np.int64], roots: Words, settled: npt.NDArray[np.int32]
) -> npt.NDArray[np.bool_]:
    """Return what may stand on each node of a window beside what is settled around it, all consequences drawn."""
    domains = np.zeros_like(roots)
    domains[nodes] = roots[nodes]
    around = distinct(
        np.concatenate([network.arc_target[network.arc_start[v] : network.arc_start[v + 1]] for v in nodes.tolist()])
    )
    around = around[settled[around] >= 0].astype(np.int64)
    put_modules(domains, around, settled[around].astype(np.int64))
    filling = Filling.without_choices(network, domains)
    filling.look_at(distinct(np.concatenate([nodes, around])))
    failed, _ = filling.propagate(Budget().start())
    allowed = unpack(filling.domains[nodes], network.modules)
    if failed >= 0:
        allowed[:] = False
    return allowed


def try_window(
    network: Network, nodes: npt.NDArray[np.int64], roots: Words, settled: npt.NDArray[np.int32], meter: Meter
) -> Window:
    """Fill a window like `fill_window`, but give up on it when it proves hard.

    A larger window leaves more room and is often easier, so there is no point in being stubborn about this one.
    """
    part = meter.part(nodes=max(LEAST_CONFLICTS, CONFLICTS_A_NODE * len(nodes)))
    window = fill_window(network, nodes, roots, settled, part)
    if window.reason is not None and meter.stop_reason() is None:
        return replace(window, reason=None, hard=True)
    return window


def fill_everything(
    network: Network,
    inside: npt.NDArray[np.bool_],
    roots: Words,
    near: Modules,
    meter: Meter,
    *,
    listen: Listener = ignore,
) -> tuple[Modules | None, list[Cut], Reason | None]:
    """Return a fill of all nodes inside by CDCL, as much like `near` as the solver likes, and the cuts it took.

    None without a reason: there is no fill at all.
    """
    nodes = np.flatnonzero(inside)
    elements: list[Element] = [*local_elements(network, inside), *global_elements(network)]
    cuts: list[Cut] = []
    reason = _memory_reason(network, meter)
    if reason is not None:
        return None, cuts, reason
    formula = SearchFormula(network, nodes, unpack(roots[nodes], network.modules))
    formula.add(elements)
    with IncrementalSat() as solver:
        reason = solver.add(formula.clauses(), meter)
        if reason is not None:
            return None, cuts, reason
        known = np.flatnonzero(near[nodes] >= 0)
        solver.prefer(formula.holds(known, near[nodes][known]).tolist())
        while True:
            verdict, reason = solver.solve(meter)
            if reason is not None or not verdict:
                return None, cuts, reason
            modules = near.copy()
            modules[nodes] = formula.modules_of(solver.model(formula.variables))
            missing = broken_joins(network, modules)
            if not missing:
                return modules, cuts, None
            cuts += missing
            for cut in missing:
                formula.add_cut(cut)
            for clause in formula.clauses():
                solver.add_clause(clause)
            listen(Event(Kind.PROGRESS, f"connecting what must be connected ({len(cuts)} cuts)", meter.nodes))


def _memory_reason(network: Network, meter: Meter) -> Reason | None:
    """Return why the formula would be too large, or None."""
    density = float(network.agreements.mean()) if network.agreements.size else 0.0
    literals = len(network.arc_target) * network.modules * (1 + density * network.modules)
    literals += network.nodes * network.modules * 2 * max(1, (network.modules - 1).bit_length())
    for bound in network.count_bounds:
        literals += 6 * bound.scope.sum() * (bound.least + (bound.most if bound.most < network.nodes else 0))
    return meter.memory_reason(literals * MEGABYTES_A_LITERAL, "the formula of the whole cluster")
