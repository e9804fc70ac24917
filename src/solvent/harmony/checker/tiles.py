"""The rules of Harmony once more, for checking: tiles on cells, and what a swap does to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.core.budget import UNLIMITED, Meter
from solvent.drawing.phrases import counted
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, format_swap, parse_swap

Tile = tuple[int, int]
"""Its colour and the moves it has left."""
Tiles = Sequence[Tile]
"""The tile on each cell, row by row."""


def tiles_of(board: Board) -> tuple[Tile, ...]:
    """Return the tiles as they stand."""
    return tuple(zip(board.colours, board.moves, strict=True))


def broken_rule(tiles: Tiles, a: int, b: int, cols: int) -> str | None:
    """Return a sentence that says which rule a swap breaks, or None if it is legal."""
    same_row = a // cols == b // cols
    same_column = a % cols == b % cols
    if a == b or not (same_row or same_column):
        return f"{format_swap((a, b), cols)} are not two cells of one row or column"
    for cell in (a, b):
        if tiles[cell][1] < 1:
            return f"{format_swap((a, b), cols)}: the tile on {format_cell(cell, cols)} has no moves left"
    return None


def exchange(tiles: list[Tile], a: int, b: int) -> None:
    """Let two tiles change places; both have one move less."""
    one, other = tiles[a], tiles[b]
    tiles[a] = (other[0], other[1] - 1)
    tiles[b] = (one[0], one[1] - 1)


def unsolved_parts(tiles: Tiles, cols: int) -> Iterator[str]:
    """Yield what is still wrong: each tile outside its row, each tile with moves left."""
    for cell, (colour, moves) in enumerate(tiles):
        if colour != cell // cols:
            yield f"the tile on {format_cell(cell, cols)} is not in its row"
        if moves != 0:
            yield f"the tile on {format_cell(cell, cols)} has {counted(moves, 'move')} left"


def play_forced(board: Board, forced: Sequence[str], meter: Meter = UNLIMITED) -> list[Tile] | str:
    """Play swaps that every solution must contain and may begin with, or say which one is not forced.

    A swap is forced when both tiles have one move, share a column, and each stands in the other's home row. Each must
    spend its move on going straight home, so neither leaves before the other comes: they swap with each other, and no
    other swap ever touches their cells.
    """
    tiles = list(tiles_of(board))
    cols = board.cols
    for text in meter.each(forced):
        a, b = parse_swap(text, board)
        one_move_each = tiles[a][1] == 1 and tiles[b][1] == 1
        in_each_others_row = tiles[a][0] == b // cols and tiles[b][0] == a // cols
        if not (a % cols == b % cols and one_move_each and in_each_others_row):
            return f"{text} is not forced"
        broken = broken_rule(tiles, a, b, cols)
        if broken is not None:
            return broken
        exchange(tiles, a, b)
    return tiles


def live_groups(tiles: Tiles, cols: int) -> dict[int, frozenset[int]]:
    """Return for each live cell all live cells that can be reached from it along rows and columns of live cells."""
    in_line: dict[tuple[str, int], list[int]] = {}
    for cell, (_, moves) in enumerate(tiles):
        if moves > 0:
            for line in lines_at(cell, cols):
                in_line.setdefault(line, []).append(cell)
    groups: dict[int, frozenset[int]] = {}
    for start, (_, moves) in enumerate(tiles):
        if moves == 0 or start in groups:
            continue
        group, waiting = {start}, [start]
        while waiting:
            for line in lines_at(waiting.pop(), cols):
                more = set(in_line.pop(line, ())) - group  # a line is gone through once
                group |= more
                waiting += more
        groups.update(dict.fromkeys(group, frozenset(group)))
    return groups


def lines_at(cell: int, cols: int) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the row and the column of a cell."""
    return ("row", cell // cols), ("column", cell % cols)
