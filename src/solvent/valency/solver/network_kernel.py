"""What kernels read of a network: its arcs, with who supports whom along them, and the weights of its regions.

Nothing in these records changes. They are made once for a network and shared by all its fills.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython


@cython.final
@cython.cclass
class Arcs:
    """Hold the arcs of a network. The fields are described in `network_kernel.pxd`."""

    def __init__(
        self,
        start: memoryview,
        near_end: memoryview,
        target: memoryview,
        kind: memoryview,
        support: memoryview,
        against: memoryview,
    ) -> None:
        self.nodes = len(near_end)
        self.words = support.shape[2]
        self.start = start
        self.near_end = near_end
        self.target = target
        self.kind = kind
        self.support = support
        self.against = against


@cython.final
@cython.cclass
class Regions:
    """Hold which module is wanted how often in which region. The fields are described in `network_kernel.pxd`."""

    def __init__(self, of_node: memoryview, weights: memoryview, totals: memoryview, tiers: memoryview) -> None:
        self.modules = weights.shape[1]
        self.of_node = of_node
        self.weights = weights
        self.totals = totals
        self.tiers = tiers
