from solvent.engine.hash_table_kernel cimport HashTable
from solvent.harmony.invalidity.position_kernel cimport Position
from solvent.harmony.invalidity.tests_kernel cimport Tally


cdef class Search:
    cdef Position position
    """The board at the end of the line being tried."""
    cdef Tally tests
    """The tests to run on each board, or None."""
    cdef long long[:, ::1] pairs
    """Shape (pair_count, 2): every two aligned cells, in the order they are tried."""
    cdef long long pair_count
    """How many there are."""
    cdef long long swaps
    """The number of swaps every solution has: no line is longer."""
    cdef long long[::1] upcoming
    """For each depth up to `depth`, the pair to try next; the one before it is the swap that leads deeper."""
    cdef long long depth
    """How many swaps the line being tried has, or -1 when every line was tried."""
    cdef long long status
    """How the last run ended."""
    cdef readonly HashTable known
    """The boards visited so far; not used if `colour_bits` is 0."""
    cdef long long colour_bits
    """Bits that hold a colour in a key of `known`; 0 if boards are too large for a key."""
    cdef long long move_bits
    """Bits that hold the moves of a tile there."""
    cdef unsigned long long[::1] columns
    """The columns of a board as numbers, smallest first, while its key is made."""
    cdef readonly long long visited
    """Boards visited."""
    cdef readonly long long repeated
    """Boards that had been visited before."""

    cdef void visit_boards(self, long long limit) noexcept nogil
    cdef bint is_new(self) noexcept nogil
