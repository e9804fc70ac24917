from solvent.harmony.solver.proposals_kernel cimport Proposals
from solvent.harmony.solver.wires_kernel cimport Change, Plan


cdef class Annealing:
    cdef readonly Plan plan
    """The plan as it is now."""
    cdef Change change
    """The change at hand."""
    cdef Proposals proposals
    """Where changes come from."""
    cdef double[64] odds
    """The chance of keeping a change that costs so much more; one that costs 64 more or worse is never kept."""
    cdef readonly long long lowest
    """The lowest cost of this round so far."""
    cdef readonly long long made
    """Proposals made so far, in all rounds."""

    cdef void begin_round(self, long long swaps) noexcept nogil
    cdef void make_proposals(self, long long limit) noexcept nogil
