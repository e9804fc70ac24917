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
    """For each cell the moves its tile has left. A cell is live if that is more than 0."""
    cdef long long[::1] row_of
    """For each cell its row."""
    cdef long long[::1] column_of
    """For each cell its column."""

    cdef readonly bint keeps_counts
    """Whether `exchange` keeps the counts below up to date; if not, `recount` must be called before they are read."""
    cdef readonly long long total
    """The moves of all tiles together."""
    cdef readonly long long away
    """How many tiles are not in their colour's row."""
    cdef readonly long long restless
    """How many tiles have more than two moves."""
    cdef readonly long long surplus
    """How many tiles share their column with an earlier one of their colour, in any order."""
    cdef long long[26] live_in_row
    """For each row its live cells."""
    cdef long long[::1] live_in_column
    """For each column its live cells."""
    cdef long long[::1] in_column
    """For each colour with a row, times `cols`, plus a column: how many tiles of the colour stand in the column."""

    cdef bint groups_are_known
    """Whether `group_of_row` is that of the board as it stands."""
    cdef long long[26] group_of_row
    """After `group_rows`: rows with the same number are connected by live cells. A live cell is in its row's group."""
    cdef long long[26] balance
    """Room for a test, one number a row."""
    cdef long long[26] most
    """The same again."""
    cdef long long[::1] claims
    """Room for a test, one number a cell; it is `claim` where a cell is taken in the call at hand."""
    cdef long long claim
    """A number that no earlier call has used."""

    cdef void exchange(self, long long a, long long b, long long change) noexcept nogil
    cdef void recount(self) noexcept nogil
    cdef void count_tile(self, long long cell, long long change) noexcept nogil
    cdef bint is_home(self) noexcept nogil
    cdef void group_rows(self) noexcept nogil
