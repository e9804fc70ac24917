"""Fill what can be filled, and leave out what cannot: some nodes proved impossible, others over budget.

A node is proved impossible by a set of nodes, itself among them and no node that was left out before, which cannot all
be filled whatever stands around them. Minimum counts and what must hang together are not asked for here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.proof.certificate import make_certificate
from solvent.valency.model import UNSET, UNSOLVABLE
from solvent.valency.slices import as_list, copy_of, slices, where_true
from solvent.valency.solver.clash_elements import global_elements, local_elements
from solvent.valency.solver.collapse_kernel import FILLED, OUT_OF_BOUNDS
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.ladder import FIRST_WINDOW, Ladder, Outcome, agree
from solvent.valency.solver.network import CountBound, Network, Words, agreeing_modules
from solvent.valency.solver.node_sets import NodeSet
from solvent.valency.solver.refuting import Refutation, refute
from solvent.valency.solver.task import Modules, empty_what_disagrees
from solvent.valency.solver.windows import fill_everything, try_window

MAX_CLIMBS = 12
"""How often everything that is left is tried as a whole before contradictions are settled one by one."""
FOR_CLIMBING, FOR_FILLING, FOR_PROOFS = 0.5, 0.75, 0.5
"""How much of what may be spent goes to trying everything as a whole; then, of what is left, how much to filling what
can be filled, and how much of that to proofs. The rest is for writing and checking the certificate."""

MANY = 0.05
"""The share of nodes left out from which on the likely cause is said."""


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
    return _finding_of_draft(ladder, modules, [])


def without_minimums(network: Network) -> Network:
    """Return the network with upper bounds alone."""
    count_bounds: list[CountBound] = []
    for bound in network.count_bounds:
        if bound.most < network.nodes:
            elements = tuple(element for element in bound.element if element[0] != "least")
            count_bounds.append(replace(bound, least=0, element=elements))
    limits = tuple(limit for limit in network.limits if limit.forbids_only)
    return replace(network, count_bounds=tuple(count_bounds), joins=(), limits=limits, only_most=True)


def _empty_what_is_too_many(network: Network, modules: Modules, meter: Meter) -> None:
    """Empty nodes, last first, until no upper bound is broken: a solver that gives up may not look at them."""
    for bound in network.count_bounds:
        seen = 0
        for part in slices(len(modules), meter):
            held = np.flatnonzero(bound.scope[part] & (modules[part] >= 0))
            held = held[bound.modules[modules[part][held]]]
            modules[part][held[max(0, bound.most - seen) :]] = UNSOLVABLE
            seen += len(held)


def _empty_what_is_forbidden(network: Network, modules: Modules, meter: Meter) -> None:
    """Empty a node of each place where a constraint is broken, until none is."""
    for limit in network.limits:
        while wrong := limit.broken(modules, meter):
            meter.checkpoint()
            modules[wrong[-1]] = UNSOLVABLE


class _Parting:
    """Hold one search for a fill that leaves out as little as it has to."""

    def __init__(self, ladder: Ladder) -> None:
        self.ladder = ladder
        self.network = ladder.network
        self.meter = ladder.meter
        self.left_out: list[LeftOut] = []
        self.in_play = self.network.cache.open_nodes.copy()

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
        modules = self.ladder.fill()
        if self.ladder.task.reason is not None:
            return Finding(Verdict.UNKNOWN, reason=self.ladder.task.reason)
        return self._finish(modules)

    def _finish(self, modules: Modules) -> Finding:
        """Settle one contradiction after the other until everything in play is filled.

        Half of what may still be spent is for proofs, and some is kept for writing and checking the certificate. What
        is not filled by then stays open.
        """
        task, finishing = self.ladder.task, self.meter.part(fraction=FOR_FILLING)
        self.ladder.meter = finishing.part(fraction=FOR_PROOFS)
        filling = self.ladder.filling_of(modules)
        status, reason = task.status, None
        if status is None:  # a registered solver: go on from what it gave
            status, reason = filling.run(finishing, watch=task.watch)
        while status != FILLED and reason is None:
            if status == OUT_OF_BOUNDS:
                held = where_true(filling.held_for(filling.place) & self.in_play, finishing)
                done = self._settle(filling, int(held[-1]), self._decide_everything)
            else:
                done = self._settle(filling, filling.place, self._resolve)
            if done is not None:
                return self._tried_once_more(done)
            status, reason = filling.run(finishing, watch=task.watch)
        if reason is None:
            return self._tried_once_more(filling.modules(self.meter))
        if reason.cause not in (Cause.TIME, Cause.NODES):
            return Finding(Verdict.UNKNOWN, reason=reason)
        return _finding_of_draft(self.ladder, filling.modules(self.meter), self.left_out)

    def _settle(self, filling: Filling, place: int, settle: Callable[[Filling, int], Modules | None]) -> Modules | None:
        """Settle a contradiction at a place, or leave the place out if there is not enough left to spend on that."""
        try:
            return settle(filling, place)
        except LimitReached:
            self.meter.checkpoint()  # if that was the limit of the whole, it is over
            self._leave_out(place, None)
            filling.leave_out(place, self.meter)
            return None

    def _climb(self) -> Outcome:
        """Fill all that is in play by the whole ladder, with half of what may be spent."""
        in_play = replace(self.network.cache, open_nodes=self.in_play.copy())
        domains = self._domains_in_play()
        count_bounds = tuple(replace(bound, scope=bound.scope & self.in_play) for bound in self.network.count_bounds)
        network = replace(self.network, cache=in_play, domains=domains, count_bounds=count_bounds)
        ours = self.ladder
        part = self.meter.part(fraction=FOR_CLIMBING)
        task = replace(ours.task, network=network, roots=domains, meter=part, filling=None, status=None, reason=None)
        ladder = Ladder(network, task, ours.solver, windows=ours.windows, minimal=True)
        outcome = ladder.climb()
        ours.stats.update(ladder.stats)
        if outcome.modules is not None:
            ours.task.filling = task.filling  # it knows in which order nodes were filled
        return outcome

    def _domains_in_play(self) -> Words:
        """Return what may stand on each node; nothing on those that were left out."""
        domains = np.empty_like(self.network.domains)
        for part in slices(len(domains), self.meter, width=self.network.words):
            domains[part] = self.network.domains[part]
            domains[part][~self.in_play[part]] = 0
        return domains

    def _prepare_roots(self) -> Reason | None:
        """Leave out nodes until drawing all consequences leaves every other node with something."""
        network = self.network
        roots = self._domains_in_play()
        while True:
            filling = Filling.without_choices(network, roots, self.meter)
            place = filling.find_empty(self.in_play, self.meter)
            if place < 0:
                filling.look_at_all(self.meter)
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
        meter = self.ladder.meter
        radius, before = FIRST_WINDOW, 0
        while meter.stop_reason() is None:
            nodes = self._window(filling, place, radius)
            window = try_window(self.network, nodes, filling.roots, filling.settled, meter)
            if window.modules is not None:
                filling.impose(nodes, window.modules)
                filling.failures[nodes] = 0
                return None
            window = try_window(self.network, nodes, self.network.domains, None, meter)
            reason = window.reason
            if window.refuted:
                refutation, reason = self.ladder.refute_window(nodes, minimal=True)
                if refutation is not None:
                    node, refutation = _which(self.network, place, refutation)
                    self._leave_out(node, refutation)
                    filling.leave_out(node, self.meter)
                    return None
            if reason is not None or len(nodes) == before:
                break
            radius, before = radius + radius // 2, len(nodes)
        return self._decide_everything(filling, place)

    def _decide_everything(self, filling: Filling, place: int) -> Modules | None:
        """Return a fill of everything in play, counts and all; without one, leave a node out and return None."""
        meter = self.ladder.meter
        refutation, reason = None, meter.stop_reason()
        if reason is None:
            near = filling.modules(meter)
            modules, _, reason = fill_everything(self.network, self.in_play, filling.roots, near, meter)
            if modules is not None:
                return modules
        if reason is None:
            inside = NodeSet(self.network, where_true(self.in_play, meter), meter)
            elements = local_elements(self.network, inside, meter)
            elements = elements.and_others(global_elements(self.network, only_most=True), meter)
            refutation, _ = refute(self.network, inside, elements, [], meter, minimal=True)
        node, refutation = _which(self.network, place, refutation)
        self._leave_out(node, refutation)
        filling.leave_out(node, self.meter)
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
        modules = copy_of(modules, self.meter)
        for one in self.left_out:
            modules[one.node] = UNSOLVABLE
        if any(limit.broken(modules, self.meter) for limit in self.network.limits):
            return _finding_of_draft(self.ladder, modules, self.left_out)
        counts = [bound.held(modules, self.meter) for bound in self.network.count_bounds] if self.left_out else []
        kept = []
        for one in self.meter.each(reversed(self.left_out), every=100):
            module = self._something_for(modules, one.node, counts)
            if module < 0:
                kept.append(one)
                continue
            modules[one.node] = module
            for number, bound in enumerate(self.network.count_bounds):
                counts[number] += int(bound.scope[one.node] and bound.modules[module])
        return _finding(self.ladder, modules, [one.as_json() for one in reversed(kept)])

    def _something_for(self, modules: Modules, node: int, counts: list[int]) -> int:
        network = self.network
        possible = agreeing_modules(network, modules, node)
        for bound, count in zip(network.count_bounds, counts, strict=True):
            if bound.scope[node] and count >= bound.most:
                possible &= ~bound.modules
        found = np.flatnonzero(possible)
        if network.limits:
            found = np.array(
                [module for module in found.tolist() if self._keeps_limits(modules, node, module)], np.int64
            )
        if len(found) == 0:
            return -1
        region = network.region_of[node]
        weights = network.weights[region, found] - network.tiers[region, found] * (1 << 40)
        return int(found[np.argmax(weights)])

    def _keeps_limits(self, modules: Modules, node: int, module: int) -> bool:
        """Tell whether no constraint of another kind is broken by a module on a node that was left out."""
        modules[node] = module
        kept = not any(limit.broken(modules, self.meter) for limit in self.network.limits)
        modules[node] = UNSOLVABLE
        return kept


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


def _finding_of_draft(ladder: Ladder, modules: Modules, left_out: list[LeftOut]) -> Finding:
    """Leave out, without a proof, what is not filled, does not agree or is too much."""
    meter = ladder.task.meter
    empty_what_disagrees(ladder.network, modules, meter)
    _empty_what_is_too_many(ladder.network, modules, meter)
    _empty_what_is_forbidden(ladder.network, modules, meter)
    proved = [one for one in left_out if modules[one.node] == UNSOLVABLE]
    listed = [one.as_json() for one in proved]
    known = {one.node for one in proved}
    for part in slices(len(modules), meter):
        for node in (part.start + np.flatnonzero(modules[part] == UNSOLVABLE)).tolist():
            if node not in known:
                listed.append({"node": node})
    return _finding(ladder, modules, listed)


def _finding(ladder: Ladder, modules: Modules, left_out: list[dict[str, Any]]) -> Finding:
    meter, network = ladder.task.meter, ladder.network
    assert not any((modules[part] == UNSET).any() for part in slices(len(modules), meter))
    assert agree(network, modules, meter)
    impossible = sum("proof" in one for one in left_out)
    open_nodes = int(np.count_nonzero(network.cache.open_nodes))
    filled = open_nodes - len(left_out)
    stats: dict[str, Any] = {
        "solver": ladder.solver.name,
        "seed": ladder.task.seed,
        **ladder.stats,
        "nodes": meter.nodes,
        "filled": filled,
        "impossible": impossible,
        "over_budget": len(left_out) - impossible,
    }
    filling = ladder.task.filling
    if ladder.task.options.get("trace") and filling is not None:
        stats["order"] = as_list(filling.filled_at, meter)
    certificate = make_certificate(
        "valency", "partial", Verdict.YES, "partial", modules=as_list(modules, meter), left_out=left_out
    )
    text = f"Filled {filled:,} of {open_nodes:,} nodes"
    if left_out:
        text += f"; {impossible:,} proved impossible, {len(left_out) - impossible:,} left open"
    text += "."
    if len(left_out) > MANY * open_nodes:
        text += (
            f" That leaves out {100 * len(left_out) / open_nodes:.0f} %: {_likely_cause(ladder, left_out, impossible)}."
        )
    return Finding(Verdict.YES, certificate, because=text, stats=stats)


def _likely_cause(ladder: Ladder, left_out: list[dict[str, Any]], impossible: int) -> str:
    """Say what most nodes that are left out have in common."""
    if getattr(ladder.solver, "gives_up", False):
        return f"the solver {ladder.solver.name!r} never goes back; another one fills more"
    if 2 * impossible <= len(left_out):
        return "the search was cut short; with a larger budget it may fill more"
    placement = ladder.network.placement
    nothing = [one["node"] for one in left_out if not placement.free[placement.class_of[one["node"]]].any()]
    if 2 * len(nothing) > len(left_out):
        from solvent.valency.phrases import Phrases

        phrases = Phrases(ladder.network.staging, ladder.network.cache, placement)
        return f"no module fits {phrases.nodes(nothing, 3)}; {phrases.module_to_add(nothing[0])}"
    picked = sum(any("pick" in element for element in one.get("elements", ())) for one in left_out)
    if 2 * picked > len(left_out):
        return "most of these nodes cannot be filled beside the picks near them"
    return "the rules allow too few modules side by side; 'solvent explain' says which clash"
