"""A mark whose opposite leaves no solution at all, as a refutation shows: `search`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from solvent.starbattle.checker.cases import Entry
from solvent.starbattle.checker.steps.board import Board, Findings, NotShown, open_cell, with_marks
from solvent.starbattle.checker.steps.certificate_schema import Cell
from solvent.starbattle.model import Puzzle


class Searched(msgspec.Struct):
    """Hold the witness of `search`."""

    cell: Cell
    value: Literal["star", "cross"]
    """What was supposed of the cell."""
    proof: str | None = None
    """A refutation, in DRUP text, of every solution with the supposed mark."""
    cases: list[Entry] | None = None
    """Instead of it, the cases that leave no such solution."""


def search(board: Board, witness: dict[str, Any]) -> Findings:
    """Return the opposite of a mark with which the board has no solution."""
    from solvent.starbattle.checker import refutation  # it takes a kernel, and few techniques do

    body = msgspec.convert(witness, Searched)
    cell = frozenset([open_cell(board, body.cell)])
    violations = refutation.proof_violations(supposed(board, body), body.proof, body.cases, None, board.meter)
    if violations:
        raise NotShown("; ".join(violations))
    return Findings(crosses=cell) if body.value == "star" else Findings(stars=cell)


def supposed(board: Board, body: Searched) -> Puzzle:
    """Return the puzzle with the mark that was supposed."""
    if body.value == "star":
        return with_marks(board, stars=[body.cell]).puzzle
    return with_marks(board, crosses=[body.cell]).puzzle
