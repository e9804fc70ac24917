from solvent.engine.random cimport after_draws, scramble, unit_of


cdef class Draws:
    cdef const unsigned long long[::1] seeds
    """Shape (regions): the seed of each region."""
    cdef int[::1] drawn
    """Shape (nodes): how often something was drawn for each node."""
    cdef unsigned long long attempt
    """How often the fill was begun before; draws differ from one attempt to the next."""

    cdef double draw(self, long long node, long long region) noexcept nogil
    cdef unsigned long long tie(self, long long node, long long region) noexcept nogil
