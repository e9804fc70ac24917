from solvent.starbattle.solver.units cimport WIDEST


cdef class Board:
    cdef readonly long long size
    """How many rows, columns and regions there are."""
    cdef readonly long long stars
    """How many stars each of them wants."""
    cdef unsigned long long every
    """All cells of a line."""
    cdef signed char region[WIDEST][WIDEST]
    """The region of the cell in a row and column."""
    cdef unsigned int segment[2][WIDEST][WIDEST]
    """[orientation][line][region]: the cells of the line that are in the region."""
    cdef unsigned long long met[2][WIDEST]
    """[orientation][line]: the regions that the line meets, as bits."""
    cdef long long first_row[WIDEST]
    """The first row each region reaches."""
    cdef long long last_row[WIDEST]
    """The last row each region reaches."""
