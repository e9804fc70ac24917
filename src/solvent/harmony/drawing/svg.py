"""Draw one board as SVG: tiles with dots for moves, the rows' targets as tabs, arrows for a swap.

The picture needs nothing from outside and has no ids, so several may stand in one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from solvent.drawing.markup import Markup, tag
from solvent.drawing.palette import BLACK, FAINT_INK, INK, PAPER, WHITE, Paint, choose_paints, ink_on, mix
from solvent.drawing.paper import frame
from solvent.drawing.phrases import counted
from solvent.drawing.shapes import Point, arrow_head, circle, group, label, path, rect, with_tooltip, write_point
from solvent.harmony.drawing.short_names import abbreviate
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_cell, format_swap

TILE = 60
"""The side of a tile; lengths are in pixels at the picture's natural size."""
PITCH = TILE + 6
LEFT, TOP, MARGIN = 58, 40, 20
"""Room for the tabs, for the columns' numbers, and at the other two sides."""
TAB = 32

# The pips of a die on a grid of 3 by 3, in steps from the middle.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw_board(board: Board, swap: Swap | None = None) -> str:
    """Draw one board, with arrows for a swap if one is given."""
    width, height = board_size(board)
    title = f"Harmony board, {board.rows}×{board.cols}, {board.swaps} swaps"
    if swap is not None:
        title += f", next {format_swap(swap, board.cols)}"
    drawn = draw_elements(board, swap, tooltips=True)
    return frame(width, height, drawn, title=title, description=describe(board))


def board_size(board: Board) -> tuple[int, int]:
    """Return the width and height of a board's picture."""
    return LEFT + board.cols * PITCH + MARGIN, TOP + board.rows * PITCH + MARGIN


def describe(board: Board) -> str:
    """Say in words what stands on the board, row by row."""
    return " ".join(
        f"Row {chr(ord('A') + row)}, target {board.palette[row]}: "
        + ", ".join(
            f"{board.palette[board.colours[cell]]} {board.moves[cell]}"
            for cell in range(row * board.cols, (row + 1) * board.cols)
        )
        + "."
        for row in range(board.rows)
    )


def draw_elements(board: Board, swap: Swap | None, *, tooltips: bool) -> Iterator[Markup]:
    """Yield the elements of a board's picture: numbers, tabs, tiles, and arrows for a swap."""
    short, paints = abbreviate(board.palette), choose_paints(board.palette)
    numbers = [tag("text", str(col + 1), x=LEFT + col * PITCH + TILE / 2, y=TOP - 13) for col in range(board.cols)]
    yield group(numbers, font_size=16, font_weight="bold", text_anchor="middle", fill=FAINT_INK)
    for row in range(board.rows):
        yield from _draw_tab(row, paints[row], f"row {chr(ord('A') + row)}: {board.palette[row]}" if tooltips else "")
    for cell, colour in enumerate(board.colours):
        tooltip = _tooltip(board, cell) if tooltips else ""
        yield from _draw_tile(board, cell, paints[colour], short[colour], tooltip)
    if swap is not None:
        yield from _draw_swap(board, swap)


def _tooltip(board: Board, cell: int) -> str:
    home = ", home" if board.colours[cell] == cell // board.cols else ""
    name = board.palette[board.colours[cell]]
    return f"{format_cell(cell, board.cols)}: {name}, {counted(board.moves[cell], 'move')}{home}"


def _with_tooltip(shape: Markup, tooltip: str) -> Markup:
    return group(with_tooltip(shape, tooltip)) if tooltip else shape


def _draw_tab(row: int, paint: Paint, tooltip: str) -> Iterator[Markup]:
    y = TOP + row * PITCH
    # Flat towards the board, round outside, so that it reads as the row's handle.
    shape = f"M{LEFT - 10} {y + 4}v{TILE - 8}h{-(TAB - 10)}a10 10 0 0 1 -10 -10v{-(TILE - 28)}a10 10 0 0 1 10 -10z"
    yield _with_tooltip(path(shape, fill=paint, stroke=mix(paint, BLACK, 0.25), stroke_width=1.5), tooltip)
    middle = LEFT - 10 - TAB / 2, y + TILE / 2 + 6
    yield label(chr(ord("A") + row), *middle, 17, bold=True, text_anchor="middle", fill=ink_on(paint))


def _draw_tile(board: Board, cell: int, paint: Paint, short: str, tooltip: str) -> Iterator[Markup]:
    row, col = divmod(cell, board.cols)
    x, y = LEFT + col * PITCH, TOP + row * PITCH
    moves, home = board.moves[cell], board.colours[cell] == row
    if moves:
        face = paint
        # A darker rim below lifts the tile off the paper: it can be moved.
        yield rect(x, y + 3, TILE, TILE - 2, rx=11, fill=mix(paint, BLACK, 0.3))
        body = rect(x, y, TILE, TILE - 2, rx=11, fill=face)
    else:
        face, edge = mix(paint, PAPER, 0.35), mix(paint, BLACK, 0.15)
        dashes = None if home else "5 4"
        box = x + 2, y + 2, TILE - 4, TILE - 4
        body = rect(*box, rx=9, fill=face, stroke=edge, stroke_width=2.5, stroke_dasharray=dashes)
    yield _with_tooltip(body, tooltip)
    ink = ink_on(face)
    yield label(short, x + 8, y + 18, 13, bold=True, fill=ink)
    if home:
        yield path(f"M{x + TILE - 21} {y + 14}l7.5 -6.5l7.5 6.5h-2.5v5.5h-10v-5.5z", fill=ink, opacity=0.8)
    yield from _draw_moves(x + TILE / 2, y + 37, moves, ink)


def _draw_moves(x: float, y: float, moves: int, ink: Paint) -> Iterator[Markup]:
    if moves == 0:
        # A padlock: this tile stays where it is for good.
        yield path(f"M{x - 5:g} {y - 2:g}v-4a5 5 0 0 1 10 0v4", stroke=ink, stroke_width=2.5, opacity=0.75)
        yield rect(x - 8, y - 2, 16, 12, rx=2.5, fill=ink, opacity=0.75)
    elif moves in _PIPS:
        for across, down in _PIPS[moves]:
            yield circle(x + across * 12, y + down * 10.5, 4.3, fill=ink)
    else:
        yield label(str(moves), x, y + 9, 26 if moves < 100 else 23, bold=True, text_anchor="middle", fill=ink)


def _draw_swap(board: Board, swap: Swap) -> Iterator[Markup]:
    """Ring the two cells and bend an arrow with two heads between them, along their right or lower edges."""
    corners = []
    for cell in swap:
        row, col = divmod(cell, board.cols)
        x, y = LEFT + col * PITCH, TOP + row * PITCH
        corners.append((x, y))
        for paint, width in ((WHITE, 6), (INK, 3)):
            yield rect(x - 1, y - 1, TILE + 2, TILE + 3, rx=12, fill="none", stroke=paint, stroke_width=width)
    # Out at the edge the arrow hides neither letters nor dots.
    vertical = corners[0][0] == corners[1][0]
    edge = (TILE - 8, TILE / 2) if vertical else (TILE / 2, TILE - 5)
    start, end = ((x + edge[0], y + edge[1]) for x, y in corners)
    bend = min(52.0, 26 + 0.08 * math.dist(start, end))
    middle = (start[0] + end[0]) / 2 + bend * vertical, (start[1] + end[1]) / 2 + bend * (not vertical)
    yield _draw_arrow(start, middle, end)


def _draw_arrow(start: Point, middle: Point, end: Point) -> Markup:
    """Draw a curve from start to end that leans towards the middle, with a head at both ends and a white rim."""
    heads, bases = "", []
    for tip in (start, end):
        reach = math.dist(middle, tip)
        direction = (tip[0] - middle[0]) / reach, (tip[1] - middle[1]) / reach
        heads += arrow_head(tip, direction, back=12, side=7)
        bases.append((tip[0] - 12 * direction[0], tip[1] - 12 * direction[1]))
    line = f"M{write_point(bases[0])}Q{write_point(middle)} {write_point(bases[1])}"
    return group(
        path(line, stroke=WHITE, stroke_width=9),
        path(heads, fill=WHITE, stroke=WHITE, stroke_width=5),
        path(line, stroke=INK, stroke_width=4.5),
        path(heads, fill=INK),
        stroke_linecap="round",
        stroke_linejoin="round",
    )
