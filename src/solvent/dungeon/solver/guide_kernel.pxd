from solvent.dungeon.solver.state_kernel cimport PackedState


cdef class Guide:
    cdef long long weight
    """How much a move that is left counts in the order of the search, in 64ths of one that was made."""
    cdef long long landmarks
    """How many items no plan does without; -1 if nothing is known of how far it is."""
    cdef long long[:, ::1] away
    """Shape (1 + landmarks, cells): how far each cell is from the goal with every gate open, then by way of each
    landmark."""
    cdef bint is_apart
    """Whether the parts of a distance have weights of their own."""
    cdef long long[:, ::1] weighted
    """If so, of the same shape: what each distance counts in the order of the search, in 64ths of a move."""
    cdef int[::1] landmark_word
    """The word with the bit of having each landmark."""
    cdef unsigned long long[::1] landmark_mask
    """That bit."""
    cdef long long item_sets
    """How many sets of items `alive` tells apart; 0 if no dead ends are known."""
    cdef unsigned char[:, ::1] alive
    """Shape (sets of items, cells): 0 where nothing leads to the goal, even with endless keys and bombs."""
    cdef long long item_word
    """The word with the bits of these items."""
    cdef long long item_shift
    """Where these bits begin."""
    cdef bint has_bounds
    """Whether it is known where more keys or bombs are needed than there are."""
    cdef unsigned char[::1] supplied
    """If so: 0 for each of these cells."""

    cpdef bint is_supplied(self, long long cell) noexcept nogil
    cpdef bint is_alive(self, long long cell, PackedState state) noexcept nogil
    cdef long long moves_left(self, long long cell, PackedState state) noexcept nogil
    cdef long long estimate(self, long long left, long long cell, PackedState state) noexcept nogil
