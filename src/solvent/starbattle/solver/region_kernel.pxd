from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class RegionCount:
    cdef long long need
    """How many stars the region still needs."""
    cdef long long top
    """The first row with a candidate of the region; -1 if there is none."""
    cdef long long bottom
    """The last row with one."""
    cdef unsigned int cells[WIDEST]
    """[row]: the candidates of the region."""
    cdef long long above[WIDEST + 1]
    """[row]: at most so many stars of the region fit above the row."""
    cdef long long below[WIDEST + 1]
    """[row]: at most so many fit below it."""
    cdef unsigned int ways[1200]
    """The ways to fill a row of the region, as cells with stars: those of the top row, then of the next one, and on."""
    cdef short down[1200]
    """[way]: the most stars from the top row down to the way's row, with it."""
    cdef short up[1200]
    """[way]: the most stars from the bottom row up to the way's row, with it."""
    cdef long long begins[WIDEST]
    """[row]: where the ways of the row begin in `ways`."""
    cdef long long ends[WIDEST]
    """[row]: where they end."""
    cdef unsigned long long some[WIDEST]
    """[row]: the cells that some possible way stars."""
    cdef unsigned long long every[WIDEST]
    """[row]: the cells that every possible way stars."""

    cpdef long long narrow(self, Position position, long long region) noexcept nogil
    cdef long long look(self, Position position, long long region) noexcept nogil
    cdef long long bound_rows(self) noexcept nogil
    cdef bint list_ways(self) noexcept nogil
    cdef bint list_ways_of_row(self, long long row, long long begin) noexcept nogil
    cdef long long count_down(self) noexcept nogil
    cdef void count_up(self) noexcept nogil
    cdef long long conclude(self, Position position, long long region) noexcept nogil
