from solvent.starbattle.solver.board_kernel cimport Board
from solvent.starbattle.solver.units cimport WIDEST


cdef class Position:
    cdef readonly Board board
    """The board it is a position of."""
    cdef public unsigned long long candidates[2][WIDEST]
    """[orientation][line]: the cells that may still become stars; rows and columns always say the same."""
    cdef public long long needs[3][WIDEST]
    """[kind][unit]: how many stars the unit still needs."""
    cdef public unsigned long long changed[3]
    """[kind]: the units with candidates that went since the unit was last looked at, as bits."""
    cdef public unsigned long long stars[WIDEST]
    """[row]: the cells with stars placed."""

    cpdef void copy(self, Position other) noexcept nogil
    cpdef void rule_out(self, long long orientation, long long line, unsigned long long cells) noexcept nogil
    cpdef bint place_star(self, long long row, long long col) noexcept nogil
    cpdef bint place(self, long long orientation, long long line, unsigned long long cells) noexcept nogil
    cdef void rule_out_in_row(self, long long row, unsigned long long cells) noexcept nogil
    cdef void rule_out_in_column(self, long long col, unsigned long long cells) noexcept nogil
    cdef void rule_out_region(self, long long region) noexcept nogil
