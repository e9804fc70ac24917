from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class TransportCount:
    cdef signed char flow[2][WIDEST][WIDEST]
    """[orientation][line][region]: stars the line sends to the region in the last transport; it is kept between calls,
    because the next one is often the same."""
    cdef signed char room[WIDEST][WIDEST]
    """[line][region]: the most stars the line has room for in the region."""
    cdef long long lacking[WIDEST]
    """[line]: stars it must still send."""
    cdef long long region_lacking[WIDEST]
    """[region]: stars it must still receive."""
    cdef long long sender[WIDEST]
    """[region]: the line from which it was reached while a way for one more star is looked for."""
    cdef long long receiver[WIDEST]
    """[line]: the region from which it was reached, to send there one star less."""
    cdef unsigned long long ahead[64]
    """[node]: where the arrows of the residual graph lead from it, as bits. Line l is node l, region g is 32 + g."""
    cdef unsigned long long behind[64]
    """[node]: where the arrows that lead to it come from."""

    cpdef long long narrow(self, Position position, long long orientation) noexcept nogil
    cdef void keep_what_fits(self, Position position, long long orientation) noexcept nogil
    cdef bint send_one_more(self, Position position, long long orientation, long long start) noexcept nogil
    cdef void reroute(self, long long orientation, long long start, long long region) noexcept nogil
    cdef void draw_arrows(self, Position position, long long orientation) noexcept nogil
    cdef unsigned long long circle_of(self, long long start, unsigned long long within) noexcept nogil
    cdef long long conclude(self, Position position, long long orientation) noexcept nogil
    cdef long long conclude_apart(
        self, Position position, long long orientation, long long line, unsigned long long apart
    ) noexcept nogil
