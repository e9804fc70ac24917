from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class RegionPlacements:
    cdef long long begun
    """How many placements were begun so far."""
    cdef bint found
    """Whether one was finished."""
    cdef long long top
    """The first row with a candidate of the region."""
    cdef long long bottom
    """The last row with one."""
    cdef long long count
    """How many candidates the region has."""
    cdef long long row[256]
    """[number]: the row of each of them."""
    cdef unsigned long long cell[256]
    """[number]: its place in the row."""
    cdef unsigned long long stars[WIDEST + 2]
    """[row + 1]: the stars of the placement at hand; no row before the first and behind the last has any."""
    cdef unsigned long long some[WIDEST]
    """[row]: the cells that some placement stars."""
    cdef unsigned long long every[WIDEST]
    """[row]: the cells that every placement stars."""
    cdef unsigned long long excluded[WIDEST]
    """[row]: the cells that touch a star of every placement."""

    cpdef long long narrow(self, Position position, long long region) noexcept nogil
    cdef bint gather(self, Position position, long long region) noexcept nogil
    cdef bint place_from(self, long long first, long long left) noexcept nogil
    cdef void note(self) noexcept nogil
    cdef long long conclude(self, Position position, long long region) noexcept nogil
