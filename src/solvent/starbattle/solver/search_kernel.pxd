from solvent.starbattle.solver.board_kernel cimport Board
from solvent.starbattle.solver.position_kernel cimport Position
from solvent.starbattle.solver.propagation_kernel cimport Propagation
from solvent.starbattle.solver.saved_positions_kernel cimport SavedPositions
from solvent.starbattle.solver.units cimport MAX_STARS, WIDEST


cdef class Combinations:
    cdef double log[64][MAX_STARS + 1]
    """[cells][stars]: the logarithm of how many ways there are to choose the stars; 63 cells stand for any more."""


cdef class SolutionSearch:
    cdef readonly long long nodes
    """Positions visited so far."""
    cdef readonly long long found
    """Solutions found so far."""
    cdef Board board
    """What never changes."""
    cdef Position position
    """The one the search is at."""
    cdef Propagation propagation
    """The counts."""
    cdef SavedPositions saved
    """The position of each depth above, as it was when it branched."""
    cdef Combinations combinations
    """How many ways there are to choose stars among cells, as logarithms."""
    cdef long long depth
    """How many stars were guessed on the way to the position."""
    cdef long long pending
    """What is to be done next: ENTER the position, CHOOSE a cell to branch on, GO_BACK, or nothing as it is OVER."""
    cdef long long chosen[WIDEST * MAX_STARS][2]
    """[depth]: row and column of the cell that the depth branched on."""
    cdef long long kept[2][WIDEST * MAX_STARS]
    """The latest solutions, each the cells of its stars, row * size + column; the s-th stands at s modulo 2."""
    cdef bint by_cases
    """Whether the cases are written down."""
    cdef int[::1] cases
    """What `written_cases` returns, as far as it is written."""
    cdef long long written
    """How many entries it has."""

    cdef long long search(self, long long last, long long most) noexcept nogil
    cdef void branch(self) noexcept nogil
    cdef void write_case(self, long long entry) noexcept nogil
    cdef void go_back(self) noexcept nogil
    cdef void keep_solution(self) noexcept nogil
    cdef bint choose(self) noexcept nogil
    cdef double trouble(self, long long kind, long long unit) noexcept nogil
    cdef unsigned long long candidates_in_row(self, long long kind, long long unit, long long row) noexcept nogil
    cdef long long touched(self, long long row, long long col) noexcept nogil
