"""The loop of wire annealing: propose a change, keep it if it costs no more, or by chance if it costs a little more."""

# mypy: ignore-errors

from __future__ import annotations

import math

import cython

from solvent.engine.driver import WORKING

if cython.compiled:
    from cython.cimports.solvent.harmony.solver.proposals_kernel import Proposals
    from cython.cimports.solvent.harmony.solver.wires_kernel import Change, Plan
else:
    from solvent.harmony.solver.proposals_kernel import Proposals
    from solvent.harmony.solver.wires_kernel import Change, Plan

SOLVED = 1

_MAX_COST_RISE = cython.declare(cython.longlong, 64)


@cython.final
@cython.cclass
class Annealing:
    """Look for a plan that costs nothing."""

    plan = cython.declare(Plan, visibility="readonly")
    """The plan as it is now."""
    change: Change
    """The change at hand."""
    proposals: Proposals
    """Where changes come from."""
    odds: cython.double[64]
    """The chance of keeping a change that costs so much more; one that costs 64 more or worse is never kept."""
    lowest = cython.declare(cython.longlong, visibility="readonly")
    """The lowest cost of this round so far."""
    made = cython.declare(cython.longlong, visibility="readonly")
    """Proposals made so far, in all rounds."""

    def __init__(self, plan: Plan, temperature: float, random: int) -> None:
        self.plan = plan
        self.change = Change(plan.cells)
        self.proposals = Proposals(plan, self.change, random)
        self.odds = [math.exp(-rise / temperature) for rise in range(64)]
        self.lowest = 0
        self.made = 0

    def start(self, swaps: cython.longlong) -> None:
        """Begin a round with this many random swaps in random slots, some perhaps in the same; lay its wires next."""
        with cython.nogil:
            self.begin_round(swaps)

    def lay(self, limit: cython.longlong) -> bool:
        """Fill about `limit` more places of the tables of a new round; True once it can run."""
        with cython.nogil:
            self.lay_wires(limit)
        return self.plan.laid == self.plan.slots + self.plan.cells

    def run(self, limit: cython.longlong) -> int:
        """Make up to `limit` proposals; returns SOLVED as soon as the plan is a solution, else WORKING."""
        with cython.nogil:
            self.make_proposals(limit)
        return SOLVED if self.plan.cost == 0 else WORKING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_round(self, swaps: cython.longlong) -> cython.void:
        """Do the work of `start`."""
        self.plan.clear()
        for _ in range(swaps):
            a = self.plan.live[self.proposals.draw(self.plan.live_count)]
            slot = self.proposals.draw(self.plan.slots)
            self.plan.set_slot(slot, a, self.proposals.partner(a))
        self.plan.begin_wires()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lay_wires(self, limit: cython.longlong) -> cython.void:
        """Do the work of `lay`."""
        self.plan.lay_wires(limit)
        self.lowest = self.plan.cost

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def make_proposals(self, limit: cython.longlong) -> cython.void:
        """Do the work of `run`."""
        for _ in range(limit):
            if self.plan.cost == 0:
                return
            self.made += 1
            self.proposals.propose()
            if self.change.steps == 0:
                continue
            rise = self.change.rise(self.plan)
            if rise > 0 and (rise >= _MAX_COST_RISE or self.proposals.draw_unit() >= self.odds[rise]):
                continue
            self.change.carry_out(self.plan)
            self.plan.cost += rise
            self.lowest = min(self.lowest, self.plan.cost)
