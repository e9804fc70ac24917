"""Check a fill with nodes left out, and the proofs that some of them had to be."""

from __future__ import annotations

import numpy as np
from msgspec import UNSET

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.assignment import misheld_nodes
from solvent.valency.checker.certificate_schema import LeftOut, read_left_out, read_modules, reason_for
from solvent.valency.checker.clauses import CheckingLimits
from solvent.valency.checker.fill import MAX_OF_A_RULE, broken_rules
from solvent.valency.checker.messages import name_node
from solvent.valency.checker.neighbours import Numbers, Truths
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import refute
from solvent.valency.model import UNSOLVABLE, Staging
from solvent.valency.slices import slices


def check(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the fill or with a proof, or an empty list."""
    placing = Placing(staging, meter)
    modules = read_modules(certificate, meter)
    found = misheld_nodes(placing, modules, may_be_left_out=True)
    if found:
        return found
    found = _wrongly_listed(modules, certificate, meter)
    if found:
        return found
    found = broken_rules(placing, modules, complete=False)
    limits = CheckingLimits()
    earlier = np.zeros(len(modules), dtype=np.bool_)
    for left in read_left_out(certificate, meter):
        wrong = _wrong_with(placing, left, earlier, limits)
        found += [f"{name_node(staging, left.node)}, left out: {violation}" for violation in wrong]
        if len(found) >= MAX_OF_A_RULE:
            break
        earlier[left.node] = True
    return found


def _wrongly_listed(modules: Numbers, certificate: Certificate, meter: Meter) -> list[str]:
    """Return whether the nodes left out are not those that hold nothing, each once."""
    listed = np.zeros(len(modules), dtype=np.bool_)
    count = outside = 0
    for left in read_left_out(certificate, meter):
        count += 1
        if left.node < len(modules):
            listed[left.node] = True
        else:
            outside += 1
    holding = only_one = 0
    for part in slices(len(modules), meter):
        empty = modules[part] == UNSOLVABLE
        holding += int(np.count_nonzero(empty))
        only_one += int(np.count_nonzero(empty != listed[part]))
    if not only_one and not outside and count == holding:
        return []
    return [
        f"expected the nodes that hold {UNSOLVABLE} to be left out, each once: "
        f"{holding} hold it, {count} are listed, {only_one + outside} are only one of the two"
    ]


def _wrong_with(placing: Placing, left: LeftOut, earlier: Truths, limits: CheckingLimits) -> list[str]:
    """Return why a node need not have been left out; one without a proof only ran out of budget."""
    if left.proof is UNSET:
        unused = (left.nodes, left.elements, left.cuts, left.cycles, left.minimal)
        return [] if all(part is UNSET for part in unused) else ["it has no proof, but parts of one"]
    if left.nodes is UNSET or left.elements is UNSET:
        return ["its proof needs nodes and elements"]
    reason = reason_for(left, placing.meter)
    if left.node not in reason.nodes:
        return ["its proof is not about it"]
    before = reason.nodes[reason.nodes < len(earlier)]
    before = before[earlier[before]]
    if len(before):
        return [f"its proof is about node {before.min()}, which was left out before it"]
    if not any(left.node in (element.node, element.pick) for element in reason_for(left, placing.meter).elements):
        return ["its proof does not say that it must be filled"]
    return refute(placing, reason, limits, for_a_node=True)
