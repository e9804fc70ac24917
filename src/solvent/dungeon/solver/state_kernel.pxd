from solvent.engine.bits cimport popcount
from solvent.engine.random cimport mix


cdef class PackedState:
    cdef readonly long long count
    """How many words it has."""
    cdef unsigned long long[::1] words
    """The words."""

    cpdef void become(self, PackedState other) noexcept nogil
    cpdef bint equals(self, PackedState other) noexcept nogil


cdef class BitRows:
    cdef int[::1] first
    """Shape (sets + 1): the pairs of set n are `first[n]` to `first[n + 1]`."""
    cdef int[::1] word
    """For each pair the word."""
    cdef unsigned long long[::1] mask
    """For each pair the bits in that word."""

    cdef bint is_empty(self, long long row) noexcept nogil
    cdef bint are_set(self, long long row, PackedState state) noexcept nogil
    cdef bint is_any_set(self, long long row, PackedState state) noexcept nogil
    cdef void add_to(self, long long row, PackedState state) noexcept nogil
    cdef void clear_in(self, long long row, PackedState state) noexcept nogil
    cdef long long count_unset(self, long long row, PackedState state) noexcept nogil


cdef class StateTable:
    cdef readonly long long count
    """How many words a state has."""
    cdef readonly long long size
    """How many entries there are; the next new one gets this number."""
    cdef readonly long long capacity
    """How many there is room for: at most 7 in 10 slots are ever filled, so that looking stays short."""
    cdef long long mask
    """One less than the number of slots, a power of two."""
    cdef unsigned long long[:, ::1] words
    """Shape (capacity, count): the words of each entry."""
    cdef int[::1] places
    """The place of each entry."""
    cdef int[::1] slots
    """For each slot the number of its entry plus 1, or 0 while it is empty."""
    cdef unsigned long long[:, ::1] larger
    """While it grows: the table that `words` becomes."""
    cdef long long moved
    """While it grows: how many entries are in the larger table; -1 otherwise."""

    cpdef long long find(self, PackedState state, long long place) noexcept nogil
    cpdef long long find_or_add(self, PackedState state, long long place) noexcept nogil
    cpdef void load(self, long long entry, PackedState state) noexcept nogil
    cdef long long slot_of(self, PackedState state, long long place) noexcept nogil
    cdef void move(self, long long limit) noexcept nogil
