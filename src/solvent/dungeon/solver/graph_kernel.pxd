from solvent.dungeon.solver.mechanics cimport (
    CALM, CHANGED, GAIN, ILLEGAL, NEED, NEED_OFF, NEED_ON, NEVER, SPEND, TOGGLE, TOOK,
)
from solvent.dungeon.solver.state_kernel cimport BitRows, PackedState
from solvent.engine.bits cimport bit


cdef class Mechanics:
    cdef readonly long long words
    """How many words a state has."""
    cdef readonly long long gates
    """How many gates there are; the rows from `gate_kind` on have an entry for each."""
    cdef readonly long long stocks
    """How many stocks there are; the rows from `stock_word` on have an entry for each."""
    cdef unsigned char[::1] gate_kind
    """SPEND, NEED, NEED_ON, NEED_OFF, SHUT or NEVER."""
    cdef int[::1] gate_word
    """The word with the gate's, or its switch's, bit."""
    cdef unsigned long long[::1] gate_mask
    """That bit, where it stands."""
    cdef int[::1] gate_stock
    """For SPEND: the stock it is paid from."""
    cdef BitRows gate_needs
    """For NEED: the bits that must be set."""
    cdef int[::1] stock_word
    """The word with the number in hand."""
    cdef int[::1] stock_shift
    """Where that number begins."""
    cdef unsigned long long[::1] stock_most
    """The largest number there is room for: ones only."""
    cdef BitRows stock_gates
    """The bits of the gates it is spent on."""
    cdef int[::1] block_word
    """The word with each block's field."""
    cdef int[::1] block_shift
    """Where that field, of three bits, begins."""

    cdef long long meet(self, long long gate, PackedState state) noexcept nogil
    cdef void add_stock(self, long long stock, long long amount, PackedState state) noexcept nogil
    cdef long long left_to_spend_on(self, long long stock, PackedState state) noexcept nogil


cdef class Graph:
    cdef readonly Mechanics mechanics
    """What its gates, stocks and blocks are."""
    cdef readonly long long nodes
    """How many nodes there are."""
    cdef readonly long long arcs
    """How many arcs there are; the rows from `source` to `demand` have an entry for each, sorted by source."""
    cdef readonly int[::1] source
    """The node it leads from."""
    cdef readonly int[::1] target
    """The node it leads to."""
    cdef readonly int[::1] move
    """0 to 3 for the letters, 4 + n for way n."""
    cdef readonly int[::1] demand
    """What it asks for: an index into `demands`; 0 for nothing."""
    cdef readonly int[::1] first_arc
    """Shape (nodes + 1): the arcs of node u are `first_arc[u]` to `first_arc[u + 1]`."""
    cdef readonly int[::1] incoming
    """The arcs once more, sorted by target; see `sort_incoming`."""
    cdef readonly int[::1] first_incoming
    """Shape (nodes + 1): those that lead to node u are `incoming[first_incoming[u]]` to `[first_incoming[u + 1]]`."""
    cdef readonly object demands
    """What arcs ask for, as a list of `Demand`."""
    cdef int[:, ::1] demand_gates
    """Shape (demands, 3): the gates a demand is about, NO_GATE where there are fewer."""
    cdef int[::1] demand_block
    """The block that stood on the target, or -1."""
    cdef int[::1] demand_push
    """What the block's field becomes when it is pushed; 0 if it cannot be from there."""
    cdef int[::1] demand_behind
    """The node it is pushed onto."""
    cdef readonly object effects
    """What entering nodes does, as a sorted list of `Effect`; the rows below hold the same."""
    cdef int[::1] first_effect
    """Shape (nodes + 1): where the effects of each node begin."""
    cdef unsigned char[::1] effect_kind
    """TAKE, GAIN or TOGGLE."""
    cdef int[::1] effect_word
    """The word with its bit."""
    cdef unsigned long long[::1] effect_mask
    """That bit, where it stands."""
    cdef int[::1] effect_stock
    """For GAIN: the stock that grows."""
    cdef int[::1] effect_amount
    """For GAIN: by how much."""
    cdef readonly object rests
    """Where blocks can come to rest, as a sorted list of `Rest`; the rows below hold the same."""
    cdef int[::1] first_rest
    """Shape (nodes + 1): where the rests of each node begin."""
    cdef int[::1] rest_word
    """The word with the field of the block that may rest there."""
    cdef int[::1] rest_shift
    """Where that field begins."""
    cdef int[::1] rest_value
    """What the field is when the block rests there."""
    cdef readonly unsigned char[::1] is_goal
    """1 for nodes on which the game is won."""

    cpdef long long take(self, long long arc, PackedState state, PackedState out) noexcept nogil
    cdef long long push_block(self, long long demand, PackedState state) noexcept nogil
    cdef bint is_rested_on(self, long long node, PackedState state) noexcept nogil
    cdef bint collect(self, long long node, PackedState state) noexcept nogil
    cdef bint has_effects(self, long long node) noexcept nogil
    cdef bint has_rests(self, long long node) noexcept nogil
    cdef long long first_to(self, long long source, long long target) noexcept nogil
    cdef void sort_by_target(self) noexcept nogil


cdef void fill_firsts(int[::1] owners, long long count, int[::1] firsts) noexcept nogil
