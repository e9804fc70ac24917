"""A broken rule as steps: what holds of every board that can be solved, and what shows that it does not hold here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import capitalised, counted, listed, plural
from solvent.harmony.checker.invariant import goal_of_only_move, possible_ends
from solvent.harmony.checker.tiles import Tiles, live_groups, tiles_of
from solvent.harmony.model import Board
from solvent.harmony.page.proof_steps.swaps import colour_name, forced_steps
from solvent.harmony.positions import format_cell, parse_cell

MAX_NAMED = 8


def invariant_steps(board: Board, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield forced swaps, the rule, what shows that it is broken, and the end."""
    tiles = list(tiles_of(board))
    yield from forced_steps(board, certificate.get("forced", ()), tiles, meter)
    cells = [parse_cell(cell, board.rows, board.cols) for cell in meter.each(certificate["cells"])]
    rule = certificate["rule"]
    statement, show = RULES[rule]
    yield ProofStep(text=f"The rule: {statement}", marks={"uses": cells})
    yield from meter.each(show(_Shown(board, tiles), cells), every=1)
    yield ProofStep(text="No swap can change that: there is no solution.", marks={"cells": cells})


class _Shown:
    """Put what stands on a board into words."""

    def __init__(self, board: Board, tiles: Tiles) -> None:
        self.board = board
        self.tiles = tiles
        self.rows, self.cols = board.rows, board.cols

    def name(self, cell: int) -> str:
        return format_cell(cell, self.cols)

    def names(self, cells: list[int]) -> str:
        return listed([self.name(cell) for cell in cells], MAX_NAMED)

    def tile(self, cell: int) -> str:
        return f"the {colour_name(self.board, self.tiles[cell])} tile on {self.name(cell)}"

    def row_of(self, colour: int) -> str:
        return f"row {chr(ord('A') + colour)}"


def _odd_moves(shown: _Shown, _: list[int]) -> Iterator[ProofStep]:
    live = [cell for cell, (_, moves) in enumerate(shown.tiles) if moves]
    total = sum(moves for _, moves in shown.tiles)
    yield ProofStep(
        text=f"All moves together are {total}, an odd number. One of them is left over.", marks={"cells": live}
    )


def _colour_count(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    if not cells:
        present = {colour for colour, _ in shown.tiles}
        colour = next(row for row in range(shown.rows) if row not in present)
        row = list(range(colour * shown.cols, (colour + 1) * shown.cols))
        name = shown.board.palette[colour].lower()
        text = f"{capitalised(shown.row_of(colour))} wants {name}, and no tile has that colour."
        yield ProofStep(text=text, marks={"places": row})
        return
    colour = shown.tiles[cells[0]][0]
    name = shown.board.palette[colour].lower()
    held = f"{counted(len(cells), 'tile')} {plural(len(cells), 'is', 'are')} {name}: {shown.names(cells)}."
    if colour >= shown.rows:
        yield ProofStep(text=f"{held} No row wants that colour.", marks={"cells": cells})
        return
    row = list(range(colour * shown.cols, (colour + 1) * shown.cols))
    yield ProofStep(text=held, marks={"cells": cells})
    text = f"{capitalised(shown.row_of(colour))} wants {name}, and it has {counted(shown.cols, 'cell')}."
    yield ProofStep(text=text, marks={"uses": cells, "places": row})


def _dead_tile(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    (cell,) = cells
    colour = shown.tiles[cell][0]
    wants = f"belongs in {shown.row_of(colour)}" if colour < shown.rows else "belongs in no row"
    yield ProofStep(text=f"{capitalised(shown.tile(cell))} {wants}, and it has no move left.", marks={"cells": cells})


def _blocked_tile(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    cell, goal = cells
    yield _only_move(shown, cell, goal)
    yield ProofStep(
        text=f"{capitalised(shown.tile(goal))} has no move left, so it cannot swap.",
        marks={"cells": [goal], "uses": [cell]},
    )


def _pinned_cycle(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    for cell in cells:
        goal = goal_of_only_move(shown.tiles, cell, shown.rows, shown.cols)
        yield _only_move(shown, cell, cell if goal is None else goal)
    text = (
        f"Whichever of {shown.names(cells)} moves first swaps with the next one. That one then has no move left and is "
        "not where it needs to be."
    )
    yield ProofStep(text=text, marks={"cells": cells})


def _only_move(shown: _Shown, cell: int, goal: int) -> ProofStep:
    home = shown.row_of(shown.tiles[cell][0])
    text = (
        f"{capitalised(shown.tile(cell))} has one move and must get to {home}: it has to swap with {shown.name(goal)}."
    )
    return ProofStep(text=text, marks={"cells": [cell], "places": [goal]})


def _cut_off(shown: _Shown, cells: list[int]) -> ProofStep:
    if len(cells) == 1:
        moves = counted(shown.tiles[cells[0]][1], "move")
        text = f"{capitalised(shown.tile(cells[0]))} has {moves}, but no other tile in its row or column has any."
    else:
        text = (
            f"The tiles on {shown.names(cells)} can swap only with each other: every other tile in their rows and "
            "columns has no move left."
        )
    return ProofStep(text=text, marks={"cells": cells})


def _component_parity(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    yield _cut_off(shown, cells)
    if len(cells) == 1:
        return
    total = sum(shown.tiles[cell][1] for cell in cells)
    yield ProofStep(text=f"Together they have {counted(total, 'move')}, an odd number.", marks={"cells": cells})


def _component_maximum(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    yield _cut_off(shown, cells)
    if len(cells) == 1:
        return
    busiest = max(cells, key=lambda cell: shown.tiles[cell][1])
    others = [cell for cell in cells if cell != busiest]
    most, rest = shown.tiles[busiest][1], sum(shown.tiles[cell][1] for cell in others)
    text = f"{capitalised(shown.tile(busiest))} has {counted(most, 'move')}; all the others there have {rest} together."
    yield ProofStep(text=text, marks={"cells": [busiest], "uses": others})


def _component_colours(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    yield _cut_off(shown, cells)
    held = Counter(shown.tiles[cell][0] for cell in cells)
    room = Counter(cell // shown.cols for cell in cells)
    colour = next(colour for colour in sorted(held | room) if held[colour] != room[colour])
    name = shown.board.palette[colour].lower()
    text = f"Among them {counted(held[colour], 'tile')} {plural(held[colour], 'is', 'are')} {name}, "
    text += f"but {counted(room[colour], 'cell')} {plural(room[colour], 'is', 'are')} in {name}'s row."
    marks = {
        "cells": [cell for cell in cells if shown.tiles[cell][0] == colour],
        "places": [cell for cell in cells if cell // shown.cols == colour],
        "uses": cells,
    }
    yield ProofStep(text=text, marks=marks)


def _crowded_row(shown: _Shown, cells: list[int]) -> Iterator[ProofStep]:
    groups = live_groups(shown.tiles, shown.cols)
    possible: set[int] = set()
    for cell in cells:
        ends = sorted(possible_ends(shown.tiles, cell, groups, shown.cols))
        possible.update(ends)
        text = f"{capitalised(shown.tile(cell))} can end on {shown.names(ends) if ends else 'no cell of its row'}."
        yield ProofStep(text=text, marks={"cells": [cell], "places": ends})
    text = f"That is {counted(len(cells), 'tile')} for {counted(len(possible), 'cell')}."
    yield ProofStep(text=text, marks={"cells": cells, "places": sorted(possible)})


RULES: Mapping[str, tuple[str, Callable[[_Shown, list[int]], Iterator[ProofStep]]]] = {
    "odd moves": ("each swap uses up two moves, so all moves together are an even number.", _odd_moves),
    "colour count": ("in the end each colour fills its row, so it has one tile for each column.", _colour_count),
    "dead tile": ("a tile with no move left never moves again, so it must be in its row.", _dead_tile),
    "blocked tile": ("a tile that has to swap needs a partner with a move left.", _blocked_tile),
    "pinned cycle": ("tiles with one move each cannot all need the next one's cell, round in a ring.", _pinned_cycle),
    "component parity": ("tiles that swap only with each other use up their moves two at a time.", _component_parity),
    "component maximum": ("each move of a tile is also a move of a partner.", _component_maximum),
    "component colours": (
        "tiles that swap only with each other must find the cells of their rows among themselves.",
        _component_colours,
    ),
    "crowded row": ("tiles of one colour end on different cells of its row.", _crowded_row),
}
"""What each rule of the checker says, and how to show it."""
