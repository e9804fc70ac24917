"""How much there is to choose from on each node, before anything is chosen."""

from __future__ import annotations

from solvent.core.budget import Budget
from solvent.valency.model import Staging
from solvent.valency.rules import Truths
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.network import boot_once, unpack


def count_candidates(staging: Staging) -> list[int]:
    """Return how many modules are possible on each node once all consequences are drawn; 0 on null slots.

    Where a node is left with nothing, that is as far as it goes: the node has 0, and others may have too many.
    """
    counted: list[int] = _propagated(staging).sizes.tolist()
    return counted


def find_candidates(staging: Staging) -> Truths:
    """Return which modules are possible on each node, shape (nodes, modules), as `count_candidates` counts them."""
    return unpack(_propagated(staging).domains, len(staging.rules.modules))


def _propagated(staging: Staging) -> Filling:
    network = boot_once(staging)
    filling = Filling.without_choices(network)
    if not (network.cache.open_nodes & (filling.sizes == 0)).any():
        filling.look_at_all()
        filling.propagate(Budget().start())
    return filling
