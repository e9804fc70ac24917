from solvent.engine.bits cimport low_bits, lowest_bit, popcount, without_lowest_bit
from solvent.engine.random cimport scramble
from solvent.valency.solver.network_kernel cimport Arcs, Regions


cdef class Fill:
    cdef Arcs arcs
    """Who is whose neighbour."""
    cdef Regions regions
    """Which region each node is in, for the counts."""
    cdef unsigned long long[:, ::1] domains
    """Shape (nodes, words): the modules still possible on each node."""
    cdef int[::1] sizes
    """Shape (nodes): how many there are; 0 on null slots and nodes that are left out, which nothing ever visits."""
    cdef unsigned long long[:, ::1] seen
    """Shape (nodes, words): what was possible on a node when its arcs were looked at last; unused with one word."""
    cdef signed char[::1] is_seen
    """Shape (nodes): 0 where `seen` says nothing: not yet, or because the node or a neighbour has started again."""
    cdef int[::1] settled
    """Shape (nodes): the module of a node that has one left, else -1."""
    cdef int[::1] filled_at
    """Shape (nodes): after how many choices a node was settled."""
    cdef long long[:, ::1] counts
    """Shape (regions, modules + 1): how often each module is settled on; in the last column all of them together."""
    cdef int[::1] queue
    """Shape (nodes): a ring of nodes whose arcs are to be looked at."""
    cdef long long queue_head
    """Where in the ring the next node is."""
    cdef readonly long long queue_length
    """How many nodes are in the ring."""
    cdef signed char[::1] queued
    """Shape (nodes): 1 for each node in the ring."""
    cdef int[::1] touched
    """Shape (nodes): the nodes whose possibilities have changed since they were last looked through."""
    cdef long long touched_count
    """How many there are."""
    cdef signed char[::1] is_touched
    """Shape (nodes): 1 for each of them."""
    cdef readonly long long choices
    """How many choices were made; counted by who makes them."""
    cdef readonly long long removed
    """How many modules were taken away from nodes, choices included."""
    cdef readonly long long work
    """What was done in this call: the nodes whose arcs were looked at, and the choices."""
    cdef long long effort
    """What else was done in this call: nodes that were gone over to mend, to count or to be ranked anew, and what it
    took to look at arcs where these or the modules are many."""
    cdef long long steps
    """Words and modules that were looked at; so many of them are one unit of effort."""
    cdef unsigned long long[:, ::1] known_sets
    """Shape (kinds, KNOWN_SETS): sets of modules whose supports were worked out, each in the slot its hash gives it."""
    cdef unsigned long long[:, ::1] known_supports
    """Shape (kinds, KNOWN_SETS): what all modules of those sets support together. Both are unused beyond one word."""
    cdef int[:, ::1] likely_word
    """Shape (kinds, modules): the word in which a support of each module was found last; unused with one word."""
    cdef unsigned long long[::1] gone
    """Shape (words): what was taken from the node at hand since its arcs were looked at last."""
    cdef unsigned long long[::1] doubtful
    """Shape (words): what may have lost its support."""
    cdef unsigned long long[::1] supported
    """Shape (words): what the node at hand was found to support."""

    cdef void enqueue(self, long long node) noexcept nogil
    cdef long long dequeue(self) noexcept nogil
    cdef void touch(self, long long node) noexcept nogil
    cdef void forget_touched(self) noexcept nogil
    cdef void settle(self, long long node) noexcept nogil
    cdef void unsettle(self, long long node) noexcept nogil
    cdef void book_size(self, long long node, long long size) noexcept nogil
    cdef void narrowed(self, long long node, long long size) noexcept nogil
    cdef long long propagate(self, long long limit) noexcept nogil
    cdef long long follow_arcs(self, long long node) noexcept nogil
    cdef unsigned long long supported_by(self, long long kind, unsigned long long modules, long long slot) noexcept nogil
    cdef long long follow_arcs_of_words(self, long long node) noexcept nogil
    cdef bint note_removals(self, long long node) noexcept nogil
    cdef bint intersect(self, long long kind, long long node, long long other) noexcept nogil
    cdef void doubt_supported_by_gone(self, long long kind) noexcept nogil
    cdef void doubt_all(self) noexcept nogil
    cdef bint has_support(self, long long kind, long long module, long long node) noexcept nogil
    cdef bint drop_unsupported(self, long long kind, long long node, long long other) noexcept nogil
    cdef void look_again(self, long long node) noexcept nogil
