from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class BandCount:
    cdef unsigned long long met[WIDEST]
    """[line]: the regions with candidates on it, as bits."""
    cdef long long first[WIDEST]
    """[region]: the first line with a candidate of it."""
    cdef unsigned long long ending[WIDEST]
    """[line]: the regions of which it is the last line with a candidate."""

    cpdef long long narrow(self, Position position, long long orientation) noexcept nogil
    cdef void look(self, Position position, long long orientation) noexcept nogil
    cdef long long rule_out(
        self, Position position, long long orientation, long long line, unsigned long long regions
    ) noexcept nogil
