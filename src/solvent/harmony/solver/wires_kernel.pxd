cdef class Plan:
    cdef readonly long long rows
    """Rows of the board."""
    cdef readonly long long cols
    """Columns of the board."""
    cdef readonly long long cells
    """Cells of the board, numbered row by row, and tiles: a tile is named by the cell it starts on."""
    cdef readonly long long slots
    """Slots of the plan, in order of time."""
    cdef long long[::1] colours
    """For each tile the row it belongs in."""
    cdef long long[::1] moves
    """For each tile the swaps it must make."""
    cdef int[:, ::1] partners
    """Shape (cells, rows + cols): the live cells aligned with each live cell, the first `partner_count` of a row."""
    cdef int[::1] partner_count
    """For each cell how many partners it has."""
    cdef int[::1] live
    """The cells that have partners."""
    cdef readonly long long live_count
    """How many there are."""
    cdef int[::1] swap_a
    """For each slot one of the two cells it swaps, or -1 if it is empty."""
    cdef int[::1] swap_b
    """The other one."""
    cdef int[:, ::1] tile_at
    """Shape (cells, slots + 1): the tile on a cell before a slot; the last column is the end."""
    cdef int[:, ::1] cell_of
    """Shape (tiles, slots + 1): the cell a tile stands on before a slot."""
    cdef int[:, ::1] swaps_before
    """Shape (tiles, slots + 1): how many swaps a tile has made before a slot."""
    cdef long long[::1] swaps_made
    """For each tile all swaps it makes."""
    cdef long long[::1] end_row
    """For each tile the row it ends in."""
    cdef long long[::1] left
    """For each tile the moves it has left at the end; 0 if it makes too many swaps."""
    cdef int[:, ::1] tiles_of
    """Shape (rows, cells): the tiles that belong in each row, the first `tile_count` of a row."""
    cdef long long[::1] tile_count
    """For each row how many tiles belong in it."""
    cdef long long[::1] most_moves
    """For each row the most moves that a tile has that belongs in it."""
    cdef long long[::1] left_of
    """For each row what its tiles have left together."""
    cdef long long[::1] unpaired
    """For each row how many of these moves find no partner in the row."""
    cdef long long[::1] standing
    """For each cell the tile on it, while the wires are laid."""
    cdef long long[::1] since
    """For each tile the slot its wire is drawn to so far, while the wires are laid."""
    cdef long long laid
    """How far the wires are laid: so many slots, then, beyond the last slot, so many cells drawn to the end."""
    cdef readonly long long cost
    """What the plan costs; 0 is a solution."""

    cdef long long tile_cost(self, long long tile, long long swaps, long long row) noexcept nogil
    cdef long long set_left(self, long long tile, long long swaps) noexcept nogil
    cdef long long find_unpaired(self, long long row) noexcept nogil
    cdef bint is_wrong(self, long long tile) noexcept nogil
    cdef void add_unpaired(self) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef void set_slot(self, long long slot, long long a, long long b) noexcept nogil
    cdef void begin_wires(self) noexcept nogil
    cdef void lay_wires(self, long long limit) noexcept nogil
    cdef long long lay_slot(self, long long slot) noexcept nogil
    cdef long long lay_end(self, long long cell) noexcept nogil
    cdef long long draw_wire(self, long long tile, long long cell, long long until) noexcept nogil


cdef class Change:
    cdef long long steps
    """How many slots are to change: 0 to 2."""
    cdef long long[2] slot
    """The slots to change, in order of time."""
    cdef long long[2] a
    """For each of them one of the two cells it is to swap, or -1 to empty it."""
    cdef long long[2] b
    """The other one."""
    cdef long long[::1] rider
    """For each wire the tile that would ride it after the change; its own tile between two changes."""
    cdef long long[::1] extra
    """For each wire how many swaps more that tile would have made than the wire's own; 0 between two changes."""
    cdef long long touched_count
    """How many wires got another rider or other swaps in a step of the change, if only for a while."""
    cdef long long[8] touched
    """These wires."""
    cdef long long[4] next_wire
    """The wires that the tiles of one changed slot ride on."""
    cdef long long[4] next_rider
    """Their riders."""
    cdef long long[4] next_extra
    """Their extra swaps."""
    cdef long long[2] moved_count
    """For each changed slot how many wires are ridden differently from there to the next, or to the end."""
    cdef long long[2][8] moved_wire
    """These wires."""
    cdef long long[2][8] moved_rider
    """Their riders."""
    cdef long long[2][8] moved_extra
    """Their extra swaps."""
    cdef long long[8] held_place
    """The cell, or the row at the end, of each moved wire while the tables are rewritten."""
    cdef long long[8] held_swaps
    """Its swaps."""
    cdef long long[8] left_before
    """For each touched wire what its rider had left before the change."""

    cdef void begin(self) noexcept nogil
    cdef void set_slot(self, long long slot, long long a, long long b) noexcept nogil
    cdef long long rise(self, Plan plan) noexcept nogil
    cdef long long rise_of_rows(self, Plan plan) noexcept nogil
    cdef bint knows_row(self, Plan plan, long long row, long long place) noexcept nogil
    cdef void cross(self, Plan plan, long long step) noexcept nogil
    cdef long long follow_tile(self, Plan plan, long long step, long long cell, long long count) noexcept nogil
    cdef void note_moved(self, long long step) noexcept nogil
    cdef void carry_out(self, Plan plan) noexcept nogil
    cdef void exchange_ends(self, Plan plan) noexcept nogil
    cdef void rewire(self, Plan plan, long long step, long long until) noexcept nogil
