from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class TransportCount:
    cdef long long begin
    """The line with which the second band begins."""
    cdef long long bands
    """How many bands there are."""
    cdef long long number
    """Which of the four ways to make bands this is."""
    cdef signed char kept[4][WIDEST][WIDEST]
    """[number][band][region]: stars the band sends to the region in the last transport; it is kept between calls,
    because the next one is often the same."""
    cdef unsigned long long places[WIDEST][WIDEST]
    """[band][region]: where along the band the region has candidates, in either line."""
    cdef signed char room[WIDEST][WIDEST]
    """[band][region]: the most stars the band has room for in the region."""
    cdef long long lacking[WIDEST]
    """[band]: stars it must still send."""
    cdef long long region_lacking[WIDEST]
    """[region]: stars it must still receive."""
    cdef unsigned long long lackers
    """The regions that lack any, as nodes."""
    cdef long long sender[WIDEST]
    """[region]: the band from which it was reached while a way for one more star is looked for."""
    cdef long long receiver[WIDEST]
    """[band]: the region from which it was reached, to send there one star less."""
    cdef unsigned long long ahead[64]
    """[node]: where the arrows of the residual graph lead from it, as bits. Band b is node b, region g is 32 + g."""
    cdef unsigned long long behind[64]
    """[node]: where the arrows that lead to it come from."""

    cpdef long long narrow(self, Position position, long long orientation, long long begin) noexcept nogil
    cdef long long first_line(self, long long band) noexcept nogil
    cdef long long end_line(self, long long band, long long size) noexcept nogil
    cdef void keep_what_fits(self, Position position, long long orientation) noexcept nogil
    cdef void set_flow(self, long long band, long long region, long long flow) noexcept nogil
    cdef void receive(self, long long region, long long sent) noexcept nogil
    cdef void send_where_lacking(self, long long band) noexcept nogil
    cdef bint send_one_more(self, long long start) noexcept nogil
    cdef void reroute(self, long long start, long long region) noexcept nogil
    cdef unsigned long long circle_of(self, long long start, unsigned long long within) noexcept nogil
    cdef long long conclude(self, Position position, long long orientation) noexcept nogil
    cdef long long conclude_apart(
        self, Position position, long long orientation, long long band, long long region
    ) noexcept nogil
    cdef long long fill(
        self,
        Position position,
        long long orientation,
        long long first,
        long long end,
        unsigned long long cells,
        unsigned long long other,
    ) noexcept nogil
