from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class LinePairCount:
    cdef unsigned long long first
    """The candidates of the first line."""
    cdef unsigned long long second
    """The candidates of the second line."""
    cdef unsigned long long counts
    """Every count that takes neither line beyond its need."""
    cdef unsigned long long goal
    """The one count in which both lines have what they need."""
    cdef long long count
    """How many stops there are: places with a candidate in either line. Elsewhere nothing can happen."""
    cdef long long stops[WIDEST]
    """[stop]: its place."""
    cdef unsigned long long free[WIDEST]
    """[stop]: the counts that walks from the start can have there, if the place before is empty."""
    cdef unsigned long long taken[WIDEST]
    """[stop]: the same, if the place before has a star."""
    cdef unsigned long long may
    """The places where some complete walk has a star in the first line."""
    cdef unsigned long long may_other
    """The places where some complete walk has a star in the second line."""
    cdef unsigned long long must
    """The places where every complete walk has a star, in whichever line."""

    cpdef long long narrow(self, Position position, long long orientation, long long line) noexcept nogil
    cdef bint walk_there(self) noexcept nogil
    cdef void walk_back(self) noexcept nogil
    cdef long long conclude(self, Position position, long long orientation, long long line) noexcept nogil
