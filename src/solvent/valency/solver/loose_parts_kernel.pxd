from solvent.valency.solver.local_joins_kernel cimport LocalJoins
from solvent.valency.solver.local_rows_kernel cimport LocalRows
from solvent.valency.solver.network_kernel cimport Arcs


cdef class LooseParts:
    cdef Arcs arcs
    """Who is whose neighbour."""
    cdef LocalJoins joins
    """What must hang together, or not in a circle."""
    cdef LocalRows rows
    """Which rows must not be too long."""
    cdef int[::1] held
    """[node]: the module on it; negative where there is none."""
    cdef long long size
    """How many nodes the fill has."""
    cdef int[::1] degrees
    """[node]: how many joins it has that are not known to be on no circle."""
    cdef int[::1] nodes
    """Those of loose pieces, of broken paths, of circles and of long rows."""
    cdef long long count
    """How many of them there are."""
    cdef long long broken
    """How many pieces are loose, how far paths are from getting through, and how many circles there are, joins too many
    or too few in loops, and rows that are too long, all together."""

    cdef void look(self) noexcept nogil
    cdef void mark_loose(self, long long node) noexcept nogil
    cdef void look_at_degrees(self, long long join) noexcept nogil
    cdef void look_at_circles(self, long long join) noexcept nogil
    cdef void look_at_path(self, long long join) noexcept nogil
    cdef void look_at_pieces(self, long long join) noexcept nogil
    cdef bint is_unreached(self, long long join, long long node, long long turn) noexcept nogil
