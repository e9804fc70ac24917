"""The kernel that finds out which steps of a refutation the contradiction needs."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, TINY, new_row
from solvent.proof.rup_kernel import HEADER

if cython.compiled:
    from cython.cimports.solvent.proof.rup_kernel import RupFollower
else:
    from solvent.proof.rup_kernel import RupFollower

_HEADER = cython.declare(cython.longlong, HEADER)
_NEEDED = cython.declare(cython.longlong, -1)
"""Stands in a clause's bucket link once the proof is known to need it; nothing looks clauses up any more by then."""


@cython.final
@cython.cclass
class NeededSteps:
    """Walk from the contradiction back to everything it rests on. The proof must have been recorded."""

    proof: RupFollower
    """The proof, after it was followed."""
    done: cython.schar[::1]
    """For each variable 1 once the clause that gave the fact about it is marked."""
    waiting: cython.int[::1]
    """A stack of variables whose facts' clauses are still to be looked at."""

    def __init__(self, proof: RupFollower) -> None:
        self.proof = proof
        self.done = new_row(len(proof.reasons), TINY)
        self.waiting = new_row(len(proof.reasons), SHORT)

    def steps(self) -> list[int]:
        """Return the numbers of the steps that added a needed clause, rising."""
        proof = self.proof
        with cython.nogil:
            self._mark_all(proof)
        return [
            step
            for step in range(proof.steps)
            if proof.step_refs[step] > 0 and proof.arena[proof.step_refs[step] + _HEADER - 1] == _NEEDED
        ]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_all(self, proof: RupFollower) -> cython.void:
        """Mark from the last step to the first: a clause needs only clauses and facts from before it."""
        self._mark_clause(proof, proof.contradiction)
        self._mark_facts(proof, proof.contradiction)
        for step in range(proof.steps - 1, -1, -1):
            ref: cython.longlong = proof.step_refs[step]
            if ref == 0 or proof.arena[ref + _HEADER - 1] != _NEEDED:
                continue
            for place in range(proof.antecedent_ends[step], proof.antecedent_ends[step + 1]):
                used: cython.longlong = proof.antecedents[place]
                if used > 0:
                    self._mark_clause(proof, used)
                elif self.done[-used] == 0:
                    self.done[-used] = 1
                    self._mark_clause(proof, proof.reasons[-used])
                    self._mark_facts(proof, proof.reasons[-used])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_clause(self, proof: RupFollower, ref: cython.longlong) -> cython.void:
        proof.arena[ref + _HEADER - 1] = _NEEDED

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_facts(self, proof: RupFollower, ref: cython.longlong) -> cython.void:
        """Mark the clauses that gave the facts on the variables of a clause, and those that gave theirs, and so on."""
        height: cython.longlong = 0
        while True:
            length: cython.longlong = proof.arena[ref]
            if length < 0:  # deleted since, but it was there when it was used
                length = -length
            for place in range(ref + _HEADER, ref + _HEADER + length):
                variable: cython.longlong = proof.arena[place] >> 1
                if self.done[variable] == 0:
                    self.done[variable] = 1
                    self.waiting[height] = variable
                    height += 1
            if height == 0:
                return
            height -= 1
            ref = proof.reasons[self.waiting[height]]
            self._mark_clause(proof, ref)
