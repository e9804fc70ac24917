"""Solvers as plain functions over states: `solve(states, allocations)` sets what each node resolves to.

This is the contract of PCGEx Valency: a list with a state for each node, and everything that was prepared for solving,
to be read only. `states_solver` makes a solver of such a function, to `register` or to name in an entry point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption, show_value
from solvent.valency.model import NULL_SLOT, UNSET, UNSOLVABLE, Rules
from solvent.valency.orbitals import node_name
from solvent.valency.solver.network import Network, unpack
from solvent.valency.solver.task import Modules, Task


@dataclass(slots=True)
class ValencyState:
    """Hold what one node resolves to."""

    node_index: int
    resolved_module: int = UNSET
    """A module from 0, or UNSET (-1), NULL_SLOT (-2), UNSOLVABLE (-3). Null slots stay so."""
    is_fixed: bool = False
    """Whether a fixed pick resolved it already; it keeps its module."""

    @property
    def is_resolved(self) -> bool:
        """Tell whether it holds a module."""
        return self.resolved_module >= 0


@dataclass(frozen=True, slots=True, eq=False)
class FlatOrbitalCache:
    """Look neighbours up in one flat array."""

    max_orbitals: int
    flat_orbital_to_neighbor: npt.NDArray[np.int32]
    """The neighbour of a node on an orbital, at [node * max_orbitals + orbital]; -1 for none."""
    node_orbital_masks: npt.NDArray[np.int64]
    """For each node the mask of orbitals on which it has a neighbour."""

    def neighbor(self, node: int, orbital: int) -> int:
        """Return the neighbour of a node on an orbital; -1 for none."""
        return int(self.flat_orbital_to_neighbor[node * self.max_orbitals + orbital])


class SolverAllocations:
    """Hold what is prepared for a solver. Nothing in it may be changed."""

    def __init__(self, task: Task) -> None:
        network = task.network
        self.task = task
        """The whole call, for what is not here: budget, options, `collapse`."""
        self.rules: Rules = network.staging.rules
        self.seed: int = task.seed
        self.attempt: int = task.attempt
        """How often it was tried before; choose differently each time."""
        self.orbital_caches = tuple(
            _flatten(table, masks) for table, masks in zip(network.cache.neighbours, network.cache.masks, strict=True)
        )
        """One for each layer."""
        self._network = network
        self._fits: npt.NDArray[np.bool_] = unpack(network.domains, network.modules)

    @property
    def orbital_cache(self) -> FlatOrbitalCache:
        """Return the cache of the first layer."""
        return self.orbital_caches[0]

    def node_seed(self, node: int) -> int:
        """Return the seed of a node: its own, or that of the whole."""
        region = self._region(node)
        own = self._network.staging.regions[region - 1].seed if region else None
        return self.seed if own is None else own

    def weight(self, node: int, module: int) -> float:
        """Return how often a module is wanted on a node, compared with others."""
        region, weight = self._region(node), self.rules.modules[module].weight
        factors = dict(self._network.staging.regions[region - 1].weights) if region else {}
        return weight * factors.get(module, 1.0)

    def does_module_fit_node(self, module: int, node: int) -> bool:
        """Tell whether a module may stand on a node: its masks fit, and no pick or constraint forbids it there."""
        return bool(self._fits[node, module])

    def are_compatible(self, module: int, node: int, states: Sequence[ValencyState]) -> bool:
        """Tell whether a module on a node agrees with all neighbours that are resolved."""
        network = self._network
        for arc in range(network.arc_start[node], network.arc_start[node + 1]):
            held = states[network.arc_target[arc]].resolved_module
            if held >= 0 and not network.agreements[network.arc_kind[arc], module, held]:
                return False
        return True

    def valid_modules(self, node: int, states: Sequence[ValencyState]) -> list[int]:
        """Return the modules that fit a node and agree with its resolved neighbours."""
        fitting = np.flatnonzero(self._fits[node]).tolist()
        return [module for module in fitting if self.are_compatible(module, node, states)]

    def _region(self, node: int) -> int:
        return int(self._network.region_of[node])


SolveStates = Callable[[list[ValencyState], SolverAllocations], object]
"""Sets `resolved_module` of each state; what it returns is not looked at."""


class StatesSolver:
    """Fill a network with a function over states."""

    def __init__(self, name: str, solve: SolveStates, title: str, gives_up: bool) -> None:
        self.name = name
        self.title = title
        self.gives_up = gives_up
        self._solve = solve

    def fill(self, task: Task) -> Modules:
        """Have the function set the states, and return them as modules."""
        states = make_states(task.network)
        before = [state.resolved_module for state in states]
        self._solve(states, SolverAllocations(task))
        modules = np.full(task.network.nodes, UNSET, dtype=np.int64)
        for node, (state, first) in enumerate(zip(states, before, strict=True)):
            found = state.resolved_module
            if (
                isinstance(found, bool)
                or not isinstance(found, int | np.integer)
                or not self._is_known(task, int(found))
            ):
                place = node_name(task.network.staging.cluster, node)
                raise BadOption(
                    f"solver {self.name!r}: expected resolved_module of {place} to be a module from 0 to "
                    f"{task.network.modules - 1}, or -1, -2 or -3, found {show_value(found)}"
                )
            modules[node] = first if state.is_fixed or first == NULL_SLOT else int(found)
        return modules

    @staticmethod
    def _is_known(task: Task, found: int) -> bool:
        return UNSOLVABLE <= found < task.network.modules


def states_solver(name: str, solve: SolveStates, *, title: str = "", gives_up: bool = False) -> StatesSolver:
    """Return a solver that calls `solve(states, allocations)`.

    What it leaves open or gets wrong is mended, unless `gives_up`: then nodes that it leaves unresolved stay so, and
    `partial` marks them with -3.
    """
    if not callable(solve):
        raise BadOption(f"expected a function of states and allocations, found {show_value(solve)}")
    return StatesSolver(name, solve, title or name, gives_up)


def make_states(network: Network) -> list[ValencyState]:
    """Return a state for each node: null slots and nodes with one fixed module are resolved already."""
    states = [
        ValencyState(node, UNSET if is_open else NULL_SLOT) for node, is_open in enumerate(network.cache.open_nodes)
    ]
    for node in network.placement.picked:
        modules = np.flatnonzero(unpack(network.domains[node : node + 1], network.modules)[0])
        if len(modules) == 1:
            states[node] = ValencyState(node, int(modules[0]), is_fixed=True)
    return states


def _flatten(table: npt.NDArray[np.int32], masks: npt.NDArray[np.uint64]) -> FlatOrbitalCache:
    flat, signed = table.reshape(-1).astype(np.int32), masks.astype(np.int64)
    flat.setflags(write=False)
    signed.setflags(write=False)
    return FlatOrbitalCache(table.shape[1], flat, signed)
