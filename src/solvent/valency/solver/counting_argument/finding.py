"""Look for a counting argument: first by remainders, which is cheap, then by bounds."""

from __future__ import annotations

from itertools import chain

from solvent.core.budget import Meter
from solvent.valency.solver.counting_argument.bounds import points_by_bounds
from solvent.valency.solver.counting_argument.choices import Choices, Whole
from solvent.valency.solver.counting_argument.counted import counted_in
from solvent.valency.solver.counting_argument.points import CountingArgument, argument_of
from solvent.valency.solver.counting_argument.remainders import points_by_remainders
from solvent.valency.solver.network import Network

LARGEST = 2_000_000
"""How many nodes times modules are looked at."""
QUICK_WORK, WORK = 3_000_000, 30_000_000
"""How many coefficients may be added up for each prime: about half a second, and five."""
QUICK_STEPS, STEPS = 100_000_000, 2_000_000_000
"""How many entries of a table steps towards bounds may change: a tenth of a second, and two."""


def find_counting_argument(network: Network, meter: Meter, *, quick: bool) -> CountingArgument | None:
    """Return an argument that there is no fill, if counting finds one; `quick` is a glance."""
    if network.nodes * network.modules > LARGEST:
        return None
    whole = Whole(network, meter)
    choices = Choices(whole, whole.nodes, whole.edges)
    counted = counted_in(network)
    by_remainders = points_by_remainders(choices, counted, QUICK_WORK if quick else WORK)
    by_bounds = points_by_bounds(choices, counted, QUICK_STEPS if quick else STEPS)
    for points in chain(by_remainders, by_bounds):
        argument = argument_of(choices, counted, points)
        if argument is not None:
            return argument
    return None
