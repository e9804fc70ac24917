"""The number of nodes that hold certain modules is even, or odd."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.holding import holders, scope
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Parity

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula


def broken(placing: Placing, parity: Parity, modules: Numbers) -> Iterator[str]:
    """Tell if the number is of the wrong kind."""
    count = int(np.count_nonzero(holders(placing, parity.modules, modules) & scope(placing, parity)))
    if count % 2 != parity.odd:
        yield f"expected an {'odd' if parity.odd else 'even'} number of nodes that hold certain modules, found {count}"


def write(formula: Formula, parity: Parity) -> None:
    """The number of nodes in W is even or odd, unless a node outside may count as well.

    New variables say of each node in W that it holds such a module, and then, of those that count, the second, third
    and so on, whether the number up to it is odd.
    """
    members = members_of(parity.modules, formula.placing.modules)
    among = scope(formula.placing, parity)
    first = formula.say_members(parity.modules, both_ways=True)
    outside = among.copy()
    outside[formula.nodes] = False
    if formula.placing.count_holders(outside, members):
        return
    counting = (first + np.flatnonzero(among[formula.nodes])).tolist()
    if not counting:
        if parity.odd:
            formula.clauses.add_clause(np.zeros(0, dtype=np.int64))
        return
    so_far = counting[0]
    for variable in formula.meter.each(counting[1:]):
        total = formula.clauses.new_variables(1)
        for signs in ((-1, -1, -1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)):
            formula.clauses.add_clause(np.array([signs[0] * total, signs[1] * so_far, signs[2] * variable]))
        so_far = total
    formula.clauses.add_clause(np.array([so_far if parity.odd else -so_far]))
