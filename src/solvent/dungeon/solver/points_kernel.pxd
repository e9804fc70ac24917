from solvent.dungeon.solver.graph_kernel cimport Graph
from solvent.engine.hash_table_kernel cimport HashTable


cdef class Points:
    cdef readonly Graph graph
    """The graph of tiles."""
    cdef readonly long long count
    """How many points there are."""
    cdef readonly long long events
    """How many events there are; no table is longer."""
    cdef readonly int[::1] cells
    """The cell of each point."""
    cdef readonly int[::1] point_at
    """The point at each cell, -1 where there is none."""
    cdef int[::1] event_of
    """For each arc between cells the number of the event it is, -1 if macros walk over it."""
    cdef int[::1] first_macro
    """Where the macros of each point begin."""
    cdef int[::1] macro_count
    """How many macros each point has, -1 until its table is built."""
    cdef readonly int[::1] macro_arc
    """The arc that a macro ends with."""
    cdef int[::1] macro_moves
    """How many moves a macro takes."""
    cdef long long macros
    """How many macros there are by now."""
    cdef long long stamp
    """The number of the last walk; marks with this number belong to it."""
    cdef int[::1] seen
    """For each cell the stamp of the last walk that came there."""
    cdef int[::1] met
    """For each event the stamp of the last walk that met it."""
    cdef int[::1] queue
    """The cells that a walk came to, in the order it did."""
    cdef int[::1] distance
    """For each entry of `queue`, how many moves it took."""
    cdef int[::1] came_by
    """For each cell that a walk came to, the arc by which it did; -1 where it began."""

    cdef readonly long long looked
    """How many moves were looked at to build the last table, or to find the last walk."""
    cdef long long next_arc
    """The arc to number next."""
    cdef HashTable alike
    """The events numbered so far, by where they lead and what they ask for."""

    cdef bint is_event(self, long long arc, int[::1] area_of, bint by_areas) noexcept nogil
    cdef void mark_events(self, int[::1] area_of, bint by_areas) noexcept nogil
    cdef void number_events(self, long long limit) noexcept nogil
    cdef void number_points(self) noexcept nogil
    cdef void list_points(self) noexcept nogil
    cdef void take_every_step(self) noexcept nogil
    cdef void fill_table(self, long long point) noexcept nogil
    cdef long long find_walk(self, long long start, long long end) noexcept nogil
