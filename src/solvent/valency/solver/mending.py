"""Mend a complete draft that breaks a count, or in which something hangs loose: window by window, the rest frozen.

A draft follows the weights and the seed; deciding the whole cluster by proof search would give that up. So a window is
filled anew around what is wrong, as much like the draft as it can be, and only what is wrong has to change.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.engine.incremental import IncrementalSat
from solvent.valency.model import Connected, Path
from solvent.valency.slices import as_list, copy_of, distinct, first_of_each, slices
from solvent.valency.solver.clash_elements import local_elements
from solvent.valency.solver.constraints.limit import Limit
from solvent.valency.solver.filling import Filling, Watch
from solvent.valency.solver.joins import nodes_of_piece, pieces, sizes_of_pieces
from solvent.valency.solver.network import CountBound, Network, Words
from solvent.valency.solver.node_sets import NodeSet
from solvent.valency.solver.search_formula import SearchFormula
from solvent.valency.solver.task import Modules
from solvent.valency.solver.windows import window_allowances

RADII = (2, 4, 7, 11)
CONFLICTS_A_WINDOW = 3000
"""How hard to try one window."""
MAX_ROUNDS = 40
"""How often cuts may be added in one window."""
LEAST_WINDOWS, MAX_WINDOWS = 20, 400
"""How many windows are filled anew before the whole cluster is decided: one for every five nodes, within these."""

Nodes = npt.NDArray[np.int64]


class Mending:
    """Hold a draft that is being mended. `modules` is complete at any time."""

    def __init__(
        self,
        network: Network,
        modules: Modules,
        roots: Words,
        meter: Meter,
        tried_first: npt.NDArray[np.int32],
        watch: Watch | None = None,
    ) -> None:
        """Take a draft; `tried_first` are all open nodes in the order in which they are tried."""
        self.watch = watch
        self.network = network
        self.modules = modules.copy()
        self.roots = roots
        self.meter = meter
        self.tried_first = tried_first
        self.windows = 0
        self.enough = min(MAX_WINDOWS, max(LEAST_WINDOWS, len(tried_first) // 5))
        self._balls = Filling.without_choices(network, meter=meter)

    def mend(self) -> bool:
        """Mend everything that is wrong; returns False if some of it is left."""
        limits = sorted(self.network.limits, key=lambda limit: limit.anywhere)
        return (
            all(self._mend_limit(limit) for limit in limits if not limit.anywhere)
            and all(self._mend_count(bound) for bound in self.network.count_bounds)
            and self._mend_joins()
            and all(self._mend_limit(limit) for limit in limits)
        )

    def _mend_limit(self, limit: Limit) -> bool:
        """Mend a constraint of another kind, place by place."""
        places = iter(self.tried_first.tolist())
        while True:
            wrong = limit.broken(self.modules, self.meter)
            if not wrong:
                return True
            if self._spent():
                return False
            if limit.anywhere:
                place = next(places, None)
                if place is None:
                    return False
                self._refill(self._around([place], 2), limit=limit)
            elif not any(self._refill(self._around(wrong, radius), limit=limit) for radius in (1, *RADII)):
                return False
            else:
                self.enough += 1  # there is one broken place less, so this comes to an end

    def _holds(self, bound: CountBound, node: int) -> bool:
        module = self.modules[node]
        return bool(module >= 0 and bound.scope[node] and bound.modules[module])

    def _mend_count(self, bound: CountBound) -> bool:
        count = bound.held(self.modules, self.meter)
        for part in slices(len(self.tried_first), self.meter):
            for node in self.meter.each(self.tried_first[part].tolist()):
                if bound.least <= count <= bound.most:
                    return True
                more = count < bound.least
                if self._holds(bound, node) == more or not bound.scope[node] or self._spent():
                    continue
                change = min(2, bound.least - count) if more else -min(2, count - bound.most)
                for step in dict.fromkeys((change, int(np.sign(change)))):
                    if self._refill(self._around([node], 3), wanted=(bound, step)):
                        break
                count = bound.held(self.modules, self.meter)
        return bound.least <= count <= bound.most

    def _mend_joins(self) -> bool:
        for number, constraint in self.network.joins:
            while True:
                loose = self._loose_piece(constraint)
                if loose is None:
                    break
                if not any(self._refill(self._around(loose, radius), join=number) for radius in RADII):
                    return False
        return all(self._loose_piece(constraint) is None for _, constraint in self.network.joins)

    def _loose_piece(self, constraint: Connected | Path) -> list[int] | None:
        """Return the nodes around which to mend: the smallest loose piece, or the way between the ends of a path."""
        piece = pieces(self.network, constraint, self.modules, self.meter)
        if isinstance(constraint, Path):
            start, end = piece[constraint.start], piece[constraint.end]
            if start >= 0 and start == end:
                return None
            return self._way_between(constraint, piece)
        names, sizes = sizes_of_pieces(piece, self.meter)
        if len(names) < 2:
            return None
        return as_list(nodes_of_piece(piece, names[np.argmin(sizes)], self.meter), self.meter)

    def _way_between(self, constraint: Path, piece: npt.NDArray[np.int64]) -> list[int]:
        """Return the nodes on a shortest way from what hangs on the start to what hangs on the end."""
        network = self.network
        came = np.zeros(
            network.nodes, dtype=np.int32
        )  # two more than the node before; 1 at the start, 0 if not reached
        goal = np.zeros(network.nodes, dtype=np.bool_)
        goal[self._piece_nodes(piece, constraint.end)] = True
        front = self._piece_nodes(piece, constraint.start)
        came[front] = 1
        while len(front):
            met = front[goal[front]]
            if len(met):
                way = [int(met[0])]
                while came[way[-1]] > 1:
                    way.append(int(came[way[-1]]) - 2)
                return way
            front = self._step_on(front, came)
        return [constraint.start, constraint.end]

    def _step_on(self, front: Nodes, came: npt.NDArray[np.int32]) -> Nodes:
        """Return the nodes beside a front that were not reached before, in the order in which they are met."""
        network, fresh = self.network, []
        for part in slices(len(front), self.meter, width=8):
            some = front[part]
            counts = network.near_end[some] - network.arc_start[some]
            which = np.repeat(np.arange(len(some)), counts)
            arcs = np.arange(len(which)) + (network.arc_start[some] - np.cumsum(counts) + counts)[which]
            others = network.arc_target[arcs].astype(np.int64)
            which, others = which[came[others] == 0], others[came[others] == 0]
            first = np.sort(first_of_each(others))
            came[others[first]] = some[which[first]] + 2
            fresh.append(others[first])
        return np.concatenate([np.zeros(0, dtype=np.int64), *fresh])

    def _piece_nodes(self, piece: npt.NDArray[np.int64], node: int) -> Nodes:
        return np.array([node]) if piece[node] < 0 else nodes_of_piece(piece, piece[node], self.meter)

    def _around(self, nodes: list[int], radius: int) -> Nodes:
        """Return all nodes within a radius of any of these, sorted."""
        found = [self._balls.around(node, radius) for node in nodes[:200]]
        return distinct(np.concatenate(found))

    def _spent(self) -> bool:
        return self.windows >= self.enough or self.meter.stop_reason() is not None

    def _refill(
        self,
        nodes: Nodes,
        *,
        wanted: tuple[CountBound, int] | None = None,
        join: int | None = None,
        limit: Limit | None = None,
    ) -> bool:
        """Fill a window anew so that a count changes by this much or nothing in it hangs loose; False if it cannot be.

        Counts that hold keep holding, and what hangs together elsewhere keeps doing so.
        """
        if self._spent():
            return False
        self.windows += 1
        network, meter = self.network, self.meter
        inside = NodeSet(network, nodes, meter)
        allowed = window_allowances(network, inside, self.roots, self.modules, meter)
        if isinstance(allowed, Reason) or not allowed.any(axis=1).all():
            return False
        formula = SearchFormula(network, inside, allowed, meter)
        formula.add(local_elements(network, inside, meter))
        for bound in network.count_bounds:
            held = bound.held(self.modules, meter)
            within = sum(self._holds(bound, node) for node in nodes.tolist())
            least, most = bound.least - held + within, bound.most - held + within
            if wanted is not None and wanted[0] is bound:
                least, most = (within + wanted[1], most) if wanted[1] > 0 else (least, within + wanted[1])
            formula.add_bounds(bound, least, most)
        for one in network.limits:
            if one.forbids_only or one is limit or not one.broken(self.modules, meter):
                one.write_around(formula, self.modules)
                for likely in one.likely_consequences(formula):
                    formula.add_consequence(likely)
        part = self.meter.part(nodes=CONFLICTS_A_WINDOW)
        with IncrementalSat() as solver:
            for number, constraint in network.joins:
                formula.add_frozen_join(number, constraint, self.modules)
            reason = solver.add(formula.clauses(), part)
            solver.prefer(formula.holds(np.arange(len(nodes)), self.modules[nodes]).tolist())
            for _ in range(MAX_ROUNDS):
                if reason is not None:
                    break
                verdict, reason = solver.solve(part)
                if reason is not None or not verdict:
                    break
                modules = copy_of(self.modules, meter)
                modules[nodes] = formula.modules_of(solver.model(formula.variables))
                loose = [
                    clause
                    for number, constraint in network.joins
                    for clause in self._loose_clauses(
                        formula, number, constraint, modules, inside, strict=number == join
                    )
                ]
                for one in network.limits:
                    loose += one.clauses_against(formula, modules)
                if not loose:
                    self.modules = modules
                    if self.watch is not None:
                        self.watch.show(modules)
                    return True
                for clause in loose:
                    solver.add_clause(clause)
        return False

    def _loose_clauses(
        self,
        formula: SearchFormula,
        number: int,
        constraint: Connected | Path,
        modules: Modules,
        inside: NodeSet,
        *,
        strict: bool,
    ) -> list[list[int]]:
        """Return clauses that a fill of the window breaks: pieces in it that hang loose.

        Unless `strict`, pieces that hung loose before may go on doing so; they have their own window.
        """
        piece = pieces(self.network, constraint, modules, self.meter)
        if isinstance(constraint, Path):
            start = piece[constraint.start]
            if start >= 0 and start == piece[constraint.end]:
                return []
            before = pieces(self.network, constraint, self.modules, self.meter)
            if not strict and not 0 <= before[constraint.start] == before[constraint.end]:
                return []
            reached = self._set(self._piece_nodes(piece, constraint.start))
            return [formula.frozen_cut(number, reached, -1)]
        names, sizes = sizes_of_pieces(piece, self.meter)
        if len(names) < 2:
            return []
        main = int(names[np.argmax(sizes)])
        before = pieces(self.network, constraint, self.modules, self.meter)
        count_before = len(sizes_of_pieces(before, self.meter)[0])
        if not strict and len(names) <= count_before:
            return []
        found = []
        touched = piece[inside.nodes]
        for name in distinct(touched[touched >= 0]).tolist():
            if name == main:
                continue
            reached = self._set(nodes_of_piece(piece, name, self.meter))
            if not inside.has(reached.nodes).all():
                found.append(formula.frozen_cut(number, reached, -1))
            else:
                found.extend(formula.frozen_cut(number, reached, node) for node in reached.nodes.tolist()[:40])
        if found or len(names) < count_before:
            return found
        if not (touched == main).any():
            return [[]]
        return [formula.frozen_cut(number, self._set(nodes_of_piece(piece, main, self.meter)), -1)]

    def _set(self, nodes: Nodes) -> NodeSet:
        return NodeSet(self.network, nodes, self.meter)
