from solvent.starbattle.solver.position_kernel cimport Position


cdef class SavedPositions:
    cdef long long depths
    """How many positions there is room for."""
    cdef unsigned long long[:, :, ::1] candidates
    """[depth, orientation, line]: as in `Position`."""
    cdef long long[:, :, ::1] needs
    """[depth, kind, unit]: as in `Position`."""
    cdef unsigned long long[:, ::1] stars
    """[depth, row]: as in `Position`."""

    cdef void save(self, long long depth, Position position) noexcept nogil
    cdef void restore(self, long long depth, Position position) noexcept nogil
