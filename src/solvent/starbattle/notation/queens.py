"""JSON as Queens programs have it: rows of region names, alone or as `colorRegions` in an object.

Names are numbers or texts. There is one star for each row unless the object says `stars`; `marks` holds a text per row.
Other keys are not read. Written is the array alone, or the object where there are stars or marks to write.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from solvent.starbattle.model import Puzzle, most_stars
from solvent.starbattle.notation.assembling import format_rows, has_marks, make_puzzle, with_marks
from solvent.starbattle.notation.reading import Place, check_size

LONGEST_TEXT = 1_000_000
"""A board of 25 rows takes a hundredth; reading more JSON would only cost memory."""

_COMMENT_LINE = re.compile(r"^[ \t]*#[^\r\n]*", re.MULTILINE)
_MAX_DIGITS = 9


def parse_queens(text: str) -> Puzzle:
    """Read JSON."""
    found = _read_json(text)
    stars, marks, path = 1, None, "$"
    rows = found
    if isinstance(found, dict):
        if "colorRegions" not in found:
            raise Place(path="$").error("an object with colorRegions", sorted(found))
        rows, path = found["colorRegions"], "$.colorRegions"
    _check_list(rows, path)
    size = check_size(len(rows), "rows", Place(path=path))
    ids = []
    for row, names in enumerate(rows):
        _check_list(names, f"{path}[{row}]")
        if len(names) != size:
            raise Place(path=f"{path}[{row}]").error(f"{size} cells in a row, as many as rows", len(names))
        for col, name in enumerate(names):
            if isinstance(name, bool) or not isinstance(name, int | str):
                raise Place(path=f"{path}[{row}][{col}]").error("a number or a text", name)
            ids.append(name)
    if isinstance(found, dict):
        stars, marks = _read_stars(found, size), found.get("marks")
    puzzle = make_puzzle(size, stars, ids, lambda cell: Place(path=f"{path}[{cell // size}][{cell % size}]"))
    if marks is None:
        return puzzle
    return with_marks(puzzle, _read_marks(marks, size), lambda cell: Place(path=f"$.marks[{cell // size}]"))


def format_queens(puzzle: Puzzle) -> str:
    """Write JSON, regions as numbers from 0."""
    size = puzzle.size
    rows = [list(puzzle.regions[start : start + size]) for start in range(0, size * size, size)]
    if puzzle.stars == 1 and not has_marks(puzzle):
        return _write_list([str(row) for row in rows], "") + "\n"
    parts = [f'  "stars": {puzzle.stars}', f'  "colorRegions": {_write_list([str(row) for row in rows], "  ")}']
    if has_marks(puzzle):
        marks = [f'"{row}"' for row in format_rows(puzzle.marks, size)]
        parts.append(f'  "marks": {_write_list(marks, "  ")}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


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


def _read_stars(found: dict[str, Any], size: int) -> int:
    stars = found.get("stars", 1)
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
