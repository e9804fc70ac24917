"""Change a complete fill where something else is asked of it: fill windows anew under clauses of one's own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.engine.incremental import IncrementalSat
from solvent.valency.slices import where_true
from solvent.valency.solver.clash_elements import global_elements, local_elements
from solvent.valency.solver.joins import broken_consequences
from solvent.valency.solver.mending import CONFLICTS_A_WINDOW, MAX_ROUNDS, Mending, Nodes
from solvent.valency.solver.network import Network, unpack
from solvent.valency.solver.node_sets import NodeSet
from solvent.valency.solver.search_formula import SearchFormula
from solvent.valency.solver.task import Modules
from solvent.valency.solver.windows import window_allowances

CONFLICTS_OF_ALL = 200_000
"""How hard to try the whole before giving up."""


class Clause(Struct, frozen=True, eq=False):
    """Ask that at least one of some nodes holds a module of those named for it."""

    nodes: Nodes
    wanted: npt.NDArray[np.bool_]
    """For each node and module whether it would do."""

    def is_broken(self, modules: Modules) -> bool:
        """Tell whether none of the nodes holds what is asked for."""
        return not self.wanted[np.arange(len(self.nodes)), modules[self.nodes]].any()

    def only(self, nodes: Sequence[int]) -> Clause:
        """Return the same about some of the nodes only, which asks for more."""
        chosen = np.isin(self.nodes, nodes)
        return Clause(self.nodes[chosen], self.wanted[chosen])


class Remending(Mending):
    """Hold a complete fill that keeps all rules but breaks a clause."""

    def __init__(self, network: Network, modules: Modules, meter: Meter, clauses: Sequence[Clause]) -> None:
        super().__init__(network, modules, network.domains, meter, np.zeros(0, dtype=np.int32))
        self.clauses = clauses

    def change(self, anchors: list[int], radius: int, wanted: Sequence[Clause]) -> bool:
        """Fill the surroundings of some nodes anew so that all clauses hold, and those that are wanted besides."""
        asked = [*self.clauses, *wanted]
        inside = NodeSet(self.network, self._around(anchors, radius), self.meter)
        allowed = window_allowances(self.network, inside, self.roots, self.modules, self.meter)
        if isinstance(allowed, Reason) or not allowed.any(axis=1).all():
            return False
        formula = SearchFormula(self.network, inside, allowed, self.meter)
        for clause in asked:
            if not self._write(formula, clause, inside, allowed):
                return False
        return self._search(formula, inside)

    def _write(self, formula: SearchFormula, clause: Clause, inside: NodeSet, allowed: npt.NDArray[np.bool_]) -> bool:
        """Add a clause beside what stays outside; False if it cannot hold."""
        here = inside.has(clause.nodes)
        outside = np.flatnonzero(~here)
        if clause.wanted[outside, self.modules[clause.nodes[outside]]].any():
            return True
        places = inside.places(clause.nodes[here])
        which, module = np.nonzero(clause.wanted[here] & allowed[places])
        if not len(which):
            return False
        formula.rows.add_clause(formula.holds(places[which], module))
        return True

    def _search(self, formula: SearchFormula, inside: NodeSet) -> bool:
        network, meter, nodes = self.network, self.meter, inside.nodes
        formula.add(local_elements(network, inside, meter))
        for bound in network.count_bounds:
            held = bound.held(self.modules, meter)
            within = sum(self._holds(bound, node) for node in nodes.tolist())
            formula.add_bounds(bound, bound.least - held + within, bound.most - held + within)
        for one in network.limits:
            one.write_around(formula, self.modules)
        for number, constraint in network.joins:
            formula.add_frozen_join(number, constraint, self.modules)
        part = meter.part(nodes=CONFLICTS_A_WINDOW)
        with IncrementalSat() as solver:
            if solver.add(formula.clauses(), part) is not None:
                return False
            solver.prefer(formula.holds(np.arange(len(nodes)), self.modules[nodes]).tolist())
            for _ in range(MAX_ROUNDS):
                verdict, reason = solver.solve(part)
                if reason is not None or not verdict:
                    return False
                modules = self.modules.copy()
                modules[nodes] = formula.modules_of(solver.model(formula.variables))
                loose = [
                    clause
                    for number, constraint in network.joins
                    for clause in self._loose_clauses(formula, number, constraint, modules, inside, strict=True)
                ]
                for one in network.limits:
                    loose += one.clauses_against(formula, modules)
                if not loose:
                    self.modules = modules
                    return True
                for clause in loose:
                    solver.add_clause(clause)
        return False

    def change_anything(self) -> bool | None:
        """Fill everything anew; False if there is no fill in which all clauses hold, None if it is not known."""
        network, meter = self.network, self.meter
        inside = NodeSet(network, where_true(network.cache.open_nodes, meter), meter)
        nodes = inside.nodes
        allowed = unpack(self.roots[nodes], network.modules)
        formula = SearchFormula(network, inside, allowed, meter)
        for clause in self.clauses:
            if not self._write(formula, clause, inside, allowed):
                return False
        formula.add(local_elements(network, inside, meter).and_others(global_elements(network), meter))
        part = meter.part(nodes=CONFLICTS_OF_ALL)
        with IncrementalSat() as solver:
            if solver.add(formula.clauses(), part) is not None:
                return None
            solver.prefer(formula.holds(np.arange(len(nodes)), self.modules[nodes]).tolist())
            while True:
                verdict, reason = solver.solve(part)
                if reason is not None:
                    return None
                if not verdict:
                    return False
                modules = self.modules.copy()
                modules[nodes] = formula.modules_of(solver.model(formula.variables))
                missing = broken_consequences(network, modules, meter)
                if not missing:
                    self.modules = modules
                    return True
                for one in missing:
                    formula.add_consequence(one)
                for more in formula.clauses():
                    solver.add_clause(more)
