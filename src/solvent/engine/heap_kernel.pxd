cdef class Heap:
    cdef readonly long long size
    """How many entries there are."""
    cdef readonly long long capacity
    """How many there is room for."""
    cdef readonly long long priority
    """The priority of what `pop` took out last."""
    cdef readonly long long item
    """The item that `pop` took out last."""
    cdef long long[:, ::1] entries
    """Shape (capacity + 1, 2): row i, from 1 to `size`, is a priority and its item, never smaller than row i // 2."""

    cpdef bint push(self, long long priority, long long item) noexcept nogil
    cpdef void pop(self) noexcept nogil
    cpdef void clear(self) noexcept nogil
