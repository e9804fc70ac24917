"""State the rule about fillers: one stands only where no normal module could, with all else as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from solvent.valency.checker.components import Parts, as_arcs, find_distances
from solvent.valency.checker.fill import holders, scope
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.neighbours import Numbers, Truths
from solvent.valency.checker.placing import CELLS_A_SLICE, Placing, members_of
from solvent.valency.model import FILLER, NORMAL, Connected, Count, Path, Separation

MAX_SHOWN = 21


def needless_fillers(placing: Placing, modules: Numbers) -> list[str]:
    """Return which fillers of a complete fill that breaks no other rule could be something else."""
    kinds = [module.placement for module in placing.staging.rules.modules]
    fillers = np.array([kind == FILLER for kind in kinds], dtype=np.bool_)
    normal = np.flatnonzero([kind == NORMAL for kind in kinds])
    nodes = np.flatnonzero(modules >= 0)
    nodes = nodes[fillers[modules[nodes]] & ~placing.has_pick(nodes)]
    found = []
    height = max(1, CELLS_A_SLICE // max(1, len(normal)))
    for begin in range(0, len(nodes), height):
        some = nodes[begin : begin + height]
        allowed = _agreeable(placing, modules, some, normal)
        rows, columns = np.nonzero(allowed)
        swap = _Swap(placing, modules, some[rows], normal[columns])
        for node, module in swap.harmless():
            filler, other = (name_module(placing.staging, number) for number in (int(modules[node]), module))
            found.append(f"{name_node(placing.staging, node)} holds the filler {filler} where {other} could stand")
            if len(found) == MAX_SHOWN:
                return found
    return found


def _agreeable(placing: Placing, modules: Numbers, nodes: Numbers, normal: Numbers) -> Truths:
    """Tell which normal modules fit which of the nodes and agree with all their neighbours."""
    allowed = placing.fits(nodes[:, None], normal)
    row_of = np.full(len(modules), -1, dtype=np.int64)
    row_of[nodes] = np.arange(len(nodes))
    for edges in placing.surroundings.kinds():
        agree = placing.agreeing(edges.layer, edges.orbital, edges.back)
        ways = ((edges.nodes, edges.others, agree[normal]), (edges.others, edges.nodes, agree.T[normal]))
        for ends, beyond, table in ways:
            here = (row_of[ends] >= 0) & (ends != beyond)
            allowed[row_of[ends[here]]] &= table[:, modules[beyond[here]]].T
        alone = edges.nodes[(edges.nodes == edges.others) & (row_of[edges.nodes] >= 0)]
        allowed[row_of[alone]] &= agree[normal, normal]
    return allowed


class _Swap:
    """Hold modules that might each replace a filler, and drop those that a count or a constraint forbids."""

    def __init__(self, placing: Placing, modules: Numbers, nodes: Numbers, instead: Numbers) -> None:
        self.placing = placing
        self.modules = modules
        self.nodes = nodes
        self.instead = instead

    def harmless(self) -> Iterator[tuple[int, int]]:
        """Yield the nodes, and modules that could stand there instead, that break nothing."""
        self._keep_module_counts()
        tests = []
        for constraint in self.placing.staging.constraints:
            if isinstance(constraint, Count):
                self._keep_count(constraint)
            elif isinstance(constraint, Separation):
                self._keep_separation(constraint)
            else:
                tests.append(_JoinTest(self.placing, constraint, self.modules))
        for test in tests:
            if isinstance(test.constraint, Connected):
                self._keep(test.newcomers_touch(self.nodes, self.instead))
        for node, module in zip(self.nodes.tolist(), self.instead.tolist(), strict=True):
            if all(test.stays_joined(node, module) for test in tests):
                yield node, module

    def _keep(self, fine: Truths) -> None:
        self.nodes, self.instead = self.nodes[fine], self.instead[fine]

    def _keep_module_counts(self) -> None:
        all_modules = self.placing.staging.rules.modules
        counts = np.bincount(self.modules[self.modules >= 0], minlength=len(all_modules)).tolist()
        spare = [count > module.least for count, module in zip(counts, all_modules, strict=True)]
        room = [module.most is None or count < module.most for count, module in zip(counts, all_modules, strict=True)]
        self._keep(np.array(spare, dtype=np.bool_)[self.modules[self.nodes]])
        self._keep(np.array(room, dtype=np.bool_)[self.instead])

    def _keep_count(self, constraint: Count) -> None:
        among = scope(self.placing, constraint)
        members = members_of(constraint.modules, self.placing.modules)
        count = int((holders(self.placing, constraint.modules, self.modules) & among).sum())
        change = members[self.instead].astype(np.int64) - members[self.modules[self.nodes]]
        changed = count + change * among[self.nodes]
        most = self.placing.surroundings.nodes if constraint.most is None else constraint.most
        self._keep((changed >= constraint.least) & (changed <= most))

    def _keep_separation(self, constraint: Separation) -> None:
        members = members_of(constraint.modules, self.placing.modules)
        joining = members[self.instead] & ~members[self.modules[self.nodes]]
        if joining.any() and constraint.distance > 1:
            sources = np.flatnonzero(holders(self.placing, constraint.modules, self.modules))
            distances, _ = find_distances(self.placing.surroundings, sources, constraint.distance - 1)
            self._keep(~(joining & (distances[self.nodes] >= 0)))


class _JoinTest:
    """Tell whether a constraint about hanging together is still met with another module on a node."""

    def __init__(self, placing: Placing, constraint: Connected | Path, modules: Numbers) -> None:
        self.placing = placing
        self.constraint = constraint
        self.modules = modules
        self.joining = Joining(placing, constraint)
        self.held = self.joining.holders(modules)

    def newcomers_touch(self, nodes: Numbers, instead: Numbers) -> Truths:
        """Tell which modules are joined to a neighbour, of those that join the set; of all others, nothing is asked."""
        fine = self.held[nodes] | ~self.joining.members[instead]
        if not self.held.any():
            return np.ones_like(fine)
        for edges in self.placing.surroundings.kinds():
            ways = (
                (edges.orbital, edges.nodes, edges.back, edges.others),
                (edges.back, edges.others, edges.orbital, edges.nodes),
            )
            for orbital, ends, back, others in ways:
                beyond = np.full(len(self.modules), -1, dtype=np.int64)
                beyond[ends] = others
                here = np.flatnonzero(~fine & (beyond[nodes] >= 0))
                other = beyond[nodes[here]]
                leaves = self.joining.leaving(edges.layer, orbital)[instead[here]]
                # A node beside itself is held by nothing yet, so it counts for nothing.
                fine[here] = leaves & self.held[other] & self.joining.leaving(edges.layer, back)[self.modules[other]]
        return fine

    def stays_joined(self, node: int, module: int) -> bool:
        """Tell whether those left behind by a module of the set still hang together, or the path still holds."""
        if not self.held[node]:
            return True
        stays = bool(self.joining.members[module])
        beside = self._joined_to(node, module) if stays else []
        if isinstance(self.constraint, Path):
            return _keeps_path(self.parts, self.constraint, node, beside, stays=stays)
        if not stays:
            return self.parts.without(node) <= 1
        return len({self.parts.part_of(other, node) for other in beside}) == self.parts.without(node)

    @cached_property
    def parts(self) -> Parts:
        """What the nodes that hang together fall into when one of them is gone."""
        start = self.constraint.start if isinstance(self.constraint, Path) else int(np.flatnonzero(self.held)[0])
        ends, others = self.joining.joined(self.modules)
        return Parts(start, *as_arcs(len(self.modules), ends, others))

    def _joined_to(self, node: int, module: int) -> list[int]:
        """Return the neighbours that a module would be joined to on a node."""
        surroundings = self.placing.surroundings
        found = []
        for layer, masks in enumerate(surroundings.masks):
            mask = int(masks[node])
            for orbital in range(mask.bit_length()):
                if mask >> orbital & 1 and self.joining.leaving(layer, orbital)[module]:
                    others, backs = surroundings.beside(layer, orbital, np.array([node]))
                    other, back = int(others[0]), int(backs[0])
                    if other != node and self.joining.leaving(layer, back)[self.modules[other]]:
                        found.append(other)
        return found


def _keeps_path(parts: Parts, path: Path, node: int, beside: list[int], *, stays: bool) -> bool:
    """Tell whether a path remains when the module on a node is replaced by one joined to those beside it."""
    ends = [end for end in (path.start, path.end) if end != node]
    if not parts.has(node):
        return True
    wanted = {parts.part_of(end, node) for end in ends}
    if len(ends) == 2 and len(wanted) == 1:
        return True
    return stays and wanted <= {parts.part_of(other, node) for other in beside if parts.has(other)}
