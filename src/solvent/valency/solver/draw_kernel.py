"""Draw random numbers for nodes: what a node draws depends on its region's seed and on nothing that others draw."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.engine.random import after_draws, scramble, unit_of


@cython.final
@cython.cclass
class Draws:
    """Hold how often each node drew. The fields are described in `draw_kernel.pxd`."""

    def __init__(self, seeds: memoryview, nodes: int, attempt: int) -> None:
        self.seeds = seeds
        self.drawn = new_row(nodes, SHORT)
        self.attempt = attempt

    def draw(self, node: cython.longlong, region: cython.longlong) -> cython.double:
        """Draw from 0 to 1 for a node: a hash of its region's seed, the node, the attempt and how often it drew."""
        own: cython.ulonglong = scramble(after_draws(self.seeds[region], node + 1))
        turn: cython.ulonglong = self.attempt << 32
        turn += self.drawn[node]
        self.drawn[node] += 1
        return unit_of(scramble(after_draws(own ^ after_draws(0, turn + 1), 1)))

    def tie(self, node: cython.longlong, region: cython.longlong) -> cython.ulonglong:
        """Return a random word for a node, always the same, to say which of equals comes first."""
        return scramble(self.seeds[region] ^ after_draws(0, node + 1))
