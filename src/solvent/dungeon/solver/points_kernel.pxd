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
    cdef bint numbered
    """Whether all events and points are; without macros they are from the start."""
    cdef HashTable alike
    """The events numbered so far, by where they lead and what they ask for."""
    cdef bint has_stops
    """Whether macros stop at more cells than events lead to."""
    cdef unsigned char[::1] stops
    """1 for each of these cells."""
    cdef readonly bint chosen
    """Whether only some points have macros; then every cell is a point, and its number is that of the cell."""
    cdef unsigned char[::1] has_table
    """If so: 1 for each cell that has macros; from the others the search goes on step by step."""
    cdef readonly bint penalises
    """Whether arcs have penalties; the rows below are empty if not."""
    cdef int[::1] penalty
    """The penalty of each arc."""
    cdef int[::1] macro_penalty
    """The penalties along each macro, its last arc included."""
    cdef int[::1] walk_penalty
    """For each cell the penalties along the walk that came to it."""
    cdef int[::1] level
    """For each cell the moves of that walk."""
    cdef int[::1] macro_of
    """For each event the macro that leads to it in the table that was built last."""
    cdef int[::1] below
    """For each cell how many macros walk over it, while `spread` counts them."""

    cdef bint is_event(self, long long arc, int[::1] area_of, bint by_areas) noexcept nogil
    cdef void mark_events(self, int[::1] area_of, bint by_areas) noexcept nogil
    cdef void number_events(self, long long limit) noexcept nogil
    cdef void number_points(self) noexcept nogil
    cdef void list_points(self) noexcept nogil
    cdef void take_every_step(self) noexcept nogil
    cdef void fill_table(self, long long point) noexcept nogil
    cdef long long find_walk(self, long long start, long long end) noexcept nogil
    cdef void fill_steps(self, long long point) noexcept nogil
    cdef void begin_walk(self, long long start) noexcept nogil
    cdef void walk_better(self, long long arc, long long here, long long there) noexcept nogil
    cdef void end_better(self, long long arc, long long here, long long moves) noexcept nogil
    cdef bint is_walked(self, long long end, long long following) noexcept nogil
    cdef void add_walks(self, long long point, long long times, long long[::1] walked) noexcept nogil
