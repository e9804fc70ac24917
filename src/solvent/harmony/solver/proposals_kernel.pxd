from solvent.harmony.solver.wires_kernel cimport Change, Plan


cdef class Proposals:
    cdef Plan plan
    """The plan to change."""
    cdef Change change
    """The change proposed last."""
    cdef unsigned long long random
    """The state of the random numbers."""

    cdef long long draw(self, long long bound) noexcept nogil
    cdef double draw_unit(self) noexcept nogil
    cdef void propose(self) noexcept nogil
    cdef void mend(self) noexcept nogil
    cdef void slide(self) noexcept nogil
    cdef void shift(self) noexcept nogil
    cdef void trade(self) noexcept nogil
    cdef void set_or_clear(self) noexcept nogil
    cdef void move_swap(self, long long source, long long target, long long a, long long b) noexcept nogil
    cdef long long partner(self, long long cell) noexcept nogil
    cdef long long wrong_tile(self) noexcept nogil
    cdef long long swap_of_tile(self, long long tile) noexcept nogil
