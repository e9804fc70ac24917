"""What a look at one star or one unit shows: `neighbour`, `full unit` and `exact fill`."""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.drawing.phrases import counted
from solvent.starbattle.checker.steps.areas import open_in
from solvent.starbattle.checker.steps.board import (
    Board,
    Findings,
    NotShown,
    name,
    on_board,
    touches,
    unit_name,
    unit_on_board,
)
from solvent.starbattle.checker.steps.certificate_schema import Cell, Unit
from solvent.starbattle.model import STAR


class OneStar(msgspec.Struct):
    """Hold the witness of `neighbour`."""

    star: Cell


class OneUnit(msgspec.Struct):
    """Hold the witness of `full unit` and `exact fill`."""

    unit: Unit


def neighbour(board: Board, witness: dict[str, Any]) -> Findings:
    """Nothing that touches a star is one."""
    [star] = on_board(board, [msgspec.convert(witness, OneStar).star])
    if board.mark(star) != STAR:
        raise NotShown(f"{name(star)} is not marked as a star")
    everywhere = frozenset().union(*board.units.values())
    return Findings(crosses=frozenset(cell for cell in everywhere if touches(cell, star)))


def full_unit(board: Board, witness: dict[str, Any]) -> Findings:
    """A unit with all its stars has no more; nor has one with too many, which no solution has."""
    unit = unit_on_board(board, msgspec.convert(witness, OneUnit).unit)
    if board.needs[unit] > 0:
        raise NotShown(f"{unit_name(unit)} needs {counted(board.needs[unit], 'star')}, not 0")
    return Findings(crosses=frozenset(cell for cell in board.units[unit] if board.mark(cell) != STAR))


def exact_fill(board: Board, witness: dict[str, Any]) -> Findings:
    """A unit that needs as many stars as it has open cells has a star on each."""
    unit = unit_on_board(board, msgspec.convert(witness, OneUnit).unit)
    found = open_in(board, [unit])
    if not 0 < board.needs[unit] == len(found):
        cells = counted(len(found), "open cell")
        raise NotShown(f"{unit_name(unit)} needs {counted(board.needs[unit], 'star')} and has {cells}")
    return Findings(stars=found)
