"""The formats of Star Battle: how each is recognised, and where it is read and written.

Only how a text begins is looked at, without comments and blank lines. This module imports almost nothing, since it
looks at the files of every domain. Patterns are written where they are used, so that each is compiled when it is first
needed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from solvent.formats.lines import numbered_lines
from solvent.formats.table import Format, FormatTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from solvent.starbattle.model import Puzzle

EXTRAS = ("stars", "marks", "regions")
"""What may stand behind a `#` without being a comment; see `notation.reading`."""
COMMENT = rf"#(?=(?:{'|'.join(EXTRAS)})=)|(?:^|(?<=\s))#"
TOKEN = r"(?:0*([0-9]{1,6})|([A-Za-z]))([sx]?)"  # noqa: S105
# A folder may have the puzzle's name too: without a question mark, a number must follow.
PUZZLINK_START = r"(?i:(?:\S*\?)(?:m\+)?starbattle(?:_\w+)?/|starbattle(?:_edit)?/(?=[0-9]+/))"
TASK_START = r"\btask[\"']?\s*[=:]\s*"
"""What stands before the numbers where they are taken from the page of puzzle-star-battle.com."""

_OPENING_LENGTH = 20_000
"""How many characters of a text are looked at to find its format."""


def read_opening(text: str) -> str:
    """Return how a text begins, without comments and blank lines; this is all that finding the format looks at."""
    opening = text[:_OPENING_LENGTH]
    lines = (raw for _, raw in numbered_lines(opening))
    if "#" in opening:
        lines = (re.split(COMMENT, raw, maxsplit=1)[0] for raw in lines)
    return "\n".join(line for line in map(str.strip, lines) if line)


def _is_grid(opening: str) -> bool:
    """Tell whether two numbers stand first, and what follows could be a row of letters."""
    heading = r"[-+]?\d\S*(?:[^\S\n]*[x×X][^\S\n]*\d+)?,?[^\S\n]+[-+]?\d\S*(?:[^\S\n]*(?:★|stars?))?[^\S\n]*"
    return re.match(rf"{heading}(?:\n\S*(?:\n|\Z)|\Z)", opening) is not None


def _is_tokens(opening: str) -> bool:
    """Tell whether the first line consists of tokens; one of many may be mistyped if the others are numbers."""
    words = opening.partition("\n")[0].split()
    good = [word for word in words if re.fullmatch(TOKEN, word)]
    if len(words) < 4 or len(good) < len(words) - 1:
        return False
    return len(good) == len(words) or all(word[0] in "0123456789" for word in good)


def _is_puzzlink(opening: str) -> bool:
    """Tell whether the line is an address of a Star Battle."""
    return re.match(PUZZLINK_START, opening) is not None


def _is_sbn(opening: str) -> bool:
    """Tell whether the line begins with a size, twice, the stars and a flag."""
    return re.match(r"([0-9A-Za-z])\1[0-9][We][0-9A-Za-z_~-]*", opening) is not None


def _is_task(opening: str) -> bool:
    """Tell whether the line begins with numbers and has more commas than other lists would."""
    numbers = r"[0-9]{1,6}(?:\s*,\s*[0-9]{1,6}){3}\s*,[^\n]*(?:,[^\n]*){4}"
    return re.match(numbers, opening) is not None or re.search(rf"{TASK_START}[\"'`]?\s*{numbers}", opening) is not None


def _is_krazydad(opening: str) -> bool:
    """Tell whether the line begins with three words, commas between, and a quotation mark."""
    return re.match(r'[^\s,"]+\s*,\s*[^\s,"]+\s*,\s*[^\s,"]+\s*,\s*"', opening) is not None


def _is_masonomara(opening: str) -> bool:
    """Tell whether the line begins with size, x, stars, a point and a few letters."""
    return re.match(r"[0-9]+x[0-9]+\.[0-9A-Za-z]{4}", opening) is not None


def _is_queens(opening: str) -> bool:
    """Tell whether rows of names begin here, or an object with its colour regions near the start."""
    rows = r'\[\s*(?:\[\s*["0-9-]|"[0-9A-Za-z]{4,25}"(?:\s*,\s*"[0-9A-Za-z]{4,25}"){3})'
    return re.match(rows, opening) is not None or (opening.startswith("{") and '"colorRegions"' in opening)


def _is_json(opening: str) -> bool:
    """Tell whether an object with regions as rows begins here; others have regions too, but they are objects."""
    rows = r'"regions"\s*:\s*\[\s*(?:\[\s*["0-9-]|"[0-9A-Za-z]{4,25}")'
    return opening.startswith("{") and re.search(rows, opening) is not None


def _is_queens_ts(opening: str) -> bool:
    """Tell whether an object with regions stands in a module, or its keys are written as in one."""
    if re.search(r"""\bcolorRegions["']?\s*[:=]\s*\[""", opening) is not None:
        return True
    begins_module = re.match(r"//|/\*|(?:import|export|const|let|var|module)\b", opening) is not None
    return begins_module and re.search(r"""\bregions["']?\s*[:=]\s*\[\s*[\["']""", opening) is not None


def _is_pzprv3(opening: str) -> bool:
    """Tell whether the first line says that this is a file of pzprv3, of whatever puzzle."""
    return re.match(r"(?i:(?:\S*\?)?pzprv3(?:\.\d+)?\s*[/\n]\s*[a-z])", opening) is not None


def _is_penpa(opening: str) -> bool:
    """Tell whether the line is an address with a drawing in it, or what stands behind its host."""
    return re.match(r"(?:\S*[?#])?m=(?:edit|solve)&(?:\S*&)?p=", opening) is not None


def _is_fpuzzles(opening: str) -> bool:
    """Tell whether the line is an address of f-puzzles, or has the code of one of its grids."""
    address = r"(?i:\S*f-puzzles\.com/)|(?:\S*[/=?])?(?:fpuzzles|fpuz)[A-Za-z0-9+/%]{20}"
    return re.match(address, opening) is not None


def _is_sudokupad(opening: str) -> bool:
    """Tell whether the line is an address of SudokuPad, or has the code of one of its puzzles."""
    hosts = r"(?:sudokupad\.app|sudokupad\.svencodes\.com|app\.crackingthecryptic\.com)"
    return re.match(rf"(?i:(?:https?://)?(?:\w+\.)*{hosts}/\S)|(?:scl|ctc)[A-Za-z0-9+/%]{{20}}", opening) is not None


def _is_starbattlelab(opening: str) -> bool:
    """Tell whether the line is an address with a board of StarBattleLab in it."""
    return re.match(r"\S*[?&#]sbn=", opening) is not None


def _is_drawing(opening: str) -> bool:
    """Tell whether the upper edge of a board, and a row of it, stand near the top."""
    return re.search(r"(?m)^\s*(?:\x1b\[[0-9;]*m)*┌[─┬A-Y><]*┐", opening) is not None


def _is_csv(opening: str) -> bool:
    """Tell whether there are about as many rows as the first has short names with separators between."""
    lines = opening.split("\n", 60)
    name = r'\s*"?[0-9A-Za-z_]{1,12}"?\s*'
    if re.fullmatch(rf"{name}(?:[,;\t]{name}){{3,24}}[,;\t]?", lines[0]) is None:
        return False
    size = len(re.findall(name, lines[0]))
    return size - 1 <= len(lines) <= size + 1 and re.match(rf"{name}[,;\t]", lines[1]) is not None


def _is_letters(opening: str) -> bool:
    """Tell whether there are about as many lines of letters as the first has letters, most of them as long."""
    lines = opening.split("\n", 60)
    size = len(lines[0])
    if not 4 <= size <= 25 or not size - 1 <= len(lines) <= 2 * size + 1:
        return False
    rows = lines[:size]
    return lines[0].isalnum() and sum(row.isalnum() and len(row) == size for row in rows) >= max(3, size - 2)


def _row(name: str, description: str, sniff: Callable[[str], bool], module: str = "") -> Format:
    module = module or name
    return Format(name, description, sniff, f"{module}:parse_{name}", f"{module}:format_{name}")


FORMATS: FormatTable[Puzzle] = FormatTable(
    "solvent.starbattle.notation",
    (
        _row("grid", "size and stars, then a line of region letters per row; marks as a second grid", _is_grid),
        _row("drawing", "lines and stars as a terminal shows them", _is_drawing),
        _row("tokens", "a line per row of region numbers, each with s or x if it is marked", _is_tokens),
        _row("puzzlink", "a puzz.link address", _is_puzzlink),
        _row("sbn", "StarBattleLab notation", _is_sbn),
        _row("csv", "a line per row of region names with commas between", _is_csv, "letters"),
        _row("task", "region numbers with commas, as puzzle-star-battle.com has them", _is_task, "one_line"),
        _row("krazydad", "size, stars and the layout in quotes, as KrazyDad has them", _is_krazydad, "one_line"),
        _row("masonomara", "size and stars, a point, and the layout", _is_masonomara, "one_line"),
        _row("queens", "JSON with the regions as rows of numbers", _is_queens),
        Format(
            "queens-ts",
            "a Queens level as a TypeScript module",
            _is_queens_ts,
            "queens:parse_queens_ts",
            "queens:format_queens_ts",
        ),
        _row("json", "JSON with regions and stars", _is_json, "queens"),
        _row("pzprv3", "a file of puzz.link and sites like it", _is_pzprv3),
        Format("penpa", "an address of Penpa+", _is_penpa, "penpa.reading:parse_penpa", "penpa.writing:format_penpa"),
        _row("fpuzzles", "an address of f-puzzles", _is_fpuzzles, "sudokupad"),
        _row("sudokupad", "an address of SudokuPad", _is_sudokupad),
        _row("starbattlelab", "an address of StarBattleLab", _is_starbattlelab),
        _row("letters", "a line of region letters per row, no more", _is_letters),
    ),
    expected="the size and the stars, such as 10 2, or another format (tokens, puzzlink, sbn, csv, task, "
    "krazydad, masonomara, queens, queens-ts, json, pzprv3, penpa, fpuzzles, sudokupad, starbattlelab, letters, "
    "drawing)",
    opening=read_opening,
    keeps_source=True,
)
