"""Draw boards for a terminal, never wider than 80 columns.

Lines stand between regions only, and each region's letter stands in the line above its first cell; dots are the
corners of cells within a region. Cells are three characters wide, or two where the board is wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solvent.drawing.palette import BLUE, GOLD, INK, PAPER, Paint, mix
from solvent.drawing.phrases import counted, plural
from solvent.drawing.terminal import WIDTH, wrap, write_pieces
from solvent.starbattle.cells import format_region
from solvent.starbattle.corners import CORNERS
from solvent.starbattle.drawing import Overlay, first_cells
from solvent.starbattle.drawing.colours import CROSS_OUT, choose_paints
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle

GLYPHS = {UNKNOWN: " ", STAR: "★", CROSS: "×"}
"""What stands for a mark; each is one column wide."""

_MARGIN, _GAP = 3, 2

Piece = tuple[str, Paint | None, Paint]
"""Some characters of a line, the paint behind them (None for the terminal's own) and their ink."""


def draw_lines(puzzle: Puzzle, overlays: Sequence[Overlay], *, colour: bool, bare: bool = False) -> str:
    """Draw the board once for each overlay, side by side if there is room; unless `bare`, say what the signs mean."""
    room = (WIDTH - _GAP * (len(overlays) - 1)) // len(overlays)
    if room < board_width(puzzle, 2):
        boards = [_draw_board(puzzle, overlay, WIDTH) for overlay in overlays]
        lines = [line for board in boards for line in [*board, []]]
    else:
        boards = [_draw_board(puzzle, overlay, room) for overlay in overlays]
        lines = [*map(_join, zip(*boards, strict=True)), []]
    drawn = [write_pieces(line, colour=colour) for line in lines]
    if bare:
        return "\n".join(drawn[:-1])  # without the gap before the words
    legend = [line for text in _legend(puzzle, overlays) for line in wrap(text)]
    return "\n".join([*drawn, *legend])


def board_width(puzzle: Puzzle, cell_width: int) -> int:
    """Return how many columns a board takes when its cells take so many without their border."""
    return _MARGIN + puzzle.size * (cell_width + 1) + 1


def _draw_board(puzzle: Puzzle, overlay: Overlay, room: int) -> list[list[Piece]]:
    size = puzzle.size
    cell_width = 3 if board_width(puzzle, 3) <= room else 2
    full = board_width(puzzle, cell_width)
    paints = choose_paints(puzzle)
    firsts = set(first_cells(puzzle))
    lines: list[list[Piece]] = []
    if overlay.caption:
        lines.append([_plain(f"{' ' * _MARGIN}{overlay.caption}".ljust(full))])
    lines.append([_plain(_over_columns((str(col + 1) for col in range(size)), cell_width))])
    if overlay.columns:
        lines.append([_plain(_over_columns(("v" if c in overlay.columns else " " for c in range(size)), cell_width))])
    for line in range(size + 1):
        lines.append([_plain(" " * _MARGIN), *_border_line(puzzle, overlay, line, cell_width, paints, firsts)])
        if line < size:
            pointer = ">" if line in overlay.rows else " "
            lines.append([_plain(f"{line + 1:2}{pointer}"), *_cell_line(puzzle, overlay, line, cell_width, paints)])
    return lines


def _over_columns(words: Iterable[str], cell_width: int) -> str:
    # Two digits over a cell of three columns stand over its middle and its right.
    return " " * (_MARGIN + 1) + "".join(f"{word:>2}".ljust(cell_width + 1) for word in words)


def _border_line(
    puzzle: Puzzle, overlay: Overlay, line: int, cell_width: int, paints: list[Paint], firsts: set[int]
) -> list[Piece]:
    """Return the line above a row of cells (or below the last): corners, borders, and letters of regions."""
    size = puzzle.size
    pieces: list[Piece] = []
    for col in range(size + 1):
        ways = (
            _between(puzzle, line - 1, col - 1, line - 1, col),
            _between(puzzle, line - 1, col, line, col),
            _between(puzzle, line, col - 1, line, col),
            _between(puzzle, line - 1, col - 1, line, col - 1),
        )
        around = [(line - 1, col - 1), (line - 1, col), (line, col - 1), (line, col)]
        pieces.append((CORNERS[ways], None if any(ways) else _common_paint(puzzle, overlay, around, paints), INK))
        if col == size:
            break
        if not ways[1]:
            above_and_below = [(line - 1, col), (line, col)]
            pieces.append((" " * cell_width, _common_paint(puzzle, overlay, above_and_below, paints), INK))
        elif line < size and line * size + col in firsts:
            region = puzzle.regions[line * size + col]
            letter = format_region(region)
            if region in overlay.regions:
                pieces.append(_plain(f">{letter}<"[:cell_width]))
            else:
                pieces.append(_plain(f"─{letter}─"[:cell_width]))
        else:
            pieces.append(_plain("─" * cell_width))
    return pieces


def _cell_line(puzzle: Puzzle, overlay: Overlay, row: int, cell_width: int, paints: list[Paint]) -> list[Piece]:
    pieces = [_plain("│")]
    for col in range(puzzle.size):
        text, paint, ink = _draw_cell(puzzle, overlay, row * puzzle.size + col, paints)
        pieces.append((text[:cell_width], paint, ink))
        if _between(puzzle, row, col, row, col + 1):
            pieces.append(_plain("│"))
        elif cell_width < len(text) and text[-1] != " ":
            pieces.append((text[-1], paint, ink))  # a bracket closes where there is no border to do so
        else:
            pieces.append((" ", _common_paint(puzzle, overlay, [(row, col), (row, col + 1)], paints), INK))
    return pieces


def _draw_cell(puzzle: Puzzle, overlay: Overlay, cell: int, paints: list[Paint]) -> Piece:
    mark = overlay.mark_on(puzzle, cell)
    glyph, block = GLYPHS[mark], overlay.block_at(puzzle, cell)
    if mark == UNKNOWN and block is not None:
        glyph = _block_letter(block)
    signs, paint, ink = "   ", _common_paint(puzzle, overlay, [divmod(cell, puzzle.size)], paints), INK
    if cell in overlay.causes:
        signs, paint, ink = "( )", BLUE, PAPER
    if cell in overlay.steps or cell in overlay.rings:
        signs = "[ ]"
        paint, ink = {STAR: (GOLD, INK), CROSS: (CROSS_OUT, PAPER), UNKNOWN: (PAPER, INK)}[mark]
    return signs[0] + glyph + signs[2], paint, ink


def _common_paint(puzzle: Puzzle, overlay: Overlay, around: list[tuple[int, int]], paints: list[Paint]) -> Paint:
    """Return the paint of some cells of one region, given as rows and columns, or of the space between them."""
    cells = [row * puzzle.size + col for row, col in around]
    paint = paints[puzzle.regions[cells[0]]]
    return mix(paint, (150, 150, 150), 0.75) if any(overlay.is_aside(puzzle, cell) for cell in cells) else paint


def _between(puzzle: Puzzle, row: int, col: int, other_row: int, other_col: int) -> bool:
    """Tell whether a border stands between two cells side by side; all around the board is one region of its own."""

    def region(row: int, col: int) -> int:
        inside = 0 <= row < puzzle.size and 0 <= col < puzzle.size
        return puzzle.regions[row * puzzle.size + col] if inside else -1

    return region(row, col) != region(other_row, other_col)


def _block_letter(index: int) -> str:
    """Return a small letter for a block; they repeat after z, and blocks of one letter are then far apart."""
    return chr(ord("a") + index % 26)


def _plain(text: str) -> Piece:
    return text, None, INK


def _join(boards: Iterable[list[Piece]]) -> list[Piece]:
    joined: list[Piece] = []
    for line in boards:
        if joined:
            joined.append(_plain(" " * _GAP))
        joined.extend(line)
    return joined


def _legend(puzzle: Puzzle, overlays: Sequence[Overlay]) -> list[str]:
    """Return what the board is, and what each sign on it means."""
    first = overlays[0]
    text = f"{puzzle.size}×{puzzle.size}, {counted(puzzle.stars, 'star')} in each row, column and region"
    if len(overlays) == 1:
        placed = sum(first.mark_on(puzzle, cell) == STAR and cell not in first.steps for cell in range(puzzle.size**2))
        text += f"; {placed} of {puzzle.size * puzzle.stars} stars placed"
    signs = [] if len(overlays) == 1 else ["[ ] where the two differ"]
    units = [
        f"{plural(len(names), kind)} {', '.join(names)}"
        for kind, names in (
            ("row", [str(row + 1) for row in sorted(first.rows)]),
            ("column", [str(col + 1) for col in sorted(first.columns)]),
            ("region", [format_region(region) for region in sorted(first.regions)]),
        )
        if names
    ]
    if units:
        signs.append(f"In play: {', '.join(units)}")
    if first.causes:
        signs.append("( ) the reason")
    if first.blocks:
        letters = sorted({_block_letter(index) for index in range(len(first.blocks))})
        signs.append(f"{letters[0]} to {letters[-1]}: at most one star each" if letters[1:] else "a: at most one star")
    if STAR in first.steps.values():
        signs.append(f"[{GLYPHS[STAR]}] a star goes here")
    if CROSS in first.steps.values():
        signs.append(f"[{GLYPHS[CROSS]}] no star here")
    return [text, "; ".join(signs)] if signs else [text]
