"""Check a complete fill."""

from __future__ import annotations

import numpy as np

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.certificate_schema import read_modules
from solvent.valency.checker.fill import MAX_OF_A_RULE, broken_rules
from solvent.valency.checker.fillers import needless_fillers
from solvent.valency.checker.messages import name_node
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import NULL_SLOT, UNSOLVABLE, Staging
from solvent.valency.slices import slices


def check(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the fill, or an empty list."""
    placing = Placing(staging, meter)
    modules = read_modules(certificate, meter)
    found = misheld_nodes(placing, modules, may_be_left_out=False)
    # A filler is needless only if what would stand instead breaks no rule, so no rule may be broken already.
    return found or broken_rules(placing, modules, complete=True) or needless_fillers(placing, modules)


def misheld_nodes(placing: Placing, modules: Numbers, *, may_be_left_out: bool) -> list[str]:
    """Return which nodes hold no module though they should, or something that is none; the first few."""
    if len(modules) != placing.surroundings.nodes:
        return [f"expected one module for each of {placing.surroundings.nodes} nodes, found {len(modules)}"]
    idle, odd = [], []
    for part in slices(len(modules), placing.meter):
        some, is_open = modules[part], placing.surroundings.open[part]
        held = (some >= 0) & (some < placing.modules)
        if may_be_left_out:
            held |= some == UNSOLVABLE
        idle += (part.start + np.flatnonzero(~is_open & (some != NULL_SLOT))[:MAX_OF_A_RULE]).tolist()
        odd += (part.start + np.flatnonzero(is_open & ~held)[:MAX_OF_A_RULE]).tolist()
        if len(idle) + len(odd) >= MAX_OF_A_RULE:
            break
    found = [f"{name_node(placing.staging, node)} has no neighbour and must hold {NULL_SLOT}" for node in idle]
    return found + [f"{name_node(placing.staging, node)} holds {modules[node]}, which is no module" for node in odd]
