from solvent.valency.solver.propagate_kernel cimport Fill


cdef class Tallies:
    cdef Fill fill
    """What is counted."""
    cdef readonly long long count
    """How many tallies there are."""
    cdef const unsigned long long[:, ::1] modules
    """Shape (tallies, words): the set of modules each tally counts."""
    cdef const unsigned char[:, ::1] scope
    """Shape (tallies, nodes): 1 for each node that counts."""
    cdef const long long[:, ::1] bounds
    """Shape (tallies, 2): the least and the most there may be."""
    cdef unsigned char[:, ::1] states
    """Shape (tallies, nodes): whether a node holds a module of the set: NEVER, MAY or MUST."""
    cdef long long[::1] must
    """Shape (tallies): how many nodes must hold a module of the set."""
    cdef long long[::1] may
    """Shape (tallies): how many may, those that must included."""
    cdef const int[::1] placing
    """Nodes in the order in which modules that are wanted are placed on them; may be empty."""
    cdef long long placing_length
    """How many nodes that are."""
    cdef long long[::1] placed
    """Shape (tallies): how far along `placing` each tally is."""

    cdef void recount(self) noexcept nogil
    cdef long long state_of(self, long long tally, long long node) noexcept nogil
    cdef long long keep_bounds(self) noexcept nogil
    cdef void narrow_open(self, long long tally, bint inside) noexcept nogil
    cdef long long place_wanted(self) noexcept nogil
