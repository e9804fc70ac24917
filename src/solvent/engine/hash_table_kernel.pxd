cdef class HashTable:
    cdef readonly long long size
    """How many entries there are; the next new one gets this number."""
    cdef readonly long long capacity
    """How many there is room for: at most 7 in 10 slots are ever filled, so that looking stays short."""
    cdef long long mask
    """One less than the number of slots, a power of two."""
    cdef unsigned long long[:, ::1] keys
    """Shape (slots, 2): the high and the low word of the key in each slot."""
    cdef long long[::1] numbers
    """For each slot the number of its entry plus 1, or 0 while it is empty."""

    cpdef long long find(self, unsigned long long high, unsigned long long low) noexcept nogil
    cpdef long long find_or_insert(self, unsigned long long high, unsigned long long low) noexcept nogil
    cdef long long slot_of(self, unsigned long long high, unsigned long long low) noexcept nogil
