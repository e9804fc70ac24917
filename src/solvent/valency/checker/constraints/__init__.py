"""One file for each kind of constraint: when a fill breaks it, and its clauses. `RULES` knows them all.

Those about counting and about what hangs together came first and stand in `checker.fill` and `checker.formula`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from solvent.valency.checker.constraints import acyclic, consecutive, loop, only, parity, symmetry
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import Acyclic, Consecutive, Loop, Only, Parity, Symmetry


class ConstraintRule(Struct, frozen=True):
    """State one kind of constraint."""

    broken: Callable[[Placing, Any, Numbers], Iterator[str]]
    """Yield where a fill breaks it; below 0 nothing stands on a node."""
    write: Callable[..., None]
    """Add clauses that hold of every fill that keeps it, given the formula and the constraint."""
    forbids_only: bool = True
    """Whether a fill that keeps it still does with fewer modules."""


RULES: dict[type, ConstraintRule] = {
    Only: ConstraintRule(only.broken, only.write),
    Consecutive: ConstraintRule(consecutive.broken, consecutive.write),
    Symmetry: ConstraintRule(symmetry.broken, symmetry.write),
    Parity: ConstraintRule(parity.broken, parity.write, forbids_only=False),
    Acyclic: ConstraintRule(acyclic.broken, acyclic.write),
    Loop: ConstraintRule(loop.broken, loop.write, forbids_only=False),
}
