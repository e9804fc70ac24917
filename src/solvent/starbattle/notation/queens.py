"""JSON and modules of JavaScript with rows of region names: `colorRegions` of Queens programs, `regions` of others.

- queens: the rows alone, or as `colorRegions` in an object.
- json: an object with `regions` and `stars`.
- queens-ts: a module in TypeScript or JavaScript that holds such an object, with `size` and one of these; keys need
  no quotation marks, and everything around the object is left alone.

A row is a list of names, numbers or texts, or a text with a letter for each cell. `stars` says how many stars there
are; `marks` holds a text per row. Other keys are not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from solvent.formats.relaxed_json import to_strict_json
from solvent.starbattle.model import Puzzle, most_stars
from solvent.starbattle.notation.assembling import (
    check_letters,
    format_layout,
    format_rows,
    has_marks,
    make_puzzle,
    says_stars,
    with_marks,
)
from solvent.starbattle.notation.reading import Place, check_size

LONGEST_TEXT = 1_000_000
"""A board of 25 rows takes a hundredth; reading more JSON would only cost memory."""

_COMMENT_LINE = re.compile(r"^[ \t]*#[^\r\n]*", re.MULTILINE)
_MAX_DIGITS = 9


REGIONS_KEYS = ("colorRegions", "regions")
_ROWS = tuple(re.compile(rf"""["']?\b({key})["']?\s*[:=]\s*(?=\[)""") for key in REGIONS_KEYS)
_LIST = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*+\]")
_SIZE = re.compile(r"""["']?\bsize["']?\s*[:=]\s*([0-9]{1,6})""")
_STARS = re.compile(r"""["']?\bstars["']?\s*[:=]\s*([0-9]{1,6})""")
_MARKS = re.compile(r"""["']?\bmarks["']?\s*[:=]\s*(?=\[)""")


def parse_queens(text: str) -> Puzzle:
    """Read JSON."""
    found = _read_json(text)
    if not isinstance(found, dict):
        return _assemble(found, "$", None, None)
    key = next((key for key in REGIONS_KEYS if key in found), None)
    if key is None:
        raise Place(path="$").error("an object with colorRegions or regions", sorted(found))
    rows, size = found[key], found.get("size")
    if isinstance(rows, list) and size is not None and size != len(rows):
        raise Place(path="$.size").error(f"size {len(rows)}, as many as rows", size)
    return _assemble(rows, f"$.{key}", found.get("stars"), found.get("marks"))


parse_json = parse_queens


def parse_queens_ts(text: str) -> Puzzle:
    """Read the level in a module of TypeScript or JavaScript."""
    if len(text) > LONGEST_TEXT:
        raise Place().error(f"at most {LONGEST_TEXT:,} characters of a module, but there are {len(text):,}")
    plain = to_strict_json(text)
    levels = next((found for rows in _ROWS if (found := list(rows.finditer(plain)))), [])
    if not levels:
        raise Place(1).error("an object with colorRegions, a list of rows")
    if len(levels) > 1:
        raise _place_of(plain, levels[1].start(1)).error(f"one level in a file, but there are {len(levels)}")
    key = levels[0][1]
    rows = _read_list(plain, levels[0].end(), key)
    sizes = _SIZE.search(plain)
    if sizes is not None and int(sizes[1]) != len(rows):
        raise _place_of(plain, sizes.start(1)).error(f"size {len(rows)}, as many as rows", int(sizes[1]))
    stars, marks = _STARS.search(plain), _MARKS.search(plain)
    return _assemble(
        rows,
        f"$.{key}",
        None if stars is None else int(stars[1]),
        None if marks is None else _read_list(plain, marks.end(), "marks"),
    )


def _read_list(text: str, start: int, key: str) -> list[Any]:
    """Read the list that begins here, in quotation marks of either kind."""
    found = _LIST.match(text, start)
    if found is None:
        raise _place_of(text, start).error(f"{key} as a list of rows that ends, with names in quotation marks")
    written = found[0] if '"' in found[0] else found[0].replace("'", '"')
    lines = text[:start].count("\n")
    read = _read_json("\n" * lines + " " * (start - text.rfind("\n", 0, start) - 1) + written)
    assert isinstance(read, list)
    return read


def _place_of(text: str, index: int) -> Place:
    return Place(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _assemble(rows: Any, path: str, stars: object, marks: object) -> Puzzle:
    _check_list(rows, path)
    size = check_size(len(rows), "rows", Place(path=path))
    ids: list[int | str] = []
    for row, names in enumerate(rows):
        if isinstance(names, str):
            check_letters(names, lambda _, row=row: Place(path=f"{path}[{row}]"))  # type: ignore[misc]
        else:
            _check_list(names, f"{path}[{row}]")
        if len(names) != size:
            raise Place(path=f"{path}[{row}]").error(f"{size} cells in a row, as many as rows", len(names))
        for col, name in enumerate(names):
            if isinstance(name, bool) or not isinstance(name, int | str):
                raise Place(path=f"{path}[{row}][{col}]").error("a number or a text", name)
            ids.append(name)
    puzzle = make_puzzle(
        size,
        None if stars is None else _check_stars(stars, size),
        ids,
        lambda cell: Place(path=f"{path}[{cell // size}][{cell % size}]"),
    )
    if marks is None:
        return puzzle
    return with_marks(puzzle, _read_marks(marks, size), lambda cell: Place(path=f"$.marks[{cell // size}]"))


def format_queens(puzzle: Puzzle) -> str:
    """Write JSON, regions as numbers from 0."""
    size = puzzle.size
    rows = [list(puzzle.regions[start : start + size]) for start in range(0, size * size, size)]
    if not says_stars(puzzle) and not has_marks(puzzle):
        return _write_list([str(row) for row in rows], "") + "\n"
    parts = [f'  "stars": {puzzle.stars}', f'  "colorRegions": {_write_list([str(row) for row in rows], "  ")}']
    if has_marks(puzzle):
        parts.append(f'  "marks": {_write_marks(puzzle)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def format_json(puzzle: Puzzle) -> str:
    """Write JSON with `regions` and `stars`, regions as a text for each row."""
    rows = [f'"{row}"' for row in format_rows(format_layout(puzzle), puzzle.size)]
    parts = [
        f'  "size": {puzzle.size}',
        f'  "stars": {puzzle.stars}',
        f'  "regions": {_write_list(rows, "  ")}',
    ]
    if has_marks(puzzle):
        parts.append(f'  "marks": {_write_marks(puzzle)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def format_queens_ts(puzzle: Puzzle) -> str:
    """Write a level as a module of TypeScript, regions as letters from A."""
    size = puzzle.size
    rows = ["[" + ", ".join(f'"{letter}"' for letter in row) + "]" for row in format_rows(format_layout(puzzle), size)]
    parts = [f"  size: {size}"]
    if has_marks(puzzle) or says_stars(puzzle):
        parts.append(f"  stars: {puzzle.stars}")
    parts.append(f"  colorRegions: {_write_list(rows, '  ')}")
    if has_marks(puzzle):
        parts.append(f"  marks: {_write_marks(puzzle)}")
    return "const level = {\n" + ",\n".join(parts) + ",\n};\n\nexport default level;\n"


def _write_marks(puzzle: Puzzle) -> str:
    return _write_list([f'"{row}"' for row in format_rows(puzzle.marks, puzzle.size)], "  ")


def _write_list(items: Sequence[str], indent: str) -> str:
    return "[\n" + ",\n".join(f"{indent}  {item}" for item in items) + f"\n{indent}]"


def _read_json(text: str) -> Any:
    import json

    if len(text) > LONGEST_TEXT:
        raise Place().error(f"at most {LONGEST_TEXT:,} characters of JSON, but there are {len(text):,}")
    try:
        # Lines of comment become empty lines, so that the others keep their numbers.
        return json.loads(_COMMENT_LINE.sub("", text.removeprefix("\ufeff")), parse_int=_read_int)
    except json.JSONDecodeError as error:
        raise Place(error.lineno, error.colno).error(f"JSON ({error.msg[:1].lower()}{error.msg[1:]})") from None
    except RecursionError:
        raise Place().error("JSON of rows, but it is nested too deeply") from None


def _read_int(digits: str) -> int | str:
    """Read a number; one with absurdly many digits stays text, which is as good a name of a region as any."""
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


def _check_list(value: object, path: str) -> None:
    if not isinstance(value, list):
        raise Place(path=path).error("an array", value if isinstance(value, int | str) else type(value).__name__)


def _check_stars(stars: object, size: int) -> int:
    if isinstance(stars, bool) or not isinstance(stars, int) or not 1 <= stars <= most_stars(size):
        limits = f"1 to {most_stars(size)}"
        raise Place(path="$.stars").error(f"a number of stars that fits size {size}, from {limits}", stars)
    return stars


def _read_marks(marks: object, size: int) -> str:
    _check_list(marks, "$.marks")
    assert isinstance(marks, list)
    if len(marks) != size:
        raise Place(path="$.marks").error(f"{size} rows of marks", len(marks))
    for row, text in enumerate(marks):
        if not isinstance(text, str) or len(text) != size:
            raise Place(path=f"$.marks[{row}]").error(f"a text of {size} marks", text)
    return "".join(marks)
