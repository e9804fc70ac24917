"""Check one chunk of a world with its seams: the chunk, and the cells of its neighbours that touch it."""

from __future__ import annotations

from itertools import islice

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.fill import MAX_OF_A_RULE
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.wellformed import find_malformed
from solvent.valency.checker.world_parts import broken_in_chunk, disagreeing, not_a_chunk
from solvent.valency.model import Lattice, Staging


class ChunkChecker:
    """Check many chunks of one world."""

    def __init__(self, staging: Staging, meter: Meter = UNLIMITED) -> None:
        """Take the task of a chunk: a grid of its size that wraps around."""
        self.malformed = find_malformed(staging, meter) or not_a_chunk(staging)
        self._placing = Placing(staging, meter)

    def violations(self, rimmed: npt.NDArray[np.integer]) -> list[str]:
        """Return what is wrong with a chunk and the cells around it; shape (floors, rows + 2, columns + 2).

        If all chunks of a part of a world are accepted, each with what its neighbours hold around it, the part is.
        """
        if self.malformed:
            return self.malformed
        lattice = self._placing.staging.cluster
        assert isinstance(lattice, Lattice)
        expected = (lattice.depth, lattice.height + 2, lattice.width + 2)
        if rimmed.shape != expected:
            return [f"expected a chunk with the cells around it, shape {expected}, found {rimmed.shape}"]
        cells = rimmed.astype(np.int64)
        if ((cells < 0) | (cells >= self._placing.modules)).any():
            return ["a cell holds a number that is no module"]
        found = broken_in_chunk(self._placing, cells[:, 1:-1, 1:-1])
        # The first row is the last one of the chunk above, which has an even number of rows if they are hexagons.
        return found + list(islice(disagreeing(self._placing, cells[None], first_row=1), MAX_OF_A_RULE))
