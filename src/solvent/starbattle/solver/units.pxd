# What all Star Battle kernels share, inlined into each. `units.py` says what it promises and is what runs uncompiled.

cdef enum:
    ROWS = 0
    COLUMNS = 1
    REGIONS = 2
    WIDEST = 25
    MAX_STARS = 6


cdef inline unsigned long long widened(unsigned long long cells) noexcept nogil:
    return cells | (cells << 1) | (cells >> 1)


cdef inline long long room_on(unsigned long long cells) noexcept nogil:
    cdef long long count = 0
    cdef unsigned long long lowest
    while cells != 0:
        lowest = cells & (~cells + 1)
        cells &= ~(lowest | (lowest << 1))
        count += 1
    return count
