"""Draw one board as SVG: tiles with dots for moves, the rows' targets as tabs, arrows for a swap.

The picture needs nothing from outside and has no ids, so several may stand in one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from solvent.core.paint import Paint, as_hex, ink_on, mix
from solvent.harmony.drawing.colours import abbreviate, choose_paints
from solvent.harmony.model import Board, Swap
from solvent.harmony.positions import format_cell, format_swap

TILE = 60
"""The side of a tile; lengths are in pixels at the picture's natural size."""
PITCH = TILE + 6
LEFT, TOP, MARGIN = 58, 40, 20
"""Room for the tabs, for the columns' numbers, and at the other two sides."""
TAB = 32

Point = tuple[float, float]

PAPER: Paint = (250, 249, 245)
FAINT_INK = "#6B6A66"
ARROW_INK = "#161616"

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
    return wrap_picture(width, height, title, describe(board), draw_elements(board, swap, tooltips=True))


def board_size(board: Board) -> tuple[int, int]:
    """Return the width and height of a board's picture."""
    return LEFT + board.cols * PITCH + MARGIN, TOP + board.rows * PITCH + MARGIN


def wrap_picture(width: float, height: float, title: str, description: str, elements: Iterator[str]) -> str:
    """Put elements on paper, with a title and a description for those who cannot see it."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}" '
        'font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(description)}</desc>",
        f'<rect width="{width:g}" height="{height:g}" rx="14" fill="{as_hex(PAPER)}"/>',
        *elements,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


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


def draw_elements(board: Board, swap: Swap | None, *, tooltips: bool) -> Iterator[str]:
    """Yield the elements of a board's picture: numbers, tabs, tiles, and arrows for a swap."""
    short, paints = abbreviate(board.palette), choose_paints(board.palette)
    yield f'<g font-size="16" font-weight="bold" text-anchor="middle" fill="{FAINT_INK}">'
    for col in range(board.cols):
        yield f'<text x="{LEFT + col * PITCH + TILE / 2:g}" y="{TOP - 13}">{col + 1}</text>'
    yield "</g>"
    for row in range(board.rows):
        yield from _draw_tab(row, paints[row], f"row {chr(ord('A') + row)}: {board.palette[row]}" if tooltips else "")
    for cell, colour in enumerate(board.colours):
        tooltip = _tooltip(board, cell) if tooltips else ""
        yield from _draw_tile(board, cell, paints[colour], short[colour], tooltip)
    if swap is not None:
        yield from _draw_swap(board, swap)


def _tooltip(board: Board, cell: int) -> str:
    moves = board.moves[cell]
    home = ", home" if board.colours[cell] == cell // board.cols else ""
    name = board.palette[board.colours[cell]]
    return f"{format_cell(cell, board.cols)}: {name}, {moves} move{'' if moves == 1 else 's'}{home}"


def _with_tooltip(element: str, tooltip: str) -> str:
    """Open a group that shows a tooltip, or return the element alone."""
    return f"<g><title>{escape(tooltip)}</title>{element}</g>" if tooltip else element


def _draw_tab(row: int, paint: Paint, tooltip: str) -> Iterator[str]:
    y = TOP + row * PITCH
    # Flat towards the board, round outside, so that it reads as the row's handle.
    shape = f"M{LEFT - 10} {y + 4}v{TILE - 8}h{-(TAB - 10)}a10 10 0 0 1 -10 -10v{-(TILE - 28)}a10 10 0 0 1 10 -10z"
    edge = as_hex(mix(paint, (0, 0, 0), 0.25))
    yield _with_tooltip(f'<path d="{shape}" fill="{as_hex(paint)}" stroke="{edge}" stroke-width="1.5"/>', tooltip)
    yield (
        f'<text x="{LEFT - 10 - TAB / 2:g}" y="{y + TILE / 2 + 6:g}" font-size="17" font-weight="bold" '
        f'text-anchor="middle" fill="{as_hex(ink_on(paint))}">{chr(ord("A") + row)}</text>'
    )


def _draw_tile(board: Board, cell: int, paint: Paint, short: str, tooltip: str) -> Iterator[str]:
    row, col = divmod(cell, board.cols)
    x, y = LEFT + col * PITCH, TOP + row * PITCH
    moves, home = board.moves[cell], board.colours[cell] == row
    if moves:
        face = paint
        edge = as_hex(mix(paint, (0, 0, 0), 0.3))
        # A darker rim below lifts the tile off the paper: it can be moved.
        yield f'<rect x="{x}" y="{y + 3}" width="{TILE}" height="{TILE - 2}" rx="11" fill="{edge}"/>'
        body = f'<rect x="{x}" y="{y}" width="{TILE}" height="{TILE - 2}" rx="11" fill="{as_hex(face)}"/>'
    else:
        face = mix(paint, PAPER, 0.35)
        edge = as_hex(mix(paint, (0, 0, 0), 0.15))
        dashes = "" if home else ' stroke-dasharray="5 4"'
        body = (
            f'<rect x="{x + 2}" y="{y + 2}" width="{TILE - 4}" height="{TILE - 4}" rx="9" fill="{as_hex(face)}" '
            f'stroke="{edge}" stroke-width="2.5"{dashes}/>'
        )
    yield _with_tooltip(body, tooltip)
    ink = as_hex(ink_on(face))
    yield f'<text x="{x + 8}" y="{y + 18}" font-size="13" font-weight="bold" fill="{ink}">{escape(short)}</text>'
    if home:
        yield f'<path d="M{x + TILE - 21} {y + 14}l7.5 -6.5l7.5 6.5h-2.5v5.5h-10v-5.5z" fill="{ink}" opacity="0.8"/>'
    yield from _draw_moves(x + TILE / 2, y + 37, moves, ink)


def _draw_moves(x: float, y: float, moves: int, ink: str) -> Iterator[str]:
    if moves == 0:
        # A padlock: this tile stays where it is for good.
        yield (
            f'<g fill="none" stroke="{ink}" stroke-width="2.5" opacity="0.75">'
            f'<path d="M{x - 5:g} {y - 2:g}v-4a5 5 0 0 1 10 0v4"/></g>'
            f'<rect x="{x - 8:g}" y="{y - 2:g}" width="16" height="12" rx="2.5" fill="{ink}" opacity="0.75"/>'
        )
    elif moves in _PIPS:
        for across, down in _PIPS[moves]:
            yield f'<circle cx="{x + across * 12:g}" cy="{y + down * 10.5:g}" r="4.3" fill="{ink}"/>'
    else:
        size = 26 if moves < 100 else 23
        yield (
            f'<text x="{x:g}" y="{y + 9:g}" font-size="{size}" font-weight="bold" text-anchor="middle" '
            f'fill="{ink}">{moves}</text>'
        )


def _draw_swap(board: Board, swap: Swap) -> Iterator[str]:
    """Ring the two cells and bend an arrow with two heads between them, along their right or lower edges."""
    corners = []
    for cell in swap:
        row, col = divmod(cell, board.cols)
        x, y = LEFT + col * PITCH, TOP + row * PITCH
        corners.append((x, y))
        for colour, width in (("#FFFFFF", 6), (ARROW_INK, 3)):
            yield (
                f'<rect x="{x - 1}" y="{y - 1}" width="{TILE + 2}" height="{TILE + 3}" rx="12" fill="none" '
                f'stroke="{colour}" stroke-width="{width}"/>'
            )
    # Out at the edge the arrow hides neither letters nor dots.
    vertical = corners[0][0] == corners[1][0]
    edge = (TILE - 8, TILE / 2) if vertical else (TILE / 2, TILE - 5)
    start, end = ((x + edge[0], y + edge[1]) for x, y in corners)
    bend = min(52.0, 26 + 0.08 * math.dist(start, end))
    middle = (start[0] + end[0]) / 2 + bend * vertical, (start[1] + end[1]) / 2 + bend * (not vertical)
    yield from _draw_arrow(start, middle, end)


def _draw_arrow(start: Point, middle: Point, end: Point) -> Iterator[str]:
    """Draw a curve from start to end that leans towards the middle, with a head at both ends and a white rim."""
    heads = [_arrow_head(middle, tip) for tip in (start, end)]
    (from_x, from_y), (to_x, to_y) = (base for base, _ in heads)
    line = f"M{from_x:.1f} {from_y:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {to_x:.1f} {to_y:.1f}"
    outline = "".join(path for _, path in heads)
    yield '<g stroke-linecap="round" stroke-linejoin="round">'
    yield f'<path d="{line}" fill="none" stroke="#FFFFFF" stroke-width="9"/>'
    yield f'<path d="{outline}" fill="#FFFFFF" stroke="#FFFFFF" stroke-width="5"/>'
    yield f'<path d="{line}" fill="none" stroke="{ARROW_INK}" stroke-width="4.5"/>'
    yield f'<path d="{outline}" fill="{ARROW_INK}"/></g>'


def _arrow_head(origin: Point, tip: Point) -> tuple[Point, str]:
    """Return the middle of a head's base, where the line ends, and the head's outline."""
    reach = math.dist(origin, tip)
    dx, dy = (tip[0] - origin[0]) / reach, (tip[1] - origin[1]) / reach
    x, y = tip[0] - 12 * dx, tip[1] - 12 * dy
    outline = f"M{tip[0]:.1f} {tip[1]:.1f}L{x - 7 * dy:.1f} {y + 7 * dx:.1f}L{x + 7 * dy:.1f} {y - 7 * dx:.1f}z"
    return (x, y), outline
