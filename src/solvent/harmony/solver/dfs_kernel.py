"""The kernel of the depth-first search: try every swap, skip what a test or the table of visited boards rules out.

Swaps always use up moves, so the search never runs in circles and never goes deeper than the number of swaps left.

What the arrays hold, for a board with `swaps` swaps left and `cells` cells:
- colours[d, cell], moves[d, cell]  int64, (swaps + 1, cells): the board after d swaps of the line being tried
- upcoming[d]                       int64: the pair to try next on that board
- pairs[p, 0], pairs[p, 1]          int64: every two aligned cells
- table                             visited boards, see `solvent.engine.jit.hash_table`; not used if bits[0] is 0
- bits[0], bits[1]                  int64: bits that hold a colour, and the moves, of one cell in a table key
- columns[col]                      int64: scratch for the key
- tests[i]                          int64: the tests to run, by number, in order
- calls[i], hits[i]                 int64: how often each was called and fired
- progress[:]                       int64: depth now, boards visited, boards found in the table
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.hash_table import entry_count, find_or_insert
from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.dispatch import any_fires

DEPTH, VISITED, REPEATED = 0, 1, 2
FOUND, EXHAUSTED, TABLE_FULL = 1, 2, 3
WORD_BITS = 63


@kernel
def remember(rows: int, cols: int, colours: Any, moves: Any, bits: Any, columns: Any, table: Any) -> int:
    """Put a board into the table: 1 if it is new, 0 if it is there, perhaps with other column order, -1 if full.

    The order of columns does not matter to the rules, so the key has them sorted.
    """
    width = bits[0] + bits[1]
    for col in range(cols):
        code = 0
        for row in range(rows):
            cell = row * cols + col
            code = (((code << bits[0]) | colours[cell]) << bits[1]) | moves[cell]
        place = col
        while place > 0 and columns[place - 1] > code:
            columns[place] = columns[place - 1]
            place -= 1
        columns[place] = code
    high = low = used = 0
    for col in range(cols):
        if used + rows * width > WORD_BITS:
            high, low, used = low, 0, 0
        low = (low << (rows * width)) | columns[col]
        used += rows * width
    entries = entry_count(table)
    number = find_or_insert(table, high, low)
    if number < 0:
        return -1
    return 1 if number == entries else 0


@kernel
def search(
    limit: int, rows: int, cols: int, colours: Any, moves: Any, upcoming: Any, pairs: Any,
    table: Any, bits: Any, columns: Any, tests: Any, calls: Any, hits: Any, progress: Any,
) -> int:  # fmt: skip
    """Visit up to `limit` boards; return FOUND, EXHAUSTED, TABLE_FULL (call again with a bigger table) or 0."""
    cells = rows * cols
    deepest = len(upcoming) - 1
    until = progress[VISITED] + limit
    while progress[VISITED] < until:
        depth = progress[DEPTH]
        if depth < 0:
            return EXHAUSTED
        if upcoming[depth] == len(pairs):
            progress[DEPTH] -= 1
            continue
        a, b = pairs[upcoming[depth], 0], pairs[upcoming[depth], 1]
        upcoming[depth] += 1
        if moves[depth, a] == 0 or moves[depth, b] == 0:
            continue
        child = depth + 1
        for cell in range(cells):
            colours[child, cell] = colours[depth, cell]
            moves[child, cell] = moves[depth, cell]
        colours[child, a], colours[child, b] = colours[depth, b], colours[depth, a]
        moves[child, a], moves[child, b] = moves[depth, b] - 1, moves[depth, a] - 1
        progress[VISITED] += 1
        if child == deepest:
            solved = True
            for cell in range(cells):
                if colours[child, cell] != cell // cols:
                    solved = False
                    break
            if solved:
                return FOUND
            continue
        if any_fires(rows, cols, colours[child], moves[child], tests, calls, hits):
            continue
        if bits[0] > 0:
            new = remember(rows, cols, colours[child], moves[child], bits, columns, table)
            if new < 0:
                upcoming[depth] -= 1
                progress[VISITED] -= 1
                return TABLE_FULL
            if new == 0:
                progress[REPEATED] += 1
                continue
        upcoming[child] = 0
        progress[DEPTH] = child
    return 0
