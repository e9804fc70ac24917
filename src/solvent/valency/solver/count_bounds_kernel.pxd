from solvent.engine.bits cimport popcount
from solvent.valency.solver.propagate_kernel cimport Fill


cdef class CountBounds:
    cdef Fill fill
    """What is counted."""
    cdef readonly long long count
    """How many bounds there are."""
    cdef const unsigned long long[:, ::1] modules
    """Shape (bounds, words): the set of modules each bound counts."""
    cdef const unsigned char[:, ::1] scope
    """Shape (bounds, nodes): 1 for each node that counts."""
    cdef const long long[:, ::1] bounds
    """Shape (bounds, 2): the least and the most there may be."""
    cdef unsigned char[:, ::1] states
    """Shape (bounds, nodes): whether a node holds a module of the set: NEVER, MAY or MUST."""
    cdef long long[::1] must
    """Shape (bounds): how many nodes must hold a module of the set."""
    cdef long long[::1] may
    """Shape (bounds): how many may, those that must included."""
    cdef const int[::1] placing
    """Nodes in the order in which modules that are wanted are placed on them; may be empty."""
    cdef long long placing_length
    """How many nodes that are."""
    cdef long long recounted
    """How many of the nodes that changed were looked at, if that had to be left off; else 0."""
    cdef long long[::1] placed
    """Shape (bounds): how far along `placing` each bound is."""

    cdef bint recount(self, long long effort) noexcept nogil
    cdef long long state_of(self, long long bound, long long node) noexcept nogil
    cdef long long keep_bounds(self) noexcept nogil
    cdef void narrow_open(self, long long bound, bint inside) noexcept nogil
    cdef long long place_wanted(self) noexcept nogil
