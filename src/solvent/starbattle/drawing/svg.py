"""Draw boards as SVG: painted regions with thick borders, stars, crosses, and what a hint points at.

Blue says why, the other colours what follows: red for a cross to make, gold for a star; each has a shape of its own
too. The picture needs nothing from outside and has no ids, so several may stand in one page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.drawing.legend import LINE, Entry, Legend
from solvent.drawing.markup import Markup, tag
from solvent.drawing.palette import BLUE, FAINT_INK, GOLD, INK, PAPER, Paint, mix
from solvent.drawing.paper import frame
from solvent.drawing.phrases import counted
from solvent.drawing.shapes import circle, group, label, path, put, rect, star_points
from solvent.starbattle.cells import format_cell, format_region
from solvent.starbattle.drawing import Overlay, first_cells
from solvent.starbattle.drawing.colours import CROSS_OUT, choose_paints
from solvent.starbattle.model import CROSS, STAR, Puzzle

CELL = 44
"""The side of a cell; lengths are in pixels at the picture's natural size."""
EDGE = 42
"""Room around a board, for the numbers of rows and columns at two of its sides."""
CAPTION = 26

_BORDER, _LINE = 4, 1


def draw_picture(puzzle: Puzzle, overlays: Sequence[Overlay]) -> str:
    """Draw the board once for each overlay, side by side, with a legend of the signs in use below."""
    side = puzzle.size * CELL
    entries = list(_explain_signs(overlays))
    legend = Legend([entries] if entries else [], False)
    captions = CAPTION if any(overlay.caption for overlay in overlays) else 0
    boards_width = len(overlays) * (side + EDGE) + EDGE * 2 // 3
    boards_height = captions + EDGE + side + EDGE * 2 // 3
    paints = choose_paints(puzzle)
    boards = [
        put(_draw_board(puzzle, overlay, paints), EDGE + index * (side + EDGE), captions + EDGE)
        for index, overlay in enumerate(overlays)
    ]
    return frame(
        max(boards_width, EDGE + legend.width),
        boards_height + len(entries) * LINE + (10 if entries else 0),
        [*boards, *legend.draw(EDGE, boards_height)],
        title=f"Star Battle board, {puzzle.size}×{puzzle.size}, {counted(puzzle.stars, 'star')}",
        description=describe(puzzle, overlays),
    )


def draw_blank(puzzle: Puzzle) -> str:
    """Draw the board as it is before any region is drawn: the numbers, the lines and the frame."""
    side = puzzle.size * CELL
    numbers = group(_draw_numbers(puzzle, Overlay()), font_size=15, font_weight="bold", text_anchor="middle")
    edge = rect(0, 0, side, side, fill="none", stroke=INK, stroke_width=_BORDER)
    width = side + EDGE + EDGE * 2 // 3
    title = f"Blank board, {puzzle.size}×{puzzle.size}"
    return frame(
        width, width, [put([numbers, _lines(side), edge], EDGE, EDGE)], title=title, description="Nothing is drawn yet."
    )


def describe(puzzle: Puzzle, overlays: Sequence[Overlay]) -> str:
    """Say in words what the picture shows."""
    size = puzzle.size
    sentences = [
        f"Row {row + 1}, regions {''.join(map(format_region, puzzle.regions[row * size : (row + 1) * size]))}."
        for row in range(size)
    ]
    for overlay in overlays:
        if overlay.caption:
            sentences.append(f"{overlay.caption}.")
        steps = overlay.steps
        for words, cells in (
            ("Stars", [cell for cell in range(size * size) if overlay.mark_on(puzzle, cell) == STAR]),
            ("Crosses", [cell for cell in range(size * size) if overlay.mark_on(puzzle, cell) == CROSS]),
            ("Because of", sorted(overlay.causes)),
            ("To star", [cell for cell in sorted(steps) if steps[cell] == STAR]),
            ("To cross out", [cell for cell in sorted(steps) if steps[cell] == CROSS]),
            ("At most one star in each 2×2 block from", overlay.blocks),
        ):
            shown = [cell for cell in cells if words not in ("Stars", "Crosses") or cell not in steps]
            if shown:
                sentences.append(f"{words}: {', '.join(format_cell(cell, size) for cell in shown)}.")
        for unit, names in (
            ("Rows", [str(row + 1) for row in sorted(overlay.rows)]),
            ("Columns", [str(col + 1) for col in sorted(overlay.columns)]),
            ("Regions", [format_region(region) for region in sorted(overlay.regions)]),
        ):
            if names:
                sentences.append(f"{unit} in play: {', '.join(names)}.")
    return " ".join(sentences)


def _draw_board(puzzle: Puzzle, overlay: Overlay, paints: list[Paint]) -> Iterator[Markup]:
    """Yield one board with its first cell at the origin: fills, then lines, then signs, so that signs stay on top."""
    side = puzzle.size * CELL
    if overlay.caption:
        yield label(overlay.caption, side // 2, -EDGE + 6, 17, bold=True, text_anchor="middle", fill=INK)
    yield group(_draw_numbers(puzzle, overlay), font_size=15, font_weight="bold", text_anchor="middle")
    cells = []
    for cell in range(puzzle.size**2):
        x, y = _corner(cell, puzzle.size)
        tooltip = tag("title", _tooltip(puzzle, overlay, cell))
        cells.append(rect(x, y, CELL, CELL, tooltip, fill=_fill(puzzle, overlay, cell, paints)))
    yield group(cells, shape_rendering="crispEdges")  # else hairs of paper show between cells of a region
    yield _lines(side)
    yield from _draw_regions_in_play(puzzle, overlay)
    yield path(border_path(puzzle), stroke=INK, stroke_width=_BORDER, stroke_linecap="round")
    for cell in overlay.blocks:
        row, col = divmod(cell, puzzle.size)  # a block may be cut off at the edge of the board
        width, height = min(2, puzzle.size - col), min(2, puzzle.size - row)
        yield _block(*_corner(cell, puzzle.size), width * CELL, height * CELL)
    for cell in sorted(overlay.causes):
        yield _cause(*_corner(cell, puzzle.size), CELL)
    letters = _draw_letters(puzzle, overlay, paints)
    yield group(letters, font_size=11, font_weight="bold", text_anchor="middle")
    for cell in range(puzzle.size**2):
        yield from _draw_mark(puzzle, overlay, cell)
    for cell in sorted(overlay.rings):
        yield _ring(*_corner(cell, puzzle.size), CELL)


def _lines(side: int) -> Markup:
    inner = "".join(f"M0 {at}h{side}M{at} 0v{side}" for at in range(CELL, side, CELL))
    return path(inner, stroke=INK, stroke_opacity=0.28, stroke_width=_LINE)


def _fill(puzzle: Puzzle, overlay: Overlay, cell: int, paints: list[Paint]) -> Paint:
    paint = paints[puzzle.regions[cell]]
    return mix(paint, PAPER, 0.72) if overlay.is_aside(puzzle, cell) else paint


def border_path(puzzle: Puzzle) -> str:
    """Return the frame and all borders between regions as one path; each straight run is one line in it."""
    size, regions = puzzle.size, puzzle.regions
    steps = ""
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
                    steps += f"M{x * CELL} {y * CELL}{'h' if horizontal else 'v'}{(at - start) * CELL}"
                    start = None
    return steps


def _draw_numbers(puzzle: Puzzle, overlay: Overlay) -> Iterator[Markup]:
    """Yield the numbers of rows and columns; a line in play has its number on blue, and blue bars at both its ends."""
    side = puzzle.size * CELL
    for number in range(puzzle.size):
        middle = number * CELL + CELL // 2
        for x, y, in_play, bars in (
            (-21, middle, number in overlay.rows, f"M-6 {middle - 17}v34M{side + 6} {middle - 17}v34"),
            (middle, -20, number in overlay.columns, f"M{middle - 17} -6h34M{middle - 17} {side + 6}h34"),
        ):
            if in_play:
                yield rect(x - 12, y - 11, 24, 22, rx=6, fill=BLUE)
                yield path(bars, stroke=BLUE, stroke_width=5, stroke_linecap="round")
            yield tag("text", str(number + 1), x=x, y=y + 5, fill=PAPER if in_play else FAINT_INK)


def _draw_letters(puzzle: Puzzle, overlay: Overlay, paints: list[Paint]) -> Iterator[Markup]:
    """Yield the letter of each region, once in every connected part of it."""
    for cell in first_cells(puzzle):
        x, y = _corner(cell, puzzle.size)
        region = puzzle.regions[cell]
        in_play = region in overlay.regions
        if in_play or overlay.block_at(puzzle, cell) is not None or cell in overlay.causes:
            # A plate of its own, because lines of the hint pass below the letter.
            plate = BLUE if in_play else _fill(puzzle, overlay, cell, paints)
            yield rect(x + 2, y + 2, 14, 14, rx=3, fill=plate)
        yield tag("text", format_region(region), x=x + 9, y=y + 13, fill=PAPER if in_play else FAINT_INK)


def _draw_regions_in_play(puzzle: Puzzle, overlay: Overlay) -> Iterator[Markup]:
    """Yield a blue band inside the border of each region in play."""
    steps = "".join(band_path(puzzle, cell) for cell, region in enumerate(puzzle.regions) if region in overlay.regions)
    if steps:
        yield path(steps, fill=mix(BLUE, PAPER, 0.35))


def band_path(puzzle: Puzzle, cell: int) -> str:
    """Return the part on one cell of the band inside the border of its region."""
    size, band = puzzle.size, 7
    row, col = divmod(cell, size)

    def same(down: int, right: int) -> bool:
        inside = 0 <= row + down < size and 0 <= col + right < size
        return inside and puzzle.regions[(row + down) * size + col + right] == puzzle.regions[cell]

    x, y = _corner(cell, size)
    far = CELL - band
    steps = "" if same(-1, 0) else f"M{x} {y}h{CELL}v{band}h-{CELL}z"
    steps += "" if same(1, 0) else f"M{x} {y + far}h{CELL}v{band}h-{CELL}z"
    steps += "" if same(0, -1) else f"M{x} {y}h{band}v{CELL}h-{band}z"
    steps += "" if same(0, 1) else f"M{x + far} {y}h{band}v{CELL}h-{band}z"
    for down in (-1, 1):
        for right in (-1, 1):
            if same(down, 0) and same(0, right) and not same(down, right):
                steps += f"M{x + far * (right > 0)} {y + far * (down > 0)}h{band}v{band}h-{band}z"
    return steps


def _draw_mark(puzzle: Puzzle, overlay: Overlay, cell: int) -> Iterator[Markup]:
    x, y = _corner(cell, puzzle.size)
    mark = overlay.mark_on(puzzle, cell)
    own = puzzle.marks[cell] == mark and cell not in overlay.steps
    if mark == STAR:
        yield _star(x, y, CELL, own=own)
    elif mark == CROSS:
        yield _cross(x, y, CELL) if own else _cross_to_make(x, y, CELL)


def _ring(x: float, y: float, side: float) -> Markup:
    under, over = (
        rect(x, y, side, side, rx=7, fill="none", stroke=paint, stroke_width=width)
        for paint, width in ((PAPER, 7), (INK, 3.5))
    )
    return under + over


def _star(x: float, y: float, side: float, *, own: bool) -> Markup:
    """Draw a star: the player's own in plain ink, others golden."""
    middle, reach = side / 2, side * (0.34 if own else 0.36)
    points = " ".join(f"{x + middle + a:.1f},{y + middle + side * 0.03 + b:.1f}" for a, b in star_points(reach))
    fill, width = (INK, 1.5) if own else (GOLD, 2.2)
    return tag("polygon", points=points, fill=fill, stroke=INK, stroke_width=width, stroke_linejoin="round")


def _cross(x: float, y: float, side: float) -> Markup:
    return _diagonals(x, y, side, reach=0.12, ink=FAINT_INK, width=2.2)


def _cross_to_make(x: float, y: float, side: float) -> Markup:
    disc = circle(x + side / 2, y + side / 2, side * 0.34, fill=PAPER, stroke=CROSS_OUT, stroke_width=2.5)
    return disc + _diagonals(x, y, side, reach=0.17, ink=CROSS_OUT, width=4.5)


def _diagonals(x: float, y: float, side: float, *, reach: float, ink: Paint, width: float) -> Markup:
    near, length = side * (0.5 - reach), f"{2 * side * reach:.1f}"
    steps = f"M{x + near:.1f} {y + near:.1f}l{length} {length}m0 -{length}l-{length} {length}"
    return path(steps, stroke=ink, stroke_width=width, stroke_linecap="round")


def _cause(x: float, y: float, side: float) -> Markup:
    inset = side * 0.21  # inside the dashed line of a block
    inner = side - 2 * inset
    return rect(x + inset, y + inset, inner, inner, rx=3, fill=BLUE, fill_opacity=0.16, stroke=BLUE, stroke_width=3)


def _block(x: float, y: float, width: float, height: float) -> Markup:
    inset = min(5.0, width * 0.11)
    box = x + inset, y + inset, width - 2 * inset, height - 2 * inset
    return rect(*box, rx=8, fill="none", stroke=BLUE, stroke_width=3, stroke_dasharray="7 5")


def _explain_signs(overlays: Sequence[Overlay]) -> Iterator[Entry]:
    """Yield a sample of each sign of a hint in use, with what it means."""
    steps = {mark for overlay in overlays for mark in overlay.steps.values()}
    if any(overlay.causes for overlay in overlays):
        yield Entry("the reason", _cause(-20, -20, 40))
    if any(overlay.blocks for overlay in overlays):
        yield Entry("at most one star", _block(-20, -20, 40, 40))
    if STAR in steps:
        yield Entry("a star goes here", _star(-20, -20, 40, own=False))
    if CROSS in steps:
        yield Entry("no star here", _cross_to_make(-20, -20, 40))
    if len(overlays) > 1:
        yield Entry("differs between the two", _ring(-15, -15, 30))


def _tooltip(puzzle: Puzzle, overlay: Overlay, cell: int) -> str:
    mark = {STAR: ", star", CROSS: ", cross"}.get(overlay.mark_on(puzzle, cell), "")
    return f"{format_cell(cell, puzzle.size)}, region {format_region(puzzle.regions[cell])}{mark}"


def _corner(cell: int, size: int) -> tuple[int, int]:
    row, col = divmod(cell, size)
    return col * CELL, row * CELL
