cdef class ReachableCells:
    cdef readonly long long rows
    """Rows of the board."""
    cdef readonly long long cols
    """Columns of the board."""
    cdef readonly long long cells
    """Rows times columns."""
    cdef readonly long long instants
    """How many instants the tiles have together; those of a tile follow each other."""
    cdef signed char[::1] inside
    """For each cell 1 if it is in the component."""
    cdef signed char[:, ::1] stands
    """Shape (instants, cells): 1 where the instant's tile can stand on the cell."""
    cdef int[:, ::1] cell_list
    """Shape (instants, cells): these cells in rising order, the first `cell_count` of a row."""
    cdef long long[::1] cell_count
    """For each instant how many cells its tile can stand on."""
    cdef long long[::1] in_row
    """For each row how many cells of the set at hand it has."""
    cdef long long[::1] in_col
    """The same for each column."""

    cdef void follow_tile(self, long long first, long long tile, long long colour, long long moves) noexcept nogil
    cdef void forget_set(self) noexcept nogil
    cdef void add_to_set(self, long long cell) noexcept nogil
    cdef void take_set(self, long long instant) noexcept nogil
    cdef bint is_one_step_away(self, long long cell, bint in_set) noexcept nogil
    cdef bint are_aligned(self, long long a, long long b) noexcept nogil
    cdef bint can_exchange(self, long long one_after, long long other_after) noexcept nogil
