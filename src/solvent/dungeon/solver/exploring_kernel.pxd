from solvent.dungeon.solver.areas_kernel cimport Areas
from solvent.dungeon.solver.graph_kernel cimport Graph
from solvent.dungeon.solver.mechanics cimport (
    CALM, CHANGED, DONE, EXACT, EXHAUSTED, FOUND, FULL, GATES_A_MOVE, ILLEGAL, LOOKS_A_CALL, LOOKS_A_NODE, LOSSY, NEED,
    NOBODY, PAUSED, TOGGLE, TOOK, UNDECIDED, WORKING,
)
from solvent.dungeon.solver.regions_kernel cimport Regions
from solvent.dungeon.solver.state_kernel cimport PackedState, StateTable


cdef class Situations:
    cdef readonly Regions regions
    """What finds regions."""
    cdef Areas areas
    """The areas they are made of."""
    cdef Graph graph
    """The graph of these areas."""
    cdef readonly StateTable table
    """The situations: words, and as the place the smallest area of the region."""
    cdef int[::1] parent
    """For each situation the one that led to it first, or NOBODY."""
    cdef int[::1] via
    """For each situation the arc by which it did."""
    cdef long long[::1] first_edge
    """For each situation where its edges begin."""
    cdef int[::1] edge_count
    """For each situation how many edges it has, -1 until it is expanded."""
    cdef int[::1] winning_arc
    """For each situation an arc from its region that ends on a goal, or -1."""
    cdef int[::1] edges
    """The situations that each one leads to, one after the other."""
    cdef long long edges_used
    """How many entries of `edges` are used."""
    cdef int[::1] stack
    """The situations that are not expanded yet, the youngest last."""
    cdef long long stacked
    """How many these are."""
    cdef readonly long long expanded
    """How many situations were expanded."""
    cdef readonly long long used
    """How many nodes the last call of `run` took."""
    cdef long long current
    """The situation being expanded, NOBODY between two."""
    cdef long long stage
    """What is being done for it."""
    cdef long long index
    """Which of its areas is being left."""
    cdef long long arc
    """By which arc."""
    cdef long long effect
    """What that move does."""
    cdef bint swift
    """Whether it is swift, and opens something."""
    cdef long long node
    """The smallest area of the region it leads to."""
    cdef readonly long long first_win
    """The first situation from which a move ends on a goal, or NOBODY."""
    cdef readonly long long first_dead
    """The first situation from which nothing leads anywhere, or NOBODY."""
    cdef bint stops_at_win
    """Whether to stop at the first win."""
    cdef bint watches_loss
    """Whether to stop at a move that may give up what was not taken yet."""
    cdef PackedState gentle
    """The bits of everything that is held or opened; changing those never bars a way."""
    cdef PackedState openers
    """The bits of things that open ways by being held: items and beaten monsters."""
    cdef int[::1] members
    """The areas of the region being expanded; `size` entries."""
    cdef long long size
    """How many these are."""
    cdef long long smallest
    """The smallest of them."""
    cdef bint together
    """Whether nothing calm leads out of the region being expanded."""
    cdef bint loose
    """Whether something lies, or lay, in that region."""
    cdef PackedState words
    """The situation being expanded."""
    cdef PackedState wanted
    """The bits of what lies, or lay, in its region."""
    cdef PackedState after
    """Where a move from there leads."""
    cdef PackedState without
    """The same for a player who took nothing in the region that was not sure to be held."""
    cdef PackedState spare
    """What a move from there leads to."""

    cdef long long run_on(self, long long limit) noexcept nogil
    cdef void take_up(self) noexcept nogil
    cdef long long expand(self) noexcept nogil
    cdef void look_around(self) noexcept nogil
    cdef long long follow(self) noexcept nogil
    cdef void leave(self) noexcept nogil
    cdef void arrive(self) noexcept nogil
    cdef bint is_inside(self, long long node) noexcept nogil
    cdef long long add(self, long long parent, long long arc, long long node, PackedState state) noexcept nogil
    cdef bint opens_ways(self) noexcept nogil
    cdef bint is_undone(self, long long arc) noexcept nogil
    cdef bint lacks_wanted(self) noexcept nogil
    cdef void leave_behind(self, long long here) noexcept nogil
