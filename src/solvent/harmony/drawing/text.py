"""Draw a board for a terminal, never wider than 80 columns.

Each tile shows its colour's short name and its moves left (`·` for none); a tile outside its row has a `*` in front.
What stands right of a row is its target. Wide boards are drawn in several blocks of columns.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection

from solvent.core.paint import Paint, ink_on
from solvent.harmony.drawing.colours import abbreviate, choose_paints
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_swap

WIDTH = 80
_NAME_ROOM = 9
"""Columns kept free for the target's name; longer names are cropped when the board leaves no more."""
_RESET = "\x1b[0m"


def draw_text(board: Board, *, move: str | None = None, colour: bool = False) -> str:
    """Draw a board as lines of text; brackets mark the two cells of `move`, escape codes paint tiles if asked."""
    marked = frozenset(parse_swap(move, board)) if move is not None else frozenset[int]()
    short = abbreviate(board.palette)
    if any(name[-1].isdigit() for name in short):
        short = [f"{name}:" for name in short]  # so that the colour 1 with 2 moves is not read as 12
    paints = choose_paints(board.palette) if colour else None
    digits = max(len(str(moves)) for moves in board.moves)
    tile_width = 1 + len(short[0]) + digits
    fitting = max(1, (WIDTH - 3 - len(short[0]) - _NAME_ROOM) // (tile_width + 1))
    blocks = []
    for first in range(0, board.cols, fitting):
        cols = range(first, min(first + fitting, board.cols))
        numbers = "".join(f" {col + 1:^{tile_width}}" for col in cols)
        lines = [f"  {numbers}".rstrip()]
        for row in range(board.rows):
            drawn = _draw_row(board, row, cols, short=short, digits=digits, marked=marked, paints=paints)
            room = WIDTH - 2 - len(numbers) - 2
            target = f"{short[row]} {board.palette[row]}" if short[row] != board.palette[row] else short[row]
            lines.append(f"{chr(ord('A') + row)} {drawn} {_crop(target, room)}")
        blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, _legend(board, short)])


def _draw_row(
    board: Board,
    row: int,
    cols: range,
    *,
    short: list[str],
    digits: int,
    marked: Collection[int],
    paints: list[Paint] | None,
) -> str:
    drawn = ""
    previous_marked = False
    for col in cols:
        cell = row * board.cols + col
        drawn += _separator(previous_marked, cell in marked)
        drawn += _draw_tile(board, cell, short, digits, paints)
        previous_marked = cell in marked
    return drawn + _separator(previous_marked, False)


def _separator(left_marked: bool, right_marked: bool) -> str:
    if left_marked and right_marked:
        return "|"
    return "[" if right_marked else "]" if left_marked else " "


def _draw_tile(board: Board, cell: int, short: list[str], digits: int, paints: list[Paint] | None) -> str:
    colour, moves = board.colours[cell], board.moves[cell]
    away = " " if colour == cell // board.cols else "*"
    tile = f"{away}{short[colour]}{moves or '·':<{digits}}"
    if paints is None:
        return tile
    paint = paints[colour]
    background = ";".join(map(str, paint))
    ink = ";".join(map(str, ink_on(paint)))
    return f"\x1b[48;2;{background}m\x1b[38;2;{ink}m{tile}{_RESET}"


def _crop(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _legend(board: Board, short: list[str]) -> str:
    swaps = f"{board.swaps} swap{'' if board.swaps == 1 else 's'} left"
    if sum(board.moves) % 2:
        swaps = f"an odd sum of {sum(board.moves)} moves left"
    away = sum(colour != cell // board.cols for cell, colour in enumerate(board.colours))
    text = f"{board.rows}×{board.cols}, {swaps}, {away} of {len(board.colours)} tiles not home (*)"
    homeless = [
        f"{short[colour]} {board.palette[colour]}" for colour in sorted({*board.colours}) if colour >= board.rows
    ]
    if homeless:
        text += f"; no row wants {', '.join(homeless)}"
    return textwrap.fill(text, WIDTH, break_on_hyphens=False)
