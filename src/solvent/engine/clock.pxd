# A clock for kernels, read without Python. `clock.py` says what it promises and is what runs uncompiled.

cdef extern from *:
    """
    #if defined(_WIN32)
      #include <windows.h>
      static long long solvent_nanoseconds(void) {
          LARGE_INTEGER ticks, a_second;
          QueryPerformanceCounter(&ticks);
          QueryPerformanceFrequency(&a_second);
          return (long long) ((double) ticks.QuadPart * 1e9 / (double) a_second.QuadPart);
      }
    #else
      #include <time.h>
      static long long solvent_nanoseconds(void) {
          struct timespec now;
          clock_gettime(CLOCK_MONOTONIC, &now);
          return (long long) now.tv_sec * 1000000000LL + (long long) now.tv_nsec;
      }
    #endif
    """
    long long solvent_nanoseconds() noexcept nogil


cdef inline long long nanoseconds() noexcept nogil:
    return solvent_nanoseconds()
