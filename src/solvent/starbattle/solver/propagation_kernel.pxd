from solvent.starbattle.solver.line_pair_kernel cimport LinePairCount
from solvent.starbattle.solver.placements_kernel cimport RegionPlacements
from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.transport_kernel cimport TransportCount
from solvent.starbattle.solver.units cimport WIDEST


cdef class Propagation:
    cdef long long weight[3][WIDEST]
    """[kind][unit]: how often the unit failed, and 1 more; half a failure counts 1, so it begins with 2."""
    cdef unsigned long long pending[3]
    """[kind]: the units that the dear counts must still look at, as bits."""
    cdef LinePairCount line_pairs
    """What two neighbouring lines hold together."""
    cdef RegionPlacements placements
    """What all placements of a region have in common."""
    cdef TransportCount transport
    """How the stars of all lines, taken by twos, are shared out among all regions."""

    cpdef bint run(self, Position position) noexcept nogil
    cdef bint fill(self, Position position) noexcept nogil
    cdef bint fill_lines(self, Position position, long long orientation, unsigned long long lines) noexcept nogil
    cdef bint fill_regions(self, Position position, unsigned long long regions) noexcept nogil
    cdef bint narrow_pairs(self, Position position, long long orientation) noexcept nogil
    cdef bint narrow_regions(self, Position position) noexcept nogil
    cdef bint has_all_stars(self, Position position) noexcept nogil
