"""Bring a complete draft in order without losing its mix: small windows are drawn anew, over and over.

A draft follows the weights and the seed, but may break counts, or fall apart into pieces that must hang together. A
proof search mends that as it pleases, and what pleases it most is to leave everything out that could be wrong: one
module everywhere. Here every module keeps its share, and pieces grow together or give way to each other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.engine import driver
from solvent.valency.model import Acyclic, Connected, Loop, Path, numbers_in
from solvent.valency.slices import count_each, running_total, slices, where_true
from solvent.valency.solver.constraints.images import Images
from solvent.valency.solver.constraints.rows import Rows
from solvent.valency.solver.filling import Watch, count_modules
from solvent.valency.solver.local_joins_kernel import LOOP, TOGETHER, TREES, LocalJoins
from solvent.valency.solver.local_rows_kernel import LocalRows
from solvent.valency.solver.network import Network, Words, truths_of
from solvent.valency.solver.resample_kernel import Resampling
from solvent.valency.solver.task import Modules

STEPS_A_NODE, LEAST_STEPS, MAX_STEPS = 25, 200, 250_000
"""How many windows are drawn in a round: for each node, at least and at most."""
MAX_ROUNDS, PATIENCE = 24, 6
"""How many rounds there are at most before it is warmed up again, and how many without anything getting better."""
MAX_HEATS, STEPS_OF_ALL = 4, 2_000_000
"""How often it is warmed up at most, and after how many windows it is not any more."""
MIN_GAIN = 0.02
"""The share of the distance that a round must gain, once nothing is wrong any more."""
WARMEST, COLDEST = 0.3, 0.1
"""How much worse a change may make it, in the first round and from the middle on."""
COST_OF_PIECE = 10.0
"""What a loose piece costs, beside a distance of 1."""
WINDOW = 12
"""How large windows are at most, in nodes."""
CLOSE_ENOUGH = 0.01
"""The share of nodes, about, that may hold something else than is wanted, beside what chance does anyway."""

Counts = npt.NDArray[np.int64]


class Mix:
    """Hold how often modules are wanted, region by region."""

    def __init__(self, network: Network, modules: Modules, meter: Meter) -> None:
        """Take the frequencies of a draft, in which some nodes may be open: then of the others."""
        counts = count_by_region(network, modules, meter)
        open_nodes = np.zeros(len(counts), dtype=np.int64)
        for part in slices(network.nodes, meter):
            inside = network.region_of[part][network.cache.open_nodes[part]]
            open_nodes += np.bincount(inside, minlength=len(counts))
        filled = counts.sum(axis=1)
        self.wanted = counts * (open_nodes / np.maximum(1, filled))[:, None]


def count_by_region(network: Network, modules: Modules, meter: Meter) -> Counts:
    """Return how many nodes of each region hold each module."""
    counts = np.zeros((len(network.weights), network.modules), dtype=np.int64)
    for part in slices(network.nodes, meter):
        held = modules[part]
        filled = held >= 0
        np.add.at(counts, (network.region_of[part][filled], held[filled]), 1)
    return counts


class Remix:
    """Hold a draft, complete and with all neighbours in agreement, that is being brought in order."""

    def __init__(self, network: Network, modules: Modules, roots: Words, mix: Mix, seed: int, meter: Meter) -> None:
        self.network = network
        self.meter = meter
        self.watch: Watch | None = None
        """Who looks on while it goes on."""
        self.held = modules.astype(np.int32)
        self._kept: list[object] = []
        """Memory that the kernels read."""
        joins = self._make_joins()
        counts = count_by_region(network, modules, meter)
        places = where_true(count_modules(roots, meter) > 1, meter).astype(np.int32)
        self.is_fixed = len(places) == 0
        self.kernel = Resampling(
            joins,
            self._make_rows(),
            roots.data,
            network.region_of.data,
            mix.wanted.data,
            counts.data,
            places.data,
            seed,
        )
        self._kept += [counts, places, mix, roots]
        self._keep_counts(modules)
        self._keep_images()
        self.kernel.begin()
        self.goal = network.modules + CLOSE_ENOUGH * CLOSE_ENOUGH * network.nodes

    def _make_joins(self) -> LocalJoins:
        network = self.network
        kinds, modules = len(network.agreements), network.modules
        constraints: list[Connected | Path | Acyclic] = [constraint for _, constraint in network.joins]
        constraints += [one for one in network.staging.constraints if isinstance(one, Acyclic)]
        count = max(1, len(constraints))
        chosen = np.zeros((count, modules), dtype=np.uint8)
        out, back = (np.zeros((count, kinds, modules), dtype=np.uint8) for _ in range(2))
        ends = np.full((len(constraints), 2), -1, dtype=np.int64)
        form = np.full(count, TOGETHER, dtype=np.int64)
        for number, constraint in enumerate(constraints):
            chosen[number] = truths_of(numbers_in(constraint.modules), modules)
            if isinstance(constraint, Path):
                ends[number] = constraint.start, constraint.end
            elif isinstance(constraint, Acyclic | Loop):
                form[number] = TREES if isinstance(constraint, Acyclic) else LOOP
            self._write_exits(constraint, chosen[number], out[number], back[number])
        self._kept += [chosen, out, back, ends, form]
        there = ends.data if len(ends) else _NO_ENDS.data
        return LocalJoins(network.arcs, self.held.data, chosen.data, out.data, back.data, there, form.data)

    def _make_rows(self) -> LocalRows:
        """Put all rows that must not be too long behind each other."""
        network, meter = self.network, self.meter
        limits = [limit for limit in network.limits if isinstance(limit, Rows)]
        chosen = np.zeros((max(1, len(limits)), network.modules), dtype=np.uint8)
        for number, limit in enumerate(limits):
            chosen[number] = limit.modules
        meter.require_memory(sum(5 * limit.rows.nbytes for limit in limits) / 1e6, "rows through each node")
        lengths = np.concatenate([_NONE, *(np.full(len(limit.rows), limit.rows.shape[1]) for limit in limits)])
        sets = np.concatenate([_NONE, *(np.full(len(limit.rows), number) for number, limit in enumerate(limits))])
        nodes = np.concatenate([_NONE, *(limit.rows.reshape(-1) for limit in limits)]).astype(np.int32)
        start = running_total(lengths, meter)
        through = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)[np.argsort(nodes, kind="stable")]
        through_start = running_total(count_each(nodes, network.nodes, meter), meter)
        flat = [row if len(row) else np.zeros(1, dtype=np.int32) for row in (sets.astype(np.int32), nodes, through)]
        self._kept += [chosen, start, through_start, *flat]
        return LocalRows(
            self.held.data, chosen.data, flat[0].data, start.data, flat[1].data, through_start.data, flat[2].data,
            len(lengths),
        )  # fmt: skip

    def _keep_images(self) -> None:
        """Have nodes change together with all their images, under all symmetries at once."""
        ways = [way for limit in self.network.limits if isinstance(limit, Images) for _, way in limit.arcs()]
        if not ways:
            return
        orbits = [np.arange(self.network.nodes)]
        for orbit in orbits:  # grows until it is closed
            for way in ways:
                image = way[orbit]
                if not any(np.array_equal(image, known) for known in orbits):
                    orbits.append(image)
        mates = np.ascontiguousarray(np.stack(orbits[1:] or orbits, axis=1), dtype=np.int32)
        self._kept.append(mates)
        self.kernel.change_together(mates.data)

    def _write_exits(
        self,
        constraint: Connected | Path | Acyclic,
        chosen: npt.NDArray[np.uint8],
        out: npt.NDArray[np.uint8],
        back: npt.NDArray[np.uint8],
    ) -> None:
        """Write for each kind of arc which modules let one through at its start and at its end."""
        for layer, table in enumerate(self.network.kind_tables):
            exits = np.array(constraint.exits[layer], dtype=np.uint64) if constraint.exits else None
            for here, there in np.argwhere(table >= 0).tolist():
                kind = table[here, there]
                for row, orbital in ((out, here), (back, there)):
                    row[kind] = chosen
                    if exits is not None:
                        row[kind] &= ((exits >> np.uint64(orbital)) & np.uint64(1)).astype(np.uint8)

    def _keep_counts(self, modules: Modules) -> None:
        bounds = self.network.count_bounds
        if not bounds:
            return
        sets = np.stack([bound.modules for bound in bounds]).astype(np.uint8)
        scope = np.stack([bound.scope for bound in bounds]).astype(np.uint8)
        limits = np.array([(bound.least, bound.most) for bound in bounds], dtype=np.int64)
        tally = np.array([bound.held(modules, self.meter) for bound in bounds], dtype=np.int64)
        self._kept += [sets, scope, limits, tally]
        self.kernel.keep_counts(sets.data, scope.data, limits.data, tally.data)

    @property
    def is_good(self) -> bool:
        """Tell whether counts are kept and everything hangs together that must."""
        return bool(self.kernel.broken == 0 and self.kernel.misses == 0)

    def run(self, heats: int = MAX_HEATS) -> Reason | None:
        """Draw windows until all is in order and the mix is right, or nothing gets better; returns why it was cut
        short, if it was. It is warmed up so many times.
        """
        for heat in range(0 if self.is_fixed else heats):
            if heat and (self.is_good or self.kernel.steps > STEPS_OF_ALL):
                break
            reason = self._cool_down()
            if reason is not None:
                return reason
        return None

    def _cool_down(self) -> Reason | None:
        """Draw windows for some rounds, with less and less that may get worse for a while."""
        kernel = self.kernel
        steps = min(MAX_STEPS, max(LEAST_STEPS, STEPS_A_NODE * self.network.nodes))
        least, idle, cost = self._faults, 0, COST_OF_PIECE
        for number in range(MAX_ROUNDS):
            warmth = max(COLDEST, WARMEST - (WARMEST - COLDEST) * 2 * number / MAX_ROUNDS)
            kernel.set_manner(warmth, WINDOW, cost)
            before, was_good = kernel.distance, self.is_good
            reason = self._draw(steps)
            if reason is not None:
                return reason
            if self.is_good and (self._is_mixed or (was_good and kernel.distance > (1 - MIN_GAIN) * before)):
                return None
            if self.is_good or self._faults < least:
                idle = 0
            elif idle == PATIENCE:
                return None
            else:
                idle += 1
                cost *= 2  # the mix may be what stands in the way
            least = min(least, self._faults)
        return None

    @property
    def _faults(self) -> int:
        return int(self.kernel.broken + self.kernel.misses)

    @property
    def _is_mixed(self) -> bool:
        return bool(self.kernel.distance <= self.goal)

    def _draw(self, steps: int) -> Reason | None:
        left = steps

        def step(limit: int) -> tuple[int, int]:
            nonlocal left
            done = self.kernel.run(min(limit, left), self.goal)
            left -= done
            if self.watch is not None:
                self.watch.show(self.modules)
            return int(left <= 0 or (self.is_good and self._is_mixed)), done

        _, reason = driver.drive(step, self.meter, first_chunk=256)
        return reason

    @property
    def modules(self) -> Modules:
        """Return the fill as it is now."""
        return self.held.astype(np.int64)


_NONE = np.zeros(0, dtype=np.int64)
_NO_ENDS = np.zeros((0, 2), dtype=np.int64)
