from solvent.dungeon.solver.state_kernel cimport PackedState
from solvent.engine.bits cimport popcount


cdef class Programs:
    cdef readonly long long count
    """How many requirements there are."""
    cdef int[::1] first
    """Shape (requirements + 1): the steps of each are `first[n]` to `first[n + 1]`."""
    cdef unsigned char[::1] kind
    """For each step what it does: see `requirements_kernel`."""
    cdef int[::1] word
    """The word of a state it looks at."""
    cdef unsigned long long[::1] mask
    """The bits in that word."""
    cdef int[::1] shift
    """Where a number begins in that word."""
    cdef unsigned long long[::1] value
    """What it is compared with, or how much each bit counts."""
    cdef unsigned char[::1] stack
    """What holds of the parts looked at so far, the last one on top."""

    cdef bint holds(self, long long requirement, PackedState state) noexcept nogil
