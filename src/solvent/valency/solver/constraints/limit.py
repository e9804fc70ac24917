"""What the solver asks of a constraint that the collapse does not know of by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from solvent.core.budget import Meter
from solvent.valency.solver.module_sets import Words

if TYPE_CHECKING:
    from solvent.valency.solver.constraints.circles import Cycle
    from solvent.valency.solver.formula import Formula

Modules = npt.NDArray[np.int64]


class Limit:
    """Know what one constraint asks, in a booted task."""

    forbids_only = True
    """Whether a fill that keeps it still does with fewer modules, so that any part of the nodes may be looked at."""
    anywhere = False
    """Whether it can be mended at any place, not just where it is broken."""

    def __init__(self, number: int) -> None:
        self.number = number
        """Which constraint it is."""

    def allow(self, domains: Words, meter: Meter) -> None:
        """Take modules away that it forbids on a node whatever stands elsewhere."""

    def narrow(self, roots: Words, meter: Meter) -> None:
        """Take modules away from what may stand where every rule is to hold; nothing rests on it being done."""

    def broken(self, modules: Modules, meter: Meter) -> list[int]:
        """Return the nodes of one place where a fill breaks it, or none."""
        raise NotImplementedError

    def write(self, formula: Formula, guard: int) -> None:
        """Add its clauses among the nodes of a formula, in the order and with the variables that the checker has."""
        raise NotImplementedError

    def write_around(self, formula: Formula, modules: Modules) -> None:
        """Add what it asks of the nodes of a formula beside what stands on all others, which stays."""

    def consequences(self, modules: Modules, meter: Meter) -> list[Cycle]:  # noqa: ARG002  # most have none
        """Return consequences that a fill breaks, of those that are too many to write down beforehand."""
        return []

    def likely_consequences(self, formula: Formula) -> list[Cycle]:  # noqa: ARG002
        """Return consequences that fills often break, about the nodes of a formula: a search begins with them."""
        return []

    def clauses_against(self, formula: Formula, modules: Modules) -> list[list[int]]:  # noqa: ARG002
        """Return consequences that a fill breaks as clauses about the nodes of a formula, the others staying."""
        return []
