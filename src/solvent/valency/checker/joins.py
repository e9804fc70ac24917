"""Find which neighbours hang together by a constraint: both hold its modules, and each has an exit to the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.valency.checker.neighbours import Edges, Numbers, ShortNumbers, Truths
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Acyclic, Connected, Path
from solvent.valency.slices import slices

Masks = npt.NDArray[np.uint64]


class Joining:
    """Know how modules join by a `Connected`, a `Path` or an `Acyclic`."""

    def __init__(self, placing: Placing, constraint: Connected | Path | Acyclic) -> None:
        self.placing = placing
        self.members = members_of(constraint.modules, placing.modules)
        """Which modules are in the set."""
        self.exits: list[Masks] | None = None
        if constraint.exits:
            self.exits = [np.array(row, dtype=np.uint64) for row in constraint.exits]

    def leaving(self, layer: int, orbital: int) -> Truths:
        """Tell which modules are in the set and have an exit on an orbital."""
        if self.exits is None:
            return self.members
        return self.members & ((self.exits[layer] >> np.uint64(orbital)) & np.uint64(1)).astype(np.bool_)

    def holders(self, modules: Numbers) -> Truths:
        """Tell which nodes of a fill hold a module of the set."""
        members = np.append(self.members, False)  # what is below 0 holds none
        held = np.empty(len(modules), dtype=np.bool_)
        for part in slices(len(modules), self.placing.meter):
            held[part] = members[np.maximum(modules[part], -1)]
        return held

    def joined(self, modules: Numbers) -> tuple[ShortNumbers, ShortNumbers]:
        """Return the ends of all edges of a fill that join them."""
        ends, others = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)]
        for edges in self.placing.surroundings.kinds():
            here = self.joins(edges, modules)
            ends.append(edges.nodes[here].astype(np.int32))
            others.append(edges.others[here].astype(np.int32))
        return np.concatenate(ends), np.concatenate(others)

    def joins(self, edges: Edges, modules: Numbers) -> Truths:
        """Tell which of some edges join their ends in a fill."""
        one, other = modules[edges.nodes], modules[edges.others]
        here = (one >= 0) & (other >= 0)
        here[here] = self.leaving(edges.layer, edges.orbital)[one[here]]
        here[here] = self.leaving(edges.layer, edges.back)[other[here]]
        return here
