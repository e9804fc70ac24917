"""Make a board smaller without changing whether it can be solved: play what is forced, split what is apart."""

from __future__ import annotations

from dataclasses import replace

from msgspec import Struct

from solvent.harmony.model import Board, Swap


class Reduction(Struct, frozen=True):
    """Hold a board with its forced swaps played, and its live components."""

    forced: tuple[Swap, ...]
    board: Board
    components: tuple[tuple[int, ...], ...]
    """The cells of each live component, smallest component first."""


def reduce_board(board: Board) -> Reduction:
    """Play every forced swap and find the live components of what remains."""
    forced = forced_swaps(board)
    colours, moves = list(board.colours), list(board.moves)
    for a, b in forced:
        colours[a], colours[b] = colours[b], colours[a]
        moves[a] = moves[b] = 0
    board = replace(board, colours=tuple(colours), moves=tuple(moves))
    return Reduction(forced, board, live_components(board))


def forced_swaps(board: Board) -> tuple[Swap, ...]:
    """Return the swaps every solution contains and may begin with.

    Two tiles in one column, one move each, each in the other's home row: each must spend its move on going straight
    home, the other stands there until it does the same, so they swap with each other; and nothing else ever touches
    their two cells.
    """
    found = []
    for cell in range(board.rows * board.cols):
        other = goal_of_last_move(board, cell)
        if other is not None and cell < other and goal_of_last_move(board, other) == cell:
            found.append((cell, other))
    return tuple(found)


def goal_of_last_move(board: Board, cell: int) -> int | None:
    """Return the cell a tile must go to with its one move, or None if it has another number of moves or is home."""
    home = board.colours[cell]
    if board.moves[cell] != 1 or home == cell // board.cols or home >= board.rows:
        return None
    return home * board.cols + cell % board.cols


def live_components(board: Board) -> tuple[tuple[int, ...], ...]:
    """Return the groups of live cells connected by rows and columns, smallest group first.

    A cell whose tile has no moves is closed for ever, so no tile ever leaves its group.
    """
    cols = board.cols
    lines: dict[tuple[str, int], list[int]] = {}
    for cell, moves in enumerate(board.moves):
        if moves > 0:
            lines.setdefault(("row", cell // cols), []).append(cell)
            lines.setdefault(("column", cell % cols), []).append(cell)
    groups = []
    seen: set[int] = set()
    for start, moves in enumerate(board.moves):
        if moves == 0 or start in seen:
            continue
        group = [start]
        seen.add(start)
        for cell in group:  # it grows while it is gone through
            for line in (("row", cell // cols), ("column", cell % cols)):
                near = [other for other in lines.pop(line, ()) if other not in seen]
                seen.update(near)
                group.extend(near)
        groups.append(tuple(sorted(group)))
    return tuple(sorted(groups, key=lambda group: (len(group), group)))


def keep_component(board: Board, component: tuple[int, ...]) -> Board:
    """Return the board with every cell outside a component closed, as if its tile were home with no moves left.

    No swap crosses the border of a component, so the board is solved exactly when each of these is.
    """
    inside = set(component)
    cells = range(board.rows * board.cols)
    return replace(
        board,
        colours=tuple(board.colours[cell] if cell in inside else cell // board.cols for cell in cells),
        moves=tuple(board.moves[cell] if cell in inside else 0 for cell in cells),
    )
