"""What a page needs to show a board, to play on it and to edit it.

Which swaps are legal is decided here, by the rules; a page only draws the data and says which tiles were picked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solvent.drawing.palette import BLACK, HUES, as_hex, choose_paints, ink_on, mix
from solvent.drawing.phrases import counted
from solvent.harmony import rules
from solvent.harmony.drawing.short_names import abbreviate
from solvent.harmony.model import Board
from solvent.harmony.page.editing import edit as edit
from solvent.harmony.page.editing import templates as templates
from solvent.harmony.page.playing import MAX_SWAPS as MAX_SWAPS
from solvent.harmony.page.playing import play as play


def page_data(board: Board) -> dict[str, Any]:
    """Return what stands where and which tiles may change places, as JSON values."""
    left = board.swaps
    return {
        "title": f"{board.rows}×{board.cols}, {counted(left, 'swap')}",
        "rows": board.rows,
        "cols": board.cols,
        "palette": _paints(board.palette),
        "hues": _paints(tuple(HUES)),
        "targets": list(range(board.rows)),
        "colours": list(board.colours),
        "moves": list(board.moves),
        "lines": lines_of_partners(board),
        "swaps": left,
        "solved": rules.is_solved(board),
        "most_swaps": MAX_SWAPS,
    }


def lines_of_partners(board: Board) -> list[list[int]]:
    """Return groups of cells, each part of a row or column: any two cells of one group are a legal swap.

    Every legal swap is in exactly one of them. One by one they would be hundreds of times as much.
    """
    rows, cols = board.rows, board.cols
    straight = [range(row * cols, (row + 1) * cols) for row in range(rows)]
    straight += [range(col, rows * cols, cols) for col in range(cols)]
    live = [[cell for cell in line if board.moves[cell] > 0] for line in straight]
    return [line for line in live if len(line) > 1]


def _paints(names: Sequence[str]) -> list[dict[str, str]]:
    """Return each colour's name, its short name as second cue, and the paints of a tile."""
    return [
        {
            "name": name,
            "short": short,
            "face": as_hex(paint),
            "rim": as_hex(mix(paint, BLACK, 0.3)),
            "ink": as_hex(ink_on(paint)),
        }
        for name, short, paint in zip(names, abbreviate(names), choose_paints(names), strict=True)
    ]
