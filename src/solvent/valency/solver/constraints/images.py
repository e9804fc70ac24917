"""A square lattice looks the same when it is mirrored or turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from solvent.core.budget import Meter
from solvent.valency.model import HALF_TURN, MIRROR_X, MIRROR_Y, QUARTER_TURN, Cluster, Lattice, Symmetry
from solvent.valency.slices import slices
from solvent.valency.solver.constraints.limit import Limit
from solvent.valency.solver.module_sets import Truths, Words, pack

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula

Numbers = npt.NDArray[np.int64]


class Images(Limit):
    """Hold a `Symmetry`. Arcs lead from each node to its image, so that the collapse keeps it by itself."""

    def __init__(self, number: int, symmetry: Symmetry, cluster: Cluster) -> None:
        assert isinstance(cluster, Lattice)
        super().__init__(number)
        self.images = np.array(symmetry.images, dtype=np.int64)
        self.to = images_of_cells(cluster, symmetry.kind)
        """The image of each node."""
        self.turns = symmetry.kind == QUARTER_TURN
        """Whether the way back from an image is another one."""

    def table(self) -> Truths:
        """Return which modules agree along the way from a node to its image."""
        agree: Truths = self.images[:, None] == np.arange(len(self.images))
        return agree if self.turns else agree & agree.T

    def arcs(self) -> list[tuple[Truths, Numbers]]:
        """Return for each kind of arc who agrees along it, and where it leads from each node."""
        if not self.turns:
            return [(self.table(), self.to)]
        back = np.empty_like(self.to)
        back[self.to] = np.arange(len(self.to))
        return [(self.table(), self.to), (self.table().T, back)]

    def allow(self, domains: Words, meter: Meter) -> None:
        """Take away what has no image, and from nodes that are their own image what is not its own."""
        known = pack((self.images >= 0)[None, :])[0]
        own = pack((self.images == np.arange(len(self.images)))[None, :])[0]
        for part in slices(len(self.to), meter):
            domains[part] &= known
        fixed = np.flatnonzero(self.to == np.arange(len(self.to)))
        domains[fixed] &= own

    def broken(self, modules: Numbers, meter: Meter) -> list[int]:
        """Return a node and its image that do not agree."""
        for part in slices(len(modules), meter):
            nodes = part.start + np.flatnonzero(modules[part] >= 0)
            there, image = modules[self.to[nodes]], self.images[modules[nodes]]
            wrong = nodes[(image < 0) | ((there >= 0) & (image != there))]
            if len(wrong):
                return [int(wrong[0]), int(self.to[wrong[0]])]
        return []

    def write(self, formula: Formula, guard: int) -> None:
        """Say that the bits of an image spell out the image of the module; what has none stands nowhere."""
        places = formula.inside.places(self.to[formula.nodes])
        here = np.flatnonzero(places >= 0)
        known = np.flatnonzero(self.images >= 0)
        for part in slices(len(here), formula.meter, width=len(known) * formula.bits):
            holds = formula.holds(here[part][:, None], known[None, :])
            spelt = formula.spelling(places[here[part]], self.images[known])
            pairs = np.stack(np.broadcast_arrays(-holds[:, :, None], spelt), axis=-1)
            formula.rows.add_table(pairs.reshape(-1, 2), guard)
        strangers = np.flatnonzero(self.images < 0)
        for part in slices(len(formula.nodes), formula.meter, width=1 + len(strangers)):
            index = np.arange(part.start, part.stop)[:, None]
            formula.rows.add_table(-formula.holds(index, strangers[None, :]).reshape(-1, 1), guard)


def images_of_cells(lattice: Lattice, kind: str) -> Numbers:
    """Return where each cell comes to lie."""
    cells = np.arange(lattice.width * lattice.height * lattice.depth).reshape(
        lattice.depth, lattice.height, lattice.width
    )
    moved = {
        MIRROR_X: cells[:, :, ::-1],
        MIRROR_Y: cells[:, ::-1, :],
        HALF_TURN: cells[:, ::-1, ::-1],
        QUARTER_TURN: np.swapaxes(cells, 1, 2)[:, ::-1, :] if lattice.width == lattice.height else cells,
    }[kind]
    return np.ascontiguousarray(moved).reshape(-1)
