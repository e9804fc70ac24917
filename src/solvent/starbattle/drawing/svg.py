"""Draw boards as SVG: painted regions with thick borders, stars, crosses, and what a hint points at.

Blue says why, the other colours what follows: red for a cross to make, gold for a star; each has a shape of its own
too. The picture needs nothing from outside and has no ids, so several may stand in one page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from solvent.core.paint import INK, Paint, as_hex, mix
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.drawing import Overlay, first_cells
from solvent.starbattle.drawing.colours import CROSS_OUT, FAINT_INK, GOLD, PAPER, WHY, choose_paints
from solvent.starbattle.model import CROSS, STAR, Puzzle

CELL = 44
"""The side of a cell; lengths are in pixels at the picture's natural size."""
EDGE = 42
"""Room around a board, for the numbers of rows and columns at two of its sides."""
CAPTION = 26
KEY_LINE = 30

_BORDER, _LINE = 4, 1
_STAR = tuple(
    (math.sin(point * math.pi / 5) * reach, -math.cos(point * math.pi / 5) * reach)
    for point, reach in ((point, 1 if point % 2 == 0 else 0.45) for point in range(10))
)


def draw_picture(puzzle: Puzzle, overlays: Sequence[Overlay]) -> str:
    """Draw the board once for each overlay, side by side, with a key to the signs in use below."""
    side = puzzle.size * CELL
    key = list(_key_to(overlays))
    captions = CAPTION if any(overlay.caption for overlay in overlays) else 0
    boards_width = len(overlays) * (side + EDGE) + EDGE * 2 // 3
    width = max(boards_width, 260) if key else boards_width
    boards_height = captions + EDGE + side + EDGE * 2 // 3
    height = boards_height + len(key) * KEY_LINE + (10 if key else 0)
    title = f"Star Battle board, {puzzle.size}×{puzzle.size}, {puzzle.stars} star{'' if puzzle.stars == 1 else 's'}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="{escape(title)}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(describe(puzzle, overlays))}</desc>",
        f'<rect width="{width}" height="{height}" rx="14" fill="{as_hex(PAPER)}"/>',
    ]
    paints = choose_paints(puzzle)
    for index, overlay in enumerate(overlays):
        lines.append(f'<g transform="translate({EDGE + index * (side + EDGE)} {captions + EDGE})">')
        lines.extend(_draw_board(puzzle, overlay, paints))
        lines.append("</g>")
    for index, (sample, words) in enumerate(key):
        lines.append(f'<g transform="translate({EDGE} {boards_height + index * KEY_LINE})">{sample}')
        lines.append(f'<text x="36" y="17" font-size="15" fill="{as_hex(INK)}">{escape(words)}</text></g>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def describe(puzzle: Puzzle, overlays: Sequence[Overlay]) -> str:
    """Say in words what the picture shows."""
    size = puzzle.size
    said = [
        f"Row {row + 1}, regions {''.join(map(format_region, puzzle.regions[row * size : (row + 1) * size]))}."
        for row in range(size)
    ]
    for overlay in overlays:
        if overlay.caption:
            said.append(f"{overlay.caption}.")
        steps = overlay.steps
        for words, cells in (
            ("Stars", [cell for cell in range(size * size) if overlay.mark_on(puzzle, cell) == STAR]),
            ("Crosses", [cell for cell in range(size * size) if overlay.mark_on(puzzle, cell) == CROSS]),
            ("Because of", sorted(overlay.causes)),
            ("To star", [cell for cell in sorted(steps) if steps[cell] == STAR]),
            ("To cross out", [cell for cell in sorted(steps) if steps[cell] == CROSS]),
            ("At most one star in each 2×2 block from", overlay.blocks),
        ):
            listed = [cell for cell in cells if words not in ("Stars", "Crosses") or cell not in steps]
            if listed:
                said.append(f"{words}: {', '.join(format_cell(cell, size) for cell in listed)}.")
        for unit, names in (
            ("Rows", [str(row + 1) for row in sorted(overlay.rows)]),
            ("Columns", [str(col + 1) for col in sorted(overlay.columns)]),
            ("Regions", [format_region(region) for region in sorted(overlay.regions)]),
        ):
            if names:
                said.append(f"{unit} in play: {', '.join(names)}.")
    return " ".join(said)


def _draw_board(puzzle: Puzzle, overlay: Overlay, paints: list[Paint]) -> Iterator[str]:
    """Yield one board with its first cell at the origin: fills, then lines, then signs, so that signs stay on top."""
    side = puzzle.size * CELL
    if overlay.caption:
        yield (
            f'<text x="{side // 2}" y="{-EDGE + 6}" font-size="17" font-weight="bold" text-anchor="middle" '
            f'fill="{as_hex(INK)}">{escape(overlay.caption)}</text>'
        )
    yield from _draw_numbers(puzzle, overlay)
    yield '<g shape-rendering="crispEdges">'  # else hairs of paper show between cells of a region
    for cell in range(puzzle.size**2):
        x, y = _corner(cell, puzzle.size)
        fill = as_hex(_fill(puzzle, overlay, cell, paints))
        yield (
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}">'
            f"<title>{_tooltip(puzzle, overlay, cell)}</title></rect>"
        )
    yield "</g>"
    inner = "".join(f"M0 {at}h{side}M{at} 0v{side}" for at in range(CELL, side, CELL))
    yield f'<path d="{inner}" fill="none" stroke="{as_hex(INK)}" stroke-opacity="0.28" stroke-width="{_LINE}"/>'
    yield from _draw_regions_in_play(puzzle, overlay)
    yield (
        f'<path d="{border_path(puzzle)}" fill="none" stroke="{as_hex(INK)}" stroke-width="{_BORDER}" '
        'stroke-linecap="round"/>'
    )
    for cell in overlay.blocks:
        row, col = divmod(cell, puzzle.size)  # a block may be cut off at the edge of the board
        width, height = min(2, puzzle.size - col), min(2, puzzle.size - row)
        yield _block(*_corner(cell, puzzle.size), width * CELL, height * CELL)
    for cell in sorted(overlay.causes):
        yield _cause(*_corner(cell, puzzle.size), CELL)
    yield from _draw_letters(puzzle, overlay, paints)
    for cell in range(puzzle.size**2):
        yield from _draw_mark(puzzle, overlay, cell)
    for cell in sorted(overlay.rings):
        yield from _ring(*_corner(cell, puzzle.size), CELL)


def _fill(puzzle: Puzzle, overlay: Overlay, cell: int, paints: list[Paint]) -> Paint:
    paint = paints[puzzle.regions[cell]]
    return mix(paint, PAPER, 0.72) if overlay.is_aside(puzzle, cell) else paint


def border_path(puzzle: Puzzle) -> str:
    """Return the frame and all borders between regions as one path; each straight run is one line in it."""
    size, regions = puzzle.size, puzzle.regions
    path = ""
    for line in range(size + 1):
        for horizontal in (True, False):
            start = None
            for at in range(size + 1):
                if at == size:
                    border = False
                elif line in (0, size):
                    border = True
                elif horizontal:
                    border = regions[(line - 1) * size + at] != regions[line * size + at]
                else:
                    border = regions[at * size + line - 1] != regions[at * size + line]
                if border and start is None:
                    start = at
                elif not border and start is not None:
                    x, y = (start, line) if horizontal else (line, start)
                    path += f"M{x * CELL} {y * CELL}{'h' if horizontal else 'v'}{(at - start) * CELL}"
                    start = None
    return path


def _draw_numbers(puzzle: Puzzle, overlay: Overlay) -> Iterator[str]:
    """Yield the numbers of rows and columns; a line in play has its number on blue, and blue bars at both its ends."""
    side = puzzle.size * CELL
    yield '<g font-size="15" font-weight="bold" text-anchor="middle">'
    for number in range(puzzle.size):
        middle = number * CELL + CELL // 2
        for x, y, in_play, bars in (
            (-21, middle, number in overlay.rows, f"M-6 {middle - 17}v34M{side + 6} {middle - 17}v34"),
            (middle, -20, number in overlay.columns, f"M{middle - 17} -6h34M{middle - 17} {side + 6}h34"),
        ):
            if in_play:
                yield f'<rect x="{x - 12}" y="{y - 11}" width="24" height="22" rx="6" fill="{as_hex(WHY)}"/>'
                yield f'<path d="{bars}" stroke="{as_hex(WHY)}" stroke-width="5" stroke-linecap="round"/>'
            ink = as_hex(PAPER if in_play else FAINT_INK)
            yield f'<text x="{x}" y="{y + 5}" fill="{ink}">{number + 1}</text>'
    yield "</g>"


def _draw_letters(puzzle: Puzzle, overlay: Overlay, paints: list[Paint]) -> Iterator[str]:
    """Yield the letter of each region, once in every connected part of it."""
    yield '<g font-size="11" font-weight="bold" text-anchor="middle">'
    for cell in first_cells(puzzle):
        x, y = _corner(cell, puzzle.size)
        region = puzzle.regions[cell]
        in_play = region in overlay.regions
        if in_play or overlay.block_at(puzzle, cell) is not None or cell in overlay.causes:
            # A plate of its own, because lines of the hint pass below the letter.
            plate = WHY if in_play else _fill(puzzle, overlay, cell, paints)
            yield f'<rect x="{x + 2}" y="{y + 2}" width="14" height="14" rx="3" fill="{as_hex(plate)}"/>'
        ink = as_hex(PAPER if in_play else FAINT_INK)
        yield f'<text x="{x + 9}" y="{y + 13}" fill="{ink}">{format_region(region)}</text>'
    yield "</g>"


def _draw_regions_in_play(puzzle: Puzzle, overlay: Overlay) -> Iterator[str]:
    """Yield a blue band inside the border of each region in play."""
    path = "".join(band_path(puzzle, cell) for cell, region in enumerate(puzzle.regions) if region in overlay.regions)
    if path:
        yield f'<path d="{path}" fill="{as_hex(mix(WHY, PAPER, 0.35))}"/>'


def band_path(puzzle: Puzzle, cell: int) -> str:
    """Return the part on one cell of the band inside the border of its region."""
    size, band = puzzle.size, 7
    row, col = divmod(cell, size)

    def same(down: int, right: int) -> bool:
        inside = 0 <= row + down < size and 0 <= col + right < size
        return inside and puzzle.regions[(row + down) * size + col + right] == puzzle.regions[cell]

    x, y = _corner(cell, size)
    far = CELL - band
    path = "" if same(-1, 0) else f"M{x} {y}h{CELL}v{band}h-{CELL}z"
    path += "" if same(1, 0) else f"M{x} {y + far}h{CELL}v{band}h-{CELL}z"
    path += "" if same(0, -1) else f"M{x} {y}h{band}v{CELL}h-{band}z"
    path += "" if same(0, 1) else f"M{x + far} {y}h{band}v{CELL}h-{band}z"
    for down in (-1, 1):
        for right in (-1, 1):
            if same(down, 0) and same(0, right) and not same(down, right):
                path += f"M{x + far * (right > 0)} {y + far * (down > 0)}h{band}v{band}h-{band}z"
    return path


def _draw_mark(puzzle: Puzzle, overlay: Overlay, cell: int) -> Iterator[str]:
    x, y = _corner(cell, puzzle.size)
    mark = overlay.mark_on(puzzle, cell)
    own = puzzle.marks[cell] == mark and cell not in overlay.steps
    if mark == STAR:
        yield _star(x, y, CELL, own=own)
    elif mark == CROSS:
        yield _cross(x, y, CELL) if own else _cross_to_make(x, y, CELL)


def _ring(x: int, y: int, side: int) -> Iterator[str]:
    for colour, width in ((PAPER, 7), (INK, 3.5)):
        yield (
            f'<rect x="{x}" y="{y}" width="{side}" height="{side}" rx="7" fill="none" '
            f'stroke="{as_hex(colour)}" stroke-width="{width}"/>'
        )


def _star(x: float, y: float, side: float, *, own: bool) -> str:
    """Draw a star: the player's own in plain ink, others golden."""
    middle, reach = side / 2, side * (0.34 if own else 0.36)
    points = " ".join(f"{x + middle + reach * a:.1f},{y + middle + side * 0.03 + reach * b:.1f}" for a, b in _STAR)
    fill, width = (INK, 1.5) if own else (GOLD, 2.2)
    return (
        f'<polygon points="{points}" fill="{as_hex(fill)}" stroke="{as_hex(INK)}" stroke-width="{width}" '
        'stroke-linejoin="round"/>'
    )


def _cross(x: float, y: float, side: float) -> str:
    return _diagonals(x, y, side, reach=0.12, ink=FAINT_INK, width=2.2)


def _cross_to_make(x: float, y: float, side: float) -> str:
    middle = side / 2
    return (
        f'<circle cx="{x + middle:g}" cy="{y + middle:g}" r="{side * 0.34:.1f}" fill="{as_hex(PAPER)}" '
        f'stroke="{as_hex(CROSS_OUT)}" stroke-width="2.5"/>'
        + _diagonals(x, y, side, reach=0.17, ink=CROSS_OUT, width=4.5)
    )


def _diagonals(x: float, y: float, side: float, *, reach: float, ink: Paint, width: float) -> str:
    near, length = side * (0.5 - reach), f"{2 * side * reach:.1f}"
    path = f"M{x + near:.1f} {y + near:.1f}l{length} {length}m0 -{length}l-{length} {length}"
    return f'<path d="{path}" fill="none" stroke="{as_hex(ink)}" stroke-width="{width}" stroke-linecap="round"/>'


def _cause(x: float, y: float, side: float) -> str:
    inset = side * 0.21  # inside the dashed line of a block
    return (
        f'<rect x="{x + inset:g}" y="{y + inset:g}" width="{side - 2 * inset:g}" height="{side - 2 * inset:g}" rx="3" '
        f'fill="{as_hex(WHY)}" fill-opacity="0.16" stroke="{as_hex(WHY)}" stroke-width="3"/>'
    )


def _block(x: float, y: float, width: float, height: float) -> str:
    inset = min(5.0, width * 0.11)
    width, height = width - 2 * inset, height - 2 * inset
    return (
        f'<rect x="{x + inset:g}" y="{y + inset:g}" width="{width:g}" height="{height:g}" rx="8" '
        f'fill="none" stroke="{as_hex(WHY)}" stroke-width="3" stroke-dasharray="7 5"/>'
    )


def _key_to(overlays: Sequence[Overlay]) -> Iterator[tuple[str, str]]:
    """Yield a sample of each sign of a hint in use, with what it means."""
    steps = {mark for overlay in overlays for mark in overlay.steps.values()}
    if any(overlay.causes for overlay in overlays):
        yield _cause(0, -2, 28), "the reason"
    if any(overlay.blocks for overlay in overlays):
        yield _block(0, -2, 28, 28), "at most one star"
    if STAR in steps:
        yield _star(0, -2, 28, own=False), "a star goes here"
    if CROSS in steps:
        yield _cross_to_make(0, -2, 28), "no star here"
    if len(overlays) > 1:
        yield "".join(_ring(3, 1, 22)), "differs between the two"


def _tooltip(puzzle: Puzzle, overlay: Overlay, cell: int) -> str:
    mark = {STAR: ", star", CROSS: ", cross"}.get(overlay.mark_on(puzzle, cell), "")
    return f"{format_cell(cell, puzzle.size)}, region {format_region(puzzle.regions[cell])}{mark}"


def _corner(cell: int, size: int) -> tuple[int, int]:
    row, col = divmod(cell, size)
    return col * CELL, row * CELL
