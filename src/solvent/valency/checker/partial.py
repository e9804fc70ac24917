"""Check a fill with nodes left out, and the proofs that some of them had to be."""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec import UNSET

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.assignment import misheld_nodes
from solvent.valency.checker.certificate_schema import LeftOut, PartialBody
from solvent.valency.checker.clauses import CheckingLimits
from solvent.valency.checker.fill import MAX_OF_A_RULE, broken_rules
from solvent.valency.checker.messages import name_node
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.refutation import refute
from solvent.valency.model import UNSOLVABLE, Staging


def check(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the fill or with a proof, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, PartialBody)
    placing = Placing(staging)
    modules = np.array(body.modules, dtype=np.int64)
    found = misheld_nodes(placing, modules, may_be_left_out=True)
    if found:
        return found
    listed = [left.node for left in body.left_out]
    empty = set(np.flatnonzero(modules == UNSOLVABLE).tolist())
    if set(listed) != empty or len(listed) != len(empty):
        return [
            f"expected the nodes that hold {UNSOLVABLE} to be left out, each once: "
            f"{len(empty)} hold it, {len(listed)} are listed, {len(empty ^ set(listed))} are only one of the two"
        ]
    found = broken_rules(placing, modules, complete=False)
    limits = CheckingLimits()
    earlier: set[int] = set()
    for left in body.left_out:
        wrong = _wrong_with(placing, left, earlier, limits)
        found += [f"{name_node(staging, left.node)}, left out: {violation}" for violation in wrong]
        if len(found) >= MAX_OF_A_RULE:
            break
        earlier.add(left.node)
    return found


def _wrong_with(placing: Placing, left: LeftOut, earlier: set[int], limits: CheckingLimits) -> list[str]:
    """Return why a node need not have been left out; one without a proof only ran out of budget."""
    if left.proof is UNSET:
        unused = (left.nodes, left.elements, left.cuts, left.minimal)
        return [] if all(part is UNSET for part in unused) else ["it has no proof, but parts of one"]
    if left.nodes is UNSET or left.elements is UNSET:
        return ["its proof needs nodes and elements"]
    if left.node not in left.nodes:
        return ["its proof is not about it"]
    if not earlier.isdisjoint(left.nodes):
        return [f"its proof is about node {min(earlier.intersection(left.nodes))}, which was left out before it"]
    if not any(left.node in (element.node, element.pick) for element in left.elements):
        return ["its proof does not say that it must be filled"]
    cuts = [] if left.cuts is UNSET else left.cuts
    return refute(placing, left.nodes, left.elements, cuts, left.proof, limits, for_a_node=True)
