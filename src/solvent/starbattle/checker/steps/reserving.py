"""Stars that have no room elsewhere, and stars that would leave no room: `reserved area`, `exclusion` and its kin."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from solvent.drawing.phrases import counted
from solvent.starbattle.checker.steps.areas import disjoint, needed, open_in, parts
from solvent.starbattle.checker.steps.board import (
    Board,
    CellSet,
    Findings,
    NotShown,
    name,
    on_board,
    open_cell,
    touches,
    touches_all,
    unit_name,
    unit_on_board,
    units_at,
)
from solvent.starbattle.checker.steps.certificate_schema import MAX_CELLS, Blocks, Cell, Unit, Units
from solvent.starbattle.model import LARGEST_SIZE


class Source(msgspec.Struct):
    """Hold a unit, and the blocks that cover it outside the unit its stars are reserved in."""

    unit: Unit
    blocks: Blocks


class Reserved(msgspec.Struct):
    """Hold the witness of `reserved area`."""

    into: Unit
    sources: Annotated[list[Source], msgspec.Meta(max_length=3 * LARGEST_SIZE)] = msgspec.field(name="from")


class Excluded(msgspec.Struct):
    """Hold a cell, and the blocks that cover what its star would leave of some units."""

    cell: Cell
    blocks: Blocks


class Exclusion(msgspec.Struct):
    """Hold the witness of `exclusion` and `pressured exclusion`."""

    plus: Units
    cells: Annotated[list[Excluded], msgspec.Meta(min_length=1, max_length=MAX_CELLS)]


def reserved_area(board: Board, witness: dict[str, Any]) -> Findings:
    """A unit with too little room elsewhere has stars where it meets another; these may be all that one needs."""
    body = msgspec.convert(witness, Reserved)
    into = unit_on_board(board, body.into)
    disjoint(board, [source.unit for source in body.sources])
    stars: CellSet = frozenset()
    crosses: CellSet = frozenset()
    reserved = 0
    for source in body.sources:
        least, shared = _reserved(board, into, source)
        reserved += least
        if len(shared) == least:
            stars |= shared
        crosses |= {cell for cell in board.open - shared if touches_all(cell, shared)}
    if reserved > board.needs[into]:
        raise NotShown(f"{unit_name(into)} needs fewer than the {counted(reserved, 'star')} reserved in it")
    if reserved == board.needs[into]:
        crosses |= open_in(board, [into]) - open_in(board, [source.unit for source in body.sources])
    return Findings(stars=stars, crosses=crosses)


def _reserved(board: Board, into: Unit, source: Source) -> tuple[int, CellSet]:
    """Return how many stars of a unit must be in another, at least, and the cells they can be on."""
    if source.unit == into:
        raise NotShown(f"{unit_name(into)} cannot reserve cells in itself")
    cells = open_in(board, [source.unit])
    shared = cells & board.units[into]
    parts(board, source.blocks, cells - shared)
    least = board.needs[source.unit] - len(source.blocks)
    if least < 1:
        raise NotShown(f"all stars of {unit_name(source.unit)} may be outside {unit_name(into)}")
    if len(shared) < least:  # so there is no solution, and the step would say nothing
        raise NotShown(f"{unit_name(source.unit)} has too few open cells in {unit_name(into)}")
    return least, shared


def exclusion(board: Board, witness: dict[str, Any]) -> Findings:
    """A star on any of the cells would leave a unit too little room."""
    body = msgspec.convert(witness, Exclusion)
    if len(body.plus) != 1:
        raise NotShown(f"expected one unit, found {len(body.plus)}")
    return _too_little_room(board, body, pressed=False)


def pressured_exclusion(board: Board, witness: dict[str, Any]) -> Findings:
    """A star on any of the cells would fill other units, and so leave some units too little room."""
    return _too_little_room(board, msgspec.convert(witness, Exclusion), pressed=True)


def _too_little_room(board: Board, body: Exclusion, *, pressed: bool) -> Findings:
    stars = on_board(board, [excluded.cell for excluded in body.cells])
    for excluded in body.cells:
        _leaves_too_little(board, body.plus, excluded, pressed=pressed)
    return Findings(crosses=frozenset(stars))


def _leaves_too_little(board: Board, plus: list[Unit], excluded: Excluded, *, pressed: bool) -> None:
    """See that a star on the cell would leave the units less room than they need."""
    star = open_cell(board, excluded.cell)
    room = {cell for cell in open_in(board, plus) if cell != star and not touches(cell, star)}
    if pressed:
        for unit in units_at(board, star):
            if board.needs[unit] == 1:
                room -= board.units[unit]
    wanted = needed(board, plus) - sum(star in board.units[unit] for unit in plus)
    parts(board, excluded.blocks, frozenset(room))
    if len(excluded.blocks) >= wanted:
        blocks = counted(len(excluded.blocks), "block")
        raise NotShown(f"with a star on {name(star)}, there is still room for {counted(wanted, 'star')} in {blocks}")
