"""What a designer does on the page: other tiles, colours and sizes, and play backwards from where all is solved.

A swap that is played backwards gives both tiles a move, so that the swap can be made: what could be solved before can
be solved after it, by that swap first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from solvent.core.domain import Template
from solvent.core.errors import BadOption, show_value
from solvent.drawing.phrases import counted, plural
from solvent.harmony import rules
from solvent.harmony.generator import COLOUR_NAMES, generate, scramble
from solvent.harmony.model import MAX_COLS, MAX_MOVES, MAX_ROWS, Board
from solvent.harmony.notation import LONGEST_NAME, SECTIONS, format_board
from solvent.harmony.page.playing import read_swap
from solvent.harmony.positions import format_cell

MAX_SWAPS_BACK = 1000
"""How many swaps one action may play backwards."""


class Tiles(msgspec.Struct, forbid_unknown_fields=True):
    """Hold a board as it is drawn."""

    rows: int
    cols: int
    targets: list[str | None]
    """The colour that each row wants; None where that is not decided yet."""
    colours: list[str | None]
    """The colour of the tile on each cell, row by row; None where there is no tile yet."""
    moves: list[int]


class Backwards(msgspec.Struct, forbid_unknown_fields=True):
    """Hold swaps such as `A1-B1` to play backwards, in order."""

    back: list[str]


class Scramble(msgspec.Struct, forbid_unknown_fields=True):
    """Play so many swaps backwards, chosen by a seed."""

    scramble: int
    seed: int
    more: bool = False
    """True goes on from the board as it stands, False begins from the solved one."""


def edit(board: Board, action: Mapping[str, Any]) -> Board:
    """Return the board after a designer's action: tiles drawn anew, or swaps played backwards.

    `{"rows": 2, "cols": 2, "targets": ["RED", …], "colours": ["RED", …], "moves": [0, …]}`, `{"back": ["A1-B1"]}` or
    `{"scramble": 10, "seed": 3}`.
    """
    kind: type[Tiles | Backwards | Scramble] = (
        Backwards if "back" in action else Scramble if "scramble" in action else Tiles
    )
    try:
        wanted = msgspec.convert(action, kind)
    except msgspec.ValidationError as error:
        raise BadOption(f"expected tiles, swaps to play backwards or a scramble: {error}") from None
    if isinstance(wanted, Tiles):
        return _drawn(wanted)
    if isinstance(wanted, Backwards):
        return _played_back(board, wanted.back)
    _require("swaps", wanted.scramble, 1, MAX_SWAPS_BACK)
    _require("seed", wanted.seed, 0, 2**53)
    start = board if wanted.more else rules.solved_board(board.rows, board.cols, board.palette)
    return scramble(start, swaps=wanted.scramble, seed=wanted.seed)[0]


def _played_back(board: Board, swaps: Sequence[str]) -> Board:
    _require("swaps", len(swaps), 1, MAX_SWAPS_BACK)
    for text in swaps:
        swap = read_swap(board, text)
        for cell in swap:
            if board.moves[cell] == MAX_MOVES:
                raise BadOption(f"{format_cell(cell, board.cols)} has {MAX_MOVES} moves: no tile can have more.")
        board = rules.unplay(board, swap)
    return board


def _drawn(wanted: Tiles) -> Board:
    rows = _require("rows", wanted.rows, 1, MAX_ROWS)
    cols = _require("columns", wanted.cols, 1, MAX_COLS)
    for name, values, count in (
        ("targets", wanted.targets, rows),
        ("colours", wanted.colours, rows * cols),
        ("moves", wanted.moves, rows * cols),
    ):
        if len(values) != count:
            raise BadOption(f"{name}: expected {count} on a {rows}×{cols} board, found {len(values)}")
    targets = _names(wanted.targets, "row", "wants no colour", "want no colour")
    colours = _names(wanted.colours, "cell", "has no tile", "have no tile")
    if len(set(targets)) < rows:
        twice = next(name for name in targets if targets.count(name) > 1)
        raise BadOption(f"each row wants a colour of its own, and {twice} is wanted twice")
    for cell, moves in enumerate(wanted.moves):
        _require(f"moves of {format_cell(cell, cols)}", moves, 0, MAX_MOVES)
    palette = tuple(dict.fromkeys([*targets, *colours]))
    index = {name: number for number, name in enumerate(palette)}
    return Board(rows, cols, palette, tuple(index[name] for name in colours), tuple(wanted.moves))


def _names(given: Sequence[str | None], what: str, one: str, several: str) -> list[str]:
    """Return names of colours in upper case, or say how many are missing or what is wrong with one."""
    missing = sum(name is None for name in given)
    if missing:
        raise BadOption(f"{counted(missing, what)} {plural(missing, one, several)} yet")
    names = {name: name.upper() for name in given if name is not None}
    for text, name in names.items():
        is_word = name.isprintable() and len(name.split()) == 1 and name == name.strip() and "#" not in name
        if not is_word or len(name) > LONGEST_NAME or name in SECTIONS:
            raise BadOption(
                f"a colour's name is one word of at most {LONGEST_NAME} letters, without # and not a heading such as "
                f"{SECTIONS[0]}, found {show_value(text)}"
            )
    return [names[name] for name in given if name is not None]


def _require(name: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise BadOption(f"{name}: expected {least} to {most:,}, found {value}")
    return value


def templates() -> list[Template]:
    """Return boards to begin from: solved ones, to be scrambled, and one that is."""
    sizes = ((3, 3), (4, 4), (4, 6), (5, 5), (6, 6))
    solved = [rules.solved_board(rows, cols, COLOUR_NAMES) for rows, cols in sizes]
    scrambled = generate(rows=3, cols=3, swaps=6, seed=7)
    return [*(_template("solved", board) for board in solved), _template("scrambled", scrambled)]


def _template(kind: str, board: Board) -> Template:
    size = f"{board.rows}×{board.cols}"
    title = f"{size} board: {counted(board.swaps, 'swap') if board.swaps else kind}"
    return Template(name=f"{kind}_{board.rows}x{board.cols}", title=title, text=format_board(board))
