"""Positions, swaps and solutions as text: `B3`, `A1-B1`, and numbered lines of swaps.

Rows are letters from A, columns numbers from 1; upper and lower case mean the same. This file imports no rules, so the
checker may use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from solvent.core.errors import ParseError
from solvent.formats.lines import numbered_lines
from solvent.harmony.model import Board, Swap

MAX_DIGITS = 6
"""Longer numbers are refused before they are read: no count in a Harmony file comes near."""

# Only ASCII digits count as digits: `\d` and `int` would also take those of every other script.
_NUMBER = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}")
_CELL = re.compile(rf"([A-Za-z])([0-9]{{1,{MAX_DIGITS}}})")
_NUMBERED = re.compile(r"([0-9]+)\s*[.):]\s*(.*)")
_SWAP_SHAPE = re.compile(r"[A-Za-z]+[0-9]+\s*-\s*[A-Za-z]+[0-9]+")
_SOLUTION_HEADING = re.compile(r"solution\s*:?", re.IGNORECASE)


def format_cell(cell: int, cols: int) -> str:
    """Write a cell as its row's letter and its column's number, such as `B3`."""
    return f"{chr(ord('A') + cell // cols)}{cell % cols + 1}"


def format_swap(swap: Swap, cols: int) -> str:
    """Write a swap as its two cells, such as `A1-B1`."""
    return f"{format_cell(swap[0], cols)}-{format_cell(swap[1], cols)}"


def parse_number(text: str, expected: str, least: int, most: int, *, line: int | None = None) -> int:
    """Read a whole number in ASCII digits between two limits."""
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise ParseError(f"{expected} from {least} to {most}", text, line=line)
    return int(text)


def parse_cell(text: str, rows: int, cols: int, *, line: int | None = None) -> int:
    """Read a position such as `B3` on a board of that size."""
    match = _CELL.fullmatch(text)
    if match is None:
        raise ParseError("a position such as A1", text, line=line)
    row, col = ord(match[1].upper()) - ord("A"), int(match[2]) - 1
    if row >= rows or not 0 <= col < cols:
        raise ParseError(f"a position from A1 to {format_cell(rows * cols - 1, cols)}", text, line=line)
    return row * cols + col


def parse_swap(text: str, board: Board, *, line: int | None = None) -> Swap:
    """Read a swap such as `A1-B1`: two cells of the board in one row or column.

    Whether the tiles there have moves left is not looked at.
    """
    ends = text.split("-")
    if len(ends) != 2:
        raise ParseError("a swap such as A1-B1", text, line=line)
    a, b = (parse_cell(end.strip(), board.rows, board.cols, line=line) for end in ends)
    if a == b or (a // board.cols != b // board.cols and a % board.cols != b % board.cols):
        raise ParseError("a swap of two different cells in one row or column", text, line=line)
    return min(a, b), max(a, b)


def format_solution(plan: Sequence[Swap], board: Board) -> str:
    """Write the swaps of a plan as numbered lines, such as `  1. A1-B1`."""
    return "".join(f"{number:3d}. {format_swap(swap, board.cols)}\n" for number, swap in enumerate(plan, start=1))


def parse_solution(text: str, board: Board) -> tuple[Swap, ...]:
    """Read a plan from lines of swaps, numbered or not, commented out with `#` or not.

    Only what follows a line `Solution:` is read, if there is one. Where lines are numbered, the numbers must run
    1, 2, 3 … and every other line (pictures of boards, scores) is skipped. Where none is, every line outside a
    comment must be a swap. Whether the plan keeps the rules is for the checker to say.
    """
    lines = _after_heading(list(split_lines(text)))
    numbered = [(line, match) for line, content, _ in lines if (match := _NUMBERED.fullmatch(content))]
    if not numbered:
        return tuple(_unnumbered_swaps(lines, board))
    plan = []
    for number, (line, match) in enumerate(numbered, start=1):
        # Compared as text: the number may have any number of digits.
        if match[1].lstrip("0") != str(number):
            raise ParseError(f"step {number}", match[1], line=line)
        plan.append(parse_swap(match[2].partition("#")[0].strip(), board, line=line))
    return tuple(plan)


def split_lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each line's number, its content without blanks and leading `#`, and whether it is a comment."""
    for line, raw in numbered_lines(text):
        stripped = raw.strip()
        yield line, stripped.lstrip("#").strip(), stripped.startswith("#")


def without_number(content: str) -> str:
    """Drop the step number in front of a swap, if there is one."""
    match = _NUMBERED.fullmatch(content)
    return match[2] if match else content


def _after_heading(lines: list[tuple[int, str, bool]]) -> list[tuple[int, str, bool]]:
    for index, (_, content, _) in enumerate(lines):
        if _SOLUTION_HEADING.fullmatch(content):
            return lines[index + 1 :]
    return lines


def _unnumbered_swaps(lines: Iterable[tuple[int, str, bool]], board: Board) -> Iterator[Swap]:
    for line, content, is_comment in lines:
        swap = content.partition("#")[0].strip()
        if swap and (not is_comment or _SWAP_SHAPE.fullmatch(swap)):
            yield parse_swap(swap, board, line=line)
