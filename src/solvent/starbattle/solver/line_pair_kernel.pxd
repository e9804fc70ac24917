from solvent.starbattle.solver.position_kernel cimport Position


cdef class LinePairCount:
    cdef unsigned long long first
    """The candidates of the first line."""
    cdef unsigned long long second
    """The candidates of the second line."""
    cdef unsigned long long counts
    """Every count that takes neither line beyond its need."""
    cdef unsigned long long goal
    """The one count in which both lines have what they need."""
    cdef unsigned long long free[26]
    """[place]: the counts that walks from the start can have there, if the place before is empty."""
    cdef unsigned long long taken[26]
    """[place]: the same, if the place before has a star."""
    cdef unsigned long long free_on[26]
    """[place]: the counts with which a walk can still reach the goal from there, if the place before is empty."""
    cdef unsigned long long taken_on[26]
    """[place]: the same, if the place before has a star."""

    cpdef long long narrow(self, Position position, long long orientation, long long line) noexcept nogil
    cdef void walk_from_start(self, long long size) noexcept nogil
    cdef void walk_from_end(self, long long size) noexcept nogil
    cdef long long conclude(self, Position position, long long orientation, long long line) noexcept nogil
