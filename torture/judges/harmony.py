"""Harmony by brute force: every line of play, from the rule book alone."""

from __future__ import annotations

import string
from collections.abc import Iterator

from solvent.harmony.model import Board

Tiles = tuple[tuple[int, int], ...]
"""Colour and moves left of the tile on each cell, row by row."""
MAX_BOARDS = 60_000


class TooLarge(Exception):
    """Say that more boards can be reached than are worth looking at."""


def can_be_solved(board: Board, most: int = MAX_BOARDS) -> bool:
    """Tell whether some line of play solves the board, or raise TooLarge."""
    first = tuple(zip(board.colours, board.moves, strict=True))
    seen = {first}
    waiting = [first]
    while waiting:
        tiles = waiting.pop()
        if is_solved(tiles, board.cols):
            return True
        for after in _after_each_swap(tiles, board.cols):
            if after not in seen:
                if len(seen) >= most:
                    raise TooLarge
                seen.add(after)
                waiting.append(after)
    return False


def is_solved(tiles: Tiles, cols: int) -> bool:
    """Tell whether every tile is in its row and has no moves left."""
    return all(tile == (cell // cols, 0) for cell, tile in enumerate(tiles))


def _after_each_swap(tiles: Tiles, cols: int) -> Iterator[Tiles]:
    live = [cell for cell, (_, moves) in enumerate(tiles) if moves > 0]
    for number, one in enumerate(live):
        for other in live[number + 1 :]:
            if one // cols == other // cols or one % cols == other % cols:
                yield _swap(tiles, one, other)


def _swap(tiles: Tiles, one: int, other: int) -> Tiles:
    after = list(tiles)
    after[one] = (tiles[other][0], tiles[other][1] - 1)
    after[other] = (tiles[one][0], tiles[one][1] - 1)
    return tuple(after)


def plan_solves(board: Board, plan: list[str]) -> bool:
    """Tell whether swaps such as `A1-B1` are legal one after the other and leave the board solved."""
    tiles: Tiles = tuple(zip(board.colours, board.moves, strict=True))
    for swap in plan:
        cells = [_cell(board, end) for end in swap.strip().upper().split("-")]
        if len(cells) != 2 or None in cells or cells[0] == cells[1]:
            return False
        one, other = (cell for cell in cells if cell is not None)
        in_line = one // board.cols == other // board.cols or one % board.cols == other % board.cols
        if not in_line or tiles[one][1] < 1 or tiles[other][1] < 1:
            return False
        tiles = _swap(tiles, one, other)
    return is_solved(tiles, board.cols)


def _cell(board: Board, name: str) -> int | None:
    name = name.strip()
    if not name or not name[1:].isdecimal():
        return None
    row, col = string.ascii_uppercase.find(name[0]), int(name[1:]) - 1
    return row * board.cols + col if 0 <= row < board.rows and 0 <= col < board.cols else None
