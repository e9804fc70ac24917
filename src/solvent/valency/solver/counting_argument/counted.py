"""What a task counts: bounds of modules, counts, and whether a number is even."""

from __future__ import annotations

from msgspec import Struct

from solvent.valency.model import Count, Parity
from solvent.valency.solver.clash_elements import Element
from solvent.valency.solver.module_sets import Truths
from solvent.valency.solver.network import Network


class Counted(Struct, frozen=True, eq=False):
    """Hold one thing that is counted."""

    least_element: Element
    """What asks for the lower bound."""
    most_element: Element
    """And for the upper one; the same for a constraint."""
    modules: int
    """The mask of modules that count."""
    scope: Truths
    """The nodes that count."""
    least: int
    most: int | None
    odd: bool | None = None
    """Whether the number must be odd; None if it may be odd or even."""

    @property
    def is_exact(self) -> bool:
        """Tell whether the number is known."""
        return self.least == self.most


def counted_in(network: Network) -> list[Counted]:
    """Return all that a task counts."""
    staging, everywhere = network.staging, network.cache.open_nodes
    found = []
    for number, module in enumerate(staging.rules.modules):
        if module.least > 0 or module.most is not None:
            found.append(
                Counted(("least", number), ("most", number), 1 << number, everywhere, module.least, module.most)
            )
    for number, constraint in enumerate(staging.constraints):
        if not isinstance(constraint, Count | Parity):
            continue
        scope, element = everywhere, ("constraint", number)
        if constraint.nodes:
            scope = everywhere & False
            scope[list(constraint.nodes)] = everywhere[list(constraint.nodes)]
        if isinstance(constraint, Count):
            found.append(Counted(element, element, constraint.modules, scope, constraint.least, constraint.most))
        else:
            found.append(Counted(element, element, constraint.modules, scope, 0, None, constraint.odd))
    return found
