"""The rules of Harmony once more, for checking: tiles on cells, and what a swap does to them."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import counted
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, format_swap, parse_swap

Tiles = tuple[tuple[int, int], ...]
"""(colour, moves left) of the tile on each cell, row by row."""


def tiles_of(board: Board) -> Tiles:
    """Return the tiles as they stand."""
    return tuple(zip(board.colours, board.moves, strict=True))


def swap_tiles(tiles: Tiles, a: int, b: int, cols: int) -> Tiles | str:
    """Return the tiles after a swap, or a sentence that says which rule it breaks."""
    same_row = a // cols == b // cols
    same_column = a % cols == b % cols
    if a == b or not (same_row or same_column):
        return f"{format_swap((a, b), cols)} are not two cells of one row or column"
    for cell in (a, b):
        if tiles[cell][1] < 1:
            return f"{format_swap((a, b), cols)}: the tile on {format_cell(cell, cols)} has no moves left"
    changed = list(tiles)
    changed[a] = (tiles[b][0], tiles[b][1] - 1)
    changed[b] = (tiles[a][0], tiles[a][1] - 1)
    return tuple(changed)


def unsolved_parts(tiles: Tiles, cols: int) -> Iterator[str]:
    """Yield what is still wrong: each tile outside its row, each tile with moves left."""
    for cell, (colour, moves) in enumerate(tiles):
        if colour != cell // cols:
            yield f"the tile on {format_cell(cell, cols)} is not in its row"
        if moves != 0:
            yield f"the tile on {format_cell(cell, cols)} has {counted(moves, 'move')} left"


def play_forced(board: Board, forced: list[str]) -> Tiles | str:
    """Play swaps that every solution must contain and may begin with, or say which one is not forced.

    A swap is forced when both tiles have one move, share a column, and each stands in the other's home row. Each must
    spend its move on going straight home, so neither leaves before the other comes: they swap with each other, and no
    other swap ever touches their cells.
    """
    tiles = tiles_of(board)
    cols = board.cols
    for text in forced:
        a, b = parse_swap(text, board)
        one_move_each = tiles[a][1] == 1 and tiles[b][1] == 1
        in_each_others_row = tiles[a][0] == b // cols and tiles[b][0] == a // cols
        if not (a % cols == b % cols and one_move_each and in_each_others_row):
            return f"{text} is not forced"
        played = swap_tiles(tiles, a, b, cols)
        if isinstance(played, str):
            return played
        tiles = played
    return tiles


def live_group(tiles: Tiles, start: int, cols: int) -> set[int]:
    """Return all live cells that can be reached from a live cell along rows and columns of live cells."""
    group = {start}
    while True:
        more = {
            cell
            for cell, (_, moves) in enumerate(tiles)
            if moves > 0
            and cell not in group
            and any(cell // cols == member // cols or cell % cols == member % cols for member in group)
        }
        if not more:
            return group
        group |= more
