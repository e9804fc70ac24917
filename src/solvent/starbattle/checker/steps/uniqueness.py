"""A rectangle that could be filled in two ways: `uniqueness`.

Of a rectangle, one corner is marked as a star. Suppose the opposite one were a star too. If the other two corners are
then empty, nothing around them can be a star, and they lie in the same regions, both stars can move to them: to another
solution, with the same marks but for the one star. But there is only one, as the refutation in the witness shows; it
must be about the puzzle without that mark, because the other solution would not keep it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from solvent.starbattle.checker.stars import Number
from solvent.starbattle.checker.steps.board import (
    Board,
    CellSet,
    Findings,
    NotShown,
    excludes,
    name,
    names,
    on_board,
    open_cell,
    touches,
)
from solvent.starbattle.checker.steps.certificate_schema import Cell, Cells
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle


class Rectangle(msgspec.Struct):
    """Hold the witness of `uniqueness`."""

    rectangle: tuple[Number, Number, Number, Number]
    """Two rows, then two columns, from 0."""
    star: Cell
    """The corner with a star."""
    stars: Cells
    """The only solution."""
    proof: str
    """A refutation, in DRUP text, of every other one, when the star above is not marked."""


def uniqueness(board: Board, witness: dict[str, Any]) -> Findings:
    """Return the corner that must stay empty for the solution to be the only one."""
    body = msgspec.convert(witness, Rectangle)
    one_row, other_row, one_col, other_col = body.rectangle
    corners = on_board(board, [(row, col) for row in (one_row, other_row) for col in (one_col, other_col)])
    if body.star not in corners or board.mark(body.star) != STAR:
        raise NotShown(f"{name(body.star)} is not a corner that is marked as a star")
    opposite = open_cell(board, corners[3 - corners.index(body.star)])
    others = frozenset(corners) - {body.star, opposite}
    _can_move(board, frozenset([body.star, opposite]), others, opposite)
    if opposite in body.stars:
        raise NotShown(f"{name(opposite)} is a star of the solution")
    _only_solution(board, body)
    return Findings(crosses=frozenset([opposite]))


def _can_move(board: Board, stars: CellSet, others: CellSet, opposite: Cell) -> None:
    """See that two stars on opposite corners could as well stand on the other two."""
    one, other = sorted(others)
    if touches(one, other):
        raise NotShown(f"{name(one)} and {name(other)} touch")
    if _regions(board, stars) != _regions(board, others):
        raise NotShown(f"{names(others)} are not in the regions of {names(stars)}")
    for cell in sorted(others):
        if board.mark(cell) != UNKNOWN:
            raise NotShown(f"{name(cell)} is marked")
        if cell in board.open and not excludes(board, opposite, cell):
            raise NotShown(f"{name(cell)} may have a star as well")
    for cell in sorted(frozenset().union(*board.units.values()) - stars - others):
        near = touches(cell, one) or touches(cell, other)
        possible = cell in board.open and not excludes(board, opposite, cell)
        if near and (board.mark(cell) == STAR or possible):
            raise NotShown(f"{name(cell)} may have a star, and touches {names(others)}")


def _regions(board: Board, cells: CellSet) -> list[int]:
    return sorted(board.puzzle.regions[row * board.size + col] for row, col in cells)


def _only_solution(board: Board, body: Rectangle) -> None:
    """See that the stars are the only solution, even if the star on the corner is not marked."""
    from solvent.starbattle.checker import refutation  # it takes a kernel, and no other technique does

    certificate = {"form": "only solution", "stars": body.stars, "proof": body.proof}
    violations = refutation.check(without_mark(board.puzzle, body.star), certificate, board.meter)
    if violations:
        raise NotShown("; ".join(violations))


def without_mark(puzzle: Puzzle, cell: Cell) -> Puzzle:
    """Return a puzzle with one mark less."""
    marks = list(puzzle.marks)
    marks[cell[0] * puzzle.size + cell[1]] = UNKNOWN
    return replace(puzzle, marks="".join(marks))
