from solvent.dungeon.solver.graph_kernel cimport Graph
from solvent.dungeon.solver.mechanics cimport (
    ALWAYS, IF_BITS, NEED, NEED_OFF, NEVER, NEVER_CALM, SHUT, SPEND, TOGGLE, TRY,
)
from solvent.dungeon.solver.state_kernel cimport PackedState


cdef class Joining:
    cdef readonly Graph cells
    """The graph whose nodes are joined."""
    cdef readonly long long count
    """How many areas there are."""
    cdef readonly int[::1] area_of
    """The area of each cell."""
    cdef readonly int[::1] first_cell
    """The first cell of each area."""
    cdef readonly int[::1] sizes
    """How many cells each area has."""
    cdef unsigned char[::1] alone
    """1 for cells that are areas of their own."""

    cdef void set_alone(self, bint apart) noexcept nogil
    cdef bint joins(self, long long arc) noexcept nogil
    cdef long long head(self, long long cell) noexcept nogil
    cdef void join(self) noexcept nogil
    cdef void number(self) noexcept nogil
    cdef void measure(self) noexcept nogil
    cdef long long list_crossing(self, int[::1] found, bint fill) noexcept nogil


cdef class Areas:
    cdef readonly Graph graph
    """The graph whose nodes are areas."""
    cdef readonly int[::1] area_of
    """The area of each cell."""
    cdef readonly int[::1] first_cell
    """The first cell of each area."""
    cdef readonly int[::1] sizes
    """How many cells each area has."""
    cdef readonly int[::1] cell_arc
    """For each arc between areas, one of the arcs between cells that it stands for."""
    cdef readonly unsigned char[::1] calm
    """For each arc, when it changes nothing but the place: ALWAYS, IF_BITS, NEVER_CALM or TRY."""
    cdef readonly unsigned char[::1] back
    """For each arc, 1 if another leads straight back that is calm whenever this one is."""
    cdef readonly unsigned char[::1] swift
    """For each arc, 1 if besides that it spends something on a single gate, and no arc that this gate bars leads
    elsewhere."""
    cdef readonly unsigned long long[:, ::1] must_set
    """Shape (arcs, words): the bits that must be set for the move to be calm."""
    cdef readonly unsigned long long[:, ::1] must_not
    """Shape (arcs, words): the bits that must not be set for the move to be calm."""
    cdef public unsigned long long[:, ::1] sure
    """Shape (areas, words): what a player who stands in an area is sure to hold or have opened; see `sure_kernel`."""
    cdef int[::1] gate_target
    """For each gate the area that all arcs lead to that it bars, -1 if there are none, -2 if they lead to several."""
    cdef int[::1] gate_low
    """For each gate the smaller end of all arcs that it bars, -1 if there are none, -2 if their ends differ."""
    cdef int[::1] gate_high
    """For each gate the larger end of all arcs that it bars, likewise."""

    cdef bint is_barred(self, long long arc, PackedState state) noexcept nogil
    cdef void mark_calm(self, bint apart) noexcept nogil
    cdef bint add_gate(self, long long arc, long long gate) noexcept nogil
    cdef bint add_effects(self, long long arc, bint apart) noexcept nogil
    cdef bint asks_for_bits(self, long long arc) noexcept nogil
    cdef bint asks_no_more(self, long long arc, long long other) noexcept nogil
    cdef void mark_back(self) noexcept nogil
    cdef void note_ends(self) noexcept nogil
    cdef void mark_swift(self) noexcept nogil
