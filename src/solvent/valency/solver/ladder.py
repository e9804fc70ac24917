"""Climb from quick to sure: collapse and mend nearby, start again, fill windows by proof search, then everything.

Each rung is tried only when the one below did not settle the matter. The last ones decide: a window that cannot be
filled even with nothing around it proves that there is no fill, and so does the whole cluster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field
from msgspec.structs import replace

from solvent.core.answer import Cause, Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.valency.model import UNSET
from solvent.valency.slices import distinct, run_through, slices, where_true
from solvent.valency.solver.agree_kernel import Agreement
from solvent.valency.solver.clash_elements import global_elements, local_elements
from solvent.valency.solver.collapse_kernel import CONTRADICTION, FILLED, OUT_OF_BOUNDS, STUCK
from solvent.valency.solver.fillers import replace_fillers
from solvent.valency.solver.filling import Filling, FillManner
from solvent.valency.solver.joins import are_joined
from solvent.valency.solver.log import log_modules
from solvent.valency.solver.network import Network
from solvent.valency.solver.node_sets import NodeSet
from solvent.valency.solver.orders.collapsing import frontier_order
from solvent.valency.solver.orders.portfolio import Portfolio
from solvent.valency.solver.task import Modules, Solver, Task, accept_modules

if TYPE_CHECKING:  # imported where they are needed: most tasks are filled without a proof search
    from solvent.valency.solver.counting_argument.points import CountingArgument
    from solvent.valency.solver.refuting import Refutation
    from solvent.valency.solver.resampling import Mix

ATTEMPTS, ATTEMPTS_IF_SMALL = 6, 2
"""How often a fill is begun from nothing before a proof search decides the whole; soon if the whole is small."""
SMALL = 20_000
"""How many nodes times modules are small."""
TINY = 64
"""How many nodes times modules are so few that a proof search is over at once, and finds a clash that says more."""
LEAST_EFFORT, EFFORT_A_REMOVAL = 100_000, 4
"""How many literals the windows of an attempt may take, all but the last: about as much work as a few new attempts."""
MAX_WINDOWS = 500
"""How many windows are tried in all before the whole cluster is."""
FIRST_WINDOW, LARGEST_QUICK_WINDOW = 4, 9
"""How far the first window around a contradiction reaches, and the last one before its surroundings start again."""
NODES_A_LOOK = 1 << 17
"""How many nodes are held against their neighbours before the next look at the limits."""
MAX_SHAKES = 40
"""How often surroundings start again before windows grow on."""


class Outcome(Struct):
    """Hold what the ladder came to: a fill, a refutation, or the reason there is neither."""

    modules: Modules | None = None
    refutation: Refutation | None = None
    counting: CountingArgument | None = None
    reason: Reason | None = None
    filled_at: npt.NDArray[np.int32] | None = None
    stats: dict[str, int | str] = field(default_factory=dict)


class Ladder:
    """Hold one climb."""

    def __init__(self, network: Network, task: Task, solver: Solver, *, windows: bool, minimal: bool) -> None:
        self.network = network
        self.task = task
        self.solver = solver
        self.windows = windows
        self.minimal = minimal
        self.meter: Meter = task.meter
        self.shakes = 0
        self.effort = 0
        self.fillable: set[int] = set()
        """Places around which a window was looked at that could be filled with nothing around it."""
        self.tries: dict[int, int] = {}
        """How often each node was filled as part of a window; the next window there is larger."""
        self.draft: Modules | None = None
        """A complete fill in which counts or what must hang together may still be wrong."""
        self.mix: Mix | None = None
        """How often each module is wanted, once something has to be brought in order."""
        small = np.count_nonzero(network.cache.open_nodes) * network.modules <= SMALL
        self.attempts = ATTEMPTS_IF_SMALL if small else ATTEMPTS
        self.unmended = solver.tries(network.nodes) - 1 if isinstance(solver, Portfolio) and not small else 0
        """How many attempts are not mended if they meet contradictions; a small task is soon decided."""
        self.mended = 0
        """How many attempts were."""
        self.stats: dict[str, int | str] = {
            "attempts": 0,
            "repairs": 0,
            "windows": 0,
            "redrawn": 0,
            "choices": 0,
            "removed": 0,
        }

    def climb(self) -> Outcome:
        """Fill the network, or prove that it cannot be filled, as far as the budget goes."""
        try:
            return self._climb()
        except LimitReached as limit:
            return self._outcome(reason=limit.reason)

    def _climb(self) -> Outcome:
        place, reason = self.root()
        if reason is not None:
            return self._outcome(reason=reason)
        if place >= 0:
            return self._refute_around(place)
        while self.mended < self.attempts:
            self.stats["attempts"] = self.task.attempt + 1
            outcome = self._attempt()
            if outcome is not None:
                return outcome
            self.task.attempt += 1
            if self.mended == 1 and self.windows:
                outcome = self._refute_by_counting(quick=True)
                if outcome is not None:
                    return outcome
        if not self.windows:
            return self._outcome(reason=Reason(Cause.INCOMPLETE, "without windows, contradictions are not proved"))
        return self._everything()

    def _attempt(self) -> Outcome | None:
        """Fill from nothing, and mend what is wrong; None if that leads nowhere."""
        if self.network.count_bounds and isinstance(self.solver, Portfolio):
            outcome = self._count_afterwards()
            if outcome is not None:
                return outcome
        modules = self.fill()
        if getattr(self.solver, "gives_up", False):
            log_modules(self.network, modules)
        if self.task.reason is not None:
            return self._outcome(reason=self.task.reason)
        if self.is_fill(modules):
            return self._outcome(modules=modules)
        if getattr(self.solver, "gives_up", False):
            return self._outcome(reason=Reason(Cause.INCOMPLETE, "the chosen solver gives up"))
        if not self.windows:
            self.mended += 1
            return self._in_order(modules) if self._is_draft(modules) else None
        if self.task.attempt < self.unmended and self.task.status in (STUCK, CONTRADICTION):
            return None  # another order may do better
        outcome = self._refute_by_probing() if self.mended == 0 else None
        if outcome is not None:
            return outcome
        outcome = self._mend(modules)
        self.mended += 1
        return outcome

    def _count_afterwards(self) -> Outcome | None:
        """Fill without a look at counts, then bring those in order; None if that leads nowhere.

        Where modules that are wanted are placed first, and others by weight beside them, there are far too many.
        """
        plain = replace(self.network, count_bounds=())
        self.task.network = plain
        try:
            modules = self.fill()
        finally:
            self.task.network = self.network
        if self.task.reason is not None:
            return self._outcome(reason=self.task.reason)
        if self.is_fill(modules):
            return self._outcome(modules=modules)
        return self._in_order(modules) if self._is_draft(modules) else None

    def _is_draft(self, modules: Modules) -> bool:
        """Tell whether modules are a complete fill but for counts and what must hang together."""
        return self.task.status == FILLED and agree(self.network, modules, self.meter)

    def _in_order(self, draft: Modules) -> Outcome | None:
        """Return a draft brought in order, if that leads somewhere."""
        modules = self._remix(draft)
        return self._outcome(modules=modules) if self.is_fill(modules) else None

    def _mend(self, modules: Modules) -> Outcome | None:
        """Mend what a solver made: contradictions, then counts, then what hangs loose; None if that leads nowhere."""
        from solvent.valency.solver.mending import Mending

        if self.task.status == OUT_OF_BOUNDS:
            draft = self._draft_without_counts()
        else:
            outcome = self._mend_by_windows(self.filling_of(modules))
            if outcome is not None:
                return outcome
            draft = self.draft
        if draft is None:
            return None
        draft = self._remix(draft)
        if self.is_fill(draft):
            return self._outcome(modules=draft)
        order, watch = self.task.shuffled_nodes(), self.task.watch
        mending = Mending(self.network, draft, self.task.roots, self.meter, order, watch)
        mended = mending.mend()
        self.stats["windows"] = int(self.stats["windows"]) + mending.windows
        if mended and self.is_fill(mending.modules):
            return self._outcome(modules=self._remixed(mending.modules))
        self.draft = mending.modules
        return None

    def _remix(self, draft: Modules) -> Modules:
        """Return a complete draft brought in order, as far as that goes, with every module keeping its share."""
        from solvent.valency.solver.resampling import MAX_HEATS, Mix, Remix

        if self.mix is None:
            self.mix = Mix(self.network, draft, self.meter)
        seed = int(self.task.region_seeds()[0]) ^ self.task.attempt
        remix = Remix(self.network, draft, self.task.roots, self.mix, seed, self.meter)
        remix.watch = self.task.watch
        reason = remix.run(MAX_HEATS if self.mended == 0 else 1)
        self.stats["redrawn"] = int(self.stats["redrawn"]) + remix.kernel.taken
        if reason is not None:
            raise LimitReached(reason)
        return remix.modules

    def _remixed(self, fill: Modules) -> Modules:
        """Return a fill in which modules are as often there as they would be by the weights, as far as that goes."""
        if self.mix is None:
            return fill
        remixed = self._remix(fill)
        return remixed if self.is_fill(remixed) else fill

    def _ordered(self, draft: Modules) -> Modules | None:
        """Return a complete draft brought in order, if that makes it a fill."""
        remixed = self._remix(draft)
        return remixed if self.is_fill(remixed) else None

    def _draft_without_counts(self) -> Modules | None:
        """Return a complete fill in which only counts may be wrong, if one is found."""
        plain = replace(self.network, count_bounds=())
        self.task.network = plain
        try:
            modules = self.fill()
            self.draft = None
            if self.task.reason is None and self.task.status != FILLED:
                self._mend_by_windows(self.filling_of(modules))
                return self.draft
            return modules if self.task.status == FILLED else None
        finally:
            self.task.network = self.network

    def fill(self) -> Modules:
        """Have the solver fill the network, as far as it does."""
        self.task.filling = self.task.status = self.task.reason = None
        modules = self.solver.fill(self.task)
        if self.task.reason is not None and self.task.reason.cause is not Cause.INCOMPLETE:
            return np.asarray(modules)  # cut short: nobody looks at them
        return accept_modules(self.network, self.solver.name, modules, self.meter)

    def root(self) -> tuple[int, Reason | None]:
        """Draw all consequences before anything is chosen; returns the node left with nothing, or -1."""
        domains = self.network.domains
        if self.network.limits:
            domains = domains.copy()
            for limit in self.network.limits:
                limit.narrow(domains, self.meter)
        filling = Filling.without_choices(self.network, domains, self.meter)
        empty = filling.find_empty(self.network.cache.open_nodes, self.meter)
        if empty >= 0:
            self.task.roots = domains
            return empty, None
        filling.look_at_all(self.meter)
        place, reason = filling.propagate(self.meter)
        self.task.roots = filling.domains
        self.task.roots.setflags(write=False)  # solvers of others see it, and later rungs rely on it
        return place, reason

    def is_fill(self, modules: Modules) -> bool:
        """Tell whether every rule holds; a filler that could be replaced is, first."""
        network, meter = self.network, self.meter
        open_nodes = network.cache.open_nodes
        if any((open_nodes[part] & (modules[part] < 0)).any() for part in slices(len(modules), meter)):
            return False
        if not agree(network, modules, meter):
            return False
        for bound in network.count_bounds:
            if not bound.least <= bound.held(modules, meter) <= bound.most:
                return False
        if not are_joined(network, modules, meter) or any(limit.broken(modules, meter) for limit in network.limits):
            return False
        return replace_fillers(network, modules, self.task.region_seeds(), self.meter)

    def filling_of(self, modules: Modules) -> Filling:
        """Return the collapse to go on from: the solver's own, or a new one that holds what it gave."""
        if self.task.filling is not None:
            return self.task.filling
        filling = Filling(
            self.network,
            seeds=self.task.region_seeds(),
            roots=self.task.roots,
            order=frontier_order(self.network, self.meter),
            manner=FillManner(repair=bool(self.task.options.get("repair", True))),
            meter=self.meter,
        )
        for part in slices(len(modules), self.meter):
            held = modules[part]
            keep = np.flatnonzero((held >= 0) & self.network.cache.open_nodes[part])
            if len(keep):
                filling.impose(part.start + keep, held[keep])
        return filling

    def _mend_by_windows(self, filling: Filling) -> Outcome | None:
        """Fill windows around contradictions until the fill is complete; None if that leads nowhere."""
        status = self.task.status
        if status is None:  # a registered solver: go on from what it gave
            status, reason = filling.run(self.meter, self.task.listen, self.task.watch)
            if reason is not None:
                return self._outcome(reason=reason)
        self.effort = self.shakes = 0
        self.tries.clear()
        last = self.mended == self.attempts - 1
        enough = LEAST_EFFORT + EFFORT_A_REMOVAL * filling.removed
        while status in (STUCK, CONTRADICTION) and (last or self.effort < enough):
            if last and int(self.stats["windows"]) >= MAX_WINDOWS:
                break
            outcome = self.fill_around(filling, filling.place)
            if isinstance(outcome, Outcome):
                return outcome
            if not outcome:
                break
            status, reason = filling.run(self.meter, self.task.listen, self.task.watch)
            if reason is not None:
                return self._outcome(reason=reason)
        self.task.status = status
        if status == FILLED:
            modules = filling.modules(self.meter)
            if self.is_fill(modules):
                return self._outcome(modules=modules)
            self.draft = modules if agree(self.network, modules, self.meter) else None
        return None

    def fill_around(self, filling: Filling, place: int) -> bool | Outcome:
        """Fill a window around a place, growing it until it can be; a refutation if nothing ever could.

        Returns False when the window would have to be everything.
        """
        from solvent.valency.solver.windows import try_window

        radius, before = FIRST_WINDOW + self.tries.get(place, 0), 0
        while True:
            self.stats["windows"] = int(self.stats["windows"]) + 1
            nodes = filling.window(place, radius)
            window = try_window(self.network, nodes, filling.roots, filling.settled, self.meter)
            self.effort += window.effort
            if window.reason is not None:
                return self._outcome(reason=window.reason)
            if window.modules is not None:
                filling.impose(nodes, window.modules)
                filling.failures[nodes] = 0
                for node in nodes.tolist():
                    self.tries[node] = self.tries.get(node, 0) + 1
                return True
            if len(nodes) == before:
                return self._refute_if_impossible(place, nodes) or False
            if radius >= LARGEST_QUICK_WINDOW:
                outcome = self._refute_if_impossible(place, nodes)
                if outcome is not None:
                    return outcome
                if self.shakes < MAX_SHAKES:
                    self._shake(filling, place, radius)
                    return True
            radius, before = radius + radius // 2, len(nodes)

    def _refute_if_impossible(self, place: int, nodes: npt.NDArray[np.int64]) -> Outcome | None:
        """Return a refutation if a window cannot be filled even with nothing around it."""
        from solvent.valency.solver.windows import try_window

        if place in self.fillable:
            return None
        self.fillable.add(place)
        window = try_window(self.network, nodes, self.network.domains, None, self.meter)
        self.effort += window.effort
        refutation, reason = None, window.reason
        if window.refuted:
            refutation, reason = self.refute_window(nodes)
        if refutation is None and reason is None:
            return None
        return self._outcome(refutation=refutation, reason=reason)

    def _shake(self, filling: Filling, place: int, radius: int) -> None:
        """Start again around a contradiction and around the last choice, further out each time."""
        self.shakes += 1
        nodes = filling.around(place, radius + self.shakes)
        cause = filling.around(filling.last_choice, radius + self.shakes)
        nodes = distinct(np.concatenate([nodes, cause]))
        filling.start_again(nodes)
        filling.failures[nodes] = 0

    def refute_window(
        self, nodes: npt.NDArray[np.int64], *, minimal: bool | None = None
    ) -> tuple[Refutation | None, Reason | None]:
        """Return a proof that these nodes cannot be filled, whatever stands around them, if they cannot."""
        from solvent.valency.solver.refuting import refute

        inside = NodeSet(self.network, nodes, self.meter)
        minimal = self.minimal if minimal is None else minimal
        elements = local_elements(self.network, inside, self.meter)
        return refute(self.network, inside, elements, [], self.meter, minimal=minimal)

    def _refute_around(self, place: int) -> Outcome:
        """Prove that there is no fill, from a node that is left with nothing when all consequences are drawn."""
        filling = Filling.without_choices(self.network, meter=self.meter)
        radius, before = 1, 0
        while True:
            nodes = np.sort(filling.around(place, radius))
            refutation, reason = self.refute_window(nodes)
            if reason is not None:
                return self._outcome(reason=reason)
            if refutation is not None:
                return self._outcome(refutation=refutation)
            if len(nodes) == before:
                return self._everything()
            radius, before = 2 * radius, len(nodes)

    def _refute_by_probing(self) -> Outcome | None:
        """Prove that there is no fill where no module can stand on the node of the first contradiction."""
        from solvent.valency.solver.probing import is_dead_end

        filling = self.task.filling
        if filling is None or self.task.status not in (STUCK, CONTRADICTION) or self.network.only_most:
            return None
        if not is_dead_end(self.network, self.task.roots, filling.place, self.meter):
            return None
        for radius in (FIRST_WINDOW, LARGEST_QUICK_WINDOW):  # a clash in one place says more
            outcome = self._refute_if_impossible(filling.place, np.sort(filling.around(filling.place, radius)))
            if outcome is not None:
                return outcome
            self.fillable.clear()
        return self._decide()

    def _refute_by_counting(self, *, quick: bool) -> Outcome | None:
        """Prove by sums that there is no fill; None if they work out, or nothing much was looked at.

        That comes after windows, whose clash is smaller and says more, but before a search that parity makes endless.
        """
        from solvent.valency.solver.counting_argument.finding import find_counting_argument

        network = self.network
        if network.only_most:
            return None  # with nodes left out, there is more to a proof
        if np.count_nonzero(network.cache.open_nodes) * network.modules <= TINY:
            return None
        argument = find_counting_argument(network, self.meter, quick=quick)
        return None if argument is None else self._outcome(counting=argument)

    def _everything(self) -> Outcome:
        """Decide the whole cluster by sums, or else by proof search."""
        outcome = self._refute_by_counting(quick=False)
        return self._decide() if outcome is None else outcome

    def _decide(self) -> Outcome:
        """Decide the whole cluster by proof search."""
        from solvent.valency.solver.refuting import refute
        from solvent.valency.solver.windows import fill_everything

        near = self.draft
        if near is None:
            near = self.task.filling.modules(self.meter) if self.task.filling is not None else self._unset()
        modules, cuts, reason = fill_everything(
            self.network,
            self.network.cache.open_nodes,
            self.task.roots,
            near,
            self.meter,
            bring_in_order=None if self.mix is None else self._ordered,
            listen=self.task.listen,
        )
        if reason is not None:
            return self._outcome(reason=reason)
        if modules is not None:
            if not replace_fillers(self.network, modules, self.task.region_seeds(), self.meter):
                return self._outcome(reason=self.meter.stop_reason())
            return self._outcome(modules=self._remixed(modules))
        inside = NodeSet(self.network, where_true(self.network.cache.open_nodes, self.meter), self.meter)
        elements = local_elements(self.network, inside, self.meter).and_others(
            global_elements(self.network), self.meter
        )
        refutation, reason = refute(self.network, inside, elements, cuts, self.meter, minimal=self.minimal)
        if refutation is None and reason is None:
            raise AssertionError("a formula that was refuted without a proof can be satisfied with one")
        return self._outcome(refutation=refutation, reason=reason)

    def _unset(self) -> Modules:
        return np.where(self.network.cache.open_nodes, UNSET, -2).astype(np.int64)

    def _outcome(
        self,
        modules: Modules | None = None,
        refutation: Refutation | None = None,
        reason: Reason | None = None,
        counting: CountingArgument | None = None,
    ) -> Outcome:
        filling = self.task.filling
        if filling is not None:
            self.stats["repairs"] = filling.repairs
            self.stats["choices"] = filling.choices
            self.stats["removed"] = filling.removed
        filled_at = filling.filled_at if filling is not None else None
        return Outcome(modules, refutation, counting, reason, filled_at, dict(self.stats))


def agree(network: Network, modules: Modules, meter: Meter = UNLIMITED) -> bool:
    """Tell whether all filled neighbours agree, and everything stands where it may."""
    held = np.empty(len(modules), dtype=np.int64)
    for part in slices(len(modules), meter):
        held[part] = np.where(network.cache.open_nodes[part], modules[part], UNSET)
    agreement = Agreement(network.arcs, network.domains.data, held.data)
    run_through(agreement.run, meter, NODES_A_LOOK)
    return bool(agreement.holds)
