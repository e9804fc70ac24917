"""Call a test by its number from inside a kernel: the number is its place in `SOUND_TESTS`."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.blocked_swap import blocked_swap
from solvent.harmony.invalidity.isolated_tile import isolated_tile
from solvent.harmony.invalidity.live_components import live_colours, live_parity
from solvent.harmony.invalidity.stalemate import stalemate
from solvent.harmony.invalidity.stuck_tile import stuck_tile
from solvent.harmony.invalidity.stuck_tiles import stuck_tiles
from solvent.harmony.invalidity.wrong_row_zero_moves import wrong_row_zero_moves


@kernel
def fires(number: int, rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Tell whether a test proves the board unsolvable."""
    if number == 0:
        return wrong_row_zero_moves(rows, cols, colours, moves)
    if number == 1:
        return blocked_swap(rows, cols, colours, moves)
    if number == 2:
        return stuck_tile(rows, cols, colours, moves)
    if number == 3:
        return stuck_tiles(rows, cols, colours, moves)
    if number == 4:
        return isolated_tile(rows, cols, colours, moves)
    if number == 5:
        return stalemate(rows, cols, colours, moves)
    if number == 6:
        return live_parity(rows, cols, colours, moves)
    return live_colours(rows, cols, colours, moves)


@kernel
def any_fires(rows: int, cols: int, colours: Any, moves: Any, tests: Any, calls: Any, hits: Any) -> bool:
    """Run tests by number, in order, until one fires; count calls and hits."""
    for index in range(len(tests)):
        calls[index] += 1
        if fires(tests[index], rows, cols, colours, moves):
            hits[index] += 1
            return True
    return False


@kernel
def fire_repeatedly(times: int, number: int, rows: int, cols: int, colours: Any, moves: Any) -> int:
    """Call a test many times, to measure what one call takes."""
    count = 0
    for _ in range(times):
        count += fires(number, rows, cols, colours, moves)
    return count
