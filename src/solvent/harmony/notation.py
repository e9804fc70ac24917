"""Boards as text, in the BOARD and the TILES format. Positions, swaps and solutions are in `positions`.

Both formats give the size with `ROWS n` and `COLS n`, may end with `MOVES` to play first, allow `# comments` and any
case, and end at the line `End of Puzzle Specification`. Sections may stand in any order. Colours that no tile has and
no row wants are dropped; colours that no row wants but some tile has come after the rows' targets in the palette, in
the order in which the text declares them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.formats.recording import note
from solvent.harmony.model import MAX_COLS, MAX_MOVES, MAX_ROWS, Board, Swap
from solvent.harmony.positions import (
    format_cell,
    format_solution,
    format_swap,
    parse_cell,
    parse_number,
    parse_solution,
    parse_swap,
    split_lines,
    without_number,
)

__all__ = [
    "format_board",
    "format_cell",
    "format_solution",
    "format_swap",
    "format_tiles",
    "parse_board",
    "parse_cell",
    "parse_solution",
    "parse_swap",
]

LONGEST_NAME = 40
"""Letters in a colour's name."""
LARGEST_COLOUR_ID = 999_999
MAX_LINES = 200_000
"""In a section, but for MOVES: far more than the largest board has tiles."""

_SIZES = {"ROWS": MAX_ROWS, "COLS": MAX_COLS}
SECTIONS = ("ROWS", "COLS", "BOARD", "COLORS", "TARGETS", "TILES", "MOVES")
_END = re.compile(r"\W*end\s+of\s+puzzle\s+specification\b", re.IGNORECASE)


class _Line(NamedTuple):
    number: int
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(self.words)


class _Section(Struct):
    name: str
    line: int
    lines: list[_Line] = field(default_factory=list)
    """What follows the heading, first of all the rest of its own line, if there is any."""


class _Tiles(Struct):
    """Collect tiles as they are read; each cell may be filled once."""

    rows: int
    cols: int
    placed: dict[int, tuple[str, int]] = field(default_factory=dict)
    """The colour and moves of the tile on each cell."""
    lines: dict[int, int] = field(default_factory=dict)
    """The line each tile was read from."""

    def place(self, position: str, colour: str, moves: str, line: int) -> None:
        cell = parse_cell(position, self.rows, self.cols, line=line)
        if cell in self.placed:
            raise ParseError(f"each position once ({position} is on line {self.lines[cell]} too)", position, line=line)
        self.placed[cell] = colour, parse_number(moves, "moves", 0, MAX_MOVES, line=line)
        self.lines[cell] = line


def parse_board(text: str) -> Board:
    """Read a board in either format and play its MOVES.

    Wrong counts per colour, odd sums and dead tiles are a board's own business: they make it unsolvable, not malformed.
    """
    sections = _read_sections(text)
    rows = _read_size(sections, "ROWS")
    cols = _read_size(sections, "COLS")
    if "BOARD" in sections:
        for name in ("TILES", "COLORS", "TARGETS"):
            if name in sections:
                raise ParseError(f"BOARD or {name}, not both", name, line=sections[name].line)
        tiles, names = _read_colour_lines(sections["BOARD"], rows, cols)
        heading = sections["BOARD"].line
    elif "TILES" in sections:
        tiles, names = _read_tile_lines(sections, rows, cols)
        heading = sections["TILES"].line
    else:
        raise ParseError("a BOARD or TILES section, but there is none")
    board = _assemble(tiles, names, heading)
    return _play_moves(board, sections["MOVES"]) if "MOVES" in sections else board


def format_board(board: Board) -> str:
    """Write a board in the BOARD format: one line per colour, first the rows' targets in order."""
    cols = board.cols
    colours = list(_written_colours(board))
    width = max(len(board.palette[colour]) for colour in colours)
    lines = [f"ROWS {board.rows}", f"COLS {cols}", "", "BOARD"]
    for colour in colours:
        tiles = [
            f"{format_cell(cell, cols)} {board.moves[cell]}"
            for cell in range(board.rows * cols)
            if board.colours[cell] == colour
        ]
        lines.append("  ".join([f"{board.palette[colour]:{width}}", *tiles]).rstrip())
    return "\n".join(lines) + "\n"


def format_tiles(board: Board) -> str:
    """Write a board in the TILES format: colours by number, the rows' targets, one line per tile."""
    colours = list(_written_colours(board))
    lines = [f"ROWS {board.rows}", f"COLS {board.cols}", "", "COLORS"]
    lines += [f"{board.palette[colour]} {colour}" for colour in colours]
    lines += ["", f"TARGETS {' '.join(board.palette[: board.rows])}", "", "TILES"]
    lines += [
        f"{format_cell(cell, board.cols)} {board.colours[cell]} {board.moves[cell]}"
        for cell in range(board.rows * board.cols)
    ]
    return "\n".join(lines) + "\n"


def _written_colours(board: Board) -> Iterator[int]:
    used = set(board.colours)
    return (colour for colour in range(len(board.palette)) if colour < board.rows or colour in used)


def _read_sections(text: str) -> Mapping[str, _Section]:
    sections: dict[str, _Section] = {}
    current: _Section | None = None
    for number, content, is_comment in split_lines(text.removeprefix("\ufeff")):
        if _END.match(content):
            break
        words = () if is_comment else tuple(content.partition("#")[0].split())
        if not words:
            continue
        name = words[0].upper()
        if name in SECTIONS:
            if name in sections:
                raise ParseError(f"one {name}, but line {sections[name].line} has it too", name, line=number)
            current = sections[name] = _Section(name, number)
            words = words[1:]
        elif current is None or current.name in _SIZES:
            raise ParseError(f"a section ({', '.join(SECTIONS)})", words[0], line=number)
        if words:
            current.lines.append(_Line(number, words))
        if name in _SIZES:
            _read_size(sections, name)  # so that what is far too large is refused by its first lines
        if len(current.lines) > MAX_LINES and current.name != "MOVES":
            raise ParseError(f"at most {MAX_LINES:,} lines of {current.name}", words[0], line=number)
    return sections


def _read_size(sections: Mapping[str, _Section], name: str) -> int:
    if name not in sections:
        raise ParseError(f"a line {name} n, but there is none")
    section = sections[name]
    text = section.lines[0].text if section.lines else ""
    return parse_number(text, f"{name} and a number", 1, _SIZES[name], line=section.line)


def _read_colour_lines(section: _Section, rows: int, cols: int) -> tuple[_Tiles, list[str]]:
    """Read `<colour> <position> <moves> …` lines; the first `rows` colours are the rows' targets."""
    tiles, names = _Tiles(rows, cols), list[str]()
    for line in section.lines:
        if line.number == section.line:
            raise ParseError("nothing after BOARD on its line", line.text, line=line.number)
        name = _read_name(line.words[0], names, line.number)
        pairs = line.words[1:]
        if len(pairs) % 2:
            raise ParseError(f"a position and its moves in turn after {name}", " ".join(pairs), line=line.number)
        if len(names) >= rows and not pairs:
            raise ParseError("a section, or a colour with its tiles", line.text, line=line.number)
        names.append(name)
        for position, moves in zip(pairs[::2], pairs[1::2], strict=True):
            tiles.place(position, name, moves, line.number)
    if len(names) < rows:
        raise ParseError(f"a line for the colour of each row, {rows} lines", len(names), line=section.line)
    return tiles, names


def _read_tile_lines(sections: Mapping[str, _Section], rows: int, cols: int) -> tuple[_Tiles, list[str]]:
    """Read COLORS, TARGETS and `<position> <colour number> <moves>` lines."""
    for name in ("COLORS", "TARGETS"):
        if name not in sections:
            raise ParseError(f"a {name} section beside TILES, but there is none", line=sections["TILES"].line)
    names_by_id = _read_colours(sections["COLORS"])
    targets = _read_targets(sections["TARGETS"], set(names_by_id.values()), rows)
    tiles = _Tiles(rows, cols)
    for line in sections["TILES"].lines:
        if len(line.words) != 3:
            raise ParseError("a position, a colour's number and moves, such as A1 0 2", line.text, line=line.number)
        position, colour, moves = line.words
        colour_id = parse_number(colour, "a colour's number", 0, LARGEST_COLOUR_ID, line=line.number)
        if colour_id not in names_by_id:
            raise ParseError("the number of a colour in COLORS", colour, line=line.number)
        tiles.place(position, names_by_id[colour_id], moves, line.number)
    return tiles, targets + [name for name in names_by_id.values() if name not in targets]


def _read_colours(section: _Section) -> dict[int, str]:
    names: dict[int, str] = {}
    taken: set[str] = set()
    for line in section.lines:
        if len(line.words) != 2:
            raise ParseError("a colour's name and number, such as RED 0", line.text, line=line.number)
        name = _read_name(line.words[0], taken, line.number)
        number = parse_number(line.words[1], "a colour's number", 0, LARGEST_COLOUR_ID, line=line.number)
        if number in names:
            raise ParseError(f"a number of its own for {name} ({names[number]} has it)", number, line=line.number)
        names[number] = name
        taken.add(name)
    return names


def _read_targets(section: _Section, names: Container[str], rows: int) -> list[str]:
    targets: list[str] = []
    wrong_number = f"a target for each of the {rows} rows"
    for line in section.lines:
        for word in line.words:
            name = word.upper()
            if name not in names:
                raise ParseError("the name of a colour in COLORS", word, line=line.number)
            if name in targets:
                raise ParseError("each target once", word, line=line.number)
            if len(targets) == rows:
                raise ParseError(f"{wrong_number}, no more", word, line=line.number)
            targets.append(name)
    if len(targets) != rows:
        raise ParseError(wrong_number, len(targets), line=section.line)
    return targets


def _read_name(word: str, taken: Container[str], line: int) -> str:
    name = word.upper()
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise ParseError(f"a colour's name of at most {LONGEST_NAME} letters", word, line=line)
    if name in taken:
        raise ParseError("each colour once", word, line=line)
    return name


def _assemble(tiles: _Tiles, names: Sequence[str], heading: int) -> Board:
    rows, cols = tiles.rows, tiles.cols
    cells = range(rows * cols)
    for cell in cells:
        if cell not in tiles.placed:
            expected = f"{len(cells)} tiles, one on each position (none is on {format_cell(cell, cols)})"
            raise ParseError(expected, len(tiles.placed), line=heading)
    note(lines=tiles.lines)
    used = {colour for colour, _ in tiles.placed.values()}
    palette = (*names[:rows], *(name for name in names[rows:] if name in used))
    index = {name: colour for colour, name in enumerate(palette)}
    return Board(
        rows=rows,
        cols=cols,
        palette=palette,
        colours=tuple(index[tiles.placed[cell][0]] for cell in cells),
        moves=tuple(tiles.placed[cell][1] for cell in cells),
    )


def _play_moves(board: Board, section: _Section) -> Board:
    # Imported late: the checker reads swaps with this module's help and must not depend on the solvers' rules.
    from solvent.harmony.rules import is_legal, play

    for line in section.lines:
        swap: Swap = parse_swap(without_number(line.text), board, line=line.number)
        if not is_legal(board, swap):
            tired = next(cell for cell in swap if board.moves[cell] == 0)
            expected = f"a swap of two tiles with moves left ({format_cell(tired, board.cols)} has none by then)"
            raise ParseError(expected, line.text, line=line.number)
        board = play(board, swap)
    return board
