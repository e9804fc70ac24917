from solvent.dungeon.solver.areas_kernel cimport Areas
from solvent.dungeon.solver.graph_kernel cimport Graph
from solvent.dungeon.solver.mechanics cimport (
    ALWAYS, CALM, DONE, EXACT, IF_BITS, ILLEGAL, NEVER_CALM, PAUSED, SATURATE, TOOK, TRY, UNDECIDED,
)
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
    cdef long long looks
    """How many more moves to look at before `go_on` pauses; those who call it set and read it."""
    cdef long long toll
    """What copying or comparing a whole state counts, in looks."""
    cdef long long node
    """Where the region being found begins."""
    cdef bint outside
    """Whether only what lies outside the settled region is looked at."""
    cdef long long phase
    """Whether it is walking forwards or back."""
    cdef long long done
    """How many entries of `found`, or of `members`, it went on from."""

    cdef void start(self, long long node, bint outside) noexcept nogil
    cdef long long go_on(self, PackedState state) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef bint is_calm(self, long long arc, PackedState state) noexcept nogil
    cdef long long walk_forwards(self, PackedState state) noexcept nogil
    cdef long long walk_back(self, PackedState state) noexcept nogil
    cdef bint collect(self, PackedState state) noexcept nogil
    cdef void mark(self, StateTable table, PackedState state, long long entry, unsigned char[::1] flags) noexcept nogil
