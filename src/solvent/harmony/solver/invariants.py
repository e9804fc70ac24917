"""Quick proofs that a board cannot be solved: counts that every solution must respect.

Each returns what the checker needs to see it: the name of the rule, the cells it rests on and a sentence.
The checker restates each rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.drawing.phrases import counted
from solvent.harmony.model import Board
from solvent.harmony.notation import format_cell
from solvent.harmony.solver.reduction import Reduction, goal_of_last_move


class BrokenInvariant(Struct, frozen=True):
    """Name a rule that the board breaks and the cells that show it."""

    rule: str
    cells: tuple[int, ...]
    because: str
    """One sentence for people."""


def find_broken_invariant(reduction: Reduction, meter: Meter = UNLIMITED) -> BrokenInvariant | None:
    """Return the first rule that the board breaks, or None. Cheap: the board's size squared at most."""
    for rule in (
        _odd_moves,
        _wrong_colour_count,
        _dead_tile,
        _blocked_tile,
        _unbalanced_component,
        _pinned_cycle,
    ):
        meter.checkpoint()
        for broken in rule(reduction):
            return broken
    return next(_crowded_row(reduction, meter), None)


def _odd_moves(reduction: Reduction) -> Iterator[BrokenInvariant]:
    total = sum(reduction.board.moves)
    if total % 2:
        yield BrokenInvariant("odd moves", (), f"Each swap uses up two moves, and there are {total}, an odd number.")


def _wrong_colour_count(reduction: Reduction) -> Iterator[BrokenInvariant]:
    board = reduction.board
    held: list[list[int]] = [[] for _ in board.palette]
    for cell, colour in enumerate(board.colours):
        held[colour].append(cell)
    for colour in reversed(range(len(board.palette))):  # strangers first: they are the plainer reason
        cells = tuple(held[colour])
        if colour >= board.rows:
            yield BrokenInvariant("colour count", cells, f"No row wants {board.palette[colour]}.")
        elif len(cells) != board.cols:
            tiles = counted(len(cells), "tile")
            because = f"{board.palette[colour]} has {tiles}, but its row has {counted(board.cols, 'cell')}."
            yield BrokenInvariant("colour count", cells, because)


def _dead_tile(reduction: Reduction) -> Iterator[BrokenInvariant]:
    board = reduction.board
    for cell, colour in enumerate(board.colours):
        if board.moves[cell] == 0 and colour != cell // board.cols:
            yield BrokenInvariant(
                "dead tile", (cell,), f"The tile on {_name(board, cell)} has no moves left and is not in its row."
            )


def _blocked_tile(reduction: Reduction) -> Iterator[BrokenInvariant]:
    board = reduction.board
    for cell in range(board.rows * board.cols):
        goal = goal_of_last_move(board, cell)
        if goal is not None and board.moves[goal] == 0:
            yield BrokenInvariant(
                "blocked tile",
                (cell, goal),
                f"The tile on {_name(board, cell)} must use its one move to swap with {_name(board, goal)}, "
                "which has no moves left.",
            )


def _unbalanced_component(reduction: Reduction) -> Iterator[BrokenInvariant]:
    board = reduction.board
    for cells in reduction.components:
        moves = [board.moves[cell] for cell in cells]
        place = f"The {len(cells)} live cells around {_name(board, cells[0])} are cut off from the rest"
        lonely = f"The tile on {_name(board, cells[0])} has moves left and no tile to swap with."
        if sum(moves) % 2:
            because = f"{place}, and have an odd number of moves."
            yield BrokenInvariant("component parity", cells, lonely if len(cells) == 1 else because)
        if 2 * max(moves) > sum(moves):
            busiest = _name(board, cells[moves.index(max(moves))])
            because = f"{place}, and {busiest} has more moves than all the others there together."
            yield BrokenInvariant("component maximum", cells, lonely if len(cells) == 1 else because)
        tiles_of = Counter(board.colours[cell] for cell in cells)
        cells_of = Counter(cell // board.cols for cell in cells)
        for row in range(board.rows):
            tiles, room = tiles_of[row], cells_of[row]
            if tiles != room:
                name = board.palette[row]
                because = f"{place}: {counted(tiles, 'tile')} of {name}, but {counted(room, 'cell')} of its row."
                yield BrokenInvariant("component colours", cells, because)


def _pinned_cycle(reduction: Reduction) -> Iterator[BrokenInvariant]:
    """Find three or more tiles of a column that must each take the next one's place with their only move, in a ring."""
    board = reduction.board
    for start in range(board.rows * board.cols):
        ring = [start]
        goal = goal_of_last_move(board, start)
        while goal is not None and goal not in ring:
            ring.append(goal)
            goal = goal_of_last_move(board, goal)
        if goal == start and len(ring) >= 3:
            names = ", ".join(_name(board, cell) for cell in ring)
            yield BrokenInvariant(
                "pinned cycle",
                tuple(ring),
                f"{names} each have one move and need the next one's place; whichever goes first strands another.",
            )


def _crowded_row(reduction: Reduction, meter: Meter) -> Iterator[BrokenInvariant]:
    """Find tiles of one colour that together can end in fewer columns than there are tiles."""
    board = reduction.board
    component = {cell: number for number, cells in enumerate(reduction.components) for cell in cells}
    tiles: list[list[int]] = [[] for _ in range(board.rows)]
    for cell, colour in enumerate(board.colours):
        if colour < board.rows:
            tiles[colour].append(cell)
    for colour in range(board.rows):
        reachable = _columns_of_components(board, colour, component)
        columns = {
            cell: _possible_columns(board, cell, reachable.get(component.get(cell), ())) for cell in tiles[colour]
        }
        crowd = _overfull_set(tiles[colour], columns, meter)
        if crowd is not None:
            room = len(set().union(*(columns[cell] for cell in crowd)))
            names = ", ".join(_name(board, cell) for cell in crowd)
            tiles_have = f"tile on {names} has" if len(crowd) == 1 else f"tiles on {names} have"
            cells = f"only {counted(room, 'cell')}" if room else "no cell"
            because = f"The {board.palette[colour]} {tiles_have} {cells} to end on."
            yield BrokenInvariant("crowded row", crowd, because)


def _columns_of_components(board: Board, row: int, component: dict[int, int]) -> dict[int | None, tuple[int, ...]]:
    """Return for each live component the columns in which it has a cell of a row."""
    columns: dict[int | None, list[int]] = {}
    for col in range(board.cols):
        number = component.get(row * board.cols + col)
        if number is not None:
            columns.setdefault(number, []).append(col)
    return {number: tuple(found) for number, found in columns.items()}


def _possible_columns(board: Board, cell: int, reachable: tuple[int, ...]) -> tuple[int, ...]:
    """Return the columns a tile can end in, judged by its moves and by the cells of its row in its component."""
    row, col = divmod(cell, board.cols)
    moves = board.moves[cell]
    if moves == 0 or (moves == 1 and row != board.colours[cell]):
        return (col,)  # it stays, or goes straight home along its column
    if moves == 1:
        return tuple(other for other in reachable if other != col)  # it must swap along its row
    return reachable


def _overfull_set(tiles: list[int], columns: dict[int, tuple[int, ...]], meter: Meter) -> tuple[int, ...] | None:
    """Return tiles with fewer possible columns than tiles, or None if all can be placed (Hall's theorem)."""
    holder: dict[int, int] = {}
    for tile in meter.each(tiles, every=1):
        tried: set[int] = set()
        blocked = {tile}
        if not _place(tile, columns, holder, tried, blocked):
            return tuple(sorted(blocked))
    return None


def _place(
    tile: int, columns: dict[int, tuple[int, ...]], holder: dict[int, int], tried: set[int], blocked: set[int]
) -> bool:
    """Give the tile a column, moving earlier tiles along if needed; `blocked` gathers those that stood in the way."""
    for column in columns[tile]:
        if column not in holder:
            holder[column] = tile
            return True
    for column in columns[tile]:
        if column in tried:
            continue
        tried.add(column)
        blocked.add(holder[column])
        if _place(holder[column], columns, holder, tried, blocked):
            holder[column] = tile
            return True
    return False


def _name(board: Board, cell: int) -> str:
    return format_cell(cell, board.cols)
