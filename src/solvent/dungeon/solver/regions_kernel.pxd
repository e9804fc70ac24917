from solvent.dungeon.solver.areas_kernel cimport Areas
from solvent.dungeon.solver.graph_kernel cimport Graph
from solvent.dungeon.solver.mechanics cimport ALWAYS, CALM, EXACT, IF_BITS, ILLEGAL, NEVER_CALM, SATURATE, TOOK, TRY
from solvent.dungeon.solver.state_kernel cimport PackedState, StateTable


cdef class Regions:
    cdef readonly Areas areas
    """The areas regions are made of."""
    cdef Graph graph
    """The graph of these areas."""
    cdef public long long mode
    """EXACT, SATURATE or OVERLOOK: what becomes of the things in a region."""
    cdef readonly long long stamp
    """The number of the last search; marks with this number belong to it."""
    cdef readonly long long size
    """How many areas the region found last has."""
    cdef readonly long long smallest
    """The smallest of them."""
    cdef readonly long long reached
    """How many areas can be walked to from there, those included from which no way leads back."""
    cdef long long[::1] forwards
    """For each area the stamp of the last search that reached it."""
    cdef long long[::1] backwards
    """For each area the stamp of the last search that found it to be in the region."""
    cdef int[::1] found
    """The areas reached, in the order they were; the first `reached` entries."""
    cdef int[::1] members
    """The areas of the region, in the order they were found; the first `size` entries."""
    cdef long long home
    """The stamp of the region that `settle` was called for."""
    cdef long long[::1] at_home
    """For each area the stamp of the last region that `settle` was called for and that has it."""
    cdef PackedState after
    """What a move that had to be tried leads to."""

    cdef void complete(self, long long node, PackedState state) noexcept nogil
    cdef long long extend(self, long long node, PackedState state, long long smallest) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef bint is_calm(self, long long arc, PackedState state) noexcept nogil
    cdef bint walk_forwards(self, long long node, PackedState state, bint outside) noexcept nogil
    cdef bint walk_back(self, long long node, PackedState state, bint outside) noexcept nogil
    cdef bint collect(self, PackedState state) noexcept nogil
    cdef void mark(self, StateTable table, PackedState state, long long entry, unsigned char[::1] flags) noexcept nogil
