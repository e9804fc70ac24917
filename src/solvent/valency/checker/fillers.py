"""State the rule about fillers: one stands only where no normal module could, with all else as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from solvent.valency.checker.components import Parts, as_arcs, find_distances
from solvent.valency.checker.constraints import RULES
from solvent.valency.checker.fill import broken_constraints
from solvent.valency.checker.holding import count_modules, count_within, holders
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.neighbours import Numbers, Truths, is_among
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import FILLER, NORMAL, Connected, Constraint, Count, Path, Separation
from solvent.valency.slices import copy_of, distinct, slices, where_true

MAX_SHOWN = 21


def needless_fillers(placing: Placing, modules: Numbers) -> list[str]:
    """Return which fillers of a complete fill that breaks no other rule could be something else."""
    kinds = [module.placement for module in placing.staging.rules.modules]
    fillers = np.array([kind == FILLER for kind in kinds], dtype=np.bool_)
    normal = np.flatnonzero([kind == NORMAL for kind in kinds])
    if not fillers.any():
        return []
    tests = _Tests(placing, modules)
    found = []
    for part in slices(len(modules), placing.meter, width=1 + len(normal)):
        nodes = part.start + np.flatnonzero(modules[part] >= 0)
        nodes = nodes[fillers[modules[nodes]] & ~placing.has_pick(nodes)]
        if not len(nodes):
            continue
        rows, columns = np.nonzero(_agreeable(placing, modules, nodes, normal))
        swap = _Swap(tests, nodes[rows], normal[columns])
        for node, module in swap.harmless():
            filler, other = (name_module(placing.staging, number) for number in (int(modules[node]), module))
            found.append(f"{name_node(placing.staging, node)} holds the filler {filler} where {other} could stand")
            if len(found) == MAX_SHOWN:
                return found
    return found


def has_no_short_test(constraint: Constraint) -> bool:
    """Tell whether a constraint is held against the whole fill when one module in it changes."""
    return type(constraint) in RULES or (isinstance(constraint, Separation) and bool(constraint.others))


def _agreeable(placing: Placing, modules: Numbers, nodes: Numbers, normal: Numbers) -> Truths:
    """Tell which normal modules fit which of the nodes and agree with all their neighbours."""
    allowed = placing.fits(nodes[:, None], normal)
    for layer, orbital, here, others, back in _beside(placing, nodes):
        beyond = np.broadcast_to(modules[others][:, None], (len(here), len(normal)))
        beyond = np.where((others == nodes[here])[:, None], normal, beyond)  # a node beside itself holds it twice
        allowed[here] &= placing.accepts(layer, orbital, normal, beyond) & placing.accepts(layer, back, beyond, normal)
    return allowed


def _beside(placing: Placing, nodes: Numbers) -> Iterator[tuple[int, int, Numbers, Numbers, int]]:
    """Yield layer, orbital, places among the nodes, the nodes beside those there, and the orbital that leads back."""
    for layer in range(len(placing.staging.rules.layers)):
        for orbital in range(len(placing.staging.rules.layers[layer].orbital_set.orbitals)):
            placing.meter.checkpoint()
            others, backs = placing.surroundings.beside(layer, orbital, nodes)
            for back in distinct(backs[others >= 0]).tolist():
                here = np.flatnonzero(backs == back)
                yield layer, orbital, here, others[here], back


class _Tests:
    """Know of a fill what it takes to tell whether another module on a node would break a count or a constraint.

    What is only asked for here and there is found when it is.
    """

    def __init__(self, placing: Placing, modules: Numbers) -> None:
        self.placing = placing
        self.modules = modules
        all_modules = placing.staging.rules.modules
        counts = count_modules(placing, modules)
        spare = [count > module.least for count, module in zip(counts, all_modules, strict=True)]
        room = [module.most is None or count < module.most for count, module in zip(counts, all_modules, strict=True)]
        self.spare: Truths = np.array(spare, dtype=np.bool_)
        """Which modules there could be one less of."""
        self.room: Truths = np.array(room, dtype=np.bool_)
        """Which modules there could be one more of."""
        constraints = list(enumerate(placing.staging.constraints))
        self.counts = [
            (one, count_within(placing, one, modules), placing.counted_nodes(one))
            for _, one in placing.meter.each(constraints, every=1)
            if isinstance(one, Count)
        ]
        """Constraints that count, how many they count, and among which nodes, rising; none for all."""
        self.separations = [
            (number, one) for number, one in constraints if isinstance(one, Separation) and not one.others
        ]
        self.joins = [_JoinTest(placing, one, modules) for _, one in constraints if isinstance(one, Connected | Path)]
        self._near: tuple[int, Truths] | None = None

    def near(self, number: int, separation: Separation) -> Truths:
        """Tell which nodes are too near to one that holds a module of a separation."""
        if self._near is None or self._near[0] != number:  # there may be many, so only the last is kept
            sources = where_true(holders(self.placing, separation.modules, self.modules), self.placing.meter)
            distances, _ = find_distances(self.placing.surroundings, sources, separation.distance - 1)
            self._near = number, distances >= 0
        return self._near[1]


class _Swap:
    """Hold modules that might each replace a filler, and drop those that a count or a constraint forbids."""

    def __init__(self, tests: _Tests, nodes: Numbers, instead: Numbers) -> None:
        self.tests = tests
        self.placing = tests.placing
        self.modules = tests.modules
        self.nodes = nodes
        self.instead = instead

    def harmless(self) -> Iterator[tuple[int, int]]:
        """Yield the nodes, and modules that could stand there instead, that break nothing."""
        self._keep(self.tests.spare[self.modules[self.nodes]])
        self._keep(self.tests.room[self.instead])
        for count, counted, nodes in self.tests.counts:
            self._keep_count(count, counted, nodes)
        for number, separation in self.tests.separations:
            self._keep_separation(number, separation)
        for test in self.tests.joins:
            if isinstance(test.constraint, Connected):
                self._keep(test.newcomers_touch(self.nodes, self.instead))
        for node, module in self.placing.meter.each(zip(self.nodes.tolist(), self.instead.tolist(), strict=True)):
            if all(test.stays_joined(node, module) for test in self.tests.joins) and self._keeps_others(node, module):
                yield node, module

    def _keeps_others(self, node: int, module: int) -> bool:
        """Tell whether the fill keeps the constraints that have no shorter test, with another module on a node."""
        constraints = self.placing.staging.constraints
        if not any(has_no_short_test(constraint) for constraint in constraints):
            return True
        modules = copy_of(self.modules, self.placing.meter)
        modules[node] = module
        broken = broken_constraints(self.placing, modules, complete=True, among=has_no_short_test)
        return next(broken, None) is None

    def _keep(self, fine: Truths) -> None:
        self.nodes, self.instead = self.nodes[fine], self.instead[fine]

    def _keep_count(self, constraint: Count, counted: int, nodes: Numbers) -> None:
        if not len(self.nodes):
            return
        self.placing.meter.checkpoint()
        # Fillers stand on open nodes only, so nothing needs to be said about null slots.
        among = is_among(self.nodes, nodes) if constraint.nodes else np.ones(len(self.nodes), dtype=np.bool_)
        members = members_of(constraint.modules, self.placing.modules)
        change = members[self.instead].astype(np.int64) - members[self.modules[self.nodes]]
        changed = counted + change * among
        most = self.placing.surroundings.nodes if constraint.most is None else constraint.most
        self._keep((changed >= constraint.least) & (changed <= most))

    def _keep_separation(self, number: int, constraint: Separation) -> None:
        members = members_of(constraint.modules, self.placing.modules)
        joining = members[self.instead] & ~members[self.modules[self.nodes]]
        if joining.any() and constraint.distance > 1:
            self._keep(~(joining & self.tests.near(number, constraint)[self.nodes]))


class _JoinTest:
    """Tell whether a constraint about hanging together is still met with another module on a node."""

    def __init__(self, placing: Placing, constraint: Connected | Path, modules: Numbers) -> None:
        self.placing = placing
        self.constraint = constraint
        self.modules = modules
        self.joining = Joining(placing, constraint)

    @cached_property
    def held(self) -> Truths:
        """Which nodes hold a module of the set."""
        return self.joining.holders(self.modules)

    @cached_property
    def any_held(self) -> bool:
        """Whether anything in the fill is in the set."""
        return bool(self.held.any())

    def newcomers_touch(self, nodes: Numbers, instead: Numbers) -> Truths:
        """Tell which modules are joined to a neighbour, of those that join the set; of all others, nothing is asked."""
        fine = self.held[nodes] | ~self.joining.members[instead]
        if not self.any_held:
            return np.ones_like(fine)
        for layer, orbital, here, others, back in _beside(self.placing, nodes):
            leaves = self.joining.leaving(layer, orbital)[instead[here]]
            # A node beside itself is held by nothing yet, so it counts for nothing.
            enters = self.held[others] & self.joining.leaving(layer, back)[self.modules[others]]
            fine[here] |= leaves & enters
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
        start = self.constraint.start if isinstance(self.constraint, Path) else int(np.argmax(self.held))
        ends, others = self.joining.joined(self.modules)
        meter = self.placing.meter
        return Parts(start, *as_arcs(len(self.modules), ends, others, meter), meter)

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
