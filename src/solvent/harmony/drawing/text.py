"""Draw a board for a terminal, never wider than 80 columns.

Each tile shows its colour's short name and its moves left (`·` for none); a tile outside its row has a `*` in front.
What stands right of a row is its target. Wide boards are drawn in several blocks of columns.
"""

from __future__ import annotations

from collections.abc import Collection

from solvent.drawing.palette import Paint, choose_paints
from solvent.drawing.phrases import counted, shorten
from solvent.drawing.terminal import WIDTH, Piece, wrap, write_pieces
from solvent.harmony.drawing.short_names import abbreviate
from solvent.harmony.model import Board
from solvent.harmony.positions import parse_swap

_NAME_ROOM = 9
"""Columns kept free for the target's name; longer names are cropped when the board leaves no more."""


def draw_text(board: Board, *, move: str | None = None, colour: bool = False, bare: bool = False) -> str:
    """Draw a board as lines of text; brackets mark the two cells of `move`, escape codes paint tiles if asked.

    A `bare` board has no line of words below it.
    """
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
            line: list[Piece] = [(f"{chr(ord('A') + row)} ", None), *drawn, (f" {shorten(target, room)}", None)]
            lines.append(write_pieces(line, colour=colour))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks if bare else [*blocks, _legend(board, short)])


def _draw_row(
    board: Board,
    row: int,
    cols: range,
    *,
    short: list[str],
    digits: int,
    marked: Collection[int],
    paints: list[Paint] | None,
) -> list[Piece]:
    drawn: list[Piece] = []
    previous_marked = False
    for col in cols:
        cell = row * board.cols + col
        colour, moves = board.colours[cell], board.moves[cell]
        away = " " if colour == row else "*"
        drawn.append((_separator(previous_marked, cell in marked), None))
        drawn.append((f"{away}{short[colour]}{moves or '·':<{digits}}", paints[colour] if paints else None))
        previous_marked = cell in marked
    return [*drawn, (_separator(previous_marked, False), None)]


def _separator(left_marked: bool, right_marked: bool) -> str:
    if left_marked and right_marked:
        return "|"
    return "[" if right_marked else "]" if left_marked else " "


def _legend(board: Board, short: list[str]) -> str:
    swaps = f"{counted(board.swaps, 'swap')} left"
    if sum(board.moves) % 2:
        swaps = f"an odd sum of {sum(board.moves)} moves left"
    away = sum(colour != cell // board.cols for cell, colour in enumerate(board.colours))
    text = f"{board.rows}×{board.cols}, {swaps}, {away} of {len(board.colours)} tiles not home (*)"
    homeless = [
        f"{short[colour]} {board.palette[colour]}" for colour in sorted({*board.colours}) if colour >= board.rows
    ]
    if homeless:
        text += f"; no row wants {', '.join(homeless)}"
    return "\n".join(wrap(text))
