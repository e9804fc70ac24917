"""One file for each kind of constraint that the collapse does not know of by itself. `make_limits` knows them all.

Counting, what hangs together and what is kept apart came first, and stand in `network`, `joins` and `formula`.
"""

from __future__ import annotations

from solvent.core.budget import Meter
from solvent.valency.model import Acyclic, Consecutive, Loop, Only, Parity, Staging, Symmetry
from solvent.valency.orbitals import OrbitalCache
from solvent.valency.solver.constraints.allowed import Allowed
from solvent.valency.solver.constraints.circles import Circles
from solvent.valency.solver.constraints.even import Even
from solvent.valency.solver.constraints.images import Images
from solvent.valency.solver.constraints.joints import Joints
from solvent.valency.solver.constraints.limit import Limit
from solvent.valency.solver.constraints.rows import Rows


def make_limits(staging: Staging, cache: OrbitalCache, meter: Meter) -> tuple[Limit, ...]:
    """Return the limits of a task, in the order of its constraints."""
    found: list[Limit] = []
    for number, constraint in enumerate(staging.constraints):
        if isinstance(constraint, Only):
            found.append(Allowed(number, constraint, len(staging.rules.modules)))
        elif isinstance(constraint, Consecutive):
            found.append(Rows(number, constraint, cache, staging.rules, meter))
        elif isinstance(constraint, Symmetry):
            found.append(Images(number, constraint, staging.cluster))
        elif isinstance(constraint, Parity):
            found.append(Even(number, constraint, cache, len(staging.rules.modules), meter))
        elif isinstance(constraint, Acyclic):
            found.append(Circles(number, constraint, cache, len(staging.rules.modules)))
        elif isinstance(constraint, Loop):
            found.append(Joints(number, constraint, cache, staging.rules))
    return tuple(found)
