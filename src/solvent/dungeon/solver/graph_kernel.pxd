from solvent.dungeon.solver.mechanics cimport (
    ADVANCE, ASSIGN, CALM, CHANGED, EARN, GAIN, GATES_A_MOVE, ILLEGAL, NEED, NEED_OFF, NEED_ON, NEVER, REFILL, RULE,
    SPEND, TAKE, TOGGLE, TOOK,
)
from solvent.dungeon.solver.requirements_kernel cimport Programs
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
    """SPEND, NEED, NEED_ON, NEED_OFF, SHUT, NEVER or RULE."""
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
    cdef int[::1] stock_spare
    """How many more are of use than there are gates to spend them on."""
    cdef readonly bint has_spare
    """Whether that is any of some stock: then spending and gaining may close and open ways elsewhere."""
    cdef int[::1] gate_rule
    """For RULE: the number of the requirement."""
    cdef readonly Programs rules
    """The requirements."""
    cdef readonly bint pushes_on
    """Whether a block that was pushed can be pushed again."""
    cdef int[::1] block_word
    """The word with each block's field."""
    cdef int[::1] block_shift
    """Where that field begins."""
    cdef unsigned long long[::1] block_mask
    """The bits of that field."""

    cdef long long meet(self, long long gate, PackedState before, PackedState state) noexcept nogil
    cdef void add_stock(self, long long stock, long long amount, PackedState state) noexcept nogil
    cdef bint fill_stock(self, long long stock, long long amount, PackedState state) noexcept nogil
    cdef long long in_hand(self, long long stock, PackedState state) noexcept nogil
    cdef void set_stock(self, long long stock, long long amount, PackedState state) noexcept nogil
    cdef long long worth_having(self, long long stock, PackedState state) noexcept nogil


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
    """0 to 3 for the letters, from 4 on as `ground` numbers ways, levers and the return to the start."""
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
    """Shape (demands, GATES_A_MOVE): the gates a demand is about, NO_GATE where there are fewer."""
    cdef int[::1] demand_block
    """The block that stood on the target, or -1."""
    cdef int[::1] demand_behind
    """The node that a block on the target is pushed onto, or -1."""
    cdef unsigned char[::1] demand_stays
    """1 if the player stays where they are, so that plates are not stepped on."""
    cdef int[::1] first_deed
    """Shape (demands + 1): where what the move does by itself begins, in the rows from `effect_kind` on."""
    cdef readonly object effects
    """What entering nodes does, as a sorted list of `Effect`; the rows below hold the same."""
    cdef int[::1] first_effect
    """Shape (nodes + 1): where the effects of each node begin."""
    cdef unsigned char[::1] effect_kind
    """TAKE, GAIN, TOGGLE, ASSIGN, ADVANCE, SEIZE, EARN or REFILL. In this row and those below, what moves do by
    themselves comes after the effects of nodes."""
    cdef int[::1] effect_word
    """The word with its bits."""
    cdef unsigned long long[::1] effect_mask
    """Those bits, where they stand."""
    cdef int[::1] effect_stock
    """The stock that grows; for ASSIGN and ADVANCE, where the field begins."""
    cdef int[::1] effect_amount
    """By how much, or up to what; for ASSIGN the value, for ADVANCE how many there are."""
    cdef int[::1] effect_rule
    """The requirement without which it does not happen, or -1."""
    cdef unsigned char[::1] effect_follows
    """1 if it happens exactly when the one before it did."""
    cdef unsigned char[::1] has_rules
    """For each node, 1 if something on it is there only while a requirement holds."""
    cdef readonly bint any_rules
    """Whether there is such a node."""
    cdef readonly object rests
    """Where blocks can be, as a sorted list of `Rest`; the rows below hold the same."""
    cdef int[::1] first_rest
    """Shape (nodes + 1): where the rests of each node begin."""
    cdef int[::1] rest_block
    """The block that may be there."""
    cdef int[::1] rest_value
    """What its field is when it is."""
    cdef readonly unsigned char[::1] is_goal
    """1 for nodes on which the game is won."""

    cpdef long long take(self, long long arc, PackedState state, PackedState out) noexcept nogil
    cdef long long enter(self, long long node, PackedState state, bint steps) noexcept nogil
    cdef long long act(self, long long action, PackedState state) noexcept nogil
    cdef long long push_block(self, long long demand, long long node, PackedState state) noexcept nogil
    cdef long long block_on(self, long long node, PackedState state) noexcept nogil
    cdef bint has_more(self, long long node, PackedState state) noexcept nogil
    cdef bint collect(self, long long node, PackedState state) noexcept nogil
    cdef bint has_effects(self, long long node) noexcept nogil
    cdef bint has_rests(self, long long node) noexcept nogil
    cdef long long first_to(self, long long source, long long target) noexcept nogil
    cdef void sort_by_target(self) noexcept nogil


cdef void fill_firsts(int[::1] owners, long long count, int[::1] firsts) noexcept nogil
