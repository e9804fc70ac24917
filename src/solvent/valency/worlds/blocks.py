"""Fill a rectangle of a world whose frame stays as it is.

Every block of one size has the same network, which is made once; a fill only begins with other modules.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from msgspec import structs

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.valency.model import HEX, NORMAL, Count, Lattice, Staging
from solvent.valency.solver.filling import FILLED, Filling, FillManner
from solvent.valency.solver.network import Network, boot, put_modules
from solvent.valency.solver.orders.collapsing import frontier_order
from solvent.valency.solver.task import Task
from solvent.valency.solver.windows import fill_everything
from solvent.valency.worlds.chunk_task import Cells, ChunkTask, Words
from solvent.valency.worlds.rules_in_world import rules_in_world

ENTROPY = None
"""The order in which the node with the least to choose from comes next."""


class Block:
    """Hold the network of a rectangle and its frame, one cell wide."""

    def __init__(self, task: ChunkTask, width: int, height: int, counts: tuple[Count, ...] = ()) -> None:
        """Take the size with the frame, and what is counted by numbers of nodes in the rectangle."""
        self.task = task
        self.shape = (task.depth, height, width)
        lattice = Lattice(width, height, task.depth, task.kind)
        # What may stand where is said by roots alone, so each module may stand anywhere here, edges included.
        rules = rules_in_world(task.plain_rules, hexagonal=task.kind == HEX)
        rules = replace(rules, modules=tuple(replace(one, placement=NORMAL) for one in rules.modules))
        self.network: Network = boot(Staging(rules, lattice, constraints=counts))
        inside = np.zeros(self.shape, dtype=np.bool_)
        inside[:, 1:-1, 1:-1] = True
        self.inside = inside.reshape(-1)
        nodes = np.arange(len(self.inside), dtype=np.int32)
        # From the frame inwards: what the frame asks for is met before anything else is chosen.
        self.orders = (ENTROPY, np.ascontiguousarray(frontier_order(self.network)[::-1]), nodes)
        self.slow = 0
        """How many fills took more than a collapse."""

    def roots(self, allowed: Words, frame: Cells) -> Words:
        """Return what may stand on each node: what is allowed inside, and the frame as it is around it."""
        roots = allowed.reshape(len(self.inside), -1).copy()
        nodes = np.flatnonzero(~self.inside)
        put_modules(roots, nodes, frame.reshape(-1)[nodes].astype(np.int64))
        return roots

    def fill(self, roots: Words, seed: int, meter: Meter = UNLIMITED) -> Cells | None:
        """Return a fill drawn from a seed; None if there is none.

        A collapse nearly always succeeds. Where it does not, a proof search fills the block as much like the collapse
        as it can, or finds that nothing does.
        """
        draft = None
        for attempt, order in enumerate(self.orders):
            filling = Filling(
                self.network,
                seeds=np.array([seed], dtype=np.uint64),
                roots=roots,
                order=order,
                placing=self._placing(seed, attempt),
                manner=FillManner(attempt),
                meter=meter,
            )
            if filling.find_empty(self.network.cache.open_nodes, meter) >= 0:
                return None
            filling.look_at_all(meter)
            status, reason = filling.run(meter)
            if reason is not None:
                raise LimitReached(reason)
            draft = filling.modules(meter)
            if status == FILLED and self._counts_hold(draft, meter):
                return self._cells(draft)
        assert draft is not None
        self.slow += 1
        network = structs.replace(self.network, domains=roots)
        modules, _, reason = fill_everything(network, network.cache.open_nodes, roots, draft, meter)
        if reason is not None:
            raise LimitReached(reason)
        return None if modules is None else self._cells(modules)

    def _placing(self, seed: int, attempt: int) -> npt.NDArray[np.int32] | None:
        """Return where modules that are wanted a number of times are tried first."""
        if not any(bound.least > 0 for bound in self.network.count_bounds):
            return None
        return Task(self.network, self.network.domains, seed, UNLIMITED, attempt=attempt).shuffled_nodes()

    def _counts_hold(self, modules: npt.NDArray[np.int64], meter: Meter) -> bool:
        return all(bound.least <= bound.held(modules, meter) <= bound.most for bound in self.network.count_bounds)

    def _cells(self, modules: npt.NDArray[np.int64]) -> Cells:
        return modules.astype(np.int16).reshape(self.shape)
