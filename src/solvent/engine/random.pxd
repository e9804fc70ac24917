# Random numbers for kernels, inlined into each. `random.py` says what these promise and is what runs uncompiled.


cdef inline unsigned long long scramble(unsigned long long word) noexcept nogil:
    word = (word ^ (word >> 30)) * <unsigned long long> 0xBF58476D1CE4E5B9
    word = (word ^ (word >> 27)) * <unsigned long long> 0x94D049BB133111EB
    return word ^ (word >> 31)


cdef inline unsigned long long mix(unsigned long long high, unsigned long long low) noexcept nogil:
    return scramble((high * <unsigned long long> 0x9E3779B97F4A7C15) ^ low)


cdef inline unsigned long long after_draws(unsigned long long state, unsigned long long draws) noexcept nogil:
    return state + draws * <unsigned long long> 0x9E3779B97F4A7C15


cdef inline long long index_of(unsigned long long word, long long bound) noexcept nogil:
    return <long long> (((word >> 32) * <unsigned long long> bound) >> 32)


cdef inline double unit_of(unsigned long long word) noexcept nogil:
    return <double> (word >> 11) * (1.0 / 9007199254740992.0)
