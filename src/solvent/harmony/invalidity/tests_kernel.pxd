from solvent.harmony.invalidity.position_kernel cimport Position


cdef class HarmonyTest:
    cdef readonly object name
    """The name users know it by."""
    cdef readonly object reason
    """Why a board it fires on can never be solved."""
    cdef readonly bint sound
    """False for a test that is known to fire on solvable boards; such a test is never used to prune."""
    cdef readonly long long cost
    """About how many nanoseconds a call in a search takes on a 4×4 board, more than the call of a test that does nothing.
    Cheaper tests are asked first. `UNKNOWN_COST` for those of users."""
    cdef readonly object superseded_by
    """The name of a test that fires wherever this one does, which the search asks instead; empty if there is none."""

    cdef bint fires(self, Position position) noexcept nogil
    cdef bint fires_after(self, Position position, long long a, long long b) noexcept nogil


cdef class PythonTest(HarmonyTest):
    cdef readonly object test
    """What the user wrote."""
    cdef readonly object palette
    """The names of the colours, for the boards it is shown."""
    cdef readonly object error
    """What it raised, or None. It is asked no more after that."""


cdef class CountedTest:
    cdef readonly HarmonyTest test
    """The test to call."""
    cdef readonly CountedTest following
    """What is asked when the test stays silent, or None after the last."""
    cdef readonly long long calls
    """How often the test was called."""
    cdef readonly long long hits
    """How often it fired."""
    cdef readonly long long timed
    """How many of the calls were timed."""
    cdef readonly long long nanoseconds
    """How long those took."""
    cdef readonly long long time_every
    """One call in so many is timed."""
    cdef long long until_timed
    """Calls until the next that is timed."""
    cdef long long clock_takes
    """Nanoseconds between two looks at the clock with nothing in between."""
    cdef readonly long long first_depth
    """The test is asked about boards after so many swaps and more."""
    cdef readonly bint only_affected
    """Whether the test looks only at what the last swap affected, where it was silent before."""

    cdef bint any_fires(self, Position position) noexcept nogil
    cdef bint any_fires_after(self, Position position, long long a, long long b, long long depth) noexcept nogil
    cdef bint fires_now(self, Position position, long long a, long long b) noexcept nogil
