# Bit sets for kernels, inlined into each. `bits.py` says what these promise and is what runs uncompiled.

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #include <intrin.h>
      static __inline int solvent_popcount(unsigned long long word) { return (int) __popcnt64(word); }
      static __inline int solvent_lowest_bit(unsigned long long word) {
          unsigned long place;
          _BitScanForward64(&place, word);
          return (int) place;
      }
    #else
      #define solvent_popcount __builtin_popcountll
      #define solvent_lowest_bit __builtin_ctzll
    #endif
    """
    int solvent_popcount(unsigned long long word) noexcept nogil
    int solvent_lowest_bit(unsigned long long word) noexcept nogil


cdef inline unsigned long long bit(long long number) noexcept nogil:
    cdef unsigned long long one = 1
    return one << number


cdef inline unsigned long long low_bits(long long count) noexcept nogil:
    cdef unsigned long long one = 1
    return ~(<unsigned long long> 0) if count >= 64 else (one << count) - 1


cdef inline long long popcount(unsigned long long word) noexcept nogil:
    return solvent_popcount(word)


cdef inline long long lowest_bit(unsigned long long word) noexcept nogil:
    return solvent_lowest_bit(word)


cdef inline unsigned long long without_lowest_bit(unsigned long long word) noexcept nogil:
    return word & (word - 1)
