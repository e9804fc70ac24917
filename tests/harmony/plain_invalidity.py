"""The invalidity tests restated in plain Python from what their modules promise: sets of tiles, no arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from solvent.harmony.model import Board


class Tile(NamedTuple):
    row: int
    col: int
    colour: int
    moves: int


def tiles_of(board: Board) -> list[Tile]:
    places = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    return [
        Tile(*place, *tile) for place, tile in zip(places, zip(board.colours, board.moves, strict=True), strict=True)
    ]


def rows_of(board: Board) -> list[list[Tile]]:
    tiles = tiles_of(board)
    return [[tile for tile in tiles if tile.row == row] for row in range(board.rows)]


def is_home(tile: Tile) -> bool:
    return tile.colour == tile.row


def partners(tile: Tile, tiles: list[Tile]) -> list[Tile]:
    """Return the other tiles with moves left in its row and column."""
    return [
        other for other in tiles if other.moves and other != tile and (other.row == tile.row or other.col == tile.col)
    ]


def components(board: Board) -> Iterator[set[Tile]]:
    """Yield the groups of tiles with moves left that rows and columns connect."""
    tiles = tiles_of(board)
    left = {tile for tile in tiles if tile.moves}
    while left:
        group: set[Tile] = set()
        fresh = {min(left)}
        while fresh:
            group |= fresh
            fresh = {other for tile in fresh for other in partners(tile, tiles)} - group
        left -= group
        yield group


def wrong_row_zero_moves(board: Board) -> bool:
    return any(tile.moves == 0 and not is_home(tile) for tile in tiles_of(board))


def blocked_swap(board: Board) -> bool:
    tiles = tiles_of(board)
    closed = {(tile.row, tile.col) for tile in tiles if tile.moves == 0}
    return any(tile.moves == 1 and not is_home(tile) and (tile.colour, tile.col) in closed for tile in tiles)


def stuck_tile(board: Board) -> bool:
    return any(all(map(is_home, row)) and sum(tile.moves for tile in row) == 1 for row in rows_of(board))


def stuck_tiles(board: Board) -> bool:
    return any(
        all(is_home(tile) and tile.moves <= 1 for tile in row) and sum(tile.moves for tile in row) % 2
        for row in rows_of(board)
    )


def isolated_tile(board: Board) -> bool:
    tiles = tiles_of(board)
    return any(tile.moves and not partners(tile, tiles) for tile in tiles)


def stalemate(board: Board) -> bool:
    tiles = tiles_of(board)
    solved = all(is_home(tile) and tile.moves == 0 for tile in tiles)
    return not solved and not any(tile.moves and partners(tile, tiles) for tile in tiles)


def live_parity(board: Board) -> bool:
    for group in components(board):
        counts = [tile.moves for tile in group]
        if sum(counts) % 2 or max(counts) > sum(counts) - max(counts):
            return True
    return False


def live_colours(board: Board) -> bool:
    return any(
        Counter(tile.colour for tile in group) != Counter(tile.row for tile in group) for group in components(board)
    )


def stuck_tiles_v2(board: Board) -> bool:
    tiles = tiles_of(board)
    for row in range(board.rows):
        own = [tile for tile in tiles if tile.colour == row]
        strays = [tile for tile in own if not is_home(tile)]
        if len(strays) > 1 or any(tile.moves > 2 for tile in own):
            continue
        counted = sum(tile.moves for tile in own if is_home(tile))
        for stray in strays:
            in_its_place = next(tile for tile in tiles if (tile.row, tile.col) == (row, stray.col))
            # Two moves more change nothing about odd and even; the wrong number of them silences the rule.
            if stray.moves != (2 if in_its_place.colour == row else 1):
                counted = 0
        if counted % 2:
            return True
    return False


def deadlock(board: Board) -> bool:
    """Three or more tiles with one move wait for each other in a circle in one column."""
    at = {(tile.row, tile.col): tile for tile in tiles_of(board)}
    for first in at.values():
        chain = [first]
        while (tile := chain[-1]).moves == 1 and not is_home(tile) and (tile.colour, tile.col) in at:
            after = at[tile.colour, tile.col]
            if after in chain:
                if after == first and len(chain) > 2:
                    return True
                break
            chain.append(after)
    return False


def distance(board: Board) -> bool:
    """Some tile with one to three moves ends no walk of that many swaps over live cells in its row."""
    live = {(tile.row, tile.col) for tile in tiles_of(board) if tile.moves}
    for tile in tiles_of(board):
        if 1 <= tile.moves <= 3 and tile.colour < board.rows:
            ends = {(tile.row, tile.col)}
            for _ in range(tile.moves):
                ends = {b for a in ends for b in live if a != b and (a[0] == b[0] or a[1] == b[1])}
            if not any(row == tile.colour for row, _ in ends):
                return True
    return False


def row_parity(board: Board) -> bool:
    tiles = tiles_of(board)
    if any(tile.moves > 2 for tile in tiles):
        return False
    for row in range(board.rows):
        inside = [tile for tile in tiles if tile.row == row]
        strangers = [tile for tile in inside if tile.colour != row]
        strays = [tile for tile in tiles if tile.colour == row and tile.row != row]
        own = sum(tile.moves for tile in inside if tile.colour == row)
        if own % 2 and all(tile.moves <= 1 for tile in strangers + strays):
            return True
    return False


def colour_cluster(board: Board) -> bool:
    tiles = tiles_of(board)
    for colour in range(board.rows):
        own = [tile for tile in tiles if tile.colour == colour]
        bound = [tile for tile in own if tile.moves == (0 if is_home(tile) else 1)]
        free = [tile for tile in own if tile not in bound]
        taken = [tile.col for tile in bound]
        if len(set(taken)) < len(taken):
            return True
        if len(free) == 1 and len(taken) == board.cols - 1:
            [last] = free
            if is_home(last) and last.moves == 1 and last.col not in taken:
                return True
    return False


def minimum_moves(board: Board) -> bool:
    tiles = tiles_of(board)
    away = sum(not is_home(tile) for tile in tiles)
    piles = Counter((tile.colour, tile.col) for tile in tiles if tile.colour < board.rows)
    crowded = sum(count - 1 for count in piles.values())
    return -(-away // 2) + -(-crowded // 2) > sum(board.moves) / 2


PLAIN: Mapping[str, Callable[[Board], object]] = {
    "WrongRowZeroMoves": wrong_row_zero_moves,
    "BlockedSwap": blocked_swap,
    "StuckTile": stuck_tile,
    "StuckTiles": stuck_tiles,
    "IsolatedTile": isolated_tile,
    "Stalemate": stalemate,
    "LiveParity": live_parity,
    "LiveColours": live_colours,
    "StuckTilesV2": stuck_tiles_v2,
    "Deadlock": deadlock,
    "Distance": distance,
    "RowParity": row_parity,
    "ColourCluster": colour_cluster,
    "MinimumMoves": minimum_moves,
}
