"""Make a fill again with parts of it ruled out: window by window around what must change, the rest as it was.

What is ruled out is a clause: of these nodes, at least one holds a module that is none of those named for it. All rules
and constraints of the task hold in a window as they do when a fill is mended. A window grows until it can be filled;
the last one is everything. If even that cannot be filled, there is no fill without what was ruled out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Cause, Certificate, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.errors import BadOption
from solvent.core.judging import Change, Exclusion, Part, Tile
from solvent.engine.random import ALL_BITS, after_draws, scramble
from solvent.proof.certificate import make_certificate
from solvent.valency.drawing.overlay import read_fill
from solvent.valency.model import FILLER, SQUARE, Lattice, Staging
from solvent.valency.solver.network import boot_once
from solvent.valency.solver.remending import Clause, Remending

CHANGE_RADII = (1, 3, 5)
"""How far a window reaches from the nodes of a suggestion."""
RADII = (2, 4, 7, 11)
"""How far a window reaches from the node that is to change, before everything is filled anew."""
ANCHORS = 4
"""Around how many nodes windows of one size are tried."""


def pieces(staging: Staging, certificate: Certificate) -> dict[Tile, str]:
    """Return the module on each tile of the map that a fill is written as; none for what has several floors."""
    cluster = staging.cluster
    if not isinstance(cluster, Lattice) or cluster.kind != SQUARE or cluster.depth != 1:
        return {}
    modules = staging.rules.modules
    return {
        (node % cluster.width, node // cluster.width): modules[number].key
        for node, number in enumerate(certificate["modules"])
        if number >= 0
    }


class Remaker:
    """Hold a fill and what was ruled out of it."""

    def __init__(self, staging: Staging, certificate: Certificate, seed: int, meter: Meter) -> None:
        cluster = staging.cluster
        if not isinstance(cluster, Lattice) or cluster.kind != SQUARE or cluster.depth != 1:
            raise BadOption("only a flat grid of squares can be made again with parts of it ruled out")
        if any(module.placement == FILLER for module in staging.rules.modules):
            raise BadOption("what stands only where nothing else fits depends on more than a window")
        self.staging, self.width, self.seed = staging, cluster.width, seed
        modules = read_fill(staging, certificate["modules"], "modules").astype(np.int64)
        self.network = boot_once(staging, meter)
        self.modules: npt.NDArray[np.int64] = modules
        self.numbers = {module.key: number for number, module in enumerate(staging.rules.modules)}
        self.clauses: list[Clause] = []
        self.groups: list[list[int]] = []
        self.changes: Sequence[Change] = ()
        self.rounds = 0

    def exclude(self, exclusion: Exclusion) -> None:
        """Rule out that each of these tiles holds one of the modules named for it."""
        self.clauses.append(self._clause(exclusion.parts))
        self.groups = [[self._node(part.tile) for part in group] for group in exclusion.groups]
        self.changes = exclusion.changes

    def _node(self, tile: Tile) -> int:
        return tile[0] + self.width * tile[1]

    def _clause(self, parts: Sequence[Part]) -> Clause:
        wanted = np.empty((len(parts), self.network.modules), dtype=np.bool_)
        for index, part in enumerate(parts):
            wanted[index] = part.excluded
            wanted[index, [self.numbers[key] for key in part.pieces]] = not part.excluded
        return Clause(np.array([self._node(part.tile) for part in parts], dtype=np.int64), wanted)

    def remake(self, meter: Meter) -> Finding:
        """Return the fill with as little changed as can be found, so that nothing in it is ruled out."""
        self.rounds += 1
        mending = Remending(self.network, self.modules, meter, self.clauses)
        for anchors, radius, wanted in self._windows():
            if mending.change(anchors, radius, wanted):
                return self._finding(mending.modules, meter)
            if meter.stop_reason() is not None:
                return Finding(Verdict.UNKNOWN, reason=meter.stop_reason())
        found = mending.change_anything()
        if found is None:
            reason = meter.stop_reason() or Reason(Cause.INCOMPLETE, "the search for another fill gave up")
            return Finding(Verdict.UNKNOWN, reason=reason)
        if found:
            return self._finding(mending.modules, meter)
        return Finding(Verdict.NO, because="No fill is left once all that fails is ruled out.")

    def _windows(self) -> Iterator[tuple[list[int], int, list[Clause]]]:
        """Yield where to fill anew and what to ask for there: suggestions first, then any tile, group by group."""
        for radius in CHANGE_RADII:
            for change in self.changes:
                asked = [self._clause(row) for row in change.asks]
                near = [self._node(tile) for tile in change.near]
                for number in range(ANCHORS if any(len(row) > 1 for row in change.asks) else 1):
                    places = [self._anchors(clause.nodes.tolist()) for clause in asked]
                    yield [*(some[number % len(some)] for some in places), *near], radius, asked
        last = self.clauses[-1]
        for radius in RADII:
            for group in self.groups:
                for anchor in self._anchors(group):
                    yield [anchor], radius, [last.only(group)]

    def _anchors(self, nodes: Sequence[int]) -> list[int]:
        """Return around which nodes to look for a change: some of the first, drawn by the seed."""
        state = (self.seed * 1_000_003 + self.rounds) & ALL_BITS
        keys = [scramble(after_draws(state, number + 1)) for number in range(len(nodes))]
        return [node for _, node in sorted(zip(keys, nodes, strict=True))][:ANCHORS]

    def _finding(self, modules: npt.NDArray[np.int64], meter: Meter) -> Finding:
        self.modules = modules
        certificate = make_certificate("valency", "solvable", Verdict.YES, "assignment", modules=modules.tolist())
        return Finding(Verdict.YES, certificate, stats={"seed": self.staging.seed, "nodes": meter.nodes})
