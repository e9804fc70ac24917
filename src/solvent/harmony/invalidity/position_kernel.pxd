cdef class Position:
    cdef readonly long long rows
    """Rows of the board."""
    cdef readonly long long cols
    """Columns of the board."""
    cdef readonly long long cells
    """Rows times columns. Cells are numbered row by row."""
    cdef long long[::1] colours
    """For each cell the colour of its tile; colour c belongs in row c, and colours of `rows` and above in none."""
    cdef long long[::1] moves
    """For each cell the moves its tile has left."""
    cdef long long[26] group_of_row
    """After `group_rows`: rows with the same number are connected by live cells. A live cell is in its row's group."""
    cdef long long[26] balance
    """For each colour, while a group is gone through: its tiles in the group minus the group's cells in its row."""

    cdef void exchange(self, long long a, long long b, long long change) noexcept nogil
    cdef bint is_home(self) noexcept nogil
    cdef void group_rows(self) noexcept nogil
