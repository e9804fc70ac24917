"""Along which edges modules join by a constraint, and variables for the ends of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import Meter
from solvent.valency.model import MAX_ORBITALS, Acyclic, Connected, numbers_in
from solvent.valency.orbitals import OrbitalCache
from solvent.valency.slices import distinct, slices
from solvent.valency.solver.constraints.limit import Modules
from solvent.valency.solver.module_sets import Truths, truths_of

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula

Numbers = npt.NDArray[np.int64]


class Edges(Struct, frozen=True, eq=False):
    """Hold some edges, a row for each of these."""

    layer: Numbers
    source: Numbers
    out: Numbers
    """The orbital at the source."""
    target: Numbers
    back: Numbers
    """The orbital at the target."""

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.source)

    def chosen(self, which: npt.NDArray[Any]) -> Edges:
        """Return some of them."""
        return Edges(self.layer[which], self.source[which], self.out[which], self.target[which], self.back[which])

    def sides(self) -> tuple[tuple[Numbers, Numbers], tuple[Numbers, Numbers]]:
        """Return the nodes and orbitals at the sources, and those at the targets."""
        return (self.source, self.out), (self.target, self.back)


class OpenEdges:
    """Know through which orbitals one can leave each module of a constraint, and so which edges of a fill are open."""

    def __init__(self, constraint: Acyclic | Connected, cache: OrbitalCache, modules: int) -> None:
        self.cache = cache
        self.chosen = truths_of(numbers_in(constraint.modules), modules + 3)  # the last three: no module
        self.exits: list[npt.NDArray[np.uint64]] = []
        """For each layer and module the mask of orbitals through which one can leave it."""
        for layer in range(len(cache.edges)):
            masks = np.full(modules + 3, np.iinfo(np.uint64).max, dtype=np.uint64)
            if constraint.exits:
                masks[:modules] = np.array(constraint.exits[layer], dtype=np.uint64)
            self.exits.append(np.where(self.chosen, masks, np.uint64(0)))

    def leaving(self, layer: int, orbital: int) -> Truths:
        """Tell which modules can be left through an orbital; the last three stand for no module."""
        found: Truths = (self.exits[layer] >> np.uint64(orbital)) & np.uint64(1) != 0
        return found

    def joined(self, modules: Modules, meter: Meter) -> Edges:
        """Return the edges of a fill that join their ends."""
        columns: list[list[Numbers]] = [[np.zeros(0, dtype=np.int64)] for _ in range(5)]
        for layer, edges in enumerate(self.cache.edges):
            for part in slices(len(edges), meter):
                ends = (
                    (edges.source[part], edges.source_orbital[part]),
                    (edges.target[part], edges.target_orbital[part]),
                )
                one, other = (
                    (self.exits[layer][modules[nodes]] >> orbitals.astype(np.uint64)) & np.uint64(1) != 0
                    for nodes, orbitals in ends
                )
                here = np.flatnonzero(one & other)
                rows = (np.full(len(here), layer), *(column[here] for end in ends for column in end))
                for column, row in zip(columns, rows, strict=True):
                    column.append(row.astype(np.int64))
        return Edges(*(np.concatenate(column) for column in columns))

    def can_leave(self, layer: Numbers, nodes: Numbers, orbitals: Numbers, modules: Modules) -> Truths:
        """Tell for each node whether what it holds in a fill can be left through an orbital of a layer."""
        masks = np.stack(self.exits)[layer, modules[nodes]]
        found: Truths = (masks >> orbitals.astype(np.uint64)) & np.uint64(1) != 0
        return found


class Ends:
    """Hold the variables of the ends of edges: true if one can leave the node there through the edge."""

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._slots = np.zeros(0, dtype=np.int64)
        self._variables = np.zeros(0, dtype=np.int64)

    def slots(self, layer: Numbers, nodes: Numbers, orbitals: Numbers) -> Numbers:
        """Number the places of a layer, a node and an orbital."""
        return (layer * self._nodes + nodes) * MAX_ORBITALS + orbitals

    def add(self, slots: Numbers, variables: Numbers) -> None:
        """Learn more variables."""
        slots, variables = np.append(self._slots, slots), np.append(self._variables, variables)
        order = np.argsort(slots, kind="stable")
        self._slots, self._variables = slots[order], variables[order]

    def find(self, slots: Numbers) -> Numbers:
        """Return the variables of ends; 0 for those that have none."""
        if not len(self._slots):
            return np.zeros(len(slots), dtype=np.int64)
        places = np.minimum(np.searchsorted(self._slots, slots), len(self._slots) - 1)
        return np.where(self._slots[places] == slots, self._variables[places], 0)


def say_ends(
    formula: Formula,
    joins: OpenEdges,
    layer: Numbers,
    nodes: Numbers,
    orbitals: Numbers,
    variables: Numbers,
    guard: int,
    *,
    both_ways: bool = False,
) -> None:
    """Say that variables are true if one can leave nodes of a formula through orbitals, and perhaps just then."""
    keys = layer * MAX_ORBITALS + orbitals
    for key in distinct(keys, formula.meter).tolist():
        rows = np.flatnonzero(keys == key)
        through = np.flatnonzero(joins.leaving(*divmod(key, MAX_ORBITALS))[: formula.modules])
        formula.rows.reserve(3.0 * len(rows) * len(through))
        for part in slices(len(rows), formula.meter, width=1 + len(through)):
            some = rows[part]
            places = formula.inside.places(nodes[some])[:, None]
            held = np.broadcast_to(formula.holds(places, through[None, :]), (len(some), len(through)))
            own = variables[some][:, None]
            owners = np.broadcast_to(own, held.shape)
            formula.rows.add_table(np.stack([-held.reshape(-1), owners.reshape(-1)], axis=1), guard)
            if both_ways:
                formula.rows.add_table(np.concatenate([-own, held], axis=1), guard)
