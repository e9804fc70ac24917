cdef class LocalRows:
    cdef int[::1] held
    """Shape (nodes): the module on each node; negative where there is none."""
    cdef const unsigned char[:, ::1] chosen
    """Shape (sets, modules): 1 for modules of the set."""
    cdef const int[::1] set_of
    """Shape (rows): which set a row is about."""
    cdef const long long[::1] start
    """Shape (rows + 1): the nodes of row r are those from start[r] to start[r + 1]."""
    cdef const int[::1] nodes
    """The nodes of all rows, one row after the other."""
    cdef const long long[::1] through_start
    """Shape (nodes + 1): the rows through node v are those from through_start[v] to through_start[v + 1]."""
    cdef const int[::1] through
    """The rows through each node, one node after the other."""
    cdef readonly long long count
    """How many rows there are."""
    cdef long long[::1] mark
    """Shape (rows): in which turn a row was looked at last."""
    cdef long long turn
    """How often rows were looked at."""

    cdef bint is_broken(self, long long row) noexcept nogil
    cdef long long broken_near(self, const int[::1] window, long long count) noexcept nogil
