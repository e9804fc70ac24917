"""Addresses of f-puzzles and SudokuPad that hold a Star Battle: a grid with regions, and rules in words.

- fpuzzles: `https://f-puzzles.com/?load=` and JSON with `size`, `grid` and in each cell its `region`, compressed as
  lz-string does. SudokuPad's addresses with `fpuzzles` or `fpuz` in front of the same are read as well, and bare JSON.
- sudokupad: `https://sudokupad.app/scl` and JSON with `cells` and `regions`, compressed in the same way.

Both are programs for Sudoku: a grid with digits, or with clues of Sudoku, is refused. The rules in words say how many
stars there are; marks and regions that these programs cannot hold follow as extras. A short name of a puzzle, as in
`sudokupad.app/abc123`, points to a server; Solvent never asks one.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from solvent.drawing.phrases import counted
from solvent.formats.lz_string import compress_to_base64, decompress_from_base64
from solvent.starbattle.model import Puzzle, most_stars
from solvent.starbattle.notation.addresses import parameters, read_address
from solvent.starbattle.notation.assembling import extra_stars, format_extras, make_puzzle, with_extra_marks
from solvent.starbattle.notation.reading import Content, Line, Place, check_size
from solvent.starbattle.notation.star_count import stars_in_words

F_PUZZLES = "https://f-puzzles.com/?load="
SUDOKUPAD = "https://sudokupad.app/scl"
MOST_UNFOLDED = 2_000_000
"""Characters of JSON; a board of 25 rows takes a hundredth of it."""
_CODE = re.compile(r"(?:^|[/=?&])(fpuzzles|fpuz|scl|ctc|scf)([A-Za-z0-9+/=%]{8,})", re.DOTALL)
_NEUTRAL = {"size", "title", "author", "ruleset", "grid", "solution", "text", "cosmetic", "metadata"}
"""Keys of an f-puzzles grid that are no clues."""
_SHORT_KEYS = {"cells": "ce", "regions": "re", "cages": "ca", "value": "v", "title": "t"}
"""What SudokuPad shortens keys to."""


def parse_fpuzzles(text: str) -> Puzzle:
    """Read an address with a grid of f-puzzles."""
    content, line, kind, found = _read_code(text)
    if kind in ("scl", "ctc"):
        return _from_sudokupad(found, content, line.place())
    return _from_fpuzzles(found, content, line.place())


parse_sudokupad = parse_fpuzzles


def format_fpuzzles(puzzle: Puzzle) -> str:
    """Write an address of f-puzzles."""
    size = puzzle.size
    grid = [[{"region": puzzle.regions[row * size + col]} for col in range(size)] for row in range(size)]
    found = {"size": size, "title": "Star Battle", "author": "", "ruleset": _rules(puzzle), "grid": grid}
    return _address(F_PUZZLES, compress_to_base64(_json(found)), puzzle)


def format_sudokupad(puzzle: Puzzle) -> str:
    """Write an address of SudokuPad."""
    size = puzzle.size
    regions: list[list[list[int]]] = [[] for _ in range(size)]
    for cell, region in enumerate(puzzle.regions):
        regions[region].append(list(divmod(cell, size)))
    found = {
        "cellSize": 50,
        "metadata": {"title": "Star Battle", "rules": _rules(puzzle)},
        "cells": [[{} for _ in range(size)] for _ in range(size)],
        "regions": regions,
    }
    return _address(SUDOKUPAD, quote(compress_to_base64(_json(found)), safe=""), puzzle)


def _rules(puzzle: Puzzle) -> str:
    return f"Star Battle: {counted(puzzle.stars, 'star')} in every row, column and region; stars do not touch."


def _address(start: str, code: str, puzzle: Puzzle) -> str:
    extras = format_extras(puzzle, marks=True)
    return f"{start}{code}{' ' if extras else ''}{extras}\n"


def _json(found: object) -> str:
    return json.dumps(found, separators=(",", ":"))


def _read_code(text: str) -> tuple[Content, Line, str, Mapping[str, Any]]:
    """Return what the compressed part of an address holds, and whose it is."""
    content, line = read_address(text, "stars", "marks")
    kind, code = "fpuz", parameters(line.text).get("load", "")
    if not code:
        found = _CODE.search(line.text)
        if found is None:
            short = "an address that holds the whole puzzle; a short one names a puzzle on a server, which is not asked"
            raise line.place().error(short, line.text[:80])
        kind, code = found[1], unquote(found[2]).replace(" ", "+")
    if kind == "scf":
        raise line.place().error("an address with fpuz or scl in front of the puzzle; scf holds only Sudoku")
    start = max(line.text.find(code[:20]), 0)
    try:
        read = json.loads(_unzipped(decompress_from_base64(code, most=MOST_UNFOLDED)))
    except (ValueError, RecursionError) as error:
        why = "its JSON is broken" if isinstance(error, json.JSONDecodeError | RecursionError) else str(error)
        raise line.place(start).error(f"a puzzle that lz-string compressed, but {why}") from None
    if not isinstance(read, dict):
        raise line.place(start).error("a puzzle as an object, but this is something else")
    return content, line, kind, read


def _unzipped(text: str) -> str:
    """Return SudokuPad's shortened JSON as JSON: keys without quotation marks, and single ones around texts."""
    if '"' in text:
        return text
    written = re.sub(r"\\'", "\0", text).replace("'", '"').replace("\0", "'")
    parts = re.split(r'("[^"]*")', written)
    for index in range(0, len(parts), 2):
        part = re.sub(r"(?<=[,{\[])([A-Za-z0-9]+):", r'"\1":', parts[index])
        part = re.sub(r"(?<=[,\[])(?=[,\]])", "{}", part)
        part = re.sub(r":([ft])(?=[,}\]])", lambda found: ":true" if found[1] == "t" else ":false", part)
        parts[index] = re.sub(r":(#[0F]|[0-9a-fA-F]{6})(?=[,}\]])", r':"\1"', part)
    return "".join(parts)


def _from_fpuzzles(found: Mapping[str, Any], content: Content, place: Place) -> Puzzle:
    """Make a puzzle of a grid of f-puzzles."""
    grid = found.get("grid")
    if not isinstance(grid, list):
        raise place.error("a grid, the key 'grid', but there is none")
    size = check_size(len(grid), "rows", place)
    _refuse_sudoku([key for key, value in found.items() if key not in _NEUTRAL and value], place)
    ids: list[int | str] = []
    for row, cells in enumerate(grid):
        if not isinstance(cells, list) or len(cells) != size:
            raise Place(path=f"$.grid[{row}]").error(f"{size} cells in a row, as many as rows")
        for col, cell in enumerate(cells):
            where = Place(path=f"$.grid[{row}][{col}]")
            if not isinstance(cell, dict):
                raise where.error("a cell as an object")
            if cell.get("given") or cell.get("value") not in (None, 0, ""):
                raise where.error("a Star Battle, but the cell has a digit", cell.get("value"))
            region = cell.get("region", _box(row, col, size))
            if isinstance(region, bool) or not isinstance(region, int | str):
                raise where.error("a region for each cell, but this one has none")
            ids.append(region)
    stars = _stars_of(content, size, f"{found.get('ruleset', '')} {found.get('title', '')}", place)
    puzzle = make_puzzle(size, stars, ids, lambda cell: Place(path=f"$.grid[{cell // size}][{cell % size}]"))
    return with_extra_marks(puzzle, content)


def _from_sudokupad(found: Mapping[str, Any], content: Content, place: Place) -> Puzzle:
    """Make a puzzle of SudokuPad's own JSON, its keys in full or shortened."""

    def get(holder: Mapping[str, Any], key: str) -> Any:
        return holder.get(key, holder.get(_SHORT_KEYS.get(key, key)))

    cells, regions = get(found, "cells"), get(found, "regions")
    if not isinstance(cells, list):
        raise place.error("the cells of a grid, the key 'cells', but there are none")
    size = check_size(len(cells), "rows", place)
    for row, line in enumerate(cells):
        if not isinstance(line, list) or len(line) != size:
            raise Place(path=f"$.cells[{row}]").error(f"{size} cells in a row, as many as rows")
        for col, cell in enumerate(line):
            if isinstance(cell, dict) and get(cell, "value") not in (None, ""):
                where = Place(path=f"$.cells[{row}][{col}]")
                raise where.error("a Star Battle, but the cell has a digit", get(cell, "value"))
    if not isinstance(regions, list) or not regions:
        raise place.error("regions, the key 'regions', but there are none")
    ids = [-1] * (size * size)
    for region, members in enumerate(regions):
        for member in members if isinstance(members, list) else ():
            if not (isinstance(member, list) and len(member) == 2 and all(type(each) is int for each in member)):
                raise Place(path=f"$.regions[{region}]").error("a list of cells, each a row and a column")
            row, col = member
            if not (0 <= row < size and 0 <= col < size) or ids[row * size + col] >= 0:
                raise Place(path=f"$.regions[{region}]").error("cells of the grid, each in one region", member)
            ids[row * size + col] = region
    if -1 in ids:
        row, col = divmod(ids.index(-1), size)
        raise place.error(f"a region for each cell, but row {row + 1}, column {col + 1} has none")
    metadata = found.get("metadata")
    words = [str(value) for value in metadata.values()] if isinstance(metadata, dict) else []
    cages = get(found, "cages")
    for cage in cages if isinstance(cages, list) else ():
        value = get(cage, "value") if isinstance(cage, dict) else None
        if isinstance(value, str) and re.match(r"(title|rules): ", value):
            words.append(value.partition(": ")[2])
        elif value not in (None, "") and not (isinstance(value, str) and ": " in value):
            _refuse_sudoku(["cage"], place)
    stars = _stars_of(content, size, " ".join(words), place)
    return with_extra_marks(make_puzzle(size, stars, ids, lambda _: place), content)


def _refuse_sudoku(clues: list[str], place: Place) -> None:
    if clues:
        raise place.error("a Star Battle, but the grid has clues of Sudoku", ", ".join(sorted(clues))[:80])


def _stars_of(content: Content, size: int, words: str, place: Place) -> int | None:
    stars = extra_stars(content, size)
    if stars is None:
        stars = stars_in_words(words)
    if stars is not None and stars > most_stars(size):
        raise place.error(f"a number of stars that fits size {size}, from 1 to {most_stars(size)}", stars)
    return stars


def _box(row: int, col: int, size: int) -> int:
    """Return the region of a cell for which f-puzzles says none: the boxes of a Sudoku of this size."""
    height = next(height for height in range(math.isqrt(size), 0, -1) if size % height == 0)
    return row // height * height + col // (size // height)
