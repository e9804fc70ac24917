"""Harmony by brute force: try every line of play. Shares nothing with the solver, the rules or the checker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from solvent.harmony.model import Board

Grid = tuple[tuple[tuple[int, int], ...], ...]
"""Rows of (colour, moves left)."""
Place = tuple[int, int]


def grid_of(board: Board) -> Grid:
    """Return the board as rows of tiles."""
    tiles = list(zip(board.colours, board.moves, strict=True))
    return tuple(tuple(tiles[row * board.cols : (row + 1) * board.cols]) for row in range(board.rows))


def is_solvable(board: Board) -> bool:
    """Tell whether some line of play solves the board."""
    return find_plan(board) is not None


def find_plan(board: Board) -> list[tuple[int, int]] | None:
    """Return the first plan found, as pairs of cell numbers, or None if there is none."""
    hopeless: set[Grid] = set()
    plan: list[tuple[int, int]] = []

    def search(grid: Grid) -> bool:
        if solved(grid):
            return True
        if grid in hopeless:
            return False
        for (one, other), after in moves(grid):
            plan.append((one[0] * board.cols + one[1], other[0] * board.cols + other[1]))
            if search(after):
                return True
            plan.pop()
        hopeless.add(grid)
        return False

    return plan if search(grid_of(board)) else None


def moves(grid: Grid) -> Iterator[tuple[tuple[Place, Place], Grid]]:
    """Yield every swap there is and the grid after it."""
    places = [(row, col) for row, tiles in enumerate(grid) for col, (_, left) in enumerate(tiles) if left > 0]
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            if one[0] == other[0] or one[1] == other[1]:
                yield (one, other), swapped(grid, one, other)


def swapped(grid: Grid, one: Place, other: Place) -> Grid:
    """Return the grid with two tiles in each other's place, one move less each."""
    rows = [list(row) for row in grid]
    (colour_one, left_one), (colour_other, left_other) = grid[one[0]][one[1]], grid[other[0]][other[1]]
    rows[one[0]][one[1]] = (colour_other, left_other - 1)
    rows[other[0]][other[1]] = (colour_one, left_one - 1)
    return tuple(tuple(row) for row in rows)


def solved(grid: Grid) -> bool:
    """Tell whether every tile is in its colour's row with no move left."""
    return all(tile == (row, 0) for row, tiles in enumerate(grid) for tile in tiles)


def plan_solves(board: Board, plan: Iterable[str]) -> bool:
    """Tell whether swaps such as `A1-B1` are all legal, one after the other, and end with the board solved."""
    grid = grid_of(board)
    for step in plan:
        one, other = (("ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(end[0]), int(end[1:]) - 1) for end in step.split("-"))
        if not all(0 <= row < board.rows and 0 <= col < board.cols for row, col in (one, other)):
            return False
        if (one[0] == other[0]) == (one[1] == other[1]):  # the same cell, or neither row nor column in common
            return False
        if min(grid[one[0]][one[1]][1], grid[other[0]][other[1]][1]) < 1:
            return False
        grid = swapped(grid, one, other)
    return solved(grid)
