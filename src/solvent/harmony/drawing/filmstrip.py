"""Draw a plan as a filmstrip: the boards one after the other, each with the arrows of its next swap."""

from __future__ import annotations

import math
from collections.abc import Iterator

from solvent.core.errors import ParseError
from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, WHITE
from solvent.drawing.paper import frame
from solvent.drawing.phrases import counted
from solvent.drawing.shapes import group, label, put, rect
from solvent.harmony.drawing.svg import board_size, draw_elements
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_swap, parse_swap
from solvent.harmony.rules import is_legal, is_solved, play

MAX_FRAMES = 60
MAX_TILES = 20_000
"""Tiles in the whole picture; big boards get fewer frames, so that a browser can still show it."""
FRAME_SIDE = 300
"""The longer side of a board in a frame is at most this many pixels."""

_GAP, _HEADER, _CAPTION = 16, 46, 26
_CARD_EDGE = "#DAD8D0"


def draw_filmstrip(board: Board, plan: object) -> str:
    """Draw the boards of a plan in a grid; a long plan shows evenly chosen boards and says how many it leaves out."""
    swaps = _read_swaps(board, plan)
    chosen = choose_frames(len(swaps) + 1, min(MAX_FRAMES, max(2, MAX_TILES // len(board.colours))))
    boards = _replay(board, swaps, set(chosen))
    width, height = board_size(board)
    scale = min(1.0, FRAME_SIDE / max(width, height))
    frame_width, frame_height = round(width * scale), round(height * scale) + _CAPTION
    columns = max(1, min(len(chosen), round(math.sqrt(1.5 * len(chosen) * frame_height / frame_width))))
    lines = -(-len(chosen) // columns)
    count = counted(len(swaps), "swap")
    left_out = len(swaps) + 1 - len(chosen)

    def elements() -> Iterator[Markup]:
        heading = count + (f", {len(chosen)} boards shown, … {left_out} more" if left_out else "")
        yield label(heading, _GAP + 4, 31, 19, bold=True, fill=FAINT_INK)
        for index, number in enumerate(chosen):
            x = _GAP + index % columns * (frame_width + _GAP)
            y = _HEADER + index // columns * (frame_height + _GAP)
            swap = swaps[number] if number < len(swaps) else None
            drawn = draw_elements(boards[number], swap, tooltips=False)
            card = [
                rect(0, 0, frame_width, frame_height, rx=10, fill=WHITE, stroke=_CARD_EDGE),
                _draw_caption(boards[number], number, swap, frame_width),
                group(drawn, transform=f"translate(0 {_CAPTION - 4}) scale({scale:.4f})"),
            ]
            yield put(card, x, y)

    return frame(
        _GAP + columns * (frame_width + _GAP),
        _HEADER + lines * (frame_height + _GAP),
        elements(),
        title=f"Harmony plan, {board.rows}×{board.cols}, {count}",
        description=", ".join(format_swap(swap, board.cols) for swap in swaps) or "No swaps.",
    )


def choose_frames(boards: int, most: int) -> list[int]:
    """Choose at most so many of the boards, evenly, the first and the last among them."""
    if boards <= most:
        return list(range(boards))
    return [index * (boards - 1) // (most - 1) for index in range(most)]


def _draw_caption(board: Board, number: int, swap: Swap | None, width: int) -> Iterator[Markup]:
    yield label(str(number), 10, 19, 14, bold=True, fill=FAINT_INK)
    if swap is not None:
        note = f"next {format_swap(swap, board.cols)}"
    else:
        note = "solved" if is_solved(board) else "not solved"
    yield label(note, width - 10, 19, 13, text_anchor="end", fill=FAINT_INK)


def _read_swaps(board: Board, plan: object) -> list[Swap]:
    if not isinstance(plan, list | tuple):
        raise ParseError("a list of swaps", plan, path="plan")
    swaps: list[Swap] = []
    for index, text in enumerate(plan):
        if not isinstance(text, str):
            raise ParseError("a swap such as A1-B1", text, path=f"plan[{index}]")
        try:
            swaps.append(parse_swap(text, board))
        except ParseError as error:
            raise ParseError(error.expected, error.value, path=f"plan[{index}]") from None
    return swaps


def _replay(board: Board, swaps: list[Swap], wanted: set[int]) -> dict[int, Board]:
    """Play the swaps and keep the wanted boards by number; all boards of a long plan would fill the memory."""
    kept = {0: board}
    for index, swap in enumerate(swaps):
        if not is_legal(board, swap):
            shown = format_swap(swap, board.cols)
            raise ParseError("a swap of two tiles with moves left", shown, path=f"plan[{index}]")
        board = play(board, swap)
        if index + 1 in wanted:
            kept[index + 1] = board
    return kept
