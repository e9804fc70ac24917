"""Check an invariant: a count that every solvable board respects and this one does not.

Each rule is stated in words above its test. All are applied after the forced swaps, with which every solution may
begin.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.harmony.checker.tiles import Tiles, live_groups, play_forced
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_cell


class Body(msgspec.Struct):
    """Hold the part of the certificate that names the rule."""

    rule: str
    cells: list[str]
    """The cells that show the fault."""
    forced: list[str] = []  # msgspec copies it
    """Forced swaps, played first."""


def check(board: Board, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the rule is not broken, or an empty list if it is."""
    meter.checkpoint()
    body = msgspec.convert(certificate, Body)
    if body.rule not in RULES:
        return [f"expected one of the rules {', '.join(RULES)}, found {show_value(body.rule)}"]
    tiles = play_forced(board, body.forced, meter)
    if isinstance(tiles, str):
        return [tiles]
    cells = [parse_cell(cell, board.rows, board.cols) for cell in meter.each(body.cells)]
    if len(set(cells)) != len(cells):
        return ["a cell is named twice"]
    if RULES[body.rule](tiles, cells, board.rows, board.cols):
        return []
    return [f"{body.rule}: the cells {', '.join(body.cells) or '(none)'} do not show it"]


def odd_moves(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """Each swap uses up two moves, so the moves of all tiles are even in number."""
    return not cells and sum(moves for _, moves in tiles) % 2 == 1


def colour_count(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """A colour fills its row in the end, so it has one tile for each column; a colour without a row has none."""
    counts = [0] * max(rows, 1 + max(colour for colour, _ in tiles))
    for colour, _ in tiles:
        counts[colour] += 1
    named = {tiles[cell][0] for cell in cells}
    if len(named) == 1:
        colour = named.pop()
        return len(cells) == counts[colour] != (cols if colour < rows else 0)
    # A colour without any tile has no cells to name: its row can't be filled.
    return not cells and 0 in counts[:rows]


def dead_tile(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """A tile with no moves never moves again, so it must stand in its row."""
    return len(cells) == 1 and tiles[cells[0]][1] == 0 and tiles[cells[0]][0] != cells[0] // cols


def goal_of_only_move(tiles: Tiles, cell: int, rows: int, cols: int) -> int | None:
    """Return where a tile must go with its one move: to its own row, along its column. None if that isn't its case."""
    colour, moves = tiles[cell]
    if moves != 1 or colour == cell // cols or colour >= rows:
        return None
    return colour * cols + cell % cols


def blocked_tile(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """The cell a tile needs with its only move must not be held by a tile without moves."""
    return len(cells) == 2 and goal_of_only_move(tiles, cells[0], rows, cols) == cells[1] and tiles[cells[1]][1] == 0


def pinned_cycle(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """Three or more tiles with one move cannot each need the next one's cell, round in a ring.

    The first of them to move swaps with the next, which has not moved. That one has then no moves left and stands on
    the first one's cell, not on the one it needs.
    """
    ring = zip(cells, cells[1:] + cells[:1], strict=True)
    return len(cells) >= 3 and all(goal_of_only_move(tiles, cell, rows, cols) == following for cell, following in ring)


def is_component(tiles: Tiles, cells: list[int], cols: int) -> bool:
    """Tell whether the cells are all that a tile on the first of them can ever reach."""
    return bool(cells) and live_groups(tiles, cols).get(cells[0]) == frozenset(cells)


def component_parity(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """Each swap uses up two moves inside one component."""
    return is_component(tiles, cells, cols) and sum(tiles[cell][1] for cell in cells) % 2 == 1


def component_maximum(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """Each move of a tile is also a move of another tile in its component."""
    moves = [tiles[cell][1] for cell in cells]
    return is_component(tiles, cells, cols) and max(moves) > sum(moves) - max(moves)


def component_colours(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """Tiles stay in their component, so it holds as many tiles of a colour as cells of that colour's row."""
    held = sorted(tiles[cell][0] for cell in cells)
    wanted = sorted(cell // cols for cell in cells)
    return is_component(tiles, cells, cols) and held != wanted


def crowded_row(tiles: Tiles, cells: list[int], rows: int, cols: int) -> bool:
    """Tiles of one colour end on different cells of its row, so together they can't have fewer cells than tiles."""
    colours = {tiles[cell][0] for cell in cells}
    if len(colours) != 1 or next(iter(colours)) >= rows:
        return False
    groups = live_groups(tiles, cols)
    possible: set[int] = set()
    for cell in cells:
        possible |= possible_ends(tiles, cell, groups, cols)
    return len(possible) < len(cells)


def possible_ends(tiles: Tiles, cell: int, groups: Mapping[int, frozenset[int]], cols: int) -> set[int]:
    """Return cells of its row among which a tile must end, if it gets home at all."""
    colour, moves = tiles[cell]
    home_row = set(range(colour * cols, colour * cols + cols))
    straight_home = colour * cols + cell % cols
    if moves == 0:
        return {cell} & home_row
    if moves == 1 and cell not in home_row:
        return {straight_home}  # its one swap has to be along the column
    reachable = home_row & groups[cell]
    if moves == 1:
        return reachable - {cell}  # its one swap has to be along the row, and takes it to another column
    return reachable


RULES: Mapping[str, Callable[[Tiles, list[int], int, int], bool]] = {
    "odd moves": odd_moves,
    "colour count": colour_count,
    "dead tile": dead_tile,
    "blocked tile": blocked_tile,
    "pinned cycle": pinned_cycle,
    "component parity": component_parity,
    "component maximum": component_maximum,
    "component colours": component_colours,
    "crowded row": crowded_row,
}
