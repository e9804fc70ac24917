from solvent.dungeon.solver.graph_kernel cimport Graph
from solvent.dungeon.solver.mechanics cimport (
    ADVANCE, ALWAYS, GATES_A_MOVE, IF_BITS, NEVER_CALM, REFILL, SPEND, TOGGLE, TRY,
)
from solvent.dungeon.solver.state_kernel cimport BitRows, PackedState


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
    cdef long long next_arc
    """The arc between cells to look at next."""

    cdef void set_alone(self, bint apart) noexcept nogil
    cdef bint joins(self, long long arc) noexcept nogil
    cdef long long head(self, long long cell) noexcept nogil
    cdef void join_cells(self, long long limit) noexcept nogil
    cdef void number(self) noexcept nogil
    cdef void measure(self) noexcept nogil


cdef class Asked:
    cdef readonly BitRows set_bits
    """For each demand the bits that must be set for a move to be calm."""
    cdef readonly BitRows unset_bits
    """For each demand the bits that must not be set."""
    cdef unsigned char[::1] never
    """For each demand, 1 if no move that asks for it is ever calm."""
    cdef unsigned char[::1] tries
    """For each demand, 1 if more than bits decides whether a move that asks for it is calm."""


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
    cdef unsigned char[::1] switches
    """For each area, 1 if entering it always works a switch."""
    cdef bint refills
    """Whether some stock is filled up somewhere."""
    cdef readonly Asked asked
    """What demands ask for."""
    cdef readonly bint apart
    """Whether a move onto something that is not had yet is no calm one."""
    cdef readonly unsigned long long[:, ::1] sure
    """Shape (areas, `sure_words`): what a player who stands in an area is sure to hold or have opened; see
    `sure_kernel`. Nothing is sure of the words behind those."""
    cdef readonly long long sure_words
    """How many words of a state that is known of."""
    cdef PackedState bits
    """A set of bits to work with; empty between calls."""
    cdef long long next_arc
    """The arc to find moves back for next."""
    cdef int[::1] gate_target
    """For each gate the area that all arcs lead to that it bars, -1 if there are none, -2 if they lead to several."""
    cdef int[::1] gate_low
    """For each gate the smaller end of all arcs that it bars, -1 if there are none, -2 if their ends differ."""
    cdef int[::1] gate_high
    """For each gate the larger end of all arcs that it bars, likewise."""

    cdef bint is_barred(self, long long arc, PackedState state) noexcept nogil
    cdef bint lacks_things(self, long long arc, PackedState state) noexcept nogil
    cdef void mark_calm(self) noexcept nogil
    cdef bint is_moody(self, long long node) noexcept nogil
    cdef void mark_switches(self) noexcept nogil
    cdef bint asks_for_bits(self, long long arc) noexcept nogil
    cdef bint asks_no_more(self, long long arc, long long other) noexcept nogil
    cdef void set_things(self, long long node, bint held) noexcept nogil
    cdef void mark_back(self, long long limit) noexcept nogil
    cdef void note_ends(self) noexcept nogil
    cdef void mark_swift(self, long long arc) noexcept nogil
