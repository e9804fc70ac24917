"""The board cut into 2×2 blocks, and how many of them are empty: `n-rooks`.

A band is two rows, or two columns: the first two, the next two, and so on. It has 2k stars, and each of its size / 2
blocks has one at most. So exactly size / 2 - 2k blocks of every band are empty: with one to a band, they stand like
rooks that do not attack each other.

Take some bands of rows as the base and as many of columns as the cover, or the reverse. If all blocks of the base
outside the cover have a star, its empty blocks all lie in the cover. Those are as many as the cover has at all, so the
cover has no empty block outside the base.

Or take one band alone, as the base. If no more of its blocks lack a star than are to be empty, these are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from solvent.drawing.phrases import counted
from solvent.starbattle.checker.stars import Number
from solvent.starbattle.checker.steps.board import Board, CellSet, Findings, NotShown, name, touches_all
from solvent.starbattle.checker.steps.certificate_schema import Cell, Cells
from solvent.starbattle.model import STAR

Block = Cell
"""Its band of rows and its band of columns, from 0."""


class Rooks(msgspec.Struct):
    """Hold the witness of `n-rooks`."""

    rows: list[Number]
    """Bands of rows, from 0."""
    columns: list[Number]
    base: Literal["rows", "columns"]
    full: Cells
    """Blocks that have a star, by their bands."""
    empty: Cells


def n_rooks(board: Board, witness: dict[str, Any]) -> Findings:
    """Return what follows for the blocks that are shown to be full or empty."""
    body = msgspec.convert(witness, Rooks)
    bands, empties = _bands(board)
    for numbers in (body.rows, body.columns):
        if len(set(numbers)) != len(numbers) or any(number >= bands for number in numbers):
            raise NotShown(f"expected bands from 0 to {bands - 1}, each once")
    shown_full, shown_empty = _shown(board, body, bands, empties)
    stars: CellSet = frozenset()
    crosses: CellSet = frozenset()
    for block in body.full:
        cells = _open_cells(board, block)
        if block not in shown_full:
            raise NotShown(f"{_block_name(block)} is not shown to be full")
        if not cells or _has_star(board, block):  # its star would be known; without open cells nothing follows
            raise NotShown(f"{_block_name(block)} has its star, or no place for it")
        if len(cells) == 1:
            stars |= cells
        crosses |= {cell for cell in board.open - cells if touches_all(cell, cells)}
    for block in body.empty:
        if block not in shown_empty:
            raise NotShown(f"{_block_name(block)} is not shown to be empty")
        crosses |= _open_cells(board, block)
    return Findings(stars=stars, crosses=crosses)


def _bands(board: Board) -> tuple[int, int]:
    """Return how many bands there are each way, and how many empty blocks each has."""
    if board.size % 2:
        raise NotShown(f"{board.size} rows cannot be cut into pairs")
    empties = board.size // 2 - 2 * board.puzzle.stars
    if empties < 0:
        raise NotShown("two rows have more stars than blocks")
    return board.size // 2, empties


def _shown(board: Board, body: Rooks, bands: int, empties: int) -> tuple[set[Block], set[Block]]:
    """Return the blocks that are shown to be full and those that are shown to be empty."""
    in_rows = {(i, j) for i in body.rows for j in range(bands)}
    in_columns = {(i, j) for i in range(bands) for j in body.columns}
    base, cover = (in_rows, in_columns) if body.base == "rows" else (in_columns, in_rows)
    can_be_empty = {block for block in base - cover if not _has_star(board, block)}
    if base and len(body.rows) == len(body.columns):
        if can_be_empty:
            raise NotShown(f"{_block_name(min(can_be_empty))} is outside the cover and has no star")
        return cover - base, set()
    if len(base) == bands and not cover:
        if len(can_be_empty) > empties:
            raise NotShown(f"{counted(len(can_be_empty), 'block')} without a star, of which {empties} are empty")
        return set(), can_be_empty
    raise NotShown("expected as many bands of rows as of columns, or one band alone, as the base")


def _cells(block: Block) -> CellSet:
    return frozenset((2 * block[0] + down, 2 * block[1] + right) for down in (0, 1) for right in (0, 1))


def _open_cells(board: Board, block: Block) -> CellSet:
    return board.open & _cells(block)


def _has_star(board: Board, block: Block) -> bool:
    return any(board.mark(cell) == STAR for cell in _cells(block))


def _block_name(block: Sequence[int]) -> str:
    return f"the block at {name((2 * block[0], 2 * block[1]))}"
