"""Fill what can be filled, and leave out what cannot: some nodes proved impossible, others over budget.

A node is proved impossible by a set of nodes, itself among them and no node that was left out before, which cannot all
be filled whatever stands around them. Minimum counts and what must hang together are not asked for here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Budget
from solvent.proof.certificate import make_certificate
from solvent.valency.model import UNSET, UNSOLVABLE
from solvent.valency.solver.clash_elements import Element, global_elements, local_elements
from solvent.valency.solver.collapse_kernel import FILLED, OUT_OF_BOUNDS
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.ladder import FIRST_WINDOW, Ladder, Outcome, agree
from solvent.valency.solver.network import CountBound, Network, agreeing_modules
from solvent.valency.solver.refuting import Refutation, refute
from solvent.valency.solver.task import Modules, empty_what_disagrees
from solvent.valency.solver.windows import fill_everything, try_window

MAX_CLIMBS = 12
"""How often everything that is left is tried as a whole before contradictions are settled one by one."""


class LeftOut(Struct, frozen=True):
    """Hold a node that stays empty, with the proof that something there has to."""

    node: int
    refutation: Refutation | None

    def as_json(self) -> dict[str, Any]:
        """Return it as a certificate writes it."""
        return {"node": self.node, **({} if self.refutation is None else self.refutation.as_json())}


def fill_partly(ladder: Ladder) -> Finding:
    """Answer `partial`."""
    network = without_minimums(ladder.network)
    ladder.network = ladder.task.network = network
    if not getattr(ladder.solver, "gives_up", False):
        return _Parting(ladder).finding()
    modules = ladder.fill()
    reason = ladder.task.reason
    if reason is not None and reason.cause is not Cause.INCOMPLETE:
        return Finding(Verdict.UNKNOWN, reason=reason)
    empty_what_disagrees(network, modules)
    _empty_what_is_too_many(network, modules)
    left_out = [LeftOut(node, None) for node in np.flatnonzero(modules == UNSOLVABLE).tolist()]
    return _finding(ladder, modules, left_out)


def without_minimums(network: Network) -> Network:
    """Return the network with upper bounds alone."""
    count_bounds: list[CountBound] = []
    for bound in network.count_bounds:
        if bound.most < network.nodes:
            elements = tuple(element for element in bound.element if element[0] != "least")
            count_bounds.append(replace(bound, least=0, element=elements))
    return replace(network, count_bounds=tuple(count_bounds), joins=(), only_most=True)


def _empty_what_is_too_many(network: Network, modules: Modules) -> None:
    """Empty nodes, last first, until no upper bound is broken: a solver that gives up may not look at them."""
    for bound in network.count_bounds:
        held = np.flatnonzero(bound.scope & (modules >= 0))
        held = held[bound.modules[modules[held]]]
        modules[held[bound.most :]] = UNSOLVABLE


class _Parting:
    """Hold one search for a fill that leaves out as little as it has to."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.network = ladder.network
        self.meter = ladder.meter
        self.left_out: list[LeftOut] = []
        self.in_play = self.network.cache.open_nodes.copy()
        self._nothing_settled = np.full(self.network.nodes, -1, dtype=np.int32)

    def finding(self) -> Finding:
        """Fill, leave out where that cannot be helped, and try what was left out once more."""
        reason = self._prepare_roots()
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason)
        for _ in range(MAX_CLIMBS):
            outcome = self._climb()
            if outcome.modules is not None:
                return self._tried_once_more(outcome.modules)
            if outcome.refutation is None:
                break
            node, refutation = _which(self.network, outcome.refutation.nodes[0], outcome.refutation)
            self._leave_out(node, refutation)
            reason = self._prepare_roots()
            if reason is not None:
                break
        task = self.ladder.task
        modules = self.ladder.fill()
        if task.reason is not None:
            return Finding(Verdict.UNKNOWN, reason=task.reason)
        filling = self.ladder.filling_of(modules)
        status = task.status
        if status is None:  # a registered solver: go on from what it gave
            status, _ = filling.run(Budget().start())
        while status != FILLED:
            reason = self.meter.stop_reason()
            if reason is not None and reason.cause is Cause.CANCELLED:
                return Finding(Verdict.UNKNOWN, reason=reason)
            if status == OUT_OF_BOUNDS:
                held = np.flatnonzero(filling.held_for(filling.place) & self.in_play)
                done = self._decide_everything(filling, int(held[-1]))
            else:
                done = self._resolve(filling, filling.place)
            if done is not None:
                return self._tried_once_more(done)
            # Finishing what is begun takes no longer than filling it once more, so it is not charged.
            status, _ = filling.run(Budget().start())
        return self._tried_once_more(filling.modules())

    def _climb(self) -> Outcome:
        """Fill all that is in play by the whole ladder, with half of what may be spent."""
        in_play = replace(self.network.cache, open_nodes=self.in_play.copy())
        domains = self.network.domains.copy()
        domains[~self.in_play] = 0
        count_bounds = tuple(replace(bound, scope=bound.scope & self.in_play) for bound in self.network.count_bounds)
        network = replace(self.network, cache=in_play, domains=domains, count_bounds=count_bounds)
        ours = self.ladder
        part = self.meter.part(fraction=0.5)
        task = replace(ours.task, network=network, roots=domains, meter=part, filling=None, status=None, reason=None)
        ladder = Ladder(network, task, ours.solver, windows=ours.windows, minimal=True)
        outcome = ladder.climb()
        ours.stats.update(ladder.stats)
        if outcome.modules is not None:
            ours.task.filling = task.filling  # it knows in which order nodes were filled
        return outcome

    def _prepare_roots(self) -> Reason | None:
        """Leave out nodes until drawing all consequences leaves every other node with something."""
        network = self.network
        roots = network.domains.copy()
        roots[~self.in_play] = 0
        while True:
            filling = Filling.without_choices(network, roots)
            empty = self.in_play & (filling.sizes == 0)
            if empty.any():
                place = int(np.argmax(empty))
            else:
                filling.look_at(np.flatnonzero(self.in_play))
                place, reason = filling.propagate(self.meter)
                if reason is not None:
                    return reason
            if place < 0:
                self.ladder.task.roots = filling.domains
                filling.domains.setflags(write=False)  # solvers of others see it, and what follows relies on it
                return None
            node, refutation = _which(network, place, self._refute_near(filling, place))
            self._leave_out(node, refutation)
            roots[node] = 0

    def _resolve(self, filling: Filling, place: int) -> Modules | None:
        """Fill a window around a contradiction, or leave a node out; returns a fill of everything if it finds one."""
        radius, before = FIRST_WINDOW, 0
        while self.meter.stop_reason() is None:
            nodes = self._window(filling, place, radius)
            window = try_window(self.network, nodes, filling.roots, filling.settled, self.meter)
            if window.modules is not None:
                filling.impose(nodes, window.modules)
                filling.failures[nodes] = 0
                return None
            window = try_window(self.network, nodes, self.network.domains, self._nothing_settled, self.meter)
            reason = window.reason
            if window.refuted:
                refutation, reason = self.ladder.refute_window(nodes, minimal=True)
                if refutation is not None:
                    node, refutation = _which(self.network, place, refutation)
                    self._leave_out(node, refutation)
                    filling.leave_out(node)
                    return None
            if reason is not None or len(nodes) == before:
                break
            radius, before = radius + radius // 2, len(nodes)
        return self._decide_everything(filling, place)

    def _decide_everything(self, filling: Filling, place: int) -> Modules | None:
        """Return a fill of everything in play, counts and all; without one, leave a node out and return None."""
        inside = self.in_play
        refutation, reason = None, self.meter.stop_reason()
        if reason is None:
            near = filling.modules()
            modules, _, reason = fill_everything(self.network, inside, filling.roots, near, self.meter)
            if modules is not None:
                return modules
        if reason is None:
            elements: list[Element] = [
                *local_elements(self.network, inside),
                *global_elements(self.network, only_most=True),
            ]
            refutation, _ = refute(self.network, np.flatnonzero(inside), elements, [], self.meter, minimal=True)
        node, refutation = _which(self.network, place, refutation)
        self._leave_out(node, refutation)
        filling.leave_out(node)
        return None

    def _refute_near(self, filling: Filling, place: int) -> Refutation | None:
        radius, before = 1, 0
        while True:
            nodes = self._window(filling, place, radius)
            refutation, reason = self.ladder.refute_window(nodes, minimal=True)
            if refutation is not None or reason is not None or len(nodes) == before:
                return refutation
            radius, before = 2 * radius, len(nodes)

    def _window(self, filling: Filling, place: int, radius: int) -> npt.NDArray[np.int64]:
        nodes = np.sort(filling.around(place, radius))
        return nodes[self.in_play[nodes]]

    def _leave_out(self, node: int, refutation: Refutation | None) -> None:
        self.in_play[node] = False
        self.left_out.append(LeftOut(node, refutation))

    def _tried_once_more(self, modules: Modules) -> Finding:
        """Fill left-out nodes after all, the last first, where something agrees with all that stands there now.

        A node may have been left out for a neighbour that was left out later. Taking one from the list keeps the proofs
        of the others: each is about nodes that were not left out before it.
        """
        modules = modules.copy()
        modules[[one.node for one in self.left_out]] = UNSOLVABLE
        kept = []
        for one in reversed(self.left_out):
            module = self._something_for(modules, one.node)
            if module < 0:
                kept.append(one)
            else:
                modules[one.node] = module
        return _finding(self.ladder, modules, kept[::-1])

    def _something_for(self, modules: Modules, node: int) -> int:
        network = self.network
        possible = agreeing_modules(network, modules, node)
        for bound in network.count_bounds:
            if bound.scope[node] and bound.held(modules) >= bound.most:
                possible &= ~bound.modules
        found = np.flatnonzero(possible)
        if len(found) == 0:
            return -1
        region = network.region_of[node]
        weights = network.weights[region, found] - network.tiers[region, found] * (1 << 40)
        return int(found[np.argmax(weights)])


def _which(network: Network, place: int, refutation: Refutation | None) -> tuple[int, Refutation | None]:
    """Return which node of a clash to leave out, and the clash with that node named in it.

    Picks are what the author wished for, so a node without a pick goes first: where it went wrong, else one in the
    middle. That it must be filled may be implied by its edges; saying so keeps the proof.
    """
    if refutation is None:
        return place, None
    named = [element[1] for element in refutation.elements if element[0] in ("node", "pick")]
    free = [node for node in refutation.nodes if node not in network.placement.picked]
    node = place if place in free else free[len(free) // 2] if free else place if place in named else named[0]
    if node in named:
        return node, refutation
    return node, replace(refutation, elements=(*refutation.elements, ("node", node)), minimal=False)


def _finding(ladder: Ladder, modules: Modules, left_out: list[LeftOut]) -> Finding:
    assert not (modules == UNSET).any()
    assert agree(ladder.network, modules)
    impossible = sum(one.refutation is not None for one in left_out)
    filled = int((modules >= 0).sum())
    stats: dict[str, Any] = {
        "solver": ladder.solver.name,
        "seed": ladder.task.seed,
        **ladder.stats,
        "filled": filled,
        "impossible": impossible,
        "over_budget": len(left_out) - impossible,
    }
    filling = ladder.task.filling
    if ladder.task.options.get("trace") and filling is not None:
        stats["order"] = filling.filled_at.tolist()
    certificate = make_certificate(
        "valency",
        "partial",
        Verdict.YES,
        "partial",
        modules=modules.tolist(),
        left_out=[one.as_json() for one in left_out],
    )
    open_nodes = int(ladder.network.cache.open_nodes.sum())
    text = f"Filled {filled:,} of {open_nodes:,} nodes"
    if left_out:
        text += f"; {impossible:,} proved impossible, {len(left_out) - impossible:,} left open"
    return Finding(Verdict.YES, certificate, because=text + ".", stats=stats)
