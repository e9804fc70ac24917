"""What must stand on each of some nodes, and what must not."""

from __future__ import annotations

from collections.abc import Sequence

from solvent.valency.model import Constraint, Count, Only


def hold(mask: int, nodes: Sequence[int]) -> list[Constraint]:
    """Ask that each of some nodes holds one of some modules."""
    return [Only(mask, tuple(nodes))] if nodes else []


def ban(mask: int, nodes: Sequence[int], modules: int) -> list[Constraint]:
    """Ask that none of some nodes holds one of some modules; `modules` is how many there are."""
    if not nodes or not mask:
        return []
    others = (1 << modules) - 1 & ~mask
    # An Only has modules to choose from. Where none is left, the count of none says the same.
    return [Only(others, tuple(nodes)) if others else Count(mask, 0, 0, tuple(nodes))]
