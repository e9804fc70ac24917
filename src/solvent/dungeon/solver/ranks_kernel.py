"""What can follow a situation, once all are known: a winning move, and how soon; and what is sure to be opened."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import UNSIGNED, new_row, new_table

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.exploring_kernel import Situations
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState
else:
    from solvent.dungeon.solver.exploring_kernel import Situations
    from solvent.dungeon.solver.state_kernel import PackedState


def ranks_of(situations: Situations) -> memoryview:
    """Return for each situation how many others lie between it and a winning move, -1 if it is lost."""
    count = situations.table.size
    held = new_row(count)
    ranks: cython.longlong[::1] = held
    with cython.nogil:
        _rank(situations, ranks)
    return held[:count]


def always_set(situations: Situations, bits: PackedState) -> tuple[int, ...]:
    """Return those of some bits that in each situation are set, or are so in one that can follow."""
    follow: cython.ulonglong[:, ::1] = new_table(situations.table.size, bits.count, UNSIGNED)
    always: PackedState = bits.copy()
    with cython.nogil:
        _spread_bits(situations, follow)
        for situation in range(situations.table.size):
            for word in range(always.count):
                always.words[word] &= follow[situation, word]
    return always.as_tuple()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _rank(situations: Situations, ranks: cython.longlong[::1]) -> cython.void:
    """Fill in the ranks: sweep backwards, since what was found later usually lies deeper, until nothing changes."""
    for situation in range(situations.table.size):
        ranks[situation] = 0 if situations.winning_arc[situation] >= 0 else -1
    changed: cython.bint = True
    while changed:
        changed = False
        for situation in range(situations.table.size - 1, -1, -1):
            first = situations.first_edge[situation]
            best = ranks[situation]
            for edge in range(first, first + situations.edge_count[situation]):
                there = ranks[situations.edges[edge]]
                if there >= 0 and (best < 0 or there + 1 < best):
                    best = there + 1
            if best != ranks[situation]:
                ranks[situation] = best
                changed = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _spread_bits(situations: Situations, follow: cython.ulonglong[:, ::1]) -> cython.void:
    """Fill in the bits of each situation and of all that can follow it."""
    for situation in range(situations.table.size):
        for word in range(situations.table.count):
            follow[situation, word] = situations.table.words[situation, word]
    changed: cython.bint = True
    while changed:
        changed = False
        for situation in range(situations.table.size - 1, -1, -1):
            first = situations.first_edge[situation]
            for edge in range(first, first + situations.edge_count[situation]):
                for word in range(situations.table.count):
                    more = follow[situations.edges[edge], word] & ~follow[situation, word]
                    if more != 0:
                        follow[situation, word] |= more
                        changed = True
