"""Prove that some nodes cannot all be filled, and find the few elements that clash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.engine.incremental import IncrementalSat, minimal_core
from solvent.engine.sat import SatSolver
from solvent.proof.trimming import trim_refutation
from solvent.valency.slices import as_list, distinct, full, slices
from solvent.valency.solver.clash_elements import (
    APART,
    CONSTRAINT,
    EDGE,
    LEAST,
    PICK,
    Element,
    Elements,
    as_json,
)
from solvent.valency.solver.constraints.even import Even
from solvent.valency.solver.formula import Consequence, Cut, Formula
from solvent.valency.solver.joins import broken_consequences
from solvent.valency.solver.network import Network
from solvent.valency.solver.node_sets import NodeSet

NARROWING = 0.6
"""The share of the budget that is left which narrowing a clash down may take."""
LONGEST_UNTRIMMED_PROOF = 20_000
"""Characters of a proof beyond which it is worth leaving out what it does not need."""


class Refutation(Struct, frozen=True):
    """Hold a proof that elements clash."""

    nodes: tuple[int, ...]
    elements: tuple[Element, ...]
    consequences: tuple[Consequence, ...]
    """The cuts and circles that the proof may use."""
    proof: str
    minimal: bool
    """Whether leaving out any one element makes the others agree."""

    def as_json(self) -> dict[str, Any]:
        """Return it as the body of a certificate."""
        body: dict[str, Any] = {
            "nodes": list(self.nodes),
            "elements": [as_json(element) for element in self.elements],
            "proof": self.proof,
            "minimal": self.minimal,
        }
        for key, is_cut in (("cuts", True), ("cycles", False)):
            listed = [one.as_json() for one in self.consequences if isinstance(one, Cut) == is_cut]
            if listed:
                body[key] = listed
        return body


def refute(
    network: Network,
    inside: NodeSet,
    elements: Elements,
    consequences: Sequence[Consequence],
    meter: Meter,
    *,
    minimal: bool,
) -> tuple[Refutation | None, Reason | None]:
    """Refute elements over some nodes that are thought to clash.

    Without a reason and without a refutation they do not clash. With `minimal` the clash is narrowed down first, as
    far as the budget allows.
    """
    core = elements
    proved_minimal = False
    if minimal:
        found, consequences, narrowing = _narrow_in_time(network, inside, elements, list(consequences), meter)
        if found is None and narrowing is None:
            return None, None
        if found is not None:
            core, proved_minimal = found, narrowing is None
    kept = set(core.rows[core.rows[:, 0] == CONSTRAINT, 1].tolist())
    if not any(_is_join(network, number) for number in kept):
        inside = NodeSet(network, _nodes_that_matter(network, inside.nodes, core, meter), meter)
    used = [one for one in consequences if one.constraint in kept and _lies_within(inside, one)]
    formula = Formula(network, inside, placeable(network, inside.nodes, meter), meter)
    formula.add(core)
    for one in used:
        formula.add_consequence(one)
    clauses = formula.clauses()
    with SatSolver(clauses, with_proof=True) as solver:
        verdict, reason = solver.solve(meter)
        if verdict is not False:
            return None, reason
        proof = solver.proof()
    if len(proof) > LONGEST_UNTRIMMED_PROOF:
        proof = trim_refutation(clauses, proof, meter)
    return Refutation(tuple(inside.nodes.tolist()), tuple(meter.each(core)), tuple(used), proof, proved_minimal), None


def _narrow_in_time(
    network: Network, inside: NodeSet, elements: Elements, known: list[Consequence], meter: Meter
) -> tuple[Elements | None, list[Consequence], Reason | None]:
    """Narrow a clash down, and leave enough of the budget to prove it, however far that came."""
    part = meter.part(fraction=NARROWING)
    try:
        return narrow(network, inside, elements, known, part)
    except LimitReached as limit:
        if meter.stop_reason() is not None:
            raise
        return None, known, limit.reason


def narrow(
    network: Network, inside: NodeSet, elements: Elements, known: list[Consequence], meter: Meter
) -> tuple[Elements | None, list[Consequence], Reason | None]:
    """Return elements that clash, with nothing to spare, and the cuts and circles that takes.

    None if they do not clash at all. With a reason the budget ended it, and what is returned may have something to
    spare, or be None if nothing is known.
    """
    formula = Formula(network, inside, placeable(network, inside.nodes, meter), meter)
    first = formula.rows.new_variables(len(elements))
    guards = np.arange(first, first + len(elements))
    guard_of = {
        int(elements.rows[place, 1]): first + place
        for place in np.flatnonzero(elements.rows[:, 0] == CONSTRAINT).tolist()
    }
    formula.add(elements, guards=guards)
    for one in known:
        formula.add_consequence(one, guard_of[one.constraint])
    with IncrementalSat() as solver:
        reason = solver.add(formula.clauses(), meter)
        if reason is not None:
            return None, known, reason

        def refine(assumed: list[int]) -> bool:
            """Add the cuts and circles that the model breaks: there are too many to list them all beforehand."""
            nonlocal known
            among = set(assumed)
            wanted = {number for number, guard in guard_of.items() if guard in among}
            missing = _missing(network, formula, solver, wanted)
            for one in missing:
                formula.add_consequence(one, guard_of[one.constraint])
            for clause in formula.clauses():
                solver.add_clause(clause)
            known = [*known, *missing]
            return bool(missing)

        assumed = as_list(guards, meter)
        while True:
            verdict, reason = solver.solve(meter, assumed)
            if reason is not None:
                return None, known, reason
            if verdict is False:
                break
            if not refine(assumed):
                return None, known, None
        core, reason = minimal_core(solver, solver.core(), meter, refine if network.joins or network.limits else None)
        return elements.chosen([guard - first for guard in sorted(core)]), known, reason


def _missing(network: Network, formula: Formula, solver: IncrementalSat, wanted: set[int]) -> list[Consequence]:
    """Return cuts and circles of some constraints that the solver's last model breaks."""
    modules = full(network.nodes, -1, np.int64, formula.meter)
    modules[formula.nodes] = formula.modules_of(solver.model(formula.variables))
    return [one for one in broken_consequences(network, modules, formula.meter) if one.constraint in wanted]


def _lies_within(inside: NodeSet, consequence: Consequence) -> bool:
    """Tell whether nodes have all of a circle; with cuts, all nodes are kept."""
    if isinstance(consequence, Cut):
        return True
    return all(bool(inside.has(nodes).all()) for nodes, _ in consequence.edges.sides())


def placeable(network: Network, nodes: npt.NDArray[np.int64], meter: Meter = UNLIMITED) -> npt.NDArray[np.bool_]:
    """Return what may stand on each node before anyone looks at neighbours, whether it is picked or not."""
    placement = network.placement
    meter.require_memory(len(nodes) * network.modules / 1e6, f"what may stand on {len(nodes):,} nodes")
    picked = placement.picked.truths(network.modules)
    allowed = np.empty((len(nodes), network.modules), dtype=np.bool_)
    for part in slices(len(nodes), meter, width=network.modules):
        some = nodes[part]
        allowed[part] = placement.free[placement.class_of[some]] | picked[placement.picked.meaning_of[some]]
    return allowed


def _nodes_that_matter(
    network: Network, nodes: npt.NDArray[np.int64], core: Elements, meter: Meter
) -> npt.NDArray[np.int64]:
    """Return the nodes over which a clash without joins is still one: those it names.

    A node outside is free to serve a lower bound. Beside another count it would not be free: that may forbid it, or
    want it for something else. So with several counts, every node that could serve a lower bound stays in.
    """
    named = [np.zeros(0, dtype=np.int64)]
    for part in slices(len(core), meter):
        named.append(_named_nodes(network, core.rows[part]))
    counts = {core[place] for place in np.flatnonzero(core.rows[:, 0] >= LEAST).tolist()}
    if len(counts) > 1:
        may = placeable(network, nodes, meter)
        for bound in network.count_bounds:
            if bound.least > 0 and any(element in counts and element[0] != "most" for element in bound.element):
                meter.checkpoint()
                named.append(nodes[may[:, bound.modules].any(axis=1)])
    for limit in network.limits:
        if isinstance(limit, Even) and ("constraint", limit.number) in counts:  # whatever may count must be known
            meter.checkpoint()
            may = placeable(network, nodes, meter)
            named.append(nodes[may[:, limit.modules].any(axis=1) & limit.scope[nodes]])
    return distinct(np.concatenate(named), meter)


def _named_nodes(network: Network, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the nodes that elements name."""
    kinds = rows[:, 0]
    named = [rows[kinds <= PICK, 1], rows[kinds == EDGE, 2], rows[kinds == APART, 2], rows[kinds == APART, 3]]
    for layer, table in enumerate(network.cache.neighbours):
        edges = rows[(kinds == EDGE) & (rows[:, 1] == layer)]
        named.append(table[edges[:, 2], edges[:, 3]])
    return distinct(np.concatenate(named)).astype(np.int64)


def _is_join(network: Network, number: int) -> bool:
    return any(number == known for known, _ in network.joins)
