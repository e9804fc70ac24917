from solvent.harmony.invalidity.position_kernel cimport Position


cdef class HarmonyTest:
    cdef readonly object name
    """The name users know it by."""
    cdef readonly object reason
    """Why a board it fires on can never be solved."""
    cdef readonly bint sound
    """False for a test that is known to fire on solvable boards; such a test is never used to prune."""

    cdef bint fires(self, Position position) noexcept nogil


cdef class CountedTest:
    cdef readonly HarmonyTest test
    """The test to call."""
    cdef readonly CountedTest following
    """What is asked when the test stays silent, or None after the last."""
    cdef readonly long long calls
    """How often the test was called."""
    cdef readonly long long hits
    """How often it fired."""

    cdef bint any_fires(self, Position position) noexcept nogil
