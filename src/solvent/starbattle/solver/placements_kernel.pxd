from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.units cimport WIDEST


cdef class RegionPlacements:
    cdef long long begun
    """How many placements were begun so far."""
    cdef long long families
    """How many families of placements were listed so far."""
    cdef long long top
    """The first row with a candidate of the region."""
    cdef long long bottom
    """The last row with one."""
    cdef long long count
    """How many candidates the region has."""
    cdef unsigned long long columns
    """The columns in which it has any."""
    cdef unsigned long long cells[WIDEST]
    """[row]: the candidates of the region."""
    cdef long long before[WIDEST]
    """[row]: how many of them the rows above have, which is the number of the row's first one."""
    cdef unsigned long long later[64]
    """[number]: the candidates that touch a candidate and come after it, as numbers."""
    cdef unsigned long long fixed[256]
    """[family]: the stars that its placements have in common."""
    cdef unsigned long long last[256]
    """[family]: the candidates of which each placement has one more star."""

    cpdef long long narrow(self, Position position, long long region) noexcept nogil
    cdef long long gather(self, Position position, long long region) noexcept nogil
    cdef bint has_too_many(self, long long need) noexcept nogil
    cdef unsigned long long touched(self, long long row, unsigned long long cell) noexcept nogil
    cdef long long fewest_begun(self, long long need, long long touching) noexcept nogil
    cdef long long note_touching(self) noexcept nogil
    cdef bint place_from(self, unsigned long long placed, unsigned long long possible, long long left) noexcept nogil
    cdef long long conclude(self, Position position) noexcept nogil
    cdef unsigned long long excluded(self, Position position, long long row) noexcept nogil
