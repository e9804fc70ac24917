from solvent.valency.solver.network_kernel cimport Arcs


cdef class LocalJoins:
    cdef Arcs arcs
    """Who is whose neighbour."""
    cdef int[::1] held
    """Shape (nodes): the module on each node; negative where there is none."""
    cdef readonly long long count
    """How many constraints there are."""
    cdef const unsigned char[:, ::1] chosen
    """Shape (constraints, modules): 1 for modules that take part."""
    cdef const unsigned char[:, :, ::1] out
    """Shape (constraints, kinds, modules): 1 if one gets out of a module at the start of an arc, along it."""
    cdef const unsigned char[:, :, ::1] back
    """Shape (constraints, kinds, modules): 1 if one gets into a module at the end of an arc, along it."""
    cdef const long long[:, ::1] ends
    """Shape (constraints, 2): the ends of a path; -1 where everything must hang together."""
    cdef const long long[::1] form
    """Shape (constraints): whether nodes are to hang together, to form no circles, or to be one loop."""
    cdef int[::1] near
    """Shape (nodes): the nodes at hand: first those of a window, then those beside it."""
    cdef long long near_count
    """How many there are."""
    cdef long long inside_count
    """How many of them are in the window."""
    cdef int[::1] place
    """Shape (nodes): where in `near` a node stands, if `near_mark` says so."""
    cdef long long[::1] near_mark
    """Shape (nodes): in which turn a node was gathered last."""
    cdef long long near_turn
    """How often nodes were gathered."""
    cdef int[::1] bottom
    """Shape (nodes): by place, a place further down in the same piece of the window and what is beside it."""
    cdef int[::1] lowest
    """Shape (nodes): by the place that stands for a piece, the lowest place in it that matters; -1 for none."""
    cdef int[::1] label
    """Shape (nodes): by place, the lowest place in the same piece that matters, as it was noted."""
    cdef long long enclosed
    """How many pieces were noted that have nothing beside the window."""
    cdef long long[::1] mark
    """Shape (nodes): in which turn a node was reached last."""
    cdef long long turn
    """How often something was flooded."""
    cdef int[::1] owner
    """Shape (nodes): the group that reached a node."""
    cdef int[::1] after
    """Shape (nodes): the node behind this one in the line of its group; -1 at the end."""
    cdef int[::1] came
    """Shape (nodes): the node from which a node was reached."""
    cdef int[::1] head
    """Shape (nodes): by group, the first node in its line; -1 if there is none."""
    cdef int[::1] tail
    """Shape (nodes): by group, the last."""
    cdef int[::1] parent
    """Shape (nodes): by group, one that it was joined to, itself if it was not."""
    cdef readonly long long effort
    """How many nodes were gone over since this was set to 0."""

    cdef void gather(self, const int[::1] window, long long count) noexcept nogil
    cdef bint joins(self, long long join, long long arc, long long node, long long other) noexcept nogil
    cdef long long degree(self, long long join, long long node) noexcept nogil
    cdef long long strain(self, long long join) noexcept nogil
    cdef void note(self, long long join) noexcept nogil
    cdef bint is_as_noted(self, long long join) noexcept nogil
    cdef void join_near(self, long long join) noexcept nogil
    cdef long long bottom_of(self, long long place) noexcept nogil
    cdef bint matters(self, long long join, long long place) noexcept nogil
    cdef long long count_enclosed(self, long long join) noexcept nogil
    cdef long long broken_near(self, long long join) noexcept nogil
    cdef long long pieces_near(self, long long join) noexcept nogil
    cdef void begin_group(self, long long group, long long node) noexcept nogil
    cdef long long expand(self, long long join, long long group) noexcept nogil
    cdef long long group_of(self, long long node) noexcept nogil
    cdef long long gap(self, long long join) noexcept nogil
    cdef bint takes_part(self, long long join, long long node) noexcept nogil
    cdef long long flood(self, long long join, long long node) noexcept nogil
