"""Swaps as steps: those of a plan, and those that are forced before anything else is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.core.answer import Certificate
from solvent.core.budget import Meter
from solvent.core.domain import ProofStep
from solvent.drawing.phrases import capitalised, counted
from solvent.harmony.checker.tiles import Tile, Tiles, exchange, tiles_of
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, parse_swap


def plan_steps(board: Board, certificate: Certificate, meter: Meter) -> Iterator[ProofStep]:
    """Yield each swap with what becomes of its two tiles, and that the board is solved then."""
    tiles = list(tiles_of(board))
    plan = certificate["plan"]
    moves = sum(board.moves)
    if plan:
        text = f"The tiles have {counted(moves, 'move')}, and each swap uses two: {counted(len(plan), 'swap')} in all."
        yield ProofStep(text=text, marks={"cells": [cell for cell, left in enumerate(board.moves) if left]})
    for name in meter.each(plan, every=1):
        a, b = parse_swap(name, board)
        moving = f"{colour_name(board, tiles[a])} from {format_cell(a, board.cols)}"
        other = f"{colour_name(board, tiles[b])} from {format_cell(b, board.cols)}"
        exchange(tiles, a, b)
        ends = f"{capitalised(_arrived(board, tiles, b))} {capitalised(_arrived(board, tiles, a))}"
        yield ProofStep(
            text=f"Swap {moving} and {other} along {_line(a, b, board.cols)}. {ends}", marks={"swap": [a, b]}
        )
    yield ProofStep(text="Every tile is in its row, and no move is left: solved.", marks={})


def forced_steps(board: Board, forced: Sequence[str], tiles: list[Tile], meter: Meter) -> Iterator[ProofStep]:
    """Yield the swaps that are forced, and make them on the tiles."""
    for name in meter.each(forced, every=1):
        a, b = parse_swap(name, board)
        one, other = format_cell(a, board.cols), format_cell(b, board.cols)
        text = (
            f"{one} and {other} have one move each, and each stands in the other's row. Neither can do anything but "
            "swap with the other, so a solution may as well begin with that."
        )
        exchange(tiles, a, b)
        yield ProofStep(text=text, marks={"swap": [a, b]})


def colour_name(board: Board, tile: Tile) -> str:
    """Return the name of a tile's colour as it stands in a sentence."""
    return board.palette[tile[0]].lower()


def _arrived(board: Board, tiles: Tiles, cell: int) -> str:
    """Say how a tile stands after its swap."""
    colour, moves = tiles[cell]
    name = colour_name(board, tiles[cell])
    is_home = colour == cell // board.cols
    left = counted(moves, "move") if moves else "no move"
    where = "is home" if is_home else f"is on {format_cell(cell, board.cols)}"
    return f"{name} {where}, with {left} left."


def _line(a: int, b: int, cols: int) -> str:
    return f"row {format_cell(a, cols)[0]}" if a // cols == b // cols else f"column {a % cols + 1}"
