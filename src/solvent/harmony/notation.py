"""Positions, swaps, boards and solutions as text. (Boards and solutions follow.)."""

from __future__ import annotations

from solvent.harmony.model import Swap


def format_cell(cell: int, cols: int) -> str:
    """Write a cell as its row's letter and its column's number, such as `B3`."""
    return f"{chr(ord('A') + cell // cols)}{cell % cols + 1}"


def format_swap(swap: Swap, cols: int) -> str:
    """Write a swap as its two cells, such as `A1-B1`."""
    return f"{format_cell(swap[0], cols)}-{format_cell(swap[1], cols)}"
