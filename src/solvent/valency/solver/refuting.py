"""Prove that some nodes cannot all be filled, and find the few elements that clash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.engine.incremental import IncrementalSat, minimal_core
from solvent.engine.sat import SatSolver
from solvent.proof.trimming import trim_refutation
from solvent.valency.solver.clash_elements import Element, as_json, element_nodes
from solvent.valency.solver.formula import Cut, Formula
from solvent.valency.solver.joins import broken_joins
from solvent.valency.solver.network import Network

LONGEST_UNTRIMMED_PROOF = 20_000
"""Characters of a proof beyond which it is worth leaving out what it does not need."""


class Refutation(Struct, frozen=True):
    """Hold a proof that elements clash."""

    nodes: tuple[int, ...]
    elements: tuple[Element, ...]
    cuts: tuple[Cut, ...]
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
        return {**body, "cuts": [cut.as_json() for cut in self.cuts]} if self.cuts else body


def refute(
    network: Network,
    nodes: npt.NDArray[np.int64],
    elements: Sequence[Element],
    cuts: Sequence[Cut],
    meter: Meter,
    *,
    minimal: bool,
) -> tuple[Refutation | None, Reason | None]:
    """Refute elements over some nodes that are thought to clash.

    Without a reason and without a refutation they do not clash. With `minimal` the clash is narrowed down first, as
    far as the budget allows.
    """
    core: Sequence[Element] = elements
    proved_minimal = False
    if minimal:
        found, cuts, narrowing = narrow(network, nodes, elements, list(cuts), meter)
        if found is None and narrowing is None:
            return None, None
        if found is not None:
            core, proved_minimal = found, narrowing is None
    if not any(element[0] == "constraint" and _is_join(network, element[1]) for element in core):
        cuts = []
        nodes = _nodes_that_matter(network, nodes, core)
    kept = {element[1] for element in core if element[0] == "constraint"}
    cuts = [cut for cut in cuts if cut.constraint in kept]
    formula = Formula(network, nodes, placeable(network, nodes))
    formula.add(core)
    for cut in cuts:
        formula.add_cut(cut)
    clauses = formula.clauses()
    with SatSolver(clauses, with_proof=True) as solver:
        verdict, reason = solver.solve(meter)
        if verdict is not False:
            return None, reason
        proof = solver.proof()
    if len(proof) > LONGEST_UNTRIMMED_PROOF:
        proof = trim_refutation(clauses, proof)
    return Refutation(tuple(nodes.tolist()), tuple(core), tuple(cuts), proof, proved_minimal), None


def narrow(
    network: Network, nodes: npt.NDArray[np.int64], elements: Sequence[Element], cuts: list[Cut], meter: Meter
) -> tuple[list[Element] | None, list[Cut], Reason | None]:
    """Return elements that clash, with nothing to spare, and the cuts that takes; None if they do not clash at all.

    With a reason the budget ended it, and what is returned may have something to spare, or be None if nothing is known.
    """
    formula = Formula(network, nodes, placeable(network, nodes))
    guards = dict(zip(elements, formula.new_variables(len(elements)).tolist(), strict=True))
    by_guard = {guard: element for element, guard in guards.items()}
    formula.add(elements, guards=guards)
    for cut in cuts:
        formula.add_cut(cut, guards["constraint", cut.constraint])
    with IncrementalSat() as solver:
        reason = solver.add(formula.clauses(), meter)
        if reason is not None:
            return None, cuts, reason

        def refine(assumed: list[int]) -> bool:
            """Add the cuts that the model breaks: there are too many to list them all beforehand."""
            nonlocal cuts
            missing = _missing_cuts(network, formula, solver, [by_guard[guard] for guard in assumed])
            for cut in missing:
                formula.add_cut(cut, guards["constraint", cut.constraint])
            for clause in formula.clauses():
                solver.add_clause(clause)
            cuts = [*cuts, *missing]
            return bool(missing)

        assumed = list(by_guard)
        while True:
            verdict, reason = solver.solve(meter, assumed)
            if reason is not None:
                return None, cuts, reason
            if verdict is False:
                break
            if not refine(assumed):
                return None, cuts, None
        core, reason = minimal_core(solver, solver.core(), meter, refine if network.joins else None)
        return [by_guard[guard] for guard in sorted(core)], cuts, reason


def _missing_cuts(network: Network, formula: Formula, solver: IncrementalSat, elements: list[Element]) -> list[Cut]:
    """Return cuts of the joins among the elements that the solver's last model breaks."""
    wanted = {element[1] for element in elements if element[0] == "constraint"}
    modules = np.full(network.nodes, -1, dtype=np.int64)
    modules[formula.nodes] = formula.modules_of(solver.model(formula.variables))
    return [cut for cut in broken_joins(network, modules) if cut.constraint in wanted]


def placeable(network: Network, nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return what may stand on each node before anyone looks at neighbours, whether it is picked or not."""
    placement = network.placement
    allowed: npt.NDArray[np.bool_] = placement.free[placement.class_of[nodes]]
    for index, node in enumerate(nodes.tolist()):
        if node in placement.picked:
            allowed[index, list(placement.picked[node])] = True
    return allowed


def _nodes_that_matter(
    network: Network, nodes: npt.NDArray[np.int64], core: Sequence[Element]
) -> npt.NDArray[np.int64]:
    """Return the nodes over which a clash without joins is still one: those it names.

    A node outside is free to serve a lower bound. Beside another count it would not be free: that may forbid it, or
    want it for something else. So with several counts, every node that could serve a lower bound stays in.
    """
    named = {node for element in core for node in element_nodes(network, element)}
    counts = [element for element in core if element[0] in ("least", "most", "constraint")]
    if len(counts) > 1:
        may = placeable(network, nodes)
        for bound in network.count_bounds:
            if bound.least > 0 and any(element in core and element[0] != "most" for element in bound.element):
                named.update(nodes[may[:, bound.modules].any(axis=1)].tolist())
    return np.array(sorted(named), dtype=np.int64)


def _is_join(network: Network, number: int) -> bool:
    return any(number == known for known, _ in network.joins)
