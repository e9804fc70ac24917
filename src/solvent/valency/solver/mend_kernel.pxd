from solvent.engine.bits cimport popcount
from solvent.valency.solver.choose_kernel cimport Choosing
from solvent.valency.solver.network_kernel cimport Arcs
from solvent.valency.solver.propagate_kernel cimport Fill


cdef class Surroundings:
    cdef Fill fill
    """What is mended."""
    cdef Arcs arcs
    """Who is whose neighbour."""
    cdef Choosing choosing
    """What was chosen, and how far the order of choosing has got."""
    cdef const unsigned long long[:, ::1] roots
    """Shape (nodes, words): what was possible on each node before anything was chosen."""
    cdef int[::1] failures
    """Shape (nodes): contradictions at each node so far."""
    cdef int[::1] ball
    """Shape (nodes): nodes that were gathered, those nearest first."""
    cdef int[::1] away
    """Shape (nodes): how many edges from the middle each gathered node is."""
    cdef long long[::1] mark
    """Shape (nodes): in which turn each node was gathered last."""
    cdef long long turn
    """How often nodes were gathered."""
    cdef readonly long long repairs
    """How many contradictions were met."""
    cdef long long narrowest
    """How many edges around a contradiction nodes start again at first."""
    cdef long long widest
    """The most there may be before something stronger must be tried."""

    cdef bint mend(self, long long place) noexcept nogil
    cpdef long long gather(self, long long place, long long radius) noexcept nogil
    cdef long long gather_more(self, long long place, long long radius, long long count) noexcept nogil
    cdef long long add_narrowed(self, long long count) noexcept nogil
    cdef bint is_narrowed(self, long long node) noexcept nogil
    cdef void reset(self, long long count) noexcept nogil
    cdef void give_back(self, long long node) noexcept nogil
