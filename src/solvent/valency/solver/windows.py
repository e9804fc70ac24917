"""Fill some nodes at once with a CDCL solver, the others staying as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine import driver
from solvent.engine.incremental import IncrementalSat
from solvent.valency.slices import as_list, copy_of, distinct, running_total, slices, where_true
from solvent.valency.solver.clash_elements import global_elements, local_elements
from solvent.valency.solver.filling import FIRST_CHUNK, count_modules
from solvent.valency.solver.formula import Consequence
from solvent.valency.solver.joins import broken_consequences
from solvent.valency.solver.network import Network, Words, put_modules, unpack
from solvent.valency.solver.network_kernel import Arcs, Regions
from solvent.valency.solver.node_sets import NodeSet
from solvent.valency.solver.propagate_kernel import Fill
from solvent.valency.solver.search_formula import SearchFormula

Modules = npt.NDArray[np.int64]
Settled = npt.NDArray[np.integer[Any]] | None
"""The module on each node, negative where there is none; None if there is none anywhere."""

LEAST_CONFLICTS, CONFLICTS_A_NODE = 200, 4
"""How hard to try one window before a larger one is tried: at least, and for each of its nodes."""
MEGABYTES_A_LITERAL = 24 / (1 << 20)
"""What a literal of the formula costs in memory, about: in our arrays, and in the solver."""


class Window(Struct, frozen=True):
    """Hold what became of a window."""

    modules: Modules | None
    """A fill of its nodes, if one was found."""
    reason: Reason | None
    """Why the budget ended it, if it did."""
    effort: int
    """How large its formula was, in literals."""
    hard: bool = False
    """Whether it was given up because it proved hard."""

    @property
    def refuted(self) -> bool:
        """Tell whether there is no fill."""
        return self.modules is None and self.reason is None and not self.hard


def window_allowances(
    network: Network, inside: NodeSet, roots: Words, settled: Settled, meter: Meter
) -> npt.NDArray[np.bool_] | Reason:
    """Return what may stand on each node of a window beside what is settled around it, all consequences drawn.

    The window and what is settled around it are a small network of their own; nothing else is looked at. If the budget
    ends it, the reason is returned.
    """
    meter.require_memory(len(inside) * network.modules / 1e6, f"a window of {len(inside):,} nodes")
    nodes = inside.nodes
    around = _settled_around(network, inside, settled, meter)
    members = NodeSet(network, distinct(np.concatenate([nodes, around]), meter), meter)
    domains = np.zeros((len(members), network.words), dtype=np.uint64)
    domains[members.places(nodes)] = roots[nodes]
    if settled is not None:
        put_modules(domains, members.places(around), settled[around].astype(np.int64))
    fill = _small_fill(network, members, domains, meter)
    failed = -1

    def step(limit: int) -> tuple[int, int]:
        nonlocal failed
        failed = fill.draw_consequences(limit)
        return int(failed >= 0 or fill.queue_length == 0), fill.work

    _, reason = driver.drive(step, meter, first_chunk=FIRST_CHUNK)
    if reason is not None:
        return reason
    if failed >= 0:
        return np.zeros((len(nodes), network.modules), dtype=np.bool_)
    allowed = np.empty((len(nodes), network.modules), dtype=np.bool_)
    places = members.places(nodes)
    for part in slices(len(nodes), meter, width=network.modules):
        allowed[part] = unpack(domains[places[part]], network.modules)
    return allowed


def _settled_around(network: Network, inside: NodeSet, settled: Settled, meter: Meter) -> npt.NDArray[np.int64]:
    """Return the nodes beside a window on which something is settled."""
    found = [np.zeros(0, dtype=np.int64)]
    if settled is not None:
        for part in slices(len(inside), meter, width=1 + len(network.arc_target) // max(1, network.nodes)):
            _, arcs = NodeSet(network, inside.nodes[part], meter).arcs()
            beside = distinct(network.arc_target[arcs].astype(np.int64))
            beside = beside[settled[beside] >= 0]
            found.append(beside[~inside.has(beside)])
    return distinct(np.concatenate(found), meter)


def _small_fill(network: Network, members: NodeSet, domains: Words, meter: Meter) -> Fill:
    """Return what draws consequences in the network that some nodes are by themselves."""
    count = len(members)
    targets, kinds = [np.zeros(0, dtype=np.int32)], [np.zeros(0, dtype=np.int32)]
    degrees = np.zeros(count, dtype=np.int64)
    for part in slices(count, meter, width=1 + len(network.arc_target) // max(1, network.nodes)):
        which, arcs = NodeSet(network, members.nodes[part], meter).arcs()
        places = members.places(network.arc_target[arcs])
        kept = places >= 0
        targets.append(places[kept].astype(np.int32))
        kinds.append(network.arc_kind[arcs[kept]])
        degrees[part] = np.bincount(which[kept], minlength=part.stop - part.start)
    start = running_total(degrees, meter)
    target, kind = np.concatenate(targets), np.concatenate(kinds)
    arcs_here = Arcs(start.data, start[1:].data, target.data, kind.data, network.support.data, network.against.data)
    regions = Regions(
        np.zeros(count, dtype=np.int32).data, network.weights[:1].data, np.ones(1).data, network.tiers[:1].data
    )
    fill = Fill(
        arcs_here,
        regions,
        domains.data,
        count_modules(domains, meter).data,
        np.full(count, -1, dtype=np.int32).data,
        np.zeros(count, dtype=np.int32).data,
        np.zeros((1, network.modules + 1), dtype=np.int64).data,
    )
    for part in slices(count, meter):
        fill.look_at(np.arange(part.start, part.stop).data)
    return fill


def try_window(network: Network, nodes: npt.NDArray[np.int64], roots: Words, settled: Settled, meter: Meter) -> Window:
    """Look for modules for the nodes, sorted, that agree with each other and with what is settled around them.

    Counts and what must hang together are not looked at. It gives up when that proves hard: a larger window leaves more
    room and is often easier, so there is no point in being stubborn about this one.
    """
    inside = NodeSet(network, nodes, meter)
    allowed = window_allowances(network, inside, roots, settled, meter)
    if isinstance(allowed, Reason):
        return Window(None, allowed, 0)
    if not all(allowed[part].any(axis=1).all() for part in slices(len(nodes), meter, width=network.modules)):
        return Window(None, None, allowed.size)
    formula = SearchFormula(network, inside, allowed, meter)
    formula.add(local_elements(network, inside, meter))
    clauses = formula.clauses()
    effort = len(clauses.literals)
    part = meter.part(nodes=max(LEAST_CONFLICTS, CONFLICTS_A_NODE * len(nodes)))
    with IncrementalSat() as solver:
        reason = solver.add(clauses, part)
        if reason is None:
            verdict, reason = solver.solve(part)
        if reason is None and verdict:
            return Window(formula.modules_of(solver.model(formula.variables)), None, effort)
    window = Window(None, reason, effort)
    if reason is not None and meter.stop_reason() is None:
        return replace(window, reason=None, hard=True)
    return window


def fill_everything(
    network: Network,
    inside: npt.NDArray[np.bool_],
    roots: Words,
    near: Modules,
    meter: Meter,
    *,
    bring_in_order: Callable[[Modules], Modules | None] | None = None,
    listen: Listener = ignore,
) -> tuple[Modules | None, list[Consequence], Reason | None]:
    """Return a fill of all nodes inside by CDCL, as much like `near` as the solver likes.

    With it come the cuts and circles that it took. None without a reason: there is no fill at all. What still breaks
    some is handed to `bring_in_order` now and then, more and more seldom, which returns a fill if it makes one.
    """
    rounds = 0
    found_broken: list[Consequence] = []
    reason = _memory_reason(network, meter)
    if reason is not None:
        return None, found_broken, reason
    members = NodeSet(network, where_true(inside, meter), meter)
    nodes = members.nodes
    allowed = np.empty((len(nodes), network.modules), dtype=np.bool_)
    for part in slices(len(nodes), meter, width=network.modules):
        allowed[part] = unpack(roots[nodes[part]], network.modules)
    formula = SearchFormula(network, members, allowed, meter)
    formula.add(local_elements(network, members, meter).and_others(global_elements(network), meter))
    for limit in network.limits:
        found_broken += limit.likely_consequences(formula)
    for one in found_broken:
        formula.add_consequence(one)
    with IncrementalSat() as solver:
        reason = solver.add(formula.clauses(), meter)
        if reason is not None:
            return None, found_broken, reason
        preferred = []
        for part in slices(len(nodes), meter):
            held = near[nodes[part]]
            known = np.flatnonzero(held >= 0)
            preferred.append(formula.holds(part.start + known, held[known]))
        solver.prefer(as_list(np.concatenate([np.zeros(0, dtype=np.int64), *preferred]), meter))
        while True:
            verdict, reason = solver.solve(meter)
            if reason is not None or not verdict:
                return None, found_broken, reason
            modules = copy_of(near, meter)
            found = formula.modules_of(solver.model(formula.variables))
            for part in slices(len(nodes), meter):
                modules[nodes[part]] = found[part]
            missing = broken_consequences(network, modules, meter)
            if not missing:
                return modules, found_broken, None
            rounds += 1
            if bring_in_order is not None and rounds.bit_count() == 1:
                ordered = bring_in_order(modules)
                if ordered is not None:
                    return ordered, found_broken, None
            found_broken += missing
            for one in missing:
                formula.add_consequence(one)
            for clause in formula.clauses():
                solver.add_clause(clause)
            listen(Event(Kind.PROGRESS, f"connecting what must be connected ({len(found_broken)} cuts)", meter.nodes))


def _memory_reason(network: Network, meter: Meter) -> Reason | None:
    """Return why the formula would be too large, or None."""
    density = _density(network, meter)
    literals = len(network.arc_target) * network.modules * (1 + density * network.modules)
    literals += network.nodes * network.modules * 2 * max(1, (network.modules - 1).bit_length())
    for bound in network.count_bounds:
        literals += 6 * bound.scope.sum() * (bound.least + (bound.most if bound.most < network.nodes else 0))
    return meter.memory_reason(literals * MEGABYTES_A_LITERAL, "the formula of the whole cluster")


def _density(network: Network, meter: Meter) -> float:
    """Return for how many pairs of modules out of all they agree along an arc, on average over the kinds."""
    agreeing = 0
    for table in network.agreements:
        for part in slices(len(table), meter, width=len(table)):
            agreeing += int(np.count_nonzero(table[part]))
    return agreeing / network.agreements.size if network.agreements.size else 0.0
