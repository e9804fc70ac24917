"""Mend a complete draft that breaks a count, or in which something hangs loose: window by window, the rest frozen.

A draft follows the weights and the seed; deciding the whole cluster by proof search would give that up. So a window is
filled anew around what is wrong, as much like the draft as it can be, and only what is wrong has to change.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.budget import Meter
from solvent.engine.incremental import IncrementalSat
from solvent.valency.distinct import distinct
from solvent.valency.model import Connected, Path
from solvent.valency.solver.clash_elements import local_elements
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.formula import SearchFormula
from solvent.valency.solver.joins import pieces
from solvent.valency.solver.network import CountBound, Network, Words, truths_of
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
        self, network: Network, modules: Modules, roots: Words, meter: Meter, tried_first: npt.NDArray[np.int32]
    ) -> None:
        """Take a draft; `tried_first` are all open nodes in the order in which they are tried."""
        self.network = network
        self.modules = modules.copy()
        self.roots = roots
        self.meter = meter
        self.tried_first = tried_first
        self.windows = 0
        self.enough = min(MAX_WINDOWS, max(LEAST_WINDOWS, len(tried_first) // 5))
        self._balls = Filling(network, seeds=np.zeros(len(network.weights), np.uint64), order=tried_first[:0])

    def mend(self) -> bool:
        """Mend everything that is wrong; returns False if some of it is left."""
        return all(self._mend_count(bound) for bound in self.network.count_bounds) and self._mend_joins()

    def _held(self, bound: CountBound) -> npt.NDArray[np.bool_]:
        return bound.scope & bound.modules[np.maximum(self.modules, 0)] & (self.modules >= 0)

    def _mend_count(self, bound: CountBound) -> bool:
        held = self._held(bound)
        for node in self.tried_first.tolist():
            count = int(held.sum())
            if bound.least <= count <= bound.most:
                return True
            more = count < bound.least
            if held[node] == more or not bound.scope[node] or self._spent():
                continue
            change = min(2, bound.least - count) if more else -min(2, count - bound.most)
            for step in dict.fromkeys((change, int(np.sign(change)))):
                if self._refill(self._around([node], 3), wanted=(bound, step)):
                    break
            held = self._held(bound)
        return bound.least <= int(held.sum()) <= bound.most

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
        piece = pieces(self.network, constraint, self.modules)
        if isinstance(constraint, Path):
            start, end = piece[constraint.start], piece[constraint.end]
            if start >= 0 and start == end:
                return None
            return self._way_between(constraint, piece)
        names, sizes = np.unique(piece[piece >= 0], return_counts=True)
        if len(names) < 2:
            return None
        return np.flatnonzero(piece == names[np.argmin(sizes)]).tolist()

    def _way_between(self, constraint: Path, piece: npt.NDArray[np.int64]) -> list[int]:
        """Return the nodes on a shortest way from what hangs on the start to what hangs on the end."""
        network = self.network
        names = {piece[constraint.end]} - {-1}
        goal = {constraint.end, *(np.flatnonzero(piece == name).tolist()[0] for name in names)}
        came = dict.fromkeys(self._piece_nodes(piece, constraint.start), -1)
        ends = set(self._piece_nodes(piece, constraint.end)) | goal
        line = list(came)
        for node in line:
            if node in ends:
                way = [node]
                while came[way[-1]] >= 0:
                    way.append(came[way[-1]])
                return way
            for arc in range(network.arc_start[node], network.near_end[node]):
                other = int(network.arc_target[arc])
                if other not in came:
                    came[other] = node
                    line.append(other)
        return [constraint.start, constraint.end]

    def _piece_nodes(self, piece: npt.NDArray[np.int64], node: int) -> list[int]:
        return [node] if piece[node] < 0 else np.flatnonzero(piece == piece[node]).tolist()

    def _around(self, nodes: list[int], radius: int) -> Nodes:
        """Return all nodes within a radius of any of these, sorted."""
        found = [self._balls.around(node, radius) for node in nodes[:200]]
        return distinct(np.concatenate(found))

    def _spent(self) -> bool:
        return self.windows >= self.enough or self.meter.stop_reason() is not None

    def _refill(self, nodes: Nodes, *, wanted: tuple[CountBound, int] | None = None, join: int | None = None) -> bool:
        """Fill a window anew so that a count changes by this much or nothing in it hangs loose; False if it cannot be.

        Counts that hold keep holding, and what hangs together elsewhere keeps doing so.
        """
        if self._spent():
            return False
        self.windows += 1
        network = self.network
        inside = truths_of(nodes, network.nodes)
        settled = np.where(inside, -1, self.modules).astype(np.int32)
        allowed = window_allowances(network, nodes, self.roots, settled)
        if not allowed.any(axis=1).all():
            return False
        formula = SearchFormula(network, nodes, allowed)
        formula.add(local_elements(network, inside))
        for bound in network.count_bounds:
            held = self._held(bound)
            within = int((held & inside).sum())
            least, most = bound.least - int(held.sum()) + within, bound.most - int(held.sum()) + within
            if wanted is not None and wanted[0] is bound:
                least, most = (within + wanted[1], most) if wanted[1] > 0 else (least, within + wanted[1])
            formula.add_bounds(bound, least, most)
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
                modules = self.modules.copy()
                modules[nodes] = formula.modules_of(solver.model(formula.variables))
                loose = [
                    clause
                    for number, constraint in network.joins
                    for clause in self._loose_clauses(
                        formula, number, constraint, modules, inside, strict=number == join
                    )
                ]
                if not loose:
                    self.modules = modules
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
        inside: npt.NDArray[np.bool_],
        *,
        strict: bool,
    ) -> list[list[int]]:
        """Return clauses that a fill of the window breaks: pieces in it that hang loose.

        Unless `strict`, pieces that hung loose before may go on doing so; they have their own window.
        """
        piece = pieces(self.network, constraint, modules)
        if isinstance(constraint, Path):
            start = piece[constraint.start]
            if start >= 0 and start == piece[constraint.end]:
                return []
            before = pieces(self.network, constraint, self.modules)
            if not strict and not 0 <= before[constraint.start] == before[constraint.end]:
                return []
            reached = piece == start if start >= 0 else np.arange(len(piece)) == constraint.start
            return [formula.frozen_cut(number, reached, -1)]
        names, sizes = np.unique(piece[piece >= 0], return_counts=True)
        if len(names) < 2:
            return []
        main = int(names[np.argmax(sizes)])
        before = pieces(self.network, constraint, self.modules)
        count_before = len(distinct(before[before >= 0]))
        if not strict and len(names) <= count_before:
            return []
        found = []
        for name in names.tolist():
            reached = piece == name
            if name == main or not (reached & inside).any():
                continue
            if (reached & ~inside).any():
                found.append(formula.frozen_cut(number, reached, -1))
            else:
                found.extend(
                    formula.frozen_cut(number, reached, node) for node in np.flatnonzero(reached).tolist()[:40]
                )
        if found or len(names) < count_before:
            return found
        return [formula.frozen_cut(number, piece == main, -1)] if (inside & (piece == main)).any() else [[]]
